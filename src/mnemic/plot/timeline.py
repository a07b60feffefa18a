"""When memories came: how many a day, a week or a month, by type, and what changed them since."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mnemic.bound import BoundMemory
from mnemic.model.consolidation import Run, RunState
from mnemic.model.errors import NotFound
from mnemic.model.trace import Trace, TraceType
from mnemic.plot.frame import (
    COLOURS,
    QUIET,
    bare,
    checked_path,
    dated,
    on_axis,
    picture,
    size_of,
    title,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST = 20_000
"""Memories in one picture: the newest."""

_LANE = 0.28
"""Inches from one row of marks to the next."""

_COLOUR = dict(zip(TraceType, COLOURS, strict=False))
_CAUSES = {"correct": "corrected", "update": "updated", "merge": "merged", "gist": "cut to gists"}
"""What a new version came of; other causes are named as the history names them."""

_CONSOLIDATED, _UNDONE = "consolidated", "consolidated, undone"
_SIZES = (("hour", 3), ("day", 62), ("week", 430), ("month", 3_700))
"""How long each bar is, for so many days at most; beyond them a year."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """What is drawn.

    Args:
        edges: where bars begin and end, ascending.
        size: how long each bar is, such as "week".
        counts: by type, how many memories came within each bar.
        marks: by what happened, when it did.
    """

    edges: tuple[datetime, ...]
    size: str
    counts: Mapping[TraceType, tuple[int, ...]]
    marks: Mapping[str, tuple[datetime, ...]]


def plot_timeline(
    bound: BoundMemory,
    path: str | Path,
    *,
    runs: Sequence[Run] = (),
    recorded: bool = False,
    **filters: Any,
) -> int:
    """Draw when memories came.

    Args:
        bound: whose memories.
        path: the file, which ends in ``.svg`` or ``.png``.
        runs: consolidations, of `Memory.consolidations`.
        recorded: by when the brain got them, not by when they were said or happened.
        filters: those of `BoundMemory.list`.

    Returns:
        how many memories are in it: the newest `MOST` at most.

    Raises:
        NotFound: there is nothing to draw.
    """
    checked_path(path)
    found = bound.list(limit=MOST, **filters)
    if not found:
        raise NotFound("there is no memory to draw; remember something first, or filter less")
    line = timeline(bound, found, runs, recorded=recorded)
    lanes = max(1, len(line.marks))
    height = 4.6 + _LANE * lanes
    with picture(path, 10, height) as figure:
        below = 0.45 + _LANE * lanes
        marks = figure.add_axes((0.15, 0.42 / height, 0.82, _LANE * lanes / height))
        bottom = (below + 0.12) / height
        bars = figure.add_axes((0.15, bottom, 0.82, 1 - 0.75 / height - bottom), sharex=marks)
        head = "When memories came to the brain" if recorded else "When memories are from"
        title(bars, head, pad=30)
        _bars(bars, line)
        _legend(figure, line, 1 - 0.58 / height)
        _marks(marks, line)
    return len(found)


def timeline(
    bound: BoundMemory, found: Sequence[Trace], runs: Sequence[Run], *, recorded: bool
) -> Timeline:
    """What there is to draw about some memories."""
    at = {one.id: one.created_at if recorded else one.time for one in found}
    marks = _happened(bound, found, runs)
    moments = [*at.values(), *(moment for several in marks.values() for moment in several)]
    size, edges = bars_of(min(moments), max(moments))
    counts = {kind: [0] * (len(edges) - 1) for kind in TraceType}
    for one in found:
        counts[one.type][_bar(edges, at[one.id])] += 1
    return Timeline(
        edges=edges,
        size=size,
        counts={kind: tuple(several) for kind, several in counts.items() if any(several)},
        marks=marks,
    )


def bars_of(first: datetime, last: datetime) -> tuple[str, tuple[datetime, ...]]:
    """How long the bars from one instant to another are, and where they begin and end."""
    days = (last - first) / timedelta(days=1)
    size = next((name for name, most in _SIZES if days <= most), "year")
    edges = [_START[size](first.astimezone(UTC))]
    while edges[-1] <= last:
        edges.append(_START[size](edges[-1] + _STEP[size]))
    return size, tuple(edges)


def _hour(at: datetime) -> datetime:
    return at.replace(minute=0, second=0, microsecond=0)


def _day(at: datetime) -> datetime:
    return _hour(at).replace(hour=0)


def _week(at: datetime) -> datetime:
    return _day(at) - timedelta(days=at.weekday())


def _month(at: datetime) -> datetime:
    return _day(at).replace(day=1)


def _year(at: datetime) -> datetime:
    return _month(at).replace(month=1)


_START: dict[str, Callable[[datetime], datetime]] = {
    "hour": _hour,
    "day": _day,
    "week": _week,
    "month": _month,
    "year": _year,
}
# From the start of a bar so much leads into the next one, and not beyond it.
_STEP = {
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(days=7),
    "month": timedelta(days=32),
    "year": timedelta(days=367),
}


def _bar(edges: Sequence[datetime], moment: datetime) -> int:
    return bisect_right(edges, moment) - 1


def _happened(
    bound: BoundMemory, found: Sequence[Trace], runs: Sequence[Run]
) -> dict[str, tuple[datetime, ...]]:
    """Rows of marks, the one with the most first; consolidations last."""
    marks: dict[str, list[datetime]] = {}
    for one in found:
        if one.version > 1:
            for version in bound.history(one.id).versions[1:]:
                name = _CAUSES.get(version.cause, version.cause.replace("_", " "))
                marks.setdefault(name, []).append(version.recorded_at)
    rows = sorted(marks.items(), key=lambda row: (-len(row[1]), row[0]))
    for name, undone in ((_CONSOLIDATED, False), (_UNDONE, True)):
        several = [one.started_at for one in runs if (one.state is RunState.UNDONE) is undone]
        if several:
            rows.append((name, several))
    return {name: tuple(sorted(several)) for name, several in rows}


def _bars(axes: Axes, line: Timeline) -> None:
    from matplotlib.ticker import MaxNLocator

    bare(axes)
    axes.grid(visible=False, axis="x")
    axes.tick_params(axis="x", length=0, labelbottom=False)
    axes.set_ylabel(f"memories a {line.size}")
    starts = [on_axis(edge) for edge in line.edges]
    widths = [end - start for start, end in pairwise(starts)]
    under = [0] * len(widths)
    for kind, several in line.counts.items():
        there = [at for at, count in enumerate(several) if count]
        axes.bar(
            [starts[at] for at in there],
            [several[at] for at in there],
            [widths[at] for at in there],
            bottom=[under[at] for at in there],
            align="edge",
            color=_COLOUR[kind],
            edgecolor="white",
            linewidth=0.6,
        )
        under = [one + more for one, more in zip(under, several, strict=True)]
    axes.set_ylim(0, max(under) * 1.08)
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlim(starts[0], starts[-1])


def _legend(figure: Figure, line: Timeline, top: float) -> None:
    """The types, each in its colour and with its count."""
    at = 0.15
    totals = Counter({kind: sum(several) for kind, several in line.counts.items()})
    for kind, total in totals.items():
        told = figure.text(at, top, f"■ {kind.value} {total:,}", color=_COLOUR[kind], fontsize=9)
        at += size_of(figure, told)[0] / 72 / figure.get_figwidth() + 0.02


def _marks(axes: Axes, line: Timeline) -> None:
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    names = list(line.marks)
    axes.set_yticks(
        range(len(names)), [f"{name} ({len(line.marks[name]):,})" for name in names], fontsize=8.5
    )
    axes.set_ylim(max(1, len(names)) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    dated(axes)
    if not names:
        nothing = "no corrections, no consolidations"
        axes.text(0, 0.5, nothing, color=QUIET, fontsize=8, va="center", transform=axes.transAxes)
    for number, name in enumerate(names):
        axes.axhline(number, color="#EEEEEE", linewidth=1, zorder=0)
        axes.plot(
            [on_axis(moment) for moment in line.marks[name]],
            [number] * len(line.marks[name]),
            "|",
            color=QUIET if name == _UNDONE else "#222222",
            markersize=9,
            markeredgewidth=1.4,
        )
