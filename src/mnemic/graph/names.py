"""Names as a reader sees them: looked up by id, by what a question says, or all of a reach."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, select

from mnemic.cognition.entities.named import entity_key
from mnemic.graph.merges import families
from mnemic.graph.read import standing_for
from mnemic.graph.rows import chunks
from mnemic.graph.seen import Place, View, fans_of, seen_nodes
from mnemic.graph.stored import by_key
from mnemic.model.graph import EntityKind
from mnemic.model.scope import Reach
from mnemic.model.times import Clocks
from mnemic.store.mind_schema import nodes

_n = nodes.c


@dataclass(frozen=True, slots=True)
class Name:
    """A name that a visible trace mentions.

    Args:
        id: of its node.
        label: as it is written.
        key: in comparable form.
        kind: what it is the name of.
        place: scope and scope id.
    """

    id: str
    label: str
    key: str
    kind: EntityKind
    place: Place


def names_of(
    connection: Connection, brain_id: str, reach: Reach, clocks: Clocks, ids: Iterable[str]
) -> dict[str, Name]:
    """Those of some names that the reader may see.

    Args:
        connection: one snapshot.
        brain_id: the brain to read.
        reach: the scopes that the reader may read.
        clocks: the instants that are asked for.
        ids: of nodes.
    """
    view = View(connection, brain_id, reach, clocks)
    return _names(view, seen_nodes(view, ids))


def find_names(
    connection: Connection, brain_id: str, reach: Reach, clocks: Clocks, labels: Iterable[str]
) -> dict[str, list[str]]:
    """The nodes that stand for some names, as a question writes them.

    Args:
        connection: one snapshot.
        brain_id: the brain to read.
        reach: the scopes that the reader may read.
        clocks: the instants that are asked for.
        labels: names in any spelling.

    Returns:
        For each label the ids of its nodes, one for each scope id within reach that has one that
        the reader may see.
    """
    view = View(connection, brain_id, reach, clocks)
    keys = {label: entity_key(label) for label in labels}
    found: dict[str, list[str]] = {}
    for place in sorted(view.places):
        for key, node in by_key(view, place, {*keys.values()} - {""}).items():
            found.setdefault(key, []).append(node)
    seen = seen_nodes(view, (node for ids in found.values() for node in ids))
    root_of = standing_for(view, seen)
    return {
        label: list(dict.fromkeys(root_of[node] for node in found.get(key, ()) if node in seen))
        for label, key in keys.items()
    }


def traces_of(
    connection: Connection, brain_id: str, reach: Reach, clocks: Clocks, ids: Iterable[str]
) -> dict[str, list[str]]:
    """The visible traces that mention each of some names, or one that stands for it.

    Args:
        connection: one snapshot.
        brain_id: the brain to read.
        reach: the scopes that the reader may read.
        clocks: the instants that are asked for.
        ids: of nodes.

    Returns:
        For each id that the reader may see, at most `MOST_TIES` traces, the newest.
    """
    view = View(connection, brain_id, reach, clocks)
    root_of = standing_for(view, ids)
    seen = seen_nodes(view, root_of.values())
    fans = fans_of(view, families(connection, brain_id, seen, clocks.known_at))
    return {node: list(fans[root].traces) for node, root in root_of.items() if root in fans}


def _names(view: View, places: dict[str, Place]) -> dict[str, Name]:
    found: dict[str, Name] = {}
    for part in chunks(sorted(places)):
        query = select(_n.id, _n.label, _n.key, _n.kind).where(
            _n.brain_id == view.brain_id, _n.id.in_(part)
        )
        for row in view.connection.execute(query):
            kind = EntityKind(row.kind)
            found[row.id] = Name(row.id, row.label, row.key, kind, places[row.id])
    return found
