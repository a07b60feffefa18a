"""Segments: what is older of a partition, as arrays that are read at once.

A row a passage is right for writing one at a time and wrong for reading a hundred thousand. When
the tail of a partition has grown long it is sealed: its words become inverted lists
(`trace_postings`), its numbers become arrays (`trace_segments`), its vectors one block
(`segment_vectors`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, delete, func, insert, select, true, update

from mnemic.index.postings import seal
from mnemic.index.vectors import joined, parts
from mnemic.model.errors import StorageError
from mnemic.model.origin import Role
from mnemic.model.times import FOREVER
from mnemic.store.schema import (
    index_entries,
    segment_vectors,
    trace_passages,
    trace_segments,
    trace_vectors,
)
from mnemic.store.types import AnyRow

Ints = NDArray[np.int64]
Small = NDArray[np.int32]
Short = NDArray[np.uint16]

_e, _p, _v = index_entries.c, trace_passages.c, trace_vectors.c
_g, _b = trace_segments.c, segment_vectors.c

LAYOUT = np.dtype(
    [
        ("position", "<i4"),
        ("since", "<i8"),
        ("thread", "<i4"),
        ("speaker", "<i4"),
        ("head", "<u2"),
        ("passages", "<u2"),
        ("assistant", "?"),
        ("day", "<i4"),
        ("features", "u1"),
    ]
)

ENTRY_COLUMNS = (
    _e.seq,
    _e.position,
    _e.since,
    _e.until,
    _e.thread,
    _e.speaker,
    _e.role,
    _e.head_length,
    _e.day,
    _e.features,
)


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """A run of entries and their passages, as arrays.

    Args:
        position: of each entry in its thread.
        since, until: when it was held, in milliseconds; `FOREVER` is still.
        thread, speaker: numbers of names; -1 for none.
        assistant: whether an assistant said it.
        head: words around it.
        passages: how many passages it has.
        day: of each entry's time.
        features: of each entry's text, as bits of `text.features.Feature`.
        length: words of each passage.
    """

    position: Small
    since: Ints
    until: Ints
    thread: Small
    speaker: Small
    assistant: NDArray[np.bool_]
    head: Short
    passages: Short
    day: Small
    features: NDArray[np.uint8]
    length: Short

    @classmethod
    def joined(cls, several: Sequence[Columns]) -> Columns:
        """Runs one after another."""
        if len(several) == 1:
            return several[0]
        return cls(
            *(
                np.concatenate([getattr(columns, name) for columns in several])
                for name in cls.__slots__
            )
        )


class Labels:
    """Numbers for the names of threads and speakers, from 0 in the order of appearance."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, name: str | None) -> int:
        """The number of a name; -1 for none."""
        return -1 if name is None else self.numbers.setdefault(name, len(self.numbers))


def from_rows(entries: Sequence[AnyRow], passages: Sequence[AnyRow], labels: Labels) -> Columns:
    """Columns of rows: `ENTRY_COLUMNS`, and (entry, length) of each passage."""
    of = np.array([row[0] for row in passages], np.int64)
    first = entries[0][0] if entries else 0
    return Columns(
        position=np.array([row[1] for row in entries], np.int32),
        since=np.array([row[2] for row in entries], np.int64),
        until=np.array([FOREVER if row[3] is None else row[3] for row in entries], np.int64),
        thread=np.array([labels.number(row[4]) for row in entries], np.int32),
        speaker=np.array([labels.number(row[5]) for row in entries], np.int32),
        assistant=np.array([row[6] == Role.ASSISTANT.value for row in entries], np.bool_),
        head=np.array([row[7] for row in entries], np.uint16),
        passages=np.bincount(of - first, minlength=len(entries)).astype(np.uint16),
        day=np.array([row[8] for row in entries], np.int32),
        features=np.array([row[9] for row in entries], np.uint8),
        length=np.array([row[1] for row in passages], np.uint16),
    )


def packed(columns: Columns) -> tuple[bytes, bytes]:
    """Columns as stored. When an entry was retired stays in its row, where it can change."""
    table = np.empty(len(columns.position), LAYOUT)
    for name in LAYOUT.names or ():
        table[name] = getattr(columns, name)
    return table.tobytes(), columns.length.astype("<u2").tobytes()


def unpacked(entries: bytes, lengths: bytes, names: Sequence[str], labels: Labels) -> Columns:
    """Columns of a stored segment, its names numbered by `labels`."""
    table = np.frombuffer(entries, LAYOUT)
    numbers = np.array([*(labels.number(name) for name in names), -1], np.int32)
    return Columns(
        position=table["position"].astype(np.int32),
        since=table["since"].astype(np.int64),
        until=np.full(len(table), FOREVER, np.int64),
        thread=numbers[table["thread"]],
        speaker=numbers[table["speaker"]],
        assistant=table["assistant"].astype(np.bool_),
        head=table["head"].astype(np.uint16),
        passages=table["passages"].astype(np.uint16),
        day=table["day"].astype(np.int32),
        features=table["features"].copy(),
        length=np.frombuffer(lengths, "<u2").astype(np.uint16),
    )


def read_rows(
    connection: Connection, brain_id: str, partition: int, start: int, end: int, labels: Labels
) -> Columns:
    """Columns of the entries from number `start` until before `end`, from their rows."""
    entries = connection.execute(
        select(*ENTRY_COLUMNS)
        .where(_e.brain_id == brain_id, _e.partition == partition, _e.seq >= start, _e.seq < end)
        .order_by(_e.seq)
    ).all()
    if [row[0] for row in entries] != list(range(start, end)):
        raise StorageError(
            f"the index of partition {partition} of brain {brain_id!r} has gaps between "
            f"{start} and {end}; the file is damaged, restore it from a backup"
        )
    after = _first_passage(connection, brain_id, partition, end)
    passages = connection.execute(
        select(_p.entry, _p.length)
        .where(
            _p.brain_id == brain_id,
            _p.partition == partition,
            _p.seq >= (_first_passage(connection, brain_id, partition, start) or 0),
            true() if after is None else _p.seq < after,
        )
        .order_by(_p.seq)
    ).all()
    return from_rows(entries, passages, labels)


def _first_passage(connection: Connection, brain_id: str, partition: int, entry: int) -> int | None:
    """The number of an entry's first passage; None where there is no such entry."""
    query = select(_e.first_passage).where(
        _e.brain_id == brain_id, _e.partition == partition, _e.seq == entry
    )
    first: int | None = connection.execute(query).scalar()
    return first


def write_segment(
    connection: Connection,
    brain_id: str,
    partition: int,
    entries: tuple[int, int],
    passages: tuple[int, int],
) -> None:
    """Seal the entries and passages from the first number of each pair until before the second."""
    connection.execute(
        insert(trace_segments).values(
            brain_id=brain_id,
            partition=partition,
            segment=passages[0],
            first_entry=entries[0],
            end_entry=entries[1],
            **_arrays(connection, brain_id, partition, entries),
        )
    )
    seal(connection, brain_id, partition, *passages)
    for model in _models(connection, brain_id, partition, entries):
        gather_vectors(connection, brain_id, partition, passages[0], entries, model)


def rewrite_segment(
    connection: Connection, brain_id: str, partition: int, segment: int, entries: tuple[int, int]
) -> None:
    """Make a segment's arrays again, of rows that have changed since it was sealed."""
    connection.execute(
        update(trace_segments)
        .where(_g.brain_id == brain_id, _g.partition == partition, _g.segment == segment)
        .values(_arrays(connection, brain_id, partition, entries))
    )


def _arrays(
    connection: Connection, brain_id: str, partition: int, entries: tuple[int, int]
) -> dict[str, Any]:
    """The rows of some entries and of their passages, as a segment stores them."""
    labels = Labels()
    table, lengths = packed(read_rows(connection, brain_id, partition, *entries, labels))
    names = json.dumps(list(labels.numbers), ensure_ascii=False)
    return {"labels": names, "entries": table, "lengths": lengths}


def _vector_rows(brain_id: str, partition: int, entries: tuple[int, int]) -> Any:
    return (
        (_v.brain_id == brain_id)
        & (_v.partition == partition)
        & (_v.entry >= entries[0])
        & (_v.entry < entries[1])
    )


def _models(
    connection: Connection, brain_id: str, partition: int, entries: tuple[int, int]
) -> list[str]:
    where = _vector_rows(brain_id, partition, entries)
    return [row[0] for row in connection.execute(select(_v.model).where(where).distinct())]


def gather_vectors(
    connection: Connection,
    brain_id: str,
    partition: int,
    segment: int,
    entries: tuple[int, int],
    model: str,
) -> None:
    """Put a segment's vectors into one block, if every entry of it has some in a row of its own.

    Entries whose trace was erased have none, and are not waited for.
    """
    where = _vector_rows(brain_id, partition, entries) & (_v.model == model)
    query = select(_v.entry, _v.dimension, _v.data).where(where).order_by(_v.entry)
    rows = connection.execute(query).all()
    if not rows or [row.entry for row in rows] != _living(connection, brain_id, partition, entries):
        return
    found = [parts(row.data, row.dimension) for row in rows]
    counts = np.zeros(entries[1] - entries[0], "<u2")
    counts[[row.entry - entries[0] for row in rows]] = [len(scale) for scale, _ in found]
    connection.execute(
        insert(segment_vectors).values(
            brain_id=brain_id,
            partition=partition,
            segment=segment,
            model=model,
            dimension=rows[0].dimension,
            counts=counts.tobytes(),
            data=joined(
                np.concatenate([scale for scale, _ in found]),
                np.concatenate([quantised for _, quantised in found]),
            ),
        )
    )
    connection.execute(delete(trace_vectors).where(where))


def _living(
    connection: Connection, brain_id: str, partition: int, entries: tuple[int, int]
) -> list[int]:
    """The entries between two numbers that have a trace still."""
    query = select(_e.seq).where(
        _e.brain_id == brain_id,
        _e.partition == partition,
        _e.seq >= entries[0],
        _e.seq < entries[1],
        _e.trace_id.is_not(None),
    )
    return list(connection.execute(query.order_by(_e.seq)).scalars())


def segments_from(
    connection: Connection, brain_id: str, partition: int, entry: int
) -> Sequence[AnyRow]:
    """The segments whose entries start at number `entry` or later, in order."""
    query = (
        select(trace_segments)
        .where(_g.brain_id == brain_id, _g.partition == partition, _g.first_entry >= entry)
        .order_by(_g.segment)
    )
    return connection.execute(query).all()


def block_vectors(
    connection: Connection, brain_id: str, partition: int, segment: AnyRow, model: str
) -> tuple[Ints, Ints, bytes] | None:
    """Entries, counts and stored vectors of a segment's block; None when it has none."""
    query = select(_b.partition, _b.segment, _b.dimension, _b.counts, _b.data).where(
        _b.brain_id == brain_id,
        _b.partition == partition,
        _b.segment == segment.segment,
        _b.model == model,
    )
    row = connection.execute(query).first()
    if row is None:
        return None
    counts = block_counts(row)
    held = np.flatnonzero(counts)
    if not len(held):
        return None  # all of it was erased
    return segment.first_entry + held, counts[held], row.data


def block_counts(block: AnyRow) -> Ints:
    """How many vectors each entry has in a block, a row of `segment_vectors`."""
    counts = np.frombuffer(block.counts, "<u2").astype(np.int64)
    if len(block.data) != int(counts.sum()) * (4 + block.dimension):
        raise StorageError(
            f"the vectors of segment {block.segment} of partition {block.partition} are cut "
            "short; the file is damaged, restore it from a backup"
        )
    return counts


def stored_vectors(
    connection: Connection, brain_id: str, partition: int, start: int, model: tuple[str, int]
) -> int:
    """At most how many vectors of a model the entries from `start` on have.

    A segment's block counts whole when the segment ends after `start`.
    """
    name, dimension = model
    rows = select(func.sum(func.length(_v.data))).where(
        _v.brain_id == brain_id,
        _v.partition == partition,
        _v.entry >= start,
        _v.model == name,
    )
    blocks = select(func.sum(func.length(_b.data))).where(
        _b.brain_id == brain_id,
        _b.partition == partition,
        _b.model == name,
        _g.brain_id == brain_id,
        _g.partition == partition,
        _g.segment == _b.segment,
        _g.end_entry > start,
    )
    total = sum(connection.execute(query).scalar() or 0 for query in (rows, blocks))
    return int(total) // (4 + dimension)


def row_vectors(
    connection: Connection, brain_id: str, partition: int, start: int, end: int, model: str
) -> tuple[Ints, Ints, bytes] | None:
    """The same of the entries from `start` until before `end` whose vectors have rows."""
    where = _vector_rows(brain_id, partition, (start, end)) & (_v.model == model)
    query = select(_v.entry, _v.dimension, _v.data).where(where).order_by(_v.entry)
    rows = connection.execute(query).all()
    if not rows:
        return None
    found = [parts(row.data, row.dimension) for row in rows]
    entries = np.array([row.entry for row in rows], np.int64)
    counts = np.array([len(scale) for scale, _ in found], np.int64)
    return (
        entries,
        counts,
        joined(
            np.concatenate([scale for scale, _ in found]),
            np.concatenate([quantised for _, quantised in found]),
        ),
    )


def any_vectors(
    connection: Connection, brain_id: str, partition: int, start: int, end: int, model: str
) -> tuple[Ints, Ints, bytes] | None:
    """The same of entries that may be in a segment's block: the tail, or an image cut short."""
    query = (
        select(trace_segments)
        .where(
            _g.brain_id == brain_id,
            _g.partition == partition,
            _g.end_entry > start,
            _g.first_entry < end,
        )
        .order_by(_g.segment)
    )
    several: list[tuple[Ints, Ints, bytes] | None] = []
    at = start
    for segment in connection.execute(query).all():
        block = block_vectors(connection, brain_id, partition, segment, model)
        end_entry = segment.end_entry
        if block is not None:
            several.append(_from(block, at, _dimension(block)))
        else:
            several.append(row_vectors(connection, brain_id, partition, at, end_entry, model))
        at = end_entry
    several.append(row_vectors(connection, brain_id, partition, at, end, model))
    return _as_one([part for part in several if part is not None and len(part[0])])


def _dimension(block: tuple[Ints, Ints, bytes]) -> int:
    return len(block[2]) // int(block[1].sum()) - 4


def _from(block: tuple[Ints, Ints, bytes], start: int, dimension: int) -> tuple[Ints, Ints, bytes]:
    """The part of a block from entry `start` on."""
    entries, counts, data = block
    kept = entries >= start
    skipped = int(counts[~kept].sum())
    scale, quantised = parts(data, dimension)
    return entries[kept], counts[kept], joined(scale[skipped:], quantised[skipped:])


def _as_one(several: Sequence[tuple[Ints, Ints, bytes]]) -> tuple[Ints, Ints, bytes] | None:
    """Blocks of later and later entries as one."""
    if len(several) < 2:
        return several[0] if several else None
    dimension = _dimension(several[0])
    found = [parts(data, dimension) for _, _, data in several]
    return (
        np.concatenate([entries for entries, _, _ in several]),
        np.concatenate([counts for _, counts, _ in several]),
        joined(
            np.concatenate([scale for scale, _ in found]),
            np.concatenate([quantised for _, quantised in found]),
        ),
    )
