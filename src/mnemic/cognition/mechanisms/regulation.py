"""Emotion regulation: what was felt too strongly is seen again in a calmer light.

Gross 1998: one may change how a thing is seen before the feeling is full (reappraisal) or hold
the feeling down once it is there (suppression); the first works better. Gross 2015: it begins
with noticing that a feeling needs it. Here memories whose feeling is too strong are reappraised,
the most aroused first: valence and arousal shrink, dominance stays. One whose feeling is still
too strong is held down: it gets weaker, and its feeling stays. Left out: choosing or changing
the situation, turning attention away, and what suppression costs who does it.

AgentOS holds down every memory over the line, those that its limit kept from being reappraised
too, so its limit is none. Here one limit holds for both.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Self

from mnemic.model.mind import Emotion, Personality


@dataclass(frozen=True, slots=True)
class Regulation:
    """What is too strong, and what is done about it.

    Args:
        rate: share of valence and arousal that reappraisal takes, 0 to 1. AgentOS: .15.
        valence_threshold: valence, of either sign, above which it is too strong. AgentOS: .8.
        arousal_threshold: arousal, 0 to 1, above which it is. AgentOS: .6.
        immune_strength: from this strength on, 0 to 1, a memory stays as it is. AgentOS: .9.
        suppression: what the strength of one still too strong is multiplied by. AgentOS: .9.
        most: memories taken up at a time. AgentOS: 10.
    """

    rate: float = 0.15
    valence_threshold: float = 0.8
    arousal_threshold: float = 0.6
    immune_strength: float = 0.9
    suppression: float = 0.9
    most: int = 10

    def shaped(self, personality: Personality) -> Self:
        """The rate of somebody: agreeableness raises it."""
        scale = 0.7 + 0.6 * personality.agreeableness
        return replace(self, rate=min(1.0, self.rate * scale))


@dataclass(frozen=True, slots=True)
class Charged:
    """A memory and its feeling.

    Args:
        id: which one.
        strength: of its encoding, 0 to 1.
        emotion: what it carries.
    """

    id: str
    strength: float
    emotion: Emotion


@dataclass(frozen=True, slots=True)
class Regulated:
    """A memory after regulation.

    Args:
        id: which one.
        strength: of its encoding, 0 to 1.
        emotion: what it carries.
        suppressed: whether it was held down as well as reappraised.
    """

    id: str
    strength: float
    emotion: Emotion
    suppressed: bool


def regulated(memories: Iterable[Charged], rules: Regulation) -> list[Regulated]:
    """The memories that were too strongly felt, as they are now; the most aroused first."""
    candidates = sorted(
        (
            one
            for one in memories
            if one.strength < rules.immune_strength and _too_strong(one.emotion, rules)
        ),
        key=lambda one: (-one.emotion.arousal, -abs(one.emotion.valence), one.id),
    )
    return [_regulated(one, rules) for one in candidates[: rules.most]]


def _too_strong(emotion: Emotion, rules: Regulation) -> bool:
    aroused = emotion.arousal > rules.arousal_threshold
    return aroused and abs(emotion.valence) > rules.valence_threshold


def _regulated(one: Charged, rules: Regulation) -> Regulated:
    left = 1 - rules.rate
    calmer = replace(
        one.emotion, valence=one.emotion.valence * left, arousal=one.emotion.arousal * left
    )
    held = _too_strong(calmer, rules)
    strength = one.strength * rules.suppression if held else one.strength
    return Regulated(one.id, strength, calmer, held)
