"""Readers of plain phrases: what somebody likes, owns, plays, eats or studies."""

from __future__ import annotations

from mnemic.cognition.facts.sentences import Sentence
from mnemic.cognition.facts.spans import (
    ARTICLES,
    PREPOSITIONS,
    Taken,
    capitals,
    may_end,
    plain,
)
from mnemic.cognition.facts.words import words

MAX_CHARS = 60
_COMPARING = frozenset({"over", "to"})
_COUNTS = frozenset("a an one two three four five six".split())
_WITHIN_TITLES = PREPOSITIONS | {"and", "the", "&"}


def thing(sentence: Sentence, at: int) -> Taken | None:
    """What somebody likes: a plain phrase, or what everybody calls by "the": "the sea"."""
    lists = words()
    if sentence.low[at] == "the" and at + 1 < len(sentence):
        known = sentence.low[at + 1] in lists.generic and may_end(sentence, at + 2)
        return (sentence.value(at, at + 2), at + 2) if known else None
    return plain(sentence, at, first=lists.not_things)


def favourite(sentence: Sentence, at: int) -> Taken | None:
    """A favourite: a name, a title, or a plain phrase."""
    if sentence.low[at] in ARTICLES:
        at += 1
    if at >= len(sentence):
        return None
    stop = capitals(sentence, at, _WITHIN_TITLES, 6)
    if stop > at and may_end(sentence, stop) and sentence.low[at] not in words().barred:
        return sentence.value(at, stop), stop
    return plain(sentence, at, most=4, first=words().not_things)


def preference(sentence: Sentence, at: int) -> Taken | None:
    """What is preferred, and to what: "tea", "tea over coffee"."""
    start = at + 1 if sentence.low[at] in ("a", "an") else at
    taken = plain(sentence, start, cut=_COMPARING) if start < len(sentence) else None
    if taken is None:
        return None
    stop = taken[1]
    if not sentence.end[stop - 1] and (then := _compared(sentence, stop)):
        other = plain(sentence, then, most=4, cut=PREPOSITIONS)
        if other is not None and may_end(sentence, other[1]):
            stop = other[1]
    value = sentence.value(at, stop)
    return (value, stop) if len(value) <= MAX_CHARS else (sentence.value(at, taken[1]), taken[1])


def _compared(sentence: Sentence, at: int) -> int | None:
    """Where that begins to which something is preferred."""
    low = sentence.low[at : at + 2]
    if low in (["rather", "than"], ["instead", "of"]):
        return at + 2
    return at + 1 if low[:1] in (["over"], ["to"]) and len(low) == 2 else None


def possession(sentence: Sentence, at: int) -> Taken | None:
    """What somebody owns: something counted, or something with a name."""
    counted = sentence.low[at] in _COUNTS
    start = at + 1 if sentence.low[at] in ("a", "an") else at
    if start >= len(sentence) or not (counted or sentence.is_capital(at)):
        return None
    return plain(sentence, start, most=4, cut=PREPOSITIONS)


def sold(sentence: Sentence, at: int) -> Taken | None:
    """What somebody owned, behind "my"."""
    return plain(sentence, at, most=4, cut=PREPOSITIONS)


def vehicle(sentence: Sentence, at: int) -> Taken | None:
    """A car, by its make."""
    taken = possession(sentence, at)
    if taken is None or not any(sentence.is_capital(place) for place in range(at, taken[1])):
        return None
    return taken


def product(sentence: Sentence, at: int) -> Taken | None:
    """Something with a name of its own."""
    taken = plain(sentence, at, most=4, cut=PREPOSITIONS) if sentence.is_capital(at) else None
    return taken if taken and sentence.low[at] not in words().not_names else None


def game(sentence: Sentence, at: int) -> Taken | None:
    """What somebody plays: a game, a sport, an instrument."""
    if sentence.low[at] == "the":
        at += 1
        if at >= len(sentence) or sentence.low[at] not in words().generic:
            return None
    return plain(sentence, at, most=3, cut=PREPOSITIONS, first=words().not_games)


def food(sentence: Sentence, at: int) -> Taken | None:
    """What somebody eats or drinks."""
    return plain(sentence, at, most=3, cut=PREPOSITIONS, first=words().not_foods)


def allergen(sentence: Sentence, at: int) -> Taken | None:
    """What somebody does not bear."""
    return plain(sentence, at, most=5, first=words().not_allergens)


def study(sentence: Sentence, at: int) -> Taken | None:
    """What somebody studies."""
    return plain(sentence, at, most=4, cut=PREPOSITIONS - {"of"}, first=words().not_studies)


def field(sentence: Sentence, at: int) -> Taken | None:
    """The field that somebody works in, not the place."""
    lists = words()
    if sentence.core[at] in lists.fields:
        return sentence.core[at], at + 1
    taken = plain(sentence, at, most=3, cut=PREPOSITIONS, first=lists.not_fields)
    if taken is None or any(sentence.is_capital(place) for place in range(at, taken[1])):
        return None
    return taken
