"""Retrieval as docs and docstrings describe it, once more, slowly and in plain Python.

Nothing here shares code with what it is compared to, but for three parts that have tests of their
own: how a text is cut into passages, how words become stems, and how a question is read.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import pairwise

import numpy as np

from mnemic import Embedder, Settings
from mnemic.index.text.passages import split_passages
from mnemic.index.text.question import read_question
from mnemic.index.text.sentences import split_sentences
from mnemic.index.text.tokens import stems, words

# Typical spreads, and how many texts' worth they count (retrieve/mix.py).
PRIOR_COUNT, LEXICAL_SPREAD, DENSE_SPREAD = 20, 1.1, 0.11


@dataclass
class Text:
    """One wording of one trace, in the place that it has in the index.

    Args:
        partition: its scope.
        seq: how many wordings the scope had before it.
        position: the place of its trace's first wording, which orders the thread.
        embedded: whether it has vectors.
    """

    trace_id: str
    content: str
    partition: str
    seq: int
    position: int
    thread: str | None
    speaker: str | None
    role: str | None
    labels: tuple[str, ...]
    time: datetime
    strength: float
    embedded: bool = True
    alive: bool = True

    @property
    def of_thread(self) -> tuple[str, str | int]:
        """Its thread within its scope; without one it is alone, with its other wordings."""
        return (self.partition, self.position if self.thread is None else f"#{self.thread}")

    @property
    def by_assistant(self) -> bool:
        return self.role == "assistant"

    def head(self) -> list[str]:
        """Search words of its date, its speaker, its tags and its entities."""
        date = f"{self.time.day} {self.time:%B %Y %A}"
        return stems(" ".join([date, self.speaker or self.role or "", *self.labels]))


@dataclass
class Passage:
    """A piece of a text, with the pieces beside it in its thread."""

    text: Text
    excerpt: str
    words: list[str]
    start: int  # words of the same text before it
    before: Passage | None = None
    after: Passage | None = None

    def length(self) -> int:
        beside = sum(len(p.words) for p in (self.before, self.after) if p is not None)
        return len(self.words) + len(self.text.head()) + beside


@dataclass
class Answer:
    """What a text is worth as an answer to a question."""

    text: Text
    by_words: float
    best: Passage
    margin: float  # by how much its best passage is better than its next
    found_by_words: bool
    score: float
    parts: dict[str, float]
    cosine: float | None = None


def bm25(
    tf: float, holders: int, count: int, length: float, mean: float, k1: float, b: float
) -> float:
    """Robertson & Zaragoza (2009), with Lucene's idf, which is never below nothing."""
    idf = math.log(1 + (count - holders + 0.5) / (holders + 0.5))
    return idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / mean))


class PlainIndex:
    """All texts that a caller may read, and nothing else."""

    def __init__(self, texts: Sequence[Text], settings: Settings) -> None:
        self.settings = settings
        self.texts = [text for text in texts if text.alive]
        self.passages_of = [self._passages(text) for text in self.texts]
        self.passages = [p for passages in self.passages_of for p in passages]
        for thread in {text.of_thread for text in self.texts}:
            line = [p for p in self.passages if p.text.of_thread == thread]
            line.sort(key=lambda p: p.text.position)  # stable: passages of a text stay in order
            for one, other in pairwise(line):
                one.after, other.before = other, one

    def _passages(self, text: Text) -> list[Passage]:
        spans = split_passages(text.content, self.settings.index.passage_words)
        found: list[Passage] = []
        start = 0
        for a, b in spans:
            held = stems(text.content[a:b])
            found.append(Passage(text, text.content[a:b], held, start))
            start += len(held)
        return found

    def frequency(self, passage: Passage, word: str) -> float:
        """How often a word stands in a passage, around it and, at less weight, beside it."""
        weights = self.settings.retrieval
        found: float = passage.words.count(word) + passage.text.head().count(word)
        if passage.before is not None:
            found += weights.previous_weight * passage.before.words.count(word)
        if passage.after is not None:
            found += weights.next_weight * passage.after.words.count(word)
        return found

    def passage_scores(self, question: str) -> list[float]:
        """BM25 of each passage."""
        k1, b = self.settings.retrieval.k1, self.settings.retrieval.b
        lengths = [p.length() for p in self.passages]
        mean = sum(lengths) / len(lengths)
        scores = [0.0] * len(self.passages)
        for word, weight in read_question(question).terms.items():
            tf = [self.frequency(p, word) for p in self.passages]
            holders = sum(f > 0 for f in tf)
            for at, (f, length) in enumerate(zip(tf, lengths, strict=True)):
                if f > 0:
                    scores[at] += weight * bm25(f, holders, len(tf), length, mean, k1, b)
        return scores

    @cached_property
    def thread_words(self) -> dict[tuple[str, str | int], Counter[str]]:
        """The words of each thread; an assistant's long turn counts by its beginning only."""
        found: dict[tuple[str, str | int], Counter[str]] = {
            t.of_thread: Counter() for t in self.texts
        }
        most = self.settings.retrieval.thread_reply_words
        for passage in self.passages:
            if not (passage.text.by_assistant and passage.start >= most):
                found[passage.text.of_thread].update(passage.words)
        return found

    def thread_scores(self, question: str) -> dict[tuple[str, str | int], float]:
        """BM25 of each thread as one text."""
        k1, b = self.settings.retrieval.k1, self.settings.retrieval.b
        lengths = {thread: held.total() for thread, held in self.thread_words.items()}
        mean = sum(lengths.values()) / len(lengths)
        scores = dict.fromkeys(lengths, 0.0)
        for word, weight in read_question(question).terms.items():
            holders = sum(held[word] > 0 for held in self.thread_words.values())
            for thread, held in self.thread_words.items():
                if held[word]:
                    args = (holders, len(lengths), lengths[thread], mean, k1, b)
                    scores[thread] += weight * bm25(held[word], *args)
        return scores

    def speaker_weights(self, question: str) -> list[tuple[float, float]]:
        """For each text, a factor on its words and what is taken off its cosine."""
        weights = self.settings.retrieval
        about_you = read_question(question).about_you
        asked = set(words(question, query=True))
        named = {t.speaker: bool(asked & set(words(t.speaker))) for t in self.texts if t.speaker}
        one_of_several = any(named.values()) and not all(named.values())
        found = []
        for text in self.texts:
            factor, malus = 1.0, 0.0
            if text.by_assistant:
                factor = weights.assistant_weight_asked if about_you else weights.assistant_weight
                malus = weights.assistant_malus_asked if about_you else weights.assistant_malus
            if one_of_several and text.speaker is not None and not named[text.speaker]:
                factor *= weights.unnamed_weight
                malus += weights.unnamed_malus
            found.append((factor, malus))
        return found

    def cosines(self, question: str, embedder: Embedder) -> list[float | None]:
        """For each text its vectors' score, neighbours' included; None where it has none."""
        weights = self.settings.retrieval
        query = unit(embedder, [question])[0]
        alone: dict[int, float] = {}
        for at, text in enumerate(self.texts):
            if text.embedded:
                near = quantised(unit(embedder, self._to_embed(text))) @ query
                best = max(near[1:]) if len(near) > 1 else near[0]
                share = weights.sentence_share
                alone[at] = float((1 - share) * near[0] + share * best)
        number = {id(text): at for at, text in enumerate(self.texts)}
        found: list[float | None] = []
        for at, passages in enumerate(self.passages_of):
            total, lent = alone.get(at), 1.0
            for beside in (passages[0].before, passages[-1].after):
                if total is None or beside is None or number[id(beside.text)] not in alone:
                    continue
                if not (beside.text.by_assistant or passages[0].text.by_assistant):
                    total += weights.neighbour_share * alone[number[id(beside.text)]]
                    lent += weights.neighbour_share
            found.append(None if total is None else total / math.sqrt(lent))
        return found

    def _to_embed(self, text: Text) -> list[str]:
        whole = f"{text.speaker}: {text.content}" if text.speaker else text.content
        index = self.settings.index
        sentences: list[str] = []
        if index.sentence_vectors and not text.by_assistant:
            sentences = split_sentences(text.content, most=index.max_sentences)
        return [whole, *sentences] if len(sentences) > 1 else [whole]

    def answers(self, question: str, embedder: Embedder | None = None) -> dict[str, Answer]:
        """Every text that answers, by its trace's id."""
        if not self.texts:
            return {}
        of_passage = iter(self.passage_scores(question))
        of_thread = self.thread_scores(question)
        passage_scores = [[next(of_passage) for _ in ps] for ps in self.passages_of]
        thread_weight = self.settings.retrieval.thread_weight
        lexical = [
            max(scores) + thread_weight * of_thread[text.of_thread]
            for text, scores in zip(self.texts, passage_scores, strict=True)
        ]
        speakers = self.speaker_weights(question)
        weighed = [score * factor for score, (factor, _) in zip(lexical, speakers, strict=True)]
        cosines: list[float | None] = [None] * len(self.texts)
        if embedder:
            cosines = self.cosines(question, embedder)
        share = self.settings.retrieval.vector_weight if embedder else 0.0
        standing = scaled(weighed, weighed, LEXICAL_SPREAD)
        near = self._standing_by_vectors(cosines, [malus for _, malus in speakers])
        found = {}
        for at, text in enumerate(self.texts):
            parts = {"lexical": (1 - share) * standing[at]}
            if embedder:
                parts["vector"] = share * near[at]
            parts["strength"] = self.settings.retrieval.strength_weight * (text.strength - 0.5)
            ranked = sorted(passage_scores[at], reverse=True)
            by_words = ranked[0] > 0
            if by_words or cosines[at] is not None:
                found[text.trace_id] = Answer(
                    text=text,
                    by_words=lexical[at],
                    best=self.passages_of[at][passage_scores[at].index(ranked[0])],
                    margin=ranked[0] - ranked[1] if len(ranked) > 1 else math.inf,
                    found_by_words=by_words,
                    score=sum(parts.values()),
                    parts=parts,
                    cosine=cosines[at],
                )
        return found

    @staticmethod
    def _standing_by_vectors(cosines: list[float | None], malus: list[float]) -> list[float]:
        """A text without vectors stands where the average one does."""
        known = [c - m for c, m in zip(cosines, malus, strict=True) if c is not None]
        if not known:
            return [0.0] * len(cosines)
        mean = sum(known) / len(known)
        each = [mean if c is None else c - m for c, m in zip(cosines, malus, strict=True)]
        return scaled(each, known, DENSE_SPREAD)


def scaled(scores: list[float], sample: list[float], typical: float) -> list[float]:
    """Scores by the mean and the spread of a sample, which counts little when it is small."""
    count = len(sample)
    mean = sum(sample) / count
    variance = sum((score - mean) ** 2 for score in sample)
    spread = math.sqrt((variance + PRIOR_COUNT * typical**2) / (count + PRIOR_COUNT))
    return [(score - mean) / spread for score in scores]


Vectors = np.ndarray[tuple[int, int], np.dtype[np.float64]]


def unit(embedder: Embedder, texts: list[str]) -> Vectors:
    """An embedder's vectors, brought to unit length."""
    found = np.asarray(embedder.embed(texts), np.float64)
    return found / np.linalg.norm(found, axis=1, keepdims=True)  # type: ignore[no-any-return]


def quantised(vectors: Vectors) -> Vectors:
    """What is left of vectors when each component is kept as one signed byte."""
    step = np.abs(vectors).max(axis=1, keepdims=True) / 127
    return np.rint(vectors / step) * step  # type: ignore[no-any-return]
