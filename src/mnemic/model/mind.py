"""What changes about a trace with time and use, and whose mind it is: plain values.

Affect is measured on three axes, pleasure, arousal and dominance (Mehrabian & Russell 1974), and
personality by the six traits of HEXACO (Ashton & Lee 2007).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields

from mnemic.model.errors import InvalidInput


def _check(name: str, value: object, least: float) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidInput(f"{name} {value!r} must be a number from {least:g} to 1")
    if not least <= value <= 1:
        raise InvalidInput(f"{name} {value!r} must be from {least:g} to 1")


@dataclass(frozen=True, slots=True)
class Mood:
    """How the agent feels at a moment, each axis from -1 to 1; 0 is neutral."""

    valence: float = 0.0
    arousal: float = 0.0
    dominance: float = 0.0

    def __post_init__(self) -> None:
        for field in fields(self):
            _check(f"mood {field.name}", getattr(self, field.name), -1.0)

    @property
    def level(self) -> float:
        """Arousal from 0 to 1; .5 is neutral."""
        return (self.arousal + 1) / 2

    @property
    def is_neutral(self) -> bool:
        """Whether all three axes are 0."""
        return self == NEUTRAL

    @property
    def label(self) -> str:
        """The name of the nearest mood of `MOODS`."""
        return min(MOODS, key=lambda name: _distance(self, MOODS[name]))


NEUTRAL = Mood()

MOODS: Mapping[str, Mood] = {
    "neutral": NEUTRAL,
    "empathetic": Mood(0.55, 0.15, 0.25),
    "curious": Mood(0.35, 0.45, 0.15),
    "assertive": Mood(0.15, 0.35, 0.7),
    "analytical": Mood(0.1, -0.1, 0.45),
    "focused": Mood(0.2, 0.1, 0.55),
    "frustrated": Mood(-0.65, 0.6, 0.2),
    "creative": Mood(0.45, 0.35, 0.35),
}
"""Moods by name; the values are AgentOS's."""


def mood_of(value: object) -> Mood:
    """A mood as a caller gives it: a `Mood`, a name of `MOODS`, its axes, or None for neutral.

    Raises:
        InvalidInput: it is none of these.
    """
    if value is None:
        return NEUTRAL
    if isinstance(value, Mood):
        return value
    if isinstance(value, str):
        found = MOODS.get(value.strip().casefold())
        if found is None:
            raise InvalidInput(f"mood {value!r} is unknown; use one of: {', '.join(MOODS)}")
        return found
    if isinstance(value, Mapping) and value.keys() <= {field.name for field in fields(Mood)}:
        return Mood(**value)
    raise InvalidInput(
        f"mood {value!r} must be a Mood, one of {', '.join(MOODS)}, or a mapping of valence, "
        "arousal and dominance"
    )


@dataclass(frozen=True, slots=True)
class Emotion:
    """The feeling that a trace carries: valence and dominance -1 to 1, arousal 0 to 1."""

    valence: float = 0.0
    arousal: float = 0.0
    dominance: float = 0.0

    @property
    def intensity(self) -> float:
        """How strong the feeling is, 0 to 1."""
        return abs(self.valence) * self.arousal


@dataclass(frozen=True, slots=True)
class Personality:
    """The six traits of HEXACO, each 0 to 1; .5 is neutral."""

    honesty: float = 0.5
    emotionality: float = 0.5
    extraversion: float = 0.5
    agreeableness: float = 0.5
    conscientiousness: float = 0.5
    openness: float = 0.5

    def __post_init__(self) -> None:
        for field in fields(self):
            _check(f"personality {field.name}", getattr(self, field.name), 0.0)


@dataclass(frozen=True, slots=True)
class Engram:
    """What changes about a trace with time and use. Instants and durations are milliseconds.

    Args:
        strength: of its encoding, 0 to 1: what it would be if no time had passed since its use.
        stability: the time after which an unused trace has 1/e of its strength.
        importance: 0 to 1.
        emotion: the feeling that it carries.
        uses: how often it was recalled.
        used_at: when it was last recalled; None if never.
        created_at: when the brain got it.
        interval: how long after a use it is due to be reinforced.
        due_at: when it is due to be reinforced; None before its first use.
    """

    strength: float
    stability: float
    importance: float
    emotion: Emotion
    uses: int
    used_at: int | None
    created_at: int
    interval: float
    due_at: int | None

    @property
    def fresh_at(self) -> int:
        """Since when it has been fading."""
        return self.created_at if self.used_at is None else max(self.created_at, self.used_at)


def _distance(one: Mood, other: Mood) -> float:
    return math.dist(
        (one.valence, one.arousal, one.dominance), (other.valence, other.arousal, other.dominance)
    )
