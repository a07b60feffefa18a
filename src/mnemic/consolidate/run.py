"""One consolidation: every step on every scope id, one run at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import select

from mnemic.cognition.rules import rules_of
from mnemic.consolidate import log
from mnemic.consolidate.bed import ACTOR, Bed, Place, Sleeper, Stopped
from mnemic.consolidate.lease import Lease, LeaseLost, take
from mnemic.consolidate.steps import (
    archive,
    compact,
    conflicts,
    derive,
    drift,
    gist,
    interfere,
    merge,
    regulate,
    reindex,
    reinforce,
    source_decay,
    strengthen,
)
from mnemic.encode.write import Progress
from mnemic.govern.audit import Chain, Note
from mnemic.govern.ledger import Mode, mode_of
from mnemic.mind_settings import Mind
from mnemic.model.consolidation import Consolidated, RunState, StepReport
from mnemic.model.errors import EmbedderError, InvalidInput
from mnemic.model.scope import Reach, Scope
from mnemic.model.times import from_ms, to_ms
from mnemic.store.persona import personality_in
from mnemic.store.schema import partitions

Stop = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class _Step:
    """A step: what it does to a place, and why it might not be run."""

    name: str
    run: Callable[[Bed, Place], None]
    off: Callable[[Mind], str | None]


def _switch(said: str, works: Callable[[Mind], bool]) -> Callable[[Mind], str | None]:
    return lambda mind: None if works(mind) else f"{said} is switched off"


def _always(_mind: Mind) -> str | None:
    return None


STEPS: tuple[_Step, ...] = (
    _Step(merge.NAME, merge.run, _always),
    _Step(conflicts.NAME, conflicts.run, _always),
    _Step(gist.NAME, gist.run, _switch("mind.gist", lambda m: m.works(m.gist))),
    _Step(
        strengthen.NAME, strengthen.run, _switch("mind.spreading", lambda m: m.works(m.spreading))
    ),
    _Step(
        derive.NAME,
        derive.run,
        _switch(
            "mind.schema_encoding and mind.consolidation.derive",
            lambda m: m.works(m.schema_encoding) or m.consolidation.derive,
        ),
    ),
    _Step(reinforce.NAME, reinforce.run, _switch("mind.decay", lambda m: m.works(m.decay))),
    _Step(interfere.NAME, interfere.run, _switch("mind.decay", lambda m: m.works(m.decay))),
    _Step(
        source_decay.NAME,
        source_decay.run,
        _switch("mind.source_decay", lambda m: m.works(m.source_decay)),
    ),
    _Step(regulate.NAME, regulate.run, _switch("mind.regulation", lambda m: m.works(m.regulation))),
    _Step(compact.NAME, compact.run, _always),
    _Step(drift.NAME, drift.run, _switch("mind.drift", lambda m: m.works(m.drift))),
    _Step(
        archive.NAME,
        archive.run,
        _switch(
            "mind.consolidation.archive or mind.decay",
            lambda m: m.consolidation.archive and m.works(m.decay),
        ),
    ),
)
"""In the order in which they run on each scope id.

What says things otherwise comes first, so that what is derived rests on what stands; what is
archived is so after all else.
"""

NAMES = (*(step.name for step in STEPS), reindex.NAME)


def consolidate(
    sleeper: Sleeper,
    *,
    steps: Sequence[str] | None = None,
    reach: Reach | None = None,
    dry_run: bool = False,
    stop: Stop = lambda: False,
    progress: Progress | None = None,
) -> Consolidated:
    """Consolidate a brain, or the scope ids of a reach; see `Memory.consolidate`."""
    wanted = _wanted(steps)
    writer = sleeper.writer
    brain, now = writer.brain, to_ms(writer.clock())
    if not brain.settings.mind.enabled:
        return _nothing(now, dry_run, "nothing was done: mind.enabled is switched off")
    lease: Lease | None = None
    if dry_run:
        with brain.read() as connection:
            run = log.next_run(connection, brain)
    else:
        with brain.write() as connection:
            lease = take(connection, brain, writer.ids(), now)
            if lease is None:
                return _nothing(now, dry_run, "nothing was done: another consolidation is running")
            run = log.next_run(connection, brain)
            log.open_run(connection, brain, run, now, ACTOR)
    rules = rules_of(brain.settings.mind)
    bed = Bed(sleeper, rules, now, run, dry_run, lease, stop, progress)
    state = RunState.INTERRUPTED
    try:
        reports = _all(bed, wanted, reach)
        state = RunState.DONE
    except (Stopped, LeaseLost):
        reports = _reports(bed, wanted, {})
    finally:
        if lease is not None:
            _close(bed, lease, state)
    return Consolidated(
        run=None if dry_run else run,
        state=state,
        dry_run=dry_run,
        started_at=from_ms(now),
        ended_at=writer.clock(),
        steps=tuple(reports),
        changes=tuple(bed.changed),
    )


def _wanted(steps: Sequence[str] | None) -> frozenset[str]:
    if steps is None:
        return frozenset(NAMES)
    unknown = [one for one in steps if one not in NAMES]
    if unknown:
        raise InvalidInput(f"step {unknown[0]!r} is unknown; use some of: {', '.join(NAMES)}")
    return frozenset(steps)


def _nothing(now: int, dry_run: bool, note: str) -> Consolidated:
    return Consolidated(None, RunState.DONE, dry_run, from_ms(now), from_ms(now), (), (), note)


def _all(bed: Bed, wanted: frozenset[str], reach: Reach | None) -> list[StepReport]:
    skipped = {step.name: step.off(bed.mind) for step in STEPS}
    several = [
        place
        for place in _places(bed)
        if (reach is None or (place.scope, place.scope_id) in reach) and not _is_frozen(bed, place)
    ]
    base = bed.rules.personality
    for done, place in enumerate(several):
        with bed.brain.read() as connection:
            pair = (place.scope.value, place.scope_id)
            who = personality_in(connection, bed.brain.id, pair, base)
        bed.rules = rules_of(bed.mind, who)
        for step in STEPS:
            if step.name in wanted and skipped[step.name] is None:
                if bed.progress is not None:
                    bed.progress(done, len(several), step.name)
                step.run(bed, place)
    bed.rules = rules_of(bed.mind)
    if bed.progress is not None:
        bed.progress(len(several), len(several), reindex.NAME)
    if reindex.NAME in wanted:
        skipped[reindex.NAME] = _reindexed(bed)
    return _reports(bed, wanted, skipped)


def _is_frozen(bed: Bed, place: Place) -> bool:
    """Whether nothing may be written there."""
    with bed.brain.read() as connection:
        return mode_of(connection, bed.brain, place.reach) is Mode.FROZEN


def _reindexed(bed: Bed) -> str | None:
    """Make what vectors are missing; why that could not be done."""
    try:
        return reindex.run(bed)
    except EmbedderError as error:
        return str(error)


def _reports(bed: Bed, wanted: Iterable[str], skipped: dict[str, str | None]) -> list[StepReport]:
    return [
        StepReport(
            name,
            bed.counts.get(name, 0),
            skipped.get(name) if name in wanted else "it was not asked for",
        )
        for name in NAMES
    ]


def _places(bed: Bed) -> list[Place]:
    """Every scope id of the brain."""
    columns = partitions.c
    query = (
        select(columns.scope, columns.scope_id)
        .where(columns.brain_id == bed.brain.id)
        .order_by(columns.scope, columns.scope_id)
    )
    with bed.brain.read() as connection:
        return [Place(Scope(row.scope), row.scope_id) for row in connection.execute(query)]


def _close(bed: Bed, lease: Lease, state: RunState) -> None:
    brain, now = bed.brain, to_ms(bed.writer.clock())
    with brain.write() as connection:
        log.note_deeds(connection, brain, bed.run, bed.deeds)
        log.close_run(connection, brain, bed.run, state, now, bed.counts)
        lease.release(connection, brain)
        chain = Chain(connection, brain.id, now)
        detail = {"run": bed.run, **bed.counts}
        chain.append(Note(ACTOR, "consolidate", state.value, None, None, detail))
        chain.flush()
