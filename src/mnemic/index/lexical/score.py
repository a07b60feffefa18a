"""BM25 over passages with their neighbours in view, and over whole threads; then what is near.

The steps, each with what it was measured to be worth in docs/benchmarks.md:

1. the words of the question and the words near to them, in each passage;
2. the words of the question in the thread as a whole;
3. neighbouring words of the question that stand close together (`proximity`);
4. words that the best answers share, looked for as well (`feedback`; RM3, Lavrenko & Croft 2001).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from mnemic.index.bm25 import bm25
from mnemic.index.lexical.feedback import feedback
from mnemic.index.lexical.near import with_near_words
from mnemic.index.lexical.proximity import best, proximity
from mnemic.index.postings import Lists
from mnemic.index.text.question import Question
from mnemic.index.view import View
from mnemic.settings import Retrieval

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


Readable = Callable[[Ints], Ints]
"""Of some entries, those that a reader may see, in the order given."""

_LOOKED_AT = 4
"""Times as many entries as feedback takes are looked at, since some may be withheld."""

_HINT = 1e-3
"""What a near word counts for telling which passage answers: less than any word asked for."""


@dataclass(frozen=True, slots=True)
class Lexical:
    """What the words of a question made of a view.

    Args:
        scores: of each entry, weighed by who said it.
        found: whether the entry, or a text beside it, holds one of the words of the question or
            a word near to one.
        passages: the score of each passage, to tell which one of a text answers.
        lists: of each word looked for that occurs.
    """

    scores: Floats
    found: NDArray[np.bool_]
    passages: Floats
    lists: Mapping[str, Lists]


def score(
    view: View,
    connection: Connection,
    question: Question,
    factor: Floats,
    readable: Readable,
    settings: Retrieval,
) -> Lexical:
    """Score every entry of the view by the words of a question.

    Args:
        view: what is searched.
        connection: to read the lists with.
        question: its words and their weights.
        factor: of each entry, by which its score is multiplied.
        readable: says which entries the reader may see: words are taken from no other.
        settings: the weights of the steps.
    """
    factor = np.where(view.alive, factor, np.float32(0))  # its thread would speak for the retired
    terms, lists = with_near_words(view, connection, question.terms, settings)
    scoring = _Scoring(view, settings)
    for word in question.terms:
        if word in lists:
            scoring.add(terms[word], lists[word])
    by_own = scoring.passages.copy()
    for word, found in lists.items():
        if word not in question.terms:
            scoring.add(terms[word], found)
    # Which passage answers is told by the question's own words, and by others if it has none.
    shown = by_own + np.float32(_HINT) * scoring.passages
    by_question = scoring.best() > 0
    threads = _threads(view, question.terms, lists, settings)[view.thread]
    beside = np.float32(settings.thread_weight) * threads
    scores = (scoring.best() + beside) * factor
    if settings.proximity_weight:
        close = proximity(view, connection, scores, list(terms), lists)
        beside = beside + np.float32(settings.proximity_weight) * close
        scores = (scoring.best() + beside) * factor
    if settings.feedback_weight:
        sources = readable(best(scores, _LOOKED_AT * settings.feedback_texts))
        more = feedback(view, connection, scores, sources, scoring.passages, terms, settings)
        for word, weight, lists_of in more:
            scoring.add(weight, lists_of)
            lists[word] = lists_of
        if more:
            scores = (scoring.best() + beside) * factor
    return Lexical(scores, by_question, shown, lists)


class _Scoring:
    """The scores of the passages of a view, a word at a time.

    What a word costs is what it holds, not how large the view is: `_frequency` and `_counted` are
    blank between two words, and are cleared where they were written.
    """

    def __init__(self, view: View, settings: Retrieval) -> None:
        self._view = view
        self._settings = settings
        self.passages: Floats = np.zeros(len(view.entry_of), np.float32)
        self._frequency: Floats = np.zeros(len(view.entry_of), np.float32)
        self._counted = np.zeros(len(view.entry_of), np.bool_)
        self._best: Floats | None = None

    def add(self, weight: float, found: Lists) -> None:
        """Count a word, by its lists."""
        view = self._view
        holding = self._holding(found)
        if not len(holding):
            return
        frequency = self._frequency[holding]
        self.passages[holding] += np.float32(weight) * bm25(
            frequency, view.scale[holding], view.count, self._settings.k1
        )
        self._frequency[holding] = 0
        self._counted[holding] = False
        self._best = None

    def _holding(self, found: Lists) -> Ints:
        """The passages that a word counts in, each once; how often is in `_frequency`.

        It counts where it stands in the text or the head and, at less weight, beside it.
        """
        view, settings = self._view, self._settings
        seqs, own, head = found
        self._frequency[seqs] = own + head.astype(np.float32)
        self._counted[seqs] = True
        holding: list[NDArray[Any]] = [seqs]
        # What was asked says what the answer is about.
        lent = np.where(
            view.asks[seqs],
            np.float32(settings.previous_question_weight),
            np.float32(settings.previous_weight),
        )
        for beside, weight in (
            (view.after[seqs], lent),
            (view.before[seqs], np.float32(settings.next_weight)),
        ):
            given = weight * own
            there = (beside >= 0) & (given > 0)
            places = beside[there]  # no two passages have the same one beside them
            self._frequency[places] += given[there]
            fresh = places[~self._counted[places]]
            self._counted[fresh] = True
            holding.append(fresh)
        return np.concatenate(holding)

    def best(self) -> Floats:
        """The score of the best passage of each entry."""
        if self._best is None:
            held = len(self._view.entry_of)
            self._best = (
                np.maximum.reduceat(self.passages, self._view.first_passage)
                if held
                else self.passages
            )
        return self._best


def _threads(
    view: View, terms: Mapping[str, float], lists: Mapping[str, Lists], settings: Retrieval
) -> Floats:
    """The score of each thread by the words of the question themselves."""
    scores = np.zeros(view.threads, np.float32)
    for word, weight in terms.items():
        if word not in lists:
            continue
        tally = _in_threads(view, lists[word])
        holding = tally.nonzero()[0]
        scores[holding] += np.float32(weight) * bm25(
            tally[holding], view.thread_scale[holding], view.thread_count, settings.k1
        )
    return scores


def _in_threads(view: View, found: Lists) -> Floats:
    """How often a word stands in each thread."""
    seqs, own, _ = found
    counted = view.in_thread[seqs]
    of = view.thread[view.entry_of[seqs[counted]]]
    return np.bincount(of, weights=own[counted], minlength=view.threads).astype(np.float32)
