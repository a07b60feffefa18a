"""Recall: the eight steps of the road out, as far as their parts exist."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, bindparam, select

from mnemic.index import dense, lexical
from mnemic.index.cache import IndexCache
from mnemic.index.dense import Dense
from mnemic.index.embed.base import CachedQueries
from mnemic.index.lexical import Lexical
from mnemic.index.text.question import Question, read_question
from mnemic.index.view import View
from mnemic.model.answer import Hit
from mnemic.retrieve.explain import Ranks, explain
from mnemic.retrieve.filters import Filters
from mnemic.retrieve.mix import Mixed, mix
from mnemic.retrieve.speakers import weigh
from mnemic.store.brain import Brain
from mnemic.store.schema import index_entries
from mnemic.store.types import AnyRow
from mnemic.store.visible import TRACE_COLUMNS, visible

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


def recall(
    brain: Brain,
    cache: IndexCache,
    queries: CachedQueries | None,
    question: str,
    filters: Filters,
    limit: int,
) -> list[Hit]:
    """The traces that answer a question, best first, at most `limit`.

    Args:
        brain: what is asked.
        cache: its index.
        queries: makes the question's vector; None for words only.
        question: in any words; search operators in it are text.
        filters: what every answer must meet.
        limit: at least 1.
    """
    read = read_question(question)
    vector = queries.embed_one(question) if queries is not None else None
    model = (queries.name, queries.dimension) if queries is not None else None
    with brain.read() as connection:
        view = cache.view(connection, filters.reach, filters.clocks.known_at, model)
        if not len(view.alive):
            return []
        words = lexical.score(view, connection, read.terms, brain.settings.retrieval)
        mixed, near = _ranked(brain, view, words, vector, question, read)
        found = _fenced(connection, brain, view, mixed, filters, limit)
        living = np.flatnonzero(view.alive)
        if near is not None and len(found) < limit and len(mixed) < len(living):
            # What the scan by bits let through was not what the filters ask for: score it all.
            mixed, near = _ranked(brain, view, words, vector, question, read, living)
            found = _fenced(connection, brain, view, mixed, filters, limit)
        ranks = Ranks(view, words, mixed, near)
        return explain(connection, read, ranks, found)


def _ranked(
    brain: Brain,
    view: View,
    words: Lexical,
    vector: NDArray[np.float32] | None,
    question: str,
    read: Question,
    likely: NDArray[np.int64] | None = None,
) -> tuple[Mixed, Dense | None]:
    """The ranking.

    `likely` entries get a score by vectors however far down those have them; None is the best by
    words.
    """
    settings = brain.settings.retrieval
    speakers = weigh(view, question, read.about_you, settings)
    by_words = words.scores * speakers.factor
    if vector is None:
        candidates = words.found & view.alive
        mixed = mix(by_words, None, None, candidates, view.alive, settings.vector_weight)
        return mixed, None
    if likely is None:
        likely = _best(by_words, _LIKELY)
    near = dense.score(view, vector, likely, brain.settings.index.rescored_vectors, settings)
    by_vectors = near.scores - speakers.malus
    candidates = near.scored | (words.found & view.alive)
    # A text that has no vector yet stands, by vectors, where the average one does.
    missing = candidates & ~near.scored
    if missing.any() and len(near.sample):
        by_vectors[missing] = by_vectors[near.sample].mean()
    mixed = mix(by_words, by_vectors, near.sample, candidates, view.alive, settings.vector_weight)
    return mixed, near


def _best(scores: NDArray[np.float32], most: int) -> NDArray[np.int64]:
    """The entries with the best scores, of those that have one."""
    held = np.flatnonzero(scores)
    if len(held) <= most:
        return held
    return held[np.argpartition(-scores[held], most)[:most]]


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


def _rows(
    connection: Connection, brain: Brain, view: View, filters: Filters, batch: Sequence[int]
) -> dict[int, AnyRow]:
    """The rows of the entries of a batch whose contents may be seen."""
    held = _contents(connection, brain, view, batch)
    ids = list({trace_id for trace_id, _ in held.values()})
    query = visible(
        brain.id, filters.reach, filters.clocks, *TRACE_COLUMNS, states=filters.states, ids=ids
    )
    rows = {(row[0], row[-1]): row for row in filters.apply(query).run(connection)}
    return {entry: rows[content] for entry, content in held.items() if content in rows}


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
