"""The SQLite export: one brain in a file of its own, which is itself a brain to open.

It holds every version, vector and tombstone, and the secret keys of the digests: keep it as you
keep the brain.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import select

from mnemic.encode.restore import Carried, restore
from mnemic.encode.write import Progress
from mnemic.model.errors import BrainTooNew, ImportFormatError, StorageError
from mnemic.model.times import Clock
from mnemic.settings import Settings
from mnemic.store import sqlite
from mnemic.store.brain import Brain
from mnemic.store.keys import NewKey
from mnemic.store.schema import key_ring


def write_database(
    snapshot: Carried,
    path: Path,
    settings: Settings,
    clock: Clock,
    new_key: NewKey,
    progress: Progress | None,
) -> int:
    """Write a brain into a new file; returns how many traces are in it.

    Nothing may stand at `path`; the file is there only when it is whole.
    """
    brain = Brain.open(path, snapshot.brain_id, settings, clock, new_key)
    try:
        count = restore(brain, clock, snapshot, progress)
        sqlite.compact(brain.engine)
        sqlite.as_one_file(brain.engine)
    finally:
        brain.close()
    return count


@contextmanager
def opened_copy(path: Path, settings: Settings, clock: Clock, new_key: NewKey) -> Iterator[Brain]:
    """The one brain that a file of mnemic's holds, opened as a copy: the file is only read.

    Raises:
        ImportFormatError: it is no such file, is damaged, or holds several brains.
    """
    with tempfile.TemporaryDirectory(prefix="mnemic-") as folder:
        copy = Path(folder) / "copy.db"
        copied(path, copy)
        brain = None
        try:
            brain = Brain.open(copy, _only_brain(path, copy), settings, clock, new_key)
            with brain.read() as connection:
                structure = sqlite.integrity(connection)
            if structure != "ok":
                raise ImportFormatError(f"{path} is damaged: {structure}")
            yield brain
        except BrainTooNew as error:
            raise BrainTooNew(str(error).replace(str(copy), str(path))) from None
        except StorageError as error:
            if str(copy) not in str(error):
                raise  # it is not of the file that is read
            told = str(error).replace(str(copy), str(path))
            raise ImportFormatError(f"{path} is damaged: {told}") from error
        finally:
            if brain is not None:
                brain.close()


def copied(path: Path, copy: Path) -> None:
    """Copy a SQLite file as it stands, also while another program holds it open.

    Raises:
        ImportFormatError: it is no SQLite file, or is damaged.
    """
    # Without a log nobody writes: SQLite then need not make files of its own beside the source.
    still = "" if Path(f"{path}-wal").exists() else "&immutable=1"
    try:
        source = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro{still}", uri=True, timeout=10)
        try:
            target = sqlite3.connect(copy)
            try:
                source.backup(target, pages=4_096)
            finally:
                target.close()
        finally:
            source.close()
    except sqlite3.Error as error:
        raise ImportFormatError(f"{path} cannot be read as a SQLite file: {error}") from error


def is_own(path: Path) -> bool:
    """Whether a SQLite file is a brain of mnemic's."""
    with path.open("rb") as file:
        file.seek(68)  # where SQLite keeps the mark that an application puts into its files
        return file.read(4) == sqlite.APPLICATION_ID.to_bytes(4, "big")


def _only_brain(path: Path, copy: Path) -> str:
    connection = sqlite3.connect(copy)
    try:
        found = connection.execute(str(select(key_ring.c.brain_id).distinct())).fetchall()
    except sqlite3.Error as error:
        raise ImportFormatError(f"{path} is no whole brain: {error}") from error
    finally:
        connection.close()
    if len(found) != 1:
        names = ", ".join(repr(row[0]) for row in found) or "none"
        raise ImportFormatError(
            f"{path} holds {len(found)} brains ({names}); export the one that is meant"
        )
    return str(found[0][0])
