"""Readers of names: of people, of places, of organisations."""

from __future__ import annotations

from mnemic.cognition.facts.sentences import Sentence
from mnemic.cognition.facts.spans import Taken, capitals, may_end
from mnemic.cognition.facts.words import words

WITHIN_NAMES = frozenset("de da do dos das la le van von der den del di bin al of upon".split())
_WITHIN_FIRMS = frozenset("of and the & de".split())
_AFTER_FIRM = frozenset("as in last this two three and but because so after since to".split())


def name(sentence: Sentence, at: int) -> Taken | None:
    """The name of a person or a pet."""
    lists = words()
    stop = capitals(sentence, at, WITHIN_NAMES, 4)
    if stop == at or stop - at > 3:
        return None
    small = sentence.low[at]
    barred = lists.not_names | lists.nationalities | lists.languages | lists.diets
    if not barred.isdisjoint((small, *small.split("-"))) or small[0].isdigit():
        return None
    if stop - at == 1 and small in lists.jobs:
        return None
    return sentence.value(at, stop).removesuffix("'s"), stop


def lower_name(sentence: Sentence, at: int) -> Taken | None:
    """A single word that ends a message without capitals: "my name is ana"."""
    word = sentence.low[at]
    last = bool(sentence.end[at]) or at + 1 == len(sentence)
    if not (sentence.all_lower and last and word.isalpha()):
        return None
    return None if word in words().barred | words().not_names else (word, at + 1)


def place(sentence: Sentence, at: int) -> Taken | None:
    """A place, with what it lies in: "Lisbon", "downtown Chicago", "Lisbon, Portugal"."""
    lists = words()
    start = at
    while sentence.low[at] in lists.kinds_of_place | {"the"} and at + 1 < len(sentence):
        at += 1
    stop = capitals(sentence, at, WITHIN_NAMES, 5)
    if stop == at:
        return _lower_place(sentence, at)
    if sentence.low[at] in lists.not_places or sentence.low[stop - 1].endswith("'s"):
        return None
    while stop < len(sentence) and not sentence.end[stop - 1]:
        if sentence.low[stop] not in lists.kinds_of_place:
            break
        stop += 1
    stop = _wider_place(sentence, stop)
    start = at if sentence.low[start] == "the" and at == start + 1 else start
    return sentence.value(start, stop), stop


def place_reached(sentence: Sentence, at: int) -> Taken | None:
    """The second of two places: "from Lisbon to Porto"."""
    left = place(sentence, at)
    if left is None or sentence.low[left[1] : left[1] + 1] != ["to"]:
        return None
    return place(sentence, left[1] + 1) if left[1] + 1 < len(sentence) else None


def _wider_place(sentence: Sentence, stop: int) -> int:
    """Where a place ends with what it lies in: "Lisbon, Portugal"."""
    while stop < len(sentence) and sentence.end[stop - 1] == "," and sentence.is_capital(stop):
        further = capitals(sentence, stop, WITHIN_NAMES, 3)
        if sentence.low[stop] in words().not_places or not may_end(sentence, further):
            break
        listed = sentence.low[further : further + 1] in (["and"], ["is"])
        if listed and not sentence.end[further - 1]:
            break  # "Lisbon, Rome and Paris"
        stop = further
    return stop


def _lower_place(sentence: Sentence, at: int) -> Taken | None:
    """A place in a message that has no capital at all."""
    lists = words()
    stop = at
    while stop < len(sentence) and stop - at < 3 and sentence.low[stop] not in lists.follow:
        stop += 1
        if sentence.end[stop - 1]:
            break
    low = sentence.low[at:stop]
    if not sentence.all_lower or not 1 <= len(low) <= 2 or not all(map(str.isalpha, low)):
        return None
    return None if not lists.not_places.isdisjoint(low) else (sentence.value(at, stop), stop)


def organisation(sentence: Sentence, at: int) -> Taken | None:
    """A firm or another organisation, by its name."""
    if sentence.low[at] == "the":
        at += 1
    if at >= len(sentence) or sentence.low[at] in words().not_places:
        return None
    stop = capitals(sentence, at, _WITHIN_FIRMS, 6)
    if stop == at or stop - at > 5 or not words().not_firms.isdisjoint(sentence.low[at:stop]):
        return None
    return sentence.value(at, stop), stop


def firm(sentence: Sentence, at: int) -> Taken | None:
    """An organisation after "joined" or "left", of which a place or a person may be said too."""
    taken = organisation(sentence, at)
    if taken is None or taken[1] == len(sentence) or sentence.end[taken[1] - 1]:
        return taken
    for_another = sentence.low[taken[1]] == "for" and sentence.is_capital(taken[1] + 1)
    return taken if sentence.low[taken[1]] in _AFTER_FIRM or for_another else None
