"""An erasure takes out what it means, in every table, and leaves every other row as it was."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any

import pytest

from mnemic import BoundMemory, Memory, Settings
from mnemic.encode.revise.erase import TABLES
from mnemic.index.erase import LAST_PARTITION
from mnemic.store.schema import metadata
from tests.conftest import FixedClock, Opener, WordVectors
from tests.maintain.canaries import Life, canary, live, stored
from tests.store.raw import contents, raw, tables

Row = dict[str, Any]
Dump = dict[str, list[Row]]


def rows_of(memory: Memory) -> Dump:
    """Every row of every table, by the names of its columns."""
    with raw(memory) as connection:
        names = {
            table: [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
            for table in tables(connection)
        }
    return {
        table: [dict(zip(names[table], row, strict=True)) for row in rows]
        for table, rows in contents(memory).items()
    }


class Owned:
    """Tells which rows are of one life: by their trace, their caller, or their place."""

    def __init__(self, life: Life, before: Dump) -> None:
        self.life, self.ids = life, set(life.ids.values())
        scopes = {row["scope_id"] for row in before["traces"] if row["scope"] != "organization"}
        self.partitions = {
            row["id"]
            for row in before["partitions"]
            if row["scope_id"] in scopes and row["scope_id"].startswith(life.name)
        }
        self.entries = {
            (row["partition"], row["seq"])
            for row in before["index_entries"]
            if row["trace_id"] in self.ids
        }

    def holds(self, table: str, row: Row) -> bool:
        if table in {"traces", "ledger"} and row["filed_by"] == self.life.name:
            return True
        if any(row.get(name) in self.ids for name in ("trace_id", "from_id", "to_id", "source")):
            return True
        partition = row["id"] if table == "partitions" else row.get("partition")
        entry = row.get("entry") if table != "index_entries" else row["seq"]
        return partition in self.partitions or (partition, entry) in self.entries

    def others(self, table: str, dump: Dump) -> list[Row]:
        """The rows of a table that are of nobody but others."""
        return [row for row in dump[table] if not self.holds(table, row)]


def _only_new(before: list[Row], after: list[Row]) -> None:
    assert all(row in after for row in before)


def _noted(before: list[Row], after: list[Row]) -> None:
    notes = {"erasure_open", LAST_PARTITION}
    assert [row for row in after if row["key"] not in notes] == before


def _fewer(before: list[Row], after: list[Row]) -> None:
    """Names that nothing mentions any more go, and none of somebody else's."""
    assert all(row in before for row in after)
    bob = [row for row in before if row["scope_id"] == "bob"]
    assert bob
    assert all(row in after for row in bob)


def _new_epoch_where_shared(before: list[Row], after: list[Row]) -> None:
    expected = []
    for row in before:
        more = int(row["scope"] == "organization")
        expected.append({**row, "epoch": row["epoch"] + more, "revision": row["revision"] + more})
    assert after == expected


def _where_not_shared(before: list[Row], after: list[Row]) -> None:
    """What the organization shares holds one array for all; what it says is tested elsewhere."""
    changed = {row["partition"] for row in before if row not in after}
    assert len(changed) == 1
    assert {row["partition"] for row in before} > changed


CHANGED: dict[str, Callable[[list[Row], list[Row]], None]] = {
    "audit_log": _only_new,
    "tombstones": _only_new,
    "brain_meta": _noted,
    "partitions": _new_epoch_where_shared,
    "trace_segments": _where_not_shared,
    "trace_postings": _where_not_shared,
    "segment_vectors": _where_not_shared,
    "nodes": _fewer,
    "schemas": lambda before, after: _only_new(after, before),
}
"""Tables whose other rows change all the same, and how."""


@pytest.mark.parametrize("passages", [2_048, 4], ids=["rows", "sealed"])
def test_every_other_row_stays_as_it_was(
    open_brain: Opener, clock: FixedClock, passages: int
) -> None:
    memory = open_brain(
        settings=Settings(index={"segment_passages": passages}), embedder=WordVectors(dimension=8)
    )
    ana = live(memory, clock, "ana", canary("a thread"))
    live(memory, clock, "bob", canary("another thread"))
    before = rows_of(memory)
    own = Owned(ana, before)
    assert len(own.partitions) == 3
    memory.erase(user="ana")
    after = rows_of(memory)
    for table in before:
        check = CHANGED.get(table)
        if check is None:
            assert own.others(table, after) == own.others(table, before), table
        elif passages == 4 or own.others(table, before):
            check(own.others(table, before), own.others(table, after))
    left = [row for row in after["index_entries"] if row["trace_id"] is not None]
    assert left == own.others("index_entries", before)


def test_another_brain_in_the_file_is_not_touched(open_brain: Opener, clock: FixedClock) -> None:
    """Even of the same user, with the same words, under ids that could be the same."""
    words = canary("a word")
    brains = [open_brain(brain=name) for name in ("main", "other")]
    for memory in brains:
        stored(memory.bind(user="ana"), f"the {words} is here", source_id="a letter")

    def of_other() -> Dump:
        return {
            table: [row for row in rows if row.get("brain_id") == "other"]
            for table, rows in rows_of(brains[0]).items()
        }

    before = of_other()
    assert brains[0].forget_user("ana").ok
    assert of_other() == before
    assert [hit.trace.content for hit in brains[1].bind(user="ana").recall(words)] == [
        f"the {words} is here"
    ]
    assert brains[1].bind(user="ana").remember("more").status == "stored"


# --- that nothing is forgotten ---------------------------------------------------------------

NAMELESS = {
    "brain_meta", "key_ring", "partitions", "freezes",
    *("nodes", "node_merges", "persona_proposals", "consolidation_log"),
    *("trace_passages", "trace_segments", "segment_vectors", "trace_postings", "trace_vectors"),
}  # fmt: skip
"""Tables that name no trace."""


def test_every_table_that_names_a_trace_is_one_that_erasure_knows() -> None:
    assert TABLES.keys() | NAMELESS == metadata.tables.keys()
    for table in metadata.tables.values():
        names = {
            column.name
            for column in table.columns
            if column.name in {"trace_id", "from_id", "to_id", "other_id", "source"}
            or any(key.column.table.name == "traces" for key in column.foreign_keys)
        } - {"brain_id"}
        assert bool(names) == (table.name in TABLES), (table.name, names)


def test_no_row_names_what_was_erased(open_brain: Opener, clock: FixedClock) -> None:
    """But for the audit log, which says that it was."""
    mind = {"working": {"persist": True}, "consolidation": {"derive": True}}
    memory = open_brain(settings=Settings(mind=mind))
    ana = live(memory, clock, "ana", canary("a thread"))
    ids = set(ana.ids.values())

    def named() -> set[str]:
        return {
            table
            for table, rows in rows_of(memory).items()
            if any(value in ids for row in rows for value in row.values())
        }

    assert named() == TABLES.keys() - {"erasing"}
    memory.erase(user="ana")
    assert named() == {"audit_log"}


APPEND_ONLY = {
    "trace_versions": ("content", "trust", "reason", "origin", "recorded_at"),
    "audit_log": ("reason", "detail", "hash", "actor"),
}


def test_versions_and_audit_stay_append_only(memory: Memory, ana: BoundMemory) -> None:
    gone, kept = stored(ana, "the tea is here"), stored(ana, "the salt is here")

    def refused() -> None:
        with raw(memory) as connection:
            assert connection.execute("SELECT count(*) FROM erasing").fetchone() == (0,)
            for table, columns in APPEND_ONLY.items():
                statements = [f"DELETE FROM {table}"]
                statements += [f"UPDATE {table} SET {name} = 'x'" for name in columns]
                for statement in statements:
                    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                        connection.execute(statement)

    refused()
    memory.erase(trace=gone)
    refused()
    with raw(memory) as connection:
        # To name one trace as being erased lets go of that one only.
        other = stored(ana, "the rope is here")
        connection.execute("INSERT INTO erasing VALUES ('main', ?)", [other])
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            connection.execute("DELETE FROM trace_versions WHERE trace_id = ?", [kept])
        connection.execute("DELETE FROM trace_versions WHERE trace_id = ?", [other])
