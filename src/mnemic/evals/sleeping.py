"""`mnemic bench consolidate`: how a consolidation grows with the brain, and what memory it takes.

Two brains of made-up turns, one ten times the other, each consolidated by a process of its own. A
tenth of the turns is said twice, each turn names somebody, and a year has gone by, so that every
step has something to do.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter
from typing import Any

from mnemic.evals import process
from mnemic.evals.corpus import SEED, Filler, make
from mnemic.evals.lines_of_a_year import NAMES
from mnemic.evals.measure import Measure, at_most
from mnemic.evals.speed import SpeedResult
from mnemic.memory import Memory
from mnemic.model.trace import Draft
from mnemic.settings import Settings

Progress = Callable[[int, int, str], None]

_START = datetime(2030, 1, 1, tzinfo=UTC)
_BATCH = 2_000
_MOST_GROWTH = 12.0
_MOST_MB = 1_024.0


def bench_consolidate(
    traces: tuple[int, int] = (10_000, 100_000), *, progress: Progress | None = None
) -> SpeedResult:
    """Measure; takes some minutes, most of them to make the brains.

    Args:
        traces: of the smaller brain, and of the larger one.
        progress: is told how far it is.
    """
    seconds: list[float] = []
    megabytes: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        for done, count in enumerate(traces):
            if progress is not None:
                progress(done, len(traces), f"{count} traces")
            file = Path(folder) / f"{count}.db"
            _fill(file, count)
            command = [sys.executable, "-m", "mnemic.evals.sleeping", str(file)]
            ran = subprocess.run(command, check=True, capture_output=True, text=True)
            figures = json.loads(ran.stdout)
            seconds.append(figures["seconds"])
            megabytes.append(figures["bytes"] / (1 << 20))
    factor = traces[1] / traces[0]
    bound = _MOST_GROWTH / 10 * factor
    what = f"consolidation, {traces[1]:,} / {traces[0]:,} traces"
    most = megabytes[1]
    memory = Measure(
        f"memory of it, {traces[1]:,} traces",
        "MB",
        most,
        megabytes[0],
        most,
        f"<= {_MOST_MB:g}",
        most <= _MOST_MB,
    )
    return SpeedResult((at_most(what, "s", seconds[1], seconds[0], bound), memory))


class _Clock:
    """A clock that is moved."""

    def __init__(self) -> None:
        self.now = _START

    def __call__(self) -> datetime:
        return self.now


def _fill(file: Path, count: int) -> None:
    """A brain of so many turns, a tenth of them said twice, each about somebody."""
    chance = random.Random(SEED)
    turns = [
        replace(draft, content=f"{chance.choice(NAMES)} said: {draft.content}", speaker=None)
        for draft in make(count - count // 10, 1).turns
    ]
    doubles = [replace(turn, content=turn.content.upper()) for turn in turns[: count // 10]]
    said: list[Draft] = [*turns, *doubles]
    with Memory.open(file, embedder=Filler(), settings=Settings(), clock=_Clock()) as memory:
        who = memory.bind(user="bench")
        for at in range(0, len(said), _BATCH):
            who.remember_many(said[at : at + _BATCH])


def _consolidate(file: str) -> dict[str, Any]:
    clock = _Clock()
    clock.now += timedelta(days=365)
    with Memory.open(file, embedder=Filler(), settings=Settings(), clock=clock) as memory:
        started = perf_counter()
        report = memory.consolidate()
        seconds = perf_counter() - started
    return {"seconds": seconds, "bytes": process.most_resident(), "counts": dict(report.counts)}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(_consolidate(sys.argv[1])))
