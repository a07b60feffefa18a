"""What every write has to know first, asked for in one statement: it costs each of them once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, func, select

from mnemic.govern.audit import GENESIS
from mnemic.store import keys
from mnemic.store.brain import Brain
from mnemic.store.schema import audit_log, freezes, key_ring, ledger


@dataclass(frozen=True, slots=True)
class Desk:
    """How things stand when a write begins.

    Args:
        seq, head: of the last audit entry.
        entry: the number of the last ledger entry.
        freezes: how many scopes are frozen or suspended.
    """

    seq: int
    head: str
    entry: int
    freezes: int


def _of_brain(table: Any, *columns: Any) -> Any:
    return select(*columns).where(table.c.brain_id == bindparam("of_brain"))


_last = audit_log.c.seq.desc()
_LOOK = select(
    _of_brain(key_ring, func.max(key_ring.c.version)).scalar_subquery(),
    _of_brain(key_ring, func.count()).select_from(key_ring).scalar_subquery(),
    _of_brain(audit_log, audit_log.c.seq).order_by(_last).limit(1).scalar_subquery(),
    _of_brain(audit_log, audit_log.c.hash).order_by(_last).limit(1).scalar_subquery(),
    _of_brain(ledger, func.max(ledger.c.id)).scalar_subquery(),
    _of_brain(freezes, func.count()).select_from(freezes).scalar_subquery(),
)


def look(connection: Connection, brain: Brain) -> Desk:
    """Look at the desk of a brain, and renew its key ring.

    What another process rejected under a key of its own has to be known here.
    """
    newest, how_many, seq, head, entry, frozen = connection.execute(
        _LOOK, {"of_brain": brain.id}
    ).one()
    if (newest, how_many) != (brain.ring.version, len(brain.ring.keys)):
        brain.ring = keys.load(connection, brain.id) or brain.ring
    return Desk(seq or 0, head or GENESIS, entry or 0, frozen)
