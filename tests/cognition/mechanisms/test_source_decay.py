"""What the agent thought of itself fades faster than what it was told."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic.cognition.mechanisms.source_decay import MULTIPLIERS, SourceDecay, decayed_stability
from mnemic.model.mind import Personality
from mnemic.model.origin import SourceType

HOUR = 3_600_000
DAY = 24 * HOUR
RULES = SourceDecay()
AGENTOS = SourceDecay(interval=HOUR)

TABLE = {
    "user_statement": 1.0,
    "agent_inference": 0.80,
    "tool_result": 1.0,
    "observation": 0.95,
    "reflection": 0.75,
    "external": 0.90,
    "fact_graph": 0.85,
    "typed_network": 0.85,
    "retrieved_document": 0.95,
    "human_approval": 1.0,
    "identity_provider": 1.0,
    "system_config": 1.0,
    "external_api": 0.90,
    "memory_summary": 0.75,
}


def after(rules: SourceDecay, source: SourceType, span: int, every: int) -> float:
    """What is left of a stability of 1 when it is looked at now and then."""
    stability, last = 1.0, 0
    for now in range(every, span + 1, every):
        found = decayed_stability(stability, source, 0.5, last, now, rules)
        if found is not None:
            stability, last = found, now
    return stability


def test_the_table_has_all_fourteen_sources() -> None:
    assert {str(source): value for source, value in MULTIPLIERS.items()} == TABLE
    assert set(MULTIPLIERS) == set(SourceType)


@pytest.mark.parametrize("source", SourceType)
def test_a_loss_is_by_the_source(source: SourceType) -> None:
    found = decayed_stability(1_000.0, source, 0.5, None, 0, RULES)
    expected = TABLE[source.value]
    assert found == (None if expected == 1 else pytest.approx(1_000 * expected))


def test_inferred_fades_faster_than_seen_and_what_was_told_does_not() -> None:
    """Johnson & Raye 1981, Johnson, Hashtroudi & Lindsay 1993."""
    shaped = RULES.shaped(Personality())
    year = {source: after(shaped, source, 365 * DAY, DAY) for source in SourceType}
    assert year[SourceType.USER_STATEMENT] == 1
    assert year[SourceType.OBSERVATION] == pytest.approx(0.95**12)
    assert year[SourceType.AGENT_INFERENCE] == pytest.approx(0.725**12)
    assert year[SourceType.REFLECTION] < year[SourceType.AGENT_INFERENCE] < 0.05


def test_an_hourly_loss_leaves_nothing_of_a_guess_within_a_day() -> None:
    guess = SourceType.AGENT_INFERENCE
    assert after(AGENTOS, guess, DAY, HOUR) == pytest.approx(0.8**24)
    assert after(AGENTOS, guess, DAY, HOUR) < 1 / 200
    assert after(RULES, guess, DAY, HOUR) == 1


def test_once_an_interval() -> None:
    source = SourceType.REFLECTION
    for rules in (RULES, AGENTOS):
        soon, due = 5 + rules.interval - 1, 5 + rules.interval
        assert decayed_stability(10.0, source, 0.5, 5, soon, rules) is None
        assert decayed_stability(10.0, source, 0.5, 5, due, rules) == 7.5


@pytest.mark.parametrize(("strength", "left"), [(0.79, 7.5), (0.8, 9.0), (1.0, 9.0)])
def test_a_strong_memory_loses_a_tenth_at_most(strength: float, left: float) -> None:
    found = decayed_stability(10.0, SourceType.REFLECTION, strength, None, 0, RULES)
    assert found == pytest.approx(left)
    gentle = decayed_stability(10.0, SourceType.OBSERVATION, strength, None, 0, RULES)
    assert gentle == pytest.approx(9.5)


@pytest.mark.parametrize(
    ("honesty", "guess", "reflection"), [(0, 0.8, 0.75), (0.5, 0.725, 0.675), (1, 0.65, 0.6)]
)
def test_honesty_marks_down_ones_own_thoughts(
    honesty: float, guess: float, reflection: float
) -> None:
    shaped = RULES.shaped(Personality(honesty=honesty)).multipliers
    assert shaped[SourceType.AGENT_INFERENCE] == pytest.approx(guess)
    assert shaped[SourceType.REFLECTION] == pytest.approx(reflection)
    others = set(SourceType) - {SourceType.AGENT_INFERENCE, SourceType.REFLECTION}
    assert all(shaped[source] == MULTIPLIERS[source] for source in others)


def test_the_floors_stop_honesty_and_raise_nothing() -> None:
    low = {SourceType.AGENT_INFERENCE: 0.55, SourceType.REFLECTION: 0.3}
    shaped = SourceDecay(multipliers=low).shaped(Personality(honesty=1)).multipliers
    assert shaped[SourceType.AGENT_INFERENCE] == 0.5
    assert shaped[SourceType.REFLECTION] == 0.3
    assert MULTIPLIERS[SourceType.REFLECTION] == 0.75


def test_a_source_that_no_table_has_costs_nothing() -> None:
    rules = SourceDecay(multipliers={SourceType.EXTERNAL: 0.5})
    assert decayed_stability(10.0, SourceType.EXTERNAL, 0.1, None, 0, rules) == 5
    assert decayed_stability(10.0, SourceType.OBSERVATION, 0.1, None, 0, rules) is None


@settings(max_examples=200)
@given(
    st.floats(0, 1e12),
    st.sampled_from(SourceType),
    st.floats(0, 1),
    st.none() | st.integers(0, 10**12),
    st.integers(0, 10**12),
    st.floats(0, 1),
)
def test_stability_falls_by_a_bounded_share(
    stability: float,
    source: SourceType,
    strength: float,
    last: int | None,
    now: int,
    honesty: float,
) -> None:
    rules = RULES.shaped(Personality(honesty=honesty))
    found = decayed_stability(stability, source, strength, last, now, rules)
    if found is not None:
        assert 0.4 * stability <= found <= stability
        assert TABLE[source.value] < 1
        assert last is None or now - last >= rules.interval
