"""The last step of the road out: what was found is looked up under the reader's rights.

The index is never believed: what the one SELECT does not give back is not there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, Connection, bindparam, select

from mnemic.index.view import View
from mnemic.retrieve.filters import Filters
from mnemic.retrieve.mix import Mixed
from mnemic.retrieve.standing import Standing
from mnemic.store.brain import Brain
from mnemic.store.schema import index_entries, trace_versions, traces
from mnemic.store.types import AnyRow
from mnemic.store.visible import TRACE_COLUMNS, Query, visible

_SPARE = 6
"""Candidates looked up at first beyond those asked for, since strength may move some up."""

_LARGEST_BATCH = 8_192
"""Most candidates looked up at once; batches grow while filters leave too few."""

_CONTENTS = select(
    index_entries.c.seq, index_entries.c.trace_id, index_entries.c.content_version
).where(
    index_entries.c.brain_id == bindparam("of_brain"),
    index_entries.c.partition == bindparam("of_partition"),
    index_entries.c.seq.in_(bindparam("entries", expanding=True)),
)


@dataclass(frozen=True, slots=True)
class Found:
    """An answer before it is explained: the entry of the view, its row, and its score.

    `parts` are what the trace itself gave to the score or took from it (`standing.py`).
    """

    entry: int
    score: float
    parts: Mapping[str, float]
    row: AnyRow


@dataclass(frozen=True, slots=True)
class Cut:
    """The answers, best first, and what stood right behind them."""

    found: list[Found]
    behind: list[Found]


@dataclass(frozen=True, slots=True)
class Fence:
    """What stands between the entries of a view and a reader.

    Args:
        connection: in the transaction that the view was read in.
        brain: what is asked.
        view: whose entries they are.
        filters: what every answer must meet.
        standing: what the traces themselves add to scores.
    """

    connection: Connection
    brain: Brain
    view: View
    filters: Filters
    standing: Standing

    def best(self, mixed: Mixed, limit: int, *conditions: ColumnElement[bool]) -> Cut:
        """The best entries whose traces may be seen and meet the conditions, at most `limit`.

        What a trace itself adds to its score is bounded, so the walk ends where nothing further
        down can rise.
        """
        bound = self.standing.most
        found: list[Found] = []
        at, size = 0, limit + _SPARE
        while at < len(mixed) and not _is_settled(found, mixed, at, limit, bound):
            batch = mixed.best(at, at + size).tolist()
            rows = self._rows(batch, conditions)
            for entry in batch:
                row = rows.get(entry)
                if row is not None:
                    parts = self.standing.parts(row)
                    score = float(mixed.score[entry]) + sum(parts.values())
                    found.append(Found(entry, score, parts, row))
            at, size = at + len(batch), min(4 * size, _LARGEST_BATCH)
        found.sort(key=lambda item: -item.score)
        return Cut(found[:limit], found[limit : limit + _SPARE])

    def unfiltered(self, entries: Sequence[int]) -> dict[int, AnyRow]:
        """The rows of entries that the reader may see and use, whatever else is asked."""
        held = self._contents(entries)
        query = self._visible(held, TRACE_COLUMNS)
        query = query.where(*self.filters.usable) if self.filters.usable else query
        return _by_entry(query.run(self.connection), held)

    def readable(self, entries: NDArray[np.int64]) -> NDArray[np.int64]:
        """Of some entries, those whose contents the reader may see, whatever else is asked."""
        held = self._contents(entries.tolist())
        columns = (traces.c.id, trace_versions.c.content_version)
        seen = {tuple(row) for row in self._visible(held, columns).run(self.connection)}
        return np.array([one for one in entries.tolist() if held.get(one) in seen], np.int64)

    def _rows(
        self, batch: Sequence[int], conditions: Sequence[ColumnElement[bool]]
    ) -> dict[int, AnyRow]:
        """The rows of the entries of a batch whose contents may be answers."""
        held = self._contents(batch)
        query = self.filters.apply(self._visible(held, TRACE_COLUMNS))
        query = query.where(*conditions) if conditions else query
        return _by_entry(query.run(self.connection), held)

    def _visible(
        self, held: Mapping[int, tuple[str, int]], columns: Sequence[ColumnElement[Any]]
    ) -> Query:
        """The one SELECT on the traces of some entries."""
        ids = list({trace_id for trace_id, _ in held.values()})
        reach, clocks, states = self.filters.reach, self.filters.clocks, self.filters.states
        return visible(self.brain.id, reach, clocks, *columns, states=states, ids=ids)

    def _contents(self, batch: Sequence[int]) -> dict[int, tuple[str, int]]:
        """The trace and the content version of each entry of a batch."""
        view = self.view
        found: dict[int, tuple[str, int]] = {}
        by_partition: dict[int, list[int]] = {}
        for entry in batch:
            by_partition.setdefault(view.partition_of(entry), []).append(entry)
        for at, entries in by_partition.items():
            base = view.entry_base[at]
            values = {
                "of_brain": self.brain.id,
                "of_partition": view.images[at].state.id,
                "entries": [entry - base for entry in entries],
            }
            rows = self.connection.execute(_CONTENTS, values).all()
            for seq, trace_id, content_version in rows:
                found[seq + base] = (trace_id, content_version)
        return found


def _by_entry(found: Iterable[AnyRow], held: Mapping[int, tuple[str, int]]) -> dict[int, AnyRow]:
    """The rows of traces by the entries that hold their contents."""
    rows = {(row[0], row[-1]): row for row in found}
    return {entry: rows[content] for entry, content in held.items() if content in rows}


def _is_settled(found: list[Found], mixed: Mixed, at: int, limit: int, bound: float) -> bool:
    if len(found) < limit:
        return False
    least = sorted((item.score for item in found), reverse=True)[limit - 1]
    return float(mixed.score[mixed.best(at, at + 1)[0]]) + bound < least
