"""The feeling of knowing: what almost came to mind, told as what is known about it.

Hart 1965: who cannot recall a thing can still tell whether they would know it if they saw it.
Nelson & Narens 1990: one level of the mind watches another. Koriat 1993: the feeling comes from
how much comes to mind of the thing, not from a look at the thing itself. So a memory whose score
is just short of being recalled gives a feeling made of how near it came, how like the question
it is, and how many of the question's names it shares; and it tells names, mood and age, never
its text. Left out: whether the feeling was right, which Hart measured, and wrong partial
information, which for Koriat raises the feeling just as well.

Scores are whatever the caller ranks by, from 0 to 1, on the same scale as the threshold.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self

from mnemic.model.mind import Personality

_DAY = 86_400_000
_NAMES_TOLD = 3
_SURE = 0.6
"""Above this feeling a memory is known to be there."""

_WEIGHTS = (0.4, 0.3, 0.3)
"""Of nearness to recall, similarity, and names in common."""


@dataclass(frozen=True, slots=True)
class Knowing:
    """Which memories give a feeling of knowing.

    Args:
        threshold: score, 0 to 1, from which one does. AgentOS: .3.
        tip_of_tongue: whether the weaker feelings are told too. AgentOS: True.
    """

    threshold: float = 0.3
    tip_of_tongue: bool = True

    def shaped(self, personality: Personality) -> Self:
        """The threshold of somebody: extraversion lowers it, who speaks sooner."""
        scale = 1.3 - 0.6 * personality.extraversion
        return replace(self, threshold=min(1.0, self.threshold * scale))


class FeelingKind(StrEnum):
    """How strong a feeling of knowing is."""

    HIGH_CONFIDENCE = "high_confidence"
    TIP_OF_TONGUE = "tip_of_tongue"


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A memory that was found and not chosen.

    Args:
        id: which one.
        score: by which it was ranked, 0 to 1.
        similarity: to the question, 0 to 1.
        entities: the names it is about.
        mood: the label of what it carries; None or "neutral" is not told.
        created_at: when the brain got it, in milliseconds.
    """

    id: str
    score: float
    similarity: float
    entities: tuple[str, ...]
    mood: str | None
    created_at: int


@dataclass(frozen=True, slots=True)
class Feeling:
    """What is known of a memory that did not come.

    Args:
        id: which one.
        knowing: how strong the feeling is, 0 to 1.
        kind: the same in a word.
        entities: up to three names it is about.
        mood: the label of what it carries; None if neutral.
        age_days: whole days since the brain got it.
    """

    id: str
    knowing: float
    kind: FeelingKind
    entities: tuple[str, ...]
    mood: str | None
    age_days: int


def feelings(
    misses: Iterable[NearMiss], cutoff: float, asked: Collection[str], rules: Knowing, now: int
) -> list[Feeling]:
    """The feelings of knowing that a recall leaves, the strongest first.

    Args:
        misses: what was found and not chosen.
        cutoff: the lowest score that was chosen.
        asked: the names in the question.
        rules: the constants.
        now: milliseconds.
    """
    names = {name.casefold() for name in asked}
    found = [
        _feeling(miss, _nearness(miss, cutoff, rules), names, now)
        for miss in misses
        if rules.threshold <= miss.score < cutoff
    ]
    told = (one for one in found if rules.tip_of_tongue or one.kind is FeelingKind.HIGH_CONFIDENCE)
    return sorted(told, key=lambda one: (-one.knowing, one.id))


def _nearness(miss: NearMiss, cutoff: float, rules: Knowing) -> float:
    """0 at the threshold, 1 at the cutoff."""
    return (miss.score - rules.threshold) / (cutoff - rules.threshold)


def _feeling(miss: NearMiss, near: float, asked: set[str], now: int) -> Feeling:
    own = {name.casefold() for name in miss.entities}
    overlap = len(own & asked) / max(len(asked), len(own), 1)
    parts = (near, max(0.0, miss.similarity), overlap)
    knowing = min(1.0, sum(weight * part for weight, part in zip(_WEIGHTS, parts, strict=True)))
    return Feeling(
        miss.id,
        knowing,
        FeelingKind.HIGH_CONFIDENCE if knowing > _SURE else FeelingKind.TIP_OF_TONGUE,
        tuple(dict.fromkeys(miss.entities))[:_NAMES_TOLD],
        None if miss.mood == "neutral" else miss.mood,
        max(0, now - miss.created_at) // _DAY,
    )
