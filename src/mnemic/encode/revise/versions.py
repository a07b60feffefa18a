"""A change of a trace is a new version of it; the one before ends, and stays."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, insert, update

from mnemic.index.write import Partition
from mnemic.model.scope import Scope
from mnemic.model.trust import SEARCHED, Trust
from mnemic.store.brain import Brain
from mnemic.store.schema import trace_versions
from mnemic.store.types import AnyRow

_v = trace_versions.c
_KEPT = (
    "content content_version digest tags entities metadata valid_from valid_to trust channel "
    "origin verified_at"
).split()


def append_version(
    connection: Connection,
    brain: Brain,
    row: AnyRow,
    now: int,
    cause: str,
    reason: str | None,
    changes: dict[str, Any],
) -> dict[str, Any]:
    """End the present version `row` and append the next; returns it.

    `row` has all columns of a version that carry over.
    """
    key = (_v.brain_id == brain.id) & (_v.trace_id == row.id)
    connection.execute(
        update(trace_versions).where(key, _v.version == row.version).values(retired_at=now)
    )
    version = {
        "brain_id": brain.id,
        "trace_id": row.id,
        "version": row.version + 1,
        **{name: getattr(row, name) for name in _KEPT},
        "recorded_at": now,
        "retired_at": None,
        "cause": cause,
        "reason": reason,
        **changes,
    }
    connection.execute(insert(trace_versions).values(version))
    return version


def reindex(connection: Connection, brain: Brain, row: AnyRow, after: Trust, now: int) -> None:
    """Let the index find a trace, or no longer, as its new state asks."""
    was, shall = Trust(row.trust) in SEARCHED, after in SEARCHED
    if was is shall:
        return
    partition = Partition(connection, brain.id, Scope(row.scope), row.scope_id)
    if shall:
        partition.reinstate(row.id, row.content_version)
    else:
        partition.retire(row.id, now)
    partition.save(brain.settings.index.segment_passages)
