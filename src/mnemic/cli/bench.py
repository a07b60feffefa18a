"""`mnemic bench`: how well and how fast it recalls, measured through the public API."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from mnemic.cli import bench_mind, peers, views
from mnemic.cli.calls import Call, Group, command
from mnemic.cli.output import progress_bar, show, write_json
from mnemic.cli.vectors import embedder_of, ratios
from mnemic.errors import InvalidInput

if TYPE_CHECKING:
    from mnemic.evals.quality import QualityResult

_SIZES = (1_000, 10_000, 100_000)

_File = Annotated[
    Path,
    typer.Argument(metavar="FILE", exists=True, dir_okay=False, help="The file of the benchmark."),
]
_Cache = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Keep vectors here; a second run is much quicker."),
]
_Dialogues = Annotated[
    int | None, typer.Option(metavar="N", help="Only the first so many dialogues.")
]
_Questions = Annotated[
    int | None,
    typer.Option(metavar="N", help="Only the first so many questions of each brain."),
]


def group() -> typer.Typer:
    """The group of commands."""
    text = "Measure recall on benchmark files, and speed on this machine."
    app = typer.Typer(cls=Group, no_args_is_help=True, help=text)
    command(app, "locomo", brain=False)(locomo)
    command(app, "longmemeval", brain=False)(longmemeval)
    command(app, "beam", brain=False)(beam)
    command(app, "speed", brain=False, model=False)(speed)
    command(app, "import", brain=False, model=False)(import_)
    bench_mind.register(app)
    peers.register(app)
    return app


def locomo(
    call: Call,
    file: _File,
    pooled: Annotated[
        bool, typer.Option("--pooled", help="All dialogues in one brain, a user each.")
    ] = False,
    dialogues: _Dialogues = None,
    questions: _Questions = None,
    cache: _Cache = None,
) -> None:
    """LoCoMo: how much of the evidence is recalled, a brain a dialogue."""
    from mnemic.evals.quality import bench_locomo

    with progress_bar("locomo") as progress:
        result = bench_locomo(
            file,
            pooled=pooled,
            dialogues=dialogues,
            limit_questions=questions,
            embedder=embedder_of(call, cache),
            progress=progress,
        )
    _report(call, result)


def longmemeval(
    call: Call,
    file: _File,
    s_like: Annotated[
        bool, typer.Option("--s-like", help="A brain of about 48 sessions a question.")
    ] = False,
    questions: _Questions = None,
    cache: _Cache = None,
) -> None:
    """LongMemEval: how much of the evidence is recalled, all sessions in one brain."""
    from mnemic.evals.quality import bench_longmemeval

    with progress_bar("longmemeval") as progress:
        result = bench_longmemeval(
            file,
            s_like=s_like,
            limit_questions=questions,
            embedder=embedder_of(call, cache),
            progress=progress,
        )
    _report(call, result)


def beam(
    call: Call,
    file: _File,
    dialogues: _Dialogues = None,
    questions: _Questions = None,
    cache: _Cache = None,
) -> None:
    """BEAM: how much of the evidence is recalled, a brain a conversation."""
    from mnemic.evals.quality import bench_beam

    with progress_bar("beam") as progress:
        result = bench_beam(
            file,
            dialogues=dialogues,
            limit_questions=questions,
            embedder=embedder_of(call, cache),
            progress=progress,
        )
    _report(call, result)


def speed(
    call: Call,
    size: Annotated[
        list[int] | None,
        typer.Option(
            metavar="N", help="Traces to recall from; repeatable, else 1000, 10000 and 100000."
        ),
    ] = None,
    questions: Annotated[
        int, typer.Option(metavar="N", help="Questions asked at each size.")
    ] = 200,
    others: Annotated[
        int, typer.Option(metavar="N", help="Other users, of 1,000 traces each, in the same brain.")
    ] = 20,
) -> None:
    """Speed, as ratios to the least that the work needs; takes minutes."""
    if any(one < 1 for one in (*(size or ()), questions, others)):
        raise InvalidInput("--size, --questions and --others must be at least 1")
    from mnemic.evals.speed import bench_speed

    sizes = sorted(set(size)) if size else _SIZES
    with progress_bar("speed") as progress:
        result = bench_speed(sizes, questions=questions, others=others, progress=progress)
    if call.as_json:
        write_json(result.as_dict())
    else:
        show(ratios(result))


def import_(
    call: Call,
    messages: Annotated[
        int, typer.Option(metavar="N", help="Messages in the made-up export.")
    ] = 3_000,
    megabytes: Annotated[
        tuple[int, int],
        typer.Option(metavar="SMALL LARGE", help="Sizes whose import's memory is compared."),
    ] = (10, 40),
) -> None:
    """Import speed and memory, as ratios to the least that the work needs; takes minutes."""
    if messages < 100 or not 1 <= megabytes[0] < megabytes[1]:
        raise InvalidInput("--messages must be at least 100, and SMALL less than LARGE")
    from mnemic.evals.carrying import bench_import

    with progress_bar("import") as progress:
        result = bench_import(messages, megabytes=megabytes, progress=progress)
    if call.as_json:
        write_json(result.as_dict())
    else:
        show(ratios(result))


def _report(call: Call, result: QualityResult) -> None:
    if call.as_json:
        write_json(result.as_dict())
        return
    header, rows = result.header(), result.rows()
    of_turns = [at for at, name in enumerate(header) if at > 1 and "session" not in name]
    of_sessions = [at for at, name in enumerate(header) if "session" in name]
    parts: list[RenderableType] = [views.pairs(_about(result)), Text()]
    parts.append(_figures(header, rows, of_turns))
    if of_sessions:
        parts += [Text(), _figures(header, rows, of_sessions)]
    show(*parts)


def _short(figure: str) -> str:
    """A share in four characters: 0.823 as .823, and 1.000 as 1.00."""
    return figure.removeprefix("0")[:4]


_COMPLETE = "complete@"


def _about(result: QualityResult) -> dict[str, object]:
    return {
        "benchmark": f"{result.benchmark}, {result.mode}",
        "vectors": result.embedder or "none, words only",
        "brains": f"{result.brains:,}",
        "turns": f"{result.turns:,}, remembered in {result.ingest_seconds:.1f} s",
        "questions": f"{result.questions:,}, recall p50 {result.recall_p50_ms:.1f} ms, "
        f"p95 {result.recall_p95_ms:.1f} ms",
        "all evidence in": _complete(result),
        "no answer": _in_vain(result),
        "dropped": "; ".join(f"{count:,} {what}" for what, count in result.dropped.items()),
    }


def _complete(result: QualityResult) -> str:
    """How often a context packet of some size holds all of the evidence."""
    shares = {
        int(name.removeprefix(_COMPLETE)): share
        for name, share in result.overall.mean.items()
        if name.startswith(_COMPLETE)
    }
    used = result.context_tokens
    return "; ".join(
        f"{budget:,} tokens {_short(format(share, '.3f'))} (used {used[budget]:,.0f})"
        for budget, share in shares.items()
    )


def _in_vain(result: QualityResult) -> str:
    """How often something is recalled for a question that nothing answers."""
    if not result.unanswerable:
        return "no such questions"
    share = _short(format(result.answered_anyway, ".3f"))
    return f"{result.unanswerable:,} questions that nothing answers, something recalled for {share}"


def _figures(header: list[str], rows: list[list[str]], columns: list[int]) -> Table:
    """The named columns of the result, narrow enough for 80 characters."""
    made = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="quiet")
    made.add_column(header[0])
    made.add_column(header[1], justify="right", no_wrap=True)
    for at in columns:
        made.add_column(header[at].replace("@", "\n@"), justify="right", no_wrap=True)
    for at, row in enumerate(rows):
        style = "head" if at == 0 else "quiet" if at == 1 else ""
        cells = [_short(row[column]) for column in columns]
        made.add_row(row[0].replace("_", " "), row[1], *cells, style=style)
    return made
