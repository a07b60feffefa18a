"""`mnemic bench mind|year|consolidate`: what the mind is worth, and what it takes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from mnemic.cli import views
from mnemic.cli.calls import Call, command
from mnemic.cli.output import progress_bar, show, write_json
from mnemic.cli.vectors import embedder_of, ratios
from mnemic.errors import InvalidInput

if TYPE_CHECKING:
    from mnemic.evals.mind import Figures, MindResult
    from mnemic.evals.year import YearResult

_Cache = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Keep vectors here; a second run is much quicker."),
]


def register(app: typer.Typer) -> None:
    """Add the commands of this file to the group `app`."""
    command(app, "mind", brain=False)(mind)
    command(app, "year", brain=False)(year)
    command(app, "consolidate", brain=False, model=False)(consolidate)


def mind(
    call: Call,
    locomo: Annotated[
        Path | None,
        typer.Option(metavar="FILE", exists=True, dir_okay=False, help="The file of LoCoMo."),
    ] = None,
    longmemeval: Annotated[
        Path | None,
        typer.Option(metavar="FILE", exists=True, dir_okay=False, help="The file of LongMemEval."),
    ] = None,
    beam: Annotated[
        Path | None,
        typer.Option(metavar="FILE", exists=True, dir_okay=False, help="The file of BEAM."),
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this mechanism; repeatable.")
    ] = None,
    dialogues: Annotated[
        int | None, typer.Option(metavar="N", help="Only the first so many dialogues.")
    ] = None,
    questions: Annotated[
        int | None, typer.Option(metavar="N", help="Only the first so many questions of each.")
    ] = None,
    cache: _Cache = None,
) -> None:
    """Each mechanism switched off alone, over a quarter of a year; takes an hour and more."""
    given = {"locomo": locomo, "longmemeval": longmemeval, "beam": beam}
    files = {name: path for name, path in given.items() if path is not None}
    if not files:
        raise InvalidInput("give at least one of --locomo, --longmemeval and --beam")
    from mnemic.evals.mind import bench_mind

    with progress_bar("mind") as progress:
        result = bench_mind(
            files,
            mechanisms=only,
            limit_questions=questions,
            dialogues=dialogues,
            embedder=embedder_of(call, cache),
            progress=progress,
        )
    if call.as_json:
        write_json(result.as_dict())
    else:
        show(*(_effects(name, result) for name in files))


def _effects(name: str, result: MindResult) -> Table:
    """What each mechanism adds to recall@10, and to what packets hold and take."""
    made = views.table(
        f"{name}, {result.questions[name]} questions",
        *("default", "recall@10", "effect", "complete", "tokens"),
        right=("recall@10", "effect", "complete", "tokens"),
    )
    usual, off = result.defaults[name], result.off[name]
    made.add_row("the defaults", "", *_row(usual, usual))
    made.add_row("no mind at all", "", *_row(off, usual))
    for one in result.effects[name]:
        made.add_row(one.mechanism, _on(one.by_default), *_row(one.with_it, one.without))
    return made


def _on(by_default: bool) -> str:
    return "on" if by_default else "off"


def _row(one: Figures, other: Figures) -> tuple[str, ...]:
    return (
        f"{one.recall:.4f}",
        f"{one.recall - other.recall:+.4f}",
        f"{one.complete - other.complete:+.4f}",
        f"{one.tokens - other.tokens:+.1f}",
    )


def year(
    call: Call,
    texts: Annotated[int, typer.Option(metavar="N", help="Texts that arrive in all.")] = 20_000,
    seed: Annotated[int, typer.Option(metavar="N", help="Of the made-up world.")] = 1,
    cache: _Cache = None,
) -> None:
    """A simulated year of an assistant, with the mind on and with it off; takes minutes."""
    if texts < 365:
        raise InvalidInput("--texts must be at least 365: one a day")
    from mnemic.evals.year import bench_year

    with progress_bar("year") as progress:
        result = bench_year(texts, seed=seed, embedder=embedder_of(call, cache), progress=progress)
    if call.as_json:
        write_json(result.as_dict())
    else:
        show(_year(result))


def _year(result: YearResult) -> Table:
    made = views.table("on the last day", "mind on", "mind off", right=("mind on", "mind off"))
    on, off = result.on, result.off
    rows = {
        "facts found": (f"{on.found:.3f}", f"{off.found:.3f}"),
        "of those asked for before": (f"{on.asked_before:.3f}", f"{off.asked_before:.3f}"),
        "of those never asked for": (f"{on.never_asked:.3f}", f"{off.never_asked:.3f}"),
        "tokens of a packet": (f"{on.tokens:,.0f}", f"{off.tokens:,.0f}"),
        "tokens up to the answer": (f"{on.tokens_to_it:,.0f}", f"{off.tokens_to_it:,.0f}"),
        "traces": (f"{on.traces:,}", f"{off.traces:,}"),
        "of them set aside": (f"{on.archived:,}", f"{off.archived:,}"),
    }
    for what, cells in rows.items():
        made.add_row(Text(what), *cells)
    return made


def consolidate(
    call: Call,
    traces: Annotated[
        tuple[int, int],
        typer.Option(metavar="SMALL LARGE", help="Traces of the two brains that are compared."),
    ] = (10_000, 100_000),
) -> None:
    """How a consolidation grows with the brain, and what memory it takes; takes minutes."""
    if not 100 <= traces[0] < traces[1]:
        raise InvalidInput("SMALL must be at least 100, and less than LARGE")
    from mnemic.evals.sleeping import bench_consolidate

    with progress_bar("consolidate") as progress:
        result = bench_consolidate(traces, progress=progress)
    if call.as_json:
        write_json(result.as_dict())
    else:
        show(ratios(result))
