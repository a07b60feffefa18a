"""One figure of a speed run: ours, the floor, their ratio, and what it must reach."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np


@dataclass(frozen=True, slots=True)
class Measure:
    """One line of the result.

    Args:
        what: was measured.
        ours, floor: the two figures, in `unit`; medians.
        ratio: ours over the floor; for a rate, and for a share, the figure itself.
        bound: what it must reach.
        good: whether it does.
    """

    what: str
    unit: str
    ours: float
    floor: float | None
    ratio: float
    bound: str
    good: bool


def at_most(what: str, unit: str, ours: float, floor: float, bound: float) -> Measure:
    """Ours over the floor, which must not be more than the bound."""
    ratio = ours / floor
    return Measure(what, unit, ours, floor, ratio, f"<= {bound}", ratio <= bound)


def timed(work: Callable[[], object]) -> float:
    """Seconds that some work takes."""
    started = perf_counter()
    work()
    return perf_counter() - started


def median_ms(seconds: Sequence[float]) -> float:
    """The median of some seconds, in milliseconds."""
    return float(np.median(seconds)) * 1000
