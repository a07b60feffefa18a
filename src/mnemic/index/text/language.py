"""Word lists of languages, kept as data: one file a language in the folder ``data``."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from mnemic.index.text.dates import DateWords, read_date_words

_KEYS = frozenset(
    {
        "stop",
        "frame",
        "irregular",
        "about_you",
        "first_person",
        "numbers",
        "asks_number",
        "standing",
        "dates",
    }
)


@dataclass(frozen=True, slots=True)
class Language:
    """The word lists of all languages together.

    Args:
        stop: words that carry no meaning of their own in a question.
        frame: words that frame a question rather than say what it is about.
        irregular: forms that a stemmer does not bring to their base.
        about_you: finds a question about the assistant's own words; None finds nothing.
        first_person: words with which people speak of themselves.
        numbers: words that are numbers.
        asks_number: finds a question whose answer is a number; None finds nothing.
        standing: finds a wish or a rule that holds from then on; None finds nothing.
        dates: the words that name days, of each language.
    """

    stop: frozenset[str]
    frame: frozenset[str]
    irregular: Mapping[str, str]
    about_you: re.Pattern[str] | None
    first_person: frozenset[str]
    numbers: frozenset[str]
    asks_number: re.Pattern[str] | None
    standing: re.Pattern[str] | None
    dates: tuple[DateWords, ...]


@cache
def language() -> Language:
    """All languages there are data for. A language without data needs none."""
    return read_languages(files("mnemic.index.text") / "data")


def read_languages(folder: Traversable) -> Language:
    """The word lists of all ``*.json`` files of a folder, together; every key may be left out.

    Raises:
        ValueError: a file has a key that nothing reads, or an irregular form without its base.
    """
    words: dict[str, set[str]] = {
        key: set() for key in ("stop", "frame", "first_person", "numbers")
    }
    irregular: dict[str, str] = {}
    patterns: dict[str, list[str]] = {
        "about_you": [],
        "asks_number": [],
        "standing": [],
    }
    dates: list[DateWords] = []
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if not file.name.endswith(".json"):
            continue
        data = json.loads(file.read_text("utf-8"))
        if unknown := data.keys() - _KEYS:
            raise ValueError(f"{file.name}: unknown keys {sorted(unknown)}; use {sorted(_KEYS)}")
        for key, several in words.items():
            several.update(data.get(key, "").split())
        irregular |= _pairs(file.name, data.get("irregular", ""))
        for key, found in patterns.items():
            found += data.get(key, [])
        if "dates" in data:
            dates.append(_date_words(file.name, data["dates"]))
    return Language(
        stop=frozenset(words["stop"]),
        frame=frozenset(words["frame"]),
        irregular=irregular,
        about_you=_any_of(patterns["about_you"]),
        first_person=frozenset(words["first_person"]),
        numbers=frozenset(words["numbers"]),
        asks_number=_any_of(patterns["asks_number"]),
        standing=_any_of(patterns["standing"]),
        dates=tuple(dates),
    )


def _date_words(name: str, data: Mapping[str, Any]) -> DateWords:
    try:
        return read_date_words(data)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error


def _pairs(name: str, text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for pair in text.split():
        form, colon, base = pair.partition(":")
        if not (form and colon and base):
            raise ValueError(f"{name}: irregular {pair!r} must be 'form:base'")
        found[form] = base
    return found


def _any_of(patterns: list[str]) -> re.Pattern[str] | None:
    return re.compile("|".join(f"(?:{one})" for one in patterns), re.I) if patterns else None
