"""How answers look to a person: at 80 columns, in colour or without."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from rich import box
from rich.console import Group, JustifyMethod, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from mnemic.cli.failures import printable
from mnemic.model.origin import Origin
from mnemic.model.trust import Trust

if TYPE_CHECKING:
    from mnemic import AuditEntry, Hit, Trace, Version

_BESIDE_CHARS = 160
"""Characters shown of what was said around a hit."""

_WHOLE_CHARS = 400
"""A trace up to this length is shown whole among others, a longer one by its best passage."""

_LEAST_POINTS = 0.0005
"""Parts of a score below this would read as nothing; --json has them."""

_UNTRUSTED = (Origin.TOOL, Origin.DOCUMENT)


def said(text: object, style: str = "") -> Text:
    """Text from outside: control characters made visible, never read as markup."""
    return Text(printable(str(text)), style=style)


def day(moment: datetime | None) -> str:
    """A date for people, in the machine's zone."""
    return f"{moment.astimezone():%Y-%m-%d}" if moment else "-"


def minute(moment: datetime | None) -> str:
    """A date and a time for people, in the machine's zone."""
    return f"{moment.astimezone():%Y-%m-%d %H:%M}" if moment else "-"


def second(moment: datetime | None) -> str:
    """A date and a time to the second, in the machine's zone."""
    return f"{moment.astimezone():%Y-%m-%d %H:%M:%S}" if moment else "-"


def source_line(trace: Trace, *, dated: bool = True) -> Text:
    """Who said a trace, on which day (`dated`), where, its id, and why to be wary of it."""
    who = trace.speaker or (trace.role.value if trace.role else None)
    when = day(trace.time) if dated else None
    parts = [who, when, trace.thread, *(f"#{tag}" for tag in trace.tags)]
    known = "".join(f"{part} · " for part in parts if part)
    wary = "".join(f" · {part}" for part in _wary(trace))
    return Text.assemble((printable(known), "quiet"), (printable(trace.id), "id"), (wary, "old"))


def _wary(trace: Trace) -> list[str]:
    """What sets a trace apart from what a person said and the brain believes."""
    told = [f"from a {trace.origin.value}"] if trace.origin in _UNTRUSTED else []
    return told if trace.trust is Trust.BELIEVED else [*told, trace.trust.value]


def came(trace: Trace) -> str:
    """Where a trace comes from, through which channel, and whose word it is."""
    source = trace.source.value.replace("_", " ")
    return f"{source}, through {trace.channel.value}; origin {trace.origin.value}"


def valid(start: datetime | None, end: datetime | None) -> str:
    """When something is true; empty where that is open."""
    since = f"since {minute(start)}" if start else ""
    return f"{since} until {minute(end)}".strip() if end else since


def why_line(hit: Hit) -> Text:
    """The reason for a hit, on one line."""
    return said(f"why {hit.why}", "quiet")


def hits(found: Sequence[Hit]) -> RenderableType:
    """Hits, best first: what was said, by whom, and why it is here."""
    grid = Table.grid(padding=(0, 1), pad_edge=False)
    grid.add_column(justify="right", style="head", no_wrap=True, min_width=2)
    grid.add_column(ratio=1)
    for rank, hit in enumerate(found, 1):
        body = Group(
            marked(_excerpt(hit), hit.why.terms),
            source_line(hit.trace),
            why_line(hit),
            *(Padding(beside(trace), (0, 0, 0, 2)) for trace in hit.beside),
        )
        grid.add_row(str(rank), body if rank == len(found) else Padding(body, (0, 0, 1, 0)))
    return grid


def explained(hit: Hit, rank: int, total: int, query: str) -> RenderableType:
    """Why a trace is a hit, and what its score is made of."""
    arms = table("found by", "rank", "score there", right=("rank", "score there"))
    for name, arm in hit.why.arms.items():
        arms.add_row(said(name), str(arm.rank), f"{arm.score:.3f}")
    parts = table("made of", "points", right=("points",))
    for name, value in hit.why.breakdown.items():
        if abs(value) >= _LEAST_POINTS:
            parts.add_row(said(name), f"{value:+.3f}")
    parts.add_row(Text("score", "head"), Text(f"{hit.score:+.3f}", "head"))
    return Group(
        said(f"hit {rank} of {total} for: {query}", "quiet"),
        Text(),
        marked(hit.why.passage, hit.why.terms),
        source_line(hit.trace),
        Text(),
        pairs(
            {
                "words matched": ", ".join(hit.why.terms) or "none",
                "related words": ", ".join(hit.why.related) or "none",
            }
        ),
        Text(),
        arms,
        Text(),
        parts,
    )


def beside(trace: Trace) -> Text:
    """What was said before or after a hit, in short."""
    who = trace.speaker or (trace.role.value if trace.role else "")
    content = trace.content
    short = content if len(content) <= _BESIDE_CHARS else content[:_BESIDE_CHARS] + " …"
    return Text.assemble((f"{printable(who)}: " if who else "", "quiet"), said(short))


def _excerpt(hit: Hit) -> str:
    content = hit.trace.content
    return content if len(content) <= _WHOLE_CHARS else f"… {hit.why.passage} …"


def marked(content: str, terms: Iterable[str]) -> Text:
    """Content with the words that were asked for marked."""
    text = said(content)
    words = [re.escape(printable(term)) for term in terms if term.strip()]
    if words:
        text.highlight_regex(rf"(?i)(?<!\w)(?:{'|'.join(words)})\w*", "match")
    return text


def traces(rows: Sequence[Trace]) -> RenderableType:
    """Traces as they stand, one under the other."""
    grid = Table.grid(padding=(0, 1), pad_edge=False)
    grid.add_column(style="quiet", no_wrap=True)
    grid.add_column(ratio=1)
    for trace in rows:
        content = trace.content
        short = content if len(content) <= _WHOLE_CHARS else content[:_WHOLE_CHARS] + " …"
        grid.add_row(day(trace.time), Group(said(short), source_line(trace, dated=False)))
    return grid


def pairs(values: Mapping[str, object]) -> RenderableType:
    """Names and values in two columns; what is None or empty is left out."""
    grid = Table.grid(padding=(0, 2), pad_edge=False)
    grid.add_column(style="quiet", no_wrap=True)
    grid.add_column(ratio=1, overflow="fold")
    for name, value in values.items():
        if value not in (None, "", (), {}, []):
            grid.add_row(name, value if isinstance(value, Text) else said(value))
    return grid


def table(*columns: str, right: Iterable[str] = ()) -> Table:
    """An empty table in the house style; the columns named in `right` hold numbers."""
    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="quiet")
    numbers = set(right)
    for column in columns:
        number = column in numbers
        justify: JustifyMethod = "right" if number else "left"
        made.add_column(column, justify=justify, no_wrap=number, overflow="fold")
    return made


def versions(rows: Sequence[Version]) -> RenderableType:
    """The versions of a trace, oldest first."""
    made = table("v", "believed", "what", right=("v",))
    for version in rows:
        body = said(version.content)
        true = _interval(version.valid_from, version.valid_to)
        reason = f"{version.cause}: {version.reason}" if version.reason else version.cause
        until = f"until {second(version.retired_at)}" if version.retired_at else "until now"
        made.add_row(
            str(version.version),
            Group(Text(f"from  {second(version.recorded_at)}"), Text(until, "quiet")),
            Group(body, said(f"{reason} · {version.trust.value}{true}", "quiet")),
        )
    return made


def _interval(start: datetime | None, end: datetime | None) -> str:
    if start is None and end is None:
        return ""
    since = f"true since {day(start)}" if start else "true"
    return f" · {since}" + (f" until {day(end)}" if end else "")


def audit_entries(rows: Sequence[AuditEntry], *, ids: bool = True) -> RenderableType:
    """Audit entries, oldest first; `ids` says of which trace each one is."""
    made = table("seq", "at", "who", "what", right=("seq",))
    for entry in rows:
        what = f"{entry.action}: {entry.outcome}" + (f" ({entry.reason})" if entry.reason else "")
        told: RenderableType = said(what)
        if ids and entry.trace_id:
            told = Group(said(what), said(entry.trace_id, "id"))
        made.add_row(str(entry.seq), second(entry.at), said(entry.actor), told)
    return made
