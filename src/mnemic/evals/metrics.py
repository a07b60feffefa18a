"""Figures of merit for ranked answers, and their means with standard errors.

A question has a set of gold ids. Recall is the share of them in the first k places, hit whether
one is there, all whether all are, and mrr one over the place of the first (0 when none is in the
list). Means are over questions; the standard error is the sample deviation over the root of n.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

KS = (5, 10, 20)
"""Places at which recall, hit and all are taken."""

SESSION_KS = (5, 10)
"""Places at which sessions are counted."""

Scores = Mapping[str, float]
"""The figures of one question, by name: "recall@10", "mrr", ..."""


def score(ranked: Sequence[str], gold: Collection[str]) -> dict[str, float]:
    """Recall, hit and all at each of KS, and mrr, of one ranked list without repeats.

    Raises ValueError when there is no gold to be found: such a question measures nothing.
    """
    wanted = _wanted(gold)
    scores: dict[str, float] = {}
    for k in KS:
        found = len(wanted.intersection(ranked[:k]))
        scores[f"recall@{k}"] = found / len(wanted)
        scores[f"hit@{k}"] = float(found > 0)
        scores[f"all@{k}"] = float(found == len(wanted))
    first = next((place for place, one in enumerate(ranked, 1) if one in wanted), None)
    scores["mrr"] = 0.0 if first is None else 1 / first
    return scores


def score_sessions(ranked: Iterable[str], gold: Collection[str]) -> dict[str, float]:
    """Whether any and all gold sessions stand among the first k different ones of a list.

    Session ids may repeat in `ranked`; the first place of each counts.
    """
    wanted = _wanted(gold)
    order = list(dict.fromkeys(ranked))
    scores: dict[str, float] = {}
    for k in SESSION_KS:
        found = len(wanted.intersection(order[:k]))
        scores[f"session any@{k}"] = float(found > 0)
        scores[f"session all@{k}"] = float(found == len(wanted))
    return scores


def _wanted(gold: Collection[str]) -> frozenset[str]:
    if not gold:
        raise ValueError("a question without gold cannot be scored")
    return frozenset(gold)


@dataclass(frozen=True, slots=True)
class Summary:
    """Means of a group of questions, and their standard errors, by the name of the figure."""

    n: int
    mean: Scores
    stderr: Scores

    def as_dict(self) -> dict[str, Any]:
        """Plain values, rounded to four places: those the noise leaves of any worth."""
        return {
            "n": self.n,
            "mean": {name: round(value, 4) for name, value in self.mean.items()},
            "stderr": {name: round(value, 4) for name, value in self.stderr.items()},
        }


def summarise(rows: Sequence[Scores]) -> Summary:
    """Means and standard errors over questions that carry the same figures."""
    if not rows:
        return Summary(0, {}, {})
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    return Summary(
        n=len(rows),
        mean={name: sum(values) / len(values) for name, values in columns.items()},
        stderr={name: standard_error(values) for name, values in columns.items()},
    )


def standard_error(values: Sequence[float]) -> float:
    """Of the mean; 0 for fewer than two values, which tell nothing of their spread."""
    n = len(values)
    if n < 2:
        return 0.0
    mean = sum(values) / n
    return math.sqrt(sum((value - mean) ** 2 for value in values) / (n - 1) / n)


def percentile(values: Sequence[float], share: float) -> float:
    """The nearest-rank percentile, `share` from 0 to 1; 0 for no values."""
    if not values:
        return 0.0
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]
