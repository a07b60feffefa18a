"""The results as tables: quality, speed, weight; a reason where a system has no figures.

Ratios are to ours of the same run: a recall above 1 finds more, a time above 1 takes longer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mnemic.evals.peers.catalogue import OURS

Result = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Table:
    """A heading a column, and a row a system."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def tables(results: Sequence[Result]) -> list[Table]:
    """Quality, speed and weight of the systems that have figures."""
    measured = [result for result in results if result["reason"] is None]
    ours = next((one["figures"] for one in measured if one["peer"] == OURS.name), None)
    return [
        Table(_QUALITY, tuple(_quality(one, ours) for one in measured)),
        Table(_SPEED, tuple(_speed(one, ours) for one in measured)),
        Table(_WEIGHT, tuple(_weight(one) for one in measured)),
    ]


def reasons(results: Sequence[Result]) -> list[tuple[str, str]]:
    """The systems without figures, each with its reason."""
    return [(one["peer"], one["reason"]) for one in results if one["reason"] is not None]


def notes(results: Sequence[Result]) -> list[tuple[str, str]]:
    """How each system was set, and what its figures leave out."""
    return [(one["peer"], _note(one)) for one in results if one["reason"] is None]


_QUALITY = ("peer", "n", "recall@5", "recall@10", "hit@10", "recall@10 / ours")
_SPEED = ("peer", "add /s", "batch /s", "p50 ms", "p95 ms", "p50 / ours", "embedder ms")
_WEIGHT = ("peer", "import s", "first answer s", "installed MB", "disk bytes an item")


def _quality(result: Result, ours: Mapping[str, Any] | None) -> tuple[str, ...]:
    figures = result["figures"]
    mean, stderr = figures["quality"]["mean"], figures["quality"]["stderr"]
    base = ours["quality"]["mean"]["recall@10"] if ours else None
    return (
        result["peer"],
        str(figures["questions"]),
        f"{mean['recall@5']:.3f}",
        f"{mean['recall@10']:.3f} ± {stderr['recall@10']:.3f}",
        f"{mean['hit@10']:.3f}",
        _ratio(mean["recall@10"], base),
    )


def _speed(result: Result, ours: Mapping[str, Any] | None) -> tuple[str, ...]:
    figures = result["figures"]
    embedder = result.get("embedder_p50_ms")
    return (
        result["peer"],
        f"{figures['one_by_one_per_second']:.0f}",
        "-" if figures["batch_per_second"] is None else f"{figures['batch_per_second']:.0f}",
        f"{figures['recall_p50_ms']:.1f}",
        f"{figures['recall_p95_ms']:.1f}",
        _ratio(figures["recall_p50_ms"], ours["recall_p50_ms"] if ours else None),
        "-" if embedder is None else f"{embedder:.1f}",
    )


def _weight(result: Result) -> tuple[str, ...]:
    figures = result["figures"]
    return (
        result["peer"],
        f"{figures['import_seconds']:.2f}",
        f"{figures['first_answer_seconds']:.2f}",
        f"{figures['install_megabytes']:,.0f}",
        f"{figures['disk_bytes_per_item']:,}",
    )


def _ratio(value: float, base: float | None) -> str:
    return f"{value / base:.2f}" if base else "-"


def _note(result: Result) -> str:
    figures = result["figures"]
    said = [result["settings"]]
    if figures["refused"]:
        said.append(f"{figures['refused']} of {figures['items']} items refused")
    if short := figures["answers_of_fewer_hits_than_asked"]:
        said.append(f"{short} answers with fewer hits than asked for")
    return "; ".join(said)
