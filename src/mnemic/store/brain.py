"""An open brain: its connections and its transactions.

Reads run in one snapshot. Writes take the database's write lock at once (`BEGIN IMMEDIATE`), so
that a transaction never has to be given up half-way because somebody else wrote first; within a
process they queue on a lock of our own, between processes on SQLite's busy timeout.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, bindparam, select
from sqlalchemy.exc import DBAPIError

from mnemic.model.errors import InvalidInput, StorageError
from mnemic.model.scope import checked_id
from mnemic.model.text import refuse_unstorable
from mnemic.model.times import Clock, to_ms
from mnemic.settings import Settings
from mnemic.store import keys, sqlite
from mnemic.store.schema import brain_meta

_META = select(brain_meta.c.value).where(
    brain_meta.c.brain_id == bindparam("of_brain"), brain_meta.c.key == bindparam("of")
)


class Brain:
    """One brain in one database. Threads may share it.

    Args:
        engine: connects to the database, whose tables are up to date.
        brain_id: which of its brains.
        path: where it is, for messages.
        settings: of this brain.
        ring: its secret keys, for digests.
        schema: the revision of its tables.
    """

    def __init__(
        self,
        engine: Engine,
        brain_id: str,
        path: str,
        settings: Settings,
        ring: keys.KeyRing,
        schema: str,
    ) -> None:
        self.engine = engine
        self.id = brain_id
        self.path = path
        self.settings = settings
        self.ring = ring
        self.schema = schema
        self._write_lock = threading.Lock()
        self._closed = False

    @classmethod
    def open(
        cls,
        path: str | Path,
        brain_id: str,
        settings: Settings,
        clock: Clock,
        new_key: keys.NewKey,
    ) -> Brain:
        """Open the file at `path`; make it, or bring its tables up to date, where needed.

        Raises:
            NotABrain: the file is something else; it is left as it is.
            BrainTooNew: a newer mnemic has written it.
            StorageError: it cannot be read or written.
        """
        checked_id("brain", brain_id)
        file = _checked_path(path)
        with storage_errors(str(file)):
            engine = sqlite.connect(file, settings)
            try:
                schema = sqlite.prepare(engine, file)
                with begin(engine, immediate=False) as connection:
                    ring = keys.load(connection, brain_id)
                if ring is None:
                    with begin(engine, immediate=True) as connection:
                        ring = keys.ensure(connection, brain_id, to_ms(clock()), new_key)
            except BaseException:
                engine.dispose()
                raise
        return cls(engine, brain_id, str(file), settings, ring, schema)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """One snapshot of the database."""
        self._check_open()
        with storage_errors(self.path), begin(self.engine, immediate=False) as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """One transaction that holds the write lock: all of it is kept, or nothing."""
        self._check_open()
        with (
            self._write_lock,
            storage_errors(self.path),
            begin(self.engine, immediate=True) as connection,
        ):
            yield connection

    @contextmanager
    def jot(self) -> Iterator[Connection | None]:
        """A small write that may be lost: not waited for, not flushed to the disk.

        Gives None when somebody else is writing, and the caller keeps its note for later.
        """
        self._check_open()
        if not self._write_lock.acquire(blocking=False):
            yield None
            return
        try:
            with storage_errors(self.path), sqlite.unhurried(self.engine) as connection:
                yield connection
        finally:
            self._write_lock.release()

    def meta(self, connection: Connection, key: str) -> str | None:
        """A value of `brain_meta`, or None."""
        value: str | None = connection.execute(_META, {"of_brain": self.id, "of": key}).scalar()
        return value

    def set_meta(self, connection: Connection, key: str, value: str) -> None:
        """Put a value into `brain_meta`, in place of the one that is there."""
        where = (brain_meta.c.brain_id == self.id) & (brain_meta.c.key == key)
        if connection.execute(brain_meta.update().where(where).values(value=value)).rowcount == 0:
            connection.execute(brain_meta.insert().values(brain_id=self.id, key=key, value=value))

    def drop_meta(self, connection: Connection, key: str) -> None:
        """Take a value out of `brain_meta`."""
        where = (brain_meta.c.brain_id == self.id) & (brain_meta.c.key == key)
        connection.execute(brain_meta.delete().where(where))

    def compact(self) -> bool:
        """Write the file anew, without what was deleted; False if its log could not be emptied."""
        self._check_open()
        with self._write_lock, storage_errors(self.path):
            return sqlite.compact(self.engine)

    def close(self) -> None:
        """Let go of the file. Closing twice does no harm."""
        self._closed = True
        self.engine.dispose()

    def _check_open(self) -> None:
        if self._closed:
            raise StorageError(f"brain {self.path!r} has been closed; open it again")


def _checked_path(path: object) -> Path:
    if not isinstance(path, str | os.PathLike):
        raise InvalidInput(f"a brain is opened by the path of its file, not by {path!r}")
    text = os.fspath(path)
    if "://" in text or text == ":memory:":
        raise InvalidInput(
            f"brain {text!r} is no file; this version opens SQLite files, give a path"
        )
    refuse_unstorable("the path of a brain", text)
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        raise InvalidInput(f"brain {text!r}: {error}; give the path in full") from error


@contextmanager
def begin(engine: Engine, *, immediate: bool) -> Iterator[Connection]:
    """One transaction, rolled back when the block raises."""
    with (
        engine.connect().execution_options(mnemic_immediate=immediate) as connection,
        connection.begin(),
    ):
        yield connection


@contextmanager
def storage_errors(path: str) -> Iterator[None]:
    """Turn a database error into a `StorageError` that names the file and what to do."""
    try:
        yield
    except (DBAPIError, sqlite.DriverError, OSError) as error:
        cause = getattr(error, "orig", None) or error
        raise StorageError(f"brain {path!r}: {cause}; {_advice(str(cause))}") from error


def _advice(message: str) -> str:
    for sign, advice in (
        ("full", "free some space and try again; nothing of this write was kept"),
        ("locked", "another process holds it; try again, or raise storage.busy_timeout_ms"),
        ("readonly", "make the file and its folder writable"),
        ("unable to open", "check that the folder exists and can be written"),
        ("ermission", "make the file and its folder writable"),
        ("malformed", "the file is damaged; restore it from a backup"),
    ):
        if sign in message:
            return advice
    return "nothing was changed"
