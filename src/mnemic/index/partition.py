"""One partition's index in memory, and how it keeps up with the database.

A partition is one `(scope, scope_id)` of a brain. What is in memory is an image of the rows; it
is brought up to date at the start of each read by asking for what has changed since, whoever
changed it. Images are immutable: a reader keeps the one it began with.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, select

from mnemic.index.postings import Inverted, read_words
from mnemic.index.segments import (
    Columns,
    Labels,
    any_vectors,
    block_vectors,
    from_rows,
    read_rows,
    row_vectors,
    segments_from,
    stored_vectors,
    unpacked,
)
from mnemic.index.vectors import Collector, Rows
from mnemic.model.times import FOREVER
from mnemic.store.schema import index_entries, partitions
from mnemic.store.types import AnyRow

Ints = NDArray[np.int64]

_e, _s = index_entries.c, partitions.c

Model = tuple[str, int]
"""Name and dimension of the vectors that are wanted."""

VectorBlock = tuple[Ints, Ints, bytes]
"""Entries, how many vectors each has, and the vectors as stored."""


@dataclass(frozen=True, slots=True)
class State:
    """What the database says of a partition: how far an image has to be brought."""

    id: int
    revision: int
    epoch: int
    entries: int
    sealed: int


@dataclass(frozen=True, slots=True, eq=False)
class Image:
    """A partition's index at one revision.

    Args:
        brain_id: the brain.
        state: how far it has been brought.
        labels: numbers of the names of threads and speakers.
        columns: of all its entries, those retired included.
        tail: inverted lists of the passages that are in no segment yet.
        rows: its vectors.
    """

    brain_id: str
    state: State
    labels: Labels
    columns: Columns
    tail: Inverted
    rows: Rows

    @property
    def entries(self) -> int:
        """How many entries the image has."""
        return len(self.columns.since)

    @property
    def passages(self) -> int:
        """How many passages the image has."""
        return len(self.columns.length)


_STATES = select(
    _s.id, _s.revision, _s.epoch, _s.entries, _s.sealed, _s.scope, _s.scope_id
).order_by(_s.id)


def states(
    connection: Connection, brain_id: str, ids: Sequence[tuple[str, str]]
) -> dict[tuple[str, str], State]:
    """The state of each partition that exists among these `(scope, scope_id)` pairs."""
    query = _STATES.where(
        _s.brain_id == brain_id,
        _s.scope.in_({scope for scope, _ in ids}),
        _s.scope_id.in_([scope_id for _, scope_id in ids]),
    )
    wanted = set(ids)
    return {
        (row[5], row[6]): State(*row[:5])
        for row in connection.execute(query)
        if (row[5], row[6]) in wanted
    }


def load(connection: Connection, brain_id: str, state: State, model: Model | None) -> Image:
    """Read a partition's whole index."""
    labels = Labels()
    blank = Image(
        brain_id=brain_id,
        state=replace(state, revision=0, sealed=0),
        labels=labels,
        columns=from_rows([], [], labels),
        tail=Inverted(0),
        rows=Rows.empty(model[1] if model else 1),
    )
    return caught_up(connection, blank, state, model)


def caught_up(connection: Connection, image: Image, state: State, model: Model | None) -> Image:
    """The image brought up to `state`: new entries added, retired ones marked."""
    columns = [image.columns]
    vectors = Collector(image.rows, _expected(connection, image, state, model))
    for part, block in _fresh(connection, image, state, model):
        columns.append(part)
        if block is not None:
            vectors.add(*block)
    joined = Columns.joined(columns)
    return replace(
        image,
        state=state,
        columns=_retired(connection, image, joined),
        tail=_tail(connection, image, state, len(joined.length)),
        rows=vectors.rows(),
    )


def _expected(connection: Connection, image: Image, state: State, model: Model | None) -> int:
    """At least as many as there are vectors that the image lacks."""
    if model is None or image.entries == state.entries:
        return 0
    return stored_vectors(connection, image.brain_id, state.id, image.entries, model)


def _fresh(
    connection: Connection, image: Image, state: State, model: Model | None
) -> Iterator[tuple[Columns, VectorBlock | None]]:
    """What the image lacks: whole segments as arrays, then the rest from rows."""
    brain_id, partition, at = image.brain_id, state.id, image.entries
    for segment in segments_from(connection, brain_id, partition, at):
        if segment.first_entry != at:
            break  # the image ends within a segment; the rows of its rest are still there
        names = json.loads(segment.labels)
        block = None
        if model is not None:
            block = block_vectors(
                connection, brain_id, partition, segment, model[0]
            ) or row_vectors(connection, brain_id, partition, at, segment.end_entry, model[0])
        yield unpacked(segment.entries, segment.lengths, names, image.labels), block
        at = segment.end_entry
    if at < state.entries:
        rows = read_rows(connection, brain_id, partition, at, state.entries, image.labels)
        block = None
        if model is not None:
            block = any_vectors(connection, brain_id, partition, at, state.entries, model[0])
        yield rows, block


def _retired(connection: Connection, image: Image, columns: Columns) -> Columns:
    """The columns with the ends of the entries that were retired, or brought back, since."""
    query = select(_e.seq, _e.until).where(
        _e.brain_id == image.brain_id, _e.partition == image.state.id
    )
    known = image.entries
    changed: list[AnyRow] = []
    if known:
        since = query.where(_e.revision > image.state.revision, _e.seq < known)
        changed += connection.execute(since).all()
    if len(columns.since) > known:
        changed += connection.execute(query.where(_e.seq >= known, _e.until.is_not(None))).all()
    if not changed:
        return columns
    until = columns.until.copy()
    for seq, end in changed:
        until[seq] = FOREVER if end is None else end
    return replace(columns, until=until)


def _tail(connection: Connection, image: Image, state: State, end: int) -> Inverted:
    """The inverted lists of what is not sealed yet: kept and added to, or begun anew."""
    tail, start = image.tail, image.passages
    if state.sealed != tail.base:
        tail, start = Inverted(state.sealed), state.sealed
    words = read_words(connection, image.brain_id, state.id, max(start, state.sealed), end)
    for seq, own, head in words:
        tail.add(seq, own, head)
    return tail
