"""Words that the best answers share and the question lacks (RM3, Lavrenko & Croft 2001)."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from mnemic.index.bm25 import idf
from mnemic.index.postings import Lists
from mnemic.index.text.language import language
from mnemic.index.text.tokens import stem
from mnemic.index.view import View
from mnemic.settings import Retrieval

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

_CANDIDATES = 48
"""Words that are weighed, those with the largest share: reading the lists of all is slow."""

_DIGITS = 6
"""Decimals to which words weigh the same: of such, the first by the alphabet is taken."""

_SHORTEST_LENGTH = 8
"""Words that a passage counts as having at least: a greeting of two words says little."""


def feedback(
    view: View,
    connection: Connection,
    scores: Floats,
    sources: Ints,
    passages: Floats,
    terms: Collection[str],
    settings: Retrieval,
) -> list[tuple[str, float, Lists]]:
    """Words to look for besides, with their weights and lists, the heaviest first.

    Of the best passages of the best entries among `sources`, the words by the share of their
    passage's score times their idf, over the root of the passage's length; one that occurs in no
    other passage would find nothing.
    """
    chosen_from = sources[np.argsort(-scores[sources], kind="stable")[: settings.feedback_texts]]
    shares = _shares(view, connection, scores, np.sort(chosen_from), passages)
    common = _common()
    asked = [
        word
        for word in shares
        if word not in terms and word not in common and _says_something(word)
    ]
    asked.sort(key=lambda word: (-round(shares[word], _DIGITS), word))
    held = view.held(connection, asked[:_CANDIDATES])
    weighed = [(shares[word] * idf(view.count, n), word) for word, n in held.items() if n > 1]
    weighed.sort(key=lambda one: (-round(one[0], _DIGITS), one[1]))
    chosen = {word: each for each, word in weighed[: settings.feedback_words]}
    most = max(chosen.values(), default=1.0)
    return [
        (word, settings.feedback_weight * chosen[word] / most, lists)
        for word, lists in view.lists(connection, list(chosen)).items()
    ]


def _shares(
    view: View, connection: Connection, scores: Floats, entries: Ints, passages: Floats
) -> dict[str, float]:
    total = float(scores[entries].sum())
    bounds = np.append(view.first_passage, len(view.entry_of))
    chosen = np.array(
        [
            bounds[entry] + int(np.argmax(passages[bounds[entry] : bounds[entry + 1]]))
            for entry in entries
        ],
        np.int64,
    )
    shares: dict[str, float] = {}
    for entry, words in zip(entries.tolist(), view.words(connection, chosen), strict=True):
        share = float(scores[entry]) / total / max(len(words), _SHORTEST_LENGTH) ** 0.5
        for word in set(words):
            shares[word] = shares.get(word, 0.0) + share
    return shares


@cache
def _common() -> frozenset[str]:
    """Stems of words that say nothing."""
    lists = language()
    return frozenset(stem(word) for word in (*lists.stop, *lists.frame))


def _says_something(word: str) -> bool:
    """Words of one or two letters rarely do; where one sign is a word, two of them do."""
    return len(word) > (2 if word.isascii() else 1)
