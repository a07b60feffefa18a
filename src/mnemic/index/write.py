"""How the index is written: in the transaction of what it indexes; both are kept, or none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, func, insert, select, update

from mnemic.index.analysis import Analysis
from mnemic.index.erase import last_number
from mnemic.index.segments import write_segment
from mnemic.model.scope import Scope
from mnemic.store.bulk import insert_rows
from mnemic.store.schema import index_entries, partitions, trace_passages, trace_vectors
from mnemic.store.types import AnyRow

_s, _e = partitions.c, index_entries.c

# Built once: building a statement takes longer than running it.
_FIND = select(
    _s.id, _s.revision, _s.epoch, _s.entries, _s.passages, _s.sealed_entries, _s.sealed
).where(
    _s.brain_id == bindparam("of_brain"),
    _s.scope == bindparam("of_scope"),
    _s.scope_id == bindparam("of_scope_id"),
)
_SAVE = (
    update(partitions)
    .where(_s.brain_id == bindparam("of_brain"), _s.id == bindparam("of_id"))
    .values(
        {
            name: bindparam(name)
            for name in ("revision", "epoch", "entries", "passages", "sealed_entries", "sealed")
        }
    )
)


@dataclass(frozen=True, slots=True)
class Packed:
    """Vectors of one text as they are stored, and the model that made them."""

    model: str
    dimension: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Entry:
    """One content of one trace, to be indexed.

    Args:
        trace_id: the trace.
        content_version: the version in which the content came in.
        thread, speaker, role: as the trace has them.
        analysis: its passages and head.
        since: from when the brain holds it, in milliseconds.
        vectors: its vectors; None when they are to be made later.
        position: its place in its thread; None is the end.
    """

    trace_id: str
    content_version: int
    thread: str | None
    speaker: str | None
    role: str | None
    analysis: Analysis
    since: int
    vectors: Packed | None
    position: int | None = None


class Partition:
    """A partition within one write transaction."""

    def __init__(self, connection: Connection, brain_id: str, scope: Scope, scope_id: str) -> None:
        self._connection = connection
        self._brain_id = brain_id
        place = {"of_brain": brain_id, "of_scope": scope.value, "of_scope_id": scope_id}
        self._place = {"scope": scope.value, "scope_id": scope_id}
        row = connection.execute(_FIND, place).first()
        self._is_new = row is None
        counts: tuple[int, ...] = (0,) * 7 if row is None else tuple(row)
        self.id, self.revision, self.epoch, self.entries, self.passages = counts[:5]
        self.sealed_entries, self.sealed = counts[5:]

    def _make(self) -> None:
        """Give a new partition its row: not before something is filed in it."""
        connection, brain_id = self._connection, self._brain_id
        last = connection.execute(select(func.max(_s.id)).where(_s.brain_id == brain_id)).scalar()
        # A number that was erased is never used again: a process may hold what it stood for.
        self.id = max(last or 0, last_number(connection, brain_id)) + 1
        connection.execute(insert(partitions).values(**self._place, **self._row()))
        self._is_new = False

    def _row(self) -> dict[str, Any]:
        return {
            "brain_id": self._brain_id,
            "id": self.id,
            "revision": self.revision,
            "epoch": self.epoch,
            "entries": self.entries,
            "passages": self.passages,
            "sealed_entries": self.sealed_entries,
            "sealed": self.sealed,
        }

    def add(self, entries: Iterable[Entry]) -> None:
        """Index some contents, in this order."""
        rows: list[dict[str, Any]] = []
        passages: list[dict[str, Any]] = []
        vectors: list[dict[str, Any]] = []
        if self._is_new:
            self._make()
        self.revision += 1
        for entry in entries:
            key = {"brain_id": self._brain_id, "partition": self.id}
            seq = self.entries
            rows.append(self._entry_row(key, seq, entry))
            for passage in entry.analysis.passages:
                passages.append(
                    {
                        **key,
                        "seq": self.passages,
                        "entry": seq,
                        "start": passage.start,
                        "end": passage.end,
                        "length": len(passage.words),
                        "words": " ".join(passage.words),
                    }
                )
                self.passages += 1
            if entry.vectors is not None:
                vectors.append(_vector_row(key, seq, entry.vectors))
            self.entries += 1
        insert_rows(index_entries, self._connection, rows)
        insert_rows(trace_passages, self._connection, passages)
        insert_rows(trace_vectors, self._connection, vectors)

    def _entry_row(self, key: dict[str, Any], seq: int, entry: Entry) -> dict[str, Any]:
        return {
            **key,
            "seq": seq,
            "trace_id": entry.trace_id,
            "content_version": entry.content_version,
            "first_passage": self.passages,
            "position": seq if entry.position is None else entry.position,
            "thread": entry.thread,
            "speaker": entry.speaker,
            "role": entry.role,
            "head": " ".join(entry.analysis.head),
            "head_length": len(entry.analysis.head),
            "day": entry.analysis.day,
            "features": int(entry.analysis.features),
            "since": entry.since,
            "until": None,
            "revision": self.revision,
            "embedded": int(entry.vectors is not None),
        }

    def retire(self, trace_id: str, at: int) -> int:
        """From now on the trace's content is not searched; returns its place in its thread."""
        held = [row for row in self._entries_of(trace_id) if row.until is None]
        (entry,) = held  # a trace that is searched is searched by one content
        self._mark(entry.seq, until=at)
        return int(entry.position)

    def reinstate(self, trace_id: str, content_version: int) -> None:
        """A content that was retired is searched again."""
        for entry in self._entries_of(trace_id):
            if entry.content_version == content_version:
                self._mark(entry.seq, until=None)

    def _mark(self, seq: int, *, until: int | None) -> None:
        self.revision += 1
        self._connection.execute(
            update(index_entries)
            .where(_e.brain_id == self._brain_id, _e.partition == self.id, _e.seq == seq)
            .values(until=until, revision=self.revision)
        )

    def _entries_of(self, trace_id: str) -> Sequence[AnyRow]:
        """All entries of a trace: looked up in the index of traces first, then by their key.

        SQLite takes that index only for what stands in it, and walks the whole brain otherwise.
        """
        found = select(_e.seq).where(_e.brain_id == self._brain_id, _e.trace_id == trace_id)
        numbers = [row[0] for row in self._connection.execute(found)]
        query = select(_e.seq, _e.position, _e.until, _e.content_version).where(
            _e.brain_id == self._brain_id, _e.partition == self.id, _e.seq.in_(numbers)
        )
        rows = self._connection.execute(query.where(_e.trace_id == trace_id))
        return rows.all()

    def save(self, segment_passages: int) -> None:
        """Write the partition's own row; seal its tail where that has grown long."""
        if self.passages - self.sealed >= segment_passages:
            self._seal(segment_passages)
        row = self._row()
        row |= {"of_brain": row.pop("brain_id"), "of_id": row.pop("id")}
        self._connection.execute(_SAVE, row)

    def _seal(self, segment_passages: int) -> None:
        """Make segments of the tail, each of about so many passages, cut between entries."""
        starts = self._connection.execute(
            select(_e.seq, _e.first_passage)
            .where(
                _e.brain_id == self._brain_id,
                _e.partition == self.id,
                _e.seq >= self.sealed_entries,
            )
            .order_by(_e.seq)
        ).all()
        ends = [*starts[1:], (self.entries, self.passages)]
        for end_entry, end_passage in ends:
            if end_passage - self.sealed >= segment_passages:
                entries = (self.sealed_entries, end_entry)
                passages = (self.sealed, end_passage)
                write_segment(self._connection, self._brain_id, self.id, entries, passages)
                self.sealed_entries, self.sealed = end_entry, end_passage


def end_entry(connection: Connection, brain_id: str, partition: int, seq: int, until: int) -> None:
    """Mark an entry that has just been added as one that was searched until an instant."""
    connection.execute(
        update(index_entries)
        .where(_e.brain_id == brain_id, _e.partition == partition, _e.seq == seq)
        .values(until=until)
    )


def _vector_row(key: dict[str, Any], entry: int, vectors: Packed) -> dict[str, Any]:
    return {
        **key,
        "entry": entry,
        "model": vectors.model,
        "dimension": vectors.dimension,
        "data": vectors.data,
    }
