"""The reason of a hit: its parts add up, its words and its passage are the right ones."""

from __future__ import annotations

import math

import pytest

from mnemic import BoundMemory, Hit, Memory, Settings
from tests.conftest import Opener, WordVectors

TEXTS = [
    "Ruth keeps her violin under the stairs",
    "The harbour was full of violins and lanterns",
    "A lantern of copper",
    "The ferry was late",
    "Bread and quinces",
]
QUESTION = "Where did Ruth put the Violin and the lantern?"


@pytest.fixture(params=["words", "vectors", "by bits"])
def who(request: pytest.FixtureRequest, open_brain: Opener) -> BoundMemory:
    """A caller with a few texts, each in a thread of its own."""
    memory: Memory = open_brain(
        embedder=None if request.param == "words" else WordVectors(),
        settings=Settings(index={"exact_vectors": 0} if request.param == "by bits" else {}),
    )
    ana = memory.bind(user="ana")
    ana.remember_many(
        [
            {
                "content": text,
                "thread": text,
                "strength": 0.2 * at,
                "speaker": ("Ruth", None)[at % 2],
            }
            for at, text in enumerate(TEXTS)
        ]
    )
    return ana


def by_content(hits: list[Hit]) -> dict[str, Hit]:
    return {hit.trace.content: hit for hit in hits}


def test_the_breakdown_adds_up_to_the_score(who: BoundMemory) -> None:
    hits = who.recall(QUESTION, limit=100)
    assert len(hits) >= 3
    for hit in hits:
        assert math.isfinite(hit.score)
        assert sum(hit.why.breakdown.values()) == pytest.approx(hit.score, abs=1e-6)
        assert hit.why.breakdown["strength"] == pytest.approx(0.1 * (hit.trace.strength - 0.5))


def test_the_arms_rank_what_they_found_from_one(who: BoundMemory) -> None:
    hits = who.recall(QUESTION, limit=100)
    arms = {name for hit in hits for name in hit.why.arms}
    assert "lexical" in arms
    for name in arms:
        found = [hit for hit in hits if name in hit.why.arms]
        found.sort(key=lambda hit: -hit.why.breakdown[name])
        assert [hit.why.arms[name].rank for hit in found] == list(range(1, len(found) + 1))


def test_an_arm_that_did_not_find_a_text_is_not_given_as_a_reason(who: BoundMemory) -> None:
    hits = by_content(who.recall("violin", limit=100))
    assert "lexical" in hits[TEXTS[0]].why.arms
    others = [hit for content, hit in hits.items() if "violin" not in content]
    assert all(hit.why.arms.keys() <= {"vector"} and hit.why.terms == () for hit in others)


def test_the_words_are_those_that_were_asked_as_they_were_asked(who: BoundMemory) -> None:
    hits = by_content(who.recall(QUESTION, limit=100))
    assert hits[TEXTS[0]].why.terms == ("Ruth", "Violin")
    assert hits[TEXTS[1]].why.terms == ("Violin", "lantern")
    assert hits[TEXTS[2]].why.terms == ("Ruth", "lantern")  # she is its speaker


def test_why_is_one_readable_line(who: BoundMemory) -> None:
    for hit in who.recall(QUESTION, limit=100):
        line = str(hit.why)
        assert "\n" not in line
        assert all(name in line for name in (*hit.why.arms, *hit.why.breakdown))
        assert all(term in line for term in hit.why.terms)
    assert "words: Ruth, Violin" in str(by_content(who.recall(QUESTION))[TEXTS[0]].why)


def test_a_short_text_is_its_own_passage(who: BoundMemory) -> None:
    for hit in who.recall(QUESTION, limit=100):
        assert hit.why.passage == hit.trace.content


TOPICS = ["ferry", "harbour", "violin", "bread", "quince"]
PARAGRAPH = "This paragraph is about the {0}, and the {0} is what it goes on about. " * 3
LONG = "\n".join(PARAGRAPH.format(word) for word in TOPICS)


@pytest.mark.parametrize("word", TOPICS)
def test_of_a_long_text_the_passage_that_answers_is_given(who: BoundMemory, word: str) -> None:
    who.remember(LONG, thread="long")
    hit = by_content(who.recall(f"the paragraph about the {word}", limit=100))[LONG]
    assert hit.why.passage in LONG
    assert len(hit.why.passage) < len(LONG) / 3
    assert hit.why.passage.count(word) >= 4
    assert word in hit.why.terms


def test_passages_are_those_of_the_newest_wording(who: BoundMemory) -> None:
    receipt = who.remember(LONG, thread="long")
    assert receipt.trace is not None
    new = LONG.replace("quince", "saddle").replace("ferry", "ferry boat")
    who.correct(receipt.trace.id, new, reason="I misread it")
    hit = by_content(who.recall("the paragraph about the saddle", limit=100))[new]
    assert hit.why.passage in new
    assert hit.why.passage.count("saddle") >= 4
    assert not any("quince" in content for content in by_content(who.recall("quince")) if
                   content != TEXTS[4])  # fmt: skip


def test_passages_of_many_partitions_are_not_mixed_up(open_brain: Opener) -> None:
    """Long texts in every scope, sealed and not: each is shown by a piece of its own."""
    settings = Settings(index={"segment_passages": 4})
    who = open_brain(embedder=None, settings=settings).bind(
        user="ana", thread="now", persona="coach", organization="acme"
    )
    scopes = ["user", "thread", "persona", "organization"] * 3
    who.remember_many(
        [
            {"content": LONG.replace("This", f"Our {scope} {at}"), "scope": scope}
            for at, scope in enumerate(scopes)
        ]
    )
    hits = who.recall("violin", limit=100)
    assert len(hits) == len(scopes)
    for hit in hits:
        assert hit.why.passage in hit.trace.content
        assert hit.why.passage.count("violin") >= 4
        assert len(hit.why.passage) < len(hit.trace.content) / 2
