"""What is half remembered when a question is asked (cognition/mechanisms/knowing.py)."""

from __future__ import annotations

from collections.abc import Iterable

from mnemic.cognition.entities import find_entities
from mnemic.cognition.mechanisms.knowing import NearMiss, feelings
from mnemic.cognition.rules import rules_of
from mnemic.mind_settings import Mind
from mnemic.model.mind import Mood
from mnemic.model.packet import Partial
from mnemic.model.times import to_ms
from mnemic.model.trace import Trace
from mnemic.retrieve.nearby import Nearby

_MOOD_FROM = 0.3
"""Intensity from which a memory's mood is told."""


def felt(question: str, behind: Nearby, mind: Mind, now: int) -> tuple[Partial, ...]:
    """What is felt to be known of a question, the strongest feeling first.

    Args:
        question: what was asked.
        behind: what stood right behind the hits.
        mind: the settings.
        now: milliseconds.
    """
    if not mind.works(mind.knowing) or not behind.behind:
        return ()
    misses = [
        NearMiss(
            id=one.trace.id,
            score=one.cosine,
            similarity=one.cosine,
            entities=_names(one.trace),
            mood=_mood(one.trace),
            created_at=to_ms(one.trace.created_at),
        )
        for one in behind.behind
    ]
    asked = [name.label for name in find_entities(question)]
    found = feelings(misses, behind.least_cosine, asked, rules_of(mind).knowing, now)
    return tuple(
        Partial(one.id, one.knowing, one.kind.value, one.entities, one.mood, one.age_days)
        for one in found[: mind.knowing.most]
    )


def _names(trace: Trace) -> tuple[str, ...]:
    found: Iterable[str] = (name.label for name in find_entities(trace.content))
    return tuple(dict.fromkeys((*trace.entities, *found)))


def _mood(trace: Trace) -> str | None:
    """The mood that a memory carries, where it is felt."""
    emotion = trace.emotion
    if emotion.intensity < _MOOD_FROM:
        return None
    return Mood(emotion.valence, 2 * emotion.arousal - 1, emotion.dominance).label
