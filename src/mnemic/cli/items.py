"""How review items look to the person who judges them.

The text that is judged stands in a frame of its own, so that it cannot pass for a line of ours,
and is shown with all that is invisible in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from mnemic.cli import views
from mnemic.cli.reveal import revealed

if TYPE_CHECKING:
    from mnemic import ReviewItem, Trace

KINDS = {
    "instruction": "It reads like an instruction to the agent.",
    "secret": "It seems to hold something that should stay secret.",
    "sensitive": "It tells of health, faith, politics or the like.",
    "origin": "No person said it, and review is strict.",
    "rejected_within": "A part of it was rejected before.",
    "contradiction": "It contradicts the other one.",
    "correction": "It would replace the other one.",
    "support_lost": "Something that it rests on was taken away.",
    "changed": "It was approved, and says something else since.",
}
"""What each kind of item asks about."""

_BESIDE_WIDTH = 96
"""From this width on, two texts stand side by side: a trace id takes 35 columns."""

_EXCERPT_CHARS = 240


def is_waiting(item: ReviewItem) -> bool:
    """Whether nothing has been decided yet."""
    return item.decided_at is None


def listed(rows: Sequence[ReviewItem]) -> RenderableType:
    """The queue, the oldest first."""
    grid = Table.grid(padding=(0, 1), pad_edge=False)
    grid.add_column(justify="right", style="head", no_wrap=True)
    grid.add_column(ratio=1)
    for item in rows:
        parts = [_title(item), _excerpt(item.trace), views.source_line(item.trace)]
        if item.other is not None:
            parts += [Text("the other one:", "quiet"), _excerpt(item.other)]
            parts += [views.source_line(item.other)]
        if item is not rows[-1]:
            parts.append(Text())
        grid.add_row(str(item.id), Group(*parts))
    return grid


def _title(item: ReviewItem) -> Text:
    later = f", put off until {views.minute(item.deferred_until)}" if item.deferred_until else ""
    since = f" · since {views.minute(item.opened_at)}{later}"
    signs = "".join(f" · {sign}" for sign in item.signs)
    return Text.assemble((_named(item.kind), "old"), (signs + since, "quiet"))


def _named(kind: str) -> str:
    return kind.replace("_", " ")


def _excerpt(trace: Trace) -> Text:
    content = trace.content
    short = content if len(content) <= _EXCERPT_CHARS else f"{content[:_EXCERPT_CHARS]} …"
    return revealed(short.replace("\n", " ↵ "))


def shown(item: ReviewItem, *, most_chars: int | None = None) -> RenderableType:
    """One item with all that a judgement needs; `most_chars` of each text, None for all."""
    sides = [_side("asked about", item.trace, most_chars)]
    if item.other is not None:
        sides.append(_side("the other one", item.other, most_chars))
    asked = Text.assemble((f"{item.id}  {_named(item.kind)}", "head"), "  ", KINDS[item.kind])
    return Group(asked, _Beside(sides), Text(), views.pairs(_about(item)))


def _about(item: ReviewItem) -> dict[str, object]:
    return {
        "signs": ", ".join(item.signs),
        "waits": None if item.decided_at else f"since {views.minute(item.opened_at)}",
        "put off": item.deferred_until and f"until {views.minute(item.deferred_until)}",
        "decided": item.decided_at and f"{item.state} on {views.minute(item.decided_at)}",
        "by": item.reviewer,
        "reason": item.reason,
        "digest": item.digest,
    }


def _side(title: str, trace: Trace, most_chars: int | None) -> RenderableType:
    content = trace.content if most_chars is None else trace.content[:most_chars]
    parts: list[RenderableType] = [
        Panel(revealed(content), title=title, title_align="left", box=box.SQUARE, style="none")
    ]
    if len(content) < len(trace.content):
        left = len(trace.content) - len(content)
        parts.append(Text(f"and {left:,} more characters that are not shown here", "bad"))
    return Group(*parts, views.pairs(_provenance(trace)))


def _provenance(trace: Trace) -> dict[str, object]:
    who = trace.speaker or (trace.role.value if trace.role else "somebody unnamed")
    where = f" in {trace.thread}" if trace.thread else ""
    return {
        "said": revealed(f"by {who} on {views.minute(trace.time)}{where}"),
        "from": views.came(trace),
        "true": views.valid(trace.valid_from, trace.valid_to),
        "filed": f"under {trace.scope.value} {trace.scope_id}",
        "tags": _maybe(trace.tags),
        "entities": _maybe(trace.entities),
        "metadata": _maybe([f"{key}={value}" for key, value in trace.metadata.items()]),
        "state": f"{trace.trust.value}, version {trace.version}",
        "trace": views.said(trace.id, "id"),
    }


def _maybe(labels: Sequence[str]) -> Text | None:
    return revealed(", ".join(labels)) if labels else None


class _Beside:
    """Two renderables side by side where there is room, else one under the other."""

    def __init__(self, sides: Sequence[RenderableType]) -> None:
        self._sides = sides

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if len(self._sides) == 1 or options.max_width < _BESIDE_WIDTH:
            yield from self._sides
            return
        grid = Table.grid(padding=(0, 2), pad_edge=False, expand=True)
        for _ in self._sides:
            grid.add_column(ratio=1)
        grid.add_row(*self._sides)
        yield grid
