"""Word lists for finding names, kept as data in the folder ``data``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from typing import Any

from mnemic.cognition.facts.words import words
from mnemic.model.graph import EntityKind

LANGUAGES = ("en", "de", "es", "fr", "it", "pt", "nl")

_Words = frozenset[str]


@dataclass(frozen=True, slots=True)
class Language:
    """The lists of one language. What each one holds is told in ``data/README.md``."""

    marks: _Words
    ordinary: _Words
    never: _Words
    titles: _Words
    said: _Words
    works: _Words
    employs: _Words
    noble: _Words
    nouns: _Words
    cues: Mapping[str, EntityKind]


@dataclass(frozen=True, slots=True)
class Names:
    """What holds for every language."""

    given: _Words
    known: Mapping[str, EntityKind]
    """Places and organisations, by their names."""
    numbered: _Words
    heads: Mapping[str, EntityKind]
    fronts: Mapping[str, EntityKind]
    particles: _Words
    roles: _Words


@cache
def names() -> Names:
    """The lists for every language, read once."""
    read = _read("names")
    known = dict.fromkeys(read["organizations"].split(", "), EntityKind.ORGANIZATION)
    known |= dict.fromkeys(read["places"].split(", "), EntityKind.PLACE)
    return Names(
        given=_set(read["given"]),
        known=known,
        numbered=_set(read["numbered"]),
        heads=_by_word(read["heads"]),
        fronts=_by_word(read["fronts"]),
        particles=_set(read["particles"]),
        roles=_set(read["roles"]),
    )


@cache
def peoples() -> frozenset[str]:
    """Adjectives of peoples, and languages, in English."""
    return words().nationalities | words().languages


@cache
def languages() -> Mapping[str, Language]:
    """The lists of each language, read once."""
    found = {name: _language(_read(name)) for name in LANGUAGES}
    english = found["en"]
    changed = {field.name: getattr(english, field.name) for field in fields(Language)}
    found["en"] = Language(**changed | {"never": english.never | peoples()})
    return found


@cache
def unknown() -> Language:
    """The lists for a text of which the language cannot be told: all of them."""
    every = languages().values()
    names_of = [field.name for field in fields(Language) if field.name not in ("cues", "nouns")]
    joined = {name: _Words().union(*(getattr(one, name) for one in every)) for name in names_of}
    return Language(**joined, nouns=frozenset(), cues=languages()["en"].cues)


def told(line: str) -> str:
    """The language of a text, by its small words; empty where they do not tell."""
    seen = set(line.lower().split())
    counts = [(len(language.marks & seen), name) for name, language in languages().items()]
    counts.sort()
    (second, _), (most, best) = counts[-2:]
    return best if most > second else ""


def _language(read: Mapping[str, Any]) -> Language:
    return Language(
        marks=_set(read["marks"]),
        ordinary=_set(read["ordinary"]) | _set(read["marks"]),
        never=_set(read["never"]),
        titles=_set(read["titles"]),
        said=_set(read["said"]),
        works=_set(read["works"]),
        employs=_set(read["employs"]),
        noble=_set(read["noble"]),
        nouns=_set(read.get("nouns", "")),
        cues=_by_word(read["cues"]),
    )


def _set(line: str) -> _Words:
    return frozenset(line.split())


def _by_word(lines: Mapping[str, str]) -> Mapping[str, EntityKind]:
    return {word: EntityKind(kind) for kind, line in lines.items() for word in line.split()}


def _read(name: str) -> dict[str, Any]:
    file = files("mnemic.cognition.entities") / "data" / f"{name}.json"
    read: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return read
