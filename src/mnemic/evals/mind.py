"""`mnemic bench mind`: what each mechanism of the mind is worth, by switching it off.

A benchmark's turns are remembered; a day later every question is asked once, so that practice,
competition and ties take their effect; the brain consolidates, a quarter of a year goes by, and
it consolidates again. Then every question is asked anew, and what is recalled is counted. The
clock is one that is moved, so none of it takes longer than the work. Each mechanism is switched
off alone, or on alone where it is off by default; all else is as it comes.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from mnemic import Embedder, Memory, Settings
from mnemic.errors import InvalidInput
from mnemic.evals import datasets
from mnemic.evals.datasets import Dataset, Store
from mnemic.mind_settings import Mind

Progress = Callable[[int, int, str], None]

READERS: Mapping[str, Callable[[Path], Dataset]] = {
    "locomo": datasets.load_locomo,
    "longmemeval": datasets.load_longmemeval,
    "beam": datasets.load_beam,
}

SWITCHES: Mapping[str, dict[str, Any]] = {
    "appraisal": {"appraisal": {"enabled": False}},
    "decay": {"decay": {"enabled": False}},
    "strength in the ranking": {"ranking": {"strength_weight": 0}},
    "reconsolidation": {"reconsolidation": {"enabled": False}},
    "retrieval-induced forgetting": {"forgetting": {"enabled": False}},
    "involuntary recall": {"involuntary": {"enabled": False}},
    "feeling of knowing": {"knowing": {"enabled": False}},
    "temporal gist": {"gist": {"enabled": False}},
    "schema encoding": {"schema_encoding": {"enabled": False}},
    "spreading activation": {"spreading": {"enabled": False}},
    "source-confidence decay": {"source_decay": {"enabled": False}},
    "emotion regulation": {"regulation": {"enabled": False}},
    "persona drift": {"drift": {"enabled": False}},
    "working memory": {"working": {"enabled": False}},
    "archiving": {"consolidation": {"archive": False}},
    "insights": {"consolidation": {"derive": False}},
}
"""What switches each mechanism off."""

TURNED_ON: Mapping[str, dict[str, Any]] = {
    "temporal gist": {"gist": {"enabled": True}},
    "persona drift": {"drift": {"enabled": True}},
    "insights": {"consolidation": {"derive": True}},
    "spreading activation": {"spreading": {"enabled": True, "weight": 0.1}},
}
"""What switches on those that are off by default, or do not rank."""

_START = datetime(2030, 1, 1, tzinfo=UTC)
_DAYS = (1, 89)
_DEPTH = 10
_BUDGET = 1_400


@dataclass(frozen=True, slots=True)
class Figures:
    """What one setting recalled.

    Args:
        recall: share of the evidence among the first ten, averaged over questions.
        complete: share of questions whose evidence is whole in a packet of 1,400 tokens.
        tokens: that such packets took, on average.
    """

    recall: float
    complete: float
    tokens: float


@dataclass(frozen=True, slots=True)
class Effect:
    """What a mechanism is worth on one benchmark: with it, and without."""

    mechanism: str
    by_default: bool
    with_it: Figures
    without: Figures

    @property
    def recall(self) -> float:
        """By how much recall is higher with it."""
        return self.with_it.recall - self.without.recall


@dataclass(frozen=True, slots=True)
class MindResult:
    """What a run measured: the defaults, no mind at all, and each mechanism, by benchmark."""

    questions: Mapping[str, int]
    defaults: Mapping[str, Figures]
    off: Mapping[str, Figures]
    effects: Mapping[str, tuple[Effect, ...]]

    def as_dict(self) -> dict[str, Any]:
        """The same as plain values, for JSON."""
        return asdict(self)


class _Clock:
    """A clock that is moved."""

    def __init__(self) -> None:
        self.now = _START

    def __call__(self) -> datetime:
        return self.now


def bench_mind(
    files: Mapping[str, Path],
    *,
    mechanisms: Sequence[str] | None = None,
    limit_questions: int | None = None,
    dialogues: int | None = None,
    embedder: Embedder | str | None = "auto",
    progress: Progress | None = None,
) -> MindResult:
    """Measure every mechanism on some benchmarks; takes an hour with all of them.

    Args:
        files: by the name of the benchmark: "locomo", "longmemeval", "beam".
        mechanisms: only these; None is all.
        limit_questions: only the first so many of each brain.
        dialogues: only the first so many brains.
        embedder: as `Memory.open` takes it; one that keeps its vectors saves most of the time.
        progress: is told how many runs are done, of how many.

    Raises:
        InvalidInput: a benchmark or a mechanism is unknown.
    """
    wanted = _wanted(files, mechanisms)
    lives: list[tuple[str, str, dict[str, Any]]] = []
    for name in files:
        lives += [(name, "defaults", {}), (name, "off", {"enabled": False})]
        lives += [(name, one, _other(one)) for one in wanted]
    sets = {
        name: _part(READERS[name](path), dialogues, limit_questions) for name, path in files.items()
    }
    found: dict[tuple[str, str], Figures] = {}
    for done, (name, what, mind) in enumerate(lives):
        if progress is not None:
            progress(done, len(lives), f"{name}: {what}")
        found[name, what] = _lived(sets[name], Settings(mind=mind), embedder)
    return MindResult(
        {name: sum(len(store.questions) for store in sets[name]) for name in files},
        {name: found[name, "defaults"] for name in files},
        {name: found[name, "off"] for name in files},
        {
            name: tuple(_effect(one, found[name, "defaults"], found[name, one]) for one in wanted)
            for name in files
        },
    )


def _wanted(files: Mapping[str, Path], mechanisms: Sequence[str] | None) -> Sequence[str]:
    for given, known in ((files, READERS), (mechanisms or (), SWITCHES)):
        for one in given:
            if one not in known:
                raise InvalidInput(f"{one!r} is unknown; use some of: {', '.join(known)}")
    return tuple(SWITCHES) if mechanisms is None else tuple(mechanisms)


def _is_on(mechanism: str) -> bool:
    """Whether a mechanism works, and ranks, by default."""
    usual, switched = Mind(), Mind(**SWITCHES[mechanism])
    return usual != switched and mechanism != "spreading activation"


def _other(mechanism: str) -> dict[str, Any]:
    """The settings that are not the usual ones."""
    return SWITCHES[mechanism] if _is_on(mechanism) else TURNED_ON[mechanism]


def _effect(mechanism: str, usual: Figures, other: Figures) -> Effect:
    if _is_on(mechanism):
        return Effect(mechanism, True, usual, other)
    return Effect(mechanism, False, other, usual)


def _part(dataset: Dataset, dialogues: int | None, questions: int | None) -> list[Store]:
    return [
        Store(store.name, store.turns, store.questions[:questions], ())
        for store in dataset.stores[:dialogues]
    ]


def _lived(stores: Sequence[Store], settings: Settings, embedder: Embedder | str | None) -> Figures:
    """Let a quarter of a year go by in a brain for each store, and ask."""
    recall: list[float] = []
    complete: list[float] = []
    tokens: list[float] = []
    for store in stores:
        clock = _Clock()
        with (
            tempfile.TemporaryDirectory(prefix="mnemic-mind-") as folder,
            Memory.open(
                Path(folder) / "brain.db",
                embedder=embedder,
                settings=settings,
                clock=clock,
                chance=lambda: 0.0,
            ) as memory,
        ):
            bound = memory.bind(user=store.name)
            receipts = bound.remember_many(turn.draft for turn in store.turns)
            known = {
                turn.key: receipt.trace.id
                for turn, receipt in zip(store.turns, receipts, strict=True)
                if receipt.trace is not None
            }
            clock.now += timedelta(days=_DAYS[0])
            for question in store.questions:
                bound.recall(question.text, limit=_DEPTH, asked_at=question.asked_at)
            memory.consolidate()
            clock.now += timedelta(days=_DAYS[1])
            memory.consolidate()
            for question in store.questions:
                gold = {known.get(key, "") for key in question.gold}
                hits = bound.recall(
                    question.text, limit=_DEPTH, asked_at=question.asked_at, touch=False
                )
                recall.append(len(gold & {hit.trace.id for hit in hits}) / len(gold))
                packet = bound.context(question.text, budget_tokens=_BUDGET, touch=False)
                complete.append(float(gold <= {line.trace_id for line in packet.lines}))
                tokens.append(packet.tokens)
    count = max(1, len(recall))
    return Figures(sum(recall) / count, sum(complete) / count, sum(tokens) / count)
