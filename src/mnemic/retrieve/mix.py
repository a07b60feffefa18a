"""One ranked list out of two arms.

Each arm's scores are brought to a common scale by their mean and spread over all that the caller
may read, and added by weight. Reciprocal rank fusion was measured 1.2 to 2.3 points worse
(docs/benchmarks.md): it forgets by how much one text is better than the next.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

_PRIOR_COUNT = 20
"""How many texts' worth the typical spread counts: with few texts the measured one says little."""

_LEXICAL_SPREAD = 2.0
"""Typical standard deviation of BM25 over one person's chats (median of the tuning dialogues)."""

_DENSE_SPREAD = 0.11
"""Typical standard deviation of MiniLM's cosine over the same."""


@dataclass(frozen=True, slots=True)
class Mixed:
    """A ranking.

    Args:
        order: entries, best first; only those that the arms have something to say about.
        score: of each entry of the view.
        words: what the words contributed to it, of each entry.
        vectors: what the vectors contributed.
    """

    order: Ints
    score: Floats
    words: Floats
    vectors: Floats


def mix(
    lexical: Floats,
    dense: Floats | None,
    dense_sample: Ints | None,
    candidates: Bools,
    alive: Bools,
    vector_weight: float,
) -> Mixed:
    """Mix the arms over the entries of a view.

    Args:
        lexical: scores by words, of each entry.
        dense: scores by vectors, or None when there are none.
        dense_sample: entries to take the vectors' mean and spread from.
        candidates: entries that may be returned.
        alive: entries to take the words' mean and spread from.
        vector_weight: share of the vectors, 0 to 1.
    """
    share = vector_weight if dense is not None else 0.0
    words = (1 - share) * _scaled(lexical, lexical[alive], _LEXICAL_SPREAD)
    vectors = np.zeros_like(words)
    if dense is not None and dense_sample is not None:
        vectors = share * _scaled(dense, dense[dense_sample], _DENSE_SPREAD)
    score = words + vectors
    chosen = np.flatnonzero(candidates)
    # Equal scores stand in the order in which they were written.
    order = chosen[np.argsort(-score[chosen], kind="stable")]
    return Mixed(order, score, words, vectors)


def _scaled(scores: Floats, sample: Floats, typical: float) -> Floats:
    if not len(sample):
        return np.zeros_like(scores)
    count = len(sample)
    variance = (count * float(sample.var()) + _PRIOR_COUNT * typical**2) / (count + _PRIOR_COUNT)
    scaled: Floats = (scores - float(sample.mean())) / np.float32(variance**0.5)
    return scaled
