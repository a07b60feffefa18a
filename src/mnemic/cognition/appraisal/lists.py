"""The word lists of one language, kept as data: one file a language in the folder ``data``.

What each key of a file holds, and how words are written in it, is told in ``data/README.md``.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from importlib.resources.abc import Traversable
from typing import Any

from mnemic.cognition.appraisal.tokens import tokens
from mnemic.cognition.appraisal.values import ContentFeature

Phrase = tuple[str, ...]

GAP = ""
"""Stands in a phrase for a few words, whichever they are. No token is empty."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a word or a phrase adds to the appraisal of a text.

    Args:
        weight: how pleasant it is, -3 to 3.
        arousal: how exciting it is, 0 to 3.
        features: flags of `ContentFeature`; a plain number, which is faster to add up.
        factor: by how much it strengthens what follows; 0 if it does not.
        negates: it negates what follows.
        negates_before: it negates what stands before it, at the end of a clause.
        breaks: a new clause begins with it.
        order: it says what comes first or next.
    """

    weight: float = 0.0
    arousal: float = 0.0
    features: int = 0
    factor: float = 0.0
    negates: bool = False
    negates_before: bool = False
    breaks: bool = False
    order: bool = False


_PLAIN: Mapping[str, Meaning] = {
    "stronger": Meaning(factor=1.5),
    "weaker": Meaning(factor=0.5),
    "negations": Meaning(negates=True),
    "late_negations": Meaning(negates_before=True),
    "breaks": Meaning(breaks=True),
    "order": Meaning(order=True),
    "novelty": Meaning(features=ContentFeature.NOVELTY.value),
    "procedure": Meaning(features=ContentFeature.PROCEDURE.value),
    "social": Meaning(features=ContentFeature.SOCIAL.value),
    "cooperation": Meaning(features=ContentFeature.COOPERATION.value),
    "ethics": Meaning(features=ContentFeature.ETHICS.value),
    "contradiction": Meaning(features=ContentFeature.CONTRADICTION.value),
}
"""Keys of a file with one list each, and what the words of it mean."""

_WEIGHED: Mapping[str, tuple[str, ...]] = {
    "feelings": ("-3", "-2", "-1", "0", "1", "2", "3"),
    "judgements": ("-3", "-2", "-1", "0", "1", "2", "3"),
    "arousing": ("1", "2", "3"),
}
"""Keys of a file with a list for each weight, and the weights."""

_KEYS = frozenset({"function", *_PLAIN, *_WEIGHED})
_ALSO_WRITTEN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


@dataclass(frozen=True, slots=True)
class Lists:
    """The lists of one language.

    Args:
        code: of the language, such as ``en``.
        function: words by which the language is known: "the", "of", "is".
        phrases: words and phrases, with what they mean.
    """

    code: str
    function: frozenset[str]
    phrases: Mapping[Phrase, Meaning]


def read_lists(folder: Traversable) -> list[Lists]:
    """The lists of all ``*.json`` files of a folder, by the names of the files.

    Raises:
        ValueError: a file has a key or a weight that nothing reads, a word twice under a key,
            or a word with two weights.
    """
    found = sorted((file for file in folder.iterdir()), key=lambda file: file.name)
    return [
        read_one(file.name.removesuffix(".json"), json.loads(file.read_text("utf-8")))
        for file in found
        if file.name.endswith(".json")
    ]


def read_one(code: str, data: Mapping[str, Any]) -> Lists:
    """The lists of one language, as its file says; every key may be left out.

    Raises:
        ValueError: see `read_lists`.
    """
    if unknown := data.keys() - _KEYS:
        raise ValueError(f"{code}.json: unknown keys {sorted(unknown)}; use {sorted(_KEYS)}")
    phrases: dict[Phrase, Meaning] = {}
    for key, lists in data.items():
        if key != "function":
            for phrase, meaning in _entries(code, key, lists):
                if known := phrases.get(phrase):
                    meaning = _both(code, phrase, known, meaning)
                phrases[phrase] = meaning
    for phrase, meaning in tuple(phrases.items()):
        for also in _also_written(phrase):
            phrases.setdefault(also, meaning)
    function = frozenset(tokens(data.get("function", "")))
    return Lists(code, function, phrases)


def _entries(code: str, key: str, lists: Any) -> Iterator[tuple[Phrase, Meaning]]:
    """The phrases under a key, each with what this key says that it means."""
    seen: set[Phrase] = set()
    for meaning, words in _meanings(code, key, lists):
        for written in words.split(","):
            for phrase in _spelled_out(written.strip()):
                if phrase in seen or not phrase:
                    raise ValueError(
                        f"{code}.json: {key} has {written.strip()!r} twice, or nothing there"
                    )
                seen.add(phrase)
                yield phrase, meaning


def _meanings(code: str, key: str, lists: Any) -> Iterator[tuple[Meaning, str]]:
    if key in _PLAIN:
        yield _PLAIN[key], lists
        return
    if unknown := lists.keys() - set(_WEIGHED[key]):
        raise ValueError(
            f"{code}.json: {key} has weights {sorted(unknown)}; use {', '.join(_WEIGHED[key])}"
        )
    feeling = ContentFeature.EMOTION.value if key == "feelings" else 0
    for weight, words in lists.items():
        if key == "arousing":
            yield Meaning(arousal=float(weight)), words
        else:
            yield Meaning(weight=float(weight), features=feeling), words


def _spelled_out(written: str) -> Iterator[Phrase]:
    """``word/s`` as "word" and "words", ``lov-/e/ing`` as "love" and "loving"."""
    stem, *endings = written.split("/")
    if not stem.endswith("-"):
        yield _phrase(stem)
    for ending in endings:
        yield _phrase(stem.removesuffix("-") + ending)


def _phrase(written: str) -> Phrase:
    if written.isalpha():  # nearly all are one word
        return (written.casefold(),)
    parts = [tokens(part) for part in written.split(" ... ")]
    return tuple(word for part in parts for word in (GAP, *part))[1:]


def _both(code: str, phrase: Phrase, one: Meaning, other: Meaning) -> Meaning:
    """What a phrase means that stands under two keys."""
    if one.weight and other.weight and one.weight != other.weight:
        raise ValueError(f"{code}.json: {' '.join(phrase)!r} has two weights")
    return replace(
        one,
        weight=one.weight or other.weight,
        arousal=one.arousal or other.arousal,
        features=one.features | other.features,
        factor=one.factor or other.factor,
        negates=one.negates or other.negates,
        negates_before=one.negates_before or other.negates_before,
        breaks=one.breaks or other.breaks,
        order=one.order or other.order,
    )


def _also_written(phrase: Phrase) -> Iterator[Phrase]:
    """The phrase as people type it who leave accents out."""
    if all(map(str.isascii, phrase)):
        return
    yield tuple(_without_accents(word) for word in phrase)
    yield tuple(word.translate(_ALSO_WRITTEN) for word in phrase)


def _without_accents(word: str) -> str:
    parts = unicodedata.normalize("NFD", word)
    return "".join(part for part in parts if not unicodedata.combining(part))
