"""`mnemic audit`: the log of every change, chained so that none can be altered unseen."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.text import Text

from mnemic.cli import views
from mnemic.cli.calls import Call, Group, command, opened
from mnemic.cli.failures import Exit
from mnemic.cli.output import line, show, write_json


def group() -> typer.Typer:
    """The group of commands."""
    app = typer.Typer(
        cls=Group, no_args_is_help=True, help="Read and verify the log of every change."
    )
    command(app, "verify")(verify)
    command(app, "head")(head)
    command(app, "log")(log)
    return app


def verify(
    call: Call,
    head: Annotated[
        str | None,
        typer.Option(metavar="SEQ:HASH", help="A head that was kept elsewhere, to check against."),
    ] = None,
) -> int:
    """Walk the audit chain from its first entry to its head; exit 1 when it is broken.

    A cut tail shows only against a head that was kept elsewhere: see 'audit head'.
    """
    with opened(call, words_only=True) as memory:
        report = memory.audit.verify(head=head)
    if call.as_json:
        write_json(report)
    else:
        verdict = Text("the chain holds", "good") if report.ok else Text("chain broken", "bad")
        show(verdict, views.pairs({"entries": f"{report.entries:,}", "head": report.head}))
        show(*(views.said(problem, "bad") for problem in report.problems))
    return Exit.OK if report.ok else Exit.NO


def head(call: Call) -> None:
    """Print the number and the hash of the last entry, to be kept where the brain is not."""
    with opened(call, words_only=True) as memory:
        kept = memory.audit.head()
    if call.as_json:
        write_json({"head": kept})
    else:
        line(Text(kept))


def log(
    call: Call,
    limit: Annotated[int, typer.Option("--limit", "-n", metavar="N", help="Most entries.")] = 20,
    trace: Annotated[str | None, typer.Option(metavar="ID", help="About this trace.")] = None,
) -> None:
    """Show the newest entries, oldest first. They hold no content."""
    with opened(call, words_only=True) as memory:
        entries = memory.audit.entries(limit=limit, trace_id=trace)
    if call.as_json:
        write_json({"entries": entries})
    elif entries:
        show(views.audit_entries(entries, ids=trace is None))
    else:
        show(Text("no entries", "quiet"))
