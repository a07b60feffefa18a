"""What an appraisal of a text says."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag

TOPIC_RELEVANCE = 0.5
"""How much a text is to the point, 0 to 1. Word lists cannot tell: it is the middle for all."""


class ContentFeature(IntFlag):
    """What a text is about, as far as it decides how closely a mind attends; as one number."""

    NOVELTY = 1
    """Something new, unexpected or never met before."""
    PROCEDURE = 2
    """How something is done, step by step."""
    EMOTION = 4
    """A feeling."""
    SOCIAL = 8
    """People and how they meet."""
    COOPERATION = 16
    """Doing something together, helping, sharing."""
    ETHICS = 32
    """What is fair, honest, allowed or private."""
    CONTRADICTION = 64
    """Something said or believed before is not so."""


_NOTHING = ContentFeature(0)


@dataclass(frozen=True, slots=True)
class Appraisal:
    """What a text says to a mind before it is remembered.

    Args:
        features: what it is about.
        sentiment: how pleasant it is, -1 to 1; 0 is neutral.
        arousal: how exciting it is, 0 to 1; 0 is flat.
    """

    features: ContentFeature = _NOTHING
    sentiment: float = 0.0
    arousal: float = 0.0
