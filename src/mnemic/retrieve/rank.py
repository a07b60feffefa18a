"""Both arms of one search, brought into one order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mnemic.index import dense
from mnemic.index.dense import Dense, Scan
from mnemic.index.lexical.proximity import best
from mnemic.index.lexical.score import Lexical
from mnemic.index.view import View
from mnemic.model.answer import SearchMode
from mnemic.retrieve.mix import Mixed, mix
from mnemic.retrieve.weights import Weights
from mnemic.settings import Retrieval

Scanned = Callable[[], Scan]
"""Waits for what the question's vector finds."""

_LIKELY = 100
"""Entries, the best by words, that get a score by vectors however far down those have them."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Both arms of one search, and how they are mixed.

    Args:
        view: what is searched.
        words: what the words found.
        scanned: gives what the vector found; None for words only.
        weights: of the entries, for this question.
        settings: the weights of the arms.
        mode: which arms may name an answer.
        far: whether what is no answer is given as well.
        allowed: entries that operators let through; None for all.
        required: whether those hold what was required, and so are answers.
    """

    view: View
    words: Lexical
    scanned: Scanned | None
    weights: Weights
    settings: Retrieval
    mode: SearchMode
    far: bool
    allowed: NDArray[np.bool_] | None = None
    required: bool = False

    def ranked(self, likely: NDArray[np.int64] | None = None) -> tuple[Mixed, Dense | None]:
        """The ranking.

        `likely` entries get a score by vectors however far down those have them; None is the
        best by words.
        """
        view = self.view
        by_words = self.words.scores * self.weights.boost
        found = self.words.found & view.alive
        if self.allowed is not None:
            found = self.allowed if self.required else found & self.allowed
            by_words = np.where(self.allowed, by_words, np.float32(0))
        if self.scanned is None:
            return mix(by_words, None, None, found, view.alive, 0.0), None
        if likely is None:
            likely = best(by_words, _LIKELY)
        near = dense.score(view, self.scanned(), likely, self.settings)
        by_vectors = near.scores - self.weights.malus
        # What holds none of the words and is far by its vector is no answer, though all else is
        # further still.
        candidates = near.scored.copy()
        if not self.far:
            candidates &= near.scores >= self.weights.noise
        share = 1.0
        if self.mode is SearchMode.HYBRID:
            candidates |= found
            share = self.settings.vector_weight
        if self.allowed is not None:
            candidates &= self.allowed
        # A text that has no vector yet stands, by vectors, where the average one does.
        missing = candidates & ~near.scored
        if missing.any() and len(near.sample):
            by_vectors[missing] = by_vectors[near.sample].mean()
        mixed = mix(by_words, by_vectors, near.sample, candidates, view.alive, share)
        first = self.settings.vector_slot
        if first and 0 < share < 1:
            # What stands further down by both may be what vectors alone would have found.
            heavy = self.settings.vector_slot_weight
            words, vectors = (1 - heavy) / (1 - share), heavy / share
            mixed.interleave(words * mixed.words + vectors * mixed.vectors, first)
        return mixed, near
