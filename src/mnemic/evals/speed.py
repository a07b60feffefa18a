"""`mnemic bench speed`: how near we are to the floor.

Every figure is a ratio of two measurements of the same run, ours over bare parts that do the
least that the work needs, taken in turn; machines are noisy, ratios less so.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from mnemic.evals import process
from mnemic.evals.corpus import Corpus, Filler, make
from mnemic.evals.crowd import crowded
from mnemic.evals.floor import BareFts, BareInsert, BareScan
from mnemic.evals.measure import Measure, at_most, median_ms, timed
from mnemic.index.embed.minilm import MiniLM
from mnemic.memory import Memory
from mnemic.model.trace import Draft
from mnemic.settings import Settings

Progress = Callable[[int, int, str], None]

_LIMIT = 10

_MANY = 1_000_000
"""From so many traces on, a recall may take more of the floor."""


@dataclass(frozen=True, slots=True)
class SpeedResult:
    """All lines of a run."""

    measures: tuple[Measure, ...]

    def as_dict(self) -> dict[str, Any]:
        """The same as plain values."""
        return {"measures": [asdict(measure) for measure in self.measures]}

    def rows(self) -> list[tuple[str, str, str, str, str]]:
        """What, ours, floor, ratio and bound of each line, as text."""
        return [
            (
                m.what,
                f"{m.ours:.4g} {m.unit}",
                "" if m.floor is None else f"{m.floor:.4g} {m.unit}",
                f"{m.ratio:.3f}",
                f"{m.bound} {'reached' if m.good else 'missed'}",
            )
            for m in self.measures
        ]


def bench_speed(
    sizes: Sequence[int] = (1_000, 10_000, 100_000),
    *,
    questions: int = 200,
    others: int = 20,
    progress: Progress | None = None,
) -> SpeedResult:
    """Measure everything; takes some minutes.

    Args:
        sizes: traces in one scope to recall from, ascending.
        questions: asked of each.
        others: users, of 1,000 traces each, who share a brain with the one who asks.
        progress: is told how far it is.
    """
    done = 0
    steps = len(sizes) + 4
    measures: list[Measure] = []

    def step(stage: str) -> None:
        nonlocal done
        if progress is not None:
            progress(done, steps, stage)
        done += 1

    with tempfile.TemporaryDirectory(prefix="mnemic-bench-") as name:
        folder = Path(name)
        step("remember_many")
        measures.append(_bulk(folder))
        step("remember")
        measures.append(_single(folder))
        files: dict[int, Path] = {}
        for size in sizes:
            step(f"recall from {size} traces")
            files[size] = folder / f"{size}.db"
            measures += _recall(files[size], folder, make(size, questions))
        step(f"recall beside {others} other users")
        measures.append(crowded(folder, others, questions))
        step("open")
        measures += _opening(files[sizes[0]], files[sizes[-1]], sizes[0], sizes[-1])
    step("done")
    return SpeedResult(tuple(measures))


def _bulk(folder: Path) -> Measure:
    """Texts a second of `remember_many`, against the bare embedder on the same texts."""
    corpus, model = make(600, 1), MiniLM()
    model.embed(["warm"])
    ratios, ours, floors = [], [], []
    for turn in range(3):
        recorder = Recorder(model)
        with Memory.open(
            folder / f"bulk{turn}.db", embedder=recorder, settings=Settings()
        ) as memory:
            started = perf_counter()
            memory.bind(user="bench").remember_many(corpus.turns)
            ours.append(recorder.count / (perf_counter() - started))
        started = perf_counter()
        model.embed_parts(recorder.seen)
        floors.append(recorder.count / (perf_counter() - started))
        ratios.append(ours[-1] / floors[-1])
    ratio = float(np.median(ratios))
    return Measure(
        "remember_many, texts embedded a second",
        "/s",
        float(np.median(ours)),
        float(np.median(floors)),
        ratio,
        ">= 0.9",
        ratio >= 0.9,
    )


class Recorder:
    """The model, noting which texts it was given."""

    def __init__(self, model: MiniLM) -> None:
        self._model = model
        self.name, self.dimension = model.name, model.dimension
        self.seen: list[Sequence[str]] = []

    @property
    def count(self) -> int:
        """How many vectors were made."""
        return sum(len(group) for group in self.seen)

    def embed(self, texts: Sequence[str]) -> Any:
        """Vectors of the texts, shape (n, 384)."""
        return self._model.embed(texts)

    def embed_parts(self, groups: Sequence[Sequence[str]]) -> Any:
        """Vectors of texts and their parts, which are noted."""
        self.seen += groups
        return self._model.embed_parts(groups)


class _Instant:
    """Vectors that cost nothing, so that everything else is measured."""

    name, dimension = "bench-instant", 384

    def __init__(self) -> None:
        self._vectors = np.random.default_rng(0).standard_normal((64, 384)).astype(np.float32)

    def embed(self, texts: Sequence[str]) -> Any:
        return self._vectors[: len(texts)]


def _single(folder: Path, traces: int = 400) -> Measure:
    """One durable `remember`, embedding aside, against a bare insert of the same rows."""
    corpus = make(traces, 1)
    first, second = folder / "single.db", folder / "bare.db"
    with Memory.open(first, embedder=_Instant(), settings=Settings()) as memory:
        bound = memory.bind(user="bench")
        ours = [timed(partial(bound.remember, **_arguments(draft))) for draft in corpus.turns]
    with Memory.open(second, embedder=None, settings=Settings()):
        pass
    bare = BareInsert(first, second)
    floors = [timed(partial(bare.insert, group)) for group in bare.groups()]
    bare.close()
    return at_most("remember, embedding aside", "ms", median_ms(ours), median_ms(floors), 5)


def _arguments(draft: Draft) -> dict[str, Any]:
    return {
        "content": draft.content,
        "speaker": draft.speaker,
        "thread": draft.thread,
        "time": draft.time,
    }


def _recall(file: Path, folder: Path, corpus: Corpus) -> list[Measure]:
    """The median of `recall`, against embedding the question, bare FTS5 and a bare scan."""
    size, filler = len(corpus.turns), Filler()
    settings = Settings()
    memory = Memory.open(file, embedder=filler, settings=settings)
    memory.bind(user="bench").remember_many(corpus.turns)
    fts = BareFts(folder / f"fts{size}.db", corpus.turns)
    vectors = process.read_vectors(file)
    exact = len(vectors) <= settings.index.exact_vectors
    scan = BareScan(vectors, exact, settings.index.rescored_vectors)
    bound = memory.bind(user="bench")
    bound.recall("warm up", touch=False)
    ours, floors = [], []
    for question in corpus.questions:
        ours.append(timed(partial(bound.recall, question, limit=_LIMIT)))
        started = perf_counter()
        query = filler.embed([question])[0]
        fts.search(question, _LIMIT)
        scan.search(query, _LIMIT)
        floors.append(perf_counter() - started)
    memory.close()
    fts.close()
    what = f"recall p50, {size:,} traces, {len(vectors):,} vectors"
    bound_of = 2.5 if size >= _MANY else 1.8
    measures = [at_most(what, "ms", median_ms(ours), median_ms(floors), bound_of)]
    if not exact:
        measures.append(_quantised(vectors, corpus, filler))
    return measures


def _quantised(vectors: Any, corpus: Corpus, filler: Filler) -> Measure:
    """Share of the ten nearest that the scan by bits, as the brain does it, finds."""
    from mnemic.index.vectors import Collector, Matrix, Rows, pack

    collector = Collector(Rows.empty(vectors.shape[1]), len(vectors))
    entries = np.arange(len(vectors))
    collector.add(entries, np.ones_like(entries), pack(vectors))
    rows = collector.rows()
    matrix = Matrix(rows, exact=False)
    most = Settings().index.rescored_vectors
    shares = []
    for question in corpus.questions:
        query = filler.embed([question])[0]
        true = np.argsort(-(vectors @ query))[:_LIMIT]
        near = matrix.nearest(query, most, 2 * _LIMIT)
        best = near[np.argsort(-matrix.cosines(query, near)[0])[:_LIMIT]]
        shares.append(len(set(true.tolist()) & set(best.tolist())) / _LIMIT)
    share = float(np.mean(shares))
    return Measure(
        f"vectors found of the exact top {_LIMIT}", "", share, None, share, ">= 0.98", share >= 0.98
    )


def _opening(small: Path, large: Path, few: int, many: int) -> list[Measure]:
    """Opening, the first recall, and memory, each in processes of their own."""
    opened = {
        path: median_ms([process.run("open", path)["seconds"] for _ in range(5)])
        for path in (small, large)
    }
    firsts, floors = [], []
    for _ in range(3):
        firsts.append(process.run("first", large)["seconds"])
        floors.append(process.run("bare", large)["seconds"])
    measures = [
        at_most(f"first recall, {many:,} traces", "ms", median_ms(firsts), median_ms(floors), 1.5)
    ]
    if small == large:
        return measures  # of one size alone nothing can be told by how it grows
    ratio = at_most(
        f"open, {many:,} against {few:,} traces", "ms", opened[large], opened[small], 1.5
    )
    return [ratio, *measures, _memory(small, large)]


def _memory(small: Path, large: Path) -> Measure:
    """The memory that each vector more takes."""
    less, more = process.run("memory", small), process.run("memory", large)
    vectors = more["vectors"] - less["vectors"]
    each = (more["bytes"] - less["bytes"]) / vectors
    what = f"memory a vector, {int(vectors):,} vectors"
    return Measure(what, "B", each, None, each, "< 614", each < 614)
