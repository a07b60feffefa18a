"""What other people's memories cost the one who asks: nothing should grow with them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from mnemic.evals.corpus import Corpus, Filler, make
from mnemic.evals.measure import Measure, at_most, median_ms, timed
from mnemic.memory import Memory
from mnemic.model.trace import Draft
from mnemic.settings import Settings

_TRACES = 1_000
"""Of each user."""

_LIMIT = 10


def crowded(folder: Path, others: int, questions: int) -> Measure:
    """The median of `recall` in a brain with other users, against alone, asked in turn.

    Args:
        folder: to put both brains into.
        others: how many other users there are, of 1,000 traces each.
        questions: asked of both.
    """
    corpus = make(_TRACES, questions)
    with (
        Memory.open(folder / "alone.db", embedder=Filler(), settings=Settings()) as alone,
        Memory.open(folder / "crowd.db", embedder=Filler(), settings=Settings()) as crowd,
    ):
        for memory in (alone, crowd):
            memory.bind(user="bench").remember_many(corpus.turns)
        for number in range(others):
            crowd.bind(user=f"other{number}").remember_many(_said_by(corpus, number))
        bound = [memory.bind(user="bench") for memory in (alone, crowd)]
        for who in bound:
            who.recall("warm up", touch=False)
        seconds: tuple[list[float], list[float]] = ([], [])
        for question in corpus.questions:
            for who, taken in zip(bound, seconds, strict=True):
                taken.append(timed(partial(who.recall, question, limit=_LIMIT)))
    what = f"recall p50, beside {others:,} users of {_TRACES:,} traces, against alone"
    return at_most(what, "ms", median_ms(seconds[1]), median_ms(seconds[0]), 1.2)


def _said_by(corpus: Corpus, number: int) -> list[Draft]:
    """The same turns in words of this user's own, so that no text is known already."""
    return [replace(turn, content=f"{turn.content} {number}") for turn in corpus.turns]
