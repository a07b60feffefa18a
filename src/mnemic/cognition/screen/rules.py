"""The rules of the screen, read from the folder `data`: one file a language.

A rule is a phrase under the name of its sign. Which rules a text needs to be tried against is
found by its words alone; most texts need none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from mnemic.model.concern import Concern, Finding
from mnemic.cognition.screen.phrases import phrase
from mnemic.cognition.screen.views import Views

_KEYS = frozenset({"spaced", "words", *Concern})
_SHARED = frozenset({"password", "key", "pin", "is", "of"})
"""Lists that hold for all languages together: by them `secrets` knows how a secret is named."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One phrase of a sign.

    Args:
        finding: what it finds.
        pattern: the regular expression.
        needs: sets of words (of parts of words in a dense rule); a text without any of one of
            them need not be searched.
    """

    finding: Finding
    pattern: str
    needs: tuple[frozenset[str], ...]


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of all languages.

    Args:
        by_word: rules for the line of a text, under each word of their first need.
        dense: rules for a text in Latin letters without spaces.
        other: the same for languages in other scripts.
        lists: the word lists that no phrase is made of alone: how secrets are named.
    """

    by_word: Mapping[str, tuple[Rule, ...]]
    dense: tuple[Rule, ...]
    other: tuple[Rule, ...]
    lists: Mapping[str, tuple[str, ...]]

    def found(self, seen: Views) -> Iterator[Finding]:
        """What the rules find in a text; the same finding may come several times."""
        tried = [
            rule
            for word in self.by_word.keys() & seen.words
            for rule in self.by_word[word]
            if not any(need.isdisjoint(seen.words) for need in rule.needs)
        ]
        if tried:
            line = seen.line()
            yield from (rule.finding for rule in tried if _compiled(rule.pattern).search(line))
        for rule in self.dense if seen.ascii else self.dense + self.other:
            if all(any(part in seen.dense for part in need) for need in rule.needs):
                if _compiled(rule.pattern).search(seen.dense):
                    yield rule.finding


@cache
def rules() -> Rules:
    """All rules there are data for."""
    return read_rules(files("mnemic.cognition.screen") / "data")


def read_rules(folder: Traversable) -> Rules:
    """The rules of all `*.json` files of a folder.

    Raises:
        ValueError: a file has a key that nothing reads, or a phrase that cannot be read.
    """
    by_word: dict[str, list[Rule]] = {}
    dense: list[Rule] = []
    other: list[Rule] = []
    lists: dict[str, list[str]] = {}
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if file.name.endswith(".json"):
            data = json.loads(file.read_text("utf-8"))
            if unknown := data.keys() - _KEYS:
                raise ValueError(f"{file.name}: unknown keys {sorted(unknown)}")
            _read(data, by_word, dense, other)
            for name in _SHARED & data.get("words", {}).keys():
                lists.setdefault(name, []).extend(data["words"][name].split("|"))
    return Rules(
        {word: tuple(rules) for word, rules in by_word.items()},
        tuple(dense),
        tuple(other),
        {name: tuple(words) for name, words in lists.items()},
    )


def _read(
    data: Mapping[str, Any], by_word: dict[str, list[Rule]], dense: list[Rule], other: list[Rule]
) -> None:
    """Put the rules of a file where they belong."""
    lists = data.get("words", {})
    spaced = data.get("spaced", True)
    for finding, source in _sources(data):
        strong = source.startswith("!")
        made = phrase(source.removeprefix("!"), lists, spaced=spaced)
        if not made.parts or (spaced and not made.words):
            raise ValueError(f"{source!r} has no word that must be there")
        if spaced:
            rule = Rule(finding, made.line, made.words)
            for word in made.words[0]:
                by_word.setdefault(word, []).append(rule)
        if strong or not spaced:
            (dense if spaced else other).append(Rule(finding, made.dense, made.parts))


def _sources(data: Mapping[str, Any]) -> Iterator[tuple[Finding, str]]:
    for concern in Concern:
        for sign, phrases in data.get(concern, {}).items():
            for source in phrases:
                yield Finding(concern, sign), source


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compiled when a text first needs it: most rules are never needed."""
    return re.compile(pattern)
