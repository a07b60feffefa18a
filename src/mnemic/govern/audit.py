"""The audit log: one entry for every committed change and every refusal, hash-chained.

An entry is written in the transaction of the change it tells of, so that neither exists without
the other. Entry n's hash is SHA-256 over the hash of entry n-1 and the entry's own fields in
canonical JSON: whoever edits, inserts or removes an entry breaks the chain from there on. A cut
tail leaves a shorter chain that is whole; it shows against a head that was kept elsewhere.

Entries hold ids, codes and keyed digests, never content.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, func, select

from mnemic.model.answer import AuditEntry, AuditReport
from mnemic.model.errors import InvalidInput
from mnemic.model.times import from_ms
from mnemic.store.bulk import insert_rows
from mnemic.store.schema import audit_log
from mnemic.store.types import AnyRow

GENESIS = "0" * 64
"""What stands before the first entry."""

_columns = audit_log.c
_HEAD = (
    select(_columns.seq, _columns.hash)
    .where(_columns.brain_id == bindparam("of_brain"))
    .order_by(_columns.seq.desc())
    .limit(1)
)


@dataclass(frozen=True, slots=True)
class Note:
    """What an entry tells, before it has its place in the chain."""

    actor: str
    action: str
    outcome: str
    trace_id: str | None = None
    reason: str | None = None
    detail: Mapping[str, Any] | None = None


class Chain:
    """The end of a brain's chain within one write transaction; `append` makes it longer.

    Args:
        connection: holds the write lock.
        brain_id: whose chain it is.
        at: the instant of the transaction, in milliseconds.
        end: number and hash of the last entry, where they are known already.
    """

    def __init__(
        self, connection: Connection, brain_id: str, at: int, end: tuple[int, str] | None = None
    ) -> None:
        self._connection = connection
        self._brain_id = brain_id
        self._at = at
        self._seq, self._head = head(connection, brain_id) if end is None else end
        self._rows: list[dict[str, Any]] = []

    def append(self, note: Note) -> int:
        """Add an entry; return its number. It is written by `flush`."""
        self._seq += 1
        row = {
            "brain_id": self._brain_id,
            "seq": self._seq,
            "at": self._at,
            "actor": note.actor,
            "action": note.action,
            "trace_id": note.trace_id,
            "outcome": note.outcome,
            "reason": note.reason,
            "detail": _DETAIL.encode(note.detail or {}),
        }
        self._head = _link(self._head, row)
        self._rows.append({**row, "hash": self._head})
        return self._seq

    def flush(self) -> None:
        """Write the entries appended so far."""
        insert_rows(audit_log, self._connection, self._rows)
        self._rows = []


def _link(previous: str, row: Mapping[str, Any]) -> str:
    canonical = _CANONICAL.encode([row[name] for name in _FIELDS])
    return hashlib.sha256(f"{previous}\n{canonical}".encode()).hexdigest()


# Made once: `json.dumps` makes one for each call that asks for more than it does by itself.
_DETAIL = json.JSONEncoder(sort_keys=True, separators=(",", ":"))
_CANONICAL = json.JSONEncoder(separators=(",", ":"))

_FIELDS = ("brain_id", "seq", "at", "actor", "action", "trace_id", "outcome", "reason", "detail")


def head(connection: Connection, brain_id: str) -> tuple[int, str]:
    """The number and the hash of the last entry."""
    row = connection.execute(_HEAD, {"of_brain": brain_id}).first()
    return (0, GENESIS) if row is None else (row[0], row[1])


def parsed_head(text: object) -> tuple[int, str]:
    """The number and the hash of a head that was kept elsewhere, as "SEQ:HASH".

    Raises:
        InvalidInput: it is no such thing.
    """
    seq, colon, mark = str(text).strip().partition(":")
    if not (isinstance(text, str) and colon and seq.isascii() and seq.isdigit()):
        raise InvalidInput(f"head {text!r} must be a number, a colon and a hash, as audit.head()")
    if not re.fullmatch(r"[0-9a-f]{64}", mark):
        raise InvalidInput(f"head {text!r} holds no SHA-256 hash of 64 hexadecimal digits")
    return int(seq), mark


def verify(
    connection: Connection, brain_id: str, kept: tuple[int, str] | None = None
) -> AuditReport:
    """Walk the chain from its start; name what does not fit.

    `kept` is a head that was kept elsewhere: the chain must still hold that very entry, or its
    tail was cut, or it was written anew.
    """
    query = select(audit_log).where(_columns.brain_id == brain_id).order_by(_columns.seq)
    problems: list[str] = []
    previous, expected, last = GENESIS, 1, GENESIS
    missing = kept if kept is not None and kept != (0, GENESIS) else None
    for row in connection.execute(query):
        if row.seq != expected:
            problems.append(f"entry {expected} is missing: entry {row.seq} follows")
        if _link(previous, row._asdict()) != row.hash:
            problems.append(
                f"entry {row.seq} does not fit its hash: it, or one before, was changed"
            )
        if missing is not None and (row.seq, row.hash) == missing:
            missing = None
        # Going on from the hash as written shows each break once.
        previous, expected, last = row.hash, row.seq + 1, row.hash
        if len(problems) >= 20:
            problems.append("more problems follow; the walk was ended here")
            break
    if missing is not None and len(problems) < 20:
        found = "is another one" if expected > missing[0] else "is gone: the tail was cut"
        problems.append(f"entry {missing[0]}, whose hash was kept elsewhere, {found}")
    return AuditReport(not problems, expected - 1, last, tuple(problems))


def entries(
    connection: Connection, brain_id: str, *, limit: int, trace_id: str | None = None
) -> list[AuditEntry]:
    """The newest `limit` entries, of one trace or of all, oldest first."""
    query = select(audit_log).where(_columns.brain_id == brain_id)
    if trace_id is not None:
        query = query.where(_columns.trace_id == trace_id)
    rows = connection.execute(query.order_by(_columns.seq.desc()).limit(limit)).all()
    return [_entry(row) for row in reversed(rows)]


def entry(connection: Connection, brain_id: str, seq: int) -> AuditEntry:
    """The entry of a number, which is there."""
    query = select(audit_log).where(_columns.brain_id == brain_id, _columns.seq == seq)
    return _entry(connection.execute(query).one())


def count(connection: Connection, brain_id: str) -> int:
    """How many entries there are."""
    query = select(func.count()).where(_columns.brain_id == brain_id)
    return int(connection.execute(query).scalar_one())


def _entry(row: AnyRow) -> AuditEntry:
    return AuditEntry(
        seq=row.seq,
        at=from_ms(row.at),
        actor=row.actor,
        action=row.action,
        trace_id=row.trace_id,
        outcome=row.outcome,
        reason=row.reason,
        detail=json.loads(row.detail),
        hash=row.hash,
    )
