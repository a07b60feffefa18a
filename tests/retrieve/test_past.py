"""Asking what the brain held, and what was true, at another time."""

from __future__ import annotations

import itertools
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic import BoundMemory, Embedder, Hit, Memory, Settings
from tests.conftest import START, FixedClock, Opener, WordVectors
from tests.index.worlds import BINDING, OPERATIONS, QUESTIONS, Change, World, Write

OLD, NEW = "Ruth keeps her violin under the stairs", "Ruth keeps her cello in the attic"
numbers = itertools.count()


@pytest.fixture(params=["words", "vectors", "by bits", "sealed"])
def memory(request: pytest.FixtureRequest, open_brain: Opener) -> Memory:
    """A brain for each way to search."""
    index = {"by bits": {"exact_vectors": 0}, "sealed": {"segment_passages": 2}}
    return open_brain(
        embedder=None if request.param == "words" else WordVectors(),
        settings=Settings(index=index.get(request.param, {})),
    )


@pytest.fixture
def ana(memory: Memory) -> BoundMemory:
    who = memory.bind(user="ana")
    who.remember_many(["The ferry was late", "We painted the kitchen"])
    return who


def found(who: BoundMemory, **clocks: Any) -> set[str]:
    """Which of the two wordings is answered, asked for by the words of both."""
    hits = who.recall("violin under the stairs, cello in the attic", limit=100, **clocks)
    return {hit.trace.content for hit in hits} & {OLD, NEW}


def test_what_was_known_then_is_the_old_wording(ana: BoundMemory, clock: FixedClock) -> None:
    before = clock.now
    written = clock.advance(days=1)
    receipt = ana.remember(OLD)
    assert receipt.trace is not None
    between = clock.advance(days=1)
    corrected = clock.advance(days=1)
    ana.correct(receipt.trace.id, NEW, reason="she moved it")
    clock.advance(days=1)

    assert found(ana) == {NEW}
    assert found(ana, known_at=before) == set()
    assert found(ana, known_at=written - timedelta(milliseconds=1)) == set()
    assert found(ana, known_at=written) == {OLD}
    assert found(ana, known_at=between) == {OLD}
    assert found(ana, known_at=corrected - timedelta(milliseconds=1)) == {OLD}
    assert found(ana, known_at=corrected) == {NEW}
    assert found(ana, known_at=clock.now) == {NEW}


def test_a_wording_is_found_by_its_own_words_only(ana: BoundMemory, clock: FixedClock) -> None:
    receipt = ana.remember(OLD)
    assert receipt.trace is not None
    before = clock.now
    clock.advance(days=1)
    ana.correct(receipt.trace.id, NEW, reason="she moved it")

    def terms(question: str, **clocks: Any) -> list[tuple[str, ...]]:
        return [hit.why.terms for hit in ana.recall(question, **clocks) if hit.why.terms]

    assert terms("cello") == [("cello",)]
    assert terms("violin") == []
    assert terms("violin", known_at=before) == [("violin",)]
    assert terms("cello", known_at=before) == []


@pytest.mark.parametrize("reason", [None, "wrong"], ids=["forgotten", "rejected"])
def test_what_was_forgotten_was_known_before(
    memory: Memory, ana: BoundMemory, clock: FixedClock, reason: str | None
) -> None:
    receipt = ana.remember(OLD)
    assert receipt.trace is not None
    known = clock.now
    forgotten = clock.advance(days=1)
    ana.forget(receipt.trace.id, reason=reason)
    clock.advance(days=1)
    assert found(ana) == set()
    assert found(ana, known_at=forgotten) == set()
    assert found(ana, known_at=known) == {OLD}
    restored = clock.advance(days=1)
    memory.reviewer("eva").lift(receipt.trace.id, reason="it was right")
    assert found(ana) == {OLD}
    assert found(ana, known_at=forgotten) == set()
    assert found(ana, known_at=restored) == {OLD}
    assert found(ana, known_at=known) == {OLD}


def test_what_is_true_is_asked_of_an_instant(ana: BoundMemory) -> None:
    ana.remember(OLD, valid_from="2026-01-01", valid_to="2026-03-01")
    ana.remember(NEW, valid_from="2026-03-01")
    assert found(ana) == {NEW}
    assert found(ana, as_of="2025-12-31") == set()
    assert found(ana, as_of="2026-01-01") == {OLD}
    assert found(ana, as_of="2026-02-28T23:59:59Z") == {OLD}
    assert found(ana, as_of="2026-03-01") == {NEW}
    assert found(ana, as_of="2030-01-01") == {NEW}


def test_both_clocks_together(ana: BoundMemory, clock: FixedClock) -> None:
    """In June it is learned that the violin was sold in March: what was true in April?"""
    receipt = ana.remember(OLD, valid_from="2026-01-01")
    assert receipt.trace is not None
    learned = clock.advance(days=1)
    ana.correct(receipt.trace.id, valid_to="2026-03-15", reason="it was sold")
    assert found(ana, as_of="2026-04-01") == set()
    assert found(ana, as_of="2026-02-01") == {OLD}
    before = learned - timedelta(hours=1)
    assert found(ana, as_of="2026-04-01", known_at=before) == {OLD}
    assert found(ana, known_at=before) == {OLD}  # as_of is then known_at


def test_what_was_known_then_is_asked_of_that_time(ana: BoundMemory, clock: FixedClock) -> None:
    """Without `as_of`, the question is what was true when it was known."""
    then = clock.now
    ana.remember(OLD, valid_to=then + timedelta(days=9))
    clock.advance(days=20)
    assert found(ana) == set()
    assert found(ana, known_at=then) == {OLD}
    assert found(ana, known_at=then, as_of=clock.now) == set()


def test_the_context_can_be_asked_for_the_past(ana: BoundMemory, clock: FixedClock) -> None:
    receipt = ana.remember(OLD)
    assert receipt.trace is not None
    before = clock.now
    clock.advance(days=1)
    ana.correct(receipt.trace.id, NEW, reason="she moved it")
    assert NEW in ana.context("cello").text
    assert OLD not in ana.context("violin").text
    assert OLD in ana.context("violin", known_at=before).text
    assert NEW not in ana.context("cello", known_at=before).text


@pytest.mark.parametrize("embedder", [None, WordVectors()], ids=["words", "vectors"])
@settings(max_examples=20, derandomize=True)
@given(
    history=st.lists(
        OPERATIONS.filter(lambda o: isinstance(o, Write) or o.what != "restore"),
        min_size=2,
        max_size=7,
    ),
    question=QUESTIONS,
)
def test_the_past_answers_as_it_did(
    open_brain: Opener,
    embedder: Embedder | None,
    history: list[Write | Change],
    question: str,
) -> None:
    """The same texts, wordings and scores: those who come later do not count then.

    Strength is left out: how often a text was repeated is not part of what can be asked back.
    """
    clock = FixedClock(START)
    memory = open_brain(
        brain=f"b{next(numbers)}",
        settings=Settings(
            index={"passage_words": 8, "segment_passages": 8},
            mind={"ranking": {"strength_weight": 0}},
        ),
        embedder=embedder,
        clock=clock,
    )
    with memory:
        who, world = memory.bind(**BINDING), World()

        def told(known_at: datetime | None = None) -> list[tuple[str, str, float, str]]:
            hits: list[Hit] = who.recall(question, limit=1_000, known_at=known_at, touch=False)
            return sorted((h.trace.id, h.trace.content, h.score, h.why.passage) for h in hits)

        answered = {}
        for operation in history:
            clock.advance(hours=1)
            world.apply(who, operation)
            answered[clock.now] = told()
        for instant, expected in answered.items():
            for known_at in (instant, instant + timedelta(minutes=59)):
                assert [x[:2] for x in told(known_at)] == [x[:2] for x in expected]
                for now, then in zip(told(known_at), expected, strict=True):
                    assert now[2] == pytest.approx(then[2], abs=1e-5)
                    assert now[3] == then[3]
