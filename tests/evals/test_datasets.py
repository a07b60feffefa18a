"""Benchmark files become stores of turns and questions, and nothing is left out in silence."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mnemic.errors import ImportFormatError
from mnemic.evals import datasets
from mnemic.evals.datasets import Question, Store, hashed
from tests.evals import shapes

Save = Callable[[Any], Path]


@pytest.fixture
def save(tmp_path: Path) -> Save:
    """Write a value as JSON and give its path."""

    def to_file(value: Any) -> Path:
        path = tmp_path / "file.json"
        path.write_text(json.dumps(value), encoding="utf-8")
        return path

    return to_file


def asked(store: Store) -> dict[str, Question]:
    return {question.text: question for question in store.questions}


def test_locomo(save: Save) -> None:
    dataset = datasets.load_locomo(save(shapes.locomo()))
    boat, bees = dataset.stores
    assert [turn.key for turn in boat.turns] == [
        "boat/D1:1",
        "boat/D1:2",
        "boat/D1:3",
        "boat/D1:4",
        "boat/D2:2",
        "boat/D2:3",
    ]
    questions = asked(boat)
    assert questions["Who bought the dinghy?"].gold == {"boat/D1:1"}
    assert questions["Who bought the dinghy?"].category == "single-hop"
    assert questions["Colour of the keel?"].gold == {"boat/D2:2", "boat/D2:3"}
    assert questions["Colour of the keel?"].gold_sessions == {hashed("boat/session_2")}
    assert len(questions) == 3
    assert len(bees.questions) == 1
    [vain] = [question for store in dataset.stores for question in store.unanswerable]
    assert (vain.category, vain.gold) == ("adversarial", frozenset())
    assert vain.text not in questions
    assert dataset.dropped == {
        "turns that cannot be read": 1,
        "evidence ids of no turn": 3,  # D, D9:9 and the blank D2:1
        "questions without usable evidence": 3,
    }


@pytest.mark.parametrize(
    ("evidence", "ids", "dropped"),
    [
        (["D8:6; D9:17"], ["D8:6", "D9:17"], 0),
        (["D:11:26"], ["D11:26"], 0),
        (["D30:05", "D1:2 D1:3"], ["D30:5", "D1:2", "D1:3"], 0),
        (["D", "", None], [], 3),
        ([], [], 0),
        (None, [], 0),
    ],
)
def test_odd_evidence(evidence: object, ids: list[str], dropped: int) -> None:
    counted: Counter[str] = Counter()
    assert datasets.evidence_ids(evidence, counted) == ids
    assert counted.total() == dropped


def test_longmemeval(save: Save) -> None:
    dataset = datasets.load_longmemeval(save(shapes.longmemeval()))
    (pool,) = dataset.stores
    assert len({turn.session for turn in pool.turns}) == 3
    assert len(pool.turns) == 9
    fern = asked(pool)["What did I call my fern?"]
    assert fern.gold == {"answer_fern/0"}
    assert fern.gold_sessions == {hashed("answer_fern")}
    assert fern.own_sessions == {hashed("answer_fern"), hashed("plain_sauna")}
    assert asked(pool)["Which tram goes to the castle hill?"].category == "single-session-assistant"
    [vain] = pool.unanswerable
    assert (vain.category, vain.gold) == ("abstention", frozenset())
    assert dataset.dropped == {
        "questions without usable evidence": 1,
    }


def test_an_s_like_haystack_holds_its_own_sessions_and_the_same_others(save: Save) -> None:
    records = shapes.longmemeval()
    for number in range(60):
        records.append(
            records[0]
            | {
                "question_id": f"more_{number}",
                "haystack_session_ids": [f"extra_{number}"],
                "haystack_dates": ["2025/05/05"],
                "haystack_sessions": [[{"role": "user", "content": f"Errand {number}."}]],
            }
        )
    pool = datasets.load_longmemeval(save(records))
    dataset = datasets.s_like(pool)
    again = datasets.s_like(pool)
    assert dataset == again
    assert len(dataset.stores) == 2
    for store in dataset.stores:
        (question,) = store.questions
        sessions = {turn.session for turn in store.turns}
        assert question.own_sessions <= sessions
        assert len(sessions) == 2 + datasets.S_LIKE_DISTRACTORS
    first, second = ({turn.session for turn in store.turns} for store in dataset.stores)
    assert first != second
    few = datasets.s_like(datasets.load_longmemeval(save(shapes.longmemeval())))
    assert [len({turn.session for turn in store.turns}) for store in few.stores] == [3, 3]


def test_beam(save: Save) -> None:
    dataset = datasets.load_beam(save(shapes.beam()))
    (store,) = dataset.stores
    assert [turn.key for turn in store.turns] == ["1/0", "1/1", "1/2"]
    assert store.turns[0].draft.content == "My rent is 700 a month."
    questions = asked(store)
    assert questions["What is my rent?"].gold == {"1/0", "1/2"}
    assert questions["What is my rent?"].category == "knowledge_update"
    assert len(questions["What is my rent?"].gold_sessions) == 2
    assert questions["From which month is the rent higher?"].gold == {"1/2"}
    assert [one.text for one in store.unanswerable] == ["What is my dog's name?"]
    assert dataset.dropped == {
        "turns that cannot be read": 1,
        "evidence ids of no turn": 2,
        "questions without usable evidence": 1,
    }


@pytest.mark.parametrize(
    ("load", "shape"),
    [
        (datasets.load_locomo, shapes.locomo),
        (datasets.load_longmemeval, shapes.longmemeval),
        (datasets.load_beam, shapes.beam),
    ],
)
def test_no_name_of_the_file_reaches_a_brain(
    save: Save, load: Callable[[Path], datasets.Dataset], shape: Callable[[], Any]
) -> None:
    for store in load(save(shape())).stores:
        assert len(store.name) == 16
        for turn in store.turns:
            assert turn.draft.thread == turn.session
            assert len(turn.session) == 16
            assert set(turn.session) <= set("0123456789abcdef")
            assert turn.draft.metadata == {}
            assert turn.key not in repr(turn.draft)


def test_a_hash_is_the_same_in_every_run_and_no_bare_digest() -> None:
    bare = hashlib.sha256(b"answer_fern").hexdigest()
    assert hashed("answer_fern") == "acd2c3c87a0aa032"
    assert not bare.startswith(hashed("answer_fern"))


@pytest.mark.parametrize(
    "load", [datasets.load_locomo, datasets.load_longmemeval, datasets.load_beam]
)
def test_a_file_without_questions_is_refused(
    save: Save, load: Callable[[Path], datasets.Dataset]
) -> None:
    values: tuple[Any, ...] = ([], {}, [3], {"1": 3}, [{"conversation": {}}])
    for value in values:
        with pytest.raises(ImportFormatError):
            load(save(value))
