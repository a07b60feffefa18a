"""Readers of values: what stands at a place of a sentence, if it is a value of the kind wanted.

A reader gives the value as it was said and the place after it, or None. It is strict: a value
must end where a phrase can end, so that "Google" is not taken out of "Google's garden".
"""

from __future__ import annotations

import re
from collections.abc import Callable

from mnemic.cognition.facts import names, phrases
from mnemic.cognition.facts.patterns import PATTERNS
from mnemic.cognition.facts.sentences import GLUE, SHOWN, Sentence
from mnemic.cognition.facts.spans import ARTICLES, Taken, may_end
from mnemic.cognition.facts.words import words

_GOES_ON = frozenset({"aged", "job"})
"""Kinds after which a phrase may go on: "a 32-year-old nurse", "the head of Acme"."""


def take(kind: str, sentence: Sentence, at: int) -> Taken | None:
    """The value of a kind that stands at a place, and where it ends."""
    if at >= len(sentence) or SHOWN in sentence.core[at]:
        return None
    pattern = PATTERNS.get(kind)
    taken = _matched(pattern(), sentence, at) if pattern else READERS[kind](sentence, at)
    if taken is None:
        return None
    value, stop = taken
    value = value.replace(GLUE, " ").strip()
    if not 0 < len(value) <= phrases.MAX_CHARS or not (kind in _GOES_ON or may_end(sentence, stop)):
        return None
    return value, stop


def _matched(pattern: re.Pattern[str], sentence: Sentence, at: int) -> Taken | None:
    text = sentence.text(at, at + 12)
    found = pattern.match(text)
    if found is None or text[found.end() : found.end() + 1].strip(" ,.;:!?)"):
        return None  # "$9" is not what "$9-$17" says
    whole = found[0].rstrip(" .,")
    return found[found.lastindex or 0].rstrip(" .,"), at + whole.count(" ") + 1


def _job(sentence: Sentence, at: int) -> Taken | None:
    """A job, with "the" before it only where it is told of which firm: "the head of Acme"."""
    lists = words()
    start = at + 1 if sentence.low[at] in ARTICLES else at
    if start >= len(sentence) or sentence.core[start].endswith("ing"):
        return None  # "I am studying the model"
    for stop in range(start + 1, min(start + 6, len(sentence) + 1)):
        word = sentence.low[stop - 1]
        if word in lists.not_jobs or word in lists.barred or word in ARTICLES:
            return None
        if word in lists.jobs:
            of_firm = sentence.low[stop : stop + 1] == ["of"] and sentence.is_capital(stop + 1)
            if of_firm or (may_end(sentence, stop) and sentence.low[at] != "the"):
                return sentence.value(start, stop), stop
        if sentence.end[stop - 1]:
            return None
    return None


def _listed(sentence: Sentence, at: int, known: frozenset[str]) -> Taken | None:
    return (sentence.core[at], at + 1) if sentence.low[at] in known else None


def _language(sentence: Sentence, at: int) -> Taken | None:
    at += 2 * (sentence.low[at : at + 2] == ["a", "little"])
    at += sentence.low[at : at + 1] in (["fluent"], ["native"], ["some"], ["basic"])
    return _listed(sentence, at, words().languages) if at < len(sentence) else None


def _nationality(sentence: Sentence, at: int) -> Taken | None:
    return _listed(sentence, at, words().nationalities)


def _diet(sentence: Sentence, at: int) -> Taken | None:
    """A diet, with an article before it or the word "diet" after it, or with neither."""
    start = at + 1 if sentence.low[at] in ("a", "an") else at
    low = sentence.low[start : start + 2]
    if not low or low[0] not in words().diets:
        return None
    named = low[1:] == ["diet"] and not sentence.end[start]
    return sentence.core[start], start + 1 + named


def _intolerance(sentence: Sentence, at: int) -> Taken | None:
    """What "lactose intolerant" names; the word after it ends the phrase."""
    low = sentence.low[at : at + 2]
    joined = low[0].removesuffix("-intolerant") if low else ""
    if joined in words().intolerances and joined != low[0]:
        return sentence.core[at][: len(joined)], at + 1
    if low[1:] == ["intolerant"] and joined in words().intolerances:
        return sentence.core[at], at + 2
    return None


READERS: dict[str, Callable[[Sentence, int], Taken | None]] = {
    "name": names.name,
    "lower_name": names.lower_name,
    "place": names.place,
    "place_reached": names.place_reached,
    "organisation": names.organisation,
    "firm": names.firm,
    "thing": phrases.thing,
    "favourite": phrases.favourite,
    "preference": phrases.preference,
    "possession": phrases.possession,
    "sold": phrases.sold,
    "vehicle": phrases.vehicle,
    "product": phrases.product,
    "game": phrases.game,
    "food": phrases.food,
    "allergen": phrases.allergen,
    "intolerance": _intolerance,
    "study": phrases.study,
    "field": phrases.field,
    "job": _job,
    "language": _language,
    "nationality": _nationality,
    "diet": _diet,
}
