"""Stretches of a sentence: where a phrase may end, a run of capitals, a plain phrase."""

from __future__ import annotations

from mnemic.cognition.facts.sentences import SHOWN, Sentence
from mnemic.cognition.facts.words import words

Taken = tuple[str, int]
"""A value as it was said, and the place after it."""

ARTICLES = frozenset({"a", "an", "the"})
PREPOSITIONS = frozenset(
    "of in on at with for against around along by to from as into over about near after before"
    " between under through together within across without".split()
)
MOST_WORDS = 6
"""Of a plain phrase."""

_CENTRES = frozenset("center centre institute foundation department office school".split())
"""Words of a name after which "for" is part of it."""


def may_end(sentence: Sentence, stop: int) -> bool:
    """Whether a phrase can end before a place."""
    if stop >= len(sentence) or sentence.end[stop - 1]:
        return True
    return sentence.low[stop] in words().follow or sentence.low[stop] in words().stops


def capitals(sentence: Sentence, at: int, within: frozenset[str], most: int) -> int:
    """Where a run of words with capitals ends that starts at a place."""
    stop = at
    while stop < len(sentence) and stop - at < most:
        word = sentence.core[stop]
        if not (sentence.is_capital(stop) or (stop > at and word[:1].isdigit())):
            joins = word in within or (word == "for" and sentence.low[stop - 1] in _CENTRES)
            if not (joins and stop > at and sentence.is_capital(stop + 1)):
                break
        stop += 1
        if sentence.end[stop - 1].strip(".") or (
            sentence.end[stop - 1] == "." and stop < len(sentence) and len(word) > 3
        ):
            break
    return stop


def phrase_end(sentence: Sentence, at: int, cut: frozenset[str] = frozenset()) -> int:
    """Where a plain phrase ends that starts at a place: at a stop word or a mark."""
    stops = words().stops
    stop = at
    while stop < len(sentence) and stop - at <= MOST_WORDS:
        word = sentence.low[stop]
        if word in stops or SHOWN in word or (word in cut and stop > at):
            break
        stop += 1
        if sentence.end[stop - 1]:
            break
    return stop


def plain(
    sentence: Sentence,
    at: int,
    *,
    most: int = MOST_WORDS,
    cut: frozenset[str] = frozenset(),
    first: frozenset[str] = frozenset(),
) -> Taken | None:
    """A plain phrase of at most so many words, none of them a pronoun or a helping verb."""
    stop = phrase_end(sentence, at, cut)
    low = sentence.low[at:stop]
    if not 0 < len(low) <= most or low[0] in first or low[0] in ARTICLES | PREPOSITIONS:
        return None
    if low[-1] in PREPOSITIONS | ARTICLES or not words().barred.isdisjoint(low):
        return None
    if any(not any(char.isalnum() for char in word) for word in low):
        return None
    if not sentence.end[stop - 1] and sentence.low[stop : stop + 1] and _narrows(sentence, stop):
        return None
    return sentence.value(at, stop), stop


def _narrows(sentence: Sentence, stop: int) -> bool:
    """Whether what follows says which ones are meant: "people who lie" are not people."""
    return sentence.low[stop] in ("that", "who", "which", "whose", "where", "whom")
