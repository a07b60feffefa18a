"""Remembers that traces were recalled, and what that does to them, written after the answer.

A use is a note, no change of what is remembered. It never makes a reader wait: while somebody
else writes, uses are kept and go with the next ones.
"""

from __future__ import annotations

import threading

from mnemic.model.errors import StorageError
from mnemic.retrieve.use import Use, take_effect
from mnemic.store.brain import Brain

_MOST_KEPT = 1_000
"""Recalls that are kept for later; more than that are dropped."""


class Touches:
    """Uses of one brain that are on their way to the disk. Threads may share it."""

    def __init__(self, brain: Brain) -> None:
        self._brain = brain
        self._lock = threading.Lock()
        self._kept: list[Use] = []

    def add(self, use: Use) -> None:
        """Note a recall, and write what has gathered, if that can be done now."""
        if use.ids:
            with self._lock:
                if len(self._kept) < _MOST_KEPT:
                    self._kept.append(use)
        self.flush()

    def flush(self) -> None:
        """Write what has gathered; keep it when somebody else is writing."""
        with self._lock:
            if not self._kept:
                return
            try:
                with self._brain.jot() as connection:
                    if connection is None:
                        return
                    take_effect(connection, self._brain, self._kept)
            except StorageError:
                # A brain that can be read but not written still answers.
                return
            self._kept.clear()
