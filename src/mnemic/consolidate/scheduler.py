"""Consolidates again and again, until it is told to stop."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Self

from mnemic.model.consolidation import Consolidated
from mnemic.model.errors import MnemicError

log = logging.getLogger("mnemic")

Wait = Callable[[float], bool]
"""Waits for so many seconds; True when it was told to stop meanwhile."""


class Scheduler:
    """A thread that consolidates a brain at intervals.

    A run that fails is logged, and the next one comes at its time. `stop` interrupts a run after
    its batch; what it has done is kept.

    Args:
        consolidate: makes one run; is given what tells it to stop.
        every: seconds from the end of one run to the start of the next.
        wait: for tests; None waits in real time.
    """

    def __init__(
        self,
        consolidate: Callable[[Callable[[], bool]], Consolidated],
        every: float,
        wait: Wait | None = None,
    ) -> None:
        self._consolidate = consolidate
        self._every = every
        self._stopped = threading.Event()
        self._wait: Wait = self._stopped.wait if wait is None else wait
        self._thread = threading.Thread(target=self.loop, name="consolidate", daemon=True)

    def start(self) -> None:
        """Begin in the background; the first run comes after the first interval."""
        self._thread.start()

    def stop(self) -> None:
        """End; returns when the run that is at work has stopped."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join()

    def loop(self, told: Callable[[Consolidated], None] = lambda _report: None) -> None:
        """Consolidate at intervals in this thread, and tell of every run, until it is stopped."""
        while not self._wait(self._every) and not self._stopped.is_set():
            try:
                told(self._consolidate(self._stopped.is_set))
            except MnemicError as error:
                log.warning("consolidation failed: %s", error)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
