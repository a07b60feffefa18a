"""What is said of a thing: when it takes place, when it is due, what it costs."""

from __future__ import annotations

from mnemic.cognition.facts.attributes import Use, attribute, found_at, table
from mnemic.cognition.facts.say import Manner, Reading, say
from mnemic.cognition.facts.words import words
from mnemic.model.normal_form import normal_form

_MOST_NAME = 4
_DEADLINE = "deadline"


def thing(reading: Reading, owner: str | None, at: int) -> int | None:
    """Note what is said of the thing that is named at a place."""
    sentence, lists = reading.sentence, words()
    for verb in range(at + 1, min(at + _MOST_NAME + 4, len(sentence))):
        if sentence.end[verb - 1]:
            return None
        uses = list(found_at(table().things, sentence.low, verb + _adverbs(sentence.low, verb)))
        if not uses:
            continue
        name = sentence.low[at:verb]
        if not (lists.barred | lists.stops).isdisjoint(name):
            return None
        if len(name) == 1 and name[0] in lists.occasions:
            return None
        return _said(reading, owner, name, uses)
    return None


def appointment(reading: Reading, owner: str, at: int) -> int | None:
    """Note when that takes place which somebody has: "I have a class on Fridays"."""
    sentence, lists = reading.sentence, words()
    if sentence.low[at : at + 1] not in (["a"], ["an"], ["my"]):
        return None
    for place in range(at + 2, min(at + 2 + _MOST_NAME, len(sentence))):
        if sentence.end[place - 1]:
            return None
        uses = list(found_at(table().had, sentence.low, place))
        if uses:
            name = sentence.low[at + 1 : place]
            plain = (lists.barred | lists.stops).isdisjoint(name)
            return _said(reading, owner, name, uses) if plain else None
    return None


def _adverbs(low: list[str], at: int) -> int:
    """How many adverbs stand before a verb: "the choir now meets"."""
    count = 0
    while at + count < len(low) and low[at + count] in ("now", "usually", "always"):
        count += 1
    return count


def _said(
    reading: Reading, owner: str | None, name: list[str], uses: list[tuple[Use, int]]
) -> int | None:
    for use, after in uses:
        if reading.sentence.end[after - 1]:
            continue  # a heading: "total cost: $9"
        of, called = use.attribute, name
        bare = use.phrase in (("is",), ("are",))
        if bare and of.heads and of.heads.isdisjoint(name[-1:]):
            continue
        if of.name == "meets_on" and _DEADLINE in name:
            of, called = attribute(_DEADLINE), _without_deadline(name)
        if not 0 < len(called) <= _MOST_NAME:
            continue
        subject = normal_form(" ".join(called))
        subject = f"{owner}'s {subject}" if owner else subject
        at = after - (use.phrase[-1] == "every")  # "every other Friday" is the day
        while reading.sentence.low[at : at + 1] in (["now"], ["on"], ["at"]):
            at += 1
        manner = Manner(phrase=use.phrase)
        stop = say(reading, subject, of, at, manner)
        if stop is not None:
            return _day_and_hour(reading, subject, of.name, stop)
    return None


def _without_deadline(name: list[str]) -> list[str]:
    """What a deadline is for: "the report deadline", "the deadline for the report"."""
    if name[-1] == _DEADLINE:
        return name[:-1] or name
    if name[:2] == [_DEADLINE, "for"]:
        rest = name[2:]
        return rest[1:] if rest[:1] in (["the"], ["my"], ["our"]) else rest
    return []


def _day_and_hour(reading: Reading, subject: str, of: str, stop: int) -> int:
    """The hour that follows a day, and the day that follows an hour."""
    follows = {"meets_on": ("at", "meets_at"), "meets_at": ("on", "meets_on")}.get(of)
    if follows and reading.sentence.low[stop : stop + 1] == [follows[0]]:
        further = say(reading, subject, attribute(follows[1]), stop + 1, Manner())
        return stop if further is None else further
    return stop
