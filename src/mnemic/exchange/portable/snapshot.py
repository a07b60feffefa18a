"""A brain at one instant, to be carried into a file or into another brain."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, Table

from mnemic.encode.embedding import recorded_model
from mnemic.encode.restore import BATCH, Placed, batches
from mnemic.index.segments import any_vectors
from mnemic.index.vectors import joined, parts
from mnemic.index.write import Packed
from mnemic.model.scope import Scope
from mnemic.store.brain import Brain, storage_errors
from mnemic.store.carried import Selection, as_it_was
from mnemic.store.engrams import changed_since
from mnemic.store.schema import traces
from mnemic.store.types import AnyRow
from mnemic.store.whole import carried, carried_entries, present_entries, standing


class Snapshot:
    """What a brain holds, read within one transaction.

    Args:
        connection: whose transaction it is.
        brain: the brain.
        selection: which part of it.
        vectors: carry the vectors of the texts as well.
    """

    def __init__(
        self, connection: Connection, brain: Brain, selection: Selection, *, vectors: bool
    ) -> None:
        self._connection = connection
        self._brain = brain
        self._selection = selection
        self._vectors = vectors
        self.brain_id = brain.id
        self.model = recorded_model(connection, brain) if vectors else None

    def rows(self, table: Table) -> Iterator[dict[str, Any]]:
        """The rows of a table, in the order of its key."""
        known_at = self._selection.known_at
        query = carried(self.brain_id, table, self._selection)
        then: dict[str, dict[str, Any]] = {}
        if table is traces and known_at is not None:
            then = changed_since(self._connection, self.brain_id, known_at)
        for row in self._streamed(query):
            held = dict(row._mapping)
            del held["brain_id"]
            if then:
                held |= then.get(held["id"], {})
            yield as_it_was(table.name, held, known_at)

    def traces(self) -> Iterator[AnyRow]:
        """What each trace says, with `TRACE_COLUMNS` and `filed_by`, scope by scope."""
        return self._streamed(standing(self.brain_id, self._selection))

    def entries(self) -> Iterator[Placed]:
        """The entries of the index, partition by partition, in their order."""
        known_at = self._selection.known_at
        rows = self._streamed(carried_entries(self.brain_id, self._selection))
        for batch in batches(rows, BATCH):
            vectors = self._vectors_of(batch)
            for row in batch:
                until = row.until
                if known_at is not None and until is not None and until > known_at:
                    until = None
                yield Placed(
                    scope=Scope(row.scope),
                    scope_id=row.scope_id,
                    trace_id=row.trace_id,
                    content_version=row.content_version,
                    position=row.position,
                    since=row.since,
                    until=until,
                    vectors=vectors.get((row.partition, row.seq)),
                )

    def vectors_of(self, trace_ids: list[str]) -> dict[str, Packed]:
        """The vectors of what some traces say at present, of those that have any."""
        query = present_entries(self.brain_id, trace_ids)
        rows = list(self._connection.execute(query))
        found = self._vectors_of(rows)
        held = {row.trace_id: found.get((row.partition, row.seq)) for row in rows}
        return {trace_id: packed for trace_id, packed in held.items() if packed is not None}

    def _streamed(self, query: Any) -> Iterator[AnyRow]:
        # A few hundred rows at a time, so that memory does not grow with the brain.
        # Told as an error of this brain, also where another one is being written from it.
        with storage_errors(self._brain.path):
            yield from self._connection.execute(query, execution_options={"yield_per": BATCH})

    def _vectors_of(self, rows: list[AnyRow]) -> dict[tuple[int, int], Packed]:
        """The vectors of some entries, by partition and number."""
        found: dict[tuple[int, int], Packed] = {}
        if self.model is None:
            return found
        name, dimension = self.model
        for partition in dict.fromkeys(row.partition for row in rows):
            numbers = [row.seq for row in rows if row.partition == partition]
            first, end = numbers[0], numbers[-1] + 1
            block = any_vectors(self._connection, self.brain_id, partition, first, end, name)
            if block is None:
                continue
            scale, quantised = parts(block[2], dimension)
            at = 0
            for entry, count in zip(block[0].tolist(), block[1].tolist(), strict=True):
                own = slice(at, at + count)
                at += count
                if first <= entry < end:
                    data = joined(scale[own], quantised[own])
                    found[partition, entry] = Packed(name, dimension, data)
        return found
