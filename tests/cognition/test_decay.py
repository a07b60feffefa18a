"""How a trace fades with time."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.cognition.decay import Pruning, fades_at, is_prunable, recency, strength_at
from mnemic.model.mind import Emotion, Engram
from tests.cognition.engrams import DAY, ENGRAMS, HOUR, SPAN, START, engram


def test_the_curve_of_ebbinghaus() -> None:
    one = engram(0.8, stability=10 * DAY)
    assert strength_at(one, START) == 0.8
    assert strength_at(one, START + 10 * DAY) == pytest.approx(0.8 / math.e)
    days = [strength_at(one, START + day * DAY) for day in range(20)]
    shares = [later / earlier for earlier, later in pairwise(days)]
    assert shares == pytest.approx([shares[0]] * 19)  # the same share in equal times


def test_it_fades_from_its_last_use() -> None:
    one = engram(0.8, used_at=START + 5 * DAY)
    assert strength_at(one, START + 5 * DAY) == 0.8
    assert strength_at(one, START) == 0.8  # a clock that was put back


def test_no_stability_is_no_division_by_zero() -> None:
    assert strength_at(engram(0.8, stability=0.0), START + 1) == pytest.approx(0.8 / math.e)


@given(ENGRAMS, SPAN, SPAN)
def test_strength_only_falls_with_time_and_stays_in_bounds(one: Engram, a: int, b: int) -> None:
    sooner, later = sorted((START + a, START + b))
    assert 0 <= strength_at(one, later) <= strength_at(one, sooner) <= one.strength


def test_with_an_hour_of_stability_a_neutral_trace_is_gone_within_five() -> None:
    agentos = engram(0.2875, stability=HOUR * (1 + 6 * 0.2875))
    assert strength_at(agentos, START + 4 * HOUR) > 0.05
    assert strength_at(agentos, START + 5 * HOUR) < 0.05


@given(ENGRAMS, st.floats(0.001, 1))
def test_it_falls_below_a_strength_at_that_instant_and_no_sooner(
    one: Engram, threshold: float
) -> None:
    at = fades_at(one, threshold)
    if at is None:
        assert strength_at(one, one.fresh_at + 9_000 * 365 * DAY) >= threshold
        return
    assert strength_at(one, at) < threshold
    if at > one.fresh_at:
        assert strength_at(one, at - 1) >= threshold
    else:
        assert one.strength < threshold


def test_when_it_fades() -> None:
    one = engram(0.5, stability=10 * DAY)
    assert fades_at(one, 0.05) == pytest.approx(START + 10 * DAY * math.log(10), abs=1)
    assert fades_at(one, 0.5) == START + 1
    assert fades_at(one, 0.6) == START
    assert fades_at(one, 0) is None
    assert fades_at(engram(0.5, stability=1e300), 0.05) is None


def test_only_what_is_faint_and_moves_little_may_go() -> None:
    rule = Pruning()
    late = START + 365 * DAY
    assert is_prunable(engram(), late, rule)
    assert not is_prunable(engram(), START, rule)
    assert not is_prunable(engram(emotion=Emotion(-1, 0.3, 0)), late, rule)
    assert is_prunable(engram(emotion=Emotion(-1, 0.29, 0)), late, rule)
    assert is_prunable(engram(0.04), START, rule)
    assert not is_prunable(engram(0.05), START, rule)


def test_recency() -> None:
    assert recency(0, DAY) == 1
    assert recency(DAY, DAY) == pytest.approx(1 / math.e)
    assert recency(-DAY, DAY) == 1
    assert recency(1_000 * DAY, DAY) == pytest.approx(0)
