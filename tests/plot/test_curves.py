"""A curve is what the brain said of a memory at each instant of its life."""

from __future__ import annotations

from datetime import timedelta

import pytest

from mnemic import BoundMemory, Memory
from mnemic.model.times import to_ms
from mnemic.plot.decay import Curve, curve
from tests.conftest import START, FixedClock


def strength_on(line: Curve, at: int) -> float:
    """The strength of a curve at an instant in milliseconds: after a change, not before it."""
    points = [
        (to_ms(time), strength) for time, strength in zip(line.times, line.strengths, strict=True)
    ]
    return next(strength for time, strength in reversed(points) if time <= at)


def test_a_curve_is_what_was_said_at_the_time(
    memory: Memory, ana: BoundMemory, clock: FixedClock
) -> None:
    trace = ana.remember("Olives are cured for six weeks.").trace
    assert trace is not None
    told: dict[int, float] = {}
    for day in range(1, 60):
        clock.advance(days=1)
        if day in (5, 20, 33):
            ana.recall("olives")
        if day == 21:
            ana.mind.feedback([trace.id], "ignored")
        if day == 34:
            ana.mind.feedback([trace.id], "used")
        if day == 45:
            memory.consolidate()
        told[to_ms(clock())] = ana.mind.strength(trace.id).now
    changes = ana.history(trace.id).changes
    assert {"recall", "ignored", "used", "reinforced"} <= {change.cause for change in changes}
    end = clock() + timedelta(days=90)
    line = curve(ana.show(trace.id), changes, end)
    # The points of a curve are about .6 of a day apart, and it fades slowly.
    assert {at: strength_on(line, at) for at in told} == pytest.approx(told, abs=0.01)
    assert min(told.values()) < max(told.values()) - 0.1
    assert len(line.uses) == 4
    assert len(line.reinforced) == 1
    assert line.times[-1] == end
    clock.advance(days=90)
    assert line.strengths[-1] == pytest.approx(ana.mind.strength(trace.id).now)


def test_where_nothing_fades_a_curve_is_flat(ana: BoundMemory, clock: FixedClock) -> None:
    trace = ana.remember("Olives are cured for six weeks.").trace
    assert trace is not None
    end = START + timedelta(days=300)
    assert len(set(curve(trace, (), end).strengths)) > 100
    assert set(curve(trace, (), end, fades=False).strengths) == {trace.strength}


def test_a_curve_of_a_moment(ana: BoundMemory) -> None:
    trace = ana.remember("Olives are cured for six weeks.").trace
    assert trace is not None
    line = curve(trace, (), trace.created_at)
    assert set(line.strengths) == {trace.strength}
    assert set(line.times) == {trace.created_at}
