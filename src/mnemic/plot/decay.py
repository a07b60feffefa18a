"""How memories fade: the strength of each over time, with its uses and what it may fall below.

The past of a curve is what the history says: each change names what was before and after it.
Between changes a memory fades as `cognition/decay.py` says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from mnemic.bound import BoundMemory
from mnemic.cognition.decay import strength_at
from mnemic.model.errors import NotFound
from mnemic.model.insight import MindChange, Strength
from mnemic.model.mind import Engram
from mnemic.model.times import from_ms, to_ms, utc_now
from mnemic.model.trace import Trace
from mnemic.plot.frame import (
    COLOURS,
    FUTURE,
    QUIET,
    SPACE,
    WARNING,
    bare,
    dated,
    on_axis,
    picture,
    size_of,
    spread,
    title,
    words,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LABEL_CHARS = 92
_POINTS = 240
_STYLES = ("-", "--", "-.")
_LEAST_AHEAD = timedelta(days=30)
_USES, _REINFORCED = frozenset({"recall", "used"}), "reinforced"
"""Causes of a change: uses of the memory, and what a consolidation does in place of one."""


@dataclass(frozen=True, slots=True)
class Curve:
    """The strength of one memory over time.

    Args:
        trace: the memory.
        times: instants, ascending; at a change twice: before it and after it.
        strengths: at these instants, 0 to 1.
        uses, reinforced: when it was, and how strong it was after that.
    """

    trace: Trace
    times: tuple[datetime, ...]
    strengths: tuple[float, ...]
    uses: tuple[tuple[datetime, float], ...]
    reinforced: tuple[tuple[datetime, float], ...]


def plot_decay(
    bound: BoundMemory,
    path: str | Path,
    *,
    ids: Sequence[str] = (),
    limit: int = 6,
    threshold: float | None = 0.05,
    ahead: timedelta | None = None,
    now: datetime | None = None,
) -> tuple[str, ...]:
    """Draw how memories have faded and will, left alone.

    Args:
        bound: whose memories.
        path: the file, which ends in ``.svg`` or ``.png``.
        ids: of the memories; none is the strongest and the weakest of all.
        limit: most memories, where `ids` names none.
        threshold: the strength below which a memory may be set aside; None where nothing fades.
        ahead: how far into the future; None is half of the past, and a month at least.
        now: the present; None is the system's clock.

    Returns:
        the ids of the memories that are drawn.

    Raises:
        NotFound: there is nothing to draw, or one of `ids` is not within reach.
    """
    now = (now or utc_now()).astimezone(UTC)
    found = [bound.mind.strength(one) for one in ids] or _both_ends(bound, limit)
    if not found:
        raise NotFound("there is no memory to draw; remember something first")
    first = min(one.trace.created_at for one in found)
    end = now + (max((now - first) / 2, _LEAST_AHEAD) if ahead is None else ahead)
    curves = [
        curve(one.trace, bound.history(one.trace.id).changes, end, fades=threshold is not None)
        for one in found
    ]
    with picture(path, 10, 5.2 + 0.22 * len(curves)) as figure:
        legend = 0.22 * len(curves) + 0.35
        height = figure.get_figheight()
        bottom = (legend + 0.45) / height
        axes = figure.add_axes((0.065, bottom, 0.895, 1 - 0.5 / height - bottom))
        _draw(axes, curves, now, end, threshold)
        _legend(figure, 1 - 0.22 / height, threshold)
        for number, one in enumerate(curves):
            y = (legend - 0.22 * number - 0.18) / height
            colour = COLOURS[number % len(COLOURS)]
            # Two texts: what is written from right to left would carry the number along.
            figure.text(0.083, y, str(number + 1), color=colour, ha="right", va="center")
            text = words(one.trace.content, _LABEL_CHARS)
            figure.text(0.092, y, text, color=colour, va="center")
    return tuple(one.trace.id for one in found)


def _both_ends(bound: BoundMemory, limit: int) -> list[Strength]:
    """The strongest and the weakest memories, half of each."""
    strongest = bound.mind.strengths(limit=limit)
    weakest = bound.mind.strengths(limit=limit, weakest=True)
    if len(strongest) < limit:
        return strongest
    half = limit - limit // 2
    known = {one.trace.id for one in strongest[:half]}
    rest = [one for one in weakest if one.trace.id not in known][: limit - half]
    return [*strongest[:half], *reversed(rest)]


def curve(
    trace: Trace, changes: Sequence[MindChange], end: datetime, *, fades: bool = True
) -> Curve:
    """The strength of a memory from when the brain got it until `end`.

    Args:
        trace: the memory as it stands.
        changes: all that changed it, oldest first.
        end: the last instant.
        fades: False where strength stays as it is between changes.
    """
    states = [_engram(trace)]
    for change in reversed(changes):
        states.append(_before(states[-1], change))
    states.reverse()
    starts = [to_ms(trace.created_at), *(to_ms(change.at) for change in changes)]
    last = to_ms(end)
    step = max(1, (last - starts[0]) // _POINTS)
    times: list[int] = []
    strengths: list[float] = []
    for state, start, stop in zip(states, starts, [*starts[1:], last], strict=True):
        for at in [*range(start, max(start, stop), step), max(start, stop)]:
            times.append(at)
            strengths.append(strength_at(state, at) if fades else state.strength)
    after = [
        (change.cause, change.at, strength_at(state, to_ms(change.at)) if fades else state.strength)
        for state, change in zip(states[1:], changes, strict=True)
    ]
    return Curve(
        trace=trace,
        times=tuple(map(from_ms, times)),
        strengths=tuple(strengths),
        uses=tuple((at, strong) for cause, at, strong in after if cause in _USES),
        reinforced=tuple((at, strong) for cause, at, strong in after if cause == _REINFORCED),
    )


def _engram(trace: Trace) -> Engram:
    """What of a trace its strength depends on."""
    used = trace.last_accessed_at
    return Engram(
        strength=trace.strength,
        stability=trace.stability / timedelta(milliseconds=1),
        importance=trace.importance,
        emotion=trace.emotion,
        uses=trace.retrieval_count,
        used_at=None if used is None else to_ms(used),
        created_at=to_ms(trace.created_at),
        interval=0.0,
        due_at=None,
    )


def _before(state: Engram, change: MindChange) -> Engram:
    """The state that a change has found."""
    was = change.before
    return Engram(
        strength=was.get("strength", state.strength),
        stability=was.get("stability", state.stability),
        importance=state.importance,
        emotion=state.emotion,
        uses=was.get("retrieval_count", state.uses),
        used_at=was.get("last_accessed_at", state.used_at),
        created_at=state.created_at,
        interval=0.0,
        due_at=None,
    )


def _draw(
    axes: Axes, curves: Sequence[Curve], now: datetime, end: datetime, threshold: float | None
) -> None:
    bare(axes)
    dated(axes)
    title(axes, "How memories fade")
    start, last = on_axis(min(one.times[0] for one in curves)), on_axis(end)
    margin = (last - start) * 0.015
    axes.set_xlim(start - margin, last + 2 * margin)
    axes.set_ylim(0, 1.04)
    axes.set_ylabel("strength")
    axes.axvspan(on_axis(now), last + 2 * margin, color=FUTURE, linewidth=0, zorder=0)
    axes.axvline(on_axis(now), color=QUIET, linewidth=1)
    _note(axes, "now", (on_axis(now), 1.04), (0, 3), ha="center")
    if threshold is not None:
        axes.axhline(threshold, color=WARNING, linewidth=1, linestyle=(0, (1, 2)))
    ends = spread([one.strengths[-1] for one in curves], 0.035, 0.012)
    for number, (one, place) in enumerate(zip(curves, ends, strict=True)):
        colour = COLOURS[number % len(COLOURS)]
        style = _STYLES[number // len(COLOURS) % len(_STYLES)]
        axes.plot([*map(on_axis, one.times)], one.strengths, style, color=colour, linewidth=1.6)
        _mark(axes, one, colour)
        number_at = (last, place)
        _note(axes, str(number + 1), number_at, (5, 0), color=colour, va="center", weight="bold")


def _legend(figure: Figure, y: float, threshold: float | None) -> None:
    """What the dots are, and the dotted line, above on the right."""
    at = 0.96
    if threshold is not None:
        below = f"┄ may be set aside below {threshold:g}"
        told = figure.text(at, y, below, color=WARNING, ha="right", va="center", fontsize=8)
        at -= size_of(figure, told)[0] / 72 / figure.get_figwidth() + 0.015
    dots = f"● used{SPACE}○ reinforced by a consolidation"
    figure.text(at, y, dots, color=QUIET, ha="right", va="center", fontsize=8)


def _mark(axes: Axes, one: Curve, colour: str) -> None:
    """The uses of a memory, full, and what consolidations made of it, hollow."""
    for marks, inside in ((one.uses, colour), (one.reinforced, "white")):
        axes.plot(
            [on_axis(at) for at, _ in marks],
            [strength for _, strength in marks],
            "o",
            color=colour,
            markerfacecolor=inside,
            markersize=4.5,
            clip_on=False,
        )


def _note(
    axes: Axes,
    text: str,
    place: tuple[float, float],
    offset: tuple[float, float],
    *,
    color: str = QUIET,
    ha: Literal["left", "center", "right"] = "left",
    va: Literal["bottom", "center"] = "bottom",
    weight: str = "normal",
) -> None:
    axes.annotate(
        text,
        place,
        offset,
        textcoords="offset points",
        color=color,
        ha=ha,
        va=va,
        fontweight=weight,
        fontsize=8,
        annotation_clip=False,
    )
