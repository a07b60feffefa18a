"""Which names stand for one another: merges, looked up at an instant, never written into mentions.

A merge leads from a name to another; the last one of such a way stands for all of them. Ways are
short and have no circle (`aliases.py` makes none), and only so many steps are followed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, or_, select

from mnemic.graph.rows import chunks, starts_of
from mnemic.store.mind_schema import node_merges

MOST_STEPS = 16

_g = node_merges.c


def resolve(
    connection: Connection, brain_id: str, ids: Iterable[str], known_at: int | None = None
) -> dict[str, str]:
    """The node that each of some nodes stands for: itself, unless it was merged into another.

    Args:
        connection: to read from.
        brain_id: of which brain.
        ids: of nodes.
        known_at: as the brain held it at this instant; None is the present.
    """
    into: dict[str, str] = {}
    asked = set(ids)
    found = {node: node for node in asked}
    for _ in range(MOST_STEPS):
        steps = _steps(connection, brain_id, asked, known_at)
        if not steps:
            break
        into.update(steps)
        asked = set(steps.values()) - into.keys()
    for node in found:
        found[node] = _end(node, into)
    return found


def _end(node: str, into: Mapping[str, str]) -> str:
    for _ in range(MOST_STEPS):
        if node not in into:
            break
        node = into[node]
    return node


def families(
    connection: Connection, brain_id: str, roots: Iterable[str], known_at: int | None = None
) -> dict[str, str]:
    """All nodes that stand for some nodes, each with the one that it stands for.

    Args:
        connection: to read from.
        brain_id: of which brain.
        roots: nodes that stand for themselves; they are given back too.
        known_at: as the brain held it at this instant; None is the present.
    """
    found = {root: root for root in roots}
    asked = set(found)
    for _ in range(MOST_STEPS):
        steps = _steps_to(connection, brain_id, asked, known_at)
        asked = {node for node in steps if node not in found}
        if not asked:
            break
        found.update((node, found[steps[node]]) for node in asked)
    return found


def _steps(
    connection: Connection, brain_id: str, ids: Iterable[str], known_at: int | None
) -> dict[str, str]:
    """The merges that hold and lead away from some nodes."""
    found: dict[str, str] = {}
    for part in chunks(sorted(ids)):
        query = (
            select(_g.node_id, _g.into_id)
            .where(_g.brain_id == brain_id, _g.node_id.in_(part), standing(known_at))
            .order_by(_g.at)
        )
        found.update((row.node_id, row.into_id) for row in connection.execute(query))
    return found


def _steps_to(
    connection: Connection, brain_id: str, ids: Iterable[str], known_at: int | None
) -> dict[str, str]:
    """The merges that hold and lead to some nodes."""
    wanted = set(ids)
    merged: set[str] = set()
    for part in chunks(sorted(wanted)):
        merged.update(starts_of(connection, brain_id, _g.node_id, _g.into_id, part))
    steps = _steps(connection, brain_id, merged, known_at)
    return {node: into for node, into in steps.items() if into in wanted}


def standing(known_at: int | None) -> ColumnElement[Any]:
    """Whether a merge holds at an instant; None is the present."""
    if known_at is None:
        return _g.undone_at.is_(None)
    return (_g.at <= known_at) & or_(_g.undone_at.is_(None), _g.undone_at > known_at)
