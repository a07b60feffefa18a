"""Ways through the graph: what lies around something, how two things hang together, clusters.

Everything is read by `neighbours`, level by level, so that a reader walks over nothing that may
not be seen; and every walk is bounded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection

from mnemic.graph.read import Neighbour, neighbours
from mnemic.model.errors import MnemicError
from mnemic.model.scope import Reach
from mnemic.model.times import Clocks

MOST_THINGS = 500
"""Traces and names of a neighbourhood."""
MOST_EXPANDED = 1_000
"""Traces and names whose ties are looked at for a way between two of them."""
LONGEST = 8
"""Ties of a way."""
_SEED = 1
"""Louvain's method goes through the names in a random order; this one is always the same."""

Ask = Callable[[Sequence[str]], Mapping[str, Sequence[Neighbour]]]
"""Gives the neighbours of some ids, all in one go."""


@dataclass(frozen=True, slots=True)
class Step:
    """A tie that is gone along.

    Args:
        from_id, to_id: ids of traces or names, in the direction of the way.
        kind: of the tie.
        weight: of the tie.
        forward: the tie itself leads this way.
    """

    from_id: str
    to_id: str
    kind: str
    weight: float
    forward: bool


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What lies around something.

    Args:
        depths: each trace and name, and how many ties it is away.
        steps: the ties between them, by the one that they start from.
    """

    depths: Mapping[str, int]
    steps: Mapping[str, tuple[Step, ...]]

    def ties(self, one: str) -> list[tuple[str, float]]:
        """The other ends of the ties of one, with their weights, for `spread`."""
        return [(step.to_id, step.weight) for step in self.steps.get(one, ())]


def asking(connection: Connection, brain_id: str, reach: Reach, clocks: Clocks) -> Ask:
    """`neighbours` for one reader."""
    return lambda ids: neighbours(connection, brain_id, reach, clocks, ids)


def surroundings(
    ask: Ask, seeds: Iterable[str], depth: int = 2, most: int = MOST_THINGS
) -> Surroundings:
    """What lies around some traces and names.

    Args:
        ask: gives neighbours; see `asking`.
        seeds: where it starts; one that the reader may not see is left alone in it.
        depth: ties from a seed.
        most: traces and names; those nearer and with heavier ties are taken first.
    """
    depths = dict.fromkeys(list(dict.fromkeys(seeds))[:most], 0)
    ties: dict[str, Sequence[Neighbour]] = {}
    frontier = list(depths)
    for level in range(1, depth + 1):
        ties.update(ask(frontier))
        near = {
            tie.id: max(tie.weight, 0)
            for tie in sorted(
                (tie for one in frontier for tie in ties[one] if tie.id not in depths),
                key=lambda tie: tie.weight,
            )
        }
        nearest = sorted(near, key=lambda one: (-near[one], one))[: most - len(depths)]
        depths.update(dict.fromkeys(nearest, level))
        frontier = nearest
        if not frontier:
            break
    return Surroundings(depths, _both_ways(ties, depths))


def _both_ways(
    ties: Mapping[str, Sequence[Neighbour]], within: Mapping[str, int]
) -> dict[str, tuple[Step, ...]]:
    """The ties between some things, known from whichever end they were read."""
    found: dict[tuple[str, str, str], Step] = {}
    for one, others in ties.items():
        for other in others:
            if other.id in within:
                key = (one, other.id, other.kind)
                found[key] = Step(one, other.id, other.kind, other.weight, other.forward)
                back = Step(other.id, one, other.kind, other.weight, not other.forward)
                found.setdefault((other.id, one, other.kind), back)
    steps: dict[str, list[Step]] = {}
    for step in found.values():
        steps.setdefault(step.from_id, []).append(step)
    return {one: tuple(of) for one, of in steps.items()}


def shortest_path(
    ask: Ask, start: str, end: str, longest: int = LONGEST, most: int = MOST_EXPANDED
) -> tuple[Step, ...] | None:
    """A way between two things with as few ties as can be.

    It is looked for from both ends at once, from the one that has fewer things to look at.

    Args:
        ask: gives neighbours; see `asking`.
        start, end: ids of traces or names.
        longest: ties of a way.
        most: things whose ties are looked at.

    Returns:
        The ties in their order, none from a thing to itself; None if no way was found.
    """
    if start == end:
        return ()
    one, other = _Side(start), _Side(end)
    looked_at = 0
    for _ in range(longest):
        side, facing = (one, other) if len(one.frontier) <= len(other.frontier) else (other, one)
        looked_at += len(side.frontier)
        if not side.frontier or looked_at > most:
            return None
        met = side.widen(ask, facing)
        if met is not None:
            return (*one.way_to(met), *(_turned(step) for step in reversed(other.way_to(met))))
    return None


@dataclass(slots=True)
class _Side:
    """What was reached from one end.

    Args:
        start: the end.
        came: each thing that was reached, and the tie by which it was reached first.
        frontier: what was reached last.
    """

    start: str
    came: dict[str, Step | None] = field(default_factory=dict)
    frontier: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.came[self.start] = None
        self.frontier = [self.start]

    def widen(self, ask: Ask, facing: _Side) -> str | None:
        """Go one tie further; gives a thing that the other side has reached, if there is one."""
        ties = ask(self.frontier)
        reached = []
        for one in self.frontier:
            for tie in ties[one]:
                if tie.id not in self.came:
                    self.came[tie.id] = Step(one, tie.id, tie.kind, tie.weight, tie.forward)
                    reached.append(tie.id)
        self.frontier = reached
        # All of these are as far from the other end: the sides would have met before.
        return min((one for one in reached if one in facing.came), default=None)

    def way_to(self, one: str) -> list[Step]:
        """The ties from the end to a thing that was reached."""
        way: list[Step] = []
        step = self.came[one]
        while step is not None:
            way.append(step)
            step = self.came[step.from_id]
        return way[::-1]


def _turned(step: Step) -> Step:
    return Step(step.to_id, step.from_id, step.kind, step.weight, not step.forward)


def clusters(around: Surroundings, smallest: int = 2, resolution: float = 1.0) -> list[list[str]]:
    """Things that hang together more than with the rest (Blondel et al. 2008, "Louvain").

    Args:
        around: the things and their ties.
        smallest: things of a cluster that is given.
        resolution: above 1 for more and smaller clusters.

    Returns:
        The clusters, the largest first, the ids of each in order.

    Raises:
        MnemicError: networkx is not installed.
    """
    try:
        import networkx
    except ImportError:
        raise MnemicError("clusters need networkx: pip install 'mnemic[graph]'") from None
    # As numbers: sets of texts have another order in every process.
    ids = sorted(around.depths)
    number_of = {one: number for number, one in enumerate(ids)}
    graph = networkx.Graph()
    graph.add_nodes_from(range(len(ids)))
    for one in ids:
        for other, weight in sorted(around.ties(one)):
            pair = (number_of[one], number_of[other])
            if pair[0] < pair[1]:
                before = graph.get_edge_data(*pair, default={"weight": 0.0})["weight"]
                graph.add_edge(*pair, weight=before + weight)
    found = networkx.community.louvain_communities(graph, resolution=resolution, seed=_SEED)
    named = (sorted(ids[number] for number in cluster) for cluster in found)
    return sorted(
        (cluster for cluster in named if len(cluster) >= smallest),
        key=lambda cluster: (-len(cluster), cluster),
    )
