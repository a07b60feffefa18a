"""What a trace or a name is tied to, for a reader: everything within reach, at two clocks.

Ties are what texts mention, the edges of `edges`, the links between traces that contradict or
replace each other, what a trace rests on, and what facts say of two names. Whatever stands at the
other end is seen by the reader, or the tie is not given (`seen.py`). A few queries are made for
any number of ids.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection

from mnemic.graph.merges import families, resolve
from mnemic.graph.seen import (
    Place,
    SeenTrace,
    View,
    fans_of,
    mentioned,
    places_of,
    seen_nodes,
    seen_traces,
)
from mnemic.graph.stored import Tie, facts_between, stored_ties
from mnemic.model.graph import WEIGHTS, EdgeKind
from mnemic.model.scope import Reach
from mnemic.model.times import Clocks

_NODE = re.compile(r"en_[0-9a-f]{32}")
_MENTION = WEIGHTS[EdgeKind.MENTIONS]


@dataclass(frozen=True, slots=True)
class Neighbour:
    """What something is tied to.

    Args:
        id: of a trace, or of a name: of the one that it stands for, where it was merged.
        kind: of an `EdgeKind`, or the attribute of a fact: "lives_in".
        weight: of the tie, 0 to 1.
        fan: from a name to a trace, how many traces mention that name; 1 for other ties.
        forward: the tie leads to this one and not from it.
    """

    id: str
    kind: str
    weight: float
    fan: int = 1
    forward: bool = True


def is_node(given: str) -> bool:
    """Whether an id is one of a name."""
    return _NODE.fullmatch(given) is not None


def neighbours(
    connection: Connection, brain_id: str, reach: Reach, clocks: Clocks, ids: Iterable[str]
) -> dict[str, list[Neighbour]]:
    """What each of some traces and names is tied to.

    Args:
        connection: one snapshot.
        brain_id: the brain to read.
        reach: the scopes that the reader may read.
        clocks: `as_of` tells which edges and facts are true, `known_at` which were known.
        ids: of traces and names. What the reader may not see has no neighbours.

    Returns:
        For each id its neighbours, the heaviest first; of the traces that mention a name the
        newest `MOST_TIES`.
    """
    asked = list(dict.fromkeys(ids))
    view = View(connection, brain_id, reach, clocks)
    traces = seen_traces(view, [one for one in asked if not is_node(one)])
    root_of = standing_for(view, filter(is_node, asked))
    family = families(connection, brain_id, seen_nodes(view, root_of.values()), clocks.known_at)
    fans = fans_of(view, family)
    found = _Found(traces.keys() | fans.keys())
    _mentions(view, found, traces)
    for node, fan in fans.items():
        for trace in fan.traces:
            found.add(node, Neighbour(trace, EdgeKind.MENTIONS, _MENTION, fan.degree, False))
    ties = stored_ties(view, [*traces, *family])
    ties += facts_between(view, {trace for fan in fans.values() for trace in fan.traces})
    for tie in seen_ties(view, ties):
        found.add(tie.from_id, Neighbour(tie.to_id, tie.kind, tie.weight))
        found.add(tie.to_id, Neighbour(tie.from_id, tie.kind, tie.weight, forward=False))
    return {one: found.of(root_of.get(one, one)) for one in asked}


def standing_for(view: View, node_ids: Iterable[str]) -> dict[str, str]:
    """The name that each of some names stands for, as far as the reader may see that one."""
    ends = resolve(view.connection, view.brain_id, node_ids, view.clocks.known_at)
    moved = {node: end for node, end in ends.items() if end != node}
    if moved:
        places = places_of(view, moved)
        seen = seen_nodes(view, moved.values())
        for node, end in moved.items():
            if seen.get(end) is None or seen[end] != places.get(node):
                ends[node] = node
    return ends


def seen_ties(view: View, ties: Iterable[Tie]) -> list[Tie]:
    """Those of some ties of which the reader may see both ends, between what these stand for."""
    ties = list(ties)
    ends = {end for tie in ties for end in (tie.from_id, tie.to_id)}
    traces = seen_traces(view, (end for end in ends if not is_node(end)))
    root_of = standing_for(view, filter(is_node, ends))
    places: dict[str, Place] = seen_nodes(view, root_of.values())
    places |= {trace: seen.place for trace, seen in traces.items()}
    found: dict[Tie, None] = {}
    for tie in ties:
        one, other = (root_of.get(end, end) for end in (tie.from_id, tie.to_id))
        where = {places.get(one), places.get(other)}
        if None not in where and (tie.place is None or where == {tie.place}):
            found[Tie(one, other, tie.kind, tie.weight, tie.place)] = None
    return list(found)


class _Found:
    """Neighbours as they are found.

    Args:
        asked: what is asked for and may be seen.
    """

    def __init__(self, asked: Iterable[str]) -> None:
        self._found: dict[str, dict[tuple[str, str], Neighbour]] = {one: {} for one in asked}

    def add(self, one: str, other: Neighbour) -> None:
        """A neighbour of something; the heaviest tie of a kind to the same one is kept."""
        held = self._found.get(one)
        if held is None or one == other.id:
            return
        before = held.get((other.id, other.kind))
        if before is None or before.weight < other.weight:
            held[other.id, other.kind] = other

    def of(self, one: str) -> list[Neighbour]:
        """The neighbours of one, the heaviest first."""
        held = self._found.get(one, {}).values()
        return sorted(held, key=lambda other: (-other.weight, other.kind))


def _mentions(view: View, found: _Found, traces: Mapping[str, SeenTrace]) -> None:
    """What visible traces mention is visible for that reason."""
    names = mentioned(view, traces)
    root_of = standing_for(view, (node for mentions in names.values() for node in mentions))
    for trace, mentions in names.items():
        for node in mentions:
            found.add(trace, Neighbour(root_of[node], EdgeKind.MENTIONS, _MENTION))
