"""The audit log, as the owner of a brain reads it."""

from __future__ import annotations

from mnemic.govern import audit
from mnemic.model.answer import AuditEntry, AuditReport
from mnemic.model.ids import checked_trace_id
from mnemic.retrieve.filters import checked_limit
from mnemic.store.brain import Brain


class AuditLog:
    """The audit log of a brain, for its owner."""

    def __init__(self, brain: Brain) -> None:
        self._brain = brain

    def head(self) -> str:
        """The last entry's number and hash, as "SEQ:HASH": to be kept where the brain is not."""
        with self._brain.read() as connection:
            seq, mark = audit.head(connection, self._brain.id)
        return f"{seq}:{mark}"

    def verify(self, *, head: str | None = None) -> AuditReport:
        """Walk the chain from its first entry to its head.

        Args:
            head: one that was kept elsewhere; a cut tail, or a chain that was written anew as a
                whole, shows only against it.

        Raises:
            InvalidInput: that is no head.
        """
        kept = None if head is None else audit.parsed_head(head)
        with self._brain.read() as connection:
            return audit.verify(connection, self._brain.id, kept)

    def entries(self, *, limit: int = 100, trace_id: str | None = None) -> list[AuditEntry]:
        """The newest entries, of one trace or of all, oldest first."""
        checked_limit("limit", limit)
        if trace_id is not None:
            checked_trace_id(trace_id)
        with self._brain.read() as connection:
            return audit.entries(connection, self._brain.id, limit=limit, trace_id=trace_id)
