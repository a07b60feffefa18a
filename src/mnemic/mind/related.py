"""What the graph ties to what was recalled, for the context of a prompt."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from mnemic.cognition.rules import rules_of
from mnemic.graph.names import names_of
from mnemic.graph.paths import Step, asking
from mnemic.graph.read import is_node
from mnemic.graph.spread import spread_with_ties
from mnemic.model.trace import Trace
from mnemic.retrieve.filters import Filters
from mnemic.store.brain import Brain
from mnemic.store.visible import TRACE_COLUMNS, to_trace, visible


def related(
    brain: Brain, filters: Filters, seeds: Sequence[str], most: int
) -> list[tuple[Trace, str]]:
    """Traces that activation reaches from some others, the most active first, and by what.

    Args:
        brain: whose.
        filters: of the reader: only what meets them is given.
        seeds: ids of what was recalled, best first; the first of them spread.
        most: how many are given.

    Returns:
        Each with the label of a name that both mention, or the kind of the tie.
    """
    mind = brain.settings.mind
    if not mind.works(mind.spreading) or not seeds or not most:
        return []
    first = list(seeds[: mind.spreading.seeds])
    with brain.read() as connection:
        ask = asking(connection, brain.id, filters.reach, filters.clocks)
        active, around = spread_with_ties(ask, first, rules_of(mind).spreading)
        ids = [one for one in active if not is_node(one) and one not in seeds]
        if not ids:
            return []
        query = visible(
            brain.id,
            filters.reach,
            filters.clocks,
            *TRACE_COLUMNS,
            states=filters.states,
            ids=ids,
        )
        found = {row.id: to_trace(row) for row in filters.apply(query).run(connection)}
        chosen = [one for one in ids if one in found][:most]
        near = {*first, *(one for one in active if is_node(one))}
        by = {one: _nearest(around.steps.get(one, ()), near) for one in chosen}
        nodes = [step.to_id for step in by.values() if step is not None and is_node(step.to_id)]
        names = names_of(connection, brain.id, filters.reach, filters.clocks, nodes)
    said = []
    for one in chosen:
        step = by[one]
        if step is None:
            label = "related"
        else:
            label = names[step.to_id].label if step.to_id in names else str(step.kind)
        said.append((found[one], label))
    return said


def _nearest(steps: Sequence[Step], near: Collection[str]) -> Step | None:
    """The heaviest tie to something that was active."""
    ties = [step for step in steps if step.to_id in near]
    return max(ties, key=lambda step: step.weight, default=None)
