"""Words that mean about the same as the words of a question."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from mnemic.index.text.language import language
from mnemic.index.text.near import near_words
from mnemic.index.text.tokens import stem

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from mnemic.index.postings import Lists
    from mnemic.index.view import View
    from mnemic.settings import Retrieval

_LONGEST_QUESTION = 32
"""Words; a longer question says itself all that it means."""


@cache
def _exact() -> frozenset[str]:
    """Stems that mean themselves alone: April is near to March, and not what was asked."""
    lists = language()
    dated = (word for dates in lists.dates for kind in dates.words.values() for word in kind)
    return frozenset(stem(word) for word in (*lists.stop, *lists.numbers, *dated))


def with_near_words(
    view: View, connection: Connection, terms: Mapping[str, float], settings: Retrieval
) -> tuple[dict[str, float], dict[str, Lists]]:
    """The words to look for with their weights, and the lists of those that occur.

    To each word of the question that is not framing come the few nearest ones that the view
    holds, at the weight of the setting times their cosine.
    """
    candidates = _candidates(terms, settings)
    wanted = dict.fromkeys([*terms, *(word for near in candidates for word, _ in near)])
    lists = view.lists(connection, list(wanted))
    weights = dict(terms)
    for near in candidates:
        there = [(word, cosine) for word, cosine in near if word in lists]
        for word, cosine in there[: settings.near_words]:
            weights[word] = max(weights.get(word, 0.0), settings.near_weight * cosine)
    return weights, {word: found for word, found in lists.items() if word in weights}


def _candidates(terms: Mapping[str, float], settings: Retrieval) -> list[list[tuple[str, float]]]:
    """For each word of the question, those near it that the question does not hold itself."""
    exact = _exact()
    if not settings.near_weight or len(terms) > _LONGEST_QUESTION:
        return []
    return [
        [pair for pair in near_words(word) if pair[0] not in terms and pair[0] not in exact]
        for word, weight in terms.items()
        if weight == 1 and word not in exact
    ]
