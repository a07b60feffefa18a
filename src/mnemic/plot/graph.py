"""What lies around a name: names by what they are called, memories by numbers, and their ties.

Things repel and ties draw (Fruchterman & Reingold 1991), from a fixed start; labels that lie on
each other are then moved apart (`places.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mnemic.bound import BoundMemory
from mnemic.model.errors import InvalidInput, MnemicError
from mnemic.model.graph import EdgeKind, EntityKind, Region, Thing
from mnemic.plot.frame import INK, QUIET, SPACE, checked_path, picture, size_of, title, words
from mnemic.plot.places import Point, Rectangle, Size, apart, beside

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text

MOST = 150
"""Things in one picture; with more it could not be read."""

_NAME_CHARS, _TRACE_CHARS = 26, 62
_SEED = 7
_TRACE = "trace"
_HEAD, _FOOT = 0.6, 0.45
"""Inches above and below the picture."""

_LINE = 0.2
"""Inches from one line of the list to the next."""

_FILL = {
    EntityKind.PERSON: "#CFE3F5",
    EntityKind.PLACE: "#D3EBDD",
    EntityKind.ORGANIZATION: "#F5DCC8",
    EntityKind.EVENT: "#EBD6EA",
    EntityKind.WORK: "#EFE6C0",
    EntityKind.TOPIC: "#DDDDEE",
    EntityKind.THING: "#E6E6E6",
}
_PLAIN = frozenset({EdgeKind.MENTIONS, EdgeKind.CO_ACTIVATED})
"""Ties whose kind is told by the line; those of other kinds are named on it."""


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A region on its way to the paper.

    Args:
        things: those in the picture, by id, the nearest first.
        numbers: of the memories among them.
        ties: ids of both ends, and the kinds between them.
        centre: ids of what lies in the middle.
    """

    things: Mapping[str, Thing]
    numbers: Mapping[str, int]
    ties: Mapping[tuple[str, str], Sequence[tuple[str, float]]]
    centre: frozenset[str]

    def label(self, one: str) -> str:
        """What stands in the picture for a thing."""
        number = self.numbers.get(one)
        return words(self.things[one].label, _NAME_CHARS) if number is None else str(number)


def plot_graph(
    bound: BoundMemory, name: str, path: str | Path, *, depth: int = 2, limit: int = 40
) -> tuple[str, ...]:
    """Draw the names and memories around a name, and what ties them together.

    Args:
        bound: whose memories.
        name: a name, or the id of a name or a memory.
        path: the file, which ends in ``.svg`` or ``.png``.
        depth: up to so many ties away.
        limit: most things, at most `MOST`.

    Returns:
        the ids of the things that are drawn.

    Raises:
        NotFound: there is no such thing within reach.
        MnemicError: matplotlib or networkx is not installed.
    """
    checked_path(path)
    if limit > MOST:
        raise InvalidInput(f"limit {limit!r} must be at most {MOST}; more cannot be read")
    found = _drawn(bound.graph.around(name, depth=depth, limit=limit))
    lines = len(found.numbers)
    height = max(6.5, 1.2 + _LINE * lines, 0.19 * len(found.things))
    width, share = (13, 0.62) if lines else (9, 0.98)
    with picture(path, width, height) as figure:
        top, bottom = 1 - _HEAD / height, _FOOT / height
        axes = figure.add_axes((0.01, bottom, share, top - bottom))
        centre = " and ".join(sorted({found.things[one].label for one in found.centre}))
        title(axes, f"Around {words(centre, 80)}")
        axes.set_axis_off()
        paper = width * share * 72, (height - _HEAD - _FOOT) * 72
        _draw(figure, axes, found, paper)
        _legend(figure, found)
        for one, number in found.numbers.items():
            y = top - (number - 0.5) * _LINE / height
            figure.text(share + 0.035, y, str(number), ha="right", va="center", fontweight="bold")
            text = words(found.things[one].label, _TRACE_CHARS)
            figure.text(share + 0.043, y, text, va="center", fontsize=8.5)
    return tuple(found.things)


def _drawn(region: Region) -> _Drawn:
    things = {one.id: one for one, _ in region.things}
    traces = [one.id for one, _ in region.things if one.kind == _TRACE]
    ties: dict[tuple[str, str], list[tuple[str, float]]] = {}
    for one, other, kind, weight in region.ties:
        ties.setdefault((one, other), []).append((kind, weight))
    return _Drawn(
        things=things,
        numbers={one: number for number, one in enumerate(traces, 1)},
        ties=ties,
        centre=frozenset(one.id for one, distance in region.things if distance == 0),
    )


def _legend(figure: Figure, found: _Drawn) -> None:
    """What boxes, circles and lines are, on one line below."""
    kinds = {kind for several in found.ties.values() for kind, _ in several}
    told = [one.kind for one in found.things.values() if one.kind != _TRACE]
    at, y = 0.015, 0.16 / figure.get_figheight()
    for name in [kind.value for kind in EntityKind if kind.value in told]:
        box = {
            "boxstyle": "round,pad=0.35",
            "facecolor": _FILL[EntityKind(name)],
            "edgecolor": QUIET,
        }
        chip = figure.text(at + 0.005, y, name, color=INK, fontsize=8, bbox=box)
        at += size_of(figure, chip)[0] / 72 / figure.get_figwidth() + 0.008
    lines = ["○ memory"] if found.numbers else []
    lines += ["── mentions"] if EdgeKind.MENTIONS in kinds else []
    lines += ["- - recalled together"] if EdgeKind.CO_ACTIVATED in kinds else []
    figure.text(at + 0.008, y, (2 * SPACE).join(lines), color=QUIET, fontsize=8)


def _layout(found: _Drawn) -> dict[str, Point]:
    """Where each thing would like to stand, both coordinates from 0 to 1."""
    try:
        import networkx
    except ImportError:
        raise MnemicError("this picture needs networkx: pip install 'mnemic[plot]'") from None
    # As numbers: sets of texts have another order in every process.
    number_of = {one: number for number, one in enumerate(sorted(found.things))}
    graph = networkx.Graph()
    graph.add_nodes_from(range(len(number_of)))
    for (one, other), several in sorted(found.ties.items()):
        weight = sum(weight for _, weight in several)
        graph.add_edge(number_of[one], number_of[other], weight=weight)
    pull = 1.8 / max(1, len(number_of)) ** 0.5
    at: dict[int, Any] = networkx.spring_layout(graph, k=pull, iterations=300, seed=_SEED)
    lows = [min(float(place[axis]) for place in at.values()) for axis in (0, 1)]
    highs = [max(float(place[axis]) for place in at.values()) for axis in (0, 1)]
    sizes = [max(high - low, 1e-9) for low, high in zip(lows, highs, strict=True)]
    return {
        one: (
            (float(at[number][0]) - lows[0]) / sizes[0],
            (float(at[number][1]) - lows[1]) / sizes[1],
        )
        for one, number in number_of.items()
    }


def _draw(figure: Figure, axes: Axes, found: _Drawn, paper: Size) -> None:
    axes.set_xlim(0, paper[0])
    axes.set_ylim(0, paper[1])
    written = {one: _written(axes, found, one) for one in found.things}
    sizes = {one: size_of(figure, text) for one, text in written.items()}
    wished = _layout(found)
    centres = {one: (place[0] * paper[0], place[1] * paper[1]) for one, place in wished.items()}
    places = apart(centres, sizes, paper)
    for one, text in written.items():
        text.set_position(places[one])
    taken = [(places[one], sizes[one]) for one in found.things]
    for (one, other), several in sorted(found.ties.items()):
        _line(figure, axes, places[one], places[other], several, taken)


def _written(axes: Axes, found: _Drawn, one: str) -> Text:
    """The box of a name, or the circle of a memory, somewhere."""
    name = one not in found.numbers
    box = {
        "boxstyle": "round,pad=0.35" if name else "circle,pad=0.28",
        "facecolor": _FILL.get(EntityKind(found.things[one].kind), "white") if name else "white",
        "edgecolor": INK if one in found.centre else QUIET,
        "linewidth": 2.0 if one in found.centre else 0.8,
    }
    return axes.text(
        0,
        0,
        found.label(one),
        ha="center",
        va="center",
        fontsize=9 if name else 8,
        bbox=box,
        zorder=3,
    )


def _line(
    figure: Figure,
    axes: Axes,
    start: Point,
    end: Point,
    kinds: Sequence[tuple[str, float]],
    taken: list[Rectangle],
) -> None:
    """The line of all ties between two things; what stands on it is added to `taken`."""
    named = sorted(kind.replace("_", " ") for kind, _ in kinds if kind not in _PLAIN)
    together = all(kind == EdgeKind.CO_ACTIVATED for kind, _ in kinds)
    axes.plot(
        (start[0], end[0]),
        (start[1], end[1]),
        linestyle=(0, (4, 3)) if together else "-",
        color=INK if named else "#A8A8A8",
        linewidth=1.2 if named else 0.8,
        zorder=1,
    )
    if named:
        box = {"boxstyle": "square,pad=0.1", "facecolor": "white", "edgecolor": "none"}
        label = axes.text(
            0,
            0,
            words(", ".join(named), 32),
            ha="center",
            va="center",
            fontsize=7,
            bbox=box,
            style="italic",
            color=QUIET,
            zorder=2,
        )
        size = size_of(figure, label)
        place = beside(start, end, size, taken)
        label.set_position(place)
        taken.append((place, size))
