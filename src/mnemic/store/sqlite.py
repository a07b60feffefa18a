"""SQLite: how a file is opened, made and brought up to date."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, QueuePool, create_engine, event, text
from sqlalchemy.exc import OperationalError

from mnemic.model.errors import BrainTooNew, NotABrain, StorageError
from mnemic.settings import Settings
from mnemic.store.migrations import HEAD, upgrade

APPLICATION_ID = 0x6D6E656D
"""Written into the file's header ("mnem"), so that a brain can be told from any other file."""

DriverError = sqlite3.Error
"""What the driver raises where it is spoken to past SQLAlchemy."""


def connect(file: Path, settings: Settings) -> Engine:
    """An engine on `file`. Nothing is read or written yet, but missing folders are made."""
    if file.is_dir():
        raise NotABrain(f"brain {str(file)!r} is a folder; give the path of a file")
    file.parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(
        "sqlite://",
        creator=lambda: _connection(file, settings),
        poolclass=QueuePool,
        pool_size=settings.storage.pool_size,
        max_overflow=-1,
    )
    event.listen(engine, "begin", _begin)
    return engine


def _connection(file: Path, settings: Settings) -> sqlite3.Connection:
    connection = sqlite3.connect(
        file,
        timeout=settings.storage.busy_timeout_ms / 1000,
        # Transactions are begun by `_begin`, not guessed by the driver.
        isolation_level=None,
        check_same_thread=False,
        cached_statements=256,
    )
    try:
        # SQLite may be built without its functions of mathematics.
        connection.create_function("exp", 1, _exp, deterministic=True)
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(f"PRAGMA cache_size = {-settings.storage.cache_kib}")
    except sqlite3.DatabaseError as error:
        connection.close()
        if "not a database" in str(error):
            raise _no_brain(file) from error
        raise
    return connection


def _exp(value: float) -> float:
    """The exponential; nothing is left of what is too small for a number."""
    return math.exp(max(value, -700.0))


def _begin(connection: Connection) -> None:
    immediate = connection.get_execution_options().get("mnemic_immediate", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")


def prepare(engine: Engine, file: Path) -> str:
    """Make or upgrade the tables; return their revision.

    Raises:
        NotABrain: the file is not ours.
        BrainTooNew: its tables are of a revision that this version does not know.
    """
    with engine.connect() as connection:
        driver = _driver(connection)
        revision = _revision(driver, file)
        if revision == HEAD:
            if driver.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
                _write_ahead(driver)  # an export, which was put away as one file
            return revision
        if revision is None:
            # Write-ahead logging is a property of the file; it is set before there is a table.
            _write_ahead(driver)
    with (
        engine.connect().execution_options(mnemic_immediate=True) as connection,
        connection.begin(),
    ):
        # Somebody may have been faster while we waited for the lock.
        revision = _revision(_driver(connection), file)
        if revision is None:
            connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")
        if revision != HEAD:
            upgrade(connection)
    return HEAD


def _write_ahead(driver: sqlite3.Connection) -> None:
    """Switch the file to write-ahead logging; wait while another process does the same.

    SQLite does not wait by itself here: it has begun to read, and waiting could then be for ever.
    A transaction that has read nothing yet does wait, for as long as the busy timeout says.
    """
    while True:
        try:
            driver.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise
        driver.execute("BEGIN EXCLUSIVE")
        driver.execute("ROLLBACK")


def _driver(connection: Connection) -> sqlite3.Connection:
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    return driver


def _revision(driver: sqlite3.Connection, file: Path) -> str | None:
    """The revision of the tables; None for a file that has nothing in it yet."""
    try:
        mark = driver.execute("PRAGMA application_id").fetchone()[0]
        tables = {row[0] for row in driver.execute("SELECT name FROM sqlite_master")}
    except sqlite3.DatabaseError as error:
        if "not a database" in str(error):
            raise _no_brain(file) from error
        raise
    if not tables and mark in (0, APPLICATION_ID):
        return None
    if mark != APPLICATION_ID or "alembic_version" not in tables:
        raise _no_brain(file)
    row = driver.execute("SELECT version_num FROM alembic_version").fetchone()
    if row is None:
        raise StorageError(f"brain {str(file)!r} does not say its revision; it is damaged")
    revision: str = row[0]
    if revision > HEAD:
        raise BrainTooNew(
            f"brain {str(file)!r} has tables of revision {revision}, this mnemic knows up to "
            f"{HEAD}; upgrade mnemic to open it"
        )
    return revision


def _no_brain(file: Path) -> NotABrain:
    return NotABrain(
        f"{str(file)!r} is not a brain of mnemic's; it was left as it is. Give another path"
    )


@contextmanager
def unhurried(engine: Engine) -> Iterator[Connection | None]:
    """A transaction that does not wait for a lock and is not flushed when it commits.

    Gives None when the lock is taken. What it wrote is safe from a crash of the process, and
    may be lost with the power.
    """
    with engine.connect().execution_options(mnemic_immediate=True) as connection:
        driver = _driver(connection)
        timeout = driver.execute("PRAGMA busy_timeout").fetchone()[0]
        driver.execute("PRAGMA busy_timeout = 0")
        driver.execute("PRAGMA synchronous = NORMAL")
        try:
            try:
                transaction = connection.begin()
            except OperationalError:
                yield None
                return
            with transaction:
                yield connection
        finally:
            driver.execute("PRAGMA synchronous = FULL")
            driver.execute(f"PRAGMA busy_timeout = {timeout}")


def compact(engine: Engine) -> bool:
    """Write the file anew, so that no free page and no log holds what was deleted.

    Returns False when another process kept the log from being emptied; what was deleted may
    then still stand in it.
    """
    with engine.connect() as connection:
        driver = _driver(connection)
        driver.execute("VACUUM")
        busy, _, _ = driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not busy


def as_one_file(engine: Engine) -> None:
    """Put a file that nobody else has open away without a log beside it."""
    with engine.connect() as connection:
        _driver(connection).execute("PRAGMA journal_mode = DELETE")


def files(path: str) -> list[Path]:
    """The files that a brain consists of, those that are there."""
    return [
        file
        for file in (Path(path + end) for end in ("", "-wal", "-shm", "-journal"))
        if file.exists()
    ]


def integrity(connection: Connection) -> str:
    """What SQLite says of the file's structure; ``ok`` when nothing is wrong."""
    result: str = connection.execute(text("PRAGMA quick_check(1)")).scalar_one()
    return result


def definitions(connection: Connection) -> list[str]:
    """How the tables, indexes and triggers of a file are written."""
    query = text("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
    return [row[0] for row in connection.execute(query)]


def size(connection: Connection) -> int:
    """The length of the database in bytes, the write-ahead log left out."""
    pages = connection.execute(text("PRAGMA page_count")).scalar_one()
    page = connection.execute(text("PRAGMA page_size")).scalar_one()
    return int(pages) * int(page)
