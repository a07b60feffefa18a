"""`mnemic mind`: what can be seen of a caller's mind, or of one memory in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from mnemic.cli import changes, ties, views
from mnemic.cli.calls import Call, command, opened
from mnemic.cli.output import show, write_json
from mnemic.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from mnemic import (
        BoundMemory,
        Consolidated,
        History,
        InMind,
        Strength,
        Thing,
        Tied,
    )

_CONTENT_CHARS = 160
_LEGEND = "fades: may be set aside from then on, if unused; due: to be used again"
_LIMIT = 5
_TIES = 3
"""Ties of a name that are shown to a person; --json has all."""


@dataclass(frozen=True, slots=True)
class Mind:
    """What can be seen of a caller's mind.

    Args:
        strongest, weakest: memories as they stand; `weakest` names none of `strongest`.
        in_mind: the working memory of the session.
        names: those mentioned most, each with its ties.
        consolidation: what one would do to the caller's memories; None if nobody asked.
    """

    strongest: Sequence[Strength]
    weakest: Sequence[Strength]
    in_mind: Sequence[InMind]
    names: dict[Thing, list[Tied]]
    consolidation: Consolidated | None


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    command(app, "mind", panel="Read")(mind)


def mind(
    call: Call,
    id: Annotated[
        str | None, typer.Argument(metavar="ID", help="The id of a trace: only that one, in full.")
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option("--limit", "-n", metavar="N", help="Most memories and names of a part; 5."),
    ] = None,
    brief: Annotated[
        bool,
        typer.Option(
            "--brief", help="Leave out what a consolidation would change: that takes longest."
        ),
    ] = False,
) -> None:
    """Show how memories stand: strength, next fade, ties, and what a consolidation would do.

    With ID: all that is known of how one memory stands, and every change with its cause.
    """
    if id is not None:
        if limit is not None or brief:
            raise InvalidInput("--limit and --brief are for the mind as a whole; leave out ID")
        _one(call, id)
        return
    with opened(call) as memory:
        found = _seen(call.bind(memory), _LIMIT if limit is None else limit, brief=brief)
    if call.as_json:
        named = [{"name": one, "ties": several} for one, several in found.names.items()]
        write_json(
            {
                "strongest": found.strongest,
                "weakest": found.weakest,
                "in_mind": found.in_mind,
                "names": named,
                "consolidation": found.consolidation,
            }
        )
    else:
        show(*_parts(found))


def _seen(bound: BoundMemory, limit: int, *, brief: bool) -> Mind:
    strongest = bound.mind.strengths(limit=limit)
    known = {one.trace.id for one in strongest}
    weakest = bound.mind.strengths(limit=limit, weakest=True)
    return Mind(
        strongest=strongest,
        weakest=[one for one in weakest if one.trace.id not in known],
        in_mind=bound.mind.working(),
        names={one: bound.graph.neighbours(one.id) for one in bound.graph.names(limit=limit)},
        consolidation=None if brief else bound.mind.reflect(dry_run=True),
    )


def _parts(found: Mind) -> list[RenderableType]:
    if not found.strongest:
        return [Text("nothing is remembered yet", "quiet")]
    parts: list[tuple[str, RenderableType | None]] = [
        ("Strongest", Group(_strengths(found.strongest), Text(_LEGEND, "quiet"))),
        ("Weakest", _strengths(found.weakest) if found.weakest else None),
        ("In mind", _in_mind(found.in_mind) if found.in_mind else None),
        ("Names", ties.with_ties(found.names, _TIES) if found.names else None),
        ("A consolidation would change", _would(found.consolidation)),
    ]
    shown = [(head, part) for head, part in parts if part is not None]
    lines: list[RenderableType] = []
    for number, (head, part) in enumerate(shown):
        lines += [*([Text()] if number else []), Text(head, "head"), part]
    return lines


def _strengths(found: Sequence[Strength]) -> RenderableType:
    now = datetime.now(UTC)
    made = views.table("now", "fades", "due", "memory", right=("now",))
    for one in found:
        late = one.due_at is not None and one.due_at <= now
        made.add_row(
            f"{one.now:.2f}",
            Text(_fades(one, now)),
            Text(views.day(one.due_at), "old" if late else ""),
            _memory(one.trace.content, one.trace.id),
        )
    return made


def _fades(one: Strength, now: datetime) -> str:
    """When it falls below the strength at which it may be set aside."""
    if one.fades_at is None:
        return "never"
    return views.day(one.fades_at) if one.fades_at > now else "faded"


def _memory(content: str, id: str) -> RenderableType:
    words = " ".join(content.split())
    short = words if len(words) <= _CONTENT_CHARS else words[:_CONTENT_CHARS] + " …"
    return Group(views.said(short), views.said(id, "id"))


def _in_mind(found: Sequence[InMind]) -> RenderableType:
    made = views.table("active", "attention", "memory", right=("active", "attention"))
    for one in found:
        words = _memory(one.trace.content, one.trace.id)
        made.add_row(f"{one.activation:.2f}", f"{one.attention:.0%}", words)
    return made


def _would(report: Consolidated | None) -> RenderableType | None:
    if report is None:
        return None
    if report.note is not None:
        return Text(report.note, "quiet")
    found = [(one.step, one.changed) for one in report.steps if one.changed]
    if not found:
        return Text("nothing", "quiet")
    made = views.table("step", "changes", right=("changes",))
    for step, count in found:
        made.add_row(step, f"{count:,}")
    return made


def _one(call: Call, id: str) -> None:
    with opened(call, words_only=True) as memory:
        bound = call.bind(memory)
        strength = bound.mind.strength(id)
        tied = _tied(bound, strength.trace.id)
        past = bound.history(strength.trace.id)
    if call.as_json:
        write_json({"strength": strength, "ties": tied, "changes": past.changes})
    else:
        show(*_whole(strength, tied, past))


def _tied(bound: BoundMemory, trace_id: str) -> list[Tied]:
    """What a memory is tied to at present: nothing, when it is not true any more."""
    try:
        return bound.graph.neighbours(trace_id)
    except NotFound:
        return []


def _whole(strength: Strength, tied: Sequence[Tied], past: History) -> list[RenderableType]:
    trace = strength.trace
    told = {
        "id": views.said(trace.id, "id"),
        "type": trace.type.value,
        **changes.standing(trace, strength),
        "fades": views.minute(strength.fades_at) if strength.fades_at else "never",
        "due": views.minute(strength.due_at) if strength.due_at else "after its first use",
        "recalled": changes.recalled(trace),
    }
    quiet = Text("none", "quiet")
    return [
        views.said(trace.content),
        Text(),
        views.pairs(told),
        Text(),
        Text("Ties", "head"),
        ties.ties(tied) if tied else quiet,
        Text(),
        Text("Changes", "head"),
        changes.changes(past.changes) if past.changes else quiet,
    ]
