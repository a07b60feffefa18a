"""Activation spread over the graph of a reader (cognition/mechanisms/spreading.py)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mnemic.cognition.mechanisms.spreading import Spreading, spread
from mnemic.graph.paths import Ask, Surroundings, surroundings

_MOST_THINGS = 80
"""Traces and names whose ties are read for one spread."""


def activated(ask: Ask, seeds: Iterable[str], rules: Spreading) -> Mapping[str, float]:
    """What some traces bring to mind: activation by id, traces and names, the most active first.

    The ties are read level by level before anything spreads, a few queries each.

    Args:
        ask: gives neighbours; see `paths.asking`.
        seeds: ids of traces or names.
        rules: the constants.
    """
    return spread_with_ties(ask, seeds, rules)[0]


def spread_with_ties(
    ask: Ask, seeds: Iterable[str], rules: Spreading
) -> tuple[Mapping[str, float], Surroundings]:
    """The same, with the things and ties over which it has spread."""
    wanted = list(dict.fromkeys(seeds))
    around = surroundings(ask, wanted, rules.depth, _MOST_THINGS)
    return spread(wanted, around.ties, rules), around
