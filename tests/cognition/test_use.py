"""What use, neglect and interference do to a trace."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.cognition.decay import (
    Growth,
    Interference,
    Penalty,
    due,
    ignored,
    interfered,
    strength_at,
    used,
)
from mnemic.model.mind import Emotion, Engram
from tests.cognition.engrams import DAY, ENGRAMS, HOUR, SPAN, START, engram

GROWTH = Growth()
PENALTY = Penalty()


def after(first: Engram, *gaps: int) -> Engram:
    """A trace used again and again, each time so long after the time before."""
    found = first
    for now in accumulate(gaps, initial=START):
        if now > START:
            found = used(found, now, GROWTH)
    return found


# --- use -------------------------------------------------------------------------------------


def test_a_recall_by_the_numbers_of_agentos() -> None:
    one = engram(0.5, stability=float(DAY), uses=2, emotion=Emotion(-0.8, 0.5, 0))
    now = START + DAY
    found = used(one, now, GROWTH)
    difficulty = 1 - 0.5 / math.e
    assert found.stability == pytest.approx(
        DAY * (1.5 + 2 * difficulty) / (1 + 0.1 * 2) * (1 + 0.3 * 0.4)
    )
    assert found.strength == 0.6
    assert (found.uses, found.used_at) == (3, now)
    assert (found.interval, found.due_at) == (2 * HOUR, now + 2 * HOUR)


def test_an_easy_recall_has_a_least_difficulty() -> None:
    found = used(engram(1.0, stability=float(DAY)), START, GROWTH)
    assert found.stability == pytest.approx(DAY * 1.7)
    assert found.strength == 1


def test_an_easy_recall_after_many_others_takes_nothing_away() -> None:
    one = engram(1.0, uses=20)
    assert 1.7 / (1 + 0.1 * 20) < 1  # what AgentOS multiplies with
    assert used(one, START, GROWTH).stability == one.stability


def test_the_interval_doubles_with_each_use() -> None:
    found = [after(engram(), *[DAY] * uses).interval for uses in range(5)]
    assert found == [HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 16 * HOUR]


def test_a_harder_recall_adds_more() -> None:
    one = engram(0.9)
    gains = [used(one, START + days * DAY, GROWTH).stability for days in (0, 1, 10, 60)]
    assert gains == sorted(set(gains))


@pytest.mark.parametrize("uses", [1, 2, 4, 8])
@pytest.mark.parametrize("wait", [30 * DAY, 365 * DAY])
def test_spread_uses_do_more_than_massed_ones(uses: int, wait: int) -> None:
    massed = after(engram(), *[60_000] * uses)
    spread = after(engram(), *[20 * DAY] * uses)
    assert massed.uses == spread.uses
    assert massed.used_at is not None
    assert spread.used_at is not None
    # as long after the last use of each, as in the studies that Cepeda et al. review
    assert strength_at(spread, spread.used_at + wait) > strength_at(massed, massed.used_at + wait)


@given(ENGRAMS, SPAN, SPAN)
def test_use_never_weakens(one: Engram, wait: int, more: int) -> None:
    now = START + wait
    found = used(one, now, GROWTH)
    assert one.strength <= found.strength <= 1
    assert found.stability >= one.stability
    assert found.interval >= one.interval
    assert found.uses == one.uses + 1
    assert found.fresh_at >= one.fresh_at
    assert found.due_at is not None
    assert found.due_at >= found.fresh_at
    assert strength_at(found, now + more) >= strength_at(one, now + more)


def test_a_thousand_uses_still_fit_a_database() -> None:
    found = after(engram(stability=1e12), *[DAY] * 1_000)
    assert found.interval == found.stability == GROWTH.longest
    assert found.due_at is not None
    assert found.due_at < 2**63
    assert found.strength == 1


def test_when_it_is_due() -> None:
    assert not due(engram(), START + 1_000 * DAY)
    one = used(engram(), START, GROWTH)
    assert not due(one, START + 2 * HOUR - 1)
    assert due(one, START + 2 * HOUR)


def test_each_constant_of_growth_is_read() -> None:
    one = engram(0.5, uses=1, emotion=Emotion(1, 1, 0))
    full = engram(1.0, uses=1)
    for growth in (
        Growth(factor=1.0),
        Growth(of_difficulty=1.0),
        Growth(diminishing=0.3),
        Growth(of_emotion=0.0),
        Growth(gain=0.2),
        Growth(of_interval=3.0),
        Growth(longest=1.0),
    ):
        assert used(one, START, growth) != used(one, START, GROWTH)
    assert used(full, START, Growth(least_difficulty=0.5)) != used(full, START, GROWTH)


# --- neglect ---------------------------------------------------------------------------------


def test_ignored_by_the_numbers_of_agentos() -> None:
    one = engram(0.6, stability=10.0 * DAY, uses=3, due_at=START + HOUR)
    now = START + 10 * DAY
    found = ignored(one, now, PENALTY)
    assert found.strength == pytest.approx(0.9 * 0.6 / math.e)
    assert found.stability == 5 * DAY
    assert (found.used_at, found.uses, found.due_at) == (now, 3, START + HOUR)


def test_stability_is_not_cut_below_a_minute() -> None:
    assert ignored(engram(stability=100_000.0), START, PENALTY).stability == 60_000
    assert ignored(engram(stability=20_000.0), START, PENALTY).stability == 20_000


@given(ENGRAMS, SPAN, SPAN)
def test_neglect_never_strengthens(one: Engram, wait: int, more: int) -> None:
    now = START + wait
    found = ignored(one, now, PENALTY)
    assert 0 <= found.strength <= one.strength
    assert 0 < found.stability <= one.stability
    assert found.fresh_at >= one.fresh_at
    assert strength_at(found, now + more) <= strength_at(one, now + more)


# --- interference ----------------------------------------------------------------------------


def test_interference_by_the_numbers_of_agentos() -> None:
    near, far = engram(0.5), engram(0.8)
    new, (near_after, far_after) = interfered(
        engram(0.6), [(near, 0.85), (far, 0.7)], START, Interference()
    )
    assert near_after.strength == pytest.approx(0.5 - 0.15 * 0.5)
    assert far_after == far
    assert new.strength == pytest.approx(0.6 - 0.1 * 0.5 * 0.5)


def test_what_has_faded_hinders_the_new_less() -> None:
    old = engram(0.9)
    fresh, _ = interfered(engram(0.6), [(old, 1.0)], START, Interference())
    faded, _ = interfered(engram(0.6), [(old, 1.0)], START + 90 * DAY, Interference())
    assert fresh.strength < faded.strength < 0.6


def test_nothing_is_weaker_than_not_there() -> None:
    new, [old] = interfered(engram(0.05), [(engram(0.1), 1.0)], START, Interference())
    assert new.strength == pytest.approx(0.04)
    assert old.strength == 0
    new, _ = interfered(engram(0.05), [(engram(1.0), 1.0)], START, Interference())
    assert new.strength == 0


def test_the_new_trace_loses_only_so_much() -> None:
    old = [(engram(1.0), 1.0)] * 20
    assert interfered(engram(0.9), old, START, Interference())[0].strength == pytest.approx(0.6)
    assert interfered(engram(0.9), old, START, Interference(most=0.1))[0].strength == pytest.approx(
        0.8
    )


@given(ENGRAMS, st.lists(st.tuples(ENGRAMS, st.floats(-1, 1.001)), max_size=5), SPAN)
def test_interference_only_weakens_and_only_what_is_alike(
    new: Engram, old: list[tuple[Engram, float]], wait: int
) -> None:
    new_after, old_after = interfered(new, old, START + wait, Interference())
    assert 0 <= new_after.strength <= new.strength
    assert len(old_after) == len(old)
    for (before, similarity), later in zip(old, old_after, strict=True):
        assert 0 <= later.strength <= before.strength
        assert replace(later, strength=before.strength) == before
        assert similarity > 0.7 or later == before
