"""What was receipted survives a killed process, and nothing is half-written."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mnemic import Memory, Settings
from tests.store.raw import half_written, raw

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs kill -9")

WRITER = """
import sys
from mnemic import Memory, Settings

settings = Settings(encoding={"batch_size": 7}, index={"segment_passages": 32})
memory = Memory.open(sys.argv[1], embedder=None, settings=settings)
ana = memory.bind(user="ana")
first = ana.count()
items = [f"note {first + n} about the lighthouse" for n in range(100_000)]
ana.remember_many(items, progress=lambda done, total, stage: print(first + done, flush=True))
"""


def write_until_killed(brain: Path, receipts: int) -> int:
    """Kill a writer after so many batches; returns how many traces it had receipts for."""
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(brain)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        last = 0
        for _ in range(receipts):
            last = int(process.stdout.readline())
        os.kill(process.pid, signal.SIGKILL)
        # What it had still to say when it was killed was receipted too.
        rest = process.stdout.read().split()
    assert process.returncode == -signal.SIGKILL
    return int(rest[-1]) if rest else last


def test_a_killed_bulk_write_keeps_what_was_receipted(tmp_path: Path) -> None:
    brain, kept = tmp_path / "brain.db", 0
    for receipts in (1, 17):
        receipted = write_until_killed(brain, receipts)
        assert half_written(brain) == []
        with Memory.open(brain, embedder=None, settings=Settings()) as memory:
            ana = memory.bind(user="ana")
            count = ana.count()
            assert receipted <= count
            assert (count - kept) % 7 == 0, "a batch is whole or not there"
            numbers = sorted(int(t.content.split()[1]) for t in ana.list(limit=100_000))
            assert numbers == list(range(count))
            assert memory.audit.verify().entries == count
            assert memory.health(thorough=True).ok
            assert len(ana.recall("lighthouse", limit=count)) == count
            kept = count


def test_what_one_call_receipted_is_on_the_disk_when_it_returns(tmp_path: Path) -> None:
    script = """
import os, signal, sys
from mnemic import Memory
ana = Memory.open(sys.argv[1], embedder=None).bind(user="ana")
kept = ana.remember("the lighthouse").trace
gone = ana.remember("the harbour").trace
ana.correct(kept.id, "the lighthouse keeper", reason="r")
ana.forget(gone.id)
ana.recall("lighthouse")
print("done", flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    brain = tmp_path / "brain.db"
    command = [sys.executable, "-c", script, str(brain)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (-signal.SIGKILL, "done\n")
    with Memory.open(brain, embedder=None, settings=Settings()) as memory:
        ana = memory.bind(user="ana")
        assert [hit.trace.content for hit in ana.recall("lighthouse")] == ["the lighthouse keeper"]
        assert ana.count() == 1
        assert memory.audit.verify().entries == 4


def test_a_brain_killed_while_it_is_made_opens(tmp_path: Path) -> None:
    """Whichever statement the first opening dies at, the next one ends what it began."""
    script = """
import os, signal, sqlite3, sys
from mnemic.store import sqlite
from mnemic import Memory

last = int(sys.argv[2])
seen = 0

def count(statement):
    global seen
    seen += 1
    if seen > last:
        os.kill(os.getpid(), signal.SIGKILL)

connect = sqlite3.connect

def traced(*given, **more):
    connection = connect(*given, **more)
    connection.set_trace_callback(count)
    return connection

sqlite3.connect = traced
Memory.open(sys.argv[1], embedder=None).close()
print(seen)
"""
    run = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "whole.db"), "1000000"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    statements = int(run.stdout)
    assert statements > 30
    for last in range(0, statements, max(1, statements // 4)):
        brain = tmp_path / f"{last}.db"
        run = subprocess.run(
            [sys.executable, "-c", script, str(brain), str(last)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert run.returncode == -signal.SIGKILL
        with Memory.open(brain, embedder=None, settings=Settings()) as memory:
            memory.bind(user="ana").remember("hello")
            assert memory.health(thorough=True).ok


def test_a_row_that_is_missing_would_be_seen(tmp_path: Path) -> None:
    """The positive control of the checks above."""
    brain = tmp_path / "brain.db"
    with Memory.open(brain, embedder=None, settings=Settings()) as memory:
        memory.bind(user="ana").remember("hello")
    assert half_written(brain) == []
    for table, says in (("trace_passages", "passages"), ("index_entries", "index entry")):
        with raw(brain) as connection:
            connection.execute(f"DELETE FROM {table}")
        assert any(says in problem for problem in half_written(brain))
