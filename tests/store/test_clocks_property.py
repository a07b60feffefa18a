"""What a reader got at an instant is what `known_at` gives of it later, whatever happened."""

from __future__ import annotations

import itertools
import tempfile
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemic import BoundMemory, Memory, Settings, Status, Trust
from mnemic.errors import NotAllowed, NotFound
from mnemic.reviewer import Reviewer
from tests.conftest import START, FixedClock, WordVectors

WORDS = ("tea", "salt", "rope", "lamp")
DAYS = st.integers(-3, 3)
STEPS = st.one_of(
    st.tuples(st.just("remember"), st.sampled_from(WORDS), DAYS, st.none() | st.integers(0, 3)),
    st.tuples(st.just("correct"), st.integers(0, 9), st.sampled_from(WORDS)),
    st.tuples(st.just("redate"), st.integers(0, 9), DAYS),
    st.tuples(st.just("forget"), st.integers(0, 9), st.sampled_from(["wrong", None])),
    st.tuples(st.just("restore"), st.integers(0, 9)),
)


@dataclass(frozen=True)
class Fact:
    """A trace as the model has it."""

    text: str
    start: datetime
    end: datetime | None
    trust: Trust = Trust.BELIEVED

    def ended_before(self, begin: datetime) -> bool:
        return self.end is not None and self.end <= begin != self.start

    def true_at(self, moment: datetime) -> bool:
        return self.start <= moment and (self.end is None or moment < self.end)


@dataclass
class Model:
    """The plainest brain there could be: facts by id, and values that were rejected.

    A value is rejected by the trace whose correction did it, or by nobody: for good.
    """

    facts: dict[str, Fact] = field(default_factory=dict)
    rejected: dict[str, str | None] = field(default_factory=dict)

    def seen(self, as_of: datetime) -> dict[str, str]:
        """Id and text of what a reader gets."""
        return {
            of: fact.text
            for of, fact in self.facts.items()
            if fact.trust is Trust.BELIEVED and fact.true_at(as_of)
        }

    def admits(self, text: str, begin: datetime) -> str:
        """What comes of remembering a text that is true from `begin`."""
        same = [fact for fact in self.facts.values() if fact.text == text]
        held = [fact for fact in same if fact.trust is Trust.BELIEVED]
        if text in self.rejected:
            return "refused"
        if any(not fact.ended_before(begin) for fact in held):
            return "reinforced"
        forgotten = any(fact.trust is Trust.FORGOTTEN for fact in same)
        return "refused" if forgotten else "stored"

    def reject(self, text: str) -> None:
        """Every trace that says it is put away."""
        self.rejected[text] = None
        for of, fact in self.facts.items():
            if fact.text == text and fact.trust is Trust.BELIEVED:
                self.facts[of] = replace(fact, trust=Trust.REJECTED)


class Pair:
    """A brain and its model, changed alike."""

    def __init__(self, who: BoundMemory, eva: Reviewer, clock: FixedClock) -> None:
        self.who, self.eva, self.clock, self.model = who, eva, clock, Model()

    def step(self, name: str, *given: object) -> None:
        getattr(self, name)(*given)

    def remember(self, word: str, start: int, length: int | None) -> None:
        begin = self.clock.now + timedelta(days=start)
        end = None if length is None else begin + timedelta(days=length)
        text = f"the {word} is here"
        expected = self.model.admits(text, begin)
        receipt = self.who.remember(text, type="semantic", valid_from=begin, valid_to=end)
        assert receipt.status.value == expected
        if expected == "stored":
            assert receipt.trace is not None
            self.model.facts[receipt.trace.id] = Fact(text, begin, end)

    def _chosen(self, number: int, *states: Trust) -> str | None:
        """An id to change; a change of one in another state is tried, and must be refused."""
        if not self.model.facts:
            return None
        of = list(self.model.facts)[number % len(self.model.facts)]
        if self.model.facts[of].trust in states:
            return of
        with pytest.raises(NotFound):
            _ = (
                self.who.forget(of)
                if Trust.BELIEVED in states
                else self.who.restore(of, reason="r")
            )
        return None

    def correct(self, number: int, word: str) -> None:
        of, text = self._chosen(number, Trust.BELIEVED), f"the {word} is here"
        if of is None:
            return
        old, rejected = self.model.facts[of].text, self.model.rejected
        receipt = self.who.correct(of, text, reason="r")
        if old != text and rejected.get(text, of) != of:
            # Only what this very trace was corrected away from can it go back to.
            assert receipt.reason == "rejected"
            return
        assert receipt.status is Status.CORRECTED
        if old != text:
            rejected.pop(text, None)
            rejected.setdefault(old, of)
        self.model.facts[of] = replace(self.model.facts[of], text=text)

    def redate(self, number: int, days: int) -> None:
        of = self._chosen(number, Trust.BELIEVED)
        if of is not None:
            start = self.clock.now + timedelta(days=days)
            self.who.correct(of, reason="r", valid_from=start, valid_to=None)
            self.model.facts[of] = replace(self.model.facts[of], start=start, end=None)

    def forget(self, number: int, reason: str | None) -> None:
        of = self._chosen(number, Trust.BELIEVED)
        if of is not None:
            self.who.forget(of, reason=reason)
            fact = self.model.facts[of]
            if reason == "wrong":
                self.model.reject(fact.text)
            else:
                self.model.facts[of] = replace(fact, trust=Trust.FORGOTTEN)

    def restore(self, number: int) -> None:
        of = self._chosen(number, Trust.FORGOTTEN, Trust.REJECTED)
        if of is None:
            return
        fact = self.model.facts[of]
        if fact.trust is Trust.REJECTED:
            with pytest.raises(NotAllowed):
                self.who.restore(of, reason="r")
            self.eva.lift(of, reason="r")
            self.model.rejected.pop(fact.text, None)
        elif self.who.restore(of, reason="r").status is Status.REFUSED:
            assert fact.text in self.model.rejected
            return
        else:
            assert fact.text not in self.model.rejected
        self.model.facts[of] = replace(fact, trust=Trust.BELIEVED)


def read(who: BoundMemory, as_of: datetime, known_at: datetime | None) -> dict[str, str]:
    """Id and text of what is shown at two instants, by readers that must agree."""
    listed = {t.id: t.content for t in who.list(as_of=as_of, known_at=known_at)}
    hits = who.recall("what is here?", limit=50, as_of=as_of, known_at=known_at, touch=False)
    assert {hit.trace.id: hit.trace.content for hit in hits} == listed
    assert who.count(as_of=as_of, known_at=known_at) == len(listed)
    assert who.stats(as_of=as_of, known_at=known_at).traces == len(listed)
    for of, text in listed.items():
        assert who.show(of, as_of=as_of, known_at=known_at).content == text
    return listed


def _play(
    who: BoundMemory, eva: Reviewer, clock: FixedClock, steps: list[tuple[object, ...]]
) -> None:
    pair, seen = Pair(who, eva, clock), []
    for step in steps:
        pair.step(*step)  # type: ignore[arg-type]
        expected = [pair.model.seen(clock.now + timedelta(days=days)) for days in (0, -2, 2)]
        assert read(who, clock.now, None) == expected[0]
        seen.append((clock.now, expected))
        clock.advance(hours=7)
    for moment, expected in seen:
        for days, then in zip((0, -2, 2), expected, strict=True):
            assert read(who, moment + timedelta(days=days), moment) == then
    # Without as_of, what was true is asked of the instant that was known.
    for moment, expected in seen:
        assert {t.id: t.content for t in who.list(known_at=moment)} == expected[0]


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
@given(st.lists(STEPS, min_size=3, max_size=12))
def test_the_past_reads_as_it_was(steps: list[tuple[object, ...]]) -> None:
    clock, numbers = FixedClock(START), itertools.count(1)
    with (
        tempfile.TemporaryDirectory() as folder,
        Memory.open(
            Path(folder) / "brain.db",
            settings=Settings(),
            embedder=WordVectors(dimension=8),
            clock=clock,
            ids=lambda: f"mt_{next(numbers):03}",
        ) as memory,
    ):
        _play(memory.bind(user="ana"), memory.reviewer("eva"), clock, steps)
        assert memory.health(thorough=True).ok
