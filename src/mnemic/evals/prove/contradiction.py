"""Five shapes of contradiction, each looked at in five ways; and the two portable tests of them.

A shape is told once: a first statement, ten days, a second one, a day. `current` asks readers for
the present, `as_of` for the world as it was before the second, `known_at` for what was held then,
`history` for how it went on, `facts` for the values in comparable form.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from mnemic import BoundMemory
from mnemic.evals.prove.backend import StemVectors
from mnemic.evals.prove.case import Cases, Kind, Mark
from mnemic.evals.prove.world import World, said

cases = Cases()


@dataclass(frozen=True, slots=True)
class Shape:
    """Two statements and what becomes of them.

    Args:
        first, second: what is said.
        values: the facts of the present: value, and whether it is denied.
        before: the facts of the time before the second statement.
        ends: the first one is no longer true.
        asks: a person has to approve the second.
        past: where the second speaks of a time long ago: when, and its value.
    """

    first: str
    second: str
    values: frozenset[tuple[str, bool]]
    before: frozenset[tuple[str, bool]]
    ends: bool = True
    asks: bool = False
    past: tuple[str, str] | None = None


def _set(*values: tuple[str, bool]) -> frozenset[tuple[str, bool]]:
    return frozenset(values)


SHAPES = {
    "replacement": Shape(
        "I live in Lisbon.", "I live in Porto.", _set(("Porto", False)), _set(("Lisbon", False))
    ),
    "polarity": Shape(
        "I like coffee.",
        "I do not like coffee.",
        _set(("coffee", True)),
        _set(("coffee", False)),
    ),
    "retraction": Shape(
        "I work at Acme.", "I no longer work at Acme.", _set(), _set(("Acme", False))
    ),
    "partial": Shape(
        "I eat meat.",
        "I only eat meat on Sundays.",
        _set(("meat", False)),
        _set(("meat", False)),
        asks=True,
    ),
    "bounded": Shape(
        "I live in Lisbon.",
        "I lived in Madrid until 2019.",
        _set(("Lisbon", False)),
        _set(("Lisbon", False)),
        ends=False,
        past=("2018-01-01", "Madrid"),
    ),
}


@dataclass(frozen=True, slots=True)
class Told:
    """A shape after it was told."""

    bound: BoundMemory
    first_id: str
    second_id: str
    before: datetime
    said_before: set[str]
    asked: bool


def _tell(world: World, name: str, shape: Shape) -> Told:
    bound = world.memory.bind(user=f"teller of {name}")
    first = world.trace(bound.remember(shape.first, type="semantic"))
    before = world.clock.now
    said_before = said(bound)
    world.clock.advance(days=10)
    second = world.trace(bound.remember(shape.second, type="semantic"))
    reviewer = world.reviewer(bound)
    asked = reviewer.queue()
    for item in asked:
        reviewer.approve(item.id, reason="it is so")
    world.clock.advance(days=1)
    return Told(bound, first.id, second.id, before, said_before, bool(asked))


def _current(shape: Shape, told: Told, world: World) -> None:
    now = said(told.bound)
    world.control(shape.first in told.said_before, "the first statement was given before")
    world.control(shape.second in now, "the second statement is given now")
    if shape.ends:
        world.never(shape.first in now, "the first statement is given as true at present")
    else:
        world.control(shape.first in now, "what still holds is given")
        world.never(told.asked, "a person is asked about two things that both hold")


def _as_of(shape: Shape, told: Told, world: World) -> None:
    then = said(told.bound, as_of=told.before)
    world.must(shape.first in then, "what was true before is not given as of then")
    world.must(shape.second not in then, "what was not true yet is given as of then")
    if shape.past is not None:
        when, value = shape.past
        facts = {fact.value for fact in told.bound.facts(as_of=when)}
        world.must(facts == {value}, f"as of {when} the facts are {facts}")


def _known_at(shape: Shape, told: Told, world: World) -> None:
    held = said(told.bound, known_at=told.before)
    world.must(held == {shape.first}, f"what was held before reads {held}")
    facts = _facts(told.bound, known_at=told.before)
    world.must(facts == shape.before, f"the facts that were held read {facts}")


def _history(shape: Shape, told: Told, world: World) -> None:
    versions = told.bound.history(told.first_id).versions
    world.must(versions[0].content == shape.first, "the first version does not say what it said")
    world.must(versions[0].valid_to is None, "the past of the trace was overwritten")
    ended = versions[-1].valid_to is not None
    world.must(ended is shape.ends, "the end of the first statement is not in its history")
    audit = [entry.action for entry in told.bound.history(told.first_id).audit]
    world.must(("close" in audit) is (shape.ends and not shape.asks) or shape.asks, f"{audit}")


def _facts_now(shape: Shape, told: Told, world: World) -> None:
    before = _facts(told.bound, as_of=told.before)
    world.control(before == shape.before, f"the facts before were {before}")
    facts = _facts(told.bound)
    world.never(facts - shape.values, "values that no longer hold are given")
    world.never(shape.values - facts, "values that hold are not given")
    rows = told.bound.facts()
    world.never(len(rows) != len(shape.values) and rows, "one value stands twice")


def _facts(bound: BoundMemory, **clocks: Any) -> frozenset[tuple[str, bool]]:
    return frozenset((one.value, one.negated) for one in bound.facts(**clocks))


SCORES = {
    "current": (Kind.NEGATIVE, _current, "what ended is not given as true at present"),
    "as_of": (Kind.OBLIGATION, _as_of, "the world before is given as of then"),
    "known_at": (Kind.OBLIGATION, _known_at, "what was held before is given as held then"),
    "history": (Kind.OBLIGATION, _history, "its history shows what was said, and its end"),
    "facts": (Kind.NEGATIVE, _facts_now, "no value that ended is among the facts"),
}


def _scored(name: str, score: str, world: World) -> None:
    shape = SHAPES[name]
    told = world.story(f"contradiction {name}", partial(_tell, world, name, shape))
    SCORES[score][1](shape, told, world)


for _name, _shape in SHAPES.items():
    for _score, (_kind, _, _says) in SCORES.items():
        cases.add(
            f"contradiction.{_name}.{_score}",
            Mark.BITEMPORAL,
            _kind,
            f"{_shape.first} {_shape.second} {_says.capitalize()}.",
            partial(_scored, _name, _score),
        )


@cases.negative(
    "correction.survives_reindex",
    Mark.BITEMPORAL,
    "After a restart and new vectors, all five shapes read as they did.",
)
def survives(world: World) -> None:
    """What ended does not come back with a rebuilt index."""
    place = world.backend.place()
    memory = world.own(place, embedder=StemVectors())
    for name, shape in SHAPES.items():
        bound = memory.bind(user=name)
        bound.remember(shape.first, type="semantic")
        world.control(said(bound) == {shape.first}, f"{name}: the first statement is given")
        world.clock.advance(days=1)
        bound.remember(shape.second, type="semantic")
        reviewer = memory.reviewer("rita", bind=bound)
        for item in reviewer.queue():
            reviewer.approve(item.id, reason="it is so")
    world.clock.advance(days=1)
    before = {name: said(memory.bind(user=name)) for name in SHAPES}
    memory.reembed(StemVectors("other stems"))
    memory.close()
    again = world.own(place, embedder=StemVectors("other stems"))
    for name, shape in SHAPES.items():
        bound = again.bind(user=name)
        hits = {hit.trace.content for hit in bound.recall(shape.first, limit=20)}
        world.never(hits - before[name], f"{name}: something came back by recall")
        world.never(said(bound) - before[name], f"{name}: something came back by list")
        world.never(shape.ends and shape.first in hits, f"{name}: what ended is recalled")


@cases.negative(
    "correction.retraction_without_replacement",
    Mark.BITEMPORAL,
    "What is taken back without another value in its place is not given any more.",
)
def retraction(world: World) -> None:
    """Nothing takes its place, so nothing can outrank it: it has to be gone."""
    ana = world.bind()
    world.told(ana, "I work at Acme.", type="semantic")
    world.control(ana.facts(attribute="works_at"), "the fact was held")
    world.clock.advance(days=1)
    world.trace(ana.remember("I no longer work at Acme.", type="semantic"))
    world.never(ana.facts(attribute="works_at"), "the fact is still held")
    hits = {hit.trace.content for hit in ana.recall("where does she work? Acme?", limit=20)}
    world.never("I work at Acme." in hits, "the statement is still recalled")
