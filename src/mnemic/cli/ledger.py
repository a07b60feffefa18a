"""`mnemic ledger`: what was given to learn, what came of it, and taking it back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from mnemic.cli import views
from mnemic.cli.calls import Call, Opening, command, opened
from mnemic.cli.failures import printable
from mnemic.cli.output import show, write_json
from mnemic.cli.receipts import told

if TYPE_CHECKING:
    from mnemic import LedgerEntry

_STYLES = {"kept": "good", "pending": "old", "rejected": "bad", "reverted": "quiet"}


def group() -> typer.Typer:
    """The group of commands."""
    app = typer.Typer(
        cls=Opening, help="Read what was learned, entry by entry, and take an entry back."
    )
    command(app, "list", judges=True)(list_)
    command(app, "revert", judges=True)(revert)
    return app


def list_(
    call: Call,
    limit: Annotated[int, typer.Option("--limit", "-n", metavar="N", help="Most entries.")] = 20,
    trace: Annotated[str | None, typer.Option(metavar="ID", help="About this trace.")] = None,
) -> None:
    """Show the newest entries, oldest first; this is 'mnemic ledger' without a command."""
    with opened(call, words_only=True) as memory:
        entries = call.judge(memory).ledger(limit=limit, trace_id=trace)
    if call.as_json:
        write_json({"entries": entries})
    elif entries:
        show(_table(entries))
    else:
        show(Text("no entries", "quiet"))


def revert(
    call: Call,
    number: Annotated[
        int, typer.Argument(metavar="N", help="The number of the entry, as 'ledger' shows it.")
    ],
    reason: Annotated[str, typer.Option("--reason", help="Why, in your words.")],
) -> int:
    """Take back what an entry says was learned; the reversal is an entry itself."""
    with opened(call) as memory:
        receipt = call.judge(memory).revert(number, reason=reason)
    return told(call, receipt)


def _table(entries: Sequence[LedgerEntry]) -> RenderableType:
    made = views.table("n", "at", "who", "what", right=("n",))
    for entry in entries:
        undone = f" of entry {entry.reverts}" if entry.reverts is not None else ""
        reason = f" ({entry.reason})" if entry.reason else ""
        what = Text.assemble(
            f"{printable(entry.action)}{undone}: ",
            (entry.status, _STYLES.get(entry.status, "")),
            printable(reason),
        )
        told_of = Group(what, views.said(entry.trace_id, "id")) if entry.trace_id else what
        made.add_row(str(entry.id), views.second(entry.at), views.said(entry.actor), told_of)
    return made
