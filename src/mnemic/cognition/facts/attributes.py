"""The attributes that facts are found for, and the phrases that lead to their values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import cache
from itertools import pairwise
from typing import Any

from mnemic.cognition.facts.words import Phrase, data, words

FAVOURITE = "favourite_"
"""Begins the attribute of each thing that somebody has one favourite of."""


class Form(Enum):
    """The form of a verb, which tells whom it goes with and when it holds."""

    BASE = auto()
    THIRD = auto()
    PAST = auto()
    PARTICIPLE = auto()
    STATE = auto()
    """Stands after a form of "be"."""
    BEGAN = auto()
    """A past event from which the value holds."""
    ENDED = auto()
    """A past event from which the value no longer holds."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """What can be said of a subject.

    Args:
        name: its key.
        many: it holds several values at once.
        kinds: the readers of its value, tried in this order.
        opposite: the attribute whose denial this one is.
        heads: what the last word of a thing must be to have it by "is" alone.
        we: "we" says it of the speaker too.
    """

    name: str
    many: bool = False
    kinds: Phrase = ("thing",)
    opposite: str | None = None
    heads: frozenset[str] = frozenset()
    we: bool = False


@dataclass(frozen=True, slots=True)
class Use:
    """A phrase that leads to a value; `against` denies it, as "hate" denies liking."""

    phrase: Phrase
    attribute: Attribute
    form: Form
    against: bool = False


@dataclass(frozen=True, slots=True)
class Anchors:
    """Words without which no sentence holds a fact: what makes most sentences cheap to pass over.

    Args:
        alone: words one of which is enough.
        with_us: words that are enough beside one of `us`.
        us: "I" and what else takes the base form of a verb.
        pairs: the first two words of longer phrases.
    """

    alone: frozenset[str]
    with_us: frozenset[str]
    us: frozenset[str]
    pairs: frozenset[tuple[str, str]]

    def stand_in(self, low: list[str]) -> bool:
        """Whether words such as `anchor_words` gives may hold a fact."""
        if not self.alone.isdisjoint(low):
            return True
        if not self.with_us.isdisjoint(low) and not self.us.isdisjoint(low):
            return True
        return not self.pairs.isdisjoint(pairwise(low))


_ANCHOR = re.compile(r"[^\W\d_]+|\d")


def anchor_words(text: str) -> list[str]:
    """The words of a text in lower case, each digit being one."""
    return _ANCHOR.findall(text.lower())


@dataclass(frozen=True, slots=True)
class Table:
    """All phrases by their first word, the longest first.

    Args:
        verbs: what follows a person: "live in", "allergic to".
        nouns: what a person has one of: "phone number".
        things: what follows a thing: "takes place on".
        had: what follows a thing that somebody has: "a class on".
        direct: attributes whose value follows a form of "be" with nothing between.
        direct_words: the words that such values hold, other than numbers.
        anchors: the words without which no sentence holds a fact.
    """

    verbs: Mapping[str, tuple[Use, ...]]
    nouns: Mapping[str, tuple[Use, ...]]
    things: Mapping[str, tuple[Use, ...]]
    had: Mapping[str, tuple[Use, ...]]
    direct: tuple[Attribute, ...]
    direct_words: frozenset[str]
    anchors: Anchors


def attribute(name: str) -> Attribute:
    """The attribute of a name; one that there is no data for holds a single value."""
    return _attributes().get(name) or Attribute(name)


def found_at(
    uses: Mapping[str, tuple[Use, ...]], low: list[str], at: int
) -> Iterator[tuple[Use, int]]:
    """The phrases that stand at a place, the longest first, each with where it ends."""
    if at < len(low):
        for use in uses.get(low[at], ()):
            stop = at + len(use.phrase)
            if tuple(low[at:stop]) == use.phrase:
                yield use, stop


@cache
def _attributes() -> Mapping[str, Attribute]:
    return {
        name: Attribute(
            name=name,
            many=entry["many"],
            kinds=tuple(entry["kinds"].split()),
            opposite=entry.get("opposite"),
            heads=frozenset(entry.get("heads", "").split()),
            we=entry.get("we", False),
        )
        for name, entry in data()["attributes"].items()
    }


@cache
def table() -> Table:
    """The phrases of the data file, read once."""
    verbs: list[Use] = []
    nouns: list[Use] = []
    things: list[Use] = []
    had: list[Use] = []
    direct = []
    for name, entry in data()["attributes"].items():
        one = _attributes()[name]
        verbs += _verbs(one, entry)
        nouns += [Use(tuple(noun.split()), one, Form.STATE) for noun in entry.get("nouns", [])]
        things += [Use(tuple(verb.split()), one, Form.THIRD) for verb in entry.get("things", [])]
        had += [Use(tuple(verb.split()), one, Form.STATE) for verb in entry.get("had", [])]
        if "is" in entry:
            direct.append(replace(one, kinds=tuple(entry["is"].split())))
    lists = words()
    said = lists.nationalities | lists.jobs | lists.diets | lists.intolerances
    said |= {f"{word}-intolerant" for word in lists.intolerances}
    return Table(
        verbs=_by_first(verbs),
        nouns=_by_first(nouns),
        things=_by_first(things),
        had=_by_first(had),
        direct=tuple(direct),
        direct_words=said,
        anchors=_anchors(verbs + nouns, said),
    )


_OF_A_KIND = (
    ("reached", "place_reached", Form.BEGAN),
    ("joined", "firm", Form.BEGAN),
    ("left", "firm", Form.ENDED),
    ("sold", "sold", Form.ENDED),
)
"""Phrases whose value takes a reader of its own, since they say other things too."""


def _verbs(one: Attribute, entry: Mapping[str, Any]) -> Iterator[Use]:
    for key in ("verbs", "against"):
        for verb in entry.get(key, []):
            forms, _, rest = verb.partition(" ")
            base, third, past, *participle = forms.split("/")
            written = (base, third, past, *(participle or [past]))
            for word, form in zip(written, Form, strict=False):  # in the order of their names
                yield Use((word, *rest.split()), one, form, against=key == "against")
    for key, form in (("states", Form.STATE), ("began", Form.BEGAN), ("ended", Form.ENDED)):
        for phrase in entry.get(key, []):
            yield Use(tuple(phrase.split()), one, form)
    for key, kind, form in _OF_A_KIND:
        for phrase in entry.get(key, []):
            yield Use(tuple(phrase.split()), replace(one, kinds=(kind,)), form)


def _by_first(uses: list[Use]) -> Mapping[str, tuple[Use, ...]]:
    found: dict[str, list[Use]] = {}
    for use in uses:
        found.setdefault(use.phrase[0], []).append(use)
    return {
        word: tuple(sorted(several, key=lambda use: -len(use.phrase)))
        for word, several in found.items()
    }


def _anchors(uses: list[Use], said: frozenset[str]) -> Anchors:
    """The anchors of phrases and of the words that values with no phrase before them hold."""
    lists = words()
    alone = set("0123456789") | {"favourite", "hi", "hello", "hey", "noon", "midnight"}
    alone |= {word for word, same in lists.spellings.items() if same == "favourite"}
    with_us: set[str] = set()
    pairs: set[tuple[str, str]] = set()
    shortened: dict[Phrase, set[tuple[str, str]]] = {}
    for short, long in lists.contractions.items():
        shortened.setdefault(long, set()).update(pairwise(anchor_words(short)))
    phrases = [(word,) for word in (*lists.relations, *lists.days, *said)]
    for phrase, form in [(use.phrase, use.form) for use in uses] + [(p, None) for p in phrases]:
        split = anchor_words(" ".join(phrase))
        if len(split) > 1:
            pairs.add((split[0], split[1]))
            pairs |= shortened.get(phrase[:2], set())
        elif form is Form.BASE:
            with_us.add(split[0])
        else:
            alone.add(split[0])
    us = frozenset({"i", "we"}) | lists.parents | {"doesn", "does", "used"}
    return Anchors(frozenset(alone), frozenset(with_us), us, frozenset(pairs))
