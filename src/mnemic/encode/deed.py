"""One write transaction of one caller: its audit chain, its ledger, its queue, its gate."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection

from mnemic.encode.admit import Gate
from mnemic.encode.resolve import Resolved
from mnemic.govern.audit import Chain
from mnemic.govern.desk import look
from mnemic.govern.ledger import Entry, Ledger, Verdict
from mnemic.govern.review import Queue
from mnemic.model.scope import Caller
from mnemic.store.brain import Brain


@dataclass(frozen=True, slots=True)
class Deed:
    """What a write transaction works with. Nothing of it is written before `flush`."""

    connection: Connection
    brain: Brain
    principal: Caller
    now: int
    gate: Gate
    chain: Chain
    ledger: Ledger
    queue: Queue

    def flush(self) -> None:
        """Write what was noted; it is kept with the transaction, or lost with it."""
        self.chain.flush()
        self.ledger.flush()
        self.queue.flush()


def begin(connection: Connection, brain: Brain, principal: Caller, now: int) -> Deed:
    """A deed in a transaction that has just taken the write lock."""
    desk = look(connection, brain)
    gate = Gate(connection, brain, principal, now, desk.freezes > 0)
    return Deed(
        connection=connection,
        brain=brain,
        principal=principal,
        now=now,
        gate=gate,
        chain=Chain(connection, brain.id, now, (desk.seq, desk.head)),
        ledger=Ledger(connection, brain.id, now, gate.mode, desk.entry),
        queue=Queue(connection, brain, now),
    )


def ledger_entry(
    action: str,
    draft: Resolved,
    verdict: Verdict,
    *,
    trace_id: str | None = None,
    version: int | None = None,
    reason: str | None = None,
) -> Entry:
    """A line of the ledger about a draft."""
    return Entry(
        action=action,
        actor=draft.actor,
        scope=draft.scope.value,
        scope_id=draft.scope_id,
        filed_by=draft.filed_by,
        status=verdict,
        trace_id=trace_id,
        version=version,
        reason=reason,
    )
