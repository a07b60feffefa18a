"""What is said of what somebody has: "my phone is", "Ana's sister Eva lives in", "I have a"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mnemic.cognition.facts.attributes import FAVOURITE, Attribute, attribute, found_at, table
from mnemic.cognition.facts.names import WITHIN_NAMES
from mnemic.cognition.facts.predicates import Helpers, Subject, predicate
from mnemic.cognition.facts.say import Manner, Reading, say
from mnemic.cognition.facts.sentences import Sentence
from mnemic.cognition.facts.spans import ARTICLES, capitals, may_end
from mnemic.cognition.facts.values import take
from mnemic.cognition.facts.words import words
from mnemic.model.fact import Fact, Shape
from mnemic.model.normal_form import normal_form

_MOST_THING = 40
"""Characters of what somebody has a favourite of."""
_NAMED = ("named", "called")


@dataclass(frozen=True, slots=True)
class Relation:
    """A word for a person or a pet: the word that stands for it, and where it ends."""

    word: str
    attribute: Attribute
    stop: int
    owns: bool
    """It is written with 's."""


def owned(reading: Reading, owner: str, at: int) -> int | None:
    """Note what is said of something of an owner's, which is named at a place."""
    for read in (_favourite, _noun, _relative):
        stop = read(reading, owner, at)
        if stop is not None:
            return stop
    return None


def relation_at(sentence: Sentence, at: int) -> Relation | None:
    """The relation named at a place, after words that describe it."""
    lists = words()
    low = sentence.low
    while at < len(low) and low[at] in lists.described and not sentence.end[at]:
        at += 1
    if at >= len(low) or sentence.is_capital(at):
        return None  # "Our Father" is a prayer
    word = low[at].removesuffix("'s")
    known = lists.relations.get(word)
    if known is None:
        return None
    return Relation(known[0], attribute(known[1]), at + 1, word != low[at])


def appositives(reading: Reading) -> None:
    """Note the names that stand beside a relation anywhere in a sentence: "my sister Eva"."""
    sentence = reading.sentence
    for at in range(len(sentence) - 2):
        if sentence.low[at] in words().guards:
            return
        if sentence.low[at] not in ("my", "our"):
            continue
        relation = relation_at(sentence, at + 1)
        found = relation and not relation.owns and name_beside(sentence, relation.stop)
        if relation and found:
            _note(reading, reading.speaker, relation.attribute, found[0])


def name_beside(sentence: Sentence, at: int) -> tuple[str, int] | None:
    """A name right after a relation: "my sister Eva", "my sister, Eva, ..."."""
    between = sentence.end[at - 1]
    if at >= len(sentence) or between not in ("", ","):
        return None
    stop = capitals(sentence, at, WITHIN_NAMES, 4)
    while stop > at + 1 and sentence.low[stop - 1] in words().not_names:
        stop -= 1
    first = sentence.low[at].removesuffix("'s")
    if stop == at or any(first in barred for barred in _no_names()):
        return None
    last = sentence.core[stop - 1]
    enclosed = stop == len(sentence) or sentence.end[stop - 1]
    if between == "," and (not enclosed or last.endswith("'s")):
        return None
    name = sentence.value(at, stop).removesuffix("'s")
    return (name, stop) if re.fullmatch(r"[^\W\d_](?:[^\W\d_]|[ '.-])*", name) else None


def _no_names() -> tuple[frozenset[str], ...]:
    lists = words()
    return (
        lists.not_names,
        lists.nationalities,
        lists.barred,
        lists.stops,
        lists.adverbs,
        ARTICLES,
    )


def _note(reading: Reading, subject: str, of: Attribute, value: str) -> None:
    fact = Fact(subject, of.name, value, of.many)
    if all((one.attribute, one.value) != (of.name, value) for one in reading.facts):
        reading.facts.append(fact)


def _copula(sentence: Sentence, at: int) -> tuple[int, bool] | None:
    """After "is", "is not", "is now on": where the value begins, and whether it is denied."""
    low = sentence.low
    if low[at : at + 1] not in (["is"], ["are"]) or sentence.end[at - 1]:
        return None
    at += 1
    negated = False
    while at < len(low) and (low[at] == "not" or low[at] in words().adverbs):
        negated = negated or low[at] == "not"
        at += 1
    if at < len(low) and low[at] in ("on", "at"):
        at += 1
    return (at, negated) if at < len(low) and not sentence.end[at - 1] else None


def _favourite(reading: Reading, owner: str, at: int) -> int | None:
    sentence, lists = reading.sentence, words()
    if not is_favourite(sentence, at):
        return None
    thing_end = at + 1
    while thing_end < len(sentence) and sentence.low[thing_end] not in ("is", "are"):
        thing_end += 1
    of = favourite_of(sentence, at + 1, thing_end)
    copula = _copula(sentence, thing_end) if of else None
    if of is None or copula is None or sentence.low[at + 1] in lists.not_favourites:
        return None
    return say(reading, owner, of, copula[0], Manner(denied=copula[1]))


def is_favourite(sentence: Sentence, at: int) -> bool:
    """Whether the word at a place is "favourite", however it is spelled."""
    word = sentence.low[at] if at < len(sentence) else ""
    return words().spellings.get(word, word) == "favourite"


def favourite_of(sentence: Sentence, start: int, stop: int) -> Attribute | None:
    """The attribute of a favourite thing of one or two words: "favourite_ice_cream"."""
    low = sentence.low[start:stop]
    lists = words()
    if not 0 < len(low) <= 2 or any(sentence.end[start : stop - 1]):
        return None
    if not lists.not_favourites.isdisjoint(low) or not lists.barred.isdisjoint(low):
        return None
    name = "_".join(lists.spellings.get(word, word) for word in low).replace("-", "_")
    if len(name) > _MOST_THING or not (name.isascii() and name.replace("_", "").isalnum()):
        return None
    return Attribute(FAVOURITE + name, kinds=("favourite",))


def _noun(reading: Reading, owner: str, at: int) -> int | None:
    sentence = reading.sentence
    while at < len(sentence) and sentence.low[at] in ("new", "current"):
        at += 1
    for use, after in found_at(table().nouns, sentence.low, at):
        copula = _copula(sentence, after)
        if copula is None:
            continue
        manner = Manner(denied=copula[1])
        stop = say(reading, owner, use.attribute, copula[0], manner)
        if stop is not None:
            return stop
    return None


def _relative(reading: Reading, owner: str, at: int) -> int | None:
    """What is said of somebody's sister, boss or dog."""
    sentence, lists = reading.sentence, words()
    plural = _plural(sentence, at)
    if plural is not None:
        return predicate(reading, Subject(f"{owner}'s {plural[0]}", True), plural[1], Helpers())
    relation = relation_at(sentence, at)
    if relation is None:
        return None
    named = None if relation.owns else name_beside(sentence, relation.stop)
    if named is not None:
        subject = normal_form(named[0])
        if sentence.low[named[1] - 1].endswith("'s"):
            return owned(reading, subject, named[1])
        return predicate(reading, Subject(subject, False), named[1], Helpers())
    if (stop := _is_named(reading, owner, relation)) is not None:
        return stop
    if relation.word in lists.several:
        return None  # nobody can tell which friend
    subject = f"{owner}'s {relation.word}"
    if relation.owns and (stop := owned(reading, subject, relation.stop)) is not None:
        return stop
    helpers = Helpers(be=relation.owns, short=relation.owns)
    return predicate(reading, Subject(subject, False), relation.stop, helpers)


def _plural(sentence: Sentence, at: int) -> tuple[str, int] | None:
    low = sentence.low[at : at + 1]
    return (low[0], at + 1) if low and low[0] in words().parents else None


def _is_named(reading: Reading, owner: str, relation: Relation) -> int | None:
    """Note "my dog's name is Rex", "my dog is called Rex", "my boss is Greg"."""
    sentence, at = reading.sentence, relation.stop
    if relation.owns:
        if sentence.low[at : at + 1] != ["name"]:
            return None
        at += 1
    copula = _copula(sentence, at)
    if copula is None:
        return None
    named = sentence.low[copula[0]] in _NAMED
    if not named and not relation.owns and relation.attribute.name == "pet":
        return None  # "my cat is Siamese"
    at = copula[0] + named
    taken = take("name", sentence, at)
    if taken is None:
        return None
    shape = Shape.CORRECTION if reading.corrects else Shape.ASSERTION
    of = relation.attribute
    reading.facts.append(Fact(owner, of.name, taken[0], of.many, copula[1], shape))
    return taken[1]


def having(reading: Reading, owner: str, at: int) -> int | None:
    """Note a relation that somebody has, by its name: "a sister named Eva"."""
    sentence = reading.sentence
    if sentence.low[at : at + 1] not in (["a"], ["an"], ["one"]):
        return None
    for place in range(at + 1, min(at + 4, len(sentence))):
        relation = relation_at(sentence, place)
        if relation is None:
            continue
        if relation.owns or sentence.low[relation.stop : relation.stop + 1] == []:
            return None
        if sentence.low[relation.stop] not in _NAMED:
            return None
        taken = take("name", sentence, relation.stop + 1)
        if taken is None or not may_end(sentence, taken[1]):
            return None
        _note(reading, owner, relation.attribute, taken[0])
        return taken[1]
    return None
