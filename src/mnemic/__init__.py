"""mnemic: long-term memory for AI agents that people can trust.

The public names are loaded when they are first used, so that importing the package is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mnemic import errors as errors
    from mnemic.aio import AsyncAuditLog, AsyncBoundMemory, AsyncMemory
    from mnemic.index.embed.base import Embedder
    from mnemic.bound import BoundMemory
    from mnemic.memory import AuditLog, Memory
    from mnemic.model.answer import (
        ArmScore,
        AuditEntry,
        AuditReport,
        BrainStats,
        ContextPacket,
        Health,
        History,
        Hit,
        ImportResult,
        Receipt,
        Stats,
        Status,
        Why,
    )
    from mnemic.model.origin import Role, SourceType
    from mnemic.model.scope import Principal, Reach, Scope
    from mnemic.model.times import UNCHANGED
    from mnemic.model.trace import Draft, Trace, TraceType, Version
    from mnemic.model.trust import Trust
    from mnemic.settings import Settings

__version__ = "0.1.0"

_HOMES = {
    "mnemic.aio": ("AsyncAuditLog", "AsyncBoundMemory", "AsyncMemory"),
    "mnemic.index.embed.base": ("Embedder",),
    "mnemic.bound": ("BoundMemory",),
    "mnemic.memory": ("AuditLog", "Memory"),
    "mnemic.model.answer": (
        "ArmScore",
        "AuditEntry",
        "AuditReport",
        "BrainStats",
        "ContextPacket",
        "Health",
        "History",
        "Hit",
        "ImportResult",
        "Receipt",
        "Stats",
        "Status",
        "Why",
    ),
    "mnemic.model.scope": ("Principal", "Reach", "Scope"),
    "mnemic.model.times": ("UNCHANGED",),
    "mnemic.model.trace": (
        "Draft",
        "Role",
        "SourceType",
        "Trace",
        "TraceType",
        "Trust",
        "Version",
    ),
    "mnemic.settings": ("Settings",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "UNCHANGED",
    "ArmScore",
    "AsyncAuditLog",
    "AsyncBoundMemory",
    "AsyncMemory",
    "AuditEntry",
    "AuditLog",
    "AuditReport",
    "BoundMemory",
    "BrainStats",
    "ContextPacket",
    "Draft",
    "Embedder",
    "Health",
    "History",
    "Hit",
    "ImportResult",
    "Memory",
    "Principal",
    "Reach",
    "Receipt",
    "Role",
    "Scope",
    "Settings",
    "SourceType",
    "Stats",
    "Status",
    "Trace",
    "TraceType",
    "Trust",
    "Version",
    "Why",
    "errors",
]


def __getattr__(name: str) -> object:
    if name == "errors":
        return import_module("mnemic.errors")
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'mnemic' has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
