"""Husks: what is left of an erased entry, so that the others keep their numbers.

Entries and passages of a partition are numbered without gaps, and segments hold them in the
order of their numbers. So an erased entry leaves its number and those of its passages, and
nothing of what it held. A husk has no trace, is held at no instant (`since` and `until` are both
0), and its passages have no words and no vectors: it counts in no statistic, and what stood on
both sides of it in a thread closes up.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, bindparam, delete, func, select, update

from mnemic.index.postings import cut_lists, read_words
from mnemic.index.segments import block_counts, rewrite_segment
from mnemic.index.vectors import joined, parts
from mnemic.store.schema import (
    index_entries,
    partitions,
    segment_vectors,
    trace_passages,
    trace_segments,
    trace_vectors,
)
from mnemic.store.types import AnyRow

_s, _e, _p = partitions.c, index_entries.c, trace_passages.c
_v, _g, _b = trace_vectors.c, trace_segments.c, segment_vectors.c

ASKED_AT_ONCE = 10_000
"""Values in one query; SQLite takes 32,766 parameters."""

_HUSK: dict[str, Any] = {
    "trace_id": None,
    "content_version": 0,
    "thread": None,
    "speaker": None,
    "role": None,
    "head": "",
    "head_length": 0,
    "day": 0,
    "features": 0,
    "since": 0,
    "until": 0,
    # It neither has vectors (1) nor waits for them (0).
    "embedded": 2,
}


@dataclass(frozen=True, slots=True)
class Hollowed:
    """How many passages were emptied, lists shortened or deleted, and rows of vectors deleted."""

    passages: int
    lists: int
    vectors: int


@dataclass(frozen=True, slots=True)
class _Doomed:
    """An entry to be erased, and its passages: from number `first` until before `end`."""

    seq: int
    first: int
    end: int


def hollow(
    connection: Connection, brain_id: str, partition: int, entries: Sequence[int]
) -> Hollowed:
    """Make husks of some entries of a partition.

    Args:
        connection: within a write transaction.
        brain_id: the brain.
        partition: which holds the entries.
        entries: their numbers, ascending.
    """
    doomed = _doomed(connection, brain_id, partition, entries)
    segments = _segments_of(connection, brain_id, partition, doomed)
    # First the lists, since the rows say which words are to be looked for.
    lists = sum(
        _cut_lists(connection, brain_id, partition, segment.segment, own)
        for segment, own in segments
    )
    _empty_rows(connection, brain_id, partition, doomed)
    vectors = _delete_vectors(connection, brain_id, partition, entries)
    for segment, own in segments:
        span = (segment.first_entry, segment.end_entry)
        rewrite_segment(connection, brain_id, partition, segment.segment, span)
        gone = np.zeros(span[1] - span[0], np.bool_)
        gone[[entry.seq - span[0] for entry in own]] = True
        _cut_blocks(connection, brain_id, partition, segment.segment, gone)
    return Hollowed(sum(entry.end - entry.first for entry in doomed), lists, vectors)


def _doomed(
    connection: Connection, brain_id: str, partition: int, entries: Sequence[int]
) -> list[_Doomed]:
    """Where the passages of some entries begin and end: at the next entry's, or the last of all."""
    after = index_entries.alias()
    next_entry = (
        (after.c.brain_id == _e.brain_id)
        & (after.c.partition == _e.partition)
        & (after.c.seq == _e.seq + 1)
    )
    query = (
        select(_e.seq, _e.first_passage, func.coalesce(after.c.first_passage, _s.passages))
        .select_from(
            index_entries.join(
                partitions, (_s.brain_id == _e.brain_id) & (_s.id == _e.partition)
            ).outerjoin(after, next_entry)
        )
        .where(_e.brain_id == brain_id, _e.partition == partition)
        .order_by(_e.seq)
    )
    return [
        _Doomed(*row)
        for part in chunks(entries)
        for row in connection.execute(query.where(_e.seq.in_(part)))
    ]


def _segments_of(
    connection: Connection, brain_id: str, partition: int, doomed: Sequence[_Doomed]
) -> list[tuple[AnyRow, Sequence[_Doomed]]]:
    """The segments that hold some entries, each with those that it holds."""
    query = (
        select(_g.segment, _g.first_entry, _g.end_entry)
        .where(_g.brain_id == brain_id, _g.partition == partition)
        .order_by(_g.segment)
    )
    seqs = [entry.seq for entry in doomed]
    found = []
    for segment in connection.execute(query):
        own = doomed[bisect_left(seqs, segment.first_entry) : bisect_left(seqs, segment.end_entry)]
        if own:
            found.append((segment, own))
    return found


def _cut_lists(
    connection: Connection, brain_id: str, partition: int, segment: int, own: Sequence[_Doomed]
) -> int:
    """Take entries out of the lists of their segment."""
    words: set[str] = set()
    for first, end in _runs(own):
        for _, text, head in read_words(connection, brain_id, partition, first, end):
            words.update(text, head)
    passages = np.array([seq for entry in own for seq in range(entry.first, entry.end)], np.int64)
    return cut_lists(connection, brain_id, partition, segment, words, passages)


def _runs(doomed: Iterable[_Doomed]) -> list[tuple[int, int]]:
    """The passages of some entries, those that follow on each other as one run."""
    runs: list[tuple[int, int]] = []
    for entry in doomed:
        if runs and runs[-1][1] == entry.first:
            runs[-1] = (runs[-1][0], entry.end)
        else:
            runs.append((entry.first, entry.end))
    return runs


def _empty_rows(
    connection: Connection, brain_id: str, partition: int, doomed: Sequence[_Doomed]
) -> None:
    """Leave of the rows their numbers only; every process then reads the partition anew."""
    connection.execute(
        update(partitions)
        .where(_s.brain_id == brain_id, _s.id == partition)
        .values(revision=_s.revision + 1, epoch=_s.epoch + 1)
    )
    connection.execute(
        update(index_entries)
        .where(_e.brain_id == brain_id, _e.partition == partition, _e.seq == bindparam("of_seq"))
        .values(**_HUSK, position=_e.seq),
        [{"of_seq": entry.seq} for entry in doomed],
    )
    connection.execute(
        update(trace_passages)
        .where(
            _p.brain_id == brain_id,
            _p.partition == partition,
            _p.seq >= bindparam("of_first"),
            _p.seq < bindparam("of_end"),
        )
        .values(words="", start=0, end=0, length=0),
        [{"of_first": first, "of_end": end} for first, end in _runs(doomed)],
    )


def _delete_vectors(
    connection: Connection, brain_id: str, partition: int, entries: Sequence[int]
) -> int:
    """Delete the vectors that have rows of their own, those of all models."""
    taken = 0
    for part in chunks(entries):
        where = (_v.brain_id == brain_id) & (_v.partition == partition) & _v.entry.in_(part)
        taken += connection.execute(delete(trace_vectors).where(where)).rowcount
    return taken


def _cut_blocks(
    connection: Connection, brain_id: str, partition: int, segment: int, gone: NDArray[np.bool_]
) -> None:
    """Take entries out of their segment's blocks, those of all models. None is left empty."""
    where = (_b.brain_id == brain_id) & (_b.partition == partition) & (_b.segment == segment)
    for block in connection.execute(select(segment_vectors).where(where)).all():
        counts = block_counts(block)
        kept = np.repeat(~gone, counts)
        of_model = where & (_b.model == block.model)
        if not kept.any():
            connection.execute(delete(segment_vectors).where(of_model))
            continue
        scale, quantised = parts(block.data, block.dimension)
        connection.execute(
            update(segment_vectors)
            .where(of_model)
            .values(
                counts=np.where(gone, 0, counts).astype("<u2").tobytes(),
                data=joined(scale[kept], quantised[kept]),
            )
        )


def chunks(values: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """As many values as one query takes, then the next, and so on."""
    for at in range(0, len(values), ASKED_AT_ONCE):
        yield values[at : at + ASKED_AT_ONCE]
