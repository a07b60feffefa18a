"""Which language a text is in, and what words mean there.

A word is read in the language of its text only: German "die" and "Gift" are no English "die" and
"gift". The language is the one with the most words in the text, words such as "the" and "of"
counting twice. Where several have as many, a word counts only if it means the same in all of them
that know it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from mnemic.cognition.appraisal.lists import Lists, Meaning, Phrase, read_lists
from mnemic.cognition.appraisal.tokens import MARKS

_ALL = "mul"
"""The code of the file with what holds in all languages (ISO 639-2): smileys and pictures."""

Lexicon = Mapping[str, tuple[tuple[Phrase, Meaning], ...]]
"""By the first word of each phrase: its other words, and what it means. Longer ones first."""


@dataclass(frozen=True, slots=True)
class Language:
    """One language, ready to be looked up.

    Args:
        function: words by which it is known.
        lexicon: what its words mean; with the marks and pictures of all languages.
    """

    function: frozenset[str]
    lexicon: Lexicon


@dataclass(frozen=True, slots=True)
class Languages:
    """All languages.

    Args:
        by_letter: each language, by a letter that stands for it.
        evidence: the letters of the languages that a word speaks for, once or twice each.
    """

    by_letter: Mapping[str, Language]
    evidence: Mapping[str, str]

    def lexicon(self, words: list[str]) -> Lexicon:
        """What words mean in the language that a text, given by its tokens, is likely in."""
        # A letter a word in one string: counting letters is by far the quickest of counts.
        spoken = "".join([self.evidence.get(word, "") for word in words])
        counts = [spoken.count(letter) for letter in self.by_letter]
        most = max(counts)
        likely = [
            language
            for language, count in zip(self.by_letter.values(), counts, strict=True)
            if count == most
        ]
        return likely[0].lexicon if len(likely) == 1 else _agreed(likely, words)


@cache
def languages() -> Languages:
    """All languages there are data for, read once."""
    return of_lists(read_lists(files("mnemic.cognition.appraisal") / "data"))


def of_lists(lists: Iterable[Lists]) -> Languages:
    """Languages by their lists."""
    every = {one.code: one for one in lists}
    everywhere: dict[Phrase, Meaning] = {(mark,): Meaning(breaks=True) for mark in MARKS}
    if shared := every.pop(_ALL, None):
        everywhere |= shared.phrases
    languages: dict[str, Language] = {}
    evidence: dict[str, str] = {}
    # One language at least, even if it has no words: there is always a likely one.
    for at, one in enumerate(every.values() or [Lists("", frozenset(), {})]):
        letter = chr(ord("a") + at)
        languages[letter] = Language(one.function, _by_first_word(everywhere | {**one.phrases}))
        single = {phrase[0] for phrase in one.phrases if len(phrase) == 1}
        for word in (*one.function, *one.function, *(single - one.function)):
            evidence[word] = evidence.get(word, "") + letter
    return Languages(languages, evidence)


def _by_first_word(phrases: Mapping[Phrase, Meaning]) -> Lexicon:
    found: dict[str, list[tuple[Phrase, Meaning]]] = {}
    for (first, *rest), meaning in phrases.items():
        found.setdefault(first, []).append((tuple(rest), meaning))
    return {first: _longest_first(dict(several)) for first, several in found.items()}


def _longest_first(phrases: Mapping[Phrase, Meaning]) -> tuple[tuple[Phrase, Meaning], ...]:
    return tuple(sorted(phrases.items(), key=lambda one: (-len(one[0]), one[0])))


def _agreed(languages: list[Language], words: list[str]) -> Lexicon:
    """What the words of a text mean in several languages at once, as far as these agree."""
    found: dict[str, tuple[tuple[Phrase, Meaning], ...]] = {}
    for word in set(words):
        phrases: dict[Phrase, Meaning] = {}
        for language in languages:
            for rest, meaning in language.lexicon.get(word, ()):
                known = phrases.get(rest)
                phrases[rest] = meaning if known is None else _in_common(known, meaning)
        # A plain word of one language is no word of feeling because another has it: "die", "war".
        if () in phrases and any(_is_plain(word, language) for language in languages):
            del phrases[()]
        if phrases:
            found[word] = _longest_first(phrases)
    return found


def _is_plain(word: str, language: Language) -> bool:
    if word not in language.function:
        return False
    return all(rest for rest, _ in language.lexicon.get(word, ()))


def _in_common(one: Meaning, other: Meaning) -> Meaning:
    """What two meanings agree in; of two weights of one sign, the weaker."""
    if one == other:
        return one
    return replace(
        one,
        weight=min(one.weight, other.weight, key=abs) if one.weight * other.weight > 0 else 0.0,
        arousal=min(one.arousal, other.arousal),
        features=one.features & other.features,
        factor=one.factor if one.factor == other.factor else 0.0,
        negates=one.negates and other.negates,
        negates_before=one.negates_before and other.negates_before,
        breaks=one.breaks and other.breaks,
        order=one.order and other.order,
    )
