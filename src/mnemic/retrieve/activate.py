"""Hits that the graph ties to the best ones rise, if that is wanted (Anderson 1983)."""

from __future__ import annotations

from dataclasses import replace

from mnemic.cognition.rules import rules_of
from mnemic.graph.paths import asking
from mnemic.graph.spread import activated
from mnemic.retrieve.fence import Cut, Fence


def lifted(fence: Fence, cut: Cut, limit: int) -> Cut:
    """A cut after activation has spread from its best hits over the reader's graph.

    Nothing is found that was not found before: what stands right behind the hits may rise above
    them.
    """
    mind = fence.brain.settings.mind
    weight = mind.spreading.weight
    if not weight or not mind.works(mind.spreading) or len(cut.found) <= mind.spreading.seeds:
        return cut
    filters = fence.filters
    ask = asking(fence.connection, fence.brain.id, filters.reach, filters.clocks)
    seeds = [one.row.id for one in cut.found[: mind.spreading.seeds]]
    activation = activated(ask, seeds, rules_of(mind).spreading)
    moved = []
    for one in (*cut.found, *cut.behind):
        gain = weight * activation.get(one.row.id, 0.0)
        parts = {**one.parts, "activation": gain} if gain else one.parts
        moved.append(replace(one, score=one.score + gain, parts=parts))
    moved.sort(key=lambda one: -one.score)
    return Cut(moved[:limit], moved[limit:])
