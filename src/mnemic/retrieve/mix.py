"""One ranked list out of two arms.

Each arm's scores are brought to a common scale by their mean and spread over all that the caller
may read, and added by weight. Reciprocal rank fusion was measured 1.2 to 2.3 points worse
(docs/benchmarks.md): it forgets by how much one text is better than the next.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

_PRIOR_COUNT = 20
"""How many texts' worth the typical spread counts: with few texts the measured one says little."""

_LEXICAL_SPREAD = 1.1
"""Typical standard deviation of the scores by words: the median over LoCoMo's dev questions."""

_DENSE_SPREAD = 0.11
"""Typical standard deviation of MiniLM's cosine over the same."""

_INTERLEAVED = 50
"""Places that two orders may share."""

_HEAD = 256
"""Entries that are put in order at first; rarely is one further down looked at."""


class Mixed:
    """A ranking of the entries of a view, put in order as far as it is looked at.

    Args:
        candidates: the entries that the arms have something to say about, ascending.
        words: what the words contributed to the score, of each entry of the view.
        vectors: what the vectors contributed.

    `lifted` says by how much the score of an entry is above the sum of the two.
    """

    def __init__(self, candidates: Ints, words: Floats, vectors: Floats) -> None:
        self.candidates = candidates
        self.words = words
        self.vectors = vectors
        self.score: Floats = words + vectors
        self.lifted: dict[int, float] = {}
        self._order: Ints | None = None

    def __len__(self) -> int:
        return len(self.candidates)

    def among(self, entries: Ints) -> Mixed:
        """The same scores, of other candidates, ascending."""
        return Mixed(entries, self.words, self.vectors)

    def best(self, start: int, end: int) -> Ints:
        """The entries from place `start` until before `end`, best first.

        Equal scores stand in the order in which they were written.
        """
        if self._order is None or (end > len(self._order) < len(self.candidates)):
            self._order = self._sorted(end)
        return self._order[start:end]

    def interleave(self, other: Floats, first: int) -> None:
        """From place `first` on, counted from 1, let every second one go by another score.

        It goes to the entry that is best by `other` of those without a place so far, whose score
        is lifted to between those of the places beside it. Further down than `_INTERLEAVED`
        places nothing changes.
        """
        own = iter(self.best(0, _INTERLEAVED).tolist())
        others = iter(_best(self.candidates, other, _INTERLEAVED).tolist())
        placed: set[int] = set()
        above, waiting = math.inf, -1
        for place in range(1, min(len(self), _INTERLEAVED) + 1):
            by_other = place >= first and (place - first) % 2 == 0
            entry = next((one for one in (others if by_other else own) if one not in placed), None)
            if entry is None:
                break
            placed.add(entry)
            if by_other:
                waiting = entry
                continue
            below = float(self.score[entry])
            if waiting >= 0 and self.score[waiting] < below:
                self._lift(waiting, (min(above, below + 1) + below) / 2)
            above, waiting = below, -1
        self._order = None

    def _lift(self, entry: int, score: float) -> None:
        self.lifted[entry] = score - float(self.score[entry])
        self.score[entry] = score

    def _sorted(self, end: int) -> Ints:
        """The first `end` places, and some more."""
        return _best(self.candidates, self.score, _HEAD if end <= _HEAD else len(self))

    def ranks(self, arm: Floats, entries: Sequence[int]) -> list[int]:
        """The place of each of these entries in the order of one arm, from 1."""
        own = arm[list(entries)]
        among = arm[self.candidates]
        return [1 + int(np.count_nonzero(among > score)) for score in own]


def _best(entries: Ints, scores: Floats, most: int) -> Ints:
    """Entries by their score, best first: all that share the place `most` or stand above it.

    Equal ones stand in the order given, so that ties do not depend on the cut.
    """
    falling = -scores[entries]
    if most < len(entries):
        last = np.partition(falling, most)[most]
        kept = np.flatnonzero(falling <= last)
        entries, falling = entries[kept], falling[kept]
    order: Ints = entries[np.argsort(falling, kind="stable")]
    return order


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
    return Mixed(np.flatnonzero(candidates), words, vectors)


def _scaled(scores: Floats, sample: Floats, typical: float) -> Floats:
    if not len(sample):
        return np.zeros_like(scores)
    count = len(sample)
    variance = (count * float(sample.var()) + _PRIOR_COUNT * typical**2) / (count + _PRIOR_COUNT)
    scaled: Floats = (scores - float(sample.mean())) / np.float32(variance**0.5)
    return scaled
