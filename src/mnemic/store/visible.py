"""The one SELECT that every read of traces starts from.

`visible` takes the brain, the reach, the clocks and the states; there is no other way to select
from `traces` and `trace_versions` but what exports are made of (`store/whole.py`), and a test
walks the code to see that none is added. An empty reach selects nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    CursorResult,
    Text,
    and_,
    bindparam,
    false,
    func,
    or_,
    select,
)

from mnemic.model.mind import Emotion
from mnemic.model.origin import Channel, Origin, Role, SourceType
from mnemic.model.scope import Reach, Scope
from mnemic.model.times import Clocks, from_ms, maybe_from_ms
from mnemic.model.trace import Trace, TraceType, Version
from mnemic.model.trust import READABLE, Trust
from mnemic.store.schema import index_entries, trace_facts, trace_sources, trace_versions, traces
from mnemic.store.types import AnyRow, AnySelect

_t, _v, _e = traces.c, trace_versions.c, index_entries.c
_f, _s = trace_facts.c, trace_sources.c

TRACE_COLUMNS = (
    _t.id,
    _v.content,
    _t.type,
    _t.scope,
    _t.scope_id,
    _v.tags,
    _v.entities,
    _v.metadata,
    _t.speaker,
    _t.role,
    _t.thread,
    _t.time,
    _v.valid_from,
    _v.valid_to,
    _v.recorded_at,
    _v.retired_at,
    _v.trust,
    _t.source,
    _v.channel,
    _v.origin,
    _v.verified_at,
    _t.strength,
    _t.created_at,
    _t.last_accessed_at,
    _t.retrieval_count,
    _v.version,
    _t.stability,
    _t.importance,
    _t.valence,
    _t.arousal,
    _t.dominance,
    _t.archived_at,
    _t.verbatim_version,
    _v.content_version,
)
"""What a `Trace` is made of, in its order; the content's version comes last."""


@dataclass(frozen=True, slots=True)
class Query:
    """A SELECT and the values of its parameters; made by `visible` and `versions_of` only."""

    statement: AnySelect
    values: Mapping[str, Any]

    def where(self, *conditions: ColumnElement[bool]) -> Query:
        """The same, of rows that meet these conditions too."""
        return Query(self.statement.where(*conditions), self.values)

    def shaped(self, shape: Callable[[AnySelect], AnySelect]) -> Query:
        """The same, ordered, grouped or cut."""
        return Query(shape(self.statement), self.values)

    def run(self, connection: Connection) -> CursorResult[*tuple[Any, ...]]:
        """Execute it."""
        return connection.execute(self.statement, self.values)


def visible(
    brain_id: str,
    reach: Reach,
    clocks: Clocks | None,
    *columns: ColumnElement[Any],
    states: Iterable[Trust] = READABLE,
    any_time: bool = False,
    ids: Sequence[str] | None = None,
    digests: Sequence[bytes] | None = None,
    facts: Sequence[str] | None = None,
    sources: Sequence[str] | None = None,
) -> Query:
    """Select `columns` of the traces that a reader may see.

    Args:
        brain_id: the brain to read.
        reach: the scopes that the reader may read.
        clocks: the instants that are asked for; None leaves validity out and takes the present
            version, for the writers that look for what is there already.
        columns: of `traces` and `trace_versions`.
        states: the states of trust to give.
        any_time: leave out when it was true in the world.
        ids: only these traces.
        digests: only texts of these digests.
        facts: only facts of these keys, a row each; `columns` may be of `trace_facts` too.
        sources: only what came from these documents, pages or files.
    """
    values: dict[str, Any] = _reach_values(brain_id, reach)
    past = clocks is not None and clocks.known_at is not None
    timed = clocks is not None and not any_time
    if clocks is not None:
        if past:
            values["known_at"] = clocks.known_at
        if timed:
            values["as_of"] = clocks.as_of
    if ids is not None:
        values["ids"] = ids
    if digests is not None:
        values["digests"] = digests
    if facts is not None:
        values["facts"] = facts
    if sources is not None:
        values["sources"] = sources
    by = (ids is not None, digests is not None, facts is not None, sources is not None)
    return Query(_shaped(len(reach), columns, tuple(states), past, timed, by), values)


@lru_cache(256)
def _shaped(
    pairs: int,
    columns: tuple[ColumnElement[Any], ...],
    states: tuple[Trust, ...],
    past: bool,
    timed: bool,
    by: tuple[bool, bool, bool, bool],
) -> AnySelect:
    """The statement for a kind of read; building one anew takes longer than running it."""
    by_id, by_digest, by_fact, by_source = by
    query = (
        select(*columns)
        .select_from(_JOINED)
        .where(_reached(pairs, keyed=any(by)), _v.trust.in_([state.value for state in states]))
    )
    if past:
        known_at = bindparam("known_at", type_=BigInteger)
        query = query.where(
            _v.recorded_at <= known_at, or_(_v.retired_at.is_(None), _v.retired_at > known_at)
        )
    else:
        query = query.where(_v.retired_at.is_(None))
    if timed:
        as_of = bindparam("as_of", type_=BigInteger)
        query = query.where(
            or_(_v.valid_from.is_(None), _v.valid_from <= as_of),
            or_(_v.valid_to.is_(None), _v.valid_to > as_of),
        )
    if by_id:
        query = query.where(_t.id.in_(bindparam("ids", expanding=True)))
    if by_digest:
        query = query.where(_v.digest.in_(bindparam("digests", expanding=True)))
    if by_fact:
        query = query.where(
            _f.brain_id == _t.brain_id,
            _f.trace_id == _t.id,
            _f.key.in_(bindparam("facts", expanding=True)),
        )
    if by_source:
        query = query.where(
            _s.brain_id == _t.brain_id,
            _s.trace_id == _t.id,
            _s.kind == "source",
            _s.source.in_(bindparam("sources", expanding=True)),
        )
    return query


_JOINED = traces.join(trace_versions, and_(_v.brain_id == _t.brain_id, _v.trace_id == _t.id))


def _reached(pairs: int, *, keyed: bool) -> ColumnElement[bool]:
    """Within a reach of so many pairs; of none at all, nothing.

    When rows are asked for by a key, the reach is a check on them and no way to find them: as
    expressions, its columns keep SQLite from walking the listing of a whole scope instead.
    """
    brain_id = bindparam("of_brain", type_=Text)
    scope: ColumnElement[str] = _t.scope.concat("") if keyed else _t.scope
    scope_id: ColumnElement[str] = _t.scope_id.concat("") if keyed else _t.scope_id
    within = [
        and_(
            scope == bindparam(f"scope{at}", type_=Text),
            scope_id == bindparam(f"scope_id{at}", type_=Text),
        )
        for at in range(pairs)
    ]
    return and_(_t.brain_id == brain_id, _v.brain_id == brain_id, or_(false(), *within))


def _reach_values(brain_id: str, reach: Reach) -> dict[str, Any]:
    values: dict[str, Any] = {"of_brain": brain_id}
    for at, (scope, scope_id) in enumerate(reach):
        values[f"scope{at}"] = scope.value
        values[f"scope_id{at}"] = scope_id
    return values


def versions_of(brain_id: str, reach: Reach, trace_id: str) -> Query:
    """Select every version of one trace within reach, oldest first."""
    statement = (
        select(trace_versions)
        .select_from(_JOINED)
        .where(_reached(len(reach), keyed=True), _t.id == trace_id)
        .order_by(_v.version)
    )
    return Query(statement, _reach_values(brain_id, reach))


def ids_beginning(brain_id: str, reach: Reach, beginning: str) -> Query:
    """Select the ids within reach that begin so: none, one, or the first two of several."""
    statement = (
        select(_t.id)
        .distinct()
        .select_from(_JOINED)
        .where(
            _reached(len(reach), keyed=True),
            _t.id >= bindparam("beginning"),
            _t.id < bindparam("after"),
        )
        .order_by(_t.id)
        .limit(2)
    )
    values = {"beginning": beginning, "after": beginning + "g"}  # digits end with f
    return Query(statement, {**_reach_values(brain_id, reach), **values})


def filed(brain_id: str, *conditions: ColumnElement[bool]) -> AnySelect:
    """Select id and scope of traces, for erasure: whoever filed them. No content."""
    return (
        select(_t.id, _t.scope, _t.scope_id).where(_t.brain_id == brain_id, *conditions)
    ).order_by(_t.id)


def from_sources(brain_id: str, source: str) -> AnySelect:
    """Select id and scope of the traces that came from a document, page or file. No content."""
    return (
        select(_t.id, _t.scope, _t.scope_id)
        .select_from(
            trace_sources.join(traces, and_(_t.brain_id == _s.brain_id, _t.id == _s.trace_id))
        )
        .where(_s.brain_id == brain_id, _s.kind == "source", _s.source == source)
        .order_by(_t.id)
    )


def every_version(brain_id: str, ids: Sequence[str]) -> AnySelect:
    """Select all that traces ever said, to be erased. No reader is given it."""
    return (
        select(
            _t.id,
            _t.scope,
            _t.scope_id,
            _t.filed_by,
            _t.speaker,
            _v.content,
            _v.tags,
            _v.entities,
            _v.metadata,
            _v.reason,
        )
        .select_from(_JOINED)
        .where(_t.brain_id == brain_id, _v.brain_id == brain_id, _t.id.in_(ids))
        .order_by(_t.id, _v.version)
    )


def facts_of(brain_id: str, ids: Sequence[str]) -> AnySelect:
    """Select all facts that traces ever said, with their scope, to be erased."""
    return (
        select(trace_facts, _t.scope, _t.scope_id, _t.filed_by)
        .join(traces, and_(_t.brain_id == _f.brain_id, _t.id == _f.trace_id))
        .where(_f.brain_id == brain_id, _f.trace_id.in_(ids))
    )


def every_text() -> AnySelect:
    """Select all text of a file that is there by right. For the sweep after an erasure."""
    return select(
        _v.content,
        _v.tags,
        _v.entities,
        _v.metadata,
        _v.reason,
        _t.speaker,
        _t.thread,
        _t.filed_by,
        _t.scope_id,
    ).select_from(_JOINED)


def place_of(brain_id: str, trace_id: str) -> AnySelect:
    """Select the scope of a trace, for whoever may judge all of them. No content."""
    return select(_t.scope, _t.scope_id, _t.filed_by).where(
        _t.brain_id == brain_id, _t.id == trace_id
    )


def resting_on(brain_id: str, ids: Sequence[str]) -> AnySelect:
    """Select what derives from some traces: id, scope and scope id. No reader is given it."""
    return (
        select(_s.source, _t.id, _t.scope, _t.scope_id, _t.filed_by)
        .select_from(
            trace_sources.join(traces, and_(_t.brain_id == _s.brain_id, _t.id == _s.trace_id))
        )
        .where(_s.brain_id == brain_id, _s.kind == "trace", _s.source.in_(ids))
        .order_by(_t.id)
    )


def supports(brain_id: str, trace_id: str) -> AnySelect:
    """Select what a trace rests on: id and present trust. No reader is given it."""
    return (
        select(_s.source, _v.trust)
        .select_from(
            trace_sources.join(
                trace_versions, and_(_v.brain_id == _s.brain_id, _v.trace_id == _s.source)
            )
        )
        .where(
            _s.brain_id == brain_id,
            _s.kind == "trace",
            _s.trace_id == trace_id,
            _v.retired_at.is_(None),
        )
    )


def indexed_contents(brain_id: str) -> AnySelect:
    """Select every indexed content of a brain, to make its index anew. No reader is given it."""
    return (
        select(_e.partition, _e.seq, _e.trace_id, _v.content, _t.time, _t.speaker, _t.role)
        .select_from(
            index_entries.join(
                trace_versions,
                and_(
                    _v.brain_id == _e.brain_id,
                    _v.trace_id == _e.trace_id,
                    _v.version == _e.content_version,
                ),
            ).join(traces, and_(_t.brain_id == _v.brain_id, _t.id == _v.trace_id))
        )
        .where(_e.brain_id == brain_id)
        .order_by(_e.partition, _e.seq)
    )


def census(brain_id: str) -> AnySelect:
    """Count the traces of a whole brain by trust. For its owner: numbers, no content."""
    return (
        select(_v.trust, func.count())
        .where(_v.brain_id == brain_id, _v.retired_at.is_(None))
        .group_by(_v.trust)
    )


def version_count(brain_id: str) -> AnySelect:
    """Count the versions of all traces of a brain. For its owner."""
    return select(func.count()).where(_v.brain_id == brain_id)


def to_trace(row: AnyRow) -> Trace:
    """The trace of a row of `TRACE_COLUMNS`."""
    return Trace(
        id=row[0],
        content=row[1],
        type=TraceType(row[2]),
        scope=Scope(row[3]),
        scope_id=row[4],
        tags=tuple(json.loads(row[5])),
        entities=tuple(json.loads(row[6])),
        metadata=json.loads(row[7]),
        speaker=row[8],
        role=None if row[9] is None else Role(row[9]),
        thread=row[10],
        time=from_ms(row[11]),
        valid_from=maybe_from_ms(row[12]),
        valid_to=maybe_from_ms(row[13]),
        recorded_at=from_ms(row[14]),
        retired_at=maybe_from_ms(row[15]),
        trust=Trust(row[16]),
        source=SourceType(row[17]),
        channel=Channel(row[18]),
        origin=Origin(row[19]),
        verified_at=maybe_from_ms(row[20]),
        strength=row[21],
        created_at=from_ms(row[22]),
        last_accessed_at=maybe_from_ms(row[23]),
        retrieval_count=row[24],
        version=row[25],
        stability=timedelta(milliseconds=row[26]),
        importance=row[27],
        emotion=Emotion(row[28], row[29], row[30]),
        archived_at=maybe_from_ms(row[31]),
        is_gist=row[32] is not None,
    )


def to_version(row: AnyRow) -> Version:
    """The version of a row of `versions_of`."""
    return Version(
        version=row.version,
        content=row.content,
        tags=tuple(json.loads(row.tags)),
        entities=tuple(json.loads(row.entities)),
        metadata=json.loads(row.metadata),
        valid_from=maybe_from_ms(row.valid_from),
        valid_to=maybe_from_ms(row.valid_to),
        trust=Trust(row.trust),
        channel=Channel(row.channel),
        origin=Origin(row.origin),
        verified_at=maybe_from_ms(row.verified_at),
        recorded_at=from_ms(row.recorded_at),
        retired_at=maybe_from_ms(row.retired_at),
        cause=row.cause,
        reason=row.reason,
    )
