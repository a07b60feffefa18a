"""Prospective memory: what is to be done, brought up when its time, event or matter has come.

What is to be done is a trace like any other, of type prospective; what it waits for stands beside
it. An intention is brought up once for all the times that were missed (Einstein & McDaniel 1990).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import UTC
from typing import Any

from sqlalchemy import Connection, select, update

from mnemic.cognition.prospect.expressions import find_when
from mnemic.cognition.prospect.notice import intended
from mnemic.cognition.prospect.triggers import (
    Intention,
    Trigger,
    after_firing,
    by_importance,
    is_due,
)
from mnemic.model.errors import InvalidInput, NotFound
from mnemic.model.packet import Reminder
from mnemic.model.scope import Reach
from mnemic.model.times import FOREVER, Clocks, from_ms, maybe_from_ms, to_ms, zone
from mnemic.store.brain import Brain
from mnemic.store.mind_schema import prospective_items
from mnemic.store.schema import traces
from mnemic.store.types import AnyRow
from mnemic.store.visible import TRACE_COLUMNS, to_trace, visible

_p, _t = prospective_items.c, traces.c

_WAITS_FOR = (
    _p.trigger_type,
    _p.trigger_at,
    _p.timezone,
    _p.rule,
    _p.trigger_event,
    _p.cue_text,
    _p.similarity_threshold,
    _p.importance.label("weight"),
    _p.tier,
    _p.next_at,
    _p.lasting,
    _p.fired,
    _p.last_fired_at,
    _p.done_at,
)

Similar = Callable[[str], float | None]
"""The cosine of a cue and what is being talked about; None without vectors."""


def understood(content: str, said_at: int, timezone: str) -> dict[str, Any]:
    """What a sentence says it waits for: a time, an event, or talk of a matter.

    Args:
        content: what is to be done, in a sentence.
        said_at: when it was said, in milliseconds.
        timezone: where the speaker's clocks hang.

    Raises:
        InvalidInput: it says none of these.
    """
    when = find_when(content, from_ms(said_at), zone(timezone))
    if when is not None:
        return {"trigger": Trigger.TIME, "at": to_ms(when.at), "rule": when.rule}
    noticed = intended(content)
    if noticed is not None and noticed.event:
        return {"trigger": Trigger.EVENT, "event": noticed.event}
    if noticed is not None and noticed.cue:
        return {"trigger": Trigger.CONTEXT, "cue": noticed.cue}
    raise InvalidInput(f"{content[:80]!r} says no time, event or matter; give at=, event= or cue=")


def due(
    brain: Brain,
    reach: Reach,
    now: int,
    events: Collection[str] = (),
    query: str | None = None,
    similar: Similar = lambda _cue: None,
    most_tier: int | None = None,
) -> list[Reminder]:
    """What is to be brought up now, the most important first. Nothing is used up by it.

    Args:
        brain: whose.
        reach: of the reader.
        now: milliseconds.
        events: what has just happened.
        query: what is being talked about.
        similar: how near a cue is to that.
        most_tier: the highest tier that the reader may see; None is all.
    """
    with brain.read() as connection:
        rows = _rows(connection, brain, reach, now, open_only=True)
    waiting = {row.id: (_intention(row), row) for row in rows}
    ready = [
        one
        for one, _ in waiting.values()
        if is_due(one, now, events, _near(one, query, similar), query, most_tier)
    ]
    return [_reminder(waiting[one.id][1]) for one in by_importance(ready)]


def _near(one: Intention, query: str | None, similar: Similar) -> float | None:
    return similar(one.cue) if query is not None and one.cue is not None else None


def listed(brain: Brain, reach: Reach, now: int, *, done: bool) -> list[Reminder]:
    """What waits, the next in time first; with `done`, what is done as well."""
    with brain.read() as connection:
        rows = _rows(connection, brain, reach, now, open_only=not done)
    found = [_reminder(row) for row in rows]
    return sorted(
        found,
        key=lambda one: (
            FOREVER if one.at is None else to_ms(one.at),
            -one.importance,
            one.trace.id,
        ),
    )


def fire(brain: Brain, ids: Collection[str], now: int) -> None:
    """Note that some were brought up: once is done, and what recurs moves to its next time."""
    if not ids:
        return
    with brain.write() as connection:
        query = select(_p.trace_id.label("id"), *_WAITS_FOR).where(
            _p.brain_id == brain.id, _p.trace_id.in_(list(ids)), _p.done_at.is_(None)
        )
        for row in connection.execute(query).all():
            after = after_firing(_intention(row), now)
            values = {
                "fired": after.fired,
                "last_fired_at": after.last_fired,
                "next_at": after.next_at,
                "done_at": now if after.is_done else None,
            }
            _set(connection, brain, row.id, values)


def settle(brain: Brain, reach: Reach, trace_id: str, now: int) -> Reminder:
    """Nothing is left to do of it.

    Raises:
        NotFound: nothing of this id within reach waits.
    """
    with brain.write() as connection:
        rows = _rows(connection, brain, reach, now, open_only=True, only=trace_id)
        if not rows:
            raise NotFound(f"no reminder {trace_id!r} within reach waits")
        _set(connection, brain, trace_id, {"done_at": now, "next_at": None})
    return replace(_reminder(rows[0]), done_at=from_ms(now))


def _set(connection: Connection, brain: Brain, trace_id: str, values: dict[str, Any]) -> None:
    of_trace = (_p.brain_id == brain.id) & (_p.trace_id == trace_id)
    connection.execute(update(prospective_items).where(of_trace).values(values))


def _rows(
    connection: Connection,
    brain: Brain,
    reach: Reach,
    now: int,
    *,
    open_only: bool,
    only: str | None = None,
) -> Sequence[AnyRow]:
    ids = None if only is None else [only]
    query = visible(
        brain.id, reach, Clocks(now, None), *TRACE_COLUMNS, *_WAITS_FOR, any_time=True, ids=ids
    ).where(_p.brain_id == _t.brain_id, _p.trace_id == _t.id)
    query = query.where(_p.done_at.is_(None)) if open_only else query
    return query.run(connection).all()


def _intention(row: AnyRow) -> Intention:
    return Intention(
        id=row.id,
        content=row.id,  # what is to be done plays no part in when
        trigger=Trigger(row.trigger_type),
        at=row.trigger_at,
        rule=row.rule,
        zone=row.timezone,
        event=row.trigger_event,
        cue=row.cue_text,
        threshold=row.similarity_threshold,
        importance=row.weight,
        lasting=bool(row.lasting),
        fired=row.fired,
        last_fired=row.last_fired_at,
        next_at=row.next_at,
        tier=row.tier,
    )


def _reminder(row: AnyRow) -> Reminder:
    at = row.next_at if row.next_at is not None else row.trigger_at
    return Reminder(
        trace=to_trace(row),
        trigger=row.trigger_type,
        at=maybe_from_ms(at),
        rule=row.rule,
        event=row.trigger_event,
        cue=row.cue_text,
        importance=row.weight,
        fired=row.fired,
        done_at=maybe_from_ms(row.done_at),
    )


def zone_name(timezone: str | None, settings_zone: str | None) -> str:
    """Where the speaker's clocks hang, by name."""
    name = timezone or settings_zone
    if name is None:
        return str(UTC)
    zone(name)
    return name
