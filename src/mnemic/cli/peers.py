"""`mnemic bench peers`: other memories beside ours, on the same dialogues and questions."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from mnemic.cli import views
from mnemic.cli.calls import Call, command
from mnemic.cli.output import progress_bar, show, write_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mnemic.evals.peers.run import Result


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    command(app, "peers", brain=False, model=False)(peers)


def peers(
    call: Call,
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", exists=True, dir_okay=False, help="A LoCoMo file."),
    ],
    peer: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Only this one, and mnemic; repeatable."),
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--dir",
            metavar="DIR",
            help="Make environments here and use them again; else they are gone afterwards.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Keep a JSON file a peer here; those of earlier runs are shown too."
        ),
    ] = None,
    dialogues: Annotated[
        int | None, typer.Option(metavar="N", help="Only the first so many dialogues.")
    ] = None,
    questions: Annotated[
        int | None,
        typer.Option(metavar="N", help="Only the first so many questions of each dialogue."),
    ] = None,
    bound: Annotated[
        float, typer.Option(metavar="SECONDS", help="What each phase of a peer may take.")
    ] = 1_800.0,
    python: Annotated[
        list[Path] | None,
        typer.Option(metavar="PATH", help="A Python to make environments of; repeatable."),
    ] = None,
    machine: Annotated[
        str | None, typer.Option(metavar="TEXT", help="What to call this machine in the results.")
    ] = None,
) -> None:
    """Install and run other memories, and measure them beside mnemic; takes an hour.

    Each has an environment of its own with pinned versions; it needs a package index the first
    time and about 4 GB. No language model is used, and nothing leaves this machine while
    measuring. A peer that cannot be run is listed with the reason.
    """
    from mnemic.evals.peers import run

    chosen = run.chosen(peer)
    with run.work_folder(folder) as work, progress_bar("peers") as progress:
        options = run.Options(
            folder=work,
            pythons=tuple(python or ()),
            bound=bound,
            machine=machine,
            command=_command(file, peer, dialogues, questions, bound),
        )
        results = run.bench_peers(
            file,
            chosen,
            options,
            dialogues=dialogues,
            questions=questions,
            progress=progress,
            out=out,
        )
    if out is not None:
        results = run.kept(out)
    if call.as_json:
        write_json(results)
    else:
        show(*told(results))


def _command(
    file: Path,
    names: Sequence[str] | None,
    dialogues: int | None,
    questions: int | None,
    bound: float,
) -> str:
    """The command again, with what changes its figures and without folders of this machine."""
    words = ["mnemic", "bench", "peers", file.name, f"--bound={bound:g}"]
    words += [f"--peer={name}" for name in names or ()]
    words += [f"--dialogues={dialogues}"] if dialogues is not None else []
    words += [f"--questions={questions}"] if questions is not None else []
    return shlex.join(words)


def told(results: Sequence[Result]) -> list[RenderableType]:
    """The tables, then how each system was set, then what has no figures and why."""
    from mnemic.evals.peers import table

    parts: list[RenderableType] = []
    for one in table.tables(results):
        parts += [_shown(one.header, one.rows), Text()]
    parts += [views.pairs(dict(table.notes(results)))]
    parts += [
        Text.assemble((f"{name}: ", "bad"), views.said(reason))
        for name, reason in table.reasons(results)
    ]
    return parts


def _shown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    made = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="quiet")
    made.add_column(header[0], no_wrap=True)
    for name in header[1:]:
        made.add_column(name, justify="right")
    for row in rows:
        made.add_row(*row)
    return made
