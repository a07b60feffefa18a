"""`mnemic bench locomo|longmemeval|beam`: how much of the evidence is recalled.

Everything goes through the public names of mnemic: turns are remembered, questions recalled, and
the traces that come back are compared with those that the gold turns became. Brains live in a
folder of their own that is gone afterwards. Nothing is asked of a language model.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import Any

from mnemic import BoundMemory, Embedder, Memory, Receipt, Settings
from mnemic.errors import InvalidInput
from mnemic.evals import datasets
from mnemic.evals.datasets import Dataset, Question, Store, Turn
from mnemic.evals.metrics import (
    KS,
    SESSION_KS,
    Summary,
    percentile,
    score,
    score_sessions,
    summarise,
)

Progress = Callable[[int, int, str], None]

DEPTH = max(KS)
"""Hits asked for: the deepest place at which anything is counted."""

CONTEXT_TOKENS = (700, 1_400, 2_800)
"""Budgets of the context packets that are looked at: is all the evidence in them?"""

SESSION_DEPTH = 100
"""Hits asked for when sessions are counted: ten different ones want more turns than twenty."""

TABLE_FIGURES = (
    *(f"{name}@{k}" for name in ("recall", "hit", "all") for k in KS),
    "mrr",
    *(f"session {name}@{k}" for name in ("any", "all") for k in SESSION_KS),
)


@dataclass(frozen=True, slots=True)
class _Options:
    """What the three benchmarks have in common; `bench_locomo` says what each is."""

    dialogues: int | None
    limit_questions: int | None
    embedder: Embedder | str | None
    settings: Settings | None
    progress: Progress | None

    def __post_init__(self) -> None:
        for name in ("dialogues", "limit_questions"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise InvalidInput(f"{name} must be at least 1, not {value}; leave it out for all")


@dataclass(frozen=True, slots=True)
class QualityResult:
    """What a run measured.

    Args:
        benchmark, mode: which file, and how it was put into brains.
        embedder: the model that made the vectors; None for words only.
        brains, turns, questions: how many there were of each.
        dropped: what was left out, by reason.
        overall, categories: the figures, over all questions and by category.
        context_tokens: that packets of each budget took, on average. Ids are random, and so is how
            many tokens each takes: a run differs from the next by a few.
        unanswerable: how many questions were asked that nothing answers.
        answered_anyway: the share of them for which something was recalled.
        ingest_seconds: spent remembering; for information, not for comparison.
        recall_p50_ms, recall_p95_ms: of one recall; likewise.
    """

    benchmark: str
    mode: str
    embedder: str | None
    brains: int
    turns: int
    questions: int
    dropped: Mapping[str, int]
    overall: Summary
    categories: Mapping[str, Summary]
    context_tokens: Mapping[int, float]
    unanswerable: int
    answered_anyway: float
    ingest_seconds: float
    recall_p50_ms: float
    recall_p95_ms: float

    def as_dict(self) -> dict[str, Any]:
        """The same as plain values, for JSON."""
        return {
            "benchmark": self.benchmark,
            "mode": self.mode,
            "embedder": self.embedder,
            "brains": self.brains,
            "turns": self.turns,
            "questions": self.questions,
            "dropped": dict(self.dropped),
            "overall": self.overall.as_dict(),
            "categories": {name: one.as_dict() for name, one in self.categories.items()},
            "context_tokens": {str(b): round(n, 1) for b, n in self.context_tokens.items()},
            "unanswerable": self.unanswerable,
            "answered_anyway": round(self.answered_anyway, 4),
            "ingest_seconds": round(self.ingest_seconds, 2),
            "recall_p50_ms": round(self.recall_p50_ms, 2),
            "recall_p95_ms": round(self.recall_p95_ms, 2),
        }

    def header(self) -> list[str]:
        """Column names of the table that `rows` fills."""
        return ["category", "n", *self._figures()]

    def rows(self) -> list[list[str]]:
        """A row for all questions, one for its standard errors, one for each category."""
        figures = self._figures()

        def row(name: str, n: int, values: Mapping[str, float]) -> list[str]:
            return [name, str(n), *(f"{values[figure]:.3f}" for figure in figures)]

        return [
            row("all", self.overall.n, self.overall.mean),
            row("± standard error", self.overall.n, self.overall.stderr),
            *(row(name, one.n, one.mean) for name, one in self.categories.items()),
        ]

    def _figures(self) -> list[str]:
        return [figure for figure in TABLE_FIGURES if figure in self.overall.mean]


def bench_locomo(
    path: str | Path,
    *,
    pooled: bool = False,
    dialogues: int | None = None,
    limit_questions: int | None = None,
    embedder: Embedder | str | None = "auto",
    settings: Settings | None = None,
    progress: Progress | None = None,
) -> QualityResult:
    """LoCoMo: a brain a dialogue.

    Args:
        path: of the file, plain or packed.
        pooled: all dialogues in one brain, a user each.
        dialogues: only the first so many dialogues of the file.
        limit_questions: only the first so many questions of each dialogue.
        embedder: as `Memory.open` takes it.
        settings: of the brains; None reads the environment.
        progress: is told how many turns, then questions, are done, of how many.

    Raises:
        ImportFormatError: the file is not LoCoMo's.
    """
    options = _Options(dialogues, limit_questions, embedder, settings, progress)
    dataset = _part(datasets.load_locomo(path), options)
    if pooled:
        return _Run("locomo", "one brain, a user a dialogue", options).together(dataset)
    return _Run("locomo", "a brain a dialogue", options).apart(dataset)


def bench_longmemeval(
    path: str | Path,
    *,
    s_like: bool = False,
    limit_questions: int | None = None,
    embedder: Embedder | str | None = "auto",
    settings: Settings | None = None,
    progress: Progress | None = None,
) -> QualityResult:
    """LongMemEval: all sessions in one brain; sessions are counted as well as turns.

    Args:
        path: of the file, plain or packed.
        s_like: a brain a question, with its own sessions and 45 others.
        limit_questions: only the first so many questions.
        embedder, settings, progress: as for `bench_locomo`.

    Raises:
        ImportFormatError: the file is not LongMemEval's.
    """
    options = _Options(None, limit_questions, embedder, settings, progress)
    dataset = _part(datasets.load_longmemeval(path), options)
    if s_like:
        run = _Run("longmemeval", "a brain of about 48 sessions a question", options)
        return run.apart(datasets.s_like(dataset))
    return _Run("longmemeval", "all sessions in one brain", options).apart(dataset)


def bench_beam(
    path: str | Path,
    *,
    dialogues: int | None = None,
    limit_questions: int | None = None,
    embedder: Embedder | str | None = "auto",
    settings: Settings | None = None,
    progress: Progress | None = None,
) -> QualityResult:
    """BEAM: a brain a conversation; the arguments are those of `bench_locomo`.

    Raises:
        ImportFormatError: the file is not BEAM's.
    """
    options = _Options(dialogues, limit_questions, embedder, settings, progress)
    dataset = _part(datasets.load_beam(path), options)
    return _Run("beam", "a brain a conversation", options).apart(dataset)


def _part(dataset: Dataset, options: _Options) -> Dataset:
    """The part of a data set that the options ask for."""
    stores = dataset.stores[: options.dialogues]
    return replace(
        dataset,
        stores=tuple(
            replace(
                store,
                questions=store.questions[: options.limit_questions],
                unanswerable=store.unanswerable[: options.limit_questions],
            )
            for store in stores
        ),
    )


@dataclass(slots=True)
class _Run:
    """One run: remembers, asks, and gathers the figures."""

    benchmark: str
    mode: str
    options: _Options
    rows: list[tuple[str, dict[str, float]]] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)
    anyway: list[bool] = field(default_factory=list)
    tokens: Counter[int] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    embedder: str | None = None
    ingest_seconds: float = 0.0
    brains: int = 0
    done: Counter[str] = field(default_factory=Counter)
    totals: Counter[str] = field(default_factory=Counter)

    def apart(self, dataset: Dataset) -> QualityResult:
        """A brain for each store."""
        return self._each(dataset, [(store,) for store in dataset.stores])

    def together(self, dataset: Dataset) -> QualityResult:
        """One brain for all stores, a user for each."""
        return self._each(dataset, [dataset.stores])

    def _each(self, dataset: Dataset, brains: Iterable[Sequence[Store]]) -> QualityResult:
        self.totals["remember"] = sum(len(store.turns) for store in dataset.stores)
        self.totals["ask"] = sum(
            len(store.questions) + len(store.unanswerable) for store in dataset.stores
        )
        for stores in brains:
            self._brain(stores)
        return self._result(dataset)

    def _brain(self, stores: Sequence[Store]) -> None:
        options = self.options
        with (
            tempfile.TemporaryDirectory(prefix="mnemic-bench-") as folder,
            Memory.open(
                Path(folder) / "brain.db", embedder=options.embedder, settings=options.settings
            ) as memory,
        ):
            self.brains += 1
            bound = {store.name: memory.bind(user=store.name) for store in stores}
            started = perf_counter()
            known = {store.name: self._remember(bound[store.name], store) for store in stores}
            self.ingest_seconds += perf_counter() - started
            self.embedder = memory.health().embedder
            for store in stores:
                for question in store.questions:
                    self._ask(bound[store.name], question, known[store.name])
                for question in store.unanswerable:
                    self._ask_in_vain(bound[store.name], question)

    def _remember(self, bound: BoundMemory, store: Store) -> dict[str, str]:
        """Store the turns; the trace id that each key became."""
        traces: dict[str, str] = {}
        receipts = self._receipts(bound, store.turns)
        for turn, receipt in zip(store.turns, receipts, strict=True):
            if receipt is not None and receipt.trace is not None:
                traces[turn.key] = receipt.trace.id
            else:
                self.dropped["turns that the brain refused"] += 1
        return traces

    def _receipts(self, bound: BoundMemory, turns: Sequence[Turn]) -> list[Receipt | None]:
        """A receipt for each turn, None for one that is no input (such as one over the limit)."""
        before = self.done["remember"]

        def advance(done: int, _total: int, _stage: str) -> None:
            self._advance("remember", before + done)

        try:
            receipts = bound.remember_many((turn.draft for turn in turns), progress=advance)
        except InvalidInput:  # one of them; nothing was stored, so halve until it is found
            if len(turns) == 1:
                self._advance("remember", before + 1)
                return [None]
            middle = len(turns) // 2
            return self._receipts(bound, turns[:middle]) + self._receipts(bound, turns[middle:])
        self._advance("remember", before + len(turns))
        return list(receipts)

    def _ask(self, bound: BoundMemory, question: Question, known: Mapping[str, str]) -> None:
        started = perf_counter()
        hits = bound.recall(question.text, limit=DEPTH, asked_at=question.asked_at, touch=False)
        self.milliseconds.append(1000 * (perf_counter() - started))
        # A gold turn that was not stored stays in the count: it cannot be recalled.
        gold = {known.get(key, f"not stored: {key}") for key in question.gold}
        figures = score([hit.trace.id for hit in hits], gold)
        if question.own_sessions:
            deep = bound.recall(
                question.text, limit=SESSION_DEPTH, asked_at=question.asked_at, touch=False
            )
            sessions = [hit.trace.thread or "" for hit in deep]
            figures |= score_sessions(sessions, question.gold_sessions)
        for budget in CONTEXT_TOKENS:
            packet = bound.context(question.text, budget_tokens=budget)
            shown = set(packet.ids)
            figures[f"complete@{budget}"] = float(gold <= shown)
            self.tokens[budget] += packet.tokens
        self.rows.append((question.category, figures))
        self._advance("ask", self.done["ask"] + 1)

    def _ask_in_vain(self, bound: BoundMemory, question: Question) -> None:
        hits = bound.recall(question.text, asked_at=question.asked_at, touch=False)
        self.anyway.append(bool(hits))
        self._advance("ask", self.done["ask"] + 1)

    def _advance(self, stage: str, done: int) -> None:
        self.done[stage] = done
        if self.options.progress is not None:
            self.options.progress(done, self.totals[stage], stage)

    def _result(self, dataset: Dataset) -> QualityResult:
        categories = sorted({category for category, _ in self.rows})
        return QualityResult(
            benchmark=self.benchmark,
            mode=self.mode,
            embedder=self.embedder,
            brains=self.brains,
            turns=self.totals["remember"],
            questions=len(self.rows),
            dropped={**dataset.dropped, **self.dropped},
            overall=summarise([figures for _, figures in self.rows]),
            categories={
                name: summarise([figures for category, figures in self.rows if category == name])
                for name in categories
            },
            context_tokens={b: n / len(self.rows) for b, n in self.tokens.items()},
            unanswerable=len(self.anyway),
            answered_anyway=sum(self.anyway) / len(self.anyway) if self.anyway else 0.0,
            ingest_seconds=self.ingest_seconds,
            recall_p50_ms=percentile(self.milliseconds, 0.5),
            recall_p95_ms=percentile(self.milliseconds, 0.95),
        )
