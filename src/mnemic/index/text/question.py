"""What a question asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mnemic.index.text.language import language
from mnemic.index.text.tokens import stem, words

FRAME_WEIGHT = 0.5
"""What a framing word counts. Anything from 0.15 to 0.7 measured the same within 0.3 points."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question, read.

    Args:
        terms: stems to look for with their weights, in the order in which they stand.
        surface: the word that each stem was asked as.
        about_you: it asks for the assistant's own words.
    """

    terms: Mapping[str, float]
    surface: Mapping[str, str]
    about_you: bool


def read_question(text: str) -> Question:
    """Read a question. Words that say nothing are dropped, unless there are no others."""
    lists = language()
    asked = words(text, query=True)
    telling = [word for word in asked if word not in lists.stop] or asked
    terms: dict[str, float] = {}
    surface: dict[str, str] = {}
    for word in telling:
        root = stem(word)
        weight = FRAME_WEIGHT if word in lists.frame else 1.0
        terms[root] = max(weight, terms.get(root, 0.0))
        surface.setdefault(root, word)
    about_you = bool(lists.about_you and lists.about_you.search(text))
    return Question(terms, surface, about_you)
