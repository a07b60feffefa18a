"""The rules of the screen, read from the folder `data`: one file a language.

A rule is a phrase under the name of its sign. Which rules a text has to be searched for is told
by its words alone; most texts have to be searched for none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from operator import add
from typing import Any

from mnemic.cognition.screen.phrases import Phrase, phrase
from mnemic.cognition.screen.views import Views
from mnemic.model.concern import Concern, Finding

_KEYS = frozenset({"spaced", "words", *Concern})
_SHARED = frozenset({"password", "key", "pin", "is", "of"})
"""Lists that hold for all languages together: by them `secrets` knows how a secret is named."""

_RUN_TOGETHER = 15
"""Letters from which on a word may be several. English has few as long, German has more."""

_SPACED_OUT = 4
"""Different words of a single letter from which on these may be letters of one word."""

_CUT_IN_TWO = 6
"""Letters from which on two words that make one word of a rule may be that word, cut in two."""

_SINGLE = frozenset("abcdefghijklmnopqrstuvwxyz")


@dataclass(frozen=True, slots=True)
class Rule:
    """A phrase of a sign; a strong one is also looked for where spaces were moved."""

    finding: Finding
    phrase: Phrase
    strong: bool

    def may_be_in(self, vocabulary: frozenset[str]) -> bool:
        """Whether all the words are there that the phrase cannot be without."""
        return not any(map(vocabulary.isdisjoint, self.phrase.words))

    def is_in_line(self, line: str) -> bool:
        """Whether the phrase is in the line of a text."""
        return _compiled(self.phrase.line).search(line) is not None

    def is_in_dense(self, dense: str) -> bool:
        """Whether the phrase is in a text without spaces."""
        if not all(any(part in dense for part in parts) for parts in self.phrase.words):
            return False
        return _compiled(self.phrase.dense).search(dense) is not None


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of all languages.

    Args:
        by_word: rules of languages with Latin letters, under each word that the phrase cannot be
            without, of the set that the fewest texts meet.
        strong: the strong ones among them.
        strong_words: the long words of these.
        other: rules of languages in other scripts, by what their phrases may begin with.
        lists: the word lists that hold for all languages together.
    """

    by_word: Mapping[str, tuple[Rule, ...]]
    strong: tuple[Rule, ...]
    strong_words: frozenset[str]
    other: tuple[tuple[frozenset[str], Rule], ...]
    lists: Mapping[str, tuple[str, ...]]

    def found(self, seen: Views) -> Iterator[Finding]:
        """What the rules find in a text; the same finding may come several times."""
        if tried := list(self._tried(seen.vocabulary)):
            line = seen.line()
            yield from (rule.finding for rule in tried if _holds(rule, line, seen))
        if self._respaced(seen):
            dense = seen.dense()
            yield from (rule.finding for rule in self.strong if rule.is_in_dense(dense))
        if not seen.folded.isascii():
            dense = seen.dense()
            letters = frozenset(dense)
            for initials, rule in self.other:
                if not initials.isdisjoint(letters) and rule.is_in_dense(dense):
                    yield rule.finding

    def _tried(self, vocabulary: frozenset[str]) -> Iterator[Rule]:
        for word in self.by_word.keys() & vocabulary:
            for rule in self.by_word[word]:
                if rule.may_be_in(vocabulary):
                    yield rule

    def _respaced(self, seen: Views) -> bool:
        """Whether words look run together, spaced out or cut in two."""
        if seen.longest >= _RUN_TOGETHER or len(_SINGLE & seen.vocabulary) >= _SPACED_OUT:
            return True
        return not self.strong_words.isdisjoint(map(add, seen.words, seen.words[1:]))


def _holds(rule: Rule, line: str, seen: Views) -> bool:
    """Whether a text holds a phrase whose words it has; a full stop does not hide a strong one."""
    return rule.is_in_line(line) or (rule.strong and rule.is_in_dense(seen.dense()))


@cache
def rules() -> Rules:
    """All rules there are data for."""
    return read_rules(files("mnemic.cognition.screen") / "data")


def read_rules(folder: Traversable) -> Rules:
    """The rules of all `*.json` files of a folder.

    Raises:
        ValueError: a file has a key that nothing reads, or a phrase that cannot be read.
    """
    spaced: list[Rule] = []
    other: list[Rule] = []
    lists: dict[str, tuple[str, ...]] = {}
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if file.name.endswith(".json"):
            data = json.loads(file.read_text("utf-8"))
            if unknown := data.keys() - _KEYS:
                raise ValueError(
                    f"{file.name}: unknown keys {sorted(unknown)}; use {sorted(_KEYS)}"
                )
            (spaced if data.get("spaced", True) else other).extend(_rules_of(data))
            for name in _SHARED & data.get("words", {}).keys():
                lists[name] = (*lists.get(name, ()), *data["words"][name].split("|"))
    return _indexed(spaced, other, lists)


def _rules_of(data: Mapping[str, Any]) -> Iterator[Rule]:
    """The rules of a file."""
    spaced = data.get("spaced", True)
    for concern in Concern:
        for sign, sources in data.get(concern, {}).items():
            for source in sources:
                bare = source.removeprefix("!")
                if (bare != source or not spaced) and not {"^", "~"}.isdisjoint(bare):
                    raise ValueError(f"{source!r}: without spaces there is no '^' and no '~'")
                made = phrase(bare, data.get("words", {}), spaced=spaced)
                if not made.words:
                    raise ValueError(f"{source!r} has no word that must be there")
                yield Rule(Finding(concern, sign), made, strong=bare != source)


def _indexed(spaced: list[Rule], other: list[Rule], lists: Mapping[str, tuple[str, ...]]) -> Rules:
    by_word: dict[str, tuple[Rule, ...]] = {}
    for rule in spaced:
        for word in rule.phrase.words[0]:
            by_word[word] = (*by_word.get(word, ()), rule)
    strong = tuple(rule for rule in spaced if rule.strong)
    words = frozenset().union(*(words for rule in strong for words in rule.phrase.words))
    cut = frozenset(word for word in words if len(word) >= _CUT_IN_TWO)
    initials = ((frozenset(word[0] for word in rule.phrase.words[0]), rule) for rule in other)
    return Rules(by_word, strong, cut, tuple(initials), lists)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compiled when a text first needs it: most rules are never needed."""
    return re.compile(pattern)
