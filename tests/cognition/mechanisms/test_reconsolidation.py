"""Recall in a mood moves a memory's feeling toward it, a little, and only so far in its life."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic.cognition.mechanisms.reconsolidation import Reconsolidation, reconsolidated
from mnemic.model.mind import MOODS, NEUTRAL, Emotion, Mood, Personality

RULES = Reconsolidation()
AGENTOS = Reconsolidation(immune_strength=9, in_neutral_mood=True)
FRUSTRATED = MOODS["frustrated"]
JOY = Emotion(valence=0.8, arousal=0.5, dominance=0.4)

signed = st.floats(-1, 1)
share = st.floats(0, 1)
emotions = st.builds(Emotion, valence=signed, arousal=share, dominance=signed)
moods = st.builds(Mood, valence=signed, arousal=signed, dominance=signed)


def axes(emotion: Emotion) -> tuple[float, float, float]:
    return emotion.valence, emotion.arousal, emotion.dominance


def goal(mood: Mood) -> tuple[float, float, float]:
    return mood.valence, mood.level, mood.dominance


def moved(one: Emotion, other: Emotion) -> float:
    return sum(abs(a - b) for a, b in zip(axes(one), axes(other), strict=True))


def test_one_recall_moves_by_the_rate() -> None:
    found = reconsolidated(JOY, FRUSTRATED, 0.0, 0.5, RULES)
    assert found is not None
    emotion, drifted = found
    assert axes(emotion) == pytest.approx((0.7275, 0.515, 0.39))  # 5 % of the way to -.65 .8 .2
    assert drifted == pytest.approx(0.0975)


def test_a_happy_memory_recalled_in_frustration_turns_less_happy_until_it_is_spent() -> None:
    """Nader, Schafe & Le Doux 2000: recall stores the memory anew, in today's colours."""
    emotion, drifted, recalls = JOY, 0.0, 0
    while (found := reconsolidated(emotion, FRUSTRATED, drifted, 0.5, RULES)) is not None:
        assert found[0].valence < emotion.valence
        assert found[0].arousal > emotion.arousal
        (emotion, drifted), recalls = found, recalls + 1
        assert recalls < 100
    assert recalls > 3
    assert drifted == RULES.most
    assert moved(JOY, emotion) == pytest.approx(RULES.most)
    assert emotion.valence > 0.4  # still a happy one


def test_what_is_left_of_the_budget_is_shared_by_the_axes() -> None:
    found = reconsolidated(JOY, FRUSTRATED, 0.35, 0.5, RULES)
    assert found is not None
    assert found[1] == 0.4
    assert moved(JOY, found[0]) == pytest.approx(0.05)
    free = reconsolidated(JOY, FRUSTRATED, 0.0, 0.5, RULES)
    assert free is not None
    ratio = 0.05 / 0.0975
    assert found[0].valence == pytest.approx(0.8 + ratio * (free[0].valence - 0.8))
    assert reconsolidated(JOY, FRUSTRATED, 0.4, 0.5, RULES) is None


def test_a_strong_memory_is_immune_where_agentos_moves_it() -> None:
    assert reconsolidated(JOY, FRUSTRATED, 0.0, 0.899, RULES) is not None
    assert reconsolidated(JOY, FRUSTRATED, 0.0, 0.9, RULES) is None
    assert reconsolidated(JOY, FRUSTRATED, 0.0, 1.0, AGENTOS) is not None


def test_a_neutral_mood_flattens_nothing_unless_asked_to() -> None:
    assert reconsolidated(JOY, NEUTRAL, 0.0, 0.5, RULES) is None
    assert reconsolidated(JOY, Mood(0.01, 0, 0), 0.0, 0.5, RULES) is not None
    flattened = reconsolidated(JOY, NEUTRAL, 0.0, 0.5, AGENTOS)
    assert flattened is not None
    assert axes(flattened[0]) == pytest.approx((0.76, 0.5, 0.38))


def test_a_memory_that_feels_like_the_mood_does_not_change() -> None:
    same = Emotion(*goal(FRUSTRATED))
    assert reconsolidated(same, FRUSTRATED, 0.0, 0.5, RULES) is None
    assert reconsolidated(JOY, FRUSTRATED, 0.0, 0.5, Reconsolidation(rate=0)) is None


def test_emotionality_scales_the_rate() -> None:
    assert RULES.shaped(Personality()) == RULES
    assert RULES.shaped(Personality(emotionality=0)).rate == pytest.approx(0.025)
    assert RULES.shaped(Personality(emotionality=1)).rate == pytest.approx(0.075)
    assert Reconsolidation(rate=0.9).shaped(Personality(emotionality=1)).rate == 1


@settings(max_examples=200)
@given(emotions, moods, share, share, st.floats(0, 1), st.floats(0, 2))
def test_a_move_is_toward_the_mood_and_within_the_budget(
    emotion: Emotion, mood: Mood, strength: float, drifted: float, rate: float, most: float
) -> None:
    rules = Reconsolidation(rate=rate, most=most)
    found = reconsolidated(emotion, mood, drifted, strength, rules)
    if found is None:
        return
    after, total = found
    assert drifted <= total <= most
    assert moved(emotion, after) == pytest.approx(total - drifted, abs=1e-9)
    for was, now, to in zip(axes(emotion), axes(after), goal(mood), strict=True):
        assert min(was, to) - 1e-9 <= now <= max(was, to) + 1e-9
    assert -1 <= after.valence <= 1
    assert 0 <= after.arousal <= 1
    assert -1 <= after.dominance <= 1


@settings(max_examples=200)
@given(emotions, moods)
def test_any_number_of_recalls_stays_within_the_budget(emotion: Emotion, mood: Mood) -> None:
    now, drifted, path = emotion, 0.0, 0.0
    for _ in range(60):
        found = reconsolidated(now, mood, drifted, 0.5, RULES)
        if found is None:
            break
        path += moved(now, found[0])
        now, drifted = found
    assert drifted <= RULES.most
    assert math.isclose(path, drifted, abs_tol=1e-6)
