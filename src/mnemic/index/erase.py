"""Takes all that the index holds of some traces out of the tables.

An erased entry leaves a husk, which keeps its number and nothing of what it held
(index/husks.py); every other entry stays as it is. A partition of which only husks are left goes
altogether, and its number is never given to another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, delete, func, insert, select, update

from mnemic.index.husks import chunks, hollow
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

LAST_PARTITION = "last_partition"
"""The key of `brain_meta` that holds the highest number a partition ever had."""

_OF_PARTITION = (
    trace_postings,
    segment_vectors,
    trace_segments,
    trace_vectors,
    trace_passages,
    index_entries,
)
"""All that is kept of a partition besides its own row."""

_e, _s = index_entries.c, partitions.c


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
    for part in chunks(trace_ids):
        query = select(_e.partition, _e.seq).where(_e.brain_id == brain_id, _e.trace_id.in_(part))
        for partition, seq in connection.execute(query):
            by_partition.setdefault(partition, []).append(seq)
    whole = _emptied(connection, brain_id, by_partition)
    gone = _take_out(connection, brain_id, whole)
    passages, postings, vectors = (
        gone.get(table.name, 0) for table in (trace_passages, trace_postings, trace_vectors)
    )
    for number in sorted(by_partition.keys() - set(whole)):
        left = hollow(connection, brain_id, number, sorted(by_partition[number]))
        passages += left.passages
        postings += left.lists
        vectors += left.vectors
    entries = sum(map(len, by_partition.values()))
    return Erased(entries, passages, postings, vectors)


def _emptied(
    connection: Connection, brain_id: str, by_partition: Mapping[int, Sequence[int]]
) -> list[int]:
    """The partitions in which nothing is left."""
    found = []
    for part in chunks(sorted(by_partition)):
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
    for part in chunks(numbers):
        for table in _OF_PARTITION:
            columns = table.c
            result = connection.execute(
                delete(table).where(columns.brain_id == brain_id, columns.partition.in_(part))
            )
            gone[table.name] = gone.get(table.name, 0) + result.rowcount
        connection.execute(delete(partitions).where(_s.brain_id == brain_id, _s.id.in_(part)))
    return gone


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
