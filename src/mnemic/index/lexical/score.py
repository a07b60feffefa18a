"""Scoring by words: BM25 over passages with their neighbours in view, and over whole threads.

What each step was measured to be worth is in docs/benchmarks.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from mnemic.index.bm25 import bm25
from mnemic.index.postings import Lists
from mnemic.index.view import View
from mnemic.settings import Retrieval

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Lexical:
    """What the words of a question made of a view.

    Args:
        scores: of each entry.
        found: whether the entry, or a text beside it, holds one of the words.
        passages: the score of each passage.
        holders: for each word that occurs, the passages that hold it or stand beside it,
            ascending.
    """

    scores: Floats
    found: NDArray[np.bool_]
    passages: Floats
    holders: Mapping[str, Ints]


def score(
    view: View, connection: Connection, terms: Mapping[str, float], settings: Retrieval
) -> Lexical:
    """Score every entry of the view by the weighted words of a question."""
    passages = np.zeros(len(view.entry_of), np.float32)
    threads = np.zeros(view.threads, np.float32)
    holders: dict[str, Ints] = {}
    for word, found in view.lists(connection, list(terms)).items():
        frequency = _in_view(view, found, settings)
        holding = np.flatnonzero(frequency)
        holders[word] = holding
        passages[holding] += terms[word] * bm25(
            frequency[holding], view.scale[holding], view.count, settings.k1
        )
        tally = _in_threads(view, found)
        holding = np.flatnonzero(tally)
        threads[holding] += terms[word] * bm25(
            tally[holding], view.thread_scale[holding], view.thread_count, settings.k1
        )
    best = np.maximum.reduceat(passages, view.first_passage) if len(view.entry_of) else passages
    scores = best + np.float32(settings.thread_weight) * threads[view.thread]
    return Lexical(scores, best > 0, passages, holders)


def _in_view(view: View, found: Lists, settings: Retrieval) -> Floats:
    """How often a word stands in each passage, its head and, at less weight, beside it."""
    seqs, own, head = found
    frequency = np.zeros(len(view.entry_of), np.float32)
    frequency[seqs] = own.astype(np.float32) + head
    for beside, weight in (
        (view.after[seqs], settings.previous_weight),
        (view.before[seqs], settings.next_weight),
    ):
        there = beside >= 0
        frequency[beside[there]] += np.float32(weight) * own[there]
    return frequency


def _in_threads(view: View, found: Lists) -> Floats:
    """How often a word stands in each thread."""
    seqs, own, _ = found
    counted = view.in_thread[seqs]
    of = view.thread[view.entry_of[seqs[counted]]]
    return np.bincount(of, weights=own[counted], minlength=view.threads).astype(np.float32)
