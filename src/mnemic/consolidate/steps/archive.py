"""Sets aside what is weak, unemotional, unreferenced, and has not been used for long.

Nothing is erased and nothing becomes unfindable: what is archived stands behind the rest, and
comes back when it is recalled. By default what is a fact, or says one, is never archived.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import ColumnElement, Connection, select

from mnemic.cognition.decay import is_prunable
from mnemic.consolidate.bed import Bed, Place
from mnemic.model.trace import TraceType
from mnemic.store.engrams import Cause
from mnemic.store.mind_schema import prospective_items
from mnemic.store.schema import trace_facts, trace_links, trace_sources

NAME = "archive"

_DAY = 86_400_000
_EPISODIC = TraceType.EPISODIC.value


def run(bed: Bed, place: Place) -> None:
    """Archive what nobody has needed for long."""
    facts = bed.mind.consolidation.archive_facts
    unused_since = bed.now - bed.mind.consolidation.archive_days * _DAY
    for connection, sheet in bed.sheets(place):
        fading = [
            trace_id
            for trace_id, row in sheet.rows.items()
            if row.archived_at is None
            and (facts or row.type == _EPISODIC)
            and sheet.engram(trace_id).fresh_at <= unused_since
            and is_prunable(sheet.engram(trace_id), bed.now, bed.rules.pruning)
        ]
        kept = _referenced(connection, bed.brain.id, fading, facts=facts)
        for trace_id in fading:
            if trace_id not in kept:
                sheet.set(trace_id, Cause.ARCHIVED, archived_at=bed.now)
                bed.note(NAME, trace_id, "set aside: weak, and unused for long")


def _referenced(connection: Connection, brain_id: str, ids: list[str], *, facts: bool) -> set[str]:
    """Those that something rests on, is linked to or waits for, or that say a fact."""
    links, sources, items = trace_links.c, trace_sources.c, prospective_items.c
    said: list[tuple[ColumnElement[str], Iterable[ColumnElement[bool]]]] = [
        (links.from_id, (links.brain_id == brain_id, links.undone_at.is_(None))),
        (links.to_id, (links.brain_id == brain_id, links.undone_at.is_(None))),
        (sources.source, (sources.brain_id == brain_id, sources.kind == "trace")),
        (items.trace_id, (items.brain_id == brain_id, items.done_at.is_(None))),
    ]
    if not facts:
        held = trace_facts.c
        said.append((held.trace_id, (held.brain_id == brain_id, held.retired_at.is_(None))))
    found: set[str] = set()
    for column, conditions in said if ids else ():
        query = select(column).where(column.in_(ids), *conditions)
        found.update(connection.execute(query).scalars())
    return found
