"""Word lists for reading facts, kept as data in the folder ``data``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from typing import Any

Phrase = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Phrases:
    """Phrases to look for among words, by their longest word and its place in them."""

    by_longest: Mapping[str, tuple[tuple[int, Phrase], ...]]

    @classmethod
    def of(cls, phrases: Iterable[Phrase]) -> Phrases:
        """The phrases, ready to be looked for."""
        found: dict[str, tuple[tuple[int, Phrase], ...]] = {}
        for phrase in phrases:
            longest = max(phrase, key=len)
            found[longest] = (*found.get(longest, ()), (phrase.index(longest), phrase))
        return cls(found)

    def stand_in(self, low: list[str]) -> bool:
        """Whether one of the phrases stands in a line of words."""
        if self.by_longest.keys().isdisjoint(low):
            return False
        return any(
            tuple(low[max(0, at - place) : at - place + len(phrase)]) == phrase
            for at, word in enumerate(low)
            if word in self.by_longest
            for place, phrase in self.by_longest[word]
        )


@dataclass(frozen=True, slots=True)
class Words:
    """The lists. What each one holds is told in ``data/README.md``."""

    several: frozenset[str]
    parents: frozenset[str]
    described: frozenset[str]
    adverbs: frozenset[str]
    guards: frozenset[str]
    hedges: frozenset[str]
    futures: frozenset[str]
    questions: frozenset[str]
    follow: frozenset[str]
    stops: frozenset[str]
    barred: frozenset[str]
    generic: frozenset[str]
    not_names: frozenset[str]
    not_subjects: frozenset[str]
    occasions: frozenset[str]
    diets: frozenset[str]
    intolerances: frozenset[str]
    languages: frozenset[str]
    nationalities: frozenset[str]
    jobs: frozenset[str]
    not_jobs: frozenset[str]
    not_allergens: frozenset[str]
    not_favourites: frozenset[str]
    kinds_of_place: frozenset[str]
    not_places: frozenset[str]
    fields: frozenset[str]
    not_fields: frozenset[str]
    labels: frozenset[str]
    fictions: frozenset[str]
    hedged_on: frozenset[str]
    not_firms: frozenset[str]
    not_things: frozenset[str]
    not_games: frozenset[str]
    not_foods: frozenset[str]
    not_studies: frozenset[str]
    contractions: Mapping[str, Phrase]
    days: Mapping[str, str]
    months: Mapping[str, str]
    numbers: Mapping[str, str]
    currencies: Mapping[str, str]
    spellings: Mapping[str, str]
    joined: Mapping[str, str]
    units: Mapping[str, str]
    openers: frozenset[Phrase]
    corrections: frozenset[Phrase]
    forgets: frozenset[Phrase]
    hedge_phrases: Phrases
    frames: Phrases
    relations: Mapping[str, tuple[str, str]]
    """The word for a person or a pet, with the word that stands for it and its attribute."""


@cache
def data() -> Mapping[str, Any]:
    """The data file, as it is."""
    file = files("mnemic.cognition.facts") / "data" / "en.json"
    read: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return read


@cache
def words() -> Words:
    """The word lists, read once."""
    return read_words(data())


def read_words(read: Mapping[str, Any]) -> Words:
    """The word lists of a data file.

    Raises:
        ValueError: a list is missing, or there is one that nothing reads.
    """
    values: dict[str, Any] = {name: frozenset(line.split()) for name, line in read["sets"].items()}
    for name, pairs in read["maps"].items():
        values[name] = dict(_pairs(pairs))
    values["contractions"] = {
        short: tuple(long.split()) for short, long in values["contractions"].items()
    }
    for name, line in read["phrases"].items():
        values[name] = tuple(line.split(", "))
    for name in read["phrases"]:
        values[name] = frozenset(tuple(phrase.split()) for phrase in values[name])
    for name in ("hedge_phrases", "frames"):
        values[name] = Phrases.of(values[name])
    values["relations"] = {
        word: (same, attribute)
        for attribute, line in read["relations"].items()
        for word, same in _pairs(line)
    }
    wanted = {field.name for field in fields(Words)}
    if wrong := wanted ^ values.keys():
        raise ValueError(f"lists that are missing or that nothing reads: {sorted(wrong)}")
    return Words(**values)


def _pairs(pairs: str | Mapping[str, str]) -> list[tuple[str, str]]:
    """``a:b c`` as pairs; a word without a partner stands for itself."""
    if isinstance(pairs, str):
        split = [pair.partition(":") for pair in pairs.split()]
        return [(word, same or word) for word, _, same in split]
    return list(pairs.items())
