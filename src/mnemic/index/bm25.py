"""BM25 (Robertson & Zaragoza 2009) on arrays.

A word's weight is Lucene's, log(1 + (N - n + 0.5) / (n + 0.5)), which stays above 0 for a word
that half of all texts hold: in a brain of three texts every word is such a word.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]


def length_scale(length: Floats, counted: Bools, k1: float, b: float) -> Floats:
    """k1 (1 - b + b length / mean length) of each text; the mean is over those counted."""
    total = int(counted.sum())
    mean = float(length[counted].sum()) / total if total else 1.0
    scale: Floats = (k1 * (1 - b + b * length / max(mean, 1e-9))).astype(np.float32)
    return scale


def idf(count: int, held: int) -> float:
    """The weight of a word that `held` of `count` texts hold."""
    return float(np.log((count + 1) / (held + 0.5)))


def bm25(frequency: Floats, scale: Floats, count: int, k1: float) -> Floats:
    """The score of one word in the texts that hold it.

    Args:
        frequency: how often each of them holds it, shape (n,), above 0.
        scale: their `length_scale`, shape (n,).
        count: how many texts there are in all.
        k1: saturation.
    """
    weight = idf(count, len(frequency)) * (k1 + 1)
    score: Floats = weight * frequency / (frequency + scale)
    return score
