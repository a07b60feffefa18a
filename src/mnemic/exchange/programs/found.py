"""What a program left behind, and the phrases that say why something of it is no memory.

Every part of a file that is read ends as one of three: a draft, an error, or a `Skip`. The
phrases are few and fixed, so that a report can count them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class Skip(StrEnum):
    """Why something that was read is no memory."""

    TOOL_OUTPUT = "tool output"
    TOOL_CALL = "tool call"
    FILE_DUMP = "file dump"
    THINKING = "thinking"
    SYSTEM = "system message"
    NO_TEXT = "no text"
    COMMAND = "command"
    META = "meta"
    ATTACHMENT = "attachment"
    REPEATED = "repeated"
    TAKEN_BACK = "taken back"
    ENCRYPTED = "encrypted"
    LINK = "symbolic link"
    SPECIAL = "not a regular file"
    NOTHING = "nothing found"


class Kind(StrEnum):
    """What a file holds. The order is the one of reading: the fuller account comes first."""

    DATABASE = "database"
    SESSION = "session"
    AGENT = "agent"
    SUMMARY = "summary"
    INSTRUCTIONS = "instructions"
    MEMORY = "memory"
    HISTORY = "history"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Found:
    """A file that holds something, or one that is told but not read.

    Args:
        path: the file.
        kind: what it holds.
        project: the project it belongs to, where its place tells; None for what a person keeps
            for all projects.
        skipped: why it is not read.
        error: why it cannot be read.
    """

    path: Path
    kind: Kind
    project: str | None = None
    skipped: Skip | None = None
    error: str | None = None
