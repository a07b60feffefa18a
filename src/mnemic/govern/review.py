"""The review queue: what waits for a person, and why.

An item names a trace, the kind of doubt, and the digest of the content that is to be judged: a
decision is about that text and no other. Items hold no content.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    bindparam,
    false,
    func,
    or_,
    select,
    update,
)

from mnemic.store.brain import Brain
from mnemic.store.bulk import insert_rows
from mnemic.store.schema import review_items
from mnemic.store.types import AnyRow

_c = review_items.c
_GIVEN = "review_items_given"
"""The key of `brain_meta` that tells the last number an item was given."""

_LAST = select(func.max(_c.id)).where(_c.brain_id == bindparam("of_brain"))


class ItemKind(StrEnum):
    """Why something waits for a person."""

    INSTRUCTION = "instruction"
    """It reads like an instruction to the agent."""
    SECRET = "secret"
    """It seems to hold a password, a key or a number that should stay secret."""
    SENSITIVE = "sensitive"
    """It tells of health, faith, politics and the like."""
    ORIGIN = "origin"
    """Its origin is not trusted, and the setting `review.mode` is strict."""
    REJECTED_WITHIN = "rejected_within"
    """A sentence in it was rejected."""
    CONTRADICTION = "contradiction"
    """It contradicts another trace."""
    CORRECTION = "correction"
    """It would replace another trace."""
    SUPPORT_LOST = "support_lost"
    """What it rests on was rejected, forgotten or erased."""
    CHANGED = "changed"
    """It was approved, and says something else since."""


class ItemState(StrEnum):
    """How far a judgement has come."""

    OPEN = "open"
    DEFERRED = "deferred"
    APPROVED = "approved"
    REJECTED = "rejected"
    EDITED = "edited"
    MERGED = "merged"
    EXPIRED = "expired"
    CLOSED = "closed"
    """Something else settled it: the trace was forgotten, or asked about anew."""


WAITING = (ItemState.OPEN.value, ItemState.DEFERRED.value)


class Queue:
    """The end of a brain's queue within one write transaction."""

    def __init__(self, connection: Connection, brain: Brain, now: int) -> None:
        self._connection = connection
        self._brain = brain
        self._now = now
        self._last: int | None = None
        self._rows: list[dict[str, Any]] = []

    def open(
        self,
        kind: ItemKind,
        trace_id: str,
        place: tuple[str, str],
        digest: bytes,
        *,
        other_id: str | None = None,
        signs: Iterable[str] = (),
    ) -> int:
        """Put a trace into the queue; return the item's number. `flush` writes it."""
        if self._last is None:
            values = {"of_brain": self._brain.id}
            last = self._connection.execute(_LAST, values).scalar() or 0
            # A number is given once, though its item is erased: a judgement names a number.
            self._last = max(last, int(self._brain.meta(self._connection, _GIVEN) or 0))
        self._last += 1
        self._rows.append(
            {
                "brain_id": self._brain.id,
                "id": self._last,
                "kind": kind.value,
                "trace_id": trace_id,
                "other_id": other_id,
                "scope": place[0],
                "scope_id": place[1],
                "digest": digest,
                "signs": json.dumps(sorted(set(signs))),
                "state": ItemState.OPEN.value,
                "opened_at": self._now,
                "deferred_until": None,
                "decided_at": None,
                "reviewer": None,
                "reason": None,
            }
        )
        return self._last

    def flush(self) -> None:
        """Write the items opened so far."""
        if self._rows:
            insert_rows(review_items, self._connection, self._rows)
            self._brain.set_meta(self._connection, _GIVEN, str(self._last))
            self._rows = []


def waiting(
    connection: Connection,
    brain_id: str,
    pairs: Sequence[tuple[str, str]] | None,
    *,
    now: int,
    limit: int,
    kind: str | None = None,
    deferred: bool = False,
) -> Sequence[AnyRow]:
    """Items that wait, the oldest first; those that were deferred only when their day has come."""
    query = select(review_items).where(_c.brain_id == brain_id, _c.state.in_(WAITING))
    if not deferred:
        query = query.where(or_(_c.deferred_until.is_(None), _c.deferred_until <= now))
    if pairs is not None:
        query = query.where(_within(pairs))
    if kind is not None:
        query = query.where(_c.kind == kind)
    return connection.execute(query.order_by(_c.id).limit(limit)).all()


def find(connection: Connection, brain_id: str, number: int) -> AnyRow | None:
    """One item."""
    query = select(review_items).where(_c.brain_id == brain_id, _c.id == number)
    return connection.execute(query).first()


def signs_of(row: AnyRow) -> tuple[str, ...]:
    """What was found, by the names of the rules."""
    return tuple(json.loads(row.signs))


def of_trace(connection: Connection, brain_id: str, trace_id: str) -> Sequence[AnyRow]:
    """Every item about a trace, settled or not."""
    query = select(review_items).where(_c.brain_id == brain_id, _c.trace_id == trace_id)
    return connection.execute(query.order_by(_c.id)).all()


def settle(
    connection: Connection,
    brain_id: str,
    numbers: Iterable[int],
    state: ItemState,
    *,
    at: int,
    reviewer: str,
    reason: str | None,
) -> None:
    """Write down what became of some items."""
    connection.execute(
        update(review_items)
        .where(_c.brain_id == brain_id, _c.id.in_(list(numbers)), _c.state.in_(WAITING))
        .values(state=state.value, decided_at=at, reviewer=reviewer, reason=reason)
    )


def close_for(connection: Connection, brain_id: str, trace_id: str, *, at: int, by: str) -> None:
    """What waits for a judgement of a trace that has been settled otherwise is closed."""
    numbers = [row.id for row in of_trace(connection, brain_id, trace_id)]
    settle(connection, brain_id, numbers, ItemState.CLOSED, at=at, reviewer=by, reason=None)


def defer(
    connection: Connection, brain_id: str, number: int, *, until: int, reviewer: str, reason: str
) -> None:
    """Ask again later."""
    connection.execute(
        update(review_items)
        .where(_c.brain_id == brain_id, _c.id == number)
        .values(
            state=ItemState.DEFERRED.value,
            deferred_until=until,
            reviewer=reviewer,
            reason=reason,
        )
    )


def count_waiting(
    connection: Connection, brain_id: str, pairs: Sequence[tuple[str, str]] | None
) -> int:
    """How many items wait for a person, in some scopes or in all."""
    query = select(func.count()).where(_c.brain_id == brain_id, _c.state.in_(WAITING))
    if pairs is not None:
        query = query.where(_within(pairs))
    return int(connection.execute(query).scalar_one())


def _within(pairs: Sequence[tuple[str, str]]) -> ColumnElement[bool]:
    return or_(false(), *(and_(_c.scope == one, _c.scope_id == two) for one, two in pairs))
