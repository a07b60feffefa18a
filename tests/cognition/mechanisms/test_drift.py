"""What is felt again and again suggests a small change of personality, and makes none."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic.cognition.mechanisms.drift import Drift, Proposal, Relationships, proposals
from mnemic.model.mind import Emotion, Personality

RULES = Drift()
MIDDLING = Personality()
SAME = Relationships()

QUARREL = Emotion(valence=-0.6, arousal=0.55)
PARTY = Emotion(valence=0.6, arousal=0.55)
CALM = Emotion(valence=0.1, arousal=0.2)
PLAIN = Emotion(valence=0.0, arousal=0.5)
ALARM = Emotion(valence=0.0, arousal=0.9)


def deltas(found: list[Proposal]) -> dict[str, float]:
    return {one.trait: one.delta for one in found}


def test_lasting_conflict_suggests_less_agreeableness() -> None:
    """Wrzus & Roberts 2017: states that come back become a trait, little by little."""
    [one] = proposals([QUARREL] * 30 + [PLAIN] * 20, SAME, MIDDLING, RULES)
    assert (one.trait, one.delta, one.traces) == ("agreeableness", -0.03, 50)
    assert one.value_before == 0.5
    assert one.value_after == pytest.approx(0.47)
    assert "0.60" in one.reason


@pytest.mark.parametrize(
    ("emotion", "expected"),
    [
        (QUARREL, {"agreeableness": -0.05}),
        (PARTY, {"extraversion": 0.05}),
        (ALARM, {"emotionality": 0.02}),
        (CALM, {"conscientiousness": 0.025}),
        (PLAIN, {}),
    ],
)
def test_each_pattern_has_its_trait(emotion: Emotion, expected: dict[str, float]) -> None:
    assert deltas(proposals([emotion] * 50, SAME, MIDDLING, RULES)) == pytest.approx(expected)


def test_the_fewer_the_memories_the_smaller_the_change() -> None:
    few = proposals([QUARREL] * 10, SAME, MIDDLING, RULES)
    assert deltas(few) == {"agreeableness": -0.022}  # .05 * (.3 + .7 * 10 / 50)
    assert few[0].traces == 10
    assert proposals([QUARREL] * 9, SAME, MIDDLING, RULES) == []
    many = proposals([QUARREL] * 500, SAME, MIDDLING, RULES)
    assert deltas(many) == {"agreeableness": -0.05}


def test_a_score_must_be_above_the_threshold() -> None:
    assert proposals([QUARREL] * 15 + [PLAIN] * 35, SAME, MIDDLING, RULES) == []
    assert len(proposals([QUARREL] * 16 + [PLAIN] * 34, SAME, MIDDLING, RULES)) == 1


def test_a_memory_without_feeling_is_not_counted_as_calm() -> None:
    unfelt = [Emotion()] * 50
    assert proposals(unfelt, SAME, MIDDLING, RULES) == []
    assert proposals([], SAME, MIDDLING, Drift(min_traces=0)) == []
    [one] = proposals(unfelt + [CALM] * 10, SAME, MIDDLING, RULES)
    assert (one.trait, one.traces) == ("conscientiousness", 10)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        # conflict .3 of itself: not above .3, so any bias tips it
        (Relationships(trust=-10), {}),
        (Relationships(trust=-12), {"agreeableness": -0.018}),  # .3 + .5 * .12
        (Relationships(tension=10), {}),
        (Relationships(tension=50), {"agreeableness": -0.022}),  # .3 + .3 * .5 = .45
        (Relationships(affection=50), {}),
        (Relationships(trust=-20), {"agreeableness": -0.02, "honesty": -0.01}),
        (Relationships(respect=40), {"conscientiousness": 0.02}),
        (Relationships(respect=15), {}),
    ],
)
def test_relationships_bias_and_suggest(change: Relationships, expected: dict[str, float]) -> None:
    felt = [QUARREL] * 15 + [PLAIN] * 35
    assert deltas(proposals(felt, change, MIDDLING, RULES)) == pytest.approx(expected, abs=6e-4)


def test_affection_makes_company_more_pleasant() -> None:
    felt = [PARTY] * 15 + [PLAIN] * 35
    assert proposals(felt, SAME, MIDDLING, RULES) == []
    found = proposals(felt, Relationships(affection=50), MIDDLING, RULES)
    assert deltas(found) == pytest.approx({"extraversion": 0.022}, abs=6e-4)


def test_the_two_largest_are_proposed() -> None:
    felt = [Emotion(-0.6, 0.9)] * 25 + [Emotion(0.6, 0.9)] * 25
    change = Relationships(trust=-40, respect=30)
    found = proposals(felt, change, MIDDLING, RULES)
    assert [one.trait for one in found] == ["agreeableness", "extraversion"]
    everything = proposals(felt, change, MIDDLING, Drift(most_proposals=9))
    assert len(everything) == 5


def test_a_trait_gets_one_proposal_the_larger() -> None:
    found = proposals([CALM] * 50, Relationships(respect=80), MIDDLING, RULES)
    assert deltas(found) == {"conscientiousness": 0.04}
    assert "respect" in found[0].reason


def test_a_trait_at_its_end_goes_no_further() -> None:
    near = Personality(agreeableness=0.02)
    [one] = proposals([QUARREL] * 50, SAME, near, RULES)
    assert (one.delta, one.value_after) == (-0.02, 0)
    assert proposals([QUARREL] * 50, SAME, Personality(agreeableness=0), RULES) == []


emotions = st.builds(
    Emotion, valence=st.floats(-1, 1), arousal=st.floats(0, 1), dominance=st.floats(-1, 1)
)
level = st.floats(-100, 100)
trait = st.floats(0, 1)


@settings(max_examples=200)
@given(
    st.lists(emotions, max_size=30),
    st.builds(Relationships, trust=level, affection=level, tension=level, respect=level),
    st.builds(
        Personality,
        honesty=trait,
        emotionality=trait,
        extraversion=trait,
        agreeableness=trait,
        conscientiousness=trait,
    ),
)
def test_proposals_are_few_small_and_in_range(
    felt: list[Emotion], change: Relationships, personality: Personality
) -> None:
    found = proposals(felt, change, personality, RULES)
    assert len({one.trait for one in found}) == len(found) <= 2
    sizes = [abs(one.delta) for one in found]
    assert sizes == sorted(sizes, reverse=True)
    for one in found:
        assert 0 < abs(one.delta) <= RULES.most
        assert 0 <= one.value_after <= 1
        assert one.value_before == getattr(personality, one.trait)
        assert one.value_after == pytest.approx(one.value_before + one.delta)
        assert one.reason
