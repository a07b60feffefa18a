"""The brain of a server, opened once and not before it is needed.

A client waits for the answer to its first message only so long. The brain, and what it takes to
read it, are loaded after that answer.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from mnemic.model.errors import MnemicError
from mnemic.model.origin import Channel
from mnemic.model.scope import Principal

if TYPE_CHECKING:
    from mnemic.bound import BoundMemory
    from mnemic.memory import Memory

_log = logging.getLogger(__name__)

Opener = Callable[[], "Memory"]
"""Opens the brain."""


class Held:
    """A brain that threads share. Whoever made it, or opens it, closes it.

    Args:
        memory: the brain, or what opens it.
    """

    def __init__(self, memory: Memory | Opener) -> None:
        self._open: Opener = memory if callable(memory) else lambda: memory
        self._memory: Memory | None = None
        self._lock = threading.Lock()
        self._opening: threading.Thread | None = None

    def get(self) -> Memory:
        """The brain, opened by whichever thread comes first; the others wait.

        Raises:
            MnemicError: it cannot be opened. The next call tries again.
        """
        with self._lock:
            if self._memory is None:
                self._memory = self._open()
            return self._memory

    def bound(self, principal: Principal) -> BoundMemory:
        """The memory of a caller."""
        named = principal.actor != principal.channel.value
        return self.get().bind(
            user=principal.user,
            thread=principal.thread,
            persona=principal.persona,
            organization=principal.organization,
            namespace=principal.namespace,
            channel=principal.channel,
            actor=principal.actor if named else "",
        )

    def begin(self) -> None:
        """Have a thread open the brain, once, so that the first call finds it open."""
        if self._opening is None:
            self._opening = threading.Thread(target=self._opened, name="open-brain", daemon=True)
            self._opening.start()

    def settle(self) -> None:
        """Wait for the thread of `begin`, so that what it opens can be closed."""
        if self._opening is not None:
            self._opening.join()

    def _opened(self) -> None:
        try:
            self.get()
        except MnemicError as error:
            _log.error("the brain cannot be opened: %s", error)


def of_client(principal: Principal) -> Principal:
    """The principal as a client of the server has it: it never speaks for a person."""
    named = principal.actor != principal.channel.value
    actor = principal.actor if named else ""
    return replace(principal, channel=Channel.MCP, actor=actor)
