"""The files that an export consists of: one file, a zip archive as downloaded, or a folder.

A reader is handed one part after the other and never learns which of the three it was. Every
file that is not handed on gives an item that says so. Links in a folder are not followed: they
could lead out of it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Any

from mnemic.errors import ImportFormatError
from mnemic.exchange.archives import Archive, checked_path, is_zip, opened
from mnemic.exchange.common import Item, is_record, open_bytes
from mnemic.exchange.json_stream import elements

ANY_JSON = re.compile(r".*\.json", re.IGNORECASE | re.DOTALL)

MAX_GATHERED = 500_000
"""Most elements of a file that is one record: it is held whole."""

_WRAPPERS = frozenset({"conversations", "projects", "memories", "items"})
_DIGITS = re.compile(r"([0-9]+)")
_TEXTS = (".json", ".html", ".md", ".txt", ".csv", ".af", ".jsonl")


@dataclass(frozen=True, slots=True)
class Part:
    """One file of an export.

    Args:
        name: its place in the export, such as "projects/one.json".
        told: what errors call it: with the path of the export.
        open: its bytes, from the beginning; may be called again.
    """

    name: str
    told: str
    open: Callable[[], IO[bytes]]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which files of an archive or a folder are read, by the end of their names.

    Args:
        first: those that are read when there are any.
        else_: those that are read when there is none of the first.
        told: what the error calls them when there is neither.
    """

    first: re.Pattern[str]
    else_: re.Pattern[str]
    told: str

    def among(self, names: Iterable[str], archives: frozenset[str]) -> frozenset[str]:
        """The names of the files to read, with those of the archives beside them."""
        given = frozenset(names) - archives
        found = archives | _ending(self.first, given)
        return found or _ending(self.else_, given)


def _ending(pattern: re.Pattern[str], names: frozenset[str]) -> frozenset[str]:
    return frozenset(name for name in names if pattern.fullmatch(name.rpartition("/")[2]))


def each_part(
    path: str | Path, wanted: Wanted, read: Callable[[Part], Iterator[Item]]
) -> Iterator[Item]:
    """The items of every part of an export, in the order of their names.

    Args:
        path: a file, which is read whatever its name; an archive; or a folder with both.
        wanted: which files of an archive or a folder are read.
        read: gives the items of a part.

    Raises:
        ImportFormatError: there is nothing to read, or the file or archive cannot be read. In a
            folder a file that cannot be read is an item, and the others are read.
    """
    file = checked_path(path)
    if file.is_dir():
        yield from _of_folder(file, wanted, read)
    elif is_zip(file):
        yield from _of_zip(file, wanted, read)
    else:
        yield from read(Part(file.name, str(file), partial(open_bytes, file)))


def _of_zip(file: Path, wanted: Wanted, read: Callable[[Part], Iterator[Item]]) -> Iterator[Item]:
    with opened(file) as archive:
        chosen = wanted.among(archive.names, frozenset())
        if not chosen:
            raise ImportFormatError(f"{file} holds no {wanted.told}")
        for name in sorted(archive.names, key=in_order):
            if name in chosen:
                yield from read(_entry(archive, file, name))
            else:
                yield _left_out(name)


def _entry(archive: Archive, file: Path, name: str) -> Part:
    return Part(name, f"{file}/{name}", partial(archive.open, name))


def _of_folder(
    folder: Path, wanted: Wanted, read: Callable[[Part], Iterator[Item]]
) -> Iterator[Item]:
    files = dict(_walk(folder))
    plain = {name for name, file in files.items() if not file.is_symlink() and file.is_file()}
    zips = frozenset(name for name in plain if is_zip(files[name]))
    chosen = wanted.among(plain, zips)
    if not chosen:
        raise ImportFormatError(f"{folder} holds no {wanted.told}")
    for name in sorted(files, key=in_order):
        if name not in chosen:
            yield _left_out(name) if name in plain else Item(name, skipped="link or device")
            continue
        try:
            if name in zips:
                yield from _of_zip(files[name], wanted, read)
            else:
                yield from read(Part(name, str(files[name]), partial(open_bytes, files[name])))
        except ImportFormatError as error:
            yield Item(name, error=str(error))


def _walk(folder: Path) -> Iterator[tuple[str, Path]]:
    """Everything below a folder that is no folder itself, by its place in it."""
    for where, folders, names in os.walk(folder, onerror=_unreadable):  # does not follow links
        links = [name for name in folders if Path(where, name).is_symlink()]
        for name in (*names, *links):
            file = Path(where, name)
            yield file.relative_to(folder).as_posix(), file


def _unreadable(error: OSError) -> None:
    raise ImportFormatError(f"{error.filename!r} cannot be read: {error}") from error


def _left_out(name: str) -> Item:
    return Item(name, skipped="other file" if name.lower().endswith(_TEXTS) else "attachment")


def in_order(name: str) -> list[tuple[int, str]]:
    """A key that sorts names as people count: conversations-2 before conversations-10."""
    found = []
    for place, part in enumerate(_DIGITS.split(name)):  # every second part is digits
        number = part.lstrip("0") if place % 2 else part
        found.append((len(number) if place % 2 else 0, number))
    return found


def records(part: Part, marker: str, lists: tuple[str, ...] = ()) -> Iterator[Any]:
    """The records of a JSON file, one after the other, without holding the others.

    They are the elements of an array; or in an object the elements of "conversations" and the
    like, and what holds the key `marker`. What is left of an object is the last record, if it
    has the marker, or if there was no other.

    Args:
        part: the file.
        marker: a key that every record has, and the members of a record have not.
        lists: the keys of a record whose values are lists, gathered again when the file is one
            record.

    Raises:
        ImportFormatError: the file cannot be read, or is one record of very many elements.
    """
    alone: dict[str, Any] = {}
    gathered = 0
    found = False
    with part.open() as stream:
        for key, value in elements(stream, part.told):
            if key is None or key in _WRAPPERS or (is_record(value) and marker in value):
                found = True
                yield value
            elif key in lists:
                gathered += 1
                if gathered > MAX_GATHERED:
                    raise ImportFormatError(f"{part.told} is one record of too many elements")
                alone.setdefault(key, []).append(value)
            else:
                alone[key] = value
    if marker in alone or (alone and not found):
        yield alone
