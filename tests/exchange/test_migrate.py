"""A brain moved into another store: all of it, read back, and gone on with after a stop."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mnemic import BoundMemory, Memory, Settings, migrate
from mnemic.encode import restore
from mnemic.errors import InvalidInput, NotFound, StorageError
from mnemic.exchange import migrate as engine
from tests.conftest import Opener


def told(memory: Memory) -> BoundMemory:
    ana = memory.bind(user="ana", thread="monday")
    for number in range(7):
        ana.remember(f"note {number} of the tide", tags=["sea"])
    [first, *_] = ana.list(limit=9)
    ana.correct(first.id, "the moon pulls", reason="so")
    ana.forget(ana.list(limit=9)[-1].id, reason="wrong")
    return ana


def answers(who: BoundMemory) -> list[Any]:
    return [who.list(limit=99), [hit.score for hit in who.recall("tide note", touch=False)]]


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "BATCH", 2)


def move(tmp_path: Path, **options: Any) -> Any:
    return migrate(tmp_path / "brain.db", tmp_path / "new" / "brain.db", **options)


def test_a_brain_is_moved_whole(memory: Memory, open_brain: Opener, tmp_path: Path) -> None:
    ana = told(memory)
    before, head = answers(ana), memory.audit.head()
    steps: list[tuple[int, int, str]] = []
    result = move(tmp_path, progress=lambda *step: steps.append(step))
    assert result.verified
    assert (result.rows["traces"], result.rows["trace_versions"]) == (7, 9)
    assert steps[-1][0] == steps[-1][1] == sum(result.rows.values())
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["brain.db"]
    other = open_brain("new/brain.db")
    who = other.bind(user="ana", thread="monday")
    assert answers(who) == before == answers(ana)  # the source stays as it is
    assert other.audit.head() == head
    assert who.remember("note 0 of the tide").reason == "rejected"


def test_a_dry_run_writes_nothing(memory: Memory, tmp_path: Path) -> None:
    told(memory)
    result = move(tmp_path, dry_run=True)
    assert (result.verified, result.rows["traces"]) == (False, 7)
    assert not (tmp_path / "new").exists()


def test_a_stopped_migration_goes_on(memory: Memory, tmp_path: Path) -> None:
    told(memory)
    every: list[int] = []
    move(tmp_path, progress=lambda done, *_: every.append(done))
    (tmp_path / "new" / "brain.db").unlink()
    for stop in range(1, len(every), 3):
        seen: list[int] = []

        def stopped(done: int, *_: object, stop: int = stop, seen: list[int] = seen) -> None:
            seen.append(done)
            if len(seen) == stop:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            move(tmp_path, progress=stopped)
        assert not (tmp_path / "new" / "brain.db").exists()
        rest: list[int] = []
        assert move(tmp_path, progress=lambda done, *_, rest=rest: rest.append(done)).verified
        assert [*seen, *rest] == every
        (tmp_path / "new" / "brain.db").unlink()


def test_what_is_left_of_another_brain_is_not_gone_on_with(
    memory: Memory, ana: BoundMemory, tmp_path: Path
) -> None:
    told(memory)

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        move(tmp_path, progress=stopped)
    ana.remember("something new")
    with pytest.raises(InvalidInput, match="remove it and begin again"):
        move(tmp_path)
    (tmp_path / "new" / "brain.db.partial").unlink()
    assert move(tmp_path).verified


@pytest.mark.parametrize("table", ["trace_versions", "audit_log", "entries"])
def test_what_was_written_otherwise_is_not_called_verified(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: str
) -> None:
    told(memory)
    if table == "entries":
        add = restore.add_entries
        monkeypatch.setattr(engine, "add_entries", lambda c, b, rows: add(c, b, rows[:1]))
    else:
        rows = restore.add_rows

        def lost(connection: Any, brain: Any, of: Any, several: Any) -> None:
            short = of.name == table and len(several) > 1
            rows(connection, brain, of, several[:-1] if short else several)

        monkeypatch.setattr(engine, "add_rows", lost)
    with pytest.raises(StorageError):
        move(tmp_path)
    assert not (tmp_path / "new" / "brain.db").exists()


def test_nothing_is_written_over(memory: Memory, tmp_path: Path) -> None:
    told(memory)
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "brain.db").write_text("mine")
    with pytest.raises(InvalidInput, match="is there already"):
        move(tmp_path)
    assert (tmp_path / "new" / "brain.db").read_text() == "mine"
    with pytest.raises(NotFound):
        migrate(tmp_path / "none.db", tmp_path / "other.db", settings=Settings())
    assert not (tmp_path / "none.db").exists()
