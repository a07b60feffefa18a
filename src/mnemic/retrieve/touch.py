"""Remembers that traces were recalled: counts and times, written after the answer.

A touch is a note about use, no change of memory. It never makes a reader wait: while somebody
else writes, touches are kept and go with the next ones.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable

from sqlalchemy import bindparam, update

from mnemic.model.errors import StorageError
from mnemic.store.brain import Brain
from mnemic.store.schema import traces

_MOST_KEPT = 10_000
"""Traces whose touches are kept for later; more than that are dropped."""

_update = (
    update(traces)
    .where(traces.c.brain_id == bindparam("of_brain"), traces.c.id == bindparam("of_trace"))
    .values(
        retrieval_count=traces.c.retrieval_count + bindparam("times"),
        last_accessed_at=bindparam("at"),
    )
)


class Touches:
    """Touches of one brain that are on their way to the disk. Threads may share it."""

    def __init__(self, brain: Brain) -> None:
        self._brain = brain
        self._lock = threading.Lock()
        self._kept: dict[str, tuple[int, int]] = {}

    def add(self, trace_ids: Iterable[str], at: int) -> None:
        """Note a recall of these traces, and write what has gathered, if that can be done now."""
        with self._lock:
            for trace_id in trace_ids:
                times, _ = self._kept.get(trace_id, (0, 0))
                if times or len(self._kept) < _MOST_KEPT:
                    self._kept[trace_id] = (times + 1, at)
        self.flush()

    def flush(self) -> None:
        """Write what has gathered; keep it when somebody else is writing."""
        with self._lock:
            if not self._kept:
                return
            rows = [
                {"of_brain": self._brain.id, "of_trace": trace_id, "times": times, "at": at}
                for trace_id, (times, at) in self._kept.items()
            ]
            try:
                with self._brain.jot() as connection:
                    if connection is None:
                        return
                    connection.execute(_update, rows)
            except StorageError:
                # A brain that can be read but not written still answers.
                return
            self._kept.clear()
