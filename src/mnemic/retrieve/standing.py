"""What the mind makes of a score: how a trace stands at present, whatever is asked.

Strength fades with time and grows with use, a mood lifts what carries the same feeling
(Bower 1981), and what is archived stands behind the rest. All of it ranks, and nothing of it
hides: a score moves by a few tenths of a standard deviation.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from mnemic.cognition.decay import recency
from mnemic.mind_settings import Mind
from mnemic.model.mind import NEUTRAL, Mood
from mnemic.store.types import AnyRow

_HOUR = 3_600_000


@dataclass(frozen=True, slots=True)
class Standing:
    """How traces stand at an instant, for an agent in a mood.

    Args:
        mind: the settings.
        now: the instant, in milliseconds.
        mood: of the agent that asks.
    """

    mind: Mind
    now: int
    mood: Mood = NEUTRAL

    @property
    def most(self) -> float:
        """The most by which a score can rise."""
        ranking = self.mind.ranking
        most = ranking.strength_weight / 2
        if not self.mind.enabled:
            return most
        lifts = ranking.recency_weight + ranking.importance_weight / 2
        return most + lifts + (0.0 if self.mood.is_neutral else ranking.congruence_weight)

    def strength(self, row: AnyRow) -> float:
        """The present strength of a trace, 0 to 1."""
        strength: float = row.strength
        if not self.mind.works(self.mind.decay):
            return strength
        return strength * math.exp(-self._unused(row) / row.stability)

    def parts(self, row: AnyRow) -> Mapping[str, float]:
        """What is added to the score of a trace, by what for; `strength` is always there."""
        ranking = self.mind.ranking
        parts = {"strength": ranking.strength_weight * (self.strength(row) - 0.5)}
        if row.archived_at is not None:
            parts["archived"] = -ranking.archived_malus
        if not self.mind.enabled:
            return parts
        if not self.mood.is_neutral and ranking.congruence_weight:
            parts["congruence"] = ranking.congruence_weight * max(
                0.0, self.mood.valence * row.valence
            )
        if ranking.recency_weight:
            half_life = ranking.recency_half_life_hours * _HOUR
            parts["recency"] = ranking.recency_weight * recency(self._unused(row), half_life)
        if ranking.importance_weight:
            parts["importance"] = ranking.importance_weight * (row.importance - 0.5)
        return parts

    def _unused(self, row: AnyRow) -> float:
        """Milliseconds since a trace was recalled, or came in."""
        return float(max(0, self.now - max(row.created_at, row.last_accessed_at or 0)))
