"""The programs whose memories can be read, and a look at what they hold on a machine.

Looking reads only, and what goes wrong with one file or one program never stops the others: it
is told in the result.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Protocol

from mnemic.errors import InvalidInput
from mnemic.exchange.common import Item, zone_of
from mnemic.exchange.programs import (
    aider,
    claude_code,
    codex,
    copilot,
    cursor,
    gemini,
    opencode,
    pi,
    windsurf,
)
from mnemic.exchange.programs.found import Found, Kind, Skip
from mnemic.exchange.programs.turns import Seen

MAX_ERRORS = 100
"""Most errors of a place that a look tells in words; all are counted."""

Places = Callable[[Path, Path | None, Mapping[str, str], str], list[Path]]


class Read(Protocol):
    """Reads one file of a program."""

    def __call__(
        self, found: Found, *, timezone: str | None = None, seen: Seen | None = None
    ) -> Iterator[Item]:
        """The items of the file, in its order; raises InvalidInput for an unknown zone."""
        ...


@dataclass(frozen=True, slots=True)
class Program:
    """A program that keeps memories.

    Args:
        places: where it keeps things by default.
        find: the files of a place that hold something.
        read: the items of such a file.
        note: what of it cannot be read.
    """

    places: Places
    find: Callable[[Path], Iterator[Found]]
    read: Read
    note: str | None = None


PROGRAMS: dict[str, Program] = {
    "claude-code": Program(claude_code.places, claude_code.find, claude_code.read),
    "cursor": Program(cursor.places, cursor.find, cursor.read),
    "windsurf": Program(
        windsurf.places,
        windsurf.find,
        windsurf.read,
        "its conversations, and the memories it makes by itself, are encrypted",
    ),
    "aider": Program(aider.places, aider.find, aider.read),
    "copilot": Program(copilot.places, copilot.find, copilot.read),
    "codex": Program(codex.places, codex.find, codex.read),
    "gemini": Program(gemini.places, gemini.find, gemini.read),
    "opencode": Program(opencode.places, opencode.find, opencode.read),
    "pi": Program(pi.places, pi.find, pi.read),
}


@dataclass(frozen=True, slots=True)
class Source:
    """What one place of a program holds.

    Args:
        program: a key of PROGRAMS.
        place: the file or folder.
        files: how many files hold something.
        sessions: how many conversations.
        items: how many drafts would come in.
        bytes: the size of the files.
        newest: the time of the newest draft.
        skipped: how many parts are no memories, by why.
        failed: how many parts cannot be read.
        errors: where and why, for the first MAX_ERRORS of them.
    """

    program: str
    place: Path
    files: int
    sessions: int
    items: int
    bytes: int
    newest: datetime | None
    skipped: Mapping[str, int]
    failed: int
    errors: tuple[tuple[str, str], ...]


def scan(home: Path, project: Path | None, env: Mapping[str, str], platform: str) -> list[Source]:
    """What the programs hold at their default places; a place without anything is left out.

    Args:
        home: the person's home folder.
        project: the folder of a project, whose own files are looked at too.
        env: the environment, for the variables that move a place.
        platform: as `sys.platform` names it.
    """
    if project is not None and project.resolve() == home.resolve():
        project = None  # the folders of both would be the same
    found = []
    for name, program in PROGRAMS.items():
        seen: Seen = set()
        for place in dict.fromkeys(program.places(home, project, env, platform)):
            source = _looked_at(name, program, place, seen)
            if source.files or source.skipped or source.failed:
                found.append(source)
    return found


@dataclass(slots=True)
class _Count:
    files: int = 0
    items: int = 0
    bytes: int = 0
    failed: int = 0
    newest: datetime | None = None
    threads: set[str] = field(default_factory=set)
    skipped: Counter[str] = field(default_factory=Counter)
    errors: list[tuple[str, str]] = field(default_factory=list)

    def add(self, item: Item) -> None:
        draft = item.draft
        if draft is not None:
            self.items += 1
            if draft.thread is not None:
                self.threads.add(draft.thread)
            if isinstance(draft.time, datetime):
                self.newest = max(self.newest or draft.time, draft.time)
        elif item.error is not None:
            self.failed += 1
            if len(self.errors) < MAX_ERRORS:
                self.errors.append((item.where, item.error))
        else:
            self.skipped[str(item.skipped)] += 1


def _looked_at(name: str, program: Program, place: Path, seen: Seen) -> Source:
    count = _Count()
    for one in program.find(place):
        if one.kind is not Kind.OTHER:
            count.files += 1
            count.bytes += _size(one.path)
        for item in program.read(one, seen=seen):
            count.add(item)
    return Source(
        name,
        place,
        count.files,
        len(count.threads),
        count.items,
        count.bytes,
        count.newest,
        dict(count.skipped),
        count.failed,
        tuple(count.errors),
    )


def _size(path: Path) -> int:
    try:
        return path.lstat().st_size
    except OSError:  # gone since it was found
        return 0


def read_program(name: str, places: Iterable[Path], timezone: str | None = None) -> Iterator[Item]:
    """The items of all files of a program at some places, each message once.

    Args:
        name: a key of PROGRAMS.
        places: files or folders, default ones or any other.
        timezone: the zone of times that name none.

    Raises:
        InvalidInput: the program or the zone is unknown.
    """
    if name not in PROGRAMS:
        raise InvalidInput(f"unknown program {name!r}: use one of {', '.join(PROGRAMS)}")
    zone_of(timezone)  # refused here, not with the first file
    return _items(PROGRAMS[name], places, timezone)


def _items(program: Program, places: Iterable[Path], timezone: str | None) -> Iterator[Item]:
    seen: Seen = set()
    for place in places:
        if not os.path.lexists(place):
            yield Item(str(place), error="there is no such file or folder")
            continue
        nothing = True
        for one in program.find(place):
            nothing = False
            yield from program.read(one, timezone=timezone, seen=seen)
        if nothing:
            yield Item(str(place), skipped=Skip.NOTHING)
