"""Involuntary recall: now and then an old memory comes to mind that nobody asked for.

Berntsen 2009: such memories are common, and more about what was felt than those sought for.
Berntsen & Hall 2004: they are mostly of single events, and charged. This is the account of how
often and which: with a small chance one old memory comes, the more likely the more it is
charged. Left out: the cue. In the diaries most of these memories had one in what was around;
who has cues gives only the memories that they touch.

The caller gives the chances, so the same chances bring the same memory.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Self

from mnemic.model.mind import Personality

_DAY = 86_400_000


@dataclass(frozen=True, slots=True)
class Involuntary:
    """How often a memory comes unbidden, and which may.

    Args:
        probability: that one comes, 0 to 1 for each time it is asked. AgentOS: .08.
        min_age: milliseconds; only what is older comes. AgentOS: 14 days.
        min_strength: of its encoding, 0 to 1; only what has this much comes. AgentOS: .15.
        least_weight: the weight of a memory without feeling, where a full one has 1.
            AgentOS: .01.
    """

    probability: float = 0.08
    min_age: int = 14 * _DAY
    min_strength: float = 0.15
    least_weight: float = 0.01

    def shaped(self, personality: Personality) -> Self:
        """The chance of somebody: openness raises it, up to half as much again."""
        return replace(self, probability=min(1.0, self.probability * (0.5 + personality.openness)))


@dataclass(frozen=True, slots=True)
class Unbidden:
    """A memory that may come: one that lives and that was not recalled just now.

    Args:
        id: which one.
        strength: of its encoding, 0 to 1.
        intensity: of its feeling, 0 to 1.
        created_at: when the brain got it, in milliseconds.
    """

    id: str
    strength: float
    intensity: float
    created_at: int


def comes_unbidden(
    candidates: Iterable[Unbidden], chance: Callable[[], float], rules: Involuntary, now: int
) -> Unbidden | None:
    """The memory that comes to mind by itself, if one does.

    Args:
        candidates: which may, in an order that is the same each time.
        chance: gives numbers from 0 to below 1. The first decides whether one comes, the
            second which. Candidates are looked at only if one comes.
        rules: the constants.
        now: milliseconds.
    """
    if chance() >= rules.probability:
        return None
    fit = [
        one
        for one in candidates
        if now - one.created_at > rules.min_age and one.strength >= rules.min_strength
    ]
    if not fit:
        return None
    ends = list(accumulate(max(rules.least_weight, one.intensity) for one in fit))
    at = bisect_right(ends, chance() * ends[-1])
    return fit[min(at, len(fit) - 1)]  # a product of floats may round up to the end
