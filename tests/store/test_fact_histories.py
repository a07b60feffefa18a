"""What holds when, said by persons and agents in any order, is what a plain list of spans says.

The colour of a thing is one at a time. Who says later that it is another one ends the older span;
who says so late of an earlier day is ended by what is known already; an agent ends nothing that a
person has said. Nothing of it changes what was known before, and erasing takes a span out of every
instant.
"""

from __future__ import annotations

import itertools
import random
import tempfile
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from mnemic import BoundMemory, Memory, Settings, Trust
from mnemic.model.fact import Fact
from tests.conftest import START, FixedClock, WordVectors
from tests.store.hurried import hurry

THINGS, COLOURS = ("boat", "shed"), ("red", "blue", "green")
RANKS = {"sdk": 1, "agent": 2}
SOURCES = {"sdk": "user_statement", "agent": "agent_inference"}
AS_OF = (0, -3, 2)

Step = tuple[Any, ...]
Held = tuple[str, str, str]
"""A thing, its colour, and the trace that says so."""


@dataclass
class Span:
    """What one trace says: that a thing has a colour, from one instant until another."""

    id: str
    thing: str
    colour: str
    start: datetime
    end: datetime | None
    rank: int
    trust: Trust = Trust.BELIEVED

    def at(self, moment: datetime) -> bool:
        return self.start <= moment and (self.end is None or moment < self.end)

    def meets(self, start: datetime) -> bool:
        """Whether it has an instant in common with what is true from `start` on."""
        return self.end is None or self.end > start

    def again(self, start: datetime, rank: int) -> bool:
        """Whether it is the same memory as what is said once more."""
        ended = self.end is not None and self.end <= start != self.start
        return self.trust in (Trust.BELIEVED, Trust.DISPUTED) and self.rank <= rank and not ended


class Spans:
    """All that a brain holds of the colours of things."""

    def __init__(self) -> None:
        self.known: list[Span] = []
        self.gone: set[tuple[str, str]] = set()
        self.asked = 0

    def holds(self, moment: datetime) -> set[Held]:
        return {
            (span.thing, span.colour, span.id)
            for span in self.known
            if span.trust is Trust.BELIEVED and span.at(moment)
        }

    def say(self, number: int, thing: str, colour: str, start: datetime, rank: int) -> str:
        """What comes of saying it; `number` is the next trace's."""
        if (thing, colour) in self.gone:
            return "refused"
        same = [span for span in self.known if (span.thing, span.colour) == (thing, colour)]
        for span in same:
            if span.again(start, rank):
                return "reinforced" if span.trust is Trust.BELIEVED else "candidate"
        if any(span.trust is Trust.FORGOTTEN and span.rank <= rank for span in same):
            return "refused"
        others = [
            span
            for span in self.known
            if span.thing == thing and span.colour != colour
            if span.trust is Trust.BELIEVED and span.meets(start)
        ]
        later = [span.start for span in others if span.start > start and span.rank >= rank]
        new = Span(f"mt_{number:03}", thing, colour, start, min(later, default=None), rank)
        self.known.append(new)
        if any(span.rank < rank for span in others):
            new.trust = Trust.DISPUTED
            return "candidate"
        for span in others:
            if span.start < start:
                span.end = start
        return "stored"


def history(seed: int) -> list[Step]:
    draw = random.Random(seed)
    steps: list[Step] = []
    for _ in range(draw.randint(6, 14)):
        kind = draw.randint(1, 10)
        if kind <= 8:
            said = (draw.choice(THINGS), draw.choice(COLOURS), draw.randint(-8, 0))
            steps.append(("say", *said, draw.choice(["sdk", "sdk", "agent"])))
        else:
            steps.append(("erase" if kind == 9 else "forget", draw.randint(0, 9)))
    return steps


def held(who: BoundMemory, as_of: datetime, known_at: datetime | None) -> set[Held]:
    """What is held, by the reader of facts; the readers of traces agree."""
    clocks: dict[str, Any] = {"as_of": as_of, "known_at": known_at}
    facts = {(fact.subject, fact.value, fact.trace_id) for fact in who.facts(**clocks)}
    texts = {of: f"the {thing} looks {colour}" for thing, colour, of in facts}
    assert {trace.id: trace.content for trace in who.list(limit=500, **clocks)} == texts
    if as_of == known_at or known_at is None:
        hits = who.recall("how does it look?", limit=500, touch=False, **clocks)
        assert {hit.trace.id for hit in hits} == texts.keys()
    return facts


class Pair:
    """A brain and the spans, changed alike."""

    def __init__(self, memory: Memory, clock: FixedClock) -> None:
        self.memory, self.clock, self.model = memory, clock, Spans()
        self.erased: set[str] = set()
        self.next = 1

    def step(self, name: str, *given: Any) -> None:
        event(name)
        getattr(self, name)(*given)

    def say(self, thing: str, colour: str, days: int, channel: str) -> None:
        start = self.clock.now.replace(minute=0) + timedelta(days=days)
        expected = self.model.say(self.next, thing, colour, start, RANKS[channel])
        receipt = self.memory.bind(user="ana", channel=channel).remember(
            f"the {thing} looks {colour}",
            type="semantic",
            valid_from=start,
            source=SOURCES[channel],
            facts=[Fact(thing, "colour", colour, many=False)],
        )
        event(expected)
        assert receipt.status.value == expected
        self.next = len(self.model.known) + len(self.erased) + 1

    def _chosen(self, number: int) -> Span | None:
        believed = [span for span in self.model.known if span.trust is Trust.BELIEVED]
        return believed[number % len(believed)] if believed else None

    def forget(self, number: int) -> None:
        if (span := self._chosen(number)) is not None:
            self.memory.bind(user="ana").forget(span.id)
            span.trust = Trust.FORGOTTEN

    def erase(self, number: int) -> None:
        if (span := self._chosen(number)) is not None:
            assert self.memory.erase(trace=span.id).erased == (span.id,)
            self.model.known.remove(span)
            self.model.gone.add((span.thing, span.colour))
            self.erased.add(span.id)


def play(pair: Pair, steps: list[Step]) -> None:
    who, seen = pair.memory.bind(user="ana"), []
    for step in steps:
        pair.step(*step)
        now = pair.clock.now
        moments = [now + timedelta(days=days) for days in AS_OF]
        for moment in moments:
            assert held(who, moment, None) == pair.model.holds(moment)
        seen.append((now, [(moment, pair.model.holds(moment)) for moment in moments]))
        pair.clock.advance(hours=7)
    for known_at, reads in seen:
        for moment, then in reads:
            kept = {one for one in then if one[2] not in pair.erased}
            assert held(who, moment, known_at) == kept
    assert pair.memory.health(thorough=True).problems == ()


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(st.integers(0, 1 << 32).map(history))
def test_facts_are_what_a_plain_list_of_spans_says(
    monkeypatch: pytest.MonkeyPatch, steps: list[Step]
) -> None:
    numbers, clock = itertools.count(1), FixedClock(START)
    with monkeypatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        hurry(patch)
        with Memory.open(
            Path(folder) / "brain.db",
            settings=Settings(index={"segment_passages": 4}),
            embedder=WordVectors(dimension=8),
            clock=clock,
            ids=lambda: f"mt_{next(numbers):03}",
        ) as memory:
            play(Pair(memory, clock), steps)
