"""What exports and restores read of a brain: whole tables, or the part that is asked for.

No reader is given any of it. An export of the owner's holds every scope and, where that is asked
for, what is withheld; one of a caller's holds the caller's reach (`Selection`).
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Table, and_, case, false, func, or_, select

from mnemic.model.trust import READABLE
from mnemic.store.carried import BORN, Selection
from mnemic.store.mind_schema import edges, mentions, nodes
from mnemic.store.schema import index_entries, partitions, trace_versions, traces
from mnemic.store.types import AnySelect
from mnemic.store.visible import TRACE_COLUMNS

_t, _v, _e = traces.c, trace_versions.c, index_entries.c

_JOINED = traces.join(trace_versions, and_(_v.brain_id == _t.brain_id, _v.trace_id == _t.id))


def carried(brain_id: str, table: Table, selection: Selection) -> AnySelect:
    """Select the rows of one table that an export of a brain's owner, or of a caller, holds."""
    columns = table.c
    query = select(table).where(columns.brain_id == brain_id)
    if selection.known_at is not None and table.name in BORN:
        query = query.where(columns[BORN[table.name]] <= selection.known_at)
    chosen = _chosen(brain_id, selection)
    if chosen is not None:
        names = ("id",) if table is traces else _OF_TRACES.get(table.name, ())
        for name in names:
            own = columns[name].in_(chosen)
            query = query.where(
                or_(columns[name].is_(None), own) if columns[name].nullable else own
            )
        mentioned = select(mentions.c.node_id).where(
            mentions.c.brain_id == brain_id, mentions.c.trace_id.in_(chosen)
        )
        if table is mentions and selection.known_at is not None:
            query = query.where(*_mentioned_then(brain_id, selection.known_at))
        for name in _OF_NODES.get(table.name, ()):
            query = query.where(columns[name].in_(mentioned))
        for name in ("from_id", "to_id") if table is edges else ():
            query = query.where(or_(columns[name].in_(chosen), columns[name].in_(mentioned)))
        if selection.reach is not None and table.name in _OF_OWNERS:
            query = query.where(false())
    return query.order_by(*table.primary_key.columns)


def _mentioned_then(brain_id: str, known_at: int) -> tuple[ColumnElement[bool], ...]:
    """Mentions are of present texts: of those that said something else then, none is known."""
    since = select(_v.trace_id).where(
        _v.brain_id == brain_id, _v.recorded_at > known_at, _v.content_version == _v.version
    )
    there = select(nodes.c.id).where(nodes.c.brain_id == brain_id, nodes.c.created_at <= known_at)
    return mentions.c.trace_id.not_in(since), mentions.c.node_id.in_(there)


_OF_TRACES = {
    "trace_versions": ("trace_id",),
    "trace_sources": ("trace_id",),
    "trace_facts": ("trace_id",),
    "trace_links": ("from_id", "to_id"),
    "review_items": ("trace_id", "other_id"),
    "ledger": ("trace_id",),
    "mind_changes": ("trace_id",),
    "retrieval_feedback": ("trace_id",),
    "mentions": ("trace_id",),
    "schemas": ("trace_id",),
    "working_slots": ("trace_id",),
    "prospective_items": ("trace_id",),
}
"""Columns that name the traces that a row is about."""

_OF_NODES = {"nodes": ("id",), "node_merges": ("node_id", "into_id"), "schemas": ("node_id",)}
"""Columns that name nodes: those that a trace which is carried mentions."""

_OF_OWNERS = frozenset({"consolidation_log", "persona_proposals"})
"""Tables about a whole brain; a caller's part has none of them."""


def _chosen(brain_id: str, selection: Selection) -> AnySelect | None:
    """Select the ids of the traces that are carried; None for all."""
    known_at = selection.known_at
    if selection.reach is None and selection.withheld and known_at is None:
        return None
    query = select(_t.id).select_from(_JOINED).where(_t.brain_id == brain_id)
    if known_at is None:
        query = query.where(_v.retired_at.is_(None))
    else:
        query = query.where(
            _v.recorded_at <= known_at, or_(_v.retired_at.is_(None), _v.retired_at > known_at)
        )
    if not selection.withheld:
        query = query.where(_v.trust.in_([state.value for state in READABLE]))
    if selection.reach is not None:
        places = [
            and_(_t.scope == scope.value, _t.scope_id == scope_id)
            for scope, scope_id in selection.reach
        ]
        query = query.where(or_(false(), *places))
    return query


def carried_entries(brain_id: str, selection: Selection) -> AnySelect:
    """Select the index's entries of the traces that are carried, in the order of the index."""
    query = (
        select(
            partitions.c.scope,
            partitions.c.scope_id,
            _e.partition,
            _e.seq,
            _e.trace_id,
            _e.content_version,
            _e.position,
            _e.since,
            _e.until,
        )
        .join_from(
            index_entries,
            partitions,
            and_(_e.brain_id == partitions.c.brain_id, _e.partition == partitions.c.id),
        )
        .where(_e.brain_id == brain_id, _e.trace_id.is_not(None))
    )
    if selection.known_at is not None:
        query = query.where(_e.since <= selection.known_at)
    chosen = _chosen(brain_id, selection)
    if chosen is not None:
        query = query.where(_e.trace_id.in_(chosen))
    return query.order_by(_e.partition, _e.seq)


def present_entries(brain_id: str, ids: Sequence[str]) -> AnySelect:
    """Select the places in the index of what traces say at present."""
    return (
        select(_e.partition, _e.seq, _e.trace_id)
        .where(_e.brain_id == brain_id, _e.trace_id.in_(ids), _e.until.is_(None))
        .order_by(_e.partition, _e.seq)
    )


def standing(brain_id: str, selection: Selection) -> AnySelect:
    """Select what the traces that are carried say, each in the version that is asked for."""
    chosen = _chosen(brain_id, selection)
    query = select(*TRACE_COLUMNS, _t.filed_by).select_from(_JOINED)
    query = query.where(_t.brain_id == brain_id, _v.brain_id == brain_id)
    known_at = selection.known_at
    if known_at is None:
        query = query.where(_v.retired_at.is_(None))
    else:
        query = query.where(
            _v.recorded_at <= known_at, or_(_v.retired_at.is_(None), _v.retired_at > known_at)
        )
    if chosen is not None:
        query = query.where(_t.id.in_(chosen))
    return query.order_by(_t.scope, _t.scope_id, _t.type, _t.time, _t.id)


def contents(brain_id: str, ids: Sequence[str]) -> AnySelect:
    """Select every content that traces had, to index them; no reader is given it."""
    return (
        select(
            _t.id,
            _t.scope,
            _t.scope_id,
            _t.filed_by,
            _t.thread,
            _t.speaker,
            _t.role,
            _t.time,
            _v.version,
            _v.content,
            _v.digest,
            _v.tags,
            _v.entities,
        )
        .select_from(_JOINED)
        .where(_t.brain_id == brain_id, _v.brain_id == brain_id, _t.id.in_(ids))
        .order_by(_t.id, _v.version)
    )


def trace_count(brain_id: str) -> AnySelect:
    """Select how many traces a brain has, in whatever state."""
    return select(func.count()).select_from(traces).where(_t.brain_id == brain_id)


def unfit_versions(brain_id: str) -> AnySelect:
    """Select traces that do not have exactly one version that stands: a brain has none."""
    present = func.sum(case((and_(_v.version.is_not(None), _v.retired_at.is_(None)), 1), else_=0))
    return (
        select(_t.id)
        .outerjoin_from(
            traces, trace_versions, and_(_v.brain_id == _t.brain_id, _v.trace_id == _t.id)
        )
        .where(_t.brain_id == brain_id)
        .group_by(_t.id)
        .having(func.coalesce(present, 0) != 1)
        .limit(1)
    )
