"""The learning ledger: what the brain was given to learn, and what came of it.

Where the audit log tells an outsider that nothing was changed unseen, the ledger tells an owner
what was learned, entry by entry, so that it can be taken back: an entry is `pending` while a
person has to judge it, `kept`, `rejected` with a reason code, or `reverted`.

The codes of a refusal are those of AgentOS's learning layer, as far as a write can meet them
here: ``frozen``, ``forgotten``, ``conflict``, ``other_user``, ``organization_scope``; and our own
``rejected``, ``recalled``, ``source``, ``quarantined``. A write that the database does not take
leaves no entry, since entry and write are one transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import (
    Connection,
    and_,
    bindparam,
    delete,
    false,
    insert,
    or_,
    select,
    update,
)

from mnemic.model.scope import Reach, Scope
from mnemic.store.brain import Brain
from mnemic.store.bulk import insert_rows
from mnemic.store.schema import freezes, ledger
from mnemic.store.types import AnyRow

_c, _z = ledger.c, freezes.c

_FREEZES = select(_z.scope, _z.scope_id, _z.mode).where(_z.brain_id == bindparam("of_brain"))


class Mode(StrEnum):
    """Whether writes are taken, and entered in the ledger."""

    ON = "on"
    OFF = "off"
    SUSPENDED = "suspended"
    FROZEN = "frozen"


class Verdict(StrEnum):
    """What came of a write."""

    PENDING = "pending"
    KEPT = "kept"
    REJECTED = "rejected"
    REVERTED = "reverted"


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the ledger, before it has a number."""

    action: str
    actor: str
    scope: str
    scope_id: str
    filed_by: str
    status: Verdict
    trace_id: str | None = None
    version: int | None = None
    reason: str | None = None
    reverts: int | None = None


class Ledger:
    """The end of a brain's ledger within one write transaction.

    Args:
        connection: holds the write lock.
        brain_id: whose ledger it is.
        at: the instant of the transaction, in milliseconds.
        mode: "off" and "suspended" write no entries.
        last: the number of the last entry.
    """

    def __init__(
        self, connection: Connection, brain_id: str, at: int, mode: Mode, last: int
    ) -> None:
        self._connection = connection
        self._brain_id = brain_id
        self._at = at
        self._rows: list[dict[str, Any]] = []
        self.mode = mode
        self._last = last

    def append(self, entry: Entry) -> int | None:
        """Add an entry; return its number, or None when none are kept. `flush` writes it."""
        if self.mode in (Mode.OFF, Mode.SUSPENDED):
            return None
        self._last += 1
        self._rows.append(
            {
                "brain_id": self._brain_id,
                "id": self._last,
                "at": self._at,
                "action": entry.action,
                "actor": entry.actor,
                "scope": entry.scope,
                "scope_id": entry.scope_id,
                "filed_by": entry.filed_by,
                "trace_id": entry.trace_id,
                "version": entry.version,
                "status": entry.status.value,
                "reason": entry.reason,
                "reverts": entry.reverts,
            }
        )
        return self._last

    def flush(self) -> None:
        """Write the entries appended so far."""
        insert_rows(ledger, self._connection, self._rows)
        self._rows = []


def mode_of(connection: Connection, brain: Brain, reach: Reach) -> Mode:
    """Whether a caller's writes are taken: the setting, or what was frozen at run time.

    A freeze wins over a suspension, and either over what the setting says.
    """
    found = {Mode(brain.settings.learning.mode)}
    for scope, scope_id, mode in connection.execute(_FREEZES, {"of_brain": brain.id}):
        if not scope or (Scope(scope), scope_id) in reach:
            found.add(Mode(mode))
    for mode in (Mode.FROZEN, Mode.SUSPENDED, Mode.OFF):
        if mode in found:
            return mode
    return Mode.ON


def set_mode(connection: Connection, brain: Brain, place: tuple[str, str], mode: Mode) -> None:
    """Freeze or suspend a scope (empty strings: the whole brain), or let it go on."""
    scope, scope_id = place
    key = (_z.brain_id == brain.id) & (_z.scope == scope) & (_z.scope_id == scope_id)
    connection.execute(delete(freezes).where(key))
    if mode in (Mode.FROZEN, Mode.SUSPENDED):
        row = {"brain_id": brain.id, "scope": scope, "scope_id": scope_id, "mode": mode.value}
        connection.execute(insert(freezes).values(row))


def read(
    connection: Connection,
    brain_id: str,
    pairs: Sequence[tuple[str, str]] | None,
    *,
    limit: int,
    trace_id: str | None = None,
) -> Sequence[AnyRow]:
    """The newest entries, of some scopes or of all, oldest first."""
    query = select(ledger).where(_c.brain_id == brain_id)
    if pairs is not None:
        query = query.where(_scopes(pairs))
    if trace_id is not None:
        query = query.where(_c.trace_id == trace_id)
    rows = connection.execute(query.order_by(_c.id.desc()).limit(limit)).all()
    return rows[::-1]


def _scopes(pairs: Sequence[tuple[str, str]]) -> Any:
    return or_(
        false(),
        *(and_(_c.scope == scope, _c.scope_id == scope_id) for scope, scope_id in pairs),
    )


def find(connection: Connection, brain_id: str, number: int) -> AnyRow | None:
    """One entry."""
    query = select(ledger).where(_c.brain_id == brain_id, _c.id == number)
    return connection.execute(query).first()


def settle(
    connection: Connection, brain_id: str, trace_id: str, verdict: Verdict, reason: str | None
) -> None:
    """The judgement of what is pending for a trace."""
    connection.execute(
        update(ledger)
        .where(
            _c.brain_id == brain_id,
            _c.trace_id == trace_id,
            _c.status == Verdict.PENDING.value,
        )
        .values(status=verdict.value, reason=reason)
    )


def mark_reverted(connection: Connection, brain_id: str, number: int) -> None:
    """Say of an entry that it was taken back."""
    connection.execute(
        update(ledger)
        .where(_c.brain_id == brain_id, _c.id == number)
        .values(status=Verdict.REVERTED.value)
    )
