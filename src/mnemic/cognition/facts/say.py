"""Facts out of a value and what stands around it: denied, ended, corrected, in part, in time."""

from __future__ import annotations

from dataclasses import dataclass, field

from mnemic.cognition.facts.attributes import Attribute
from mnemic.cognition.facts.bounds import NO_BOUNDS, Bounds, find_bounds
from mnemic.cognition.facts.sentences import Sentence
from mnemic.cognition.facts.spans import PREPOSITIONS, Taken, may_end
from mnemic.cognition.facts.values import take
from mnemic.cognition.facts.words import words
from mnemic.model.fact import Fact, Shape

_ENDING = frozenset({"anymore", "more", "longer"})
_PARTLY = frozenset({"only", "except", "excluding", "apart", "when", "whenever", "sometimes"})
_IN_PART_BY = frozenset("at on in when during for with before after".split())
_LASTING = frozenset({"since", "for", "lately", "recently"})
_CONDITIONS = frozenset({"if", "unless"})
_TAIL_GOES_ON = frozenset("except but only apart since until from till excluding not".split())
_MOST_TOGETHER = 6
_OPEN_KINDS = frozenset({"thing", "preference", "food", "allergen"})
"""Kinds that take a phrase of any words."""


@dataclass(slots=True)
class Reading:
    """A clause being read, and the facts found in its sentence so far.

    Args:
        sentence: its words.
        speaker: who "I" is.
        head: where that begins which stands before the clause and belongs to it.
        start: where the clause begins.
        corrects: it began with words of correction.
        ends: it began with words that take back what follows.
    """

    sentence: Sentence
    speaker: str
    head: int = 0
    start: int = 0
    corrects: bool = False
    ends: bool = False
    facts: list[Fact] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Manner:
    """How a clause says a value.

    Args:
        denied: "not" stands before it.
        against: the verb itself denies it, as "hate" does.
        ended: it is no longer so.
        only: "only" stands before the verb.
        plain_date: what a plain date stands for, as `find_bounds` takes it.
        past: it is told of the past, and holds only with a date that ends it.
        lasting: it holds only when the sentence says for how long: "I have lived in".
        phrase: the words before the value.
    """

    denied: bool = False
    against: bool = False
    ended: bool = False
    only: bool = False
    plain_date: str = "none"
    past: bool = False
    lasting: bool = False
    phrase: tuple[str, ...] = ()

    @property
    def negated(self) -> bool:
        """Whether all in all it is denied: not to hate is no denial."""
        return self.denied != self.against


def say(reading: Reading, subject: str, of: Attribute, at: int, manner: Manner) -> int | None:
    """Note the facts of the value at a place; gives where they end, or None where there is none."""
    sentence = reading.sentence
    taken = take_any(of, sentence, at)
    if taken is None:
        return None
    together = _together(of, sentence, taken)
    if together is None:
        return None
    values, stop = together
    tail = sentence.low[stop : tail_end(sentence, stop)]
    lists = words()
    unsure = _CONDITIONS | lists.futures | lists.fictions
    if not unsure.isdisjoint(tail) or tail[:2] == ["at", "heart"]:
        return None
    bounds = _bounds(reading, stop, manner)
    if (manner.past and bounds.until is None) or (manner.lasting and not _lasts(tail, bounds)):
        return None
    shape = _shape(reading, manner, tail, bounds)
    negated = manner.negated
    if shape is Shape.RETRACTION and _says_ended(tail) and not manner.ended:
        negated = manner.against  # "I don't live there any more" ends what was said plainly
    facts = [
        Fact(subject, of.name, value, of.many, negated, shape, bounds.since, bounds.until)
        for value in values
    ]
    return _contrasted(reading, facts, of, stop, manner)


def take_any(of: Attribute, sentence: Sentence, at: int) -> Taken | None:
    """The value at a place by the first of an attribute's kinds that reads one."""
    for kind in of.kinds:
        taken = take(kind, sentence, at)
        if taken is not None:
            return taken
    return None


def _together(of: Attribute, sentence: Sentence, taken: Taken) -> tuple[list[str], int] | None:
    """The values that are named together: "English, French and Dutch".

    None where a comma parts two words that describe one thing: "clear, simple rules".
    """
    value, stop = taken
    values = [value]
    if not of.many or stop >= len(sentence):
        return values, stop
    if _described_further(of, sentence, stop):
        return None
    while not _is_closed(value) and stop < len(sentence) and len(values) < _MOST_TOGETHER:
        joined = sentence.low[stop] in ("and", "or")
        if not joined and not (sentence.end[stop - 1] == "," and _list_goes_on(sentence, stop)):
            break
        at = stop + joined + (not joined and sentence.low[stop] in ("and", "or"))
        further = take_any(of, sentence, at) if at < len(sentence) else None
        if further is None:
            break
        if joined and len(values) == 1 and _shares_noun(value, further[0]):
            return [f"{value} {sentence.low[stop]} {further[0]}"], further[1]
        values.append(further[0])
        stop = further[1]
    return values, stop


def _described_further(of: Attribute, sentence: Sentence, stop: int) -> bool:
    if sentence.end[stop - 1] != "," or _OPEN_KINDS.isdisjoint(of.kinds):
        return False
    lists, word = words(), sentence.low[stop]
    begins = word in lists.stops or word in lists.follow or word in lists.barred
    return not (begins or word in ("the", "a", "an", "especially") or _list_goes_on(sentence, stop))


def _is_closed(value: str) -> bool:
    """Whether a value is a phrase of its own: "books about stars and planets" is one thing."""
    parts = value.lower().split()
    return len(parts) > 1 and (parts[0].endswith("ing") or not PREPOSITIONS.isdisjoint(parts))


def _shares_noun(first: str, second: str) -> bool:
    """Whether two values may share the noun of the second: "indie and folk music"."""
    return " " not in first and " " in second and not first[:1].isupper()


def _list_goes_on(sentence: Sentence, stop: int) -> bool:
    """Whether what follows a comma is part of a list, which ends with "and"."""
    low, end = sentence.low, sentence.end
    for place in range(stop, min(len(low), stop + 8)):
        if low[place] in ("and", "or"):
            return True
        if end[place] and end[place] != ",":
            return False
    return False


def tail_end(sentence: Sentence, stop: int) -> int:
    """Where that ends which is said of a value after it."""
    low, end = sentence.low, sentence.end
    if stop < len(low) and end[stop - 1] and not (
        end[stop - 1] == "," and low[stop] in _TAIL_GOES_ON
    ):  # fmt: skip
        return stop
    place = stop
    while place < len(low):
        if low[place] in ("and", "because", "so", "although", "though"):
            return place
        if low[place] == "but" and low[place + 1 : place + 2] not in (["only"], ["not"]):
            return place
        place += 1
        if end[place - 1]:
            return place
    return place


def _bounds(reading: Reading, stop: int, manner: Manner) -> Bounds:
    """The bounds named after the value, or else before the clause: "since 2019, I ..."."""
    sentence = reading.sentence
    bounds = find_bounds(
        sentence.text(stop, tail_end(sentence, stop)).removesuffix("."), at=manner.plain_date
    )
    if bounds == NO_BOUNDS and reading.start > reading.head:
        before = sentence.text(reading.head, reading.start)
        bounds = find_bounds(before, at=manner.plain_date)
    return bounds


def _lasts(tail: list[str], bounds: Bounds) -> bool:
    return bounds.since is not None or not _LASTING.isdisjoint(tail)


def _says_ended(tail: list[str]) -> bool:
    return bool(tail) and (
        tail[0] == "anymore" or (tail[0] == "any" and not _ENDING.isdisjoint(tail[1:2]))
    )


def _shape(reading: Reading, manner: Manner, tail: list[str], bounds: Bounds) -> Shape:
    if manner.ended or reading.ends or (manner.denied and _says_ended(tail)):
        return Shape.RETRACTION
    if reading.corrects:
        return Shape.CORRECTION
    in_part = not _PARTLY.isdisjoint(tail) or ("but" in tail and "not" in tail)
    if in_part or (manner.only and not _IN_PART_BY.isdisjoint(tail)):
        return Shape.PARTIAL
    return Shape.BOUNDED if bounds != NO_BOUNDS else Shape.ASSERTION


def _contrasted(
    reading: Reading, facts: list[Fact], of: Attribute, stop: int, manner: Manner
) -> int:
    """Note facts, and the value that they are told against: "Porto, not Lisbon"."""
    other = _other(reading.sentence, of, stop, manner)
    if other is not None:
        value, stop = other
        first = facts[0]
        facts = [_corrected(fact) for fact in facts]
        facts.append(
            Fact(first.subject, of.name, value, of.many, not first.negated, Shape.CORRECTION)
        )
    elif not manner.denied and _denied_before(reading, facts[0]):
        facts = [_corrected(fact) for fact in facts]
    reading.facts += facts
    return stop


def _corrected(fact: Fact) -> Fact:
    return Fact(
        fact.subject, fact.attribute, fact.value, fact.many, fact.negated, Shape.CORRECTION,
        fact.since, fact.until,
    )  # fmt: skip


def _denied_before(reading: Reading, fact: Fact) -> bool:
    return any(
        (one.subject, one.attribute, one.negated) == (fact.subject, fact.attribute, True)
        for one in reading.facts
    )


def _other(sentence: Sentence, of: Attribute, stop: int, manner: Manner) -> Taken | None:
    """The value on the other side of a contrast that begins at a place."""
    low = sentence.low
    if manner.ended or stop >= len(low):
        return None
    if manner.denied:
        at = _after(low, stop, ("but",), ("it", "is"))
    else:
        at = _after(low, stop, ("not",), ("and", "not"), ("instead", "of"), ("rather", "than"))
    if at is None:
        return None
    if manner.phrase and low[at : at + 1] == [manner.phrase[-1]]:
        at += 1
    taken = take_any(of, sentence, at) if at < len(low) else None
    return taken if taken and may_end(sentence, taken[1]) else None


def _after(low: list[str], at: int, *phrases: tuple[str, ...]) -> int | None:
    for phrase in phrases:
        if tuple(low[at : at + len(phrase)]) == phrase:
            return at + len(phrase)
    return None
