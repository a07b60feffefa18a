"""Takes names out of the graph that nothing mentions any more, so that erasure reaches them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Column, Connection, Table, delete, select

from mnemic.graph.rows import chunks, starts_of
from mnemic.store.mind_schema import edges, mentions, node_merges, nodes, schemas

_n, _m, _e, _g, _s = nodes.c, mentions.c, edges.c, node_merges.c, schemas.c


@dataclass(frozen=True, slots=True)
class NodeName:
    """A node, and the name that it stands for."""

    id: str
    label: str


def nodes_of(connection: Connection, brain_id: str, trace_ids: Sequence[str]) -> list[NodeName]:
    """The nodes that some traces mention, for an erasure. No reader is given them.

    Args:
        connection: to read from, before the mentions go.
        brain_id: of which brain.
        trace_ids: of the traces.

    Returns:
        Each node once, in the order of their ids.
    """
    found: dict[str, str] = {}
    for part in chunks(trace_ids):
        query = (
            select(_n.id, _n.label)
            .join(mentions, (_m.brain_id == _n.brain_id) & (_m.node_id == _n.id))
            .where(_m.brain_id == brain_id, _m.trace_id.in_(part))
        )
        found.update((row.id, row.label) for row in connection.execute(query))
    return [NodeName(node, found[node]) for node in sorted(found)]


def drop_orphans(connection: Connection, brain_id: str, node_ids: Sequence[str]) -> int:
    """Take out those of some nodes that no trace mentions, with all that names them.

    That a mentioned name was merged into such a node does not keep it: its own name stands
    nowhere any more, and the other is on its own again.

    Args:
        connection: holds the write lock.
        brain_id: of which brain.
        node_ids: of the nodes that may have lost their last mention.

    Returns:
        How many nodes went.
    """
    gone = 0
    for part in chunks(node_ids):
        mentioned = select(_m.node_id).where(_m.brain_id == brain_id, _m.node_id.in_(part))
        orphans = sorted(set(part) - set(connection.execute(mentioned.distinct()).scalars()))
        if orphans:
            gone += _drop(connection, brain_id, orphans)
    return gone


def _drop(connection: Connection, brain_id: str, orphans: Sequence[str]) -> int:
    _drop_ties(connection, brain_id, node_merges, (_g.node_id, _g.into_id), orphans)
    _drop_ties(connection, brain_id, edges, (_e.from_id, _e.to_id), orphans)
    connection.execute(delete(schemas).where(_s.brain_id == brain_id, _s.node_id.in_(orphans)))
    return connection.execute(
        delete(nodes).where(_n.brain_id == brain_id, _n.id.in_(orphans))
    ).rowcount


def _drop_ties(
    connection: Connection,
    brain_id: str,
    table: Table,
    ends: tuple[Column[str], Column[str]],
    orphans: Sequence[str],
) -> None:
    """Take out the rows that begin or end at orphans, found by their keys at either end."""
    first, second = ends
    of_brain = table.c.brain_id == brain_id
    for part in chunks(starts_of(connection, brain_id, first, second, orphans)):
        connection.execute(delete(table).where(of_brain, first.in_(part), second.in_(orphans)))
    connection.execute(delete(table).where(of_brain, first.in_(orphans)))
