"""A full disk, a read-only file or folder: a clear error, nothing half-written, and on it goes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from mnemic import BoundMemory, Memory
from mnemic.errors import StorageError
from tests.conftest import Opener
from tests.store.raw import contents, half_written

LONG = "the kettle whistles in the kitchen of the house by the sea " * 200


@contextmanager
def full_disk(memory: Memory) -> Iterator[None]:
    """SQLite may not make the file any longer: it answers as it does on a disk that is full."""

    def limited(connection: Any, *_: object) -> None:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")

    def unlimited(connection: Any, *_: object) -> None:
        connection.execute("PRAGMA max_page_count = 4294967294")

    engine = memory._brain.engine
    event.listen(engine, "checkout", limited)
    event.listen(engine, "checkin", unlimited)
    try:
        yield
    finally:
        event.remove(engine, "checkout", limited)
        event.remove(engine, "checkin", unlimited)


WRITES: dict[str, Callable[[BoundMemory, str], object]] = {
    "remember": lambda who, of: who.remember(LONG),
    "remember_many": lambda who, of: who.remember_many([f"{n} {LONG}" for n in range(3)]),
    "correct": lambda who, of: who.correct(of, LONG, reason="r"),
}


@pytest.mark.parametrize("write", WRITES)
def test_a_full_disk_keeps_nothing_of_the_write(
    memory: Memory, ana: BoundMemory, write: str
) -> None:
    trace = ana.remember("The kettle whistles").trace
    assert trace is not None
    before = contents(memory)
    with full_disk(memory):
        with pytest.raises(StorageError, match=r"full; free some space and try again; nothing"):
            WRITES[write](ana, trace.id)
        assert contents(memory) == before
        assert [hit.trace.id for hit in ana.recall("kettle")] == [trace.id]
    WRITES[write](ana, trace.id)
    assert contents(memory) != before
    assert half_written(memory) == []
    assert memory.health(thorough=True).ok


def test_a_full_disk_keeps_the_batches_that_were_receipted(open_brain: Opener) -> None:
    memory = open_brain()
    ana = memory.bind(user="ana")
    ana.remember("The kettle whistles")
    done: list[int] = []
    items = [f"small {n}" for n in range(256)] + [f"{n} {LONG}" for n in range(40)]
    pages = memory.stats().bytes // 4_096 + 200
    with memory._brain.engine.connect() as connection:
        # The pool gives this one connection back for the write.
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StorageError, match="full"):
        ana.remember_many(items, progress=lambda n, total, stage: done.append(n))
    assert done == [256]
    assert ana.count() == 257
    assert half_written(memory) == []


CHILD = """
import json, os, sys, tempfile
from mnemic import Memory
from mnemic.errors import MnemicError

# Whatever is imported on first use is imported while the libraries can still be read.
with tempfile.TemporaryDirectory() as folder, Memory.open(folder + "/w.db", embedder=None) as warm:
    warm.bind(user="ana").remember("warm up")
    warm.bind(user="ana").recall("warm")
if os.getuid() == 0:
    os.setuid(65534)

def outcome(call):
    try:
        return call()
    except MnemicError as error:
        return [type(error).__name__, str(error)]

def use():
    with Memory.open(sys.argv[1], embedder=None) as memory:
        ana = memory.bind(user="ana")
        return {
            "recall": outcome(lambda: [hit.trace.content for hit in ana.recall("kettle")]),
            "remember": outcome(lambda: ana.remember("The tea is ready").status),
            "count": outcome(ana.count),
        }

print(json.dumps(outcome(use)))
"""


def as_nobody(file: Path) -> Any:
    """What using the brain in `file` comes to for a user whom permissions bind."""
    run = subprocess.run(
        [sys.executable, "-c", CHILD, str(file)], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that anybody can enter and write to."""
    path = Path(tempfile.mkdtemp())
    path.chmod(0o777)
    yield path
    path.chmod(0o777)
    shutil.rmtree(path)


@pytest.fixture
def brain(folder: Path) -> Path:
    """A brain that holds one trace, writable for anybody."""
    with Memory.open(folder / "brain.db", embedder=None) as memory:
        memory.bind(user="ana").remember("The kettle whistles")
    (folder / "brain.db").chmod(0o666)
    return folder / "brain.db"


@pytest.mark.skipif(not hasattr(os, "setuid"), reason="needs users and permissions")
def test_a_read_only_file_can_be_read_and_says_that_it_cannot_be_written(brain: Path) -> None:
    assert as_nobody(brain)["remember"] == "stored"
    before = contents(brain)
    brain.chmod(0o444)
    found = as_nobody(brain)
    assert "The kettle whistles" in found["recall"]
    assert found["count"] == 2
    kind, message = found["remember"]
    assert kind == "StorageError"
    assert str(brain) in message
    assert "make the file and its folder writable" in message
    assert contents(brain) == before


@pytest.mark.skipif(not hasattr(os, "setuid"), reason="needs users and permissions")
def test_a_read_only_folder_says_so(brain: Path, folder: Path) -> None:
    assert as_nobody(folder / "new.db")["remember"] == "stored"
    before = contents(brain)
    folder.chmod(0o555)
    for file in (folder / "another.db", folder / "deeper" / "new.db", brain):
        kind, message = as_nobody(file)
        assert kind == "StorageError"
        assert str(folder) in message
        assert "writ" in message
    folder.chmod(0o777)
    assert contents(brain) == before
    assert sorted(path.name for path in folder.glob("*.db")) == ["brain.db", "new.db"]


@pytest.mark.skipif(not hasattr(os, "setuid"), reason="needs users and permissions")
def test_a_file_that_may_not_be_read_says_so(brain: Path) -> None:
    assert as_nobody(brain)["count"] == 2
    brain.chmod(0o000)
    kind, message = as_nobody(brain)
    assert kind == "StorageError"
    assert str(brain) in message
