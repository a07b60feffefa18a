"""What can be told of a text when it is written, for later questions."""

from __future__ import annotations

import re
from enum import IntFlag

from mnemic.index.text.language import language
from mnemic.index.text.sentences import SENTENCE_END

_WORD = re.compile(r"[^\W\d_]+")
_DIGIT = re.compile(r"\d")
_ASKS = ("?", "？", "؟", "՞", "\u037e")
"""Ends of questions."""
_CLOSING = " \t\n\"'”’»)!！」』）"
"""What may stand behind the mark that ends a sentence."""


class Feature(IntFlag):
    """Features of a text, as one number."""

    FIRST_PERSON = 1
    """Some sentence that is no question speaks of the speaker."""
    NUMBER = 2
    """It holds a number, in digits or as a word."""
    ASKS = 4
    """It ends with a question."""
    STANDING = 8
    """It says a rule or a wish that holds from then on."""


def features(text: str) -> Feature:
    """The features of a text. A language without word lists has those of its digits only."""
    lists = language()
    found = Feature(0)
    if _asks(_without_aside(text)):
        found |= Feature.ASKS
    if is_standing(text):
        found |= Feature.STANDING
    words = {word.casefold() for word in _WORD.findall(text)}
    if _DIGIT.search(text) or not words.isdisjoint(lists.numbers):
        found |= Feature.NUMBER
    if words.isdisjoint(lists.first_person):
        return found
    for sentence in SENTENCE_END.split(text):
        if not _asks(sentence):
            spoken = {word.casefold() for word in _WORD.findall(sentence)}
            if not spoken.isdisjoint(lists.first_person):
                return found | Feature.FIRST_PERSON
    return found


def is_standing(text: str) -> bool:
    """Whether a text says a rule or a wish that holds from then on: "always", "I prefer"."""
    pattern = language().standing
    return pattern is not None and pattern.search(text.replace("’", "'")) is not None


def standing(text: str) -> str:
    """The sentences of a text that say such a rule or wish; the whole text if none does alone."""
    found = [one for one in SENTENCE_END.split(text) if is_standing(one)]
    return " ".join(found) or text


def _asks(text: str) -> bool:
    return text.rstrip(_CLOSING).endswith(_ASKS)


def _without_aside(text: str) -> str:
    """The text without what stands in brackets at its end, such as what a picture shows."""
    bare = text.rstrip()
    opening = bare.rfind("[")
    return bare[:opening] if bare.endswith("]") and opening >= 0 else bare
