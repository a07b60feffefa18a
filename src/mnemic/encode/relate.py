"""Compares what a trace says with what the brain holds: step 7 of the road in.

A fact about the same subject and attribute with another value ends the older one where that is
safe: the attribute holds one value, the new one is true from a later instant, and its origin is
at least as trusted. Where it is not safe, a person is asked. Nothing is ever deleted for it.

Five shapes of contradiction are told apart (`cognition/facts/compare.py`): a value is replaced, a
statement is turned round, it is taken back, it is narrowed, or it holds for another time, which
is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, update

from mnemic.cognition.facts import Relation, compare
from mnemic.encode.resolve import Resolved
from mnemic.model.fact import Fact, Shape, fact_key
from mnemic.model.origin import Origin, is_below
from mnemic.model.scope import Reach, Scope
from mnemic.model.times import Validity, from_ms, to_ms
from mnemic.model.trace import TraceType
from mnemic.model.trust import READABLE
from mnemic.store.brain import Brain
from mnemic.store.bulk import insert_rows
from mnemic.store.schema import trace_facts, trace_versions, traces
from mnemic.store.types import AnyRow
from mnemic.store.visible import visible

_f, _v, _t = trace_facts.c, trace_versions.c, traces.c
_COLUMNS = (*trace_facts.c, _t.type, _t.filed_by, _v.origin, _v.valid_from.label("since"))


@dataclass(frozen=True, slots=True)
class Close:
    """An older fact ends at an instant, since another trace says something newer."""

    old: AnyRow
    at: int


@dataclass(frozen=True, slots=True)
class Clash:
    """A fact that contradicts another one, and nobody but a person can tell which is right."""

    old_id: str
    relation: Relation
    trusted: bool
    """Whether the new one's origin is at least as trusted as the old one's."""


@dataclass(frozen=True, slots=True)
class Held:
    """A fact as it will stand, with its validity."""

    fact: Fact
    key: str
    validity: Validity


@dataclass(frozen=True, slots=True)
class Related:
    """What the facts of one draft do: those that stand, those that end, those that clash."""

    held: tuple[Held, ...] = ()
    closes: tuple[Close, ...] = ()
    clashes: tuple[Clash, ...] = ()
    ends: int | None = None
    """The instant at which the draft's own value had already ended: a late fact."""

    later: tuple[str, ...] = ()
    """The traces that had ended it."""


def key_of(scope: Scope, scope_id: str, fact: Fact) -> str:
    """Facts with one key are about one thing; only they are compared."""
    subject, attribute, _ = fact_key(fact)
    return "\x1f".join((scope.value, scope_id, subject, attribute))


def relate(connection: Connection, brain: Brain, draft: Resolved, facts: Sequence[Fact]) -> Related:
    """Compare a draft's facts with those that its scope holds."""
    if not facts:
        return Related()
    keys = {key_of(draft.scope, draft.scope_id, fact): fact for fact in facts}
    known = _known(connection, brain, draft, list(keys))
    found = Related()
    for fact in facts:
        key = key_of(draft.scope, draft.scope_id, fact)
        found = _with(found, draft, fact, key, known.get(key, []))
    return found


def opposed_elsewhere(
    connection: Connection, brain: Brain, draft: Resolved, facts: Sequence[Fact], reach: Reach
) -> bool:
    """Whether somebody more trusted says otherwise in another scope of the caller's."""
    for scope, scope_id in reach:
        if (scope, scope_id) != (draft.scope, draft.scope_id):
            moved = replace(draft, scope=scope, scope_id=scope_id)
            clashes = relate(connection, brain, moved, facts).clashes
            if any(not clash.trusted for clash in clashes):
                return True
    return False


def _known(
    connection: Connection, brain: Brain, draft: Resolved, keys: list[str]
) -> dict[str, list[AnyRow]]:
    reach = Reach.of([(draft.scope, draft.scope_id)])
    query = visible(brain.id, reach, None, *_COLUMNS, states=READABLE, facts=keys)
    found: dict[str, list[AnyRow]] = {}
    for row in query.where(_f.retired_at.is_(None)).run(connection):
        found.setdefault(row.key, []).append(row)
    return found


def _with(found: Related, draft: Resolved, fact: Fact, key: str, olds: Sequence[AnyRow]) -> Related:
    """What one fact adds."""
    start, end = _bounds(draft, fact)
    if fact.until is not None and instant(fact.until, 1) > draft.time:
        said = replace(fact, until=None)  # it speaks of the present
    else:
        said = fact
    stands = fact.shape is not Shape.RETRACTION
    closes, clashes, later = list(found.closes), list(found.clashes), list(found.later)
    ends = found.ends
    for old in olds:
        relation = stands_to(old, said)
        if relation in (Relation.SAME, Relation.COMPATIBLE, Relation.UNRELATED):
            continue
        if not _overlap(old, start, end):
            continue
        trusted = not is_below(draft.origin, Origin(old.origin))
        if relation is Relation.NARROWS or not trusted or start is None:
            clashes.append(Clash(old.trace_id, relation, trusted))
            # What a tool says against a person is not held beside what the person said.
            stands = stands and trusted
        elif old.filed_by != draft.filed_by:
            # Nobody ends what another user has filed.
            clashes.append(Clash(old.trace_id, relation, trusted))
        elif old.valid_from is None or start > old.valid_from:
            closes.append(Close(old, start))
        elif fact.since is not None and fact.until is None and draft.time > old.valid_from:
            # "I have lived in Porto since 2019", said later: it began earlier, and speaks of now.
            clashes.append(Clash(old.trace_id, relation, trusted))
        elif start < old.valid_from and relation is not Relation.RETRACTS:
            end = old.valid_from if end is None else min(end, old.valid_from)
            ends = end if ends is None else min(ends, end)
            later.append(old.trace_id)
        else:
            clashes.append(Clash(old.trace_id, relation, trusted))
    held = found.held
    if stands:
        held = (*held, Held(fact, key, Validity(start, end)))
    return replace(
        found,
        held=held,
        closes=tuple(closes),
        clashes=tuple(clashes),
        ends=ends,
        later=tuple(later),
    )


def _bounds(draft: Resolved, fact: Fact) -> tuple[int | None, int | None]:
    """When a fact is true: as the sentence says, else as the trace does."""
    start, end = draft.validity.start, draft.validity.end
    since = None if fact.since is None else instant(fact.since, 0)
    until = None if fact.until is None else instant(fact.until, 1)
    start = start if since is None else since
    end = end if until is None else until
    if start is not None and end is not None and end < start:
        start = None if since is None else since
        end = end if start is None or end >= start else None
    return start, end


def instant(period: str, later: int) -> int:
    """The first moment of a year, a month or a day, or of the one after it, in UTC."""
    parts = [int(part) for part in period.split("-")]
    if len(parts) == 3:
        year, month, day = parts
        return to_ms(datetime(year, month, day, tzinfo=UTC) + timedelta(days=later))
    if len(parts) == 2:
        months = parts[0] * 12 + parts[1] - 1 + later
        return to_ms(datetime(months // 12, months % 12 + 1, 1, tzinfo=UTC))
    return to_ms(datetime(parts[0] + later, 1, 1, tzinfo=UTC))


def _overlap(old: AnyRow, start: int | None, end: int | None) -> bool:
    """Whether two intervals have an instant in common."""
    before = end is not None and old.valid_from is not None and end <= old.valid_from
    after = start is not None and old.valid_to is not None and start >= old.valid_to
    return not before and not after


def stands_to(old: AnyRow, fact: Fact) -> Relation:
    """What a fact does to one that is held.

    When that one is true is told by its interval, and whether there are several of its kind by
    what it says itself: whoever says otherwise does not put another value beside it.
    """
    held = replace(to_fact(old), until=None)
    return compare(held, replace(fact, many=held.many))


def to_fact(row: AnyRow) -> Fact:
    """The fact of a row, with the last day that its sentence named."""
    ends = row.shape == Shape.BOUNDED.value and row.valid_to is not None
    return Fact(
        subject=row.subject,
        attribute=row.attribute,
        value=row.value,
        many=bool(row.many),
        negated=bool(row.negated),
        shape=Shape(row.shape),
        until=from_ms(row.valid_to - 1).date().isoformat() if ends else None,
    )


def as_given(draft: Resolved, facts: Sequence[Fact]) -> Related:
    """Facts that a caller has given with a draft that waits: kept, and compared when it stands."""
    return Related(
        tuple(
            Held(fact, key_of(draft.scope, draft.scope_id, fact), Validity(*_bounds(draft, fact)))
            for fact in facts
        )
    )


def fact_rows(
    brain_id: str, trace_id: str, held: Sequence[Held], start: int, now: int
) -> list[dict[str, Any]]:
    """The rows of some facts, numbered from `start`."""
    return [
        {
            "brain_id": brain_id,
            "trace_id": trace_id,
            "seq": start + number,
            "key": one.key,
            "subject": one.fact.subject,
            "attribute": one.fact.attribute,
            "value": one.fact.value,
            "many": int(one.fact.many),
            "negated": int(one.fact.negated),
            "shape": one.fact.shape.value,
            "valid_from": one.validity.start,
            "valid_to": one.validity.end,
            "recorded_at": now,
            "retired_at": None,
        }
        for number, one in enumerate(held)
    ]


def closes_whole_trace(old: AnyRow, facts: int) -> bool:
    """Whether a trace ends with its fact.

    A statement of fact that says one thing does; an episode has happened, whatever became of
    what was said in it.
    """
    return old.type == TraceType.SEMANTIC.value and facts == 1


def retire_facts(connection: Connection, brain_id: str, trace_id: str, now: int) -> None:
    """The brain no longer holds the facts of a trace."""
    connection.execute(
        update(trace_facts)
        .where(_f.brain_id == brain_id, _f.trace_id == trace_id, _f.retired_at.is_(None))
        .values(retired_at=now)
    )


def add_facts(connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
    """Write rows of `fact_rows`."""
    insert_rows(trace_facts, connection, rows)
