"""`mnemic facts`: what is known as subject, attribute and value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from mnemic.cli import views
from mnemic.cli.calls import Call, command, opened
from mnemic.cli.options import listed
from mnemic.cli.output import show, write_json
from mnemic.model.policy import Capability
from mnemic.model.scope import Scope

if TYPE_CHECKING:
    from mnemic import HeldFact


def register(app: typer.Typer) -> None:
    """Add the command of this file to `app`."""
    command(app, "facts", panel="Read", clocks=True)(facts)


def facts(
    call: Call,
    subject: Annotated[
        str | None, typer.Option(metavar="NAME", help="About this person or thing.")
    ] = None,
    attribute: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only this, such as lives_in.")
    ] = None,
    scope: Annotated[
        Scope | None,
        typer.Option(metavar="AXIS", help=f"Filed under this axis: {listed(Scope)}."),
    ] = None,
    usable_for: Annotated[
        list[Capability] | None,
        typer.Option(
            metavar="USE",
            help=f"That may be used for this (repeatable): {listed(Capability)}.",
        ),
    ] = None,
) -> None:
    """List what is known as subject, attribute and value, and since when it is true."""
    with opened(call, words_only=True) as memory:
        found = call.bind(memory).facts(
            subject=subject,
            attribute=attribute,
            scope=scope,
            usable_for=usable_for or None,
            **call.clocks,
        )
    if call.as_json:
        write_json({"facts": found})
    elif found:
        show(_table(found))
    else:
        show(Text("no facts", "quiet"))


def _table(found: Sequence[HeldFact]) -> RenderableType:
    made = views.table("about", "what", "value", "true")
    for fact in found:
        attribute = fact.attribute.replace("_", " ")
        made.add_row(
            views.said(fact.subject),
            views.said(f"not: {attribute}" if fact.negated else attribute),
            Group(views.said(fact.value), views.said(fact.trace_id, "id")),
            Text(_since(fact), "quiet"),
        )
    return made


def _since(fact: HeldFact) -> str:
    since = f"since {views.day(fact.valid_from)}" if fact.valid_from else ""
    return f"{since} until {views.day(fact.valid_to)}".strip() if fact.valid_to else since
