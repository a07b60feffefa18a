"""Older brains are brought up to date or left whole; newer ones are refused."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine

from mnemic import Settings
from mnemic.errors import BrainTooNew, StorageError
from mnemic.store import migrations, sqlite
from mnemic.store.schema import metadata
from tests.conftest import Opener
from tests.store.raw import contents, raw, tables

NEXT = f"{int(migrations.HEAD) + 1:04}"

REVISION = f'''
"""One revision more than there is."""

import sqlalchemy as sa
from alembic import op

revision = "{NEXT}"
down_revision = "{migrations.HEAD}"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table("moods", sa.Column("brain_id", sa.Text(), primary_key=True))
    op.add_column("traces", sa.Column("mood", sa.Text(), nullable=True))
    op.execute("UPDATE traces SET mood = 'calm'")
    FAILURE
'''


@pytest.fixture
def newer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Makes this version of the library one revision newer; the revision ends with `failure`."""

    def become(failure: str = "") -> None:
        scripts = tmp_path / "migrations"
        if not scripts.exists():
            shutil.copytree(Path(migrations.__file__).parent, scripts)
        text = REVISION.replace("FAILURE", failure or "pass")
        (scripts / "versions" / f"{NEXT}_moods.py").write_text(text)
        monkeypatch.setattr(sqlite, "HEAD", NEXT)
        monkeypatch.setattr(
            sqlite, "upgrade", partial(migrations.upgrade, revision=NEXT, scripts=scripts)
        )

    return become


def remembered(open_brain: Opener) -> Path:
    """The file of a brain of this version that holds two traces."""
    memory = open_brain()
    ana = memory.bind(user="ana")
    ana.remember_many(["The kettle whistles", "The tea is ready"])
    path = Path(memory.health().path)
    memory.close()
    return path


def test_an_older_brain_is_upgraded_and_keeps_what_it_holds(
    open_brain: Opener, newer: Callable[[], None]
) -> None:
    path = remembered(open_brain)
    newer()
    memory = open_brain()
    ana = memory.bind(user="ana")
    assert memory.health(thorough=True).ok
    assert memory.health().schema == NEXT
    assert [hit.trace.content for hit in ana.recall("kettle", limit=1)] == ["The kettle whistles"]
    with raw(path) as connection:
        assert "moods" in tables(connection)
        assert {row[0] for row in connection.execute("SELECT mood FROM traces")} == {"calm"}
        # What makes the tables append-only is still there.
        assert connection.execute(
            "SELECT count(*) FROM sqlite_master WHERE type = 'trigger'"
        ).fetchone() == (5,)
    assert ana.remember("Sugar as well").audit_seq == 3


@pytest.mark.parametrize(
    "failure",
    ["raise RuntimeError('the power went')", "op.execute('INSERT INTO traces DEFAULT VALUES')"],
)
def test_an_upgrade_that_fails_leaves_the_brain_as_it_was(
    open_brain: Opener, newer: Callable[[str], None], failure: str
) -> None:
    path = remembered(open_brain)
    before = contents(path)
    newer(failure)
    with pytest.raises((RuntimeError, StorageError)):
        open_brain()
    assert contents(path) == before
    newer("")
    assert open_brain().bind(user="ana").count() == 2


def test_a_brain_of_a_newer_version_is_refused_and_left_alone(
    open_brain: Opener, newer: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    newer()
    path = remembered(open_brain)
    monkeypatch.undo()
    before = path.read_bytes()
    with pytest.raises(BrainTooNew, match=rf"brain\.db.* revision {NEXT}.*upgrade mnemic"):
        open_brain()
    assert path.read_bytes() == before


def test_a_brain_that_does_not_say_its_revision_is_refused(open_brain: Opener) -> None:
    path = remembered(open_brain)
    with raw(path) as connection:
        connection.execute("DELETE FROM alembic_version")
    with pytest.raises(StorageError, match="does not say its revision; it is damaged"):
        open_brain()


def test_an_up_to_date_brain_opens_without_writing(open_brain: Opener) -> None:
    path = remembered(open_brain)
    before = path.read_bytes()
    open_brain().close()
    assert path.read_bytes() == before


def _differences(path: Path) -> list[Any]:
    engine = create_engine(f"sqlite:///{path}")
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        found: list[Any] = compare_metadata(context, metadata)
    engine.dispose()
    return found


def _columns(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    with raw(path) as connection:
        return {
            name: connection.execute(f"PRAGMA table_info('{name}')").fetchall()
            for name in tables(connection)
            if name != "alembic_version"
        }


def _indices(path: Path) -> dict[str, tuple[Any, ...]]:
    with raw(path) as connection:
        names = [
            row[0]
            for row in connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
            )
        ]
        return {
            name: tuple(connection.execute(f"PRAGMA index_xinfo('{name}')").fetchall())
            for name in names
        }


def test_the_revisions_make_the_tables_that_the_schema_says(
    open_brain: Opener, tmp_path: Path
) -> None:
    migrated = remembered(open_brain)
    assert _differences(migrated) == []
    made = tmp_path / "made.db"
    engine = create_engine(f"sqlite:///{made}")
    metadata.create_all(engine)
    engine.dispose()
    # Alembic's comparison passes over primary keys, defaults and the order of columns.
    assert _columns(migrated) == _columns(made)
    assert _indices(migrated) == _indices(made)


def test_a_missing_column_would_be_seen(open_brain: Opener) -> None:
    path = remembered(open_brain)
    with raw(path) as connection:
        connection.execute("ALTER TABLE tombstones DROP COLUMN lifted_at")
        connection.execute("DROP INDEX ix_audit_log_trace")
    kinds = {difference[0] for difference in _differences(path)}
    assert kinds == {"add_column", "add_index"}


def test_a_brain_is_set_up_for_many_and_for_crashes(open_brain: Opener) -> None:
    memory = open_brain(settings=Settings(storage={"busy_timeout_ms": 1_234}))
    with memory._brain.read() as connection:
        pragmas = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()
            for name in (
                "journal_mode", "foreign_keys", "secure_delete", "synchronous", "busy_timeout"
            )
        }  # fmt: skip
    assert pragmas == {
        "journal_mode": "wal",
        "foreign_keys": 1,
        "secure_delete": 1,
        "synchronous": 2,
        "busy_timeout": 1_234,
    }


def test_every_key_begins_with_the_brain() -> None:
    assert len(metadata.tables) > 8
    for table in metadata.tables.values():
        keys = [list(table.primary_key.columns)]
        keys += [list(index.columns) for index in table.indexes]
        keys += [list(key.columns) for key in table.foreign_key_constraints]
        assert {columns[0].name for columns in keys} == {"brain_id"}, table.name
