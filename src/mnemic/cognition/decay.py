"""How a trace fades with time, and what use, neglect and its like do to it.

The accounts behind it: unused, a trace fades by the same share in equal times (Ebbinghaus 1885); a
recall strengthens it, and the more the harder it was, so that a little forgetting in between is a
"desirable difficulty" (Bjork & Bjork 1992, a new theory of disuse); the same number of uses does
more when spread over time (Cepeda, Pashler, Vul, Wixted & Rohrer 2006). Rules and numbers are
AgentOS's, but that use never shrinks a trace and neglect never strengthens one: there an easy
recall after many others takes stability away.

All functions are pure. Instants and durations are milliseconds. A `now` before the last use, from
a clock that was put back, counts as that use.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from mnemic.model.mind import Engram

_YEAR = 31_557_600_000
_FAR = 10_000.0 * _YEAR
"""What happens later than this is said to happen never."""


@dataclass(frozen=True, slots=True)
class Growth:
    """What a recall adds (AgentOS; Bjork & Bjork 1992).

    Args:
        factor: what stability is multiplied with by a recall without difficulty.
        of_difficulty: what a difficulty of 1 adds to the factor.
        least_difficulty: the difficulty of a trace at full strength, 0 to 1.
        diminishing: how much less each earlier use leaves of the factor, as 1 / (1 + it * uses).
        of_emotion: how much an intensity of 1 adds to the factor, as a share.
        gain: what is added to the strength, 0 to 1.
        of_interval: what the time until it is due again is multiplied with.
        longest: the most that stability and interval grow to, in milliseconds. 100 years: instants
            are to stay whole numbers that a database holds.
    """

    factor: float = 1.5
    of_difficulty: float = 2.0
    least_difficulty: float = 0.1
    diminishing: float = 0.1
    of_emotion: float = 0.3
    gain: float = 0.1
    of_interval: float = 2.0
    longest: float = 100.0 * _YEAR


@dataclass(frozen=True, slots=True)
class Penalty:
    """What is left of a trace that was recalled and then ignored (AgentOS).

    Args:
        strength: the share of the strength at that time.
        stability: the share of the stability.
        least_stability: stability is not cut below this, in milliseconds. One minute.
    """

    strength: float = 0.9
    stability: float = 0.5
    least_stability: float = 60_000.0


@dataclass(frozen=True, slots=True)
class Interference:
    """What similar traces take from each other (AgentOS, where nothing calls it).

    Args:
        similarity: the cosine above which traces interfere, below 1.
        retroactive: what a like new trace takes from the strength of an old one.
        proactive: what a like old trace at full strength takes from the strength of the new one.
        most: the most that all old ones together take from the new one.
    """

    similarity: float = 0.7
    retroactive: float = 0.15
    proactive: float = 0.1
    most: float = 0.3


@dataclass(frozen=True, slots=True)
class Pruning:
    """Which traces may go (AgentOS).

    Args:
        strength: those below this strength, 0 to 1.
        intensity: of those, the ones whose feeling is below this intensity, 0 to 1.
    """

    strength: float = 0.05
    intensity: float = 0.3


def strength_at(engram: Engram, now: int) -> float:
    """How strong a trace is now: e^-t/stability of what it was (Ebbinghaus 1885).

    A stability below a millisecond counts as one millisecond.
    """
    elapsed = max(0, now - engram.fresh_at)
    return engram.strength * math.exp(-elapsed / max(1.0, engram.stability))


def used(engram: Engram, now: int, growth: Growth) -> Engram:
    """The trace after a recall: fresh, stronger and more stable, or as it was where at its most.

    The harder the recall, the more it adds (Bjork & Bjork 1992): difficulty is what has faded of
    full strength. At no later time is it weaker than it would have been without.
    """
    now = max(now, engram.fresh_at)
    difficulty = max(growth.least_difficulty, 1 - strength_at(engram, now))
    factor = growth.factor + growth.of_difficulty * difficulty
    factor *= 1 + growth.of_emotion * engram.emotion.intensity
    factor /= 1 + growth.diminishing * engram.uses
    interval = _grown(engram.interval, growth.of_interval, growth)
    return replace(
        engram,
        strength=min(1.0, engram.strength + growth.gain),
        stability=_grown(engram.stability, factor, growth),
        uses=engram.uses + 1,
        used_at=now,
        interval=interval,
        due_at=now + round(interval),
    )


def _grown(value: float, factor: float, growth: Growth) -> float:
    return max(value, min(value * factor, growth.longest))


def ignored(engram: Engram, now: int, penalty: Penalty) -> Engram:
    """The trace after it was recalled and of no use: weaker from now on, and fading faster.

    It counts as no use, and when it is due stays as it was.
    """
    now = max(now, engram.fresh_at)
    least = min(engram.stability, penalty.least_stability)
    return replace(
        engram,
        strength=penalty.strength * strength_at(engram, now),
        stability=max(penalty.stability * engram.stability, least),
        used_at=now,
    )


def interfered(
    new: Engram, old: Sequence[tuple[Engram, float]], now: int, rule: Interference
) -> tuple[Engram, tuple[Engram, ...]]:
    """What a new trace and like ones before it leave of each other.

    The new one weakens the old (retroactive interference), and they weaken it (proactive), the
    stronger they are now the more. Nothing fades faster for it.

    Args:
        new: the new trace.
        old: those before it, each with its similarity to the new one, as a cosine.
        now: the time.
        rule: the constants.

    Returns:
        The new trace, and the old ones in the order given.
    """
    overlaps = [
        min(1.0, max(0.0, (cosine - rule.similarity) / (1 - rule.similarity))) for _, cosine in old
    ]
    taken = sum(
        rule.proactive * overlap * strength_at(one, now)
        for (one, _), overlap in zip(old, overlaps, strict=True)
    )
    return _weakened(new, min(rule.most, taken)), tuple(
        _weakened(one, rule.retroactive * overlap)
        for (one, _), overlap in zip(old, overlaps, strict=True)
    )


def _weakened(engram: Engram, by: float) -> Engram:
    return replace(engram, strength=max(0.0, engram.strength - by)) if by else engram


def is_prunable(engram: Engram, now: int, rule: Pruning) -> bool:
    """Whether a trace has faded so far, and moves so little, that it may go."""
    return strength_at(engram, now) < rule.strength and engram.emotion.intensity < rule.intensity


def fades_at(engram: Engram, threshold: float) -> int | None:
    """When a trace left alone falls below a strength: the first such instant.

    A trace that is below it already fell when it was last used. None if it never does: nothing
    falls below 0, and ten thousand years are never.
    """
    if threshold <= 0:
        return None
    if engram.strength < threshold:
        return engram.fresh_at
    left = max(1.0, engram.stability) * math.log(engram.strength / threshold)
    if not left < _FAR:
        return None
    at = engram.fresh_at + math.floor(left) + 1
    # The logarithm may be off by its last digit: a millisecond at most, up to `_FAR`.
    near = (at - 1, at) if left >= 1 else (at,)
    return next((one for one in near if strength_at(engram, one) < threshold), at + 1)


def due(engram: Engram, now: int) -> bool:
    """Whether it is time to recall a trace, so that it does not fade."""
    return engram.due_at is not None and now >= engram.due_at


def recency(elapsed: float, half_life: float) -> float:
    """How recent something is, 0 to 1: e^-t/half life.

    Args:
        elapsed: since then, in milliseconds; a time to come counts as now.
        half_life: in milliseconds. AgentOS calls it so; what is left after it is 1/e, not a half.
    """
    return math.exp(-max(0.0, elapsed) / half_life)
