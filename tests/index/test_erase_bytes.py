"""What is erased from the index is gone to the last byte, and all else is as if it never was.

Traces are erased in every place that an entry can have: in the tail, in segments, among others
of its thread, alone in a scope.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic import Draft, Memory, Settings
from mnemic.errors import StorageError
from mnemic.index import husks, postings
from mnemic.index.erase import Erased, erase_entries
from mnemic.index.vectors import parts
from tests.conftest import Opener, WordVectors
from tests.store.raw import contents, raw

numbers = itertools.count()
TABLES = (
    "partitions index_entries trace_passages trace_segments segment_vectors trace_postings "
    "trace_vectors"
).split()


def erase(memory: Memory, trace_ids: Iterable[str]) -> Erased:
    with memory._brain.write() as connection:
        return erase_entries(connection, memory._brain.id, list(trace_ids))


def stored(memory: Memory, table: str, columns: str = "*") -> list[tuple[Any, ...]]:
    """The rows of a table of the index that are this brain's."""
    with raw(memory) as connection:
        query = f"SELECT {columns} FROM {table} WHERE brain_id = ?"
        return connection.execute(query, [memory._brain.id]).fetchall()


def everything(memory: Memory) -> bytes:
    """Every value of every column of the index."""
    return b"\n".join(
        value if isinstance(value, bytes) else str(value).encode()
        for table in TABLES
        for row in stored(memory, table)
        for value in row
    )


# --- nothing is left -------------------------------------------------------------------------


@dataclass(frozen=True)
class Piece:
    """One thing that the index holds of an entry."""

    kind: str
    entry: tuple[int, int]
    what: tuple[Any, ...]


def pieces(memory: Memory) -> Iterator[Piece]:
    """All that the index holds, taken apart."""
    for row in stored(
        memory,
        "index_entries",
        '"partition", seq, trace_id, content_version, position, thread, speaker, role, head, '
        "head_length, since, until, embedded",
    ):
        yield Piece("entry", row[:2], row[2:])
    entry_of = {}
    for partition, entry, *what in stored(
        memory, "trace_passages", '"partition", entry, seq, start, "end", length, words'
    ):
        entry_of[partition, what[0]] = (partition, entry)
        yield Piece("passage", (partition, entry), tuple(what))
    for partition, segment, term, data in stored(
        memory, "trace_postings", '"partition", segment, term, data'
    ):
        count = len(data) // 4
        assert count, f"the list of {term} is empty"
        for at, offset in enumerate(np.frombuffer(data, "<u2", count).tolist()):
            both = (data[2 * count + at], data[3 * count + at])
            passage = segment + offset
            yield Piece("posting", entry_of[partition, passage], (passage, term, *both))
    yield from vectors(memory)


def vectors(memory: Memory) -> Iterator[Piece]:
    """Each vector: its model, its place among those of its entry, its scale and components."""
    for partition, entry, model, dimension, data in stored(
        memory, "trace_vectors", '"partition", entry, model, dimension, data'
    ):
        for at, (scale, row) in enumerate(zip(*parts(data, dimension), strict=True)):
            yield Piece("vector", (partition, entry), (model, at, float(scale), row.tobytes()))
    columns = '"partition", segment, first_entry'
    first = {row[:2]: row[2] for row in stored(memory, "trace_segments", columns)}
    for partition, segment, model, dimension, counts, data in stored(
        memory, "segment_vectors", '"partition", segment, model, dimension, counts, data'
    ):
        rows = zip(*parts(data, dimension), strict=True)
        for entry, count in enumerate(np.frombuffer(counts, "<u2"), first[partition, segment]):
            for at, (scale, row) in enumerate(itertools.islice(rows, count)):
                yield Piece("vector", (partition, entry), (model, at, float(scale), row.tobytes()))
        assert next(rows, None) is None


OLD, NEW = WordVectors(), WordVectors("newer", 96)
COUNT = 24
WHO = {"user": "ana0042qxzk"}


def canary(kind: str, number: int) -> str:
    """A word that stands nowhere by chance, and is its own stem."""
    return f"{kind}{number:04}qxzk"


def text(number: int, kind: str = "w") -> str:
    bread = "bread " * (1 + number % 3)
    return f"A {canary(kind, number)} by the river. Eat {bread}and {canary('u', number)} maps."


def draft(number: int) -> Draft:
    return Draft(
        text(number),
        thread="talk" if number % 3 else canary("d", number),
        speaker="Ann" if number % 4 else canary("s", number),
        tags=(canary("t", number),),
        entities=(canary("e", number),),
    )


def canaries(number: int) -> set[str]:
    """What nothing but this trace has brought into the index."""
    kinds = "wute" + ("" if number % 3 else "d") + ("" if number % 4 else "s")
    return {canary(kind, number) for kind in kinds + ("" if number % 5 else "c")}


class BrokenOffError(Exception):
    """Raised when all new vectors are made, before the brain changes over to them."""


def filled(open_brain: Opener, segment: int) -> tuple[Memory, list[str]]:
    """A brain with vectors of two models, and the ids of its traces.

    Every fifth trace is corrected and some are forgotten. In segments of so many passages.
    """
    options: dict[str, Any] = {"brain": f"b{next(numbers)}", "embedder": OLD}
    index = {"passage_words": 8}
    unsealed = open_brain(settings=Settings(index=index), **options)
    who = unsealed.bind(**WHO)
    receipts = who.remember_many([draft(number) for number in range(COUNT)])
    ids = [receipt.trace.id for receipt in receipts if receipt.trace]
    for number in range(0, COUNT, 5):
        who.correct(ids[number], text(number, "c"), reason="r")

    def broken_off(done: int, total: int, stage: str) -> None:
        if done == total:
            raise BrokenOffError

    with pytest.raises(BrokenOffError):
        unsealed.reembed(NEW, progress=broken_off)
    unsealed.close()
    memory = open_brain(settings=Settings(index=index | {"segment_passages": segment}), **options)
    for trace_id in (ids[1], ids[8], ids[22]):
        memory.bind(**WHO).forget(trace_id)
    return memory, ids


@pytest.mark.parametrize("segment", [4_096, 12, 4], ids=["tail", "both", "segments"])
@settings(max_examples=8, derandomize=True)
@given(
    chosen=st.sets(st.integers(0, COUNT - 1), min_size=1, max_size=COUNT - 1),
    at_once=st.sampled_from([3, 10_000]),
)
def test_no_byte_is_left_and_no_other_is_touched(
    open_brain: Opener, segment: int, chosen: set[int], at_once: int
) -> None:
    memory, ids = filled(open_brain, segment)
    before, data = list(pieces(memory)), everything(memory)
    lists, rows = set(stored(memory, "trace_postings")), stored(memory, "trace_vectors")
    assert bool(stored(memory, "segment_vectors")) is (segment < 100)
    for number in range(COUNT):
        assert all(word.encode() in data for word in {ids[number], *canaries(number)})

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(husks, "ASKED_AT_ONCE", at_once)
        patch.setattr(postings, "_ASKED_AT_ONCE", at_once)
        count = erase(memory, [ids[number] for number in chosen])

    data = everything(memory)
    for number in range(COUNT):
        for word in (ids[number], *canaries(number)):
            assert (word.encode() in data) is (number not in chosen), word
    erased = {ids[number] for number in chosen}
    gone = {p.entry for p in before if p.kind == "entry" and p.what[0] in erased}
    for piece in before:
        if piece.kind == "vector":
            assert (piece.what[-1] in data) is (piece.entry not in gone)
    after = list(pieces(memory))
    assert {p for p in after if p.entry not in gone} == {p for p in before if p.entry not in gone}
    for piece in after:
        if piece.entry in gone:
            husk = (None, 0, piece.entry[1], None, None, None, "", 0, 0, 0, 2)
            passage = (piece.what[0], 0, 0, 0, "")
            assert piece.what == (husk if piece.kind == "entry" else passage)
    kinds = [p.kind for p in before if p.entry in gone]
    assert count == Erased(
        entries=len(gone),
        passages=kinds.count("passage"),
        postings=len(lists - set(stored(memory, "trace_postings"))),
        vectors=len(rows) - len(stored(memory, "trace_vectors")),
    )
    assert erase(memory, erased) == Erased(0, 0, 0, 0)
    memory.close()


@pytest.mark.parametrize("segment", [4_096, 4], ids=["tail", "segments"])
def test_a_partition_goes_whole_with_its_last_trace(open_brain: Opener, segment: int) -> None:
    memory, ids = filled(open_brain, segment)
    memory.bind(organization="acme").remember("The lantern is theirs")
    entries = len(stored(memory, "index_entries")) - 1
    some = erase(memory, ids[:9])
    assert WHO["user"].encode() in everything(memory)
    rest = erase(memory, ids[9:])
    assert WHO["user"].encode() not in everything(memory)
    assert stored(memory, "partitions", "id, scope") == [(2, "organization")]
    for table in TABLES[1:]:
        assert {row[0] for row in stored(memory, table, '"partition"')} <= {2}
    assert some.entries + rest.entries == entries


def test_what_the_index_does_not_hold_is_passed_over(open_brain: Opener) -> None:
    memory, ids = filled(open_brain, 8)
    other, theirs = filled(open_brain, 8)
    erase(memory, ids[:1])
    before = contents(memory)
    assert erase(memory, []) == Erased(0, 0, 0, 0)
    assert erase(memory, ["mt_nowhere", ids[0], theirs[0]]) == Erased(0, 0, 0, 0)
    assert contents(memory) == before
    assert erase(other, theirs[:1]).entries == 2


def test_a_block_that_is_cut_short_is_a_damage_and_nothing_is_erased(open_brain: Opener) -> None:
    memory, ids = filled(open_brain, 8)
    with raw(memory) as connection:
        connection.execute("UPDATE segment_vectors SET data = substr(data, 2)")
    before = contents(memory)
    with pytest.raises(StorageError, match=r"segment 0 of partition 1 are cut short"):
        erase(memory, ids[:2])
    assert contents(memory) == before
