"""Read a SQLite database that a program may hold open, without touching it.

The files are copied to a temporary folder, with the journal of whatever was not yet written
through, and only the copy is opened: no lock, no write and no new file beside the original.
What was not committed is undone in the copy, as it would be after a crash.
"""

from __future__ import annotations

import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mnemic.errors import ImportFormatError
from mnemic.exchange.programs.text import storable

MAX_VALUE_BYTES = 1 << 26
"""Longest value read (64 MiB)."""

_BESIDE = ("", "-wal", "-journal")
_TRIES = 3
_VALUE = "CASE WHEN length(value) <= ? THEN value END, value IS NULL"


@dataclass(frozen=True, slots=True)
class Database:
    """A copy of a database that is open for reading.

    Args:
        connection: to the copy.
        tables: its plain tables; a view or a virtual table could compute for ever.
    """

    connection: sqlite3.Connection
    tables: frozenset[str]

    def values(self, table: str, prefix: str) -> Iterator[tuple[str, str | None]]:
        """Key and value of each row of a table of keys whose key begins so.

        A value that is too long is None, and one that is not there is blank.
        """
        if table in self.tables:
            query = f"SELECT key, {_VALUE} FROM {table} WHERE key >= ? AND key < ? ORDER BY rowid"
            bounds = (MAX_VALUE_BYTES, prefix, _after(prefix))
            for key, value, empty in self.connection.execute(query, bounds):
                yield str(key), "" if empty else _as_text(value)

    def keys(self, table: str, prefix: str) -> list[str]:
        """The keys that begin so, in the order in which they were written."""
        if table not in self.tables:
            return []
        query = f"SELECT key FROM {table} WHERE key >= ? AND key < ? ORDER BY rowid"
        return [str(row[0]) for row in self.connection.execute(query, (prefix, _after(prefix)))]

    def value(self, table: str, key: str) -> str | None:
        """The value of one key; blank when there is none, None when it is too long."""
        if table not in self.tables or storable(key) != key:
            return ""
        query = f"SELECT {_VALUE} FROM {table} WHERE key = ?"
        row = self.connection.execute(query, (MAX_VALUE_BYTES, key)).fetchone()
        return "" if row is None or row[1] else _as_text(row[0])


def _after(prefix: str) -> str:
    """The first key behind all that begin so: a range uses the index of the keys."""
    return prefix[:-1] + chr(ord(prefix[-1]) + 1)


def _as_text(value: Any) -> str | None:
    return _text(value) if isinstance(value, bytes) else None if value is None else str(value)


@contextmanager
def opened(path: Path) -> Iterator[Database]:
    """The database as it was committed last, open for reading; the copy goes with it.

    Raises:
        ImportFormatError: it is no database, or was written to while it was copied.
    """
    with tempfile.TemporaryDirectory(prefix="mnemic-") as folder:
        copy = Path(folder) / "copy.db"
        try:
            _copy(path, copy)
            _settle(copy)
            with closing(sqlite3.connect(f"{copy.as_uri()}?mode=ro", uri=True)) as connection:
                connection.row_factory = sqlite3.Row
                connection.text_factory = _text
                connection.execute("PRAGMA trusted_schema = OFF")
                yield Database(connection, _tables(connection))
        except (sqlite3.Error, OSError) as exc:
            raise ImportFormatError(f"{path} cannot be read as a database: {exc}") from exc


def _tables(connection: sqlite3.Connection) -> frozenset[str]:
    found = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
    )
    return frozenset(str(row[0]) for row in found)


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _copy(path: Path, copy: Path) -> None:
    for _ in range(_TRIES):
        before = _states(path)
        if before[""] is None:  # SQLite would make an empty one in its place
            raise ImportFormatError(f"{path} is gone, or is no regular file")
        for end in _BESIDE:
            target = copy.with_name(copy.name + end)
            target.unlink(missing_ok=True)
            if before[end] is not None:
                shutil.copyfile(path.with_name(path.name + end), target)
        if _states(path) == before:
            return
    raise ImportFormatError(f"{path} is being written to: close the program, or try again")


def _states(path: Path) -> dict[str, tuple[int, int] | None]:
    """Size and time of the database and of what lies beside it; None for what is not there."""
    return {end: _state(path.with_name(path.name + end)) for end in _BESIDE}


def _state(path: Path) -> tuple[int, int] | None:
    try:
        info = path.lstat()
    except FileNotFoundError:
        return None
    # A link in the journal's place would have the copy hold another file.
    return (info.st_size, info.st_mtime_ns) if stat.S_ISREG(info.st_mode) else None


def _settle(copy: Path) -> None:
    """Undo or take in what the journals hold: a connection that only reads could not."""
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
