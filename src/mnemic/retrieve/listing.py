"""Readers that ask no question: show, list, count, history, statistics."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import distinct, func, or_

from mnemic.govern import audit
from mnemic.model.answer import History, Stats
from mnemic.model.errors import InvalidInput, NotFound
from mnemic.model.governance import HeldFact
from mnemic.model.ids import checked_trace_id, is_shortened
from mnemic.model.insight import MindChange
from mnemic.model.normal_form import normal_form
from mnemic.model.scope import Reach, checked_id
from mnemic.model.times import from_ms, maybe_from_ms
from mnemic.model.trace import Trace, Version
from mnemic.model.trust import READABLE
from mnemic.retrieve.filters import Filters
from mnemic.store.brain import Brain
from mnemic.store.engrams import changes_of
from mnemic.store.schema import trace_facts, traces
from mnemic.store.types import AnyRow
from mnemic.store.visible import (
    TRACE_COLUMNS,
    Query,
    ids_beginning,
    to_trace,
    to_version,
    versions_of,
    visible,
)

_t, _f = traces.c, trace_facts.c
_FACTS = tuple(trace_facts.c)

_HISTORY_ENTRIES = 1_000
"""Most audit entries that a history shows."""


def _visible(brain: Brain, filters: Filters, *columns: Any) -> Query:
    query = visible(brain.id, filters.reach, filters.clocks, *columns, states=filters.states)
    return filters.apply(query)


def whole_id(brain: Brain, reach: Reach, trace_id: str) -> str:
    """The id that a short one stands for; any other, and one of no trace within reach, as it is.

    Raises:
        InvalidInput: several traces within reach have ids that begin so.
    """
    if not is_shortened(trace_id):
        return trace_id
    with brain.read() as connection:
        found = ids_beginning(brain.id, reach, trace_id).run(connection).scalars().all()
    if len(found) > 1:
        raise InvalidInput(f"the ids of several traces begin with {trace_id!r}; give more of it")
    return found[0] if found else trace_id


def show(brain: Brain, filters: Filters, trace_id: str, *, any_time: bool) -> Trace:
    """One trace, true at `filters.clocks.as_of`, or with `any_time` whenever it is true.

    Raises:
        NotFound: there is none of this id within reach, or it is withheld.
    """
    checked_trace_id(trace_id)
    with brain.read() as connection:
        query = visible(
            brain.id,
            filters.reach,
            filters.clocks,
            *TRACE_COLUMNS,
            states=filters.states,
            any_time=any_time,
            ids=[trace_id],
        )
        row = query.run(connection).first()
    if row is None:
        raise NotFound(f"no trace {trace_id!r} within reach")
    return to_trace(row)


def listed(brain: Brain, filters: Filters, limit: int, offset: int) -> list[Trace]:
    """Traces by their time, newest first."""
    query = _visible(brain, filters, *TRACE_COLUMNS).shaped(
        lambda rows: rows.order_by(_t.time.desc(), _t.id.desc()).limit(limit).offset(offset)
    )
    with brain.read() as connection:
        return [to_trace(row) for row in query.run(connection)]


def count(brain: Brain, filters: Filters) -> int:
    """How many traces there are."""
    with brain.read() as connection:
        return int(_visible(brain, filters, func.count()).run(connection).scalar_one())


def some(brain: Brain, filters: Filters, ids: Sequence[str]) -> dict[str, Trace]:
    """Those of some traces that the reader may see and asks for, by id."""
    if not ids:
        return {}
    with brain.read() as connection:
        query = visible(
            brain.id,
            filters.reach,
            filters.clocks,
            *TRACE_COLUMNS,
            states=filters.states,
            ids=list(ids),
        )
        return {row[0]: to_trace(row) for row in filters.apply(query).run(connection)}


def history(brain: Brain, reach: Reach, trace_id: str) -> History:
    """Every version of a trace and every audit entry about it, oldest first.

    What a trace said is left out while the trace is withheld: its history shows that it was
    forgotten, not what.

    Raises:
        NotFound: there is none of this id within reach.
    """
    with brain.read() as connection:
        rows = versions_of(brain.id, reach, checked_trace_id(trace_id)).run(connection).all()
        if not rows:
            raise NotFound(f"no trace {trace_id!r} within reach")
        entries = audit.entries(connection, brain.id, limit=_HISTORY_ENTRIES, trace_id=trace_id)
        changes = changes_of(connection, brain.id, trace_id)
    versions = [to_version(row) for row in rows]
    if versions[-1].trust not in READABLE:
        versions = [_withheld(version, versions[-1]) for version in versions]
    return History(trace_id, tuple(versions), tuple(entries), tuple(map(_change, changes)))


def _change(row: AnyRow) -> MindChange:
    return MindChange(
        at=from_ms(row.at),
        cause=row.cause,
        times=row.times,
        before=json.loads(row.before),
        after=json.loads(row.after),
        run=row.run,
    )


def _withheld(version: Version, last: Version) -> Version:
    return replace(
        version,
        content=f"[withheld: {last.trust.value}]",
        tags=(),
        entities=(),
        metadata={},
        reason=None,
    )


def statistics(brain: Brain, filters: Filters) -> Stats:
    """Counts over what the filters let through."""
    with brain.read() as connection:

        def grouped(column: Any) -> dict[str, int]:
            query = _visible(brain, filters, column, func.count()).shaped(
                lambda rows: rows.group_by(column).order_by(column)
            )
            return {row[0]: row[1] for row in query.run(connection)}

        query = _visible(
            brain,
            filters,
            func.count(),
            func.count(distinct(_t.thread)),
            func.min(_t.time),
            func.max(_t.time),
        )
        total, threads, oldest, newest = query.run(connection).one()
        return Stats(
            traces=total,
            threads=threads,
            by_type=grouped(_t.type),
            by_scope=grouped(_t.scope),
            oldest=None if oldest is None else from_ms(oldest),
            newest=None if newest is None else from_ms(newest),
        )


def facts(
    brain: Brain, filters: Filters, subject: str | None, attribute: str | None
) -> list[HeldFact]:
    """Facts that are true at `filters.clocks.as_of`, as the brain held them, in a fixed order."""
    at = filters.clocks
    query = visible(
        brain.id, filters.reach, at, *_FACTS, states=filters.states, any_time=True
    ).where(_f.brain_id == _t.brain_id, _f.trace_id == _t.id)
    query = filters.apply(query)
    if subject is not None:
        query = query.where(_f.subject == normal_form(checked_id("subject", subject)))
    if attribute is not None:
        query = query.where(_f.attribute == checked_id("attribute", attribute))
    known_at = filters.clocks.known_at
    if known_at is None:
        query = query.where(_f.retired_at.is_(None))
    else:
        query = query.where(
            _f.recorded_at <= known_at, or_(_f.retired_at.is_(None), _f.retired_at > known_at)
        )
    query = query.where(
        or_(_f.valid_from.is_(None), _f.valid_from <= at.as_of),
        or_(_f.valid_to.is_(None), _f.valid_to > at.as_of),
    )
    ordered = query.shaped(
        lambda rows: rows.order_by(_f.subject, _f.attribute, _f.value, _f.trace_id)
    )
    with brain.read() as connection:
        return [_held(row) for row in ordered.run(connection)]


def _held(row: AnyRow) -> HeldFact:
    return HeldFact(
        trace_id=row.trace_id,
        subject=row.subject,
        attribute=row.attribute,
        value=row.value,
        many=bool(row.many),
        negated=bool(row.negated),
        valid_from=maybe_from_ms(row.valid_from),
        valid_to=maybe_from_ms(row.valid_to),
    )
