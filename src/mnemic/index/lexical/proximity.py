"""Neighbouring words of a question that stand close together in a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from mnemic.index.bm25 import idf
from mnemic.index.postings import Lists
from mnemic.index.view import View

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

_ENTRIES = 100
"""Entries looked at, the best so far."""

_WINDOW = 8
"""Words within which two stand close."""


def proximity(
    view: View,
    connection: Connection,
    scores: Floats,
    terms: Sequence[str],
    lists: Mapping[str, Lists],
) -> Floats:
    """Of each entry, how closely it holds neighbouring words of the question.

    A pair of words x, y within the window of one passage counts min(idf x, idf y) / distance;
    an entry counts by its best passage. Only the best entries by `scores` are looked at.
    """
    bonus = np.zeros(len(scores), np.float32)
    held = [word for word in terms if word in lists]
    if len(held) < 2:
        return bonus
    passages = _several(view, best(scores, _ENTRIES), [lists[word] for word in held])
    weight = {word: idf(view.count, int((lists[word][1] > 0).sum())) for word in held}
    pairs = list(pairwise(held))
    for passage, words in zip(passages.tolist(), view.words(connection, passages), strict=True):
        entry = int(view.entry_of[passage])
        bonus[entry] = max(bonus[entry], _closeness(words, pairs, weight))
    return bonus


def best(scores: Floats, most: int) -> Ints:
    """The entries with the best scores, of those that have one, ascending.

    Of several with the score of the last place the first are taken.
    """
    held = np.flatnonzero(scores > 0)
    if len(held) <= most:
        return held
    falling = -scores[held]
    last = np.partition(falling, most - 1)[most - 1]
    above, level = np.flatnonzero(falling < last), np.flatnonzero(falling == last)
    chosen: Ints = held[np.sort(np.concatenate((above, level[: most - len(above)])))]
    return chosen


def _several(view: View, entries: Ints, lists: Sequence[Lists]) -> Ints:
    """The passages of some entries that hold at least two of the words."""
    tally = np.zeros(len(view.entry_of), np.uint8)
    for seqs, own, _ in lists:
        tally[seqs[own > 0]] += 1
    chosen = np.zeros(len(view.alive), np.bool_)
    chosen[entries] = True
    candidates = np.flatnonzero(tally > 1)
    return candidates[chosen[view.entry_of[candidates]]]


def _closeness(
    words: Sequence[str], pairs: Sequence[tuple[str, str]], weight: Mapping[str, float]
) -> float:
    at: dict[str, list[int]] = {}
    for place, word in enumerate(words):
        if word in weight:
            at.setdefault(word, []).append(place)
    total = 0.0
    for x, y in pairs:
        if x in at and y in at:
            distance = min(abs(i - j) for i in at[x] for j in at[y])
            if distance <= _WINDOW:
                total += min(weight[x], weight[y]) / distance
    return total
