"""The words in which times are told, kept as data of each language in the folder ``data``.

A pattern is a regular expression in which `<name>` stands for one of the words of a list; what it
found is the group of that name. ``data/README.md`` tells which lists and patterns there are.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

LANGUAGES = ("en", "de", "es", "fr", "it", "pt", "nl")

_LISTS = {
    "count": "counts",
    "ordinal": "ordinals",
    "month": "months",
    "weekday": "weekdays",
    "shortday": "shortdays",
    "plural": "plurals",
    "unit": "units",
    "part": "parts",
    "dayname": "daynames",
    "feast": "feasts",
    "clockword": "clockwords",
    "hour": "hours",
    "minute": "minutes",
    "adverb": "adverbs",
    "zone": "zones",
}
"""What stands for a word of a list in a pattern, and the list."""

_DIGITS = {
    "count": r"\d{1,4}(?:[.,]5)?",
    "hour": r"(?:2[0-4]|1\d|0?\d)",
    "day": r"(?:3[01]|[12]\d|0?[1-9])(?!\d)",
    "monthnumber": r"(?:1[0-2]|0?[1-9])",
    "year": r"(?:19|20|21)\d\d",
    "mm": r"[0-5]\d",
}
"""What stands for a number in digits."""

_SERIES = {"weekdays": "weekday", "plurals": "plural"}
"""What stands for one or several words of a list: "Monday, Tuesday and Friday"."""

_WORDS = ("and", "end", "joints", "until", "suffix")
_OTHER = ("dial", "month_first")
KEYS = frozenset({*_LISTS.values(), *_WORDS, *_OTHER, "patterns", "weak"})

_CLOSING = r"""\n|[.,:](?!\d)|[;!?)\]"…–—]|-\s"""
_PLACE = re.compile(r"(?<!\?P)<([a-z]+)>")
_ANY = "any"


@dataclass(frozen=True, slots=True)
class Pattern:
    """One way to tell a time.

    Args:
        kind: what reads it: the name of its list in the file.
        weak: whether it tells a time only beside another.
        finds: what finds it.
    """

    kind: str
    weak: bool
    finds: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Language:
    """The words of one language.

    Args:
        code: its code, "en".
        lists: the lists of words: to each what it means.
        patterns: all of them.
        joints: what may stand between two parts of one time.
        until: what stands before the day on which something that comes again ends.
        dial: the hours that, told without a half of the day, are those of the afternoon.
        month_first: names of zones where 3/4 is the fourth of March.
    """

    code: str
    lists: Mapping[str, Mapping[str, Any]]
    patterns: tuple[Pattern, ...]
    joints: re.Pattern[str]
    until: re.Pattern[str]
    dial: frozenset[int]
    month_first: frozenset[str]

    def means(self, name: str, word: str) -> Any:
        """What a word means that stands for `<name>`; a number in digits means itself."""
        found = self.lists[_LISTS[name]].get(" ".join(word.split()))
        return float(word.replace(",", ".")) if found is None else found

    def all_of(self, name: str, text: str) -> list[Any]:
        """What the words of a list mean that stand in a text, in their order."""
        words = _either(self.lists[_LISTS[name]])
        return [self.means(name, word) for word in re.findall(rf"(?<!\w){words}(?!\w)", text)]


@cache
def languages() -> tuple[Language, ...]:
    """All languages, English first."""
    folder = files("mnemic.cognition.prospect") / "data"
    common = json.loads((folder / f"{_ANY}.json").read_text("utf-8"))
    return tuple(
        read_language(code, json.loads((folder / f"{code}.json").read_text("utf-8")), common)
        for code in LANGUAGES
    )


def read_language(code: str, data: Mapping[str, Any], common: Mapping[str, Any]) -> Language:
    """The value of a file, with the patterns that hold in all languages.

    Raises:
        ValueError: it has a key that nothing reads.
    """
    if unknown := (data.keys() | common.keys()) - KEYS:
        raise ValueError(f"unknown keys {sorted(unknown)}; use {sorted(KEYS)}")
    lists = {
        name: {
            fold(word): value
            for each in (common, data)
            for word, value in each.get(name, {}).items()
        }
        for name in _LISTS.values()
    }
    words = {name: fold(data[name]) for name in _WORDS}
    patterns = tuple(
        Pattern(kind, place == "weak", _compiled(pattern, lists, words))
        for place in ("patterns", "weak")
        for each in (common, data)
        for kind, several in each.get(place, {}).items()
        for pattern in several
    )
    return Language(
        code,
        lists,
        patterns,
        re.compile(rf"(?:[\s,]|(?<!\w)(?:{words['joints']})(?!\w))*"),
        re.compile(rf"(?<!\w)(?:{words['until']})\s+\Z"),
        frozenset(data["dial"]),
        frozenset(data.get("month_first", "").split()),
    )


def _compiled(
    pattern: str, lists: Mapping[str, Mapping[str, Any]], words: Mapping[str, str]
) -> re.Pattern[str]:
    seen: dict[str, int] = {}

    def place(found: re.Match[str]) -> str:
        name = found[1]
        if name == "end":
            return rf"(?=\s*(?:\Z|{_CLOSING})|\s+(?:{words['end']})(?!\w))"
        if name in _SERIES:
            one = _either(lists[_LISTS[_SERIES[name]]])
            return _series(name, one, words["and"])
        if name == "days":
            one = rf"(?:{_DIGITS['day']}{words['suffix']}|{_either(lists['ordinals'])})"
            return _series(name, one, words["and"])
        seen[name] = seen.get(name, 0) + 1
        group = name if seen[name] == 1 else f"{name}{seen[name]}"
        return f"(?P<{group}>{_one(name, lists)})"

    spaced = bare(pattern).replace(" ?", r"\s*").replace(" ", r"\s+")
    return re.compile(rf"(?<!\w)(?:{_PLACE.sub(place, spaced)})(?![\w'])")


def _series(name: str, one: str, joining: str) -> str:
    """One or several words: "Monday, Tuesday and Friday"."""
    joint = rf"(?:\s*,\s*(?:(?:{joining})\s+)?|\s+(?:{joining})\s+)"
    return rf"(?P<{name}>{one}(?:{joint}{one})*)"


def _one(name: str, lists: Mapping[str, Mapping[str, Any]]) -> str:
    digits = _DIGITS.get(name)
    if name not in _LISTS:
        if digits is None:
            raise ValueError(f"<{name}> stands for no list of words")
        return digits
    words = _either(lists[_LISTS[name]])
    return words if digits is None else rf"{digits}(?!\d)|{words}"


def _either(words: Iterable[str]) -> str:
    """One of the words, the longest first: "a couple of" before "a"."""
    several = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    return "(?:" + (several.replace(r"\ ", r"\s+") or r"(?!)") + ")"


@dataclass(frozen=True, slots=True)
class Folded:
    """A text in small letters without accents, and where each letter stood.

    Args:
        text: the letters.
        places: to each letter its place in the original.
    """

    text: str
    places: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The place in the original of a stretch that is not empty."""
        return self.places[start], self.places[end - 1] + 1


def folded(text: str) -> Folded:
    """A text as the patterns read it."""
    parts = [(part, place) for place, letter in enumerate(text) for part in fold(letter)]
    return Folded("".join(part for part, _ in parts), tuple(place for _, place in parts))


@lru_cache(4096)
def fold(text: str) -> str:
    """Small letters without accents."""
    return bare(text).lower()


def bare(text: str) -> str:
    """Letters without accents; marks and spaces that look like the plain ones are those."""
    apart = unicodedata.normalize("NFD", text.replace("’", "'").replace("\u00a0", " "))
    return "".join(letter for letter in apart if not unicodedata.combining(letter))
