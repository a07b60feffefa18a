"""Files in the shapes of the three benchmarks, with our own small stories in them."""

from __future__ import annotations

from typing import Any


def locomo() -> list[dict[str, Any]]:
    """Two dialogues; evidence strings are as odd as the real ones."""
    boat = {
        "speaker_a": "Ines",
        "speaker_b": "Tomas",
        "session_1_date_time": "9:30 am on 4 March, 2025",
        "session_1": [
            {"speaker": "Ines", "dia_id": "D1:1", "text": "I sold the old dinghy to a baker."},
            {"speaker": "Tomas", "dia_id": "D1:2", "text": "My sister Bea plays the oboe now."},
            {"speaker": "Ines", "dia_id": "D1:3", "text": "Ha, lovely!"},
            {"speaker": "Ines", "dia_id": "D1:4", "text": "Ha, lovely!"},
        ],
        "session_2": [
            {"speaker": "Tomas", "dia_id": "D2:1", "text": None},
            {"speaker": "Tomas", "dia_id": "D2:2", "text": "We painted the keel green."},
            {
                "speaker": "Ines",
                "dia_id": "D2:3",
                "text": "Look what I found.",
                "blip_caption": "a brass compass in a drawer",
            },
        ],
    }
    bees = {
        "session_1_date_time": "8:00 pm on 9 April, 2025",
        "session_1": [
            {"speaker": "Rui", "dia_id": "D1:1", "text": "The queen bee of hive three is marked."},
            {"speaker": "Lena", "dia_id": "D1:2", "text": "I bake with heather honey on Sundays."},
        ],
    }
    return [
        {
            "sample_id": "boat",
            "conversation": boat,
            "qa": [
                {"question": "Who bought the dinghy?", "evidence": ["D1:1"], "category": 4},
                {"question": "Colour of the keel?", "evidence": ["D:2:02; D2:3"], "category": 1},
                {"question": "Who laughed, lovely?", "evidence": ["D1:4"], "category": 2},
                {"question": "No id at all?", "evidence": ["D", "D9:9"], "category": 4},
                {"question": "A turn that is blank?", "evidence": ["D2:1"], "category": 3},
                {"question": "Is it a trick?", "evidence": ["D1:1"], "category": 5},
                {"question": "", "evidence": ["D1:1"], "category": 4},
            ],
        },
        {
            "sample_id": "bees",
            "conversation": bees,
            "qa": [
                {"question": "Which hive has a marked queen?", "evidence": ["D1:1"], "category": 4}
            ],
        },
    ]


def _session(*said: str, answer: int | None = None) -> list[dict[str, Any]]:
    return [
        {
            "role": "assistant" if number % 2 else "user",
            "content": text,
            "has_answer": number == answer,
        }
        for number, text in enumerate(said)
    ]


def longmemeval() -> list[dict[str, Any]]:
    """Three questions, one of them an abstention; a session stands in two haystacks."""
    fern = _session("I named my fern Otto.", "Otto is a fine name for a fern.", answer=0)
    trip = _session(
        "Plan a day in Graz.",
        "Take tram 1 to the castle hill.",
        "Thanks.",
        "Bye.",
        "Thanks.",
        answer=1,
    )
    sauna = _session("How hot is a sauna?", "About 80 degrees.")
    return [
        {
            "question_id": "fern",
            "question_type": "single-session-user",
            "question": "What did I call my fern?",
            "haystack_session_ids": ["answer_fern", "plain_sauna"],
            "haystack_dates": ["2025/03/01 (Sat) 09:00", "2025/03/02 (Sun) 10:00"],
            "haystack_sessions": [fern, sauna],
            "answer_session_ids": ["answer_fern"],
        },
        {
            "question_id": "graz",
            "question_type": "single-session-assistant",
            "question": "Which tram goes to the castle hill?",
            "haystack_session_ids": ["answer_graz", "plain_sauna"],
            "haystack_dates": ["2025/04/01 (Tue) 09:00", "2025/04/02 (Wed) 10:00"],
            "haystack_sessions": [trip, sauna],
            "answer_session_ids": ["answer_graz"],
        },
        {
            "question_id": "cat_abs",
            "question_type": "single-session-user",
            "question": "What did I call my cat?",
            "haystack_session_ids": ["plain_sauna"],
            "haystack_dates": ["2025/03/02 (Sun) 10:00"],
            "haystack_sessions": [sauna],
            "answer_session_ids": ["plain_sauna"],
        },
        {
            "question_id": "lost",
            "question_type": "multi-session",
            "question": "Where is it?",
            "haystack_session_ids": ["plain_sauna"],
            "haystack_dates": ["2025/03/02 (Sun) 10:00"],
            "haystack_sessions": [sauna],
            "answer_session_ids": ["plain_sauna"],
        },
    ]


def beam() -> dict[str, Any]:
    """One conversation of two batches; sources are lists, objects, and missing."""

    def turn(number: int, role: str, content: str) -> dict[str, Any]:
        return {"id": number, "role": role, "content": content}

    return {
        "1": {
            "chat.json": [
                {
                    "time_anchor": "May-04-2025",
                    "turns": [
                        [
                            turn(0, "user", "My rent is 700 a month. ->-> 1,1"),
                            turn(1, "assistant", "Noted: 700."),
                        ]
                    ],
                },
                {"turns": [[turn(2, "user", "From June the rent is 750."), turn(3, "user", " ")]]},
            ],
            "probing_questions/probing_questions.json": {
                "knowledge_update": [
                    {
                        "question": "What is my rent?",
                        "source_chat_ids": {"original": [0], "updated": [[2], None]},
                    }
                ],
                "information_extraction": [
                    {
                        "question": "From which month is the rent higher?",
                        "source_chat_ids": [2, 99],
                    },
                    {"question": "A blank turn?", "source_chat_ids": ["3"]},
                ],
                "abstention": [{"question": "What is my dog's name?"}],
            },
        }
    }
