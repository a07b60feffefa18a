"""Retrieval as docs and docstrings describe it, once more, slowly and in plain Python.

Nothing here shares code with what it is compared to, but for parts that have tests of their own:
how a text is cut into passages, how words become stems, how a question is read, which words are
near, which speakers and days a question names, and what can be told of a text (its features).

Texts are given in the order of the index: a scope's together, as they were written. Of equal
ones the first counts as the best.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise

import numpy as np

from mnemic import Embedder, Settings
from mnemic.index.text.dates import date_ranges
from mnemic.index.text.features import Feature
from mnemic.index.text.language import language
from mnemic.index.text.near import near_words
from mnemic.index.text.question import read_question
from mnemic.index.text.tokens import stem
from mnemic.retrieve.naming import named
from tests.conftest import START
from tests.index.worlds import Passage, Text

# Typical spreads, and how many texts' worth they count (retrieve/mix.py).
PRIOR_COUNT, LEXICAL_SPREAD, DENSE_SPREAD = 20, 1.1, 0.11
# What near words count for the passage that is shown (index/lexical/score.py).
HINT = 1e-3
# Words of the longest question that near words are looked for (index/lexical/near.py); words
# within which two stand close (proximity.py); words that a passage counts as having at least, and
# shared words that are weighed at most (feedback.py).
LONGEST_QUESTION, WINDOW, SHORTEST_LENGTH, WEIGHED = 32, 8, 8, 48


@dataclass
class ByWords:
    """What the words of a question make of a text."""

    passages: list[float]  # what each is worth
    shown: list[float]  # by which the one is chosen that is shown
    beside: float  # what its thread and words close together add
    factor: float  # for who says it
    found: bool

    def score(self) -> float:
        return (max(self.passages) + self.beside) * self.factor


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


def idf(holders: int, count: int) -> float:
    """Lucene's weight of a word, which is never below nothing."""
    return math.log(1 + (count - holders + 0.5) / (holders + 0.5))


@cache
def exact() -> set[str]:
    """Words that are near to none: those that say nothing, numbers, and words of dates."""
    lists = language()
    dated = {word for dates in lists.dates for several in dates.words.values() for word in several}
    return {stem(word) for word in lists.stop | lists.numbers | dated}


class PlainIndex:
    """All texts that a caller may read, and nothing else."""

    def __init__(self, texts: Sequence[Text], settings: Settings) -> None:
        self.settings = settings
        self.texts = [text for text in texts if text.alive]
        self.passages_of = [text.passages(settings.index.passage_words) for text in self.texts]
        self.passages = [p for passages in self.passages_of for p in passages]
        for thread in {text.of_thread for text in self.texts}:
            line = [p for p in self.passages if p.text.of_thread == thread]
            line.sort(key=lambda p: p.text.position)  # stable: passages of a text stay in order
            for one, other in pairwise(line):
                one.after, other.before = other, one

    @cached_property
    def in_text(self) -> Counter[str]:
        """For each word, how many passages hold it themselves."""
        return Counter(word for p in self.passages for word in set(p.words))

    @cached_property
    def in_text_or_head(self) -> Counter[str]:
        """For each word, how many passages hold it, or their heads do."""
        return Counter(word for p in self.passages for word in {*p.words, *p.text.head})

    def sought(self, question: str) -> dict[str, float]:
        """The words of a question with their weights; after them the words near to those."""
        asked, weights = read_question(question).terms, self.settings.retrieval
        found = dict(asked)
        if len(asked) > LONGEST_QUESTION or not weights.near_weight:
            return found
        for word, weight in asked.items():
            if weight < 1 or word in exact():
                continue
            there = {n for n in self.in_text_or_head if n not in asked and n not in exact()}
            near = [n for n in near_words(word) if n[0] in there]
            for other, cosine in near[: weights.near_words]:
                found[other] = max(found.get(other, 0), weights.near_weight * cosine)
        return found

    def frequency(self, passage: Passage, word: str) -> float:
        """How often a word stands in a passage, around it and, at less weight, beside it."""
        weights, before = self.settings.retrieval, passage.before
        found: float = passage.words.count(word) + passage.text.head.count(word)
        if before is not None:
            lent = weights.previous_question_weight if before.asks else weights.previous_weight
            found += lent * before.words.count(word)
        if passage.after is not None:
            found += weights.next_weight * passage.after.words.count(word)
        return found

    def bm25(
        self,
        sought: Mapping[str, float],
        held: Callable[[str], Sequence[float]],
        lengths: list[int],
    ) -> list[float]:
        """Scores by how often each text holds each word (Robertson & Zaragoza 2009)."""
        weights, mean = self.settings.retrieval, sum(lengths) / len(lengths)
        scores = [0.0] * len(lengths)
        for word, weight in sought.items():
            rarity = idf(sum(tf > 0 for tf in held(word)), len(lengths))
            for at, (tf, length) in enumerate(zip(held(word), lengths, strict=True)):
                damping = weights.k1 * (1 - weights.b + weights.b * length / mean)
                scores[at] += weight * rarity * tf * (weights.k1 + 1) / (tf + damping)
        return scores

    def passage_scores(self, sought: Mapping[str, float]) -> list[list[float]]:
        """BM25 of the passages of each text."""
        every, lengths = self.passages, [p.length() for p in self.passages]
        flat = iter(self.bm25(sought, lambda w: [self.frequency(p, w) for p in every], lengths))
        return [[next(flat) for _ in passages] for passages in self.passages_of]

    def closeness(self, passage: Passage, sought: Sequence[str]) -> float:
        """How close to each other neighbours among the words that occur stand in a passage."""
        total = 0.0
        for pair in pairwise(word for word in sought if self.in_text_or_head[word]):
            x, y = ([n for n, other in enumerate(passage.words) if other == w] for w in pair)
            distance = min((abs(i - j) for i in x for j in y), default=math.inf)
            if distance <= WINDOW:
                commoner = max(self.in_text[word] for word in pair)
                total += idf(commoner, len(self.passages)) / distance
        return total

    def shared_words(
        self, scores: Sequence[float], passages: Sequence[list[float]], but: Collection[str]
    ) -> dict[str, float]:
        """Words of the best texts with their weights: feedback after Lavrenko & Croft (2001)."""
        weights, common = self.settings.retrieval, {*language().stop, *language().frame}
        known = {*but, *(stem(word) for word in common)}
        best = [at for at, score in enumerate(scores) if score > 0]
        best = sorted(best, key=lambda at: -scores[at])[: weights.feedback_texts]
        shares: dict[str, float] = {}
        for at in sorted(best):
            held = self.passages_of[at][passages[at].index(max(passages[at]))].words
            part = scores[at] / sum(scores[other] for other in best)
            for word in set(held):
                own = part / math.sqrt(max(len(held), SHORTEST_LENGTH))
                shares[word] = shares.get(word, 0) + own
        told = [w for w in shares if w not in known and len(w) > (2 if w.isascii() else 1)]
        told = sorted(told, key=lambda word: (-round(shares[word], 6), word))[:WEIGHED]
        holders = self.in_text_or_head
        weighed = {w: shares[w] * idf(holders[w], len(self.passages)) for w in told}
        several = sorted((-round(weighed[w], 6), w) for w in told if holders[w] > 1)
        return {
            word: weights.feedback_weight * weighed[word] / weighed[several[0][1]]
            for _, word in several[: weights.feedback_words]
        }

    @cached_property
    def thread_words(self) -> dict[tuple[str, str | int], Counter[str]]:
        """The words of each thread; an assistant's long turn counts by its beginning only."""
        found = {text.of_thread: Counter[str]() for text in self.texts}
        most = self.settings.retrieval.thread_reply_words
        for passage in self.passages:
            if not (passage.text.by_assistant and passage.start >= most):
                found[passage.text.of_thread].update(passage.words)
        return found

    def thread_scores(self, question: str) -> dict[tuple[str, str | int], float]:
        """BM25 of each thread as one text, by the question's own words."""
        asked, several = read_question(question).terms, self.thread_words.values()
        lengths = [held.total() for held in several]
        scores = self.bm25(asked, lambda w: [held[w] for held in several], lengths)
        return dict(zip(self.thread_words, scores, strict=True))

    def speaker_weights(self, question: str) -> list[tuple[float, float]]:
        """For each text, a factor on its words and what is taken off its cosine."""
        weights = self.settings.retrieval
        you = read_question(question).about_you
        speakers = sorted({text.speaker for text in self.texts if text.speaker})
        asked = dict(zip(speakers, named(question, speakers).speakers, strict=True))
        one_of_several = any(asked.values()) and not all(asked.values())
        found = []
        for text in self.texts:
            factor, malus = 1.0, 0.0
            if text.by_assistant:
                factor = weights.assistant_weight_asked if you else weights.assistant_weight
                malus = weights.assistant_malus_asked if you else weights.assistant_malus
            if one_of_several and text.speaker is not None and not asked[text.speaker]:
                factor *= weights.unnamed_weight
                malus += weights.unnamed_malus
            found.append((factor, malus))
        return found

    def boosts(self, question: str) -> list[float]:
        """For each text, a factor for what it is and for when it was said."""
        weights = self.settings.retrieval
        days = date_ranges(question, START.date(), language().dates)
        found = [1.0] * len(self.texts)
        for at, text in enumerate(self.texts):
            if Feature.FIRST_PERSON in text.features and not text.by_assistant:
                found[at] *= weights.first_person_boost
            if Feature.NUMBER in text.features and read_question(question).asks_number:
                found[at] *= weights.number_boost
            if any(first <= text.time.date() <= last for first, last in days):
                found[at] *= weights.date_boost
        return found

    def cosines(self, question: str, embedder: Embedder | None) -> list[float | None]:
        """For each text its vectors' score, neighbours' included; None where it has none."""
        weights = self.settings.retrieval
        if embedder is None:
            return [None] * len(self.texts)
        speakers = [text.speaker for text in self.texts if text.speaker]
        query = unit(embedder, [named(question, speakers).bare])[0]
        share, alone = weights.sentence_share, dict[int, float]()
        for text in (text for text in self.texts if text.embedded):
            near = quantised(unit(embedder, text.to_embed(self.settings.index))) @ query
            best = max(near[1:]) if len(near) > 1 else near[0]
            alone[id(text)] = float((1 - share) * near[0] + share * best)
        found: list[float | None] = []
        for text, passages in zip(self.texts, self.passages_of, strict=True):
            total, lent = alone.get(id(text)), 1.0
            for beside in (passages[0].before, passages[-1].after):
                if total is None or beside is None or id(beside.text) not in alone:
                    continue
                if not (beside.text.by_assistant or text.by_assistant):
                    total += weights.neighbour_share * alone[id(beside.text)]
                    lent += weights.neighbour_share
            found.append(None if total is None else total / math.sqrt(lent))
        return found

    def by_words(self, question: str) -> list[ByWords]:
        """What the words of a question make of each text."""
        weights, sought = self.settings.retrieval, self.sought(question)
        own = self.passage_scores(read_question(question).terms)
        passages, of_thread = self.passage_scores(sought), self.thread_scores(question)
        factors, found = [factor for factor, _ in self.speaker_weights(question)], list[ByWords]()
        for at, text in enumerate(self.texts):
            shown = [one + HINT * all_ for one, all_ in zip(own[at], passages[at], strict=True)]
            beside = weights.thread_weight * of_thread[text.of_thread]
            found.append(ByWords(passages[at], shown, beside, factors[at], max(passages[at]) > 0))
        for at, one in enumerate(found):
            if one.score() > 0:
                close = max(self.closeness(p, list(sought)) for p in self.passages_of[at])
                one.beside += weights.proximity_weight * close
        if weights.feedback_weight:
            more = self.shared_words([one.score() for one in found], passages, sought)
            for one, shared in zip(found, self.passage_scores(more), strict=True):
                one.passages = [a + b for a, b in zip(one.passages, shared, strict=True)]
        return found

    def answers(self, question: str, embedder: Embedder | None = None) -> dict[str, Answer]:
        """Every text that answers, by its trace's id."""
        if not self.texts:
            return {}
        by_words, boosts = self.by_words(question), self.boosts(question)
        boosted = [one.score() * boost for one, boost in zip(by_words, boosts, strict=True)]
        cosines = self.cosines(question, embedder)
        weights, noise = self.settings.retrieval, self.settings.retrieval.noise_cosine
        share = weights.vector_weight if embedder else 0.0
        standing = scaled(boosted, boosted, LEXICAL_SPREAD)
        near = self._standing_by_vectors(cosines, [m for _, m in self.speaker_weights(question)])
        found = {}
        for at, (text, cosine) in enumerate(zip(self.texts, cosines, strict=True)):
            parts = {"lexical": (1 - share) * standing[at]}
            if embedder:
                parts["vector"] = share * near[at]
            # The clock stands still, so that no strength has faded.
            weight = self.settings.mind.ranking.strength_weight
            parts["strength"] = weight * (text.strength - 0.5)
            ranked = sorted(by_words[at].shown, reverse=True)
            near_enough = cosine is not None and (noise is None or cosine >= noise)
            if by_words[at].found or near_enough:
                found[text.trace_id] = Answer(
                    text=text,
                    by_words=by_words[at].score(),
                    best=self.passages_of[at][by_words[at].shown.index(ranked[0])],
                    margin=ranked[0] - ranked[1] if len(ranked) > 1 else math.inf,
                    found_by_words=by_words[at].found,
                    score=sum(parts.values()),
                    parts=parts,
                    cosine=cosine,
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
