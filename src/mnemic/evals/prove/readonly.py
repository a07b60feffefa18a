"""Opens a brain so that it can be read and not written."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy import Engine, QueuePool, create_engine, event, text

from mnemic.errors import BrainTooNew, NotABrain, NotFound, StorageError
from mnemic.settings import Settings
from mnemic.store import keys
from mnemic.store.brain import Brain, storage_errors
from mnemic.store.migrations import HEAD
from mnemic.store.sqlite import APPLICATION_ID


@contextmanager
def opened(path: Path, brain_id: str) -> Iterator[Brain]:
    """The brain in a file, read-only, closed at the end.

    Raises:
        NotFound: there is no file, or no such brain in it.
        NotABrain: the file is something else.
        BrainTooNew: a newer mnemic has written it.
        StorageError: it cannot be read, or its tables are of an older revision.
    """
    if not path.is_file():
        raise NotFound(f"there is no brain at {str(path)!r}")
    engine = create_engine(
        "sqlite://", creator=lambda: _connection(path), poolclass=QueuePool, max_overflow=-1
    )
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
    try:
        with storage_errors(str(path)):
            ring = _checked(engine, path, brain_id)
            brain = Brain(engine, brain_id, str(path), Settings(), ring, HEAD)
        yield brain
    finally:
        engine.dispose()


def _connection(path: Path) -> sqlite3.Connection:
    address = f"{path.resolve().as_uri()}?mode=ro"
    return sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)


def _checked(engine: Engine, path: Path, brain_id: str) -> keys.KeyRing:
    with closing(_connection(path)) as raw:
        try:
            mark = raw.execute("PRAGMA application_id").fetchone()[0]
        except sqlite3.DatabaseError as error:
            raise NotABrain(f"{str(path)!r} is not a brain of mnemic's") from error
    if mark != APPLICATION_ID:
        raise NotABrain(f"{str(path)!r} is not a brain of mnemic's")
    with engine.begin() as connection:
        revision = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        if str(revision) > HEAD:
            raise BrainTooNew(f"brain {str(path)!r} is of revision {revision}; upgrade mnemic")
        if revision != HEAD:
            raise StorageError(
                f"brain {str(path)!r} is of revision {revision}, and a proof changes nothing; "
                "open it once with this mnemic, which brings it up to date"
            )
        ring = keys.load(connection, brain_id)
    if ring is None:
        raise NotFound(f"there is no brain {brain_id!r} in {str(path)!r}")
    return ring
