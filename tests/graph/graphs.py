"""A brain whose traces mention names, and readers of its graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from mnemic import BoundMemory, Memory
from mnemic.cognition.entities import Named, entity_key
from mnemic.graph.aliases import merge, undo_merge
from mnemic.graph.edges import Edge, add_edges
from mnemic.graph.names import find_names, names_of
from mnemic.graph.read import Neighbour, neighbours
from mnemic.graph.write import Mentions, node_id
from mnemic.model.graph import EntityKind
from mnemic.model.scope import Reach, Scope
from mnemic.model.times import Clocks, to_ms
from tests.conftest import FixedClock

ANA = (Scope.USER, "ana")


def person(*labels: str) -> list[Named]:
    return [Named(label, EntityKind.PERSON, 0) for label in labels]


class Graph:
    """The graph of a brain, in a test.

    Args:
        memory: the brain.
        clock: of the brain.
    """

    def __init__(self, memory: Memory, clock: FixedClock) -> None:
        self.memory = memory
        self.brain = memory._brain
        self.clock = clock

    @property
    def now(self) -> int:
        return to_ms(self.clock())

    @contextmanager
    def write(self) -> Iterator[Connection]:
        with self.brain.write() as connection:
            yield connection

    def remember(self, who: BoundMemory, text: str, *names: str, **options: Any) -> str:
        """Remember a text without capitals, and write that it mentions some names."""
        trace = who.remember(text, **options).trace
        assert trace is not None
        self.mention((trace.scope, trace.scope_id), trace.id, *names)
        return trace.id

    def mention(self, place: tuple[Scope, str], trace_id: str, *names: str) -> None:
        with self.write() as connection:
            mentions = Mentions(connection, self.brain.id, *place)
            mentions.add(trace_id, person(*names))
            mentions.flush(self.now)

    def remention(self, place: tuple[Scope, str], trace_id: str, *names: str) -> None:
        with self.write() as connection:
            mentions = Mentions(connection, self.brain.id, *place)
            mentions.remention(trace_id, person(*names))
            mentions.flush(self.now)

    def node(self, name: str, place: tuple[Scope, str] = ANA) -> str:
        return node_id(self.brain.id, *place, entity_key(name))

    def edge(self, edge: Edge, place: tuple[Scope, str] = ANA) -> int:
        with self.write() as connection:
            return add_edges(connection, self.brain.id, place, [edge], self.now)

    def merge(self, who: BoundMemory, name: str, into: str) -> None:
        with self.write() as connection:
            reach = who.principal.reach()
            merge(connection, self.brain.id, reach, self.node(name), self.node(into), self.now)

    def undo_merge(self, who: BoundMemory, name: str) -> bool:
        with self.write() as connection:
            reach = who.principal.reach()
            return undo_merge(connection, self.brain.id, reach, self.node(name), self.now)

    def clocks(self, as_of: datetime | None = None, known_at: datetime | None = None) -> Clocks:
        return Clocks(
            self.now if as_of is None else to_ms(as_of),
            None if known_at is None else to_ms(known_at),
        )

    def neighbours(
        self, who: BoundMemory | Reach, ids: Iterable[str], **at: datetime
    ) -> dict[str, list[Neighbour]]:
        reach = who if isinstance(who, Reach) else who.principal.reach()
        with self.brain.read() as connection:
            return neighbours(connection, self.brain.id, reach, self.clocks(**at), ids)

    def tied(self, who: BoundMemory | Reach, one: str, **at: datetime) -> set[tuple[str, str]]:
        """What something is tied to: ids and kinds."""
        return {(tie.id, str(tie.kind)) for tie in self.neighbours(who, [one], **at)[one]}

    def found(self, who: BoundMemory, *labels: str, **at: datetime) -> dict[str, list[str]]:
        """The labels of the nodes that some names lead to."""
        reach, clocks = who.principal.reach(), self.clocks(**at)
        with self.brain.read() as connection:
            ids = find_names(connection, self.brain.id, reach, clocks, labels)
            every = {node for nodes in ids.values() for node in nodes}
            names = names_of(connection, self.brain.id, reach, clocks, every)
        return {label: [names[node].label for node in nodes] for label, nodes in ids.items()}

    def rows(self, table: Any) -> list[Any]:
        with self.brain.read() as connection:
            return list(connection.execute(table.select()))
