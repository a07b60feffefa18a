"""What stood right behind the hits of a recall: rivals of what was recalled, or half remembered."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mnemic.index.dense import Dense, whole_vectors
from mnemic.index.view import View
from mnemic.model.trace import Trace
from mnemic.retrieve.fence import Cut
from mnemic.store.visible import to_trace


@dataclass(frozen=True, slots=True)
class Behind:
    """A trace that came near, and was not given.

    Args:
        trace: the trace.
        score: of it, on the scale of the hits.
        cosine: to the question; 0 without vectors.
        similarity: cosine to the nearest hit; 0 without vectors.
    """

    trace: Trace
    score: float
    cosine: float
    similarity: float


@dataclass(frozen=True, slots=True)
class Nearby:
    """What stood behind the hits, best first, and the cosine of the last hit to the question."""

    behind: tuple[Behind, ...] = ()
    least_cosine: float = 0.0


NOTHING = Nearby()


def nearby(view: View, cut: Cut, near: Dense | None) -> Nearby:
    """What stood behind the hits.

    Args:
        view: what was searched.
        cut: the hits, and what stood behind them.
        near: what the question's vector made of the view; None without one.
    """
    if not cut.behind or not cut.found:
        return NOTHING
    entries = np.array([one.entry for one in (*cut.found, *cut.behind)], np.int64)
    cosines = np.zeros(len(entries)) if near is None else near.scores[entries]
    similar = np.zeros(len(cut.behind))
    if near is not None:
        vectors = whole_vectors(view, entries)
        hits = len(cut.found)
        similar = (vectors[hits:] @ vectors[:hits].T).max(axis=1)
    return Nearby(
        tuple(
            Behind(to_trace(one.row), one.score, float(cosine), float(similarity))
            for one, cosine, similarity in zip(
                cut.behind, cosines[len(cut.found) :], similar, strict=True
            )
        ),
        float(cosines[: len(cut.found)].min()),
    )
