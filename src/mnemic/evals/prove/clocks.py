"""The two clocks: when a thing was true in the world, and when the brain held it.

Both are asked of every reader, each by itself and both together. `as_of` moves in the world,
`known_at` in the brain's own past.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import pairwise
from typing import Any

from mnemic import BoundMemory, Trace
from mnemic.errors import NotFound
from mnemic.evals.prove.case import Cases, Kind, Mark
from mnemic.evals.prove.world import World, said

OLD = "The office of Acme is in Lisbon"
NEW = "The office of Acme is in Porto"
QUESTION = "where is the office of Acme?"
HOME = "I live in Lisbon."
_DAY = {"days": 1}

cases = Cases()
_B = Mark.BITEMPORAL


def _shown(who: BoundMemory, trace: Trace, **at: Any) -> set[str]:
    try:
        return {who.show(trace.id, **at).content}
    except NotFound:
        return set()


Given = Callable[..., set[Any]]

READERS: dict[str, Given] = {
    "recall": lambda who, _, **at: {hit.trace.id for hit in who.recall(QUESTION, limit=50, **at)},
    "context": lambda who, _, **at: set(who.context(f"{QUESTION} {HOME}", **at).ids),
    "list": lambda who, _, **at: said(who, **at),
    "count": lambda who, _, **at: {str(n) for n in range(who.count(**at))},
    "stats": lambda who, _, **at: {str(n) for n in range(who.stats(**at).traces)},
    "show": _shown,
    "facts": lambda who, _, **at: {fact.value for fact in who.facts(**at)},
}
"""What each reader gives of a trace, as a set that is empty where it gives nothing."""


@dataclass(frozen=True, slots=True)
class Ended:
    """Something that was true from `start` until `end`, and is told about only at `told`."""

    who: BoundMemory
    trace: Trace
    start: datetime
    inside: datetime
    end: datetime
    told: datetime


def _ended(world: World, who: str = "ana") -> Ended:
    bound = world.bind(who)
    start = world.clock.now
    inside, end = world.clock.advance(**_DAY), world.clock.advance(**_DAY)
    told = world.clock.advance(**_DAY)
    trace = world.trace(bound.remember(HOME, type="semantic", valid_from=start, valid_to=end))
    world.clock.advance(**_DAY)
    return Ended(bound, trace, start, inside, end, told)


def _as_of(read: Given, world: World) -> None:
    it = _ended(world)
    world.control(read(it.who, it.trace, as_of=it.inside), "it is given as of when it was true")
    world.control(read(it.who, it.trace, as_of=it.start), "its first instant belongs to it")
    before = it.start.replace(year=it.start.year - 1)
    world.never(read(it.who, it.trace, as_of=before), "it is given as of before it was true")
    world.never(read(it.who, it.trace, as_of=it.end), "it is given as of its end")
    world.never(read(it.who, it.trace, as_of=it.told), "it is given as of after its end")


def _known_at(read: Given, world: World) -> None:
    it = _ended(world)
    both = {"as_of": it.inside, "known_at": it.told}
    world.control(read(it.who, it.trace, **both), "it is given as held once it was told")
    early = it.told.replace(microsecond=0) - (it.told - it.end)
    world.never(read(it.who, it.trace, as_of=it.inside, known_at=early), "before it was told")
    world.never(read(it.who, it.trace, as_of=it.inside, known_at=it.start), "long before")


for _name, _read in READERS.items():
    cases.add(
        f"clock.as_of_{_name}",
        _B,
        Kind.NEGATIVE,
        f"What was not true at an instant is not given as of it by {_name}.",
        partial(_as_of, _read),
    )
    cases.add(
        f"clock.known_at_{_name}",
        _B,
        Kind.NEGATIVE,
        f"What was not known yet is not given as of before it was by {_name}.",
        partial(_known_at, _read),
    )


@cases.negative("clock.present_by_default", _B, "Without a clock, readers give the present only.")
def present(world: World) -> None:
    """What has ended is not given as true by anybody who does not ask for the past."""
    it = _ended(world)
    for name, read in READERS.items():
        if name == "show":
            continue  # by its id a trace is shown whenever it is true
        world.control(read(it.who, it.trace, as_of=it.inside), f"{name} gives it as of then")
        world.never(read(it.who, it.trace), f"{name} gives it at present")


@cases.negative("clock.future", _B, "What begins to be true only later is not given before.")
def future(world: World) -> None:
    """A plan is no fact yet."""
    ana = world.bind()
    begins = world.clock.now.replace(year=world.clock.now.year + 1)
    world.trace(ana.remember(NEW, type="semantic", valid_from=begins))
    world.control(said(ana, as_of=begins) == {NEW}, "it is given as of its beginning")
    world.never(said(ana), "it is given before it begins")
    world.never(ana.recall(QUESTION, limit=50), "it is recalled before it begins")


@cases.negative("clock.corrected_words", _B, "Each clock gives the words of its own time.")
def corrected(world: World) -> None:
    """The past holds what was said then, the present what is right."""
    ana = world.bind()
    trace = world.told(ana, OLD)
    before = world.clock.now
    world.clock.advance(**_DAY)
    ana.correct(trace.id, NEW, reason="they moved long ago")
    world.control(said(ana) == {NEW}, "the present has the new words")
    world.never(OLD in said(ana), "the present has the old words too")
    then = {hit.trace.content for hit in ana.recall(QUESTION, known_at=before)}
    world.control(then == {OLD}, "what was held then has the old words")
    world.never(NEW in said(ana, known_at=before), "the past has the new words")
    world.never(NEW in str(ana.context(QUESTION, known_at=before)), "a packet of the past has them")


@cases.negative(
    "clock.corrected_dates", _B, "A corrected date is a version; each clock has its own."
)
def redated(world: World) -> None:
    """An error about when is put right without a word being changed."""
    ana = world.bind()
    start, early = world.clock.now, world.clock.now.replace(year=world.clock.now.year - 2)
    trace = world.told(ana, OLD, type="semantic", valid_from=start)
    known = world.clock.now
    world.clock.advance(**_DAY)
    ana.correct(trace.id, reason="since two years already", valid_from=early)
    between = early.replace(year=early.year + 1)
    world.control(said(ana, as_of=between) == {OLD}, "the new date is read")
    world.never(said(ana, as_of=between, known_at=known), "the old belief has the new date")
    world.control(
        said(ana, as_of=start, known_at=known) == {OLD}, "the old belief has the old date"
    )
    versions = ana.history(trace.id).versions
    world.never(len(versions) != 2 and versions, "the correction is no version of its own")
    world.never(
        versions[0].valid_from == versions[1].valid_from, "the first version was overwritten"
    )


@cases.negative(
    "clock.forgotten", _B, "What was forgotten is in the past it was held in, and no later."
)
def forgotten(world: World) -> None:
    """Forgetting is a version; taking it out of the past is erasing."""
    ana = world.bind()
    trace = world.told(ana, OLD)
    before = world.clock.now
    after = world.clock.advance(**_DAY)
    ana.forget(trace.id)
    world.clock.advance(**_DAY)
    world.control(said(ana, known_at=before) == {OLD}, "the past has it")
    world.never(said(ana, known_at=after), "it is given as held at the instant it was forgotten")
    world.never(said(ana), "the present has it")


@cases.negative("clock.erased", _B, "What was erased is in no past either.")
def erased(world: World) -> None:
    """Whatever the clocks are set to."""
    ana = world.bind()
    trace = world.told(ana, OLD)
    before = world.clock.now
    world.clock.advance(**_DAY)
    world.control(said(ana, known_at=before) == {OLD}, "the past had it")
    ana.erase(trace.id)
    pasts: list[dict[str, Any]] = [{"known_at": before}, {"as_of": before}]
    for at in (*pasts, pasts[0] | pasts[1]):
        world.never(said(ana, **at), f"{at} has it")
        world.never(ana.recall(QUESTION, limit=50, **at), f"recall at {at} gives it")


@cases.negative("clock.late_fact", _B, "A fact told late is filed before what replaced it.")
def late(world: World) -> None:
    """Filing order is not the order of the world."""
    ana = world.bind()
    year = world.clock.now.year
    new, old = f"{year}-03-01", f"{year - 3}-03-01"
    world.told(ana, "I live in Porto.", type="semantic", valid_from=new)
    world.clock.advance(**_DAY)
    late = world.trace(ana.remember(HOME, type="semantic", valid_from=old))
    world.control(
        {f.value for f in ana.facts(attribute="lives_in", as_of=f"{year - 1}-01-01")} == {"Lisbon"},
        "the late fact is true of its own time",
    )
    now = {fact.value for fact in ana.facts(attribute="lives_in")}
    world.never(now != {"Porto"} and now, "the late fact took the place of a newer one")
    world.never(HOME in said(ana), "the late statement is given as true at present")
    world.never(late.valid_to is None, "the late statement has no end")


@cases.negative("clock.both", _B, "Both clocks together give what was held of that time.")
def both(world: World) -> None:
    """Three instants of the world, three of the brain: nine answers, each its own."""
    ana = world.bind()
    year = world.clock.now.year
    at = [f"{year - n}-07-01" for n in (5, 3, 1)]
    known = []
    trace = world.trace(ana.remember(OLD, type="semantic", valid_from=f"{year - 4}-01-01"))
    known.append(world.clock.now)
    world.clock.advance(**_DAY)
    ana.correct(trace.id, reason="it closed", valid_to=f"{year - 2}-01-01")
    known.append(world.clock.now)
    world.clock.advance(**_DAY)
    ana.correct(trace.id, reason="it opened earlier", valid_from=f"{year - 6}-01-01")
    known.append(world.clock.now)
    world.control(said(ana, as_of=at[1]) == {OLD}, "it is held, and true of a time gone by")
    wanted = [[False, True, True], [False, True, False], [True, True, False]]
    for held, row in zip(known, wanted, strict=True):
        for as_of, true in zip(at, row, strict=True):
            given = OLD in said(ana, as_of=as_of, known_at=held)
            world.never(given is not true, f"as of {as_of}, held at {held}, it is {given}")


@cases.obligation("clock.backdated", _B, "A fact whose validity precedes its own row can be told.")
def backdated(world: World) -> None:
    """The test by which reviewers tell two clocks from one."""
    ana = world.bind()
    trace = world.trace(ana.remember(OLD, type="semantic", valid_from="1999-01-01"))
    valid_from = world.need(trace.valid_from, "it has no start")
    world.must(valid_from.year == 1999 and trace.recorded_at == world.clock.now, "one clock only")
    world.must(said(ana, as_of="2001-01-01") == {OLD}, "it is not given as of then")
    world.must(not said(ana, as_of="1998-01-01"), "it is given as of before")


@cases.obligation("clock.open_end", _B, "An open end is true for as long as is known.")
def open_end(world: World) -> None:
    """None is no date: it is neither now nor never."""
    ana = world.bind()
    world.trace(ana.remember(OLD, type="semantic", valid_from="1999-01-01"))
    for at in ("1999-01-01", "2026-01-01", "2100-01-01"):
        world.must(said(ana, as_of=at) == {OLD}, f"it is not given as of {at}")


@cases.obligation("clock.versions_meet", _B, "Versions of a trace have no gap and no overlap.")
def versions_meet(world: World) -> None:
    """At every instant of the brain's past there is one version."""
    ana = world.bind()
    trace = world.trace(ana.remember(OLD))
    for number in range(4):
        world.clock.advance(**_DAY)
        ana.correct(trace.id, f"{NEW}, floor {number}", reason="x")
    ana.forget(trace.id)
    ana.restore(trace.id, reason="x")
    versions = ana.history(trace.id).versions
    world.must(len(versions) == 7, f"there are {len(versions)} versions")
    for one, two in pairwise(versions):
        world.must(
            one.retired_at == two.recorded_at, f"version {one.version} does not meet the next"
        )
    world.must(versions[-1].retired_at is None, "the last version has ended")


@cases.obligation(
    "clock.restored", _B, "What was forgotten and restored is held except in between."
)
def restored(world: World) -> None:
    """The brain's past keeps the gap."""
    ana = world.bind()
    trace = world.trace(ana.remember(OLD))
    times = [world.clock.now]
    for change in (ana.forget, partial(ana.restore, reason="needed")):
        world.clock.advance(**_DAY)
        change(trace.id)
        times.append(world.clock.now)
    held = [bool(said(ana, known_at=at, as_of=times[-1])) for at in times]
    world.must(held == [True, False, True], f"it reads {held}")
