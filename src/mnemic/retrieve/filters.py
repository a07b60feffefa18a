"""What a reader asks for besides the question: filters and clocks, checked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date
from typing import Any

from sqlalchemy import ColumnElement, case, func, select

from mnemic.model.answer import SearchMode
from mnemic.model.errors import InvalidInput, NotAllowed
from mnemic.model.policy import Capability
from mnemic.model.scope import Principal, Reach, Scope, checked_id
from mnemic.model.text import refuse_unstorable
from mnemic.model.times import Clock, Clocks, TimeLike, from_ms, parse_time, to_ms, zone
from mnemic.model.trace import TraceType, one_of
from mnemic.model.trust import ASKABLE, READABLE, Authority, Trust
from mnemic.retrieve.usable import usable
from mnemic.settings import Settings
from mnemic.store.schema import trace_versions, traces
from mnemic.store.visible import Query

_t, _v = traces.c, trace_versions.c


@dataclass(frozen=True, slots=True)
class Filters:
    """Conditions that every trace returned meets, whichever way it was found.

    Args:
        reach: the scopes to read.
        clocks: the instants asked for.
        types: kinds of memory; empty for all.
        tags, entities: labels that it carries, all of them.
        before, after: its time lies before, or at or after, this instant; milliseconds.
        min_strength: its present strength is at least this.
        thread: the conversation it was part of.
        states: the states of trust to give.
        usable: conditions that say what it may be used for; empty for any use.
        today: the day that "last week" in a question counts from.
        now: the instant at which strengths are asked for, in milliseconds.
        archived: only what is archived, or only what is not; None is both.
        fades: whether strength fades with time.
    """

    reach: Reach
    clocks: Clocks
    types: tuple[TraceType, ...] = ()
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    before: int | None = None
    after: int | None = None
    min_strength: float | None = None
    thread: str | None = None
    states: tuple[Trust, ...] = READABLE
    usable: tuple[ColumnElement[bool], ...] = ()
    today: date = date.max
    now: int = 0
    archived: bool | None = None
    fades: bool = True

    def apply(self, query: Query) -> Query:
        """The query with these conditions."""
        if self.types:
            query = query.where(_t.type.in_([kind.value for kind in self.types]))
        for column, labels in ((_v.tags, self.tags), (_v.entities, self.entities)):
            for label in labels:
                query = query.where(_holds(column, label))
        if self.before is not None:
            query = query.where(_t.time < self.before)
        if self.after is not None:
            query = query.where(_t.time >= self.after)
        if self.min_strength is not None:
            query = query.where(self._strength() >= self.min_strength)
        if self.archived is not None:
            aside = _t.archived_at
            query = query.where(aside.is_not(None) if self.archived else aside.is_(None))
        if self.thread is not None:
            query = query.where(_t.thread == self.thread)
        return query.where(*self.usable) if self.usable else query

    def _strength(self) -> ColumnElement[float]:
        """The present strength of a trace (`retrieve/standing.py`)."""
        if not self.fades:
            return _t.strength
        used = func.coalesce(_t.last_accessed_at, 0)
        fresh = case((used > _t.created_at, used), else_=_t.created_at)
        unused = case((fresh < self.now, self.now - fresh), else_=0)
        return _t.strength * func.exp(-unused / _t.stability)


def _holds(column: Any, label: str) -> Any:
    values = func.json_each(column).table_valued("value")
    return select(values.c.value).where(values.c.value == label).exists()


def checked(
    principal: Principal,
    settings: Settings,
    clock: Clock,
    *,
    type: object = None,
    scope: object = None,
    tags: object = None,
    entities: object = None,
    before: TimeLike | None = None,
    after: TimeLike | None = None,
    min_strength: float | None = None,
    thread: str | None = None,
    as_of: TimeLike | None = None,
    known_at: TimeLike | None = None,
    asked_at: TimeLike | None = None,
    trust: object = None,
    usable_for: object = None,
    archived: object = None,
) -> Filters:
    """Filters from what a caller gave.

    Raises:
        InvalidInput: naming the filter, its value and what to do.
    """
    now = to_ms(clock())
    timezone = settings.timezone
    as_of_ms = parse_time("as_of", as_of, timezone)
    known_ms = parse_time("known_at", known_at, timezone)
    asked_ms = parse_time("asked_at", asked_at, timezone)
    # What was true is asked of the instant that was known, unless said otherwise.
    as_of_ms = next(ms for ms in (as_of_ms, known_ms, now) if ms is not None)
    return Filters(
        reach=principal.reach().within(None if scope is None else one_of(Scope, "scope", scope)),
        clocks=Clocks(as_of_ms, known_ms),
        types=tuple(one_of(TraceType, "type", kind) for kind in _several("type", type)),
        tags=_several("tags", tags),
        entities=_several("entities", entities),
        before=parse_time("before", before, timezone),
        after=parse_time("after", after, timezone),
        min_strength=_strength(min_strength),
        thread=None if thread is None else checked_id("thread", thread),
        states=_states(principal, trust),
        usable=usable(settings, _uses(usable_for), now),
        now=now if known_ms is None else min(now, known_ms),
        archived=_archived(archived, settings),
        fades=settings.mind.works(settings.mind.decay),
        today=_day(as_of_ms if asked_ms is None else asked_ms, timezone),
    )


def _archived(value: object, settings: Settings) -> bool | None:
    if value is None:
        return False if settings.mind.consolidation.archived == "hidden" else None
    if not isinstance(value, bool):
        raise InvalidInput(f"archived {value!r} must be True, False, or None for both")
    return value


def _day(ms: int, timezone: str | None) -> date:
    return from_ms(ms).astimezone(zone(timezone) if timezone else UTC).date()


def _uses(value: object) -> tuple[Capability, ...]:
    return tuple(one_of(Capability, "usable_for", use) for use in _several("usable_for", value))


def _states(principal: Principal, value: object) -> tuple[Trust, ...]:
    """The states asked for: a person may ask for what waits, a machine may not.

    Raises:
        NotAllowed: this channel may not read such a state, or no reader may.
    """
    if value is None:
        return READABLE
    states = tuple(one_of(Trust, "trust", state) for state in _several("trust", value))
    machine = principal.authority is Authority.MACHINE
    allowed = READABLE if machine else ASKABLE
    for state in states:
        if state not in allowed:
            raise NotAllowed(
                f"trust {state.value!r} cannot be asked for through the channel "
                f"{principal.channel.value!r}; it gives: " + ", ".join(one.value for one in allowed)
            )
    return states


def checked_mode(value: object) -> SearchMode:
    """Which arms are to search."""
    return one_of(SearchMode, "mode", value)


def checked_limit(name: str, value: object, least: int = 1) -> int:
    """A whole number of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InvalidInput(f"{name} {value!r} must be a whole number of at least {least}")
    return value


def _several(name: str, value: object) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, str):
        value = (value,)
    if not isinstance(value, Iterable):
        raise InvalidInput(f"{name} {value!r} must be a string or a list of strings")
    items = tuple(value)
    for item in items:
        if not isinstance(item, str):
            raise InvalidInput(f"{name} holds {item!r}, which is not a string")
        refuse_unstorable(name, item)
    return items


def _strength(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InvalidInput(f"min_strength {value!r} must be a number from 0 to 1")
    return float(value)
