"""Where boxes stand on paper: moved apart until none lies on another, as near to where they were.

Pure geometry. The unit is a point; the origin is below on the left.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

Point = tuple[float, float]
Size = tuple[float, float]
Rectangle = tuple[Point, Size]
"""The middle and the size of a box."""

_GAP = 5.0
_ROUNDS = 400
_WAYS = (0.5, 0.42, 0.58, 0.34, 0.66, 0.27, 0.73)
"""Where along a line its label may stand, the best first."""


def apart(centres: Mapping[str, Point], sizes: Mapping[str, Size], paper: Size) -> dict[str, Point]:
    """The middles of boxes, moved so that no two lie on each other and all are on the paper.

    Where there is no room for that, as little as can be lies on something else.
    """
    names = sorted(centres)
    found = {name: list(_within(centres[name], sizes[name], paper)) for name in names}
    for _ in range(_ROUNDS):
        moved = False
        for one, other in combinations(names, 2):
            moved |= _push(found[one], found[other], sizes[one], sizes[other])
        for name in names:
            found[name] = list(_within((found[name][0], found[name][1]), sizes[name], paper))
        if not moved:
            break
    return {name: (place[0], place[1]) for name, place in found.items()}


def _push(one: list[float], other: list[float], size: Size, other_size: Size) -> bool:
    """Move two boxes apart along the way that is shorter; tells whether that was needed."""
    depths = [
        (size[axis] + other_size[axis]) / 2 + _GAP - abs(one[axis] - other[axis]) for axis in (0, 1)
    ]
    if min(depths) <= 0.01:
        return False
    axis = 0 if depths[0] < depths[1] else 1
    step = depths[axis] / 2 if one[axis] <= other[axis] else -depths[axis] / 2
    one[axis] -= step
    other[axis] += step
    return True


def _within(place: Point, size: Size, paper: Size) -> Point:
    x, y = (
        min(max(place[axis], size[axis] / 2 + 1), max(paper[axis] - size[axis] / 2 - 1, 1))
        for axis in (0, 1)
    )
    return x, y


def beside(start: Point, end: Point, size: Size, taken: Sequence[Rectangle]) -> Point:
    """Where on a line its label stands: as near to the middle as it lies on nothing that is there.

    Args:
        start, end: of the line.
        size: of the label.
        taken: boxes that stand there already.
    """
    ways = [
        (start[0] + (end[0] - start[0]) * way, start[1] + (end[1] - start[1]) * way)
        for way in _WAYS
    ]
    return min(ways, key=lambda place: (covered((place, size), taken), ways.index(place)))


def covered(box: Rectangle, taken: Iterable[Rectangle]) -> float:
    """How much of some boxes a box lies on, in square points."""
    (place, size) = box
    found = 0.0
    for other, other_size in taken:
        depths = [
            (size[axis] + other_size[axis]) / 2 - abs(place[axis] - other[axis]) for axis in (0, 1)
        ]
        if min(depths) > 0:
            found += depths[0] * depths[1]
    return found
