"""The front door, awaited: the same names, the same arguments, the same answers.

Each call runs in a thread, so that the event loop goes on.
"""

from mnemic.aio.bound import (
    AsyncBoundGraph,
    AsyncBoundMemory,
    AsyncBoundMind,
    AsyncBoundReminders,
)
from mnemic.aio.memory import AsyncAuditLog, AsyncMemory
from mnemic.aio.reviewer import AsyncReviewer

__all__ = [
    "AsyncAuditLog",
    "AsyncBoundGraph",
    "AsyncBoundMemory",
    "AsyncBoundMind",
    "AsyncBoundReminders",
    "AsyncMemory",
    "AsyncReviewer",
]
