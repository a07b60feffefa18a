"""Hebb's rule: memories that are recalled together grow together.

Hebb 1949: when one cell takes part in firing another again and again, the tie between them
grows. This is the account for memories: each pair among the first few of one recall has its tie
made stronger by a constant, up to a limit. Left out: the order in time, so that a tie has no
direction, and the loss of ties that are not used: one that was made once by chance stays, too
weak to bring anything to mind (see the threshold of `spreading`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations, islice


@dataclass(frozen=True, slots=True)
class Hebbian:
    """How ties grow.

    Args:
        rate: what a recall adds to the weight of a tie. AgentOS: .1.
        first: the weight of a new tie. AgentOS: .1.
        most: the weight at which a tie stops growing. AgentOS: 1.
    """

    rate: float = 0.1
    first: float = 0.1
    most: float = 1.0


def strengthened(weight: float | None, rules: Hebbian) -> float:
    """The weight of a tie after a recall of both its ends; None is a tie that is not there."""
    if weight is None:
        return min(rules.most, rules.first)
    return max(weight, min(rules.most, weight + rules.rate))


def pairs(ids: Iterable[str], most: int = 5) -> list[tuple[str, str]]:
    """The pairs among the first `most` different ids, each pair in order of its ids.

    A tie has no direction, so a pair reads the same whichever was recalled first.
    """
    first = islice(dict.fromkeys(ids), most)
    return [(min(pair), max(pair)) for pair in combinations(first, 2)]
