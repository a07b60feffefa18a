"""What stands beside a text helps to find it: turns, threads, speakers, dates and labels."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from mnemic import BoundMemory, Memory, Settings
from tests.conftest import START, Opener

OTHERS = [
    "The ferry was late again",
    "We painted the kitchen yellow",
    "The dentist moved to Elm Street",
    "Grandmother sent a parcel of quinces",
    "The bus strike is over",
    "My bicycle needs a new chain",
]


@pytest.fixture
def ana(open_brain: Opener) -> BoundMemory:
    """A caller whose questions are answered by words alone, with some things remembered."""
    who = open_brain(embedder=None).bind(user="ana")
    who.remember_many([{"content": text, "thread": f"other {text[:9]}"} for text in OTHERS])
    return who


def told(who: BoundMemory, *turns: str, thread: str = "talk", **fields: str) -> list[str]:
    """Remember the turns of a conversation; gives their ids."""
    items = [{"content": text, "thread": thread, **fields} for text in turns]
    receipts = who.remember_many(items)
    return [receipt.trace.id for receipt in receipts if receipt.trace]


def found(who: BoundMemory, question: str) -> list[str]:
    return [hit.trace.content for hit in who.recall(question, limit=100)]


def score_of(who: BoundMemory, question: str, content: str) -> float:
    """By words, before anything is weighed; 0 when it was not found."""
    for hit in who.recall(question, limit=100):
        if hit.trace.content == content:
            return hit.why.arms["lexical"].score
    return 0.0


def test_an_answer_is_found_by_the_words_of_the_turn_before_it(ana: BoundMemory) -> None:
    told(ana, "Which instrument does Ruth play?", "A violin, since she was six", "Good night")
    assert found(ana, "instrument")[:2] == [
        "Which instrument does Ruth play?",
        "A violin, since she was six",
    ]


def test_the_turn_before_counts_more_than_the_turn_after(ana: BoundMemory) -> None:
    told(ana, "It is old", "The violin of Ruth", "It is loud")
    before, after = "It is loud", "It is old"
    assert score_of(ana, "violin", before) > score_of(ana, "violin", after) > 0


@pytest.mark.parametrize(
    ("weight", "place"), [("previous_weight", "It is loud"), ("next_weight", "It is old")]
)
def test_what_stands_beside_counts_nothing_at_weight_nothing(
    open_brain: Opener, weight: str, place: str
) -> None:
    turns = ("It is old", "The violin of Ruth", "It is loud")
    usual = open_brain("a.db", embedder=None).bind(user="ana")
    told(usual, *turns)
    assert place in found(usual, "violin")
    without = open_brain("b.db", embedder=None, settings=Settings(retrieval={weight: 0}))
    told(without.bind(user="ana"), *turns)
    assert place not in found(without.bind(user="ana"), "violin")


def test_threads_that_were_written_in_turn_do_not_mix(ana: BoundMemory) -> None:
    lines = [("a", "Ruth plays the violin"), ("b", "Rain all day"), ("a", "And she sings"),
             ("b", "Soup for supper")]  # fmt: skip
    for thread, text in lines:
        told(ana, text, thread=thread)
    assert found(ana, "violin") == ["Ruth plays the violin", "And she sings"]


def test_threads_of_one_name_in_two_scopes_are_two_threads(open_brain: Opener) -> None:
    who = open_brain(embedder=None).bind(user="ana", thread="talk")
    who.remember("Ruth plays the violin", thread="talk", scope="user")
    who.remember("And she sings", scope="thread")
    assert found(who, "violin") == ["Ruth plays the violin"]


def test_texts_without_a_thread_are_beside_nothing(ana: BoundMemory) -> None:
    ana.remember_many(["Ruth plays the violin", "Rain all day"])
    assert found(ana, "violin") == ["Ruth plays the violin"]


def test_a_corrected_turn_keeps_its_place(ana: BoundMemory) -> None:
    _, middle, _ = told(ana, "Which instrument?", "A flute", "Since she was six")
    ana.correct(middle, "A violin", reason="misheard")
    # "Instrument" is near to "violin", and "Since she was six" beside it.
    assert found(ana, "violin") == ["A violin", "Which instrument?", "Since she was six"]
    assert "A violin" in found(ana, "instrument")
    assert "A flute" not in found(ana, "flute")


def test_turns_on_both_sides_of_a_forgotten_one_close_up(ana: BoundMemory) -> None:
    _, middle, _ = told(ana, "Ruth plays the violin", "Rain all day", "And she sings")
    assert "And she sings" not in found(ana, "violin")
    ana.forget(middle)
    assert "And she sings" in found(ana, "violin")
    ana.restore(middle, reason="it did rain")
    assert "And she sings" not in found(ana, "violin")


def test_a_thread_about_something_lifts_what_was_said_in_it(ana: BoundMemory) -> None:
    told(ana, "The violin is old", "The violin hums", "x", "y", "My violin again", thread="music")
    told(ana, "Nothing much", "x", "y", "Your violin again", thread="smalltalk")
    inside, outside = "My violin again", "Your violin again"
    assert score_of(ana, "violin", inside) > score_of(ana, "violin", outside) > 0


def test_the_date_is_found_as_people_say_it(ana: BoundMemory) -> None:
    ana.remember("Ruth came by", time=datetime(2025, 3, 8, tzinfo=START.tzinfo))
    ana.remember("Ruth rang", time=START + timedelta(days=1))
    assert found(ana, "8 March 2025")[0] == "Ruth came by"
    assert found(ana, "on a Saturday in March") == ["Ruth came by"]


def test_tags_entities_and_speakers_are_found(ana: BoundMemory) -> None:
    ana.remember("She came by", entities=["Ruth Okafor"])
    ana.remember("Two of them, please", tags=["groceries"])
    ana.remember("I sold the boat", speaker="Matteo")
    assert found(ana, "Okafor") == ["She came by"]
    assert found(ana, "groceries")[0] == "Two of them, please"
    assert found(ana, "Matteo") == ["I sold the boat"]


def test_an_assistants_words_count_less_unless_they_are_asked_for(ana: BoundMemory) -> None:
    told(ana, "Strings for the violin cost ten", role="assistant", thread="a")
    told(ana, "Strings for a violin cost nine", role="user", thread="b")
    said, replied = "Strings for a violin cost nine", "Strings for the violin cost ten"

    def lead(question: str) -> float:
        by = {h.trace.content: h.why.breakdown["lexical"] for h in ana.recall(question)}
        return by[said] - by[replied]

    assert lead("violin strings") > 0
    assert lead("Which violin strings did you recommend?") < lead("violin strings")


def test_who_is_not_named_counts_less_when_another_is(ana: BoundMemory) -> None:
    told(ana, "I bought a violin", speaker="Ruth", thread="a")
    told(ana, "I bought a violin", speaker="Matteo", thread="b")

    def best(question: str) -> str | None:
        return ana.recall(question)[0].trace.speaker

    assert best("What did Matteo buy, a violin?") == "Matteo"
    assert best("What did Ruth buy, a violin?") == "Ruth"


def test_somebody_forgotten_is_nobody_to_be_named(memory: Memory) -> None:
    """As long as Matteo has said something, a question about him holds Ruth's words back."""
    who = memory.bind(user="ana")
    who.remember("I bought a violin", speaker="Ruth", thread="a")
    who.remember("I bought a flute", thread="b")
    question = "What did Matteo buy, a violin or a flute?"
    alone = [(hit.trace.content, hit.score) for hit in who.recall(question, touch=False)]
    receipt = who.remember("Good morning", speaker="Matteo", thread="c")
    assert receipt.trace is not None
    assert [
        (hit.trace.content, hit.score) for hit in who.recall(question, touch=False)[:2]
    ] != alone
    who.forget(receipt.trace.id)
    assert [(hit.trace.content, hit.score) for hit in who.recall(question, touch=False)] == alone
