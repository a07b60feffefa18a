"""What an erasure takes out, what goes with it, and that all else stays as it was."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any

import pytest

from mnemic import BoundMemory, Memory, Settings, Trust
from mnemic.encode.revise.erase import TABLES
from mnemic.errors import InvalidInput, NotAllowed, NotFound
from mnemic.index.erase import LAST_PARTITION
from mnemic.store.schema import metadata
from tests.conftest import FixedClock, Opener, WordVectors
from tests.maintain.canaries import Life, canary, live
from tests.store.raw import contents, raw, tables


def stored(who: BoundMemory, text: str, **more: Any) -> str:
    receipt = who.remember(text, **more)
    assert receipt.trace is not None
    return receipt.trace.id


# --- what goes with it -----------------------------------------------------------------------


def test_a_chain_goes_to_its_end(memory: Memory, ana: BoundMemory) -> None:
    chain = [stored(ana, "the tea is here")]
    for word in ("salt", "rope", "lamp"):
        chain.append(stored(ana, f"so the {word} is here", derived_from=[chain[-1]]))
    apart = stored(ana, "the boat is here")
    certificate = memory.erase(trace=chain[0])
    assert set(certificate.erased) == set(chain)
    assert certificate.returned == ()
    assert [trace.id for trace in ana.list()] == [apart]


def test_a_diamond_goes_whole(memory: Memory, ana: BoundMemory) -> None:
    """What rests on two traces goes when both go, in whichever step."""
    top = stored(ana, "the tea is here")
    left = stored(ana, "so the salt is here", derived_from=[top])
    right = stored(ana, "so the rope is here", derived_from=[left])
    both = stored(ana, "so the lamp is here", derived_from=[top, left, right])
    assert set(memory.erase(trace=top).erased) == {top, left, right, both}
    assert ana.count() == 0


@pytest.mark.parametrize("support", ["trace", "source"])
def test_what_has_other_support_returns_to_review(
    memory: Memory, ana: BoundMemory, support: str
) -> None:
    gone, kept = stored(ana, "the tea is here"), stored(ana, "the salt is here")
    more: dict[str, Any] = {"source_id": "a letter"} if support == "source" else {}
    rests_on = [gone] if more else [gone, kept]
    derived = stored(ana, "so the lamp is here", derived_from=rests_on, **more)
    beyond = stored(ana, "so the boat is here", derived_from=[derived])
    assert ana.show(derived).trust is Trust.BELIEVED
    certificate = memory.erase(trace=gone)
    assert (certificate.erased, certificate.returned) == ((gone,), (derived,))
    with pytest.raises(NotFound):
        ana.show(derived)
    assert ana.show(derived, trust="candidate").content == "so the lamp is here"
    assert ana.show(beyond).trust is Trust.BELIEVED
    item = memory.reviewer("eva").queue(kind="support_lost")
    assert [(one.trace.id, one.state) for one in item] == [(derived, "open")]
    memory.reviewer("eva").approve(item[0].id, reason="the other one says so as well")
    assert ana.show(derived).trust is Trust.BELIEVED


def test_what_lost_one_support_goes_with_the_other(memory: Memory, ana: BoundMemory) -> None:
    first, second = stored(ana, "the tea is here"), stored(ana, "the salt is here")
    derived = stored(ana, "so the lamp is here", derived_from=[first, second])
    assert memory.erase(trace=first).returned == (derived,)
    assert set(memory.erase(trace=second).erased) == {second, derived}


def test_what_another_user_derived_goes_too(memory: Memory) -> None:
    ana = memory.bind(user="ana", organization="acme")
    bob = memory.bind(user="bob", organization="acme")
    shared = stored(ana, "the tea is here", scope="organization")
    private = stored(bob, "so the salt is here", derived_from=[shared])
    own = stored(bob, "the rope is here")
    assert set(memory.erase(user="ana").erased) == {shared, private}
    assert [trace.id for trace in bob.list()] == [own]


def test_what_was_withheld_goes_as_well(memory: Memory, ana: BoundMemory) -> None:
    top = stored(ana, "the tea is here")
    below = stored(ana, "so the salt is here", derived_from=[top])
    ana.forget(top)
    certificate = memory.erase(trace=top)
    assert set(certificate.erased) == {top, below}


# --- whom it means ---------------------------------------------------------------------------

CALLERS: dict[str, dict[str, str]] = {
    "ana": {"user": "ana"},
    "longer": {"user": "anabel"},
    "shorter": {"user": "an"},
    "other case": {"user": "Ana"},
    "slash": {"user": "ana/x"},
    "percent": {"user": "ana%2Fx"},
    "colon": {"user": "ana::p"},
    "underscore": {"user": "an_"},
    "wildcard": {"user": "an%"},
    "namespaced": {"user": "ana", "namespace": "acme"},
    "namespace of that name": {"user": "x", "namespace": "ana"},
    "nobody in a namespace of that name": {"namespace": "ana"},
    "nobody": {},
    "organization of that name": {"user": "zoe", "organization": "ana"},
}
"""Callers whose written forms come close to one another's."""


def everywhere(memory: Memory, ids: dict[str, str]) -> BoundMemory:
    """A caller with a thread and a persona whose names could be taken for others'."""
    return memory.bind(**{"thread": "ana//t", "persona": "ana::p", **ids})


@pytest.mark.parametrize("erased", [name for name, ids in CALLERS.items() if "user" in ids])
def test_a_user_is_this_user_and_no_other(memory: Memory, erased: str) -> None:
    filed: dict[str, set[str]] = {}
    for name, ids in CALLERS.items():
        who = everywhere(memory, ids)
        filed[name] = {
            stored(who, f"the {scope.value} of {name} is here", scope=scope)
            for scope, _ in who.principal.reach()
        }
    ids = CALLERS[erased]
    certificate = memory.erase(user=ids["user"], namespace=ids.get("namespace"))
    assert set(certificate.erased) == filed[erased]
    for name, callers in CALLERS.items():
        left = {trace.id for trace in everywhere(memory, callers).list()}
        assert left == (set() if name == erased else filed[name])


def test_a_thread_is_that_of_one_user(memory: Memory, ana: BoundMemory, bob: BoundMemory) -> None:
    wanted = {stored(ana, "the tea is here"), stored(ana, "the salt is here", scope="thread")}
    elsewhere = stored(ana, "the rope is here", thread="tuesday")
    of_bob = stored(bob, "the tea is here")
    assert set(memory.erase(user="ana", thread="monday").erased) == wanted
    assert [trace.id for trace in ana.list()] == [elsewhere]
    assert [trace.id for trace in bob.list()] == [of_bob]


def test_a_source_is_erased_wherever_it_was_read(
    memory: Memory, ana: BoundMemory, bob: BoundMemory
) -> None:
    read = {stored(who, "the tea is here", source_id="letter") for who in (ana, bob)}
    other = stored(ana, "the salt is here", source_id="letters")
    assert set(memory.erase(source="letter").erased) == read
    assert [trace.id for trace in ana.list()] == [other]


def test_what_is_not_there_is_not_erased(memory: Memory, ana: BoundMemory) -> None:
    stored(ana, "the tea is here")
    before = contents(memory)
    wrong: list[dict[str, Any]] = [
        {"trace": "mt_" + "f" * 32},
        {"user": "nobody"},
        {"user": "ana", "thread": "tuesday"},
        {"source": "nothing"},
    ]
    for given in wrong:
        with pytest.raises(NotFound):
            memory.erase(**given)
    for given in ({}, {"trace": "x", "user": "y"}, {"thread": "monday"}, {"user": ""}):
        with pytest.raises(InvalidInput):
            memory.erase(**given)
    assert contents(memory) == before


def test_only_whom_it_belongs_to_erases_a_trace(memory: Memory) -> None:
    ana = memory.bind(user="ana", organization="acme")
    trace_id = stored(ana, "the tea is here", scope="organization")
    for channel in ("agent", "tool", "mcp", "import"):
        with pytest.raises(NotAllowed):
            memory.bind(user="ana", channel=channel).erase(trace_id)
    with pytest.raises(NotAllowed):
        memory.bind(user="bob", organization="acme").erase(trace_id)
    with pytest.raises(NotFound):
        memory.bind(user="bob").erase(trace_id)
    assert ana.show(trace_id).content == "the tea is here"
    assert ana.erase(trace_id).erased == (trace_id,)


# --- what stays ------------------------------------------------------------------------------

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


# --- that nothing is forgotten ---------------------------------------------------------------

NAMELESS = {
    "brain_meta", "key_ring", "partitions", "freezes",
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


def test_no_row_names_what_was_erased(memory: Memory, clock: FixedClock) -> None:
    """But for the audit log, which says that it was, and tombstones of what was rejected."""
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
    assert named() == {"audit_log", "tombstones"}


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
