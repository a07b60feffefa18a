"""Retrieval-induced forgetting: recalling one memory makes its rivals harder to recall.

Anderson, Bjork & Bjork 1994: who practises some members of a category recalls its other members
less well than members of a category that was not practised. Anderson & Spellman 1995: the rival
itself is held down, not only the way to it from one cue; so what falls here is the stability of
the rival, whatever it is asked by later. Left out: that the effect may pass within a day
(MacLeod & Macrae 2001; here it stays until the rival is used), and that the strongest rivals
suffer most.

AgentOS declares the threshold of similarity and never reads it, so there every memory that a
query touched is a rival. Here only a memory that resembles what was recalled is one, and the
nearest come first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Self

from mnemic.model.mind import Personality


@dataclass(frozen=True, slots=True)
class Forgetting:
    """Which rivals lose, and how much.

    Args:
        similarity_threshold: cosine from which a memory is a rival. AgentOS: .7.
        factor: share of its stability that a rival loses, 0 to 1. AgentOS: .12.
        most: rivals held down by one recall. AgentOS: 5.
        least_strength: 0 to 1; a weaker memory is let alone. AgentOS: .1.
        immune_strength: 0 to 1; from here on a memory is let alone. AgentOS: .9.
    """

    similarity_threshold: float = 0.7
    factor: float = 0.12
    most: int = 5
    least_strength: float = 0.1
    immune_strength: float = 0.9

    def shaped(self, personality: Personality) -> Self:
        """The factor of somebody: conscientiousness raises it, as focus does."""
        scale = 0.7 + 0.6 * personality.conscientiousness
        return replace(self, factor=min(1.0, self.factor * scale))


@dataclass(frozen=True, slots=True)
class Competitor:
    """A memory that came to mind with those recalled, and was not chosen.

    Args:
        id: which one.
        similarity: cosine to the nearest memory that was recalled, or to the question.
        strength: of its encoding, 0 to 1.
    """

    id: str
    similarity: float
    strength: float


def suppressed(
    practised: Collection[str], competitors: Iterable[Competitor], rules: Forgetting
) -> list[tuple[str, float]]:
    """The rivals that a recall holds down, the nearest first.

    Args:
        practised: ids of what was recalled; without one nothing is held down.
        competitors: what else came to mind. One that was recalled is no rival.
        rules: the constants.

    Returns:
        The id of each and what its stability is multiplied by.
    """
    if not practised:
        return []
    recalled = set(practised)
    rivals = {
        one.id: one
        for one in sorted(competitors, key=lambda one: one.similarity)
        if one.id not in recalled and _is_rival(one, rules)
    }
    nearest = sorted(rivals.values(), key=lambda one: (-one.similarity, one.id))
    return [(one.id, 1 - rules.factor) for one in nearest[: rules.most]]


def _is_rival(one: Competitor, rules: Forgetting) -> bool:
    strong_enough = rules.least_strength <= one.strength < rules.immune_strength
    return strong_enough and one.similarity >= rules.similarity_threshold
