"""What several benchmarks share on the command line: the embedder, and tables of ratios."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from mnemic.cli import views
from mnemic.cli.calls import Call
from mnemic.errors import EmbedderError, InvalidInput

if TYPE_CHECKING:
    from mnemic import Embedder
    from mnemic.evals.speed import SpeedResult


def ratios(result: SpeedResult) -> Table:
    """The lines of a speed run, each with what it must reach and whether it does."""
    made = views.table("what", "ours", "floor", "ratio", "bound", right=("ours", "floor", "ratio"))
    for what, ours, floor, ratio, bound in result.rows():
        style = "bad" if bound.endswith("missed") else "good"
        made.add_row(what, ours, floor, ratio, Text(bound, style))
    return made


def embedder_of(call: Call, cache: Path | None) -> Embedder | str | None:
    """The embedder of a benchmark: the model, one that keeps its vectors, or none."""
    if call.no_embedder:
        if cache is not None:
            raise InvalidInput("--cache keeps vectors and --no-embedder makes none: drop one")
        return None
    if cache is None:
        return "auto"
    from mnemic.evals.embed_cache import CachedEmbedder
    from mnemic.index.embed.choose import choose

    choice = choose("auto")
    if choice.embedder is None:
        raise EmbedderError(f"--cache needs the model: {choice.problem}")
    return CachedEmbedder(choice.embedder, cache)
