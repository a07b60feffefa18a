"""Many processes and threads on one file: nothing lost, no lock error, no reader waits."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mnemic import BoundMemory, Memory, Settings
from mnemic.errors import StorageError
from tests.conftest import FixedClock, Opener, WordVectors
from tests.store.raw import half_written, raw

WRITER = """
import sys
from mnemic import Memory
import alembic.command, mnemic.memory

print("ready", flush=True)
sys.stdin.readline()
me = sys.argv[2]
with Memory.open(sys.argv[1], embedder=None) as memory:
    mine, ours = memory.bind(user=f"user{me}"), memory.bind(organization="acme")
    for n in range(int(sys.argv[3])):
        who = ours if n % 2 else mine
        receipt = who.remember(f"note {n} of writer {me} about the lighthouse")
        assert receipt.status == "stored", receipt
        if n % 20 == 0:
            assert mine.recall("lighthouse")
    print("done")
"""


def write_at_once(brain: Path, processes: int, each: int) -> None:
    """Let several processes open one file at the same moment and write to it."""
    children = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(brain), str(me), str(each)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for me in range(processes)
    ]  # fmt: skip
    for child in children:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
    for child in children:
        assert child.stdin is not None
        child.stdin.write("go\n")
        child.stdin.flush()
    results = [child.communicate() for child in children]
    assert [(out, errors) for out, errors in results] == [("done\n", "")] * processes


def test_a_new_file_that_another_process_is_at_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other one lets go once we have been turned away; until then nothing helps."""
    brain = tmp_path / "brain.db"
    with closing(sqlite3.connect(brain, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        turned_away = False

        def watch(statement: str) -> None:
            nonlocal turned_away
            if turned_away and other.in_transaction:
                other.execute("ROLLBACK")
            turned_away = turned_away or "journal_mode" in statement

        def watched(*given: Any, **more: Any) -> sqlite3.Connection:
            connection: sqlite3.Connection = connect(*given, **more)
            connection.set_trace_callback(watch)
            return connection

        connect = sqlite3.connect
        monkeypatch.setattr(sqlite3, "connect", watched)
        with Memory.open(brain, embedder=None, settings=Settings()) as memory:
            assert turned_away
            assert not other.in_transaction
            assert memory.bind(user="ana").remember("hello").audit_seq == 1
            assert memory.health(thorough=True).ok


@pytest.mark.slow
def test_eight_processes_lose_nothing(tmp_path: Path) -> None:
    brain = tmp_path / "brain.db"
    write_at_once(brain, processes=8, each=200)
    with Memory.open(brain, embedder=None, settings=Settings()) as memory:
        assert memory.stats().traces == 1_600
        report = memory.audit.verify()
        assert (report.ok, report.entries) == (True, 1_600)
        assert memory.health(thorough=True).ok
        acme = memory.bind(organization="acme")
        assert acme.count() == 800
        assert len({t.content for t in acme.list(limit=800)}) == 800
        assert len(acme.recall("lighthouse", limit=800)) == 800
        assert [memory.bind(user=f"user{n}").count() for n in range(8)] == [100] * 8
    assert half_written(brain) == []


def test_threads_share_a_memory(open_brain: Opener) -> None:
    memory = open_brain(settings=Settings(index={"segment_passages": 32}))
    start = threading.Barrier(8)

    def work(me: int) -> int:
        who = memory.bind(user="ana" if me % 2 else "bob", thread=f"t{me}")
        start.wait()
        found = 0
        for n in range(12):
            who.remember(f"note {n} of {me} about the lighthouse")
            hits = who.recall("lighthouse", limit=200)
            contents = {hit.trace.content for hit in hits}
            assert f"note {n} of {me} about the lighthouse" in contents
            assert {int(text.split()[3]) % 2 for text in contents} == {me % 2}
            found += len(who.list(limit=200)) + who.count()
        return found

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))
    assert memory.stats().traces == 96
    assert memory.audit.verify().entries == 96
    assert half_written(memory) == []
    assert memory.health(thorough=True).ok


def test_threads_that_say_the_same_store_it_once(memory: Memory) -> None:
    ana, start = memory.bind(user="ana"), threading.Barrier(8)

    def say(_: int) -> str:
        start.wait()
        return ana.remember("the lighthouse is white").status.value

    with ThreadPoolExecutor(8) as pool:
        said = sorted(pool.map(say, range(8)))
    assert said == ["reinforced"] * 7 + ["stored"]
    assert ana.count() == 1


OTHER = """
import sys
from datetime import datetime
from mnemic import Memory

clock = lambda: datetime.fromisoformat(sys.argv[2])
with Memory.open(sys.argv[1], embedder=None, clock=clock) as memory:
    ana, of = memory.bind(user="ana"), sys.argv[3]
    exec(sys.argv[4])
"""


def test_one_process_reads_what_another_wrote(
    memory: Memory, ana: BoundMemory, tmp_path: Path, clock: FixedClock
) -> None:
    """The index that this process holds catches up, whatever the other one did."""
    trace = ana.remember("the lighthouse is white").trace
    assert trace is not None
    assert [hit.trace.id for hit in ana.recall("harbour lamp")] == [trace.id]

    def elsewhere(code: str) -> None:
        given = [str(tmp_path / "brain.db"), clock.now.isoformat(), trace.id, code]
        subprocess.run([sys.executable, "-c", OTHER, *given], check=True)

    elsewhere(
        "ana.remember('the harbour lamp is green'); "
        "ana.correct(of, 'the lighthouse is red', reason='painted')"
    )
    assert ana.recall("harbour lamp")[0].trace.content == "the harbour lamp is green"
    assert ana.recall("lighthouse")[0].trace.content == "the lighthouse is red"
    elsewhere("ana.forget(of)")
    assert ana.recall("lighthouse") == []
    elsewhere("ana.restore(of, reason='r')")
    assert ana.recall("lighthouse")[0].trace.content == "the lighthouse is red"


READERS: dict[str, Callable[[BoundMemory, str], object]] = {
    "recall": lambda who, of: who.recall("lighthouse"),
    "context": lambda who, of: str(who.context("lighthouse")),
    "show": lambda who, of: who.show(of),
    "list": lambda who, of: who.list(),
    "count": lambda who, of: who.count(),
    "stats": lambda who, of: who.stats().traces,
    "history": lambda who, of: who.history(of).versions,
}


def test_no_reader_waits_for_a_writer(open_brain: Opener) -> None:
    """Nobody here has any patience: whoever waits fails, as the write does."""
    memory = open_brain(settings=Settings(storage={"busy_timeout_ms": 0}))
    ana = memory.bind(user="ana")
    trace = ana.remember("the lighthouse is white").trace
    assert trace is not None
    with raw(memory) as connection:
        connection.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageError, match="locked; another process holds it"):
            ana.remember("the harbour lamp is green")
        for name, reader in READERS.items():
            assert reader(ana, trace.id), name
        with Memory.open(memory.health().path, embedder=WordVectors()) as another:
            assert another.bind(user="ana").recall("lighthouse")
        connection.execute("ROLLBACK")
    assert ana.remember("the harbour lamp is green").audit_seq == 2


def test_no_reader_waits_for_a_writer_of_its_own_process(memory: Memory, ana: BoundMemory) -> None:
    trace = ana.remember("the lighthouse is white").trace
    assert trace is not None
    # In this order a reader that does wait is let go before the pool waits for it.
    with ThreadPoolExecutor(1) as pool, memory._brain.write():
        for name, reader in READERS.items():
            assert pool.submit(reader, ana, trace.id).result(timeout=30), name


def test_uses_that_could_not_be_noted_at_once_are_noted_later(
    memory: Memory, ana: BoundMemory
) -> None:
    trace = ana.remember("the lighthouse is white").trace
    assert trace is not None
    # In this order a reader that does wait is let go before the pool waits for it.
    with ThreadPoolExecutor(1) as pool, raw(memory) as connection:
        connection.execute("BEGIN IMMEDIATE")
        for _ in range(2):
            assert pool.submit(ana.recall, "lighthouse").result(timeout=30)
        assert ana.show(trace.id).retrieval_count == 0
        connection.execute("ROLLBACK")
    ana.recall("lighthouse")
    assert ana.show(trace.id).retrieval_count == 3
    ana.recall("lighthouse", touch=False)
    assert ana.show(trace.id).retrieval_count == 3
