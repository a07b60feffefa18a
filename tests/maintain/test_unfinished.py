"""An erasure that was committed, and whose bytes could not be overwritten at once."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from mnemic import Memory, Settings
from mnemic.errors import StorageError
from mnemic.store import sqlite
from tests.conftest import Opener
from tests.maintain.canaries import canary, in_bytes
from tests.store.raw import raw

WORD = canary("unfinished")
IMPATIENT = Settings(storage={"busy_timeout_ms": 50})
SAYS = "the bytes of an erasure may still be in the file"


@pytest.fixture
def brain(tmp_path: Path) -> Path:
    return tmp_path / "brain.db"


@pytest.fixture
def memory(open_brain: Opener, brain: Path) -> Memory:
    """A brain that knows one thing."""
    memory = open_brain(settings=IMPATIENT)
    memory.bind(user="ana").remember(f"the {WORD} is here")
    memory.bind(user="bob").remember("the tea is here")
    assert in_bytes(brain, [WORD]) == {WORD}
    assert memory.health().ok
    return memory


def is_reported(memory: Memory) -> bool:
    health = memory.health()
    return not health.ok and any(SAYS in problem for problem in health.problems)


def test_a_reader_keeps_the_log_from_being_emptied(memory: Memory, brain: Path) -> None:
    with raw(memory) as connection:
        connection.execute("BEGIN")
        connection.execute("SELECT count(*) FROM brain_meta").fetchone()
        certificate = memory.erase(user="ana")
        assert len(certificate.erased) == 1
        assert (certificate.compacted, certificate.ok) == (False, False)
        assert memory.bind(user="ana").count() == 0
        assert in_bytes(brain, [WORD]) == {WORD}
        assert is_reported(memory)
        assert not memory.compact()
        assert is_reported(memory)
        connection.execute("ROLLBACK")
    assert memory.compact()
    assert in_bytes(brain, [WORD]) == set()
    assert memory.health(thorough=True).ok


def test_what_fails_afterwards_does_not_hide_that_it_was_erased(
    memory: Memory, brain: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def locked(engine: object) -> bool:
        raise sqlite3.OperationalError("database is locked")

    with monkeypatch.context() as patch:
        patch.setattr(sqlite, "compact", locked)
        certificate = memory.erase(user="ana")
        assert len(certificate.erased) == 1
        assert (certificate.compacted, certificate.ok) == (False, False)
        with pytest.raises(StorageError, match="locked"):
            memory.compact()
    assert is_reported(memory)
    assert memory.compact()
    assert in_bytes(brain, [WORD]) == set()
    assert memory.health().ok


def test_a_later_erasure_is_not_taken_for_done(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While one process writes the file anew, another one erases, and dies."""
    compact = sqlite.compact

    def another_erases(engine: object) -> bool:
        done = compact(engine)  # type: ignore[arg-type]
        with raw(memory) as connection:
            connection.execute("UPDATE brain_meta SET value = '99' WHERE key = 'erasure_open'")
        return done

    with monkeypatch.context() as patch:
        patch.setattr(sqlite, "compact", another_erases)
        assert memory.erase(user="ana").compacted
    assert is_reported(memory)
    assert memory.compact()
    assert memory.health().ok


KILLED = """
import os, signal, sys
from mnemic import Memory
from mnemic.store import sqlite

def die(engine):
    os.kill(os.getpid(), signal.SIGKILL)

sqlite.compact = die
Memory.open(sys.argv[1], embedder=None).erase(user="ana")
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs kill -9")
def test_a_process_that_dies_after_the_commit(memory: Memory, brain: Path) -> None:
    run = subprocess.run([sys.executable, "-c", KILLED, str(brain)], check=False)
    assert run.returncode == -signal.SIGKILL
    with Memory.open(brain, embedder=None, settings=Settings()) as again:
        for one in (memory, again):
            assert one.bind(user="ana").count() == 0
            assert one.bind(user="bob").count() == 1
            assert is_reported(one)
        assert in_bytes(brain, [WORD]) == {WORD}
        assert again.compact()
        assert in_bytes(brain, [WORD]) == set()
        for one in (memory, again):
            assert one.health().problems == ()
        assert again.audit.verify().ok


VISITOR = """
import sys
from mnemic import Memory
with Memory.open(sys.argv[1], embedder=None) as memory:
    print([trace.content for trace in memory.bind(user="bob").list()])
"""


def visit(brain: Path) -> str:
    """What another process sees, which opens the brain and closes it."""
    command = [sys.executable, "-c", VISITOR, str(brain)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.skipif(os.name != "posix", reason="locks belong to processes on POSIX only")
def test_looking_into_the_file_leaves_its_locks_alone(
    memory: Memory, brain: Path, open_brain: Opener
) -> None:
    """Else the last other process to leave would take the log away that this one writes to."""
    log = Path(f"{brain}-wal")
    assert memory.erase(user="ana").ok
    visit(brain)
    assert log.exists()
    memory.bind(user="bob").remember("the salt is here")
    assert visit(brain) == "['the salt is here', 'the tea is here']"
    assert memory.health(thorough=True).ok
    # That is how it would be: whoever reads the file within this process loses the locks.
    with brain.open("rb") as file:
        assert file.read(6) == b"SQLite"
    visit(brain)
    assert not log.exists()
