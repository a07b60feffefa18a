"""`mnemic plot`: pictures of a mind, as SVG or PNG."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer

from mnemic.cli.calls import Call, Group, command, opened
from mnemic.cli.receipts import done
from mnemic.errors import InvalidInput

_MOST_RUNS = 1_000
_MEMORIES = 6

_Out = Annotated[
    Path,
    typer.Option(
        "--out", "-o", metavar="FILE", help="A file that ends in .svg or .png; made anew."
    ),
]


def group() -> typer.Typer:
    """The group of commands."""
    text = "Draw how memories fade, what is tied to what, when it came.\n\nNeeds the extra 'plot'."
    app = typer.Typer(cls=Group, no_args_is_help=True, help=text)
    command(app, "decay")(decay)
    command(app, "graph")(graph)
    command(app, "timeline", filters=True, states=True)(timeline)
    return app


def decay(
    call: Call,
    *,
    ids: Annotated[
        list[str] | None,
        typer.Argument(metavar="ID", help="Traces; else the strongest and the weakest."),
    ] = None,
    out: _Out,
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", metavar="N", help="Most memories; 6.")
    ] = None,
    ahead: Annotated[
        float | None, typer.Option(metavar="DAYS", help="Into the future; else half of the past.")
    ] = None,
) -> None:
    """Draw the strength of memories over time, with their uses and the archive threshold."""
    from mnemic import Settings
    from mnemic.plot import plot_decay

    if ahead is not None and not 0 <= ahead <= 36_525:
        raise InvalidInput(f"--ahead {ahead:g} must be from 0 to 36525 days")
    if ids and limit is not None:
        raise InvalidInput("--limit is for the strongest and weakest; leave it out beside IDs")
    settings = Settings()
    fades = settings.mind.works(settings.mind.decay)
    with opened(call, words_only=True) as memory:
        drawn = plot_decay(
            call.bind(memory),
            out,
            ids=ids or (),
            limit=_MEMORIES if limit is None else limit,
            threshold=settings.mind.consolidation.archive_strength if fades else None,
            ahead=None if ahead is None else timedelta(days=ahead),
        )
    _told(call, out, len(drawn), "memories", traces=drawn)


def graph(
    call: Call,
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="A name, or the id of a name or a trace.")
    ],
    *,
    out: _Out,
    depth: Annotated[int, typer.Option(metavar="N", help="Up to so many ties away.")] = 2,
    limit: Annotated[int, typer.Option("--limit", "-n", metavar="N", help="Most of them.")] = 40,
) -> None:
    """Draw the names and memories around NAME, and what ties them together."""
    from mnemic.plot import plot_graph

    with opened(call, words_only=True) as memory:
        drawn = plot_graph(call.bind(memory), name, out, depth=depth, limit=limit)
    _told(call, out, len(drawn), "names and memories", things=drawn)


def timeline(
    call: Call,
    *,
    out: _Out,
    recorded: Annotated[
        bool,
        typer.Option("--recorded", help="By when the brain got them, not by when they are from."),
    ] = False,
) -> None:
    """Draw when memories came, by type, with corrections and consolidations."""
    from mnemic.plot import plot_timeline

    with opened(call, words_only=True) as memory:
        count = plot_timeline(
            call.bind(memory),
            out,
            runs=memory.consolidations(limit=_MOST_RUNS),
            recorded=recorded,
            **call.filters,
            **call.states,
        )
    _told(call, out, count, "memories", traces=count)


def _told(call: Call, out: Path, count: int, what: str, **data: object) -> None:
    done(call, f"{count:,} {what} drawn: {str(out)!r}", file=str(out), **data)
