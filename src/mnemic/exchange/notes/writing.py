"""Writes traces as notes, into `{scope}/{type}/{id}.md`."""

from __future__ import annotations

import re
from pathlib import Path

from mnemic.encode.write import Progress
from mnemic.exchange.notes.files import Folder, Unwritable, folded, is_safe
from mnemic.exchange.notes.note import written
from mnemic.exchange.portable.snapshot import Snapshot
from mnemic.model.answer import Unexported
from mnemic.model.errors import StorageError
from mnemic.store.types import AnyRow

_OWN_ID = re.compile(r"mt_[0-9a-f]{32}")


def write_notes(
    snapshot: Snapshot, path: Path, *, obsidian: bool, progress: Progress | None
) -> tuple[int, list[Unexported]]:
    """Write a note for each trace; returns how many, and those that were left out.

    Raises:
        StorageError: a file could not be written, such as on a full disk; all others were tried.
    """
    try:
        folder = Folder(path)
    except OSError as error:
        raise StorageError(f"{str(path)!r} cannot be written: {error}") from error
    refused: list[Unexported] = []
    failed: list[str] = []
    names: dict[tuple[str, str], set[str]] = {}
    count = 0
    try:
        for done, row in enumerate(snapshot.traces(), 1):
            taken = names.setdefault((row.scope, row.type), set())
            try:
                problem = _problem(row, taken)
                if problem is None:
                    text = written(row, obsidian=obsidian)
                    folder.write((row.scope, row.type), f"{row.id}.md", text)
                    count += 1
            except Unwritable as error:
                problem = ("file", str(error))
            except OSError as error:
                failed.append(f"{row.id}: {error}")
                problem = ("file", "error")
            if problem is not None:
                refused.append(Unexported(row.id, *problem))
            if progress is not None:
                progress(done, 0, "export")
    finally:
        folder.close()
    if failed:
        raise StorageError(f"{len(failed)} notes could not be written; the first: {failed[0]}")
    return count, refused


def _problem(row: AnyRow, taken: set[str]) -> tuple[str, str] | None:
    """What keeps a trace from being a file; the field at fault, and the problem."""
    for field in ("scope", "type", "id"):
        if not is_safe(getattr(row, field)):
            return field, "name"
    name = folded(row.id)
    if name in taken:
        return "id", "collision"
    if not _OWN_ID.fullmatch(row.id):
        taken.add(name)  # ids as we make them differ in more than their case
    return None
