"""What is no brain is refused and left as it is; a brain that is damaged says so."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mnemic import Memory, Settings
from mnemic.errors import InvalidInput, NotABrain, StorageError
from tests.conftest import Opener
from tests.store.raw import raw


@pytest.fixture
def brain(open_brain: Opener, tmp_path: Path) -> Path:
    """The file of a brain that holds one trace, closed."""
    memory = open_brain()
    memory.bind(user="ana").remember("The kettle whistles")
    memory.close()
    return tmp_path / "brain.db"


def opens(path: Path) -> bool:
    with Memory.open(path, embedder=None, settings=Settings()) as memory:
        return memory.bind(user="ana").count() == 1


def other_database(path: Path, *, wal: bool) -> None:
    with closing(sqlite3.connect(path)) as connection:
        if wal:
            connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, what TEXT)")
        connection.execute("INSERT INTO orders (what) VALUES ('tea')")
        connection.commit()


FOREIGN: dict[str, Callable[[Path], object]] = {
    "text": lambda path: path.write_text("Dear diary, nothing happened.\n" * 400),
    "two bytes": lambda path: path.write_bytes(b"hi"),
    "zeros": lambda path: path.write_bytes(bytes(8_192)),
    "a picture": lambda path: path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40),
    "another application's database": lambda path: other_database(path, wal=False),
    "the same with a log": lambda path: other_database(path, wal=True),
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_a_file_that_is_no_brain_is_left_byte_for_byte(
    brain: Path, tmp_path: Path, kind: str
) -> None:
    assert opens(brain)
    file = tmp_path / "other" / "file"
    file.parent.mkdir()
    FOREIGN[kind](file)
    before = file.read_bytes()
    with pytest.raises(NotABrain, match=r"file.* is not a brain of mnemic's; it was left as it is"):
        Memory.open(file, embedder=None)
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir()] == ["file"]


def test_a_database_of_another_application_with_our_table_names_is_not_taken(
    brain: Path, tmp_path: Path
) -> None:
    file = tmp_path / "lookalike.db"
    with raw(file) as connection:
        connection.execute("CREATE TABLE traces (id TEXT)")
        connection.execute("CREATE TABLE alembic_version (version_num TEXT)")
        connection.execute("INSERT INTO alembic_version VALUES ('0001')")
    before = file.read_bytes()
    with pytest.raises(NotABrain):
        Memory.open(file, embedder=None)
    assert file.read_bytes() == before


def test_a_folder_is_refused(brain: Path, tmp_path: Path) -> None:
    with pytest.raises(NotABrain, match="is a folder; give the path of a file"):
        Memory.open(tmp_path, embedder=None)
    with pytest.raises(NotABrain, match="is a folder"):
        Memory.open("", embedder=None)


def test_a_path_through_a_file_is_refused(brain: Path) -> None:
    before = brain.read_bytes()
    with pytest.raises(StorageError, match=r"brain\.db"):
        Memory.open(brain / "inside.db", embedder=None)
    assert brain.read_bytes() == before


def test_an_empty_file_and_missing_folders_become_a_brain(tmp_path: Path) -> None:
    empty, deep = tmp_path / "empty.db", tmp_path / "a" / "b" / "deep.db"
    empty.touch()
    for file in (empty, deep):
        with Memory.open(file, embedder=None) as memory:
            memory.bind(user="ana").remember("hello")
        assert opens(file)


@pytest.mark.parametrize(
    ("path", "says"),
    [
        (None, "not by None"),
        (7, "not by 7"),
        (":memory:", "':memory:' is no file"),
        ("postgresql://host/brain", "'postgresql://host/brain' is no file"),
        ("sqlite:///brain.db", "is no file"),
        ("a\0b.db", "the path of a brain holds a NUL"),
        ("\ud800.db", "the path of a brain holds a lone surrogate"),
        ("~no-such-user-here/brain.db", "~no-such-user-here"),
    ],
)
def test_a_path_that_is_none_is_refused(path: Any, says: str) -> None:
    with pytest.raises(InvalidInput, match=says):
        Memory.open(path, embedder=None)


def test_odd_names_are_names(tmp_path: Path) -> None:
    for name in ("with space.db", "file:x.db?mode=ro", "ünïcode-記憶.db", "a%20b.db", "x;y'z.db"):
        with Memory.open(tmp_path / name, embedder=None) as memory:
            memory.bind(user="ana").remember("hello")
        assert opens(tmp_path / name)
        assert (tmp_path / name).exists()


@pytest.mark.parametrize(
    ("keyword", "value", "says"),
    [
        ("brain", "", "brain is blank"),
        ("brain", 5, "brain must be a string"),
        ("settings", {"timezone": "UTC"}, r"must be made as Settings\(\.\.\.\)"),
        ("embedder", "minilm", "embedder 'minilm' must be 'auto', None, or an object"),
        ("embedder", object(), "must be 'auto', None, or an object"),
    ],
)
def test_a_bad_option_makes_no_file(tmp_path: Path, keyword: str, value: Any, says: str) -> None:
    options: dict[str, Any] = {"embedder": None, keyword: value}
    with pytest.raises(InvalidInput, match=says):
        Memory.open(tmp_path / "new.db", **options)
    assert list(tmp_path.iterdir()) == []


PAGE = 4_096


def root_page(brain: Path, table: str) -> int:
    with raw(brain) as connection:
        return int(
            connection.execute(
                "SELECT rootpage FROM sqlite_master WHERE name = ?", [table]
            ).fetchone()[0]
        )


@pytest.mark.parametrize("table", ["sqlite_master", "alembic_version", "key_ring", "traces"])
def test_a_damaged_brain_says_so(brain: Path, table: str) -> None:
    assert opens(brain)
    page = 1 if table == "sqlite_master" else root_page(brain, table)
    data = bytearray(brain.read_bytes())
    start = 100 if page == 1 else (page - 1) * PAGE
    data[start : page * PAGE] = b"\xff" * (page * PAGE - start)
    brain.write_bytes(data)
    with pytest.raises(StorageError, match=r"brain\.db.*damaged; restore it from a backup"):
        opens(brain)


def test_a_brain_cut_short_says_so(brain: Path) -> None:
    assert opens(brain)
    whole = brain.read_bytes()
    for length in (50, 600, PAGE, len(whole) // 2):
        brain.write_bytes(whole[:length])
        with pytest.raises(StorageError, match=r"brain\.db.*damaged"):
            opens(brain)
    brain.write_bytes(whole)
    assert opens(brain)


def test_a_brain_that_another_program_holds_locked_says_so(brain: Path) -> None:
    impatient = Settings(storage={"busy_timeout_ms": 0})
    assert opens(brain)
    with raw(brain) as connection:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StorageError, match="another process holds it; try again"):
            Memory.open(brain, embedder=None, settings=impatient)
        connection.execute("ROLLBACK")
    assert opens(brain)
