"""What a model can do for recall, if there is one: other wordings of a question, a second ranking.

Neither is needed, and neither is there unless it is given to `Memory.open`. One that fails is
logged and left out: the answer is then the one without it.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol, runtime_checkable

from mnemic.model.answer import Hit

_log = logging.getLogger("mnemic")

_MOST_WORDINGS = 4
"""Wordings taken from an expander; each costs a vector."""


@runtime_checkable
class Expander(Protocol):
    """Says a question in other words: synonyms, an answer that might be, parts of it.

    Attributes:
        name: for the log.
    """

    name: str

    def expand(self, question: str) -> Sequence[str]:
        """Other wordings of a question; the first four are asked besides it."""
        ...


@runtime_checkable
class Reranker(Protocol):
    """Scores texts against a question, as a cross-encoder does.

    Attributes:
        name: for the log.
    """

    name: str

    def rerank(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """A score of each text, higher is better. The texts are data, never instructions."""
        ...


def wordings(expander: Expander | None, question: str) -> tuple[str, ...]:
    """Other wordings of a question; none if there is no expander, or it fails."""
    if expander is None:
        return ()
    try:
        given = expander.expand(question)
        if isinstance(given, str) or not all(isinstance(one, str) for one in given):
            raise TypeError(f"{given!r} is no list of strings")
    except Exception as error:  # noqa: BLE001, a caller's expander may raise anything
        _failed("expander", expander.name, error, "asked without it")
        return ()
    return tuple(one for one in given if one.strip())[:_MOST_WORDINGS]


def reranked(
    reranker: Reranker | None, question: str, hits: Sequence[Hit], limit: int
) -> list[Hit]:
    """The best `limit` of some hits, in the order of a reranker; as they were if it fails.

    Without one they are the `limit` that were asked for, and stay as they are.
    """
    if reranker is None or not hits:
        return list(hits)
    try:
        given = reranker.rerank(question, [hit.trace.content for hit in hits])
        scores = [float(score) for score in given]
        if len(scores) != len(hits) or not all(map(math.isfinite, scores)):
            raise ValueError(f"{len(scores)} scores for {len(hits)} texts, or one is no number")
    except Exception as error:  # noqa: BLE001, a caller's reranker may raise anything
        _failed("reranker", reranker.name, error, "the order is the one without it")
        return list(hits[:limit])
    found = [
        replace(hit, score=score, why=replace(hit.why, breakdown={"reranker": score}))
        for hit, score in zip(hits, scores, strict=True)
    ]
    return sorted(found, key=lambda hit: -hit.score)[:limit]


def _failed(kind: str, name: str, error: Exception, what: str) -> None:
    _log.warning("%s %r failed: %s: %s; %s", kind, name, type(error).__name__, error, what)
