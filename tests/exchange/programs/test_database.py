"""A database that a program holds open is read without a trace."""

from __future__ import annotations

import json
import shutil
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from mnemic.errors import ImportFormatError
from mnemic.exchange.programs import database
from mnemic.exchange.programs.database import opened
from tests.exchange.programs.made import contents, errors, items, snapshot

CREATE = "CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)"
INSERT = "INSERT INTO cursorDiskKV VALUES (?, ?)"


def rows(text: str) -> list[tuple[str, str]]:
    """A chat of one message, as Cursor keeps it."""
    head = {"composerId": "c1", "fullConversationHeadersOnly": [{"bubbleId": "b1", "type": 1}]}
    return [
        ("composerData:c1", json.dumps(head)),
        ("bubbleId:c1:b1", json.dumps({"type": 1, "bubbleId": "b1", "text": text})),
    ]


def made(path: Path, mode: str = "DELETE") -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(f"PRAGMA journal_mode = {mode}")
    connection.execute(CREATE)
    connection.executemany(INSERT, rows("The mast is up."))
    return connection


@pytest.mark.parametrize("mode", ["WAL", "DELETE"])
def test_an_open_database_is_read_as_committed_and_not_touched(
    mode: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copies = tmp_path / "copies"
    copies.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(copies))
    place = tmp_path / "place"
    file = place / "state.vscdb"
    with closing(made(file, mode)) as writer:
        writer.execute("BEGIN")
        writer.executemany(INSERT, [(f"old:{n}", "x" * 900) for n in range(300)])
        writer.execute("COMMIT")
        if mode == "WAL":
            writer.execute("PRAGMA wal_checkpoint")
        committed = file.read_bytes()
        writer.execute("PRAGMA cache_size = 1")  # pages go to the disk before the commit
        writer.execute("BEGIN EXCLUSIVE")
        writer.executemany(INSERT, rows("The mast is down. " * 20_000))
        writer.executemany(INSERT, [(f"more:{n}", "x" * 4_000) for n in range(500)])
        writer.execute("DELETE FROM cursorDiskKV WHERE key LIKE 'old:%'")
        before = snapshot(place)
        # What was not committed is in the file itself, or lies beside it.
        assert (file.read_bytes() != committed) is (mode == "DELETE")
        assert len(before) > 1
        found = items("cursor", place)
        assert contents(found) == ["The mast is up."]
        assert errors(found) == []
        with opened(file) as held:
            assert held.keys("cursorDiskKV", "more:") == []
            assert len(held.keys("cursorDiskKV", "old:")) == 300
            assert [*held.connection.execute("PRAGMA integrity_check").fetchone()] == ["ok"]
        assert snapshot(place) == before
        assert list(copies.iterdir()) == []
        writer.execute("COMMIT")  # no lock was left: the writer goes on
        assert contents(items("cursor", place))[0].startswith("The mast is down.")


def test_what_only_the_log_holds_is_read(tmp_path: Path) -> None:
    place = tmp_path / "place"
    with closing(made(place / "state.vscdb", "WAL")):
        wal = place / "state.vscdb-wal"
        assert wal.stat().st_size > 0
        assert contents(items("cursor", place)) == ["The mast is up."]


def test_a_database_that_keeps_changing_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "state.vscdb"
    made(file).close()
    copied = shutil.copyfile

    def copyfile(source: Path, target: Path) -> None:
        copied(source, target)
        with source.open("ab") as out:
            out.write(b"\0" * 4_096)

    monkeypatch.setattr(shutil, "copyfile", copyfile)
    assert ["is being written to" in one for one in errors(items("cursor", file))] == [True]


def test_what_is_no_database_is_told(tmp_path: Path) -> None:
    file = tmp_path / "state.vscdb"
    file.write_text("not a database at all, but long enough to look like one " * 40)
    assert ["cannot be read as a database" in one for one in errors(items("cursor", file))] == [
        True
    ]


def test_a_database_that_is_gone_is_told(tmp_path: Path) -> None:
    file = tmp_path / "one.db"
    with pytest.raises(ImportFormatError, match="is gone"), opened(file):
        pass
    made(file).close()
    with opened(file) as held:
        assert held.tables == {"cursorDiskKV"}


def test_a_view_is_not_read_as_a_table(tmp_path: Path) -> None:
    file = tmp_path / "one.db"
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute(CREATE)
        connection.execute(
            "CREATE VIEW ItemTable AS WITH RECURSIVE n(key) AS "
            "(SELECT 1 UNION ALL SELECT key + 1 FROM n) SELECT key, key AS value FROM n"
        )
    with opened(file) as held:
        assert held.tables == {"cursorDiskKV"}
        assert held.value("ItemTable", "x") == ""
        assert held.keys("ItemTable", "x") == []


def test_values_by_the_beginning_of_their_keys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "MAX_VALUE_BYTES", 10)
    file = tmp_path / "one.db"
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute(CREATE)
        held = [("a:2", b"\xffx"), ("a:1", "text"), ("a:3", "x" * 11), ("a:4", None), ("b:1", "z")]
        connection.executemany(INSERT, held)
    with opened(file) as one:
        assert list(one.values("cursorDiskKV", "a:")) == [
            ("a:2", "\ufffdx"),
            ("a:1", "text"),
            ("a:3", None),
            ("a:4", ""),
        ]
        assert one.keys("cursorDiskKV", "a:") == ["a:2", "a:1", "a:3", "a:4"]
        assert one.value("cursorDiskKV", "a:1") == "text"
        assert one.value("cursorDiskKV", "a:3") is None
        assert one.value("cursorDiskKV", "a:9") == one.value("cursorDiskKV", "\ud800") == ""


def test_the_copy_cannot_be_written(tmp_path: Path) -> None:
    file = tmp_path / "one.db"
    made(file, "WAL").close()
    with pytest.raises(ImportFormatError, match="readonly"), opened(file) as held:
        held.connection.execute("DELETE FROM cursorDiskKV")
