"""Where the brains of a proof live: made, opened, copied, and altered past the library."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from mnemic import Memory, Settings
from mnemic.index.text.tokens import stems

START = datetime(2026, 6, 1, 12, tzinfo=UTC)
DIMENSION = 64
_BROKEN = "prove_no_entry"


class StillClock:
    """A clock that stands still until it is moved."""

    def __init__(self, now: datetime = START) -> None:
        self.now = now

    def __call__(self) -> datetime:
        """The present."""
        return self.now

    def advance(self, **step: float) -> datetime:
        """Move on by `timedelta(**step)`; returns the new present."""
        self.now += timedelta(**step)
        return self.now


class StemVectors:
    """A small embedder that gives the same vectors everywhere.

    Each text is the sum of one fixed vector a stem, so that texts that share words are near. It
    lets a proof have vectors without loading a model.
    """

    def __init__(self, name: str = "stems") -> None:
        self.name = name
        self.dimension = DIMENSION

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of the texts, shape (n, dimension)."""
        return np.array([self._vector(text) for text in texts], np.float32).reshape(-1, DIMENSION)

    def _vector(self, text: str) -> NDArray[np.float64]:
        total = np.zeros(DIMENSION)
        for stem in stems(text) or [text]:
            data = hashlib.blake2b(f"{self.name} {stem}".encode(), digest_size=DIMENSION).digest()
            total += np.frombuffer(data, np.int8)
        return total


class Backend(Protocol):
    """Where brains live. A place is a brain's address there, as `Memory.open` takes it."""

    def place(self) -> Path:
        """An address at which nothing is yet."""
        ...

    def open(self, place: Path, **options: Any) -> Memory:
        """Open the brain at a place; make it if there is none."""
        ...

    def copy(self, place: Path) -> Path:
        """A backup of a brain at another place."""
        ...

    def alter(self, place: Path, *statements: str) -> None:
        """Change what is stored as somebody could who holds the database, triggers aside."""
        ...

    def takes(self, place: Path, statement: str) -> bool:
        """Whether the database takes a change past the library, triggers and all."""
        ...

    def break_audit(self, place: Path) -> None:
        """Let the database take no audit entry any more."""
        ...

    def mend_audit(self, place: Path) -> None:
        """Let it take them again."""
        ...

    def raw(self, place: Path) -> bytes:
        """All bytes that are stored of a brain."""
        ...


class Sqlite:
    """Brains in files of a folder.

    Args:
        folder: is there, and belongs to the proof alone.
        clock: of all brains.
    """

    def __init__(self, folder: Path, clock: Callable[[], datetime]) -> None:
        self._folder = folder
        self._clock = clock
        self._numbers = 0
        self._empty: Path | None = None

    def place(self) -> Path:
        """The path of a file that is not there."""
        self._numbers += 1
        return self._folder / f"brain{self._numbers}.db"

    def open(self, place: Path, **options: Any) -> Memory:
        """Open the brain at a path; a new one is a copy of an empty brain, which is quicker."""
        if not place.exists():
            if self._empty is None:
                self._empty = self._folder / "empty.db"
                Memory.open(self._empty, embedder=None, settings=Settings()).close()
            place.write_bytes(self._empty.read_bytes())
        given = {"embedder": None, "settings": Settings(), "clock": self._clock, **options}
        return Memory.open(place, **given)

    def copy(self, place: Path) -> Path:
        """A copy by SQLite's own backup."""
        target = self.place()
        with closing(sqlite3.connect(place)) as source, closing(sqlite3.connect(target)) as sink:
            source.backup(sink)
        return target

    def alter(self, place: Path, *statements: str) -> None:
        """Run statements, with the triggers gone that keep tables append-only."""
        with closing(sqlite3.connect(place, isolation_level=None)) as connection:
            triggers = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
            for (name,) in connection.execute(triggers).fetchall():
                connection.execute(f'DROP TRIGGER "{name}"')
            for statement in statements:
                connection.execute(statement)

    def takes(self, place: Path, statement: str) -> bool:
        """Try a statement in a transaction that is not kept."""
        with closing(sqlite3.connect(place, isolation_level=None)) as connection:
            connection.execute("BEGIN")
            try:
                connection.execute(statement)
            except sqlite3.Error:
                return False
            finally:
                connection.execute("ROLLBACK")
        return True

    def break_audit(self, place: Path) -> None:
        """Put a trigger in the way of every entry."""
        self._do(
            place,
            f"CREATE TRIGGER {_BROKEN} BEFORE INSERT ON audit_log "
            "BEGIN SELECT RAISE(ABORT, 'no entry can be written'); END",
        )

    def mend_audit(self, place: Path) -> None:
        """Take that trigger away."""
        self._do(place, f"DROP TRIGGER {_BROKEN}")

    @staticmethod
    def _do(place: Path, statement: str) -> None:
        with closing(sqlite3.connect(place, isolation_level=None)) as connection:
            connection.execute(statement)

    def raw(self, place: Path) -> bytes:
        """The bytes of the file and of its log."""
        # Closing a file drops this process's locks on it: no matter, since no other one has it.
        files = [Path(f"{place}{end}") for end in ("", "-wal")]
        return b"".join(file.read_bytes() for file in files if file.exists())
