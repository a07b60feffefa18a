"""Writes a brain, or a caller's part of it, into a file or a folder."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from mnemic.encode.write import Progress
from mnemic.exchange.portable.database import write_database
from mnemic.exchange.portable.document import Options, write_document
from mnemic.exchange.portable.snapshot import Snapshot
from mnemic.model.answer import Exported
from mnemic.model.errors import InvalidInput, StorageError
from mnemic.model.times import Clock, to_ms
from mnemic.store.brain import Brain
from mnemic.store.carried import Selection
from mnemic.store.keys import NewKey

T = TypeVar("T")


class Format(StrEnum):
    """What an export is written as."""

    SQLITE = "sqlite"
    JSON = "json"
    MARKDOWN = "markdown"
    OBSIDIAN = "obsidian"


@dataclass(frozen=True, slots=True)
class Export:
    """What is asked for.

    Args:
        path: the new file, or the folder.
        format: in which form; None goes by the ending of the path.
        selection: which part of the brain.
        embeddings: vectors in a JSON export as well.
        conversations: conversations and messages in a JSON export as well.
        owner: whether the owner of the brain asks: keys, tombstones and the audit log come along.
    """

    path: Path
    format: Format | None
    selection: Selection
    embeddings: bool
    conversations: bool
    owner: bool


def export(
    brain: Brain,
    clock: Clock,
    new_key: NewKey,
    asked: Export,
    progress: Progress | None = None,
) -> Exported:
    """Write an export; what is at the path is whole, or not there.

    Raises:
        InvalidInput: there is something at the path already, or a caller asks for SQLite.
        StorageError: it cannot be written.
    """
    format = asked.format or format_of(asked.path)
    if format in (Format.MARKDOWN, Format.OBSIDIAN):
        return _notes(brain, asked, format, progress)
    if format is Format.SQLITE and not asked.owner:
        raise InvalidInput(
            "a SQLite export is a whole brain with its keys, for its owner; a caller's part of it "
            "is exported as json, markdown or obsidian"
        )
    with brain.read() as connection:
        if format is Format.SQLITE:
            snapshot = Snapshot(connection, brain, asked.selection, vectors=True)
            count = _into(
                asked.path,
                lambda path: write_database(
                    snapshot, path, brain.settings, clock, new_key, progress
                ),
            )
        else:
            snapshot = Snapshot(connection, brain, asked.selection, vectors=asked.embeddings)
            options = Options(asked.embeddings, asked.conversations, asked.owner)
            head = {
                "schema_version": "3",
                "scope_id_form": "encoded",
                "exported_at": str(to_ms(clock())),
            }
            count = _into(
                asked.path, lambda path: _write_text(snapshot, options, head, path, progress)
            )
    return Exported(str(asked.path), format.value, count)


def format_of(path: Path) -> Format:
    """The format that the ending of a path stands for; a folder of notes for any other."""
    match path.suffix.lower():
        case ".json":
            return Format.JSON
        case ".sqlite" | ".db":
            return Format.SQLITE
        case _:
            return Format.MARKDOWN


def _write_text(
    snapshot: Snapshot,
    options: Options,
    head: dict[str, str],
    path: Path,
    progress: Progress | None,
) -> int:
    written = 0
    with path.open("w", encoding="utf-8", newline="\n") as file:

        def write(text: str) -> None:
            nonlocal written
            file.write(text)
            written += 1
            if progress is not None and written % 1_000 == 0:
                progress(written, 0, "export")

        count = write_document(snapshot, options, head, write)
        file.flush()
        os.fsync(file.fileno())
    return count


def _into(path: Path, write: Callable[[Path], T]) -> T:
    """Write a file beside its place, for its owner alone, and move it there when it is whole."""
    if os.path.lexists(path):
        raise InvalidInput(f"{str(path)!r} is there already; name a new file")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".mnemic-") as folder:
            part = Path(folder) / path.name
            part.touch(mode=0o600)
            result = write(part)
            _move(part, path)
        return result
    except OSError as error:
        raise StorageError(f"{str(path)!r} cannot be written: {error}") from error


def _move(part: Path, path: Path) -> None:
    """Put a whole file in its place, and nothing in the place of what has come there meanwhile."""
    try:
        os.link(part, path)
    except FileExistsError:
        raise InvalidInput(f"{str(path)!r} is there already; name a new file") from None
    except OSError:  # a file system without hard links
        part.rename(path)
    else:
        part.unlink()


def _notes(brain: Brain, asked: Export, format: Format, progress: Progress | None) -> Exported:
    from mnemic.exchange.notes.writing import write_notes

    with brain.read() as connection:
        snapshot = Snapshot(connection, brain, asked.selection, vectors=False)
        count, refused = write_notes(
            snapshot, asked.path, obsidian=format is Format.OBSIDIAN, progress=progress
        )
    return Exported(str(asked.path), format.value, count, tuple(refused))
