"""How the changes of a mind look to a person: strengths, durations, and what changed a memory."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.text import Text

from mnemic.cli import views
from mnemic.model.times import from_ms

if TYPE_CHECKING:
    from mnemic import Emotion, MindChange, Strength, Trace

_UNITS = (("years", 365.25), ("days", 1.0), ("hours", 1 / 24), ("minutes", 1 / 1_440))
_NAMES = {
    "retrieval_count": "uses",
    "last_accessed_at": "last used",
    "reinforcement_interval": "interval",
    "next_reinforcement_at": "due",
    "archived_at": "set aside",
    "verbatim_version": "words in version",
}
_WITHIN = timedelta(hours=1)
"""Uses of a memory within so long are one change."""

_INSTANTS = frozenset({"last_accessed_at", "next_reinforcement_at", "archived_at"})
_DURATIONS = frozenset({"stability", "reinforcement_interval"})
_PLAIN = frozenset({"retrieval_count", "verbatim_version"})


def span(duration: timedelta) -> str:
    """A duration in the largest unit of which it has two or more: "40 minutes", "12 days"."""
    days = duration / timedelta(days=1)
    for name, length in _UNITS:
        if round(days / length) >= 2:
            return f"{round(days / length):,} {name}"
    return f"{max(0, round(duration.total_seconds())):,} seconds"


def feeling(emotion: Emotion) -> str:
    """The feeling that a memory carries, and how strong that is."""
    axes = (
        f"valence {_number(emotion.valence)}, arousal {_number(emotion.arousal)}, "
        f"dominance {_number(emotion.dominance)}"
    )
    return f"{axes} (intensity {_number(emotion.intensity)})"


def standing(trace: Trace, strength: Strength | None) -> dict[str, object]:
    """How a memory stands, by name; None is for what is withheld, which neither fades nor grows."""
    held = f"{_number(trace.strength)} when last used"
    now = held if strength is None else f"{_number(strength.now)} now, {held}"
    return {
        "strength": now,
        "stability": f"{span(trace.stability)}: unused for that long, 37 % of it is left",
        "importance": _number(trace.importance),
        "emotion": feeling(trace.emotion),
        "set aside": views.minute(trace.archived_at) if trace.archived_at else None,
        "gist": "shortened; 'mnemic history' has the words" if trace.is_gist else None,
    }


def recalled(trace: Trace) -> str:
    """How often a memory was recalled, and when it was last."""
    if not trace.retrieval_count:
        return "never"
    times = "once" if trace.retrieval_count == 1 else f"{trace.retrieval_count} times"
    return f"{times}, last {views.minute(trace.last_accessed_at)}"


def changes(rows: Sequence[MindChange]) -> RenderableType:
    """What changed a memory besides what it says, oldest first."""
    made = views.table("at", "cause", "what")
    for row in rows:
        by = [f"{row.times} times" if row.times > 1 else "", f"run {row.run}" if row.run else ""]
        aside = ", ".join(filter(None, by))
        cause = Text.assemble(
            row.cause.replace("_", " "), (f" ({aside})" if aside else "", "quiet")
        )
        made.add_row(views.minute(row.at), cause, _differences(row))
    return made


def _differences(row: MindChange) -> str:
    names = [*row.before, *(name for name in row.after if name not in row.before)]
    told = []
    for name in names:
        old, new = (_value(name, values.get(name)) for values in (row.before, row.after))
        if old != new and not _goes_without(name, row):
            told.append(f"{_NAMES.get(name, name)} {old} → {new}")
    return " · ".join(told) or "nothing that shows"


def _goes_without(name: str, row: MindChange) -> bool:
    """Whether the rest of the line says it: that a use was then, how long until it is due."""
    if name == "last_accessed_at":
        used = row.after.get(name)
        return used is not None and abs(from_ms(int(used)) - row.at) <= _WITHIN
    return name == "reinforcement_interval" and "next_reinforcement_at" in row.after


def _value(name: str, value: Any) -> str:
    """One value as people read it; the names are those of the columns."""
    if value is None:
        return "never" if name in _INSTANTS else "none"
    if name in _INSTANTS:
        return views.day(from_ms(int(value)))
    if name in _DURATIONS:
        return span(timedelta(milliseconds=value))
    if name in _PLAIN or isinstance(value, str):
        return str(value)
    return _number(value)


def _number(value: float) -> str:
    """Two digits, and no minus before nothing."""
    return f"{value:.2f}".replace("-0.00", "0.00")
