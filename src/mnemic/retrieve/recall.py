"""Recall: the eight steps of the road out, as far as their parts exist."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, Connection, bindparam, select

from mnemic.index import dense
from mnemic.index.cache import IndexCache
from mnemic.index.dense import Dense
from mnemic.index.embed.base import CachedQueries
from mnemic.index.lexical import score as lexical
from mnemic.index.lexical.proximity import best
from mnemic.index.lexical.score import Lexical
from mnemic.index.text.dates import date_ranges
from mnemic.index.text.language import language
from mnemic.index.text.question import Question, read_question
from mnemic.index.view import View
from mnemic.model.answer import Hit, SearchMode
from mnemic.retrieve.explain import Ranks, explain
from mnemic.retrieve.filters import Filters
from mnemic.retrieve.mix import Mixed, mix
from mnemic.retrieve.naming import named
from mnemic.retrieve.weights import Weights, weigh
from mnemic.settings import Retrieval, Settings
from mnemic.store.brain import Brain
from mnemic.store.schema import index_entries, trace_versions, traces
from mnemic.store.types import AnyRow
from mnemic.store.visible import TRACE_COLUMNS, Query, visible

_LIKELY = 100
"""Entries, the best by words, that get a score by vectors however far down those have them."""

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

    `strength` is the part of the score that the trace's strength gave or took.
    """

    entry: int
    score: float
    strength: float
    row: AnyRow


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked.

    Args:
        question: in any words; search operators in it are text.
        mode: which arms search.
        wordings: the same in other words, which count less.
        far: give what is no answer as well.
    """

    question: str
    mode: SearchMode = SearchMode.HYBRID
    wordings: tuple[str, ...] = ()
    far: bool = False


def recall(
    brain: Brain,
    cache: IndexCache,
    queries: CachedQueries | None,
    asked: Asked,
    filters: Filters,
    limit: int,
) -> list[Hit]:
    """The traces that answer a question, best first, at most `limit`.

    Args:
        brain: what is asked.
        cache: its index.
        queries: makes the question's vector; None for words only.
        asked: the question.
        filters: what every answer must meet.
        limit: at least 1.
    """
    settings = brain.settings.retrieval
    question = asked.question
    read = _with_wordings(read_question(question), asked.wordings, settings)
    if asked.mode is SearchMode.LEXICAL:
        queries = None
    model = (queries.name, queries.dimension) if queries is not None else None
    with brain.read() as connection:
        view = cache.view(connection, filters.reach, filters.clocks.known_at, model)
        if not len(view.alive):
            return []
        naming = named(question, view.speakers)
        vector = _vector(queries, naming.bare, asked.wordings, settings) if queries else None
        days = date_ranges(question, filters.today, language().dates)
        weights = weigh(
            view, read, naming.speakers, days, queries.name if queries else None, settings
        )
        words = lexical.score(
            view,
            connection,
            read,
            weights.factor,
            partial(_readable, connection, brain, view, filters),
            settings,
        )
        ranking = _Ranking(view, words, vector, weights, brain.settings, asked)
        mixed, near = ranking.ranked()
        found = _fenced(connection, brain, view, mixed, filters, limit)
        living = np.flatnonzero(view.alive)
        if near is not None and len(found) < limit and not near.scored[living].all():
            # What the scan by bits let through was not what the filters ask for: score it all.
            mixed, near = ranking.ranked(living)
            found = _fenced(connection, brain, view, mixed, filters, limit)
        ranks = Ranks(view, words, mixed, near)
        return explain(connection, read, ranks, found)


def _with_wordings(read: Question, wordings: Sequence[str], settings: Retrieval) -> Question:
    """The question with the words of other wordings at less weight."""
    if not wordings:
        return read
    terms = dict(read.terms)
    surface = dict(read.surface)
    for other in map(read_question, wordings):
        for stem, weight in other.terms.items():
            terms.setdefault(stem, settings.wording_weight * weight)
            surface.setdefault(stem, other.surface[stem])
    return replace(read, terms=terms, surface=surface)


def _vector(
    queries: CachedQueries, question: str, wordings: Sequence[str], settings: Retrieval
) -> NDArray[np.float32]:
    """The vector of a question, drawn towards its other wordings."""
    vector = queries.embed_one(question)
    if not wordings:
        return vector
    others = np.mean([queries.embed_one(one) for one in wordings], axis=0)
    drawn: NDArray[np.float32] = vector + np.float32(settings.wording_weight) * others
    return drawn / np.float32(max(float(np.linalg.norm(drawn)), 1e-9))


@dataclass(frozen=True, slots=True)
class _Ranking:
    """Both arms of one search, and how they are mixed."""

    view: View
    words: Lexical
    vector: NDArray[np.float32] | None
    weights: Weights
    settings: Settings
    asked: Asked

    def ranked(self, likely: NDArray[np.int64] | None = None) -> tuple[Mixed, Dense | None]:
        """The ranking.

        `likely` entries get a score by vectors however far down those have them; None is the
        best by words.
        """
        view, retrieval = self.view, self.settings.retrieval
        by_words = self.words.scores * self.weights.boost
        found = self.words.found & view.alive
        if self.vector is None:
            return mix(by_words, None, None, found, view.alive, 0.0), None
        if likely is None:
            likely = best(by_words, _LIKELY)
        rescored = self.settings.index.rescored_vectors
        near = dense.score(view, self.vector, likely, rescored, retrieval)
        by_vectors = near.scores - self.weights.malus
        # What holds none of the words and is far by its vector is no answer, though all else is
        # further still.
        candidates = near.scored.copy()
        if not self.asked.far:
            candidates &= near.scores >= self.weights.noise
        share = 1.0
        if self.asked.mode is SearchMode.HYBRID:
            candidates |= found
            share = retrieval.vector_weight
        # A text that has no vector yet stands, by vectors, where the average one does.
        missing = candidates & ~near.scored
        if missing.any() and len(near.sample):
            by_vectors[missing] = by_vectors[near.sample].mean()
        return mix(by_words, by_vectors, near.sample, candidates, view.alive, share), near


def _fenced(
    connection: Connection,
    brain: Brain,
    view: View,
    mixed: Mixed,
    filters: Filters,
    limit: int,
) -> list[Found]:
    """The best entries whose traces may be seen, looked up in the tables and cut to `limit`.

    The index is never believed: what the one SELECT does not give back is not there. Strength
    moves a score by at most `bound`, so the walk ends where nothing further down can rise.
    """
    weight = brain.settings.retrieval.strength_weight
    bound = weight / 2
    found: list[Found] = []
    at, size = 0, limit + _SPARE
    while at < len(mixed) and not _is_settled(found, mixed, at, limit, bound):
        batch = mixed.best(at, at + size).tolist()
        rows = _rows(connection, brain, view, filters, batch)
        for entry in batch:
            row = rows.get(entry)
            if row is not None:
                moved = weight * (row.strength - 0.5)
                found.append(Found(entry, float(mixed.score[entry]) + moved, moved, row))
        at, size = at + len(batch), min(4 * size, _LARGEST_BATCH)
    found.sort(key=lambda item: -item.score)
    return found[:limit]


def _is_settled(found: list[Found], mixed: Mixed, at: int, limit: int, bound: float) -> bool:
    if len(found) < limit:
        return False
    least = sorted((item.score for item in found), reverse=True)[limit - 1]
    return float(mixed.score[mixed.best(at, at + 1)[0]]) + bound < least


def _readable(
    connection: Connection,
    brain: Brain,
    view: View,
    filters: Filters,
    entries: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Of some entries, those whose contents the reader may see, whatever else is asked of them."""
    held = _contents(connection, brain, view, entries.tolist())
    columns = (traces.c.id, trace_versions.c.content_version)
    seen = {tuple(row) for row in _visible(brain, filters, held, columns).run(connection)}
    return np.array([one for one in entries.tolist() if held.get(one) in seen], np.int64)


def _rows(
    connection: Connection, brain: Brain, view: View, filters: Filters, batch: Sequence[int]
) -> dict[int, AnyRow]:
    """The rows of the entries of a batch whose contents may be answers."""
    held = _contents(connection, brain, view, batch)
    query = filters.apply(_visible(brain, filters, held, TRACE_COLUMNS))
    rows = {(row[0], row[-1]): row for row in query.run(connection)}
    return {entry: rows[content] for entry, content in held.items() if content in rows}


def _visible(
    brain: Brain,
    filters: Filters,
    held: Mapping[int, tuple[str, int]],
    columns: Sequence[ColumnElement[Any]],
) -> Query:
    """The one SELECT on the traces of some entries."""
    ids = list({trace_id for trace_id, _ in held.values()})
    return visible(
        brain.id, filters.reach, filters.clocks, *columns, states=filters.states, ids=ids
    )


def _contents(
    connection: Connection, brain: Brain, view: View, batch: Sequence[int]
) -> dict[int, tuple[str, int]]:
    """The trace and the content version of each entry of a batch."""
    found: dict[int, tuple[str, int]] = {}
    by_partition: dict[int, list[int]] = {}
    for entry in batch:
        by_partition.setdefault(view.partition_of(entry), []).append(entry)
    for at, entries in by_partition.items():
        base = view.entry_base[at]
        values = {
            "of_brain": brain.id,
            "of_partition": view.images[at].state.id,
            "entries": [entry - base for entry in entries],
        }
        for seq, trace_id, content_version in connection.execute(_CONTENTS, values):
            found[seq + base] = (trace_id, content_version)
    return found
