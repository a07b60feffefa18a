"""Find the files of a place without being led out of it or held up by it.

A link below a place is told and not followed; a place that is a link itself is followed only
within the folder it lies in, so that a project cannot point at another's files. What is no
regular file (a FIFO, a socket, a device) is told and never opened.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from mnemic.errors import ImportFormatError
from mnemic.exchange.common import read_head
from mnemic.exchange.programs.found import Found, Kind, Skip

Wanted = Callable[[Path, bool], Found | None]
"""What a regular file is to a program; the second argument is whether it was named, or lies
directly in the folder that was."""

HEAD_BYTES = 1 << 16
_RANK = {kind: rank for rank, kind in enumerate(Kind)}
_PASSED_BY = {"node_modules", ".git", "__pycache__"}


def walk(place: Path, wanted: Wanted) -> Iterator[Found]:
    """The wanted files of a folder, or the file itself; nothing when there is no such place."""
    try:
        mode = place.lstat().st_mode
        if stat.S_ISLNK(mode):
            target = place.resolve(strict=True)
            if not target.is_relative_to(place.parent.resolve()):
                yield Found(place, Kind.OTHER, skipped=Skip.LINK)
                return
            place, mode = target, target.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return
    except (OSError, ValueError, RuntimeError) as exc:  # ValueError: a NUL; RuntimeError: a loop
        yield Found(place, Kind.OTHER, error=f"cannot be looked at: {exc}")
        return
    if stat.S_ISDIR(mode):
        yield from sorted(_folder(place, wanted), key=lambda one: (_RANK[one.kind], one.path))
    elif not stat.S_ISREG(mode):
        yield Found(place, Kind.OTHER, skipped=Skip.SPECIAL)
    elif found := wanted(place, True):
        yield found


def _folder(place: Path, wanted: Wanted) -> Iterator[Found]:
    waiting = [place]
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(folder) as listing:
                entries = list(listing)
        except OSError as exc:
            yield Found(folder, Kind.OTHER, error=f"the folder cannot be listed: {exc}")
            continue
        for entry in entries:
            path = folder / entry.name
            if entry.is_symlink():
                yield Found(path, Kind.OTHER, skipped=Skip.LINK)
            elif entry.is_dir(follow_symlinks=False):
                waiting += [] if entry.name in _PASSED_BY else [path]
            elif not entry.is_file(follow_symlinks=False):
                yield Found(path, Kind.OTHER, skipped=Skip.SPECIAL)
            elif found := wanted(path, folder == place):
                yield found


def owner(place: Path, own: tuple[str, ...]) -> str | None:
    """The project that the instructions of a place belong to; None for a person's own.

    A person's own lie directly in a folder whose path ends as one of `own` does. Only the place
    counts, never a path below it: a project could hold folders of the same names.
    """
    place = place.absolute()
    if any(place.parent.as_posix().endswith(f"/{end}") for end in own):
        return None
    inside = place.name.startswith(".") or not place.is_dir()
    return (place.parent if inside else place).name or "project"


def files_in(folder: Path, suffix: str) -> Iterator[Found]:
    """The regular files of one folder by name; others are told."""
    if not folder.is_dir():
        return

    def wanted(path: Path, direct: bool) -> Found | None:
        return Found(path, Kind.OTHER) if direct and path.suffix == suffix else None

    yield from walk(folder, wanted)


def folders(path: Path) -> tuple[str, str, str]:
    """The names of the three folders that a file lies in, the nearest first."""
    names = [parent.name for parent in path.parents][:3]
    first, second, third = names + [""] * (3 - len(names))
    return first, second, third


def holds(path: Path, sign: re.Pattern[str]) -> bool:
    """Whether the sign stands in the first bytes of a file.

    A file that cannot be read counts as holding it, so that reading it tells why.
    """
    head = head_of(path)
    return head is None or sign.search(head) is not None


def head_of(path: Path) -> str | None:
    """The first bytes of a file as text, or None when they cannot be read."""
    try:
        return read_head(path, HEAD_BYTES)[0]
    except ImportFormatError:
        return None
