"""`mnemic facts`: what is known as subject, attribute and value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from mnemic.cli import views
from mnemic.cli.calls import Call, command, opened
from mnemic.cli.failures import printable
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
        show(_listed(found))
    else:
        show(Text("no facts", "quiet"))


def _listed(found: Sequence[HeldFact]) -> RenderableType:
    grid = Table.grid(padding=(0, 2), pad_edge=False)
    grid.add_column(style="head", overflow="fold")
    grid.add_column(ratio=1, overflow="fold")
    for fact in found:
        what = ("not: " if fact.negated else "") + fact.attribute.replace("_", " ")
        since = views.valid(fact.valid_from, fact.valid_to)
        body = Group(
            Text.assemble((f"{printable(what)}: ", "quiet"), printable(fact.value)),
            Text.assemble((f"{since} · " if since else "", "quiet"), (fact.trace_id, "id")),
        )
        grid.add_row(views.said(fact.subject), body)
    return grid
