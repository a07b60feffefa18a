"""What is erased from the index leaves numbers and nothing else; all other answers stay.

An index of which something was erased answers as one that never held it: for the brain that did
it, for one that has the index in memory, and for one that is opened afterwards.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic import BoundMemory, Embedder, Memory, Settings
from mnemic.index.erase import Erased, erase_entries
from mnemic.index.postings import unpack
from mnemic.index.segments import LAYOUT
from tests.conftest import Opener, WordVectors
from tests.index.plain import PlainIndex
from tests.index.test_scores import SMALL, check
from tests.index.worlds import BINDING, OPERATIONS, QUESTIONS, Change, Moody, World, Write, told
from tests.store.raw import raw

numbers = itertools.count()


@dataclass(frozen=True)
class Erase:
    """Take some of the traces that there are out of the index."""

    which: tuple[int, ...]


@dataclass(frozen=True)
class Embed:
    """Make the vectors that are missing."""


Step = Write | Change | Erase | Embed
STEPS = st.one_of(
    OPERATIONS,
    OPERATIONS,
    st.builds(Erase, st.lists(st.integers(0, 1_000), min_size=1, max_size=4).map(tuple)),
    st.just(Embed()),
)


def erase(memory: Memory, ids: Sequence[str]) -> Erased:
    with memory._brain.write() as connection:
        return erase_entries(connection, "main", ids)


class Erasing(World):
    """A world from which texts can go without a trace."""

    def step(self, memory: Memory, step: Step) -> None:
        if isinstance(step, Write | Change):
            self.apply(memory.bind(**BINDING), step)
        elif isinstance(step, Embed):
            memory.reembed()
            for text in self.texts:
                text.embedded = True
        elif self.texts:
            ids = sorted({text.trace_id for text in self.texts})
            gone = {ids[which % len(ids)] for which in step.which}
            erased = erase(memory, sorted(gone))
            assert erased.entries == sum(text.trace_id in gone for text in self.texts)
            self.texts = [text for text in self.texts if text.trace_id not in gone]


KINDS: dict[str, tuple[Embedder, dict[str, Any]]] = {
    "unsealed": (Moody(), {}),
    "sealed": (Moody(), {"segment_passages": 8}),
    "by bits": (Moody(), {"segment_passages": 8, "exact_vectors": 0}),
}


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=15, derandomize=True)
@given(steps=st.lists(STEPS, min_size=2, max_size=8), question=QUESTIONS)
def test_it_answers_as_if_it_had_never_been(
    open_brain: Opener, kind: str, steps: list[Step], question: str
) -> None:
    embedder, index = KINDS[kind]
    weights = {"thread_reply_words": 10, "vector_slot": 0}
    chosen = Settings(index={**SMALL, **index}, retrieval=weights)
    options: dict[str, Any] = {"settings": chosen, "embedder": embedder}
    file = f"{next(numbers)}.db"
    memory, other = open_brain(file, **options), open_brain(file, **options)
    world = Erasing()
    for step in [*steps, Erase((3, 7))]:
        world.step(memory, step)
        if not isinstance(step, Erase):
            other.bind(**BINDING).recall(question, touch=False)
            continue
        expected = PlainIndex(world.texts, chosen).answers(question, embedder)
        answers = []
        with open_brain(file, **options) as fresh:
            for one in (memory, other, fresh):
                hits = one.bind(**BINDING).recall(question, limit=1_000, touch=False)
                check(hits, expected, near=1e-3)
                answers.append(told(hits))
        assert answers[0] == answers[1] == answers[2]
    memory.close()
    other.close()


# --- what is left in the tables --------------------------------------------------------------

NOTES = [f"note {number} of the violin, {word}" for number, word in enumerate("abcdefghijkl")]


@pytest.fixture
def memory(open_brain: Opener) -> Memory:
    """Two segments of four entries each, and a tail; each entry one passage, in five threads."""
    return open_brain(settings=Settings(index={"segment_passages": 4}))


@pytest.fixture
def ids(memory: Memory) -> list[str]:
    items = [
        {"content": note, "thread": f"thread {number // 3}", "speaker": f"speaker {number}"}
        for number, note in enumerate(NOTES[:11])
    ]
    receipts = []
    for item in items:  # one at a time, so that a segment has four
        receipts += memory.bind(user="ana").remember_many([item])
    return [receipt.trace.id for receipt in receipts if receipt.trace is not None]


def rows(memory: Memory, table: str) -> list[dict[str, Any]]:
    with raw(memory) as connection:
        cursor = connection.execute(f"SELECT * FROM {table}")
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor]


GONE = (1, 5, 6, 9)


def test_an_entry_becomes_a_husk(memory: Memory, ids: list[str]) -> None:
    before = rows(memory, "index_entries")
    assert erase(memory, [ids[n] for n in GONE]) == Erased(4, 4, ANY_LISTS, 1)
    after = rows(memory, "index_entries")
    for was, row in zip(before, after, strict=True):
        if was["seq"] not in GONE:
            assert row == was
            continue
        kept = {"brain_id", "partition", "seq", "first_passage", "position", "content_version"}
        assert {row[name] for name in row.keys() - kept} <= {None, "", 0, 2, was["revision"]}
    for number, passage in enumerate(rows(memory, "trace_passages")):
        assert (passage["entry"], passage["seq"]) == (number, number)
        assert (passage["words"] == "") == (number in GONE)
    assert {row["entry"] for row in rows(memory, "trace_vectors")} == {8, 10}


class _Any(int):
    def __eq__(self, other: object) -> bool:
        return isinstance(other, int) and other > 0

    __hash__ = None  # type: ignore[assignment]


ANY_LISTS = _Any()


def test_segments_hold_nothing_of_it(memory: Memory, ids: list[str]) -> None:
    blocks = {row["segment"]: row for row in rows(memory, "segment_vectors")}
    erase(memory, [ids[n] for n in GONE])
    for segment in rows(memory, "trace_segments"):
        first, end = segment["first_entry"], segment["end_entry"]
        gone = [number - first for number in GONE if first <= number < end]
        assert gone
        table = np.frombuffer(segment["entries"], LAYOUT)
        labels = json.loads(segment["labels"])
        for number in range(4):
            names = [labels[n] for n in (table["thread"][number], table["speaker"][number])
                     if n >= 0]  # fmt: skip
            held = [f"thread {(first + number) // 3}", f"speaker {first + number}"]
            assert names == ([] if number in gone else held)
        assert sorted(labels) == sorted({
            name for number in range(4) if number not in gone
            for name in (f"thread {(first + number) // 3}", f"speaker {first + number}")
        })  # fmt: skip
        assert [bool(n) for n in np.frombuffer(segment["lengths"], "<u2")] == [
            number not in gone for number in range(4)
        ]
        block = next(r for r in rows(memory, "segment_vectors") if r["segment"] == first)
        counts = [int(number not in gone) for number in range(4)]
        assert np.frombuffer(block["counts"], "<u2").tolist() == counts
        assert block["data"] == _without(blocks[first], gone)
    for row in rows(memory, "trace_postings"):
        seqs, _, _ = unpack(row["data"], row["segment"])
        assert len(seqs)
        assert not set(seqs.tolist()) & set(GONE)
        assert row["term"] not in {NOTES[number][-1] for number in GONE}


def _without(block: dict[str, Any], gone: list[int]) -> bytes:
    """The block of four vectors without some of them."""
    dimension = block["dimension"]
    scales = [block["data"][4 * n : 4 * n + 4] for n in range(4) if n not in gone]
    parts = block["data"][16:]
    kept = [parts[dimension * n : dimension * (n + 1)] for n in range(4) if n not in gone]
    return b"".join([*scales, *kept])


def test_other_partitions_are_not_touched(memory: Memory, ids: list[str]) -> None:
    bob = memory.bind(user="bob")
    for note in NOTES[:7]:
        bob.remember(note)
    tables = ("partitions", "index_entries", "trace_passages", "trace_postings", "trace_segments",
              "segment_vectors", "trace_vectors")  # fmt: skip

    def of_bob() -> dict[str, list[dict[str, Any]]]:
        return {
            table: [
                row for row in rows(memory, table) if 2 in (row.get("partition"), row.get("id"))
            ]
            for table in tables
        }

    before = of_bob()
    assert all(before.values())
    erase(memory, ids)
    assert of_bob() == before
    assert all(len(rows(memory, table)) == len(before[table]) for table in tables)


# --- and what comes after --------------------------------------------------------------------


def found(who: BoundMemory) -> list[str]:
    hits = who.recall("where is the violin?", limit=100, touch=False)
    return sorted(hit.trace.content for hit in hits)


@pytest.mark.parametrize("gone", [(), (0,), (8, 9, 10), (2, 3, 8), tuple(range(11))])
def test_more_is_written_and_sealed_afterwards(
    memory: Memory, ids: list[str], open_brain: Opener, gone: tuple[int, ...]
) -> None:
    """A tail with husks becomes a segment; images that end within it catch up."""
    other = open_brain(settings=Settings(index={"segment_passages": 4}))
    assert found(other.bind(user="ana")) == sorted(NOTES[:11])
    erase(memory, [ids[number] for number in gone])
    kept = [note for number, note in enumerate(NOTES[:11]) if number not in gone]
    ana = memory.bind(user="ana")
    for word in "pqrstuvwxy":
        note = f"note of the violin, {word}"
        ana.remember(note)
        kept.append(note)
        for one in (ana, other.bind(user="ana")):
            assert found(one) == sorted(kept)
    assert len(rows(memory, "trace_segments")) >= 2
    assert memory.reembed(WordVectors("another", 32)) == len(kept)
    with open_brain(embedder=WordVectors("another", 32)) as fresh:
        assert told(fresh.bind(user="ana").recall("violin", limit=100, touch=False)) == told(
            ana.recall("violin", limit=100, touch=False)
        )
        assert fresh.health().ok


def test_a_number_of_a_partition_is_never_given_twice(memory: Memory, ids: list[str]) -> None:
    memory.bind(user="bob").remember("the tea is here")
    erase(memory, ids)
    assert [row["id"] for row in rows(memory, "partitions")] == [2]
    memory.bind(user="ana").remember("the salt is here")
    assert [row["id"] for row in rows(memory, "partitions")] == [2, 3]
    erase(memory, [trace.id for trace in memory.bind(user="ana").list(limit=50)])
    memory.bind(user="eva").remember("the rope is here")
    assert [row["id"] for row in rows(memory, "partitions")] == [2, 4]


def test_a_refused_write_leaves_no_partition(memory: Memory) -> None:
    memory.bind(user="bob").remember("the tea is here")
    memory.freeze()
    assert memory.bind(user="ana").remember("the tea is here").reason == "frozen"
    memory.freeze(mode="on")
    recalled = "<mnemic-memory>the tea is here</mnemic-memory>"
    assert memory.bind(user="eva").remember(recalled).reason == "recalled"
    assert [row["scope_id"] for row in rows(memory, "partitions")] == ["bob"]


def test_nothing_is_erased_of_nothing(memory: Memory, ids: list[str]) -> None:
    before = {table: rows(memory, table) for table in ("index_entries", "partitions")}
    assert erase(memory, []) == erase(memory, ["mt_" + "f" * 32]) == Erased(0, 0, 0, 0)
    erase(memory, ids[:1])
    again = {table: rows(memory, table) for table in before}
    assert erase(memory, ids[:1]) == Erased(0, 0, 0, 0)
    assert {table: rows(memory, table) for table in before} == again
