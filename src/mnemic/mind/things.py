"""The graph as a caller sees it: names and traces, by what they are called, and their ties."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, false, func, or_, select

from mnemic.cognition.entities import entity_key
from mnemic.graph.aliases import suggest_aliases
from mnemic.graph.names import find_names, names_of
from mnemic.graph.paths import Ask, Step, asking, clusters, shortest_path, surroundings
from mnemic.graph.read import is_node, neighbours
from mnemic.model.errors import InvalidInput, NotFound
from mnemic.model.graph import Alias, Region, Thing, Tied, Way
from mnemic.model.scope import Reach
from mnemic.model.times import Clocks
from mnemic.store.brain import Brain
from mnemic.store.mind_schema import mentions, nodes
from mnemic.store.schema import trace_versions, traces
from mnemic.store.visible import visible

_n, _m = nodes.c, mentions.c

_LABEL_CHARS = 80
_CHUNK = 500


@dataclass(frozen=True, slots=True)
class Sight:
    """A reader of the graph.

    Args:
        connection: one snapshot.
        brain: whose graph.
        reach: the scopes that the reader may read.
        clocks: the instants that are asked for.
    """

    connection: Connection
    brain: Brain
    reach: Reach
    clocks: Clocks

    def found(self, what: str) -> list[str]:
        """The ids that somebody means: of a trace, or of the nodes of a name.

        Raises:
            NotFound: there is none within reach.
        """
        if not what.strip():
            raise InvalidInput(f"{what!r} is no name and no id")
        if is_node(what) or what.startswith("mt_"):
            ids = [what] if self.things([what]) else []
        else:
            ids = find_names(self.connection, self.brain.id, self.reach, self.clocks, [what])[what]
        if not ids:
            raise NotFound(f"no name or trace {what!r} within reach")
        return list(ids)

    def merged(self, name: str) -> list[str]:
        """The nodes of a name as it is written, whatever they stand for at present."""
        if is_node(name):
            return [name]
        found = self.connection.execute(
            select(_n.id).where(_n.key == entity_key(name), *self._within())
        ).scalars()
        ids = list(found)
        if not ids:
            raise NotFound(f"no name {name!r} within reach")
        return ids

    def most_mentioned(self, most: int) -> list[Thing]:
        """The names that the reader may see, those that most traces mention first."""
        query = (
            select(_n.id)
            .join(mentions, (_m.brain_id == _n.brain_id) & (_m.node_id == _n.id))
            .where(*self._within())
            .group_by(_n.id)
            .order_by(func.count().desc(), _n.id)
            .limit(2 * most)  # some are mentioned by nothing that the reader may see
        )
        ids = list(self.connection.execute(query).scalars())
        things = self.things(ids)
        return [things[one] for one in ids if one in things][:most]

    def places(self, ids: Iterable[str]) -> dict[str, tuple[str, str]]:
        """Scope and scope id of some nodes."""
        query = select(_n.id, _n.scope, _n.scope_id).where(
            _n.brain_id == self.brain.id, _n.id.in_(list(ids))
        )
        return {row.id: (row.scope, row.scope_id) for row in self.connection.execute(query)}

    def _within(self) -> tuple[ColumnElement[bool], ...]:
        places = [
            (_n.scope == scope.value) & (_n.scope_id == scope_id) for scope, scope_id in self.reach
        ]
        return _n.brain_id == self.brain.id, or_(false(), *places)

    def things(self, ids: Iterable[str]) -> dict[str, Thing]:
        """Those of some traces and names that the reader may see, by id."""
        wanted = list(dict.fromkeys(ids))
        nodes = [one for one in wanted if is_node(one)]
        found = {
            one.id: Thing(one.id, one.label, str(one.kind))
            for one in names_of(
                self.connection, self.brain.id, self.reach, self.clocks, nodes
            ).values()
        }
        rest = [one for one in wanted if not is_node(one)]
        columns = (traces.c.id, trace_versions.c.content)
        for at in range(0, len(rest), _CHUNK):
            query = visible(
                self.brain.id, self.reach, self.clocks, *columns, ids=rest[at : at + _CHUNK]
            )
            for trace_id, content in query.run(self.connection):
                label = " ".join(content.split())
                if len(label) > _LABEL_CHARS:
                    label = label[: _LABEL_CHARS - 1].rstrip() + "…"
                found[trace_id] = Thing(trace_id, label, "trace")
        return found


def tied(sight: Sight, what: str) -> list[Tied]:
    """What a name or a trace is tied to, the heaviest ties first."""
    ids = sight.found(what)
    found = neighbours(sight.connection, sight.brain.id, sight.reach, sight.clocks, ids)
    several = [one for ties in found.values() for one in ties]
    things = sight.things(one.id for one in several)
    ties = [
        Tied(things[one.id], str(one.kind), one.weight, one.forward)
        for one in several
        if one.id in things
    ]
    return sorted(ties, key=lambda tie: -tie.weight)


def region(sight: Sight, seeds: Sequence[str], depth: int, most: int) -> Region:
    """What lies around some names and traces."""
    ids = [one for what in seeds for one in sight.found(what)]
    around = surroundings(_ask(sight), ids, depth, most)
    things = sight.things(around.depths)
    order = sorted(things.values(), key=lambda one: (around.depths[one.id], one.label, one.id))
    ties = {
        (min(step.from_id, step.to_id), max(step.from_id, step.to_id), str(step.kind), step.weight)
        for several in around.steps.values()
        for step in several
        if step.from_id in things and step.to_id in things
    }
    return Region(tuple((one, around.depths[one.id]) for one in order), tuple(sorted(ties)))


def path(sight: Sight, start: str, end: str) -> tuple[Way, ...] | None:
    """The shortest way between two names or traces; None where there is none."""
    ways = (
        shortest_path(_ask(sight), one, other)
        for one in sight.found(start)
        for other in sight.found(end)
    )
    found = min((way for way in ways if way is not None), key=len, default=None)
    return None if found is None else _told(sight, found)


def _told(sight: Sight, steps: Sequence[Step]) -> tuple[Way, ...]:
    things = sight.things(one for step in steps for one in (step.from_id, step.to_id))
    return tuple(
        Way(things[step.from_id], str(step.kind), things[step.to_id], step.forward)
        for step in steps
    )


def grouped(sight: Sight, seeds: Sequence[str], smallest: int) -> list[tuple[Thing, ...]]:
    """What hangs together around some names and traces more than with the rest."""
    ids = [one for what in seeds for one in sight.found(what)]
    found = clusters(surroundings(_ask(sight), ids, depth=4), smallest)
    things = sight.things(one for cluster in found for one in cluster)
    return [tuple(things[one] for one in cluster if one in things) for cluster in found]


def aliases(sight: Sight, most: int) -> list[Alias]:
    """Names that seem to be short for others."""
    found = suggest_aliases(sight.connection, sight.brain.id, sight.reach, sight.clocks, most)
    things = sight.things(one.id for each in found for one in (each.name, each.into))
    return [
        Alias(things[one.name.id], things[one.into.id])
        for one in found
        if one.name.id in things and one.into.id in things
    ]


def _ask(sight: Sight) -> Ask:
    return asking(sight.connection, sight.brain.id, sight.reach, sight.clocks)
