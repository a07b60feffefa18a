"""What a question asks for."""

from __future__ import annotations

import string
from collections.abc import Mapping
from dataclasses import dataclass

from mnemic.index.text.language import language
from mnemic.index.text.tokens import stem, words

FRAME_WEIGHT = 0.5
"""What a framing word counts. Anything from 0.15 to 0.7 measured the same within 0.3 points."""

_AROUND = string.punctuation + "¿¡“”„‘’«»‹›…–—·、。，！？；：「」『』（）【】؟،؛।॥"
"""What stands around words and is no part of them."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question, read.

    Args:
        terms: stems to look for with their weights, in the order in which they stand.
        surface: the word that each stem was asked as, as it was typed.
        about_you: it asks for the assistant's own words.
        asks_number: its answer is a number.
    """

    terms: Mapping[str, float]
    surface: Mapping[str, str]
    about_you: bool
    asks_number: bool


def read_question(text: str) -> Question:
    """Read a question. Words that say nothing are dropped, unless there are no others."""
    lists = language()
    asked = [pair for piece in text.split() for pair in _typed(piece)]
    telling = [(word, typed) for word, typed in asked if word not in lists.stop] or asked
    terms: dict[str, float] = {}
    surface: dict[str, str] = {}
    for word, typed in telling:
        root = stem(word)
        weight = FRAME_WEIGHT if word in lists.frame else 1.0
        terms[root] = max(weight, terms.get(root, 0.0))
        surface.setdefault(root, typed)
    about_you = bool(lists.about_you and lists.about_you.search(text))
    asks_number = bool(lists.asks_number and lists.asks_number.search(text))
    return Question(terms, surface, about_you, asks_number)


def _typed(piece: str) -> list[tuple[str, str]]:
    """The search words of what stands between two spaces, each with what was typed for it."""
    found = words(piece, query=True)
    if len(found) == 1:
        return [(found[0], piece.strip(_AROUND) or found[0])]
    return [(word, word) for word in found]
