"""mnemic: long-term memory for AI agents that people can trust.

The public names are loaded when they are first used, so that importing the package is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mnemic import errors as errors
    from mnemic.aio import (
        AsyncAuditLog,
        AsyncBoundGraph,
        AsyncBoundMemory,
        AsyncBoundMind,
        AsyncBoundReminders,
        AsyncMemory,
        AsyncReviewer,
    )
    from mnemic.bound import BoundMemory
    from mnemic.bound.graph import BoundGraph
    from mnemic.bound.mind import BoundMind
    from mnemic.bound.reminders import BoundReminders
    from mnemic.consolidate.summarize import Summarizer
    from mnemic.exchange.migrate import migrate
    from mnemic.exchange.sources import sources
    from mnemic.index.embed.base import Embedder
    from mnemic.maintain.audit_log import AuditLog
    from mnemic.memory import Memory
    from mnemic.mind.feedback import Signal
    from mnemic.model.answer import (
        ArmScore,
        AuditEntry,
        AuditReport,
        BrainStats,
        Exported,
        Health,
        History,
        Hit,
        ImportResult,
        Merged,
        Migrated,
        Receipt,
        SearchMode,
        Stats,
        Status,
        Unexported,
        Why,
    )
    from mnemic.model.concern import Concern
    from mnemic.model.consolidation import Changed, Consolidated, Run, StepReport
    from mnemic.model.fact import Fact
    from mnemic.model.governance import Certificate, HeldFact, LedgerEntry, Residue, ReviewItem
    from mnemic.model.graph import Alias, Region, Thing, Tied, Way
    from mnemic.model.insight import InMind, MindChange, Rehydrated, Strength
    from mnemic.model.mind import MOODS, Emotion, Mood, Personality
    from mnemic.model.origin import Channel, Origin, Role, SourceType
    from mnemic.model.packet import ContextPacket, Line, Omitted, Partial, Reminder, Section, Style
    from mnemic.model.policy import Capability
    from mnemic.model.scope import Principal, Reach, Scope
    from mnemic.model.times import UNCHANGED
    from mnemic.model.trace import Draft, Trace, TraceType, Version
    from mnemic.model.trust import Trust
    from mnemic.retrieve.plug import Expander, Reranker
    from mnemic.reviewer import Reviewer
    from mnemic.settings import Settings
    from mnemic.tools import Tool

__version__ = "0.1.0"

_HOMES = {
    "mnemic.aio": (
        "AsyncAuditLog",
        "AsyncBoundGraph",
        "AsyncBoundMemory",
        "AsyncBoundMind",
        "AsyncBoundReminders",
        "AsyncMemory",
        "AsyncReviewer",
    ),
    "mnemic.bound": ("BoundMemory",),
    "mnemic.bound.graph": ("BoundGraph",),
    "mnemic.bound.mind": ("BoundMind",),
    "mnemic.bound.reminders": ("BoundReminders",),
    "mnemic.consolidate.summarize": ("Summarizer",),
    "mnemic.exchange.migrate": ("migrate",),
    "mnemic.exchange.sources": ("sources",),
    "mnemic.index.embed.base": ("Embedder",),
    "mnemic.maintain.audit_log": ("AuditLog",),
    "mnemic.memory": ("Memory",),
    "mnemic.mind.feedback": ("Signal",),
    "mnemic.model.answer": (
        "ArmScore",
        "AuditEntry",
        "AuditReport",
        "BrainStats",
        "Exported",
        "Health",
        "History",
        "Hit",
        "ImportResult",
        "Merged",
        "Migrated",
        "Receipt",
        "SearchMode",
        "Stats",
        "Status",
        "Unexported",
        "Why",
    ),
    "mnemic.model.concern": ("Concern",),
    "mnemic.model.consolidation": (
        "Changed",
        "Consolidated",
        "Run",
        "StepReport",
    ),
    "mnemic.model.fact": ("Fact",),
    "mnemic.model.governance": (
        "Certificate",
        "HeldFact",
        "LedgerEntry",
        "Residue",
        "ReviewItem",
    ),
    "mnemic.model.graph": (
        "Alias",
        "Region",
        "Thing",
        "Tied",
        "Way",
    ),
    "mnemic.model.insight": (
        "InMind",
        "MindChange",
        "Rehydrated",
        "Strength",
    ),
    "mnemic.model.mind": (
        "MOODS",
        "Emotion",
        "Mood",
        "Personality",
    ),
    "mnemic.model.origin": (
        "Channel",
        "Origin",
        "Role",
        "SourceType",
    ),
    "mnemic.model.packet": (
        "ContextPacket",
        "Line",
        "Omitted",
        "Partial",
        "Reminder",
        "Section",
        "Style",
    ),
    "mnemic.model.policy": ("Capability",),
    "mnemic.model.scope": (
        "Principal",
        "Reach",
        "Scope",
    ),
    "mnemic.model.times": ("UNCHANGED",),
    "mnemic.model.trace": (
        "Draft",
        "Trace",
        "TraceType",
        "Version",
    ),
    "mnemic.model.trust": ("Trust",),
    "mnemic.retrieve.plug": (
        "Expander",
        "Reranker",
    ),
    "mnemic.reviewer": ("Reviewer",),
    "mnemic.settings": ("Settings",),
    "mnemic.tools": ("Tool",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "MOODS",
    "UNCHANGED",
    "Alias",
    "ArmScore",
    "AsyncAuditLog",
    "AsyncBoundGraph",
    "AsyncBoundMemory",
    "AsyncBoundMind",
    "AsyncBoundReminders",
    "AsyncMemory",
    "AsyncReviewer",
    "AuditEntry",
    "AuditLog",
    "AuditReport",
    "BoundGraph",
    "BoundMemory",
    "BoundMind",
    "BoundReminders",
    "BrainStats",
    "Capability",
    "Certificate",
    "Changed",
    "Channel",
    "Concern",
    "Consolidated",
    "ContextPacket",
    "Draft",
    "Embedder",
    "Emotion",
    "Expander",
    "Exported",
    "Fact",
    "Health",
    "HeldFact",
    "History",
    "Hit",
    "ImportResult",
    "InMind",
    "LedgerEntry",
    "Line",
    "Memory",
    "Merged",
    "Migrated",
    "MindChange",
    "Mood",
    "Omitted",
    "Origin",
    "Partial",
    "Personality",
    "Principal",
    "Reach",
    "Receipt",
    "Region",
    "Rehydrated",
    "Reminder",
    "Reranker",
    "Residue",
    "ReviewItem",
    "Reviewer",
    "Role",
    "Run",
    "Scope",
    "SearchMode",
    "Section",
    "Settings",
    "Signal",
    "SourceType",
    "Stats",
    "Status",
    "StepReport",
    "Strength",
    "Style",
    "Summarizer",
    "Thing",
    "Tied",
    "Tool",
    "Trace",
    "TraceType",
    "Trust",
    "Unexported",
    "Version",
    "Way",
    "Why",
    "errors",
    "migrate",
    "sources",
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
