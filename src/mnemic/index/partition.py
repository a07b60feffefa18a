"""One partition's index in memory, and how it keeps up with the database.

A partition is one `(scope, scope_id)` of a brain. What is in memory is an image of the rows; it
is brought up to date at the start of each read by asking for what has changed since, whoever
changed it. Images are immutable: a reader keeps the one it began with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, select

from mnemic.index.postings import Inverted, read_words
from mnemic.index.vectors import Rows
from mnemic.model.times import FOREVER
from mnemic.model.trace import Role
from mnemic.store.schema import index_entries, partitions, trace_passages, trace_vectors
from mnemic.store.types import AnyRow

Ints = NDArray[np.int64]
Small = NDArray[np.int32]

_e, _p, _v, _s = index_entries.c, trace_passages.c, trace_vectors.c, partitions.c

ASSISTANT = Role.ASSISTANT.value


@dataclass(frozen=True, slots=True)
class State:
    """What the database says of a partition: how far an image has to be brought."""

    id: int
    revision: int
    epoch: int
    sealed: int


@dataclass(frozen=True, slots=True, eq=False)
class Image:
    """A partition's index at one revision. Arrays are by entry or by passage number.

    `labels` numbers the names of threads and speakers. An entry without a thread is a thread of
    its own, numbered -1 - position.
    """

    brain_id: str
    state: State
    labels: dict[str, int]
    trace_ids: list[str]
    content_version: Small
    position: Ints
    thread: Ints
    speaker: Small
    assistant: NDArray[np.bool_]
    head_length: Small
    since: Ints
    until: Ints
    first_passage: Ints
    entry_of: Ints
    length: Small
    tail: Inverted
    rows: Rows

    @property
    def entries(self) -> int:
        """How many entries the image has, those retired included."""
        return len(self.since)

    @property
    def passages(self) -> int:
        """How many passages the image has."""
        return len(self.entry_of)


def states(connection: Connection, brain_id: str, ids: Sequence[tuple[str, str]]) -> list[State]:
    """The state of each partition that exists among these `(scope, scope_id)` pairs."""
    query = select(_s.id, _s.revision, _s.epoch, _s.sealed, _s.scope, _s.scope_id).where(
        _s.brain_id == brain_id, _s.scope_id.in_([scope_id for _, scope_id in ids])
    )
    wanted = set(ids)
    return [
        State(row.id, row.revision, row.epoch, row.sealed)
        for row in connection.execute(query.order_by(_s.id))
        if (row.scope, row.scope_id) in wanted
    ]


def load(
    connection: Connection, brain_id: str, state: State, model: tuple[str, int] | None
) -> Image:
    """Read a partition's whole index. `model` is the name and dimension of its vectors."""
    none, small = np.zeros(0, np.int64), np.zeros(0, np.int32)
    blank = Image(
        brain_id=brain_id,
        state=replace(state, revision=0, sealed=0),
        labels={},
        trace_ids=[],
        content_version=small,
        position=none,
        thread=none,
        speaker=small,
        assistant=np.zeros(0, np.bool_),
        head_length=small,
        since=none,
        until=none,
        first_passage=none,
        entry_of=none,
        length=small,
        tail=Inverted(0),
        rows=Rows.empty(model[1] if model else 1),
    )
    return caught_up(connection, blank, state, model)


def caught_up(
    connection: Connection, image: Image, state: State, model: tuple[str, int] | None
) -> Image:
    """The image brought up to `state`: new rows added, retired ones marked."""
    known = image.entries
    changed = _changed_entries(connection, image)
    new = [row for row in changed if row.seq >= known]
    until = image.until
    if len(new) < len(changed):
        until = until.copy()
        for row in changed:
            if row.seq < known:
                until[row.seq] = FOREVER if row.until is None else row.until
    fresh = _read_passages(connection, image)
    tail = _tail(connection, image, state, len(fresh[0]) + image.passages)
    rows = image.rows
    if model is not None:
        rows = rows.extended(_read_vectors(connection, image, model[0]))
    numbers = range(known, known + len(new))
    if [row.seq for row in new] != list(numbers):
        raise AssertionError(f"entries of partition {state.id} have gaps in their numbers")
    labels = image.labels
    return replace(
        image,
        state=state,
        trace_ids=image.trace_ids + [row.trace_id for row in new],
        content_version=_grown(image.content_version, [row.content_version for row in new]),
        position=_grown(image.position, [row.position for row in new]),
        thread=_grown(
            image.thread,
            [
                -1 - row.position if row.thread is None else _label(labels, row.thread)
                for row in new
            ],
        ),
        speaker=_grown(
            image.speaker,
            [-1 if row.speaker is None else _label(labels, row.speaker) for row in new],
        ),
        assistant=_grown(image.assistant, [row.role == ASSISTANT for row in new]),
        head_length=_grown(image.head_length, [len(row.head.split()) for row in new]),
        since=_grown(image.since, [row.since for row in new]),
        until=_grown(until, [FOREVER if row.until is None else row.until for row in new]),
        first_passage=_first_passages(image, fresh[0]),
        entry_of=_grown(image.entry_of, fresh[0]),
        length=_grown(image.length, fresh[1]),
        tail=tail,
        rows=rows,
    )


def _label(labels: dict[str, int], name: str) -> int:
    return labels.setdefault(name, len(labels))


def _grown(array: NDArray[Any], more: Sequence[Any]) -> NDArray[Any]:
    return np.concatenate((array, np.array(more, array.dtype))) if len(more) else array


def _changed_entries(connection: Connection, image: Image) -> Sequence[AnyRow]:
    query = (
        select(
            _e.seq,
            _e.trace_id,
            _e.content_version,
            _e.position,
            _e.thread,
            _e.speaker,
            _e.role,
            _e.head,
            _e.since,
            _e.until,
        )
        .where(
            _e.brain_id == image.brain_id,
            _e.partition == image.state.id,
            _e.revision > image.state.revision,
        )
        .order_by(_e.seq)
    )
    return connection.execute(query).all()


def _read_passages(connection: Connection, image: Image) -> tuple[Sequence[int], Sequence[int]]:
    query = (
        select(_p.entry, _p.length)
        .where(
            _p.brain_id == image.brain_id,
            _p.partition == image.state.id,
            _p.seq >= image.passages,
        )
        .order_by(_p.seq)
    )
    found = connection.execute(query).all()
    return [row[0] for row in found], [row[1] for row in found]


def _first_passages(image: Image, fresh: Sequence[int]) -> Ints:
    base = image.passages
    starts = [base] if fresh else []
    starts += [base + at for at, (a, b) in enumerate(pairwise(fresh), 1) if a != b]
    return np.concatenate((image.first_passage, np.array(starts, np.int64)))


def _tail(connection: Connection, image: Image, state: State, end: int) -> Inverted:
    """The inverted lists of what is not sealed yet: kept and added to, or begun anew."""
    tail, start = image.tail, image.passages
    if state.sealed != tail.base:
        tail, start = Inverted(state.sealed), state.sealed
    words = read_words(connection, image.brain_id, state.id, max(start, state.sealed), end)
    for seq, own, head in words:
        tail.add(seq, own, head)
    return tail


def _read_vectors(connection: Connection, image: Image, model: str) -> Sequence[tuple[int, bytes]]:
    query = (
        select(_v.entry, _v.data)
        .where(
            _v.brain_id == image.brain_id,
            _v.partition == image.state.id,
            _v.entry >= image.entries,
            _v.model == model,
        )
        .order_by(_v.entry)
    )
    return [(row[0], row[1]) for row in connection.execute(query)]
