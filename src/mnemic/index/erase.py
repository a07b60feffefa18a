"""Takes all that the index holds of some traces out of the tables.

Entries of a partition are numbered without gaps, and segments hold them as arrays, so that an
erased entry leaves a husk: its number stays, and nothing of what it held. Words, heads, names,
inverted lists and vectors are gone; every other entry stays as it is. A partition of which only
husks are left goes altogether, and its number is never given to another.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, Connection, Table, delete, func, insert, select, update

from mnemic.index.postings import unpack
from mnemic.index.segments import LAYOUT
from mnemic.index.vectors import joined, parts
from mnemic.store.schema import (
    brain_meta,
    index_entries,
    partitions,
    segment_vectors,
    trace_passages,
    trace_postings,
    trace_segments,
    trace_vectors,
)
from mnemic.store.types import AnyRow

LAST_PARTITION = "last_partition"
"""The key of `brain_meta` that holds the highest number a partition ever had."""

_CHUNK = 500
_HUSK = 2
"""What stands in `embedded` for an entry that has no vectors and waits for none."""

_OF_PARTITION = (
    trace_postings,
    segment_vectors,
    trace_segments,
    trace_vectors,
    trace_passages,
    index_entries,
)
"""All that is kept of a partition besides its own row."""

_e, _p, _v = index_entries.c, trace_passages.c, trace_vectors.c
_s, _g, _x, _b = partitions.c, trace_segments.c, trace_postings.c, segment_vectors.c


@dataclass(frozen=True, slots=True)
class Erased:
    """How many rows of each kind were emptied or taken out."""

    entries: int
    passages: int
    postings: int
    vectors: int


def erase_entries(connection: Connection, brain_id: str, trace_ids: Sequence[str]) -> Erased:
    """Empty every entry of some traces, in one write transaction.

    Args:
        connection: holds the write lock.
        brain_id: of which brain.
        trace_ids: whatever was indexed of them, corrected wordings included.
    """
    by_partition: dict[int, list[int]] = {}
    for part in _chunks(trace_ids):
        query = select(_e.partition, _e.seq).where(_e.brain_id == brain_id, _e.trace_id.in_(part))
        for partition, seq in connection.execute(query):
            by_partition.setdefault(partition, []).append(seq)
    whole = _emptied(connection, brain_id, by_partition)
    gone = _take_out(connection, brain_id, whole)
    passages, postings, vectors = (
        gone.get(table.name, 0) for table in (trace_passages, trace_postings, trace_vectors)
    )
    for number in by_partition.keys() - set(whole):
        partition = _Partition(connection, brain_id, number, sorted(by_partition[number]))
        vectors += partition.drop_vectors()
        postings += partition.empty_segments()
        passages += partition.empty_rows()
        partition.finish()
    entries = sum(map(len, by_partition.values()))
    return Erased(entries, passages, postings, vectors)


_T = TypeVar("_T")


def _chunks(several: Sequence[_T]) -> Iterable[Sequence[_T]]:
    return (several[at : at + _CHUNK] for at in range(0, len(several), _CHUNK))


def _emptied(
    connection: Connection, brain_id: str, by_partition: Mapping[int, Sequence[int]]
) -> list[int]:
    """The partitions in which nothing is left."""
    found = []
    for part in _chunks(sorted(by_partition)):
        query = (
            select(_e.partition, func.count())
            .where(_e.brain_id == brain_id, _e.partition.in_(part), _e.trace_id.is_not(None))
            .group_by(_e.partition)
        )
        found += [
            partition
            for partition, living in connection.execute(query)
            if living == len(by_partition[partition])
        ]
    return found


def _take_out(connection: Connection, brain_id: str, numbers: Sequence[int]) -> dict[str, int]:
    """Delete whole partitions; returns how many rows of which table they had."""
    gone: dict[str, int] = {}
    if numbers:
        _keep_number(connection, brain_id)
    for part in _chunks(numbers):
        for table in _OF_PARTITION:
            columns = table.c
            result = connection.execute(
                delete(table).where(columns.brain_id == brain_id, columns.partition.in_(part))
            )
            gone[table.name] = gone.get(table.name, 0) + result.rowcount
        connection.execute(delete(partitions).where(_s.brain_id == brain_id, _s.id.in_(part)))
    return gone


class _Partition:
    """One partition, some of whose entries are erased."""

    def __init__(
        self, connection: Connection, brain_id: str, number: int, entries: Sequence[int]
    ) -> None:
        self._connection = connection
        self._brain_id = brain_id
        self._number = number
        self._entries = entries
        self._passages = self._passage_numbers()

    def _of(self, table: Table) -> list[ColumnElement[bool]]:
        columns = table.c
        return [columns.brain_id == self._brain_id, columns.partition == self._number]

    def _passage_numbers(self) -> NDArray[np.int64]:
        found: list[int] = []
        for part in _chunks(self._entries):
            query = select(_p.seq).where(*self._of(trace_passages), _p.entry.in_(part))
            found += [row[0] for row in self._connection.execute(query)]
        return np.array(sorted(found), np.int64)

    def drop_vectors(self) -> int:
        """Take out the vectors that have rows of their own; those in blocks follow."""
        return sum(
            self._connection.execute(
                delete(trace_vectors).where(*self._of(trace_vectors), _v.entry.in_(part))
            ).rowcount
            for part in _chunks(self._entries)
        )

    def empty_segments(self) -> int:
        """Write the segments anew that hold some of it; returns how many lists were changed."""
        query = select(trace_segments).where(*self._of(trace_segments))
        changed = 0
        for segment in self._connection.execute(query).all():
            inside = [
                seq - segment.first_entry
                for seq in self._entries
                if segment.first_entry <= seq < segment.end_entry
            ]
            if inside:
                self._empty_arrays(segment, np.array(inside, np.int64))
                self._empty_blocks(segment, np.array(inside, np.int64))
                changed += self._empty_lists(segment)
        return changed

    def _empty_arrays(self, segment: AnyRow, inside: NDArray[np.int64]) -> None:
        table = np.frombuffer(segment.entries, LAYOUT).copy()
        lengths = np.frombuffer(segment.lengths, "<u2").copy()
        ends = np.cumsum(table["passages"].astype(np.int64))
        for entry in inside.tolist():
            lengths[ends[entry] - int(table["passages"][entry]) : ends[entry]] = 0
        for name, value in (
            ("since", 0),
            ("thread", -1),
            ("speaker", -1),
            ("head", 0),
            ("assistant", False),
        ):
            table[name][inside] = value
        labels = _relabelled(table, json.loads(segment.labels))
        self._connection.execute(
            update(trace_segments)
            .where(*self._of(trace_segments), _g.segment == segment.segment)
            .values(
                labels=json.dumps(labels, ensure_ascii=False),
                entries=table.tobytes(),
                lengths=lengths.tobytes(),
            )
        )

    def _empty_blocks(self, segment: AnyRow, inside: NDArray[np.int64]) -> None:
        where = [*self._of(segment_vectors), _b.segment == segment.segment]
        for block in self._connection.execute(select(segment_vectors).where(*where)).all():
            counts = np.frombuffer(block.counts, "<u2").copy()
            kept = np.ones(len(counts), np.bool_)
            kept[inside] = False
            rows = np.repeat(kept, counts)
            scale, quantised = parts(block.data, block.dimension)
            counts[inside] = 0
            self._connection.execute(
                update(segment_vectors)
                .where(*where, _b.model == block.model)
                .values(counts=counts.tobytes(), data=joined(scale[rows], quantised[rows]))
            )

    def _empty_lists(self, segment: AnyRow) -> int:
        """Take the passages out of every inverted list of a segment that names them."""
        where = [*self._of(trace_postings), _x.segment == segment.segment]
        changed = 0
        query = select(_x.term, _x.data).where(*where)
        for term, data in self._connection.execute(query).all():
            seqs, own, head = unpack(data, segment.segment)
            kept = ~np.isin(seqs, self._passages)
            if kept.all():
                continue
            changed += 1
            row = [*where, _x.term == term]
            if not kept.any():
                self._connection.execute(delete(trace_postings).where(*row))
                continue
            offsets = (seqs[kept] - segment.segment).astype("<u2")
            data = offsets.tobytes() + own[kept].tobytes() + head[kept].tobytes()
            self._connection.execute(update(trace_postings).where(*row).values(data=data))
        return changed

    def empty_rows(self) -> int:
        """Make husks of the rows of entries and passages; returns how many passages."""
        for part in _chunks(self._entries):
            self._connection.execute(
                update(trace_passages)
                .where(*self._of(trace_passages), _p.entry.in_(part))
                .values(words="", start=0, end=0, length=0)
            )
            self._connection.execute(
                update(index_entries)
                .where(*self._of(index_entries), _e.seq.in_(part))
                .values(
                    trace_id=None,
                    thread=None,
                    speaker=None,
                    role=None,
                    head="",
                    head_length=0,
                    since=0,
                    until=0,
                    embedded=_HUSK,
                )
            )
        return len(self._passages)

    def finish(self) -> None:
        """Let every process read the partition anew."""
        self._connection.execute(
            update(partitions)
            .where(_s.brain_id == self._brain_id, _s.id == self._number)
            .values(epoch=_s.epoch + 1, revision=_s.revision + 1)
        )


def _relabelled(table: NDArray[np.void], names: Sequence[str]) -> list[str]:
    """Only the names that the entries still use, numbered anew; changes `table`."""
    used = sorted({int(n) for name in ("thread", "speaker") for n in table[name] if n >= 0})
    numbers = np.full(len(names) + 1, -1, np.int32)  # its last place stands for -1
    for number, old in enumerate(used):
        numbers[old] = number
    for name in ("thread", "speaker"):
        table[name] = numbers[table[name]]
    return [names[old] for old in used]


def _keep_number(connection: Connection, brain_id: str) -> None:
    """Write down the highest number of a partition, before the partition goes."""
    highest = connection.execute(select(func.max(_s.id)).where(_s.brain_id == brain_id)).scalar()
    number = max(highest or 0, last_number(connection, brain_id))
    key = (brain_meta.c.brain_id == brain_id) & (brain_meta.c.key == LAST_PARTITION)
    changed = connection.execute(update(brain_meta).where(key).values(value=str(number)))
    if not changed.rowcount:
        row = {"brain_id": brain_id, "key": LAST_PARTITION, "value": str(number)}
        connection.execute(insert(brain_meta).values(row))


def last_number(connection: Connection, brain_id: str) -> int:
    """The highest number that a partition had when one was taken out; 0 if none ever was."""
    query = select(brain_meta.c.value).where(
        brain_meta.c.brain_id == brain_id, brain_meta.c.key == LAST_PARTITION
    )
    return int(connection.execute(query).scalar() or 0)
