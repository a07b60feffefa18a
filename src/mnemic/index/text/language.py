"""Word lists of languages, kept as data: one file a language in the folder ``data``."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


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
    irregular: dict[str, str]
    about_you: re.Pattern[str] | None


@cache
def language() -> Language:
    """All languages there are data for. A language without data needs none."""
    stop: set[str] = set()
    frame: set[str] = set()
    irregular: dict[str, str] = {}
    patterns: list[str] = []
    folder = files("mnemic.index.text") / "data"
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if not file.name.endswith(".json"):
            continue
        data = json.loads(file.read_text("utf-8"))
        stop.update(data["stop"].split())
        frame.update(data["frame"].split())
        irregular.update(pair.split(":") for pair in data["irregular"].split())
        patterns += data["about_you"]
    about_you = re.compile("|".join(f"(?:{p})" for p in patterns), re.I) if patterns else None
    return Language(frozenset(stop), frozenset(frame), irregular, about_you)
