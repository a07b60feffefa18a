"""The command line as a whole: its groups, its help, and the way it ends."""

from __future__ import annotations

import os
import sys
from typing import Annotated, Any

import typer
from typer.exceptions import TyperException

from mnemic import __version__
from mnemic.cli import (
    audit,
    bench,
    brains,
    carry,
    erasing,
    facts,
    graph,
    ledger,
    mcp,
    mind,
    owner,
    plot,
    prove,
    readers,
    reminders,
    review,
    sleep,
    writers,
)
from mnemic.cli.calls import Group
from mnemic.cli.demo import command as demo
from mnemic.cli.failures import EXIT_HELP, Exit, report


class Commands(Group):
    """The top group. Whatever goes wrong below it ends as one line and an exit code."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run the command line; always leaves by `SystemExit`."""
        given = extra.get("args", args[0] if args else None)
        given = sys.argv[1:] if given is None else list(given)
        extra["standalone_mode"] = False
        try:
            code = super().main(*args, **extra)
            sys.stdout.flush()
        except BrokenPipeError:
            # Whoever read this has seen enough; what is left in the buffer must not complain.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            code = Exit.NO
        except Exception as error:  # noqa: BLE001  nothing is above this frame
            code = _ended(error, given)
        sys.exit(code or Exit.OK)


def _ended(error: Exception, given: list[str]) -> int:
    """Report an error that no command handled; `given` are the arguments of the process."""
    as_json = "--json" in given
    if isinstance(error, typer.Abort):
        report("Abort", "stopped", Exit.INTERRUPTED, as_json=as_json)
        return Exit.INTERRUPTED
    if "--debug" in given:
        raise error
    if isinstance(error, TyperException):
        where = getattr(getattr(error, "ctx", None), "command_path", "mnemic")
        message = f"{error.format_message()} (see '{where} --help')"
        report("UsageError", message, Exit.USAGE, as_json=as_json)
        return Exit.USAGE
    message = f"a bug, sorry: {type(error).__name__}: {error} (--debug shows where)"
    report(type(error).__name__, message, Exit.BUG, as_json=as_json)
    return Exit.BUG


app = typer.Typer(
    cls=Commands,
    help="Long-term memory for AI agents. Start with 'mnemic demo'.",
    epilog=EXIT_HELP,
    # Typer checks the values of its completion options by pydantic, see `Group`.
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    """Long-term memory for AI agents. Start with 'mnemic demo'."""
    if version:
        print(__version__)
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())
        raise typer.Exit


demo.register(app)
writers.register(app)
readers.register(app)
facts.register(app)
mind.register(app)
app.add_typer(graph.group(), name="graph", rich_help_panel="Read")
reminders.register(app)
app.add_typer(reminders.group(), name="reminders", rich_help_panel="Read")
app.add_typer(plot.group(), name="plot", rich_help_panel="Read")
app.add_typer(review.group(), name="review", rich_help_panel="Govern")
app.add_typer(ledger.group(), name="ledger", rich_help_panel="Govern")
erasing.register(app)
owner.register(app)
app.add_typer(owner.rejections(), name="rejections", rich_help_panel="Govern")
prove.register(app)
carry.register(app)
mcp.register(app)
sleep.register(app)
brains.register(app)
app.add_typer(audit.group(), name="audit", rich_help_panel="Brain")
app.add_typer(bench.group(), name="bench", rich_help_panel="Measure")
