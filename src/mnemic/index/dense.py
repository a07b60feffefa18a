"""Scoring by vectors: the whole text, its best sentence, and the turns beside it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mnemic.index.view import View
from mnemic.settings import Retrieval

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Small = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Dense:
    """What a question's vector made of a view.

    Args:
        scores: of each entry; 0 where there is none.
        scored: whether the entry has a score.
        sample: entries that stand for the whole view when the mean and the spread are asked for.
    """

    scores: Floats
    scored: Bools
    sample: Ints


@dataclass(frozen=True, slots=True)
class Scan:
    """What a question's vector finds by itself, before anything is known of the words.

    Args:
        query: unit vector, shape (dimension,), float32.
        found: the scores of all entries when there are few, else the entries near by their bits.
    """

    query: Floats
    found: Dense | Ints


def scan(view: View, query: Floats, rescored: int, settings: Retrieval) -> Scan:
    """Look for what is near to a vector.

    A view with few vectors is scored whole; one with many is scanned by bits.

    Args:
        view: what is searched.
        query: unit vector, shape (dimension,), float32.
        rescored: how many vectors the scan by bits lets through.
        settings: the weights.
    """
    if not all(matrix.exact for matrix in view.matrices):
        return Scan(query, _nearest(view, query, rescored))
    cosines, known = _all(view, query, settings.sentence_share)
    scored = known & view.alive
    scores = _with_neighbours(view, cosines, scored, settings.neighbour_share)
    return Scan(query, Dense(scores, scored, np.flatnonzero(scored)))


def score(view: View, scanned: Scan, likely: Ints, settings: Retrieval) -> Dense:
    """Score the entries of the view by their vectors.

    Where the view was scanned by bits, the entries found so and those named in `likely` (say, the
    best by words) are scored, with their neighbours and with every so-many-th entry as a sample
    of the rest.

    Args:
        view: what is searched.
        scanned: what its `scan` found.
        likely: entries to score in any case.
        settings: the weights.
    """
    if isinstance(scanned.found, Dense):
        return scanned.found
    sample = _sample(view)
    wanted = _distinct(view, scanned.found, likely, sample)
    cosines, known = _some(view, scanned.query, _and_beside(view, wanted), settings.sentence_share)
    scores = _with_neighbours(view, cosines, known & view.alive, settings.neighbour_share)
    scored = np.zeros(len(scores), np.bool_)
    scored[wanted] = known[wanted] & view.alive[wanted]
    return Dense(scores, scored, sample[scored[sample]])


def _mixed(parts: tuple[Floats, Floats], share: float) -> Floats:
    whole, sentence = parts
    mixed: Floats = np.float32(1 - share) * whole + np.float32(share) * sentence
    return mixed


def _all(view: View, query: Floats, share: float) -> tuple[Floats, Bools]:
    cosines = np.zeros(len(view.alive), np.float32)
    known = np.zeros(len(view.alive), np.bool_)
    for matrix, base in zip(view.matrices, view.entry_base, strict=True):
        entries = matrix.rows.entries + base
        cosines[entries] = _mixed(matrix.all_cosines(query), share)
        known[entries] = True
    return cosines, known


def _some(view: View, query: Floats, wanted: Ints, share: float) -> tuple[Floats, Bools]:
    cosines = np.zeros(len(view.alive), np.float32)
    known = np.zeros(len(view.alive), np.bool_)
    for matrix, base, image in zip(view.matrices, view.entry_base, view.images, strict=True):
        own = wanted[(wanted >= base) & (wanted < base + image.entries)] - base
        at = np.searchsorted(matrix.rows.entries, own)
        there = at < len(matrix.rows.entries)
        there[there] = matrix.rows.entries[at[there]] == own[there]
        own, at = own[there] + base, at[there]
        if len(at):
            cosines[own] = _mixed(matrix.cosines(query, at), share)
            known[own] = True
    return cosines, known


def whole_vectors(view: View, entries: Ints) -> Floats:
    """The vectors of some entries' whole texts, shape (n, dimension); zeros where there is none."""
    dimension = next((m.rows.dimension for m in view.matrices if len(m.rows)), 0)
    found = np.zeros((len(entries), dimension), np.float32)
    for matrix, base in zip(view.matrices, view.entry_base, strict=True):
        if not len(matrix.rows):
            continue
        at = np.minimum(
            np.searchsorted(matrix.rows.entries, entries - base), len(matrix.rows.entries) - 1
        )
        own = np.flatnonzero(matrix.rows.entries[at] == entries - base)
        found[own] = matrix.whole(at[own])
    return found


def _nearest(view: View, query: Floats, most: int) -> Ints:
    parts = [
        matrix.rows.entries[matrix.nearest(query, most, _NEAR)].astype(np.int64) + base
        for matrix, base in zip(view.matrices, view.entry_base, strict=True)
        if len(matrix.rows)
    ]
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)


_NEAR = 200
"""Vectors, the nearest of those scored again, whose entries are considered."""

_SAMPLE = 400
"""Entries that the mean and the spread are taken from: their standard errors are 5 and 4 %."""


def _distinct(view: View, *several: Ints | Small) -> Ints:
    """The entries in any of these, ascending, each once."""
    chosen = np.zeros(len(view.alive), np.bool_)
    for entries in several:
        chosen[entries] = True
    return np.flatnonzero(chosen)


def _sample(view: View) -> Ints:
    living = np.flatnonzero(view.alive)
    return living[:: max(1, len(living) // _SAMPLE)]


def _and_beside(view: View, entries: Ints) -> Ints:
    """These entries and the ones before and after them in their threads."""
    before, after = view.beside(entries)
    return _distinct(view, entries, before[before >= 0], after[after >= 0])


def _with_neighbours(view: View, cosines: Floats, known: Bools, share: float) -> Floats:
    """Turns beside each other lend to each other, where both are people's."""
    chosen = np.flatnonzero(known)
    total = cosines[chosen].copy()
    lent = np.ones(len(chosen), np.float32)
    person = ~view.assistant[chosen]
    for beside in view.beside(chosen):
        there = (beside >= 0) & person
        there[there] = known[beside[there]] & ~view.assistant[beside[there]]
        total[there] += np.float32(share) * cosines[beside[there]]
        lent[there] += np.float32(share)
    scores = np.zeros(len(cosines), np.float32)
    scores[chosen] = total / np.sqrt(lent)
    return scores
