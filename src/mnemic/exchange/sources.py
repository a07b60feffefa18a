"""What other programs on this machine remember: where it is, and how much.

A thin front of `exchange/programs`, which is loaded when it is first asked for.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from mnemic.exchange.common import Item
from mnemic.model.errors import ImportFormatError, InvalidInput

if TYPE_CHECKING:
    from mnemic.exchange.programs.registry import Source


PROGRAM_NAMES = (
    "claude-code",
    "cursor",
    "windsurf",
    "aider",
    "copilot",
    "codex",
    "gemini",
    "opencode",
    "pi",
)
"""Those of `programs.registry`, which takes a while to load."""

_LOOKED_AT = 200
"""Items of a file that tell whose it is."""


def program_of(file: Path) -> str | None:
    """The program whose file this is; None where none of them, or several, find a memory in it."""
    found = [name for name in PROGRAM_NAMES if _finds_something(name, file)]
    return found[0] if len(found) == 1 else None


def _finds_something(name: str, file: Path) -> bool:
    try:
        items = list(islice(read_program(name, [file]), _LOOKED_AT))
    except ImportFormatError:
        return False
    return any(item.draft is not None for item in items)


def sources(project: str | Path | None = None) -> list[Source]:
    """What the programs that can be read hold on this machine; nothing is changed.

    Args:
        project: the folder of a project, whose own files are looked at too.
    """
    from mnemic.exchange.programs.registry import scan

    folder = None if project is None else Path(project)
    return scan(Path.home(), folder, os.environ, sys.platform)


def places_of(program: str, project: str | Path | None = None) -> list[Path]:
    """Where a program keeps what it remembers by default, as far as it is there.

    Raises:
        InvalidInput: the program is unknown.
    """
    from mnemic.exchange.programs.registry import PROGRAMS

    if program not in PROGRAMS:
        raise InvalidInput(f"program {program!r} is unknown; use one of: {', '.join(PROGRAMS)}")
    folder = None if project is None else Path(project)
    found = PROGRAMS[program].places(Path.home(), folder, os.environ, sys.platform)
    return [place for place in dict.fromkeys(found) if place.exists()]


def note_of(program: str) -> str | None:
    """What of a program cannot be read, in words; None for nothing."""
    from mnemic.exchange.programs.registry import PROGRAMS

    return PROGRAMS[program].note


def read_program(
    program: str, places: Iterable[Path], timezone: str | None = None
) -> Iterator[Item]:
    """The items of all files of a program at some places."""
    from mnemic.exchange.programs import registry

    return registry.read_program(program, places, timezone)
