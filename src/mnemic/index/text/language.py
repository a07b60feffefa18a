"""Word lists of languages, kept as data: one file a language in the folder ``data``."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

_KEYS = frozenset({"stop", "frame", "irregular", "about_you"})


@dataclass(frozen=True, slots=True)
class Language:
    """The word lists of all languages together.

    Args:
        stop: words that carry no meaning of their own in a question.
        frame: words that frame a question rather than say what it is about.
        irregular: forms that a stemmer does not bring to their base.
        about_you: finds a question about the assistant's own words; None finds nothing.
    """

    stop: frozenset[str]
    frame: frozenset[str]
    irregular: Mapping[str, str]
    about_you: re.Pattern[str] | None


@cache
def language() -> Language:
    """All languages there are data for. A language without data needs none."""
    return read_languages(files("mnemic.index.text") / "data")


def read_languages(folder: Traversable) -> Language:
    """The word lists of all ``*.json`` files of a folder, together; every key may be left out.

    Raises:
        ValueError: a file has a key that nothing reads, or an irregular form without its base.
    """
    stop: set[str] = set()
    frame: set[str] = set()
    irregular: dict[str, str] = {}
    patterns: list[str] = []
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if not file.name.endswith(".json"):
            continue
        data = json.loads(file.read_text("utf-8"))
        if unknown := data.keys() - _KEYS:
            raise ValueError(f"{file.name}: unknown keys {sorted(unknown)}; use {sorted(_KEYS)}")
        stop.update(data.get("stop", "").split())
        frame.update(data.get("frame", "").split())
        for pair in data.get("irregular", "").split():
            form, colon, base = pair.partition(":")
            if not (form and colon and base):
                raise ValueError(f"{file.name}: irregular {pair!r} must be 'form:base'")
            irregular[form] = base
        patterns += data.get("about_you", [])
    about_you = re.compile("|".join(f"(?:{p})" for p in patterns), re.I) if patterns else None
    return Language(frozenset(stop), frozenset(frame), irregular, about_you)
