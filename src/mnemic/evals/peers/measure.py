"""Measures one system: fills its store, then asks it, each in a process of its own.

The store is filled one by one for the first items and by the peer's batch call for the rest. Then
fresh processes answer the first question, and the last of them all the questions. A hit counts by
the name that the peer gave the item when it took it.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from mnemic.evals.metrics import percentile, score, summarise
from mnemic.evals.peers.material import Asked, Material
from mnemic.evals.peers.talk import Talk, names, number

Progress = Callable[[int, int, str], None]

LIMIT = 10
"""Hits asked for."""

SINGLES = 150
"""Items that are added one by one where a peer has a batch call; all, where it has none."""

STARTS = 3
"""Fresh processes that are timed up to their first answer; the median counts."""

FIGURES = ("recall@5", "recall@10", "hit@10")

_AT_ONCE = 25
_BLOCK = 512


@dataclass(frozen=True, slots=True)
class Where:
    """How a worker is started: `Talk` says what each is."""

    python: Path
    adapter: Path
    folder: Path
    server: str
    bound: float

    def talk(self) -> Talk:
        """A new worker."""
        return Talk(self.python, self.adapter, self.folder, self.server, self.bound)


@dataclass(slots=True)
class _Filled:
    """What filling a store gave: the name that each item got, counts and seconds."""

    names: dict[str, str] = field(default_factory=dict)
    refused: int = 0
    single: int = 0
    single_seconds: float = 0.0
    batch: int = 0
    batch_seconds: float = 0.0

    def took(self, items: Sequence[Mapping[str, Any]], given: Sequence[str | None]) -> None:
        """Note which names a peer gave to items."""
        for item, name in zip(items, given, strict=True):
            if name is None:
                self.refused += 1
            else:
                self.names[item["id"]] = name


def about(where: Where) -> dict[str, Any]:
    """The version of the interpreter and of all that is installed with it."""
    with where.talk() as talk:
        return talk.ask("about")


def measure(
    where: Where, material: Material, progress: Progress, *, starts: int = STARTS
) -> dict[str, Any]:
    """The figures of one system.

    Raises:
        PeerFailed: it could not be measured; the message says why.
    """
    shutil.rmtree(where.folder, ignore_errors=True)
    filled = _fill(where, material, progress)
    size = disk_bytes(where.folder)
    asked = _ask(where, material, filled.names, progress, starts)
    rate = _rate(filled.batch, filled.batch_seconds)
    return {
        "items": material.size,
        "refused": filled.refused,
        "added_one_by_one": filled.single,
        "one_by_one_per_second": _rate(filled.single, filled.single_seconds),
        "batch_per_second": rate if filled.batch else None,
        "disk_bytes_per_item": round(size / material.size),
        **asked,
    }


def _rate(count: int, seconds: float) -> float:
    return round(count / seconds, 1) if seconds else 0.0


def _fill(where: Where, material: Material, progress: Progress) -> _Filled:
    filled = _Filled()

    def advance() -> None:
        progress(filled.single + filled.batch, material.size, "add")

    with where.talk() as talk:
        batches = talk.ask("open").get("batch") is True
        left = min(SINGLES, material.size) if batches else material.size
        for items in material.items.values():
            ones, rest = items[:left], items[left:]
            left -= len(ones)
            for at in range(0, len(ones), _AT_ONCE):
                _add_each(talk, filled, ones[at : at + _AT_ONCE])
                advance()
            if left == 0 and ones:
                filled.single_seconds += number(talk.ask("finish"), "seconds")
            if rest:
                answer = talk.ask("add_many", items=rest)
                filled.took(rest, names(answer, count=len(rest)))
                filled.batch += len(rest)
                filled.batch_seconds += number(answer, "seconds")
                advance()
        if filled.batch:
            filled.batch_seconds += number(talk.ask("finish"), "seconds")
        talk.ask("close")
    return filled


def _add_each(talk: Talk, filled: _Filled, items: Sequence[Mapping[str, Any]]) -> None:
    answer = talk.ask("add", items=items)
    filled.took(items, names(answer, count=len(items)))
    filled.single += len(items)
    filled.single_seconds += number(answer, "seconds")


@dataclass(slots=True)
class _Asked:
    """What a fresh process gave: seconds to its start, and hits and milliseconds by question."""

    import_seconds: float = 0.0
    first_seconds: float = 0.0
    hits: list[list[str]] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)


def _converse(where: Where, questions: Sequence[Asked], progress: Progress) -> _Asked:
    asked = _Asked()
    started = perf_counter()
    with where.talk() as talk:
        asked.import_seconds = number(talk.ask("open"), "import_seconds")
        for done, question in enumerate(questions, 1):
            answer = talk.ask("ask", user=question.user, question=question.text, limit=LIMIT)
            if done == 1:
                asked.first_seconds = perf_counter() - started
            asked.hits.append(list(dict.fromkeys(one for one in names(answer) if one is not None)))
            asked.milliseconds.append(1000 * number(answer, "seconds"))
            progress(done, len(questions), "ask")
        talk.ask("close")
    return asked


def _ask(
    where: Where, material: Material, known: Mapping[str, str], progress: Progress, starts: int
) -> dict[str, Any]:
    before = [_converse(where, material.questions[:1], progress) for _ in range(starts - 1)]
    asked = _converse(where, material.questions, progress)
    fresh = [*before, asked]
    rows = [
        (question.category, _scores(question, found, known))
        for question, found in zip(material.questions, asked.hits, strict=True)
    ]
    warm = asked.milliseconds[1:] or asked.milliseconds
    return {
        "questions": len(rows),
        "quality": _summary([scores for _, scores in rows]),
        "categories": {
            name: _summary([scores for category, scores in rows if category == name])
            for name in sorted({category for category, _ in rows})
        },
        "answers_of_fewer_hits_than_asked": sum(len(found) < LIMIT for found in asked.hits),
        "recall_p50_ms": round(percentile(warm, 0.5), 2),
        "recall_p95_ms": round(percentile(warm, 0.95), 2),
        "import_seconds": round(median(one.import_seconds for one in fresh), 3),
        "first_answer_seconds": round(median(one.first_seconds for one in fresh), 3),
    }


def _scores(question: Asked, found: list[str], known: Mapping[str, str]) -> dict[str, float]:
    # An item that was refused stays in the count: it cannot be recalled.
    gold = {known.get(one, f"refused: {one}") for one in question.gold}
    scores = score(found, gold)
    return {figure: scores[figure] for figure in FIGURES}


def _summary(rows: list[dict[str, float]]) -> dict[str, Any]:
    return summarise(rows).as_dict()


def disk_bytes(folder: Path) -> int:
    """What the files under a folder take on the disk: whole blocks, holes not counted."""
    return sum(
        path.lstat().st_blocks * _BLOCK
        for path in folder.rglob("*")
        if path.is_file() and path.name != "stderr.txt"
    )
