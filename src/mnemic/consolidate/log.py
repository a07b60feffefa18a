"""The log of consolidations: one line a run, with what it takes to undo it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from mnemic.model.consolidation import Run, RunState
from mnemic.model.times import from_ms, maybe_from_ms
from mnemic.store.brain import Brain
from mnemic.store.mind_schema import consolidation_log
from mnemic.store.types import AnyRow

_c = consolidation_log.c


def next_run(connection: Connection, brain: Brain) -> int:
    """The number of the next run."""
    query = select(func.max(_c.id)).where(_c.brain_id == brain.id)
    return int(connection.execute(query).scalar() or 0) + 1


def open_run(connection: Connection, brain: Brain, run: int, now: int, actor: str) -> None:
    """A run begins; one that died before was interrupted."""
    running = (_c.brain_id == brain.id) & (_c.state == RunState.RUNNING.value)
    interrupted = {"state": RunState.INTERRUPTED.value, "ended_at": now}
    connection.execute(update(consolidation_log).where(running).values(interrupted))
    connection.execute(
        insert(consolidation_log).values(
            brain_id=brain.id,
            id=run,
            started_at=now,
            ended_at=None,
            state=RunState.RUNNING.value,
            actor=actor,
            counts="{}",
            deeds="[]",
        )
    )


def note_deeds(
    connection: Connection, brain: Brain, run: int, deeds: Sequence[Mapping[str, Any]]
) -> None:
    """Keep what a run has done so far, in case that it dies."""
    this = (_c.brain_id == brain.id) & (_c.id == run)
    connection.execute(update(consolidation_log).where(this).values(deeds=json.dumps(deeds)))


def close_run(
    connection: Connection,
    brain: Brain,
    run: int,
    state: RunState,
    now: int,
    counts: Mapping[str, int] | None = None,
) -> None:
    """A run ends."""
    this = (_c.brain_id == brain.id) & (_c.id == run)
    values: dict[str, Any] = {"state": state.value, "ended_at": now}
    if counts is not None:
        values["counts"] = json.dumps(counts)
    connection.execute(update(consolidation_log).where(this).values(values))


def run_row(connection: Connection, brain: Brain, run: int) -> AnyRow | None:
    """The line of a run."""
    query = select(consolidation_log).where(_c.brain_id == brain.id, _c.id == run)
    return connection.execute(query).first()


def runs(connection: Connection, brain: Brain, most: int) -> list[Run]:
    """The last runs, the newest first."""
    query = select(consolidation_log).where(_c.brain_id == brain.id)
    rows = connection.execute(query.order_by(_c.id.desc()).limit(most))
    return [
        Run(
            run=row.id,
            state=RunState(row.state),
            started_at=from_ms(row.started_at),
            ended_at=maybe_from_ms(row.ended_at),
            actor=row.actor,
            counts=json.loads(row.counts),
        )
        for row in rows
    ]
