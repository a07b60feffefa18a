"""Edges that hold for a while: added, changed and ended without losing what was known before.

Of the rows from one thing to another of one kind, one is present; those that it took the place of
stay for readers of an earlier instant. Ties that only grow with use are changed where they stand
(`ties.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection, select, update

from mnemic.graph.read import is_node
from mnemic.graph.rows import chunks
from mnemic.model.errors import InvalidInput, NotFound
from mnemic.model.graph import UNDIRECTED, WEIGHTS, EdgeKind
from mnemic.model.scope import Reach, Scope
from mnemic.model.times import Validity
from mnemic.model.trust import Trust
from mnemic.store.bulk import insert_rows
from mnemic.store.mind_schema import edges, nodes
from mnemic.store.schema import traces
from mnemic.store.types import AnyRow
from mnemic.store.visible import visible

ALWAYS = Validity(None, None)

_e, _n, _t = edges.c, nodes.c, traces.c


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge from one trace or name to another.

    Args:
        from_id, to_id: its ends; of a kind without direction in either order.
        kind: of the edge.
        weight: 0 to 1; None is the kind's own.
        valid: when it is true in the world.
    """

    from_id: str
    to_id: str
    kind: EdgeKind
    weight: float | None = None
    valid: Validity = ALWAYS


def add_edges(
    connection: Connection,
    brain_id: str,
    place: tuple[Scope, str],
    added: Iterable[Edge],
    now: int,
    run: int | None = None,
) -> int:
    """Write some edges; one that is there already takes the weight and validity given here.

    Args:
        connection: holds the write lock.
        brain_id: of which brain.
        place: scope and scope id in which both ends of every edge lie.
        added: of two edges from one thing to another of one kind, the last one counts.
        now: the instant, in milliseconds.
        run: the consolidation that does it.

    Returns:
        How many edges are new or otherwise than before.

    Raises:
        InvalidInput: an edge leads to itself, or its weight is not from 0 to 1.
        NotFound: an end is no trace and no name of this scope id.
    """
    wanted = {_key(one): _checked(one) for one in added}
    ends = sorted({end for from_id, to_id, _ in wanted for end in (from_id, to_id)})
    missing = set(ends) - _there(connection, brain_id, place, ends)
    if missing:
        raise NotFound(f"no trace or name {min(missing)!r} in {place[0].value} {place[1]!r}")
    held = _held(connection, brain_id, sorted({key[0] for key in wanted}))
    new = []
    for key, edge in wanted.items():
        before = held.get(key)
        if before is not None and _same(before, edge):
            continue
        at = now if before is None else max(now, before.recorded_at + 1)
        if before is not None:
            _retire(connection, before, at)
        new.append(_row(brain_id, place, edge, at, run))
    insert_rows(edges, connection, new)
    return len(new)


def _key(edge: Edge) -> tuple[str, str, str]:
    ends = (edge.from_id, edge.to_id)
    first, second = sorted(ends) if edge.kind in UNDIRECTED else ends
    return first, second, edge.kind.value


def _checked(edge: Edge) -> Edge:
    if edge.from_id == edge.to_id:
        raise InvalidInput(f"an edge of kind {edge.kind} leads from {edge.from_id!r} to itself")
    weight = WEIGHTS[edge.kind] if edge.weight is None else edge.weight
    if not 0 <= weight <= 1:
        raise InvalidInput(f"the weight of an edge must be from 0 to 1, not {weight!r}")
    first, second, _ = _key(edge)
    return replace(edge, from_id=first, to_id=second, weight=weight)


def _there(
    connection: Connection, brain_id: str, place: tuple[Scope, str], ends: Sequence[str]
) -> set[str]:
    """Those of some ends that lie in a scope id, in whatever state."""
    found: set[str] = set()
    reach = Reach.of([place])
    for part in chunks(ends):
        states = tuple(Trust)
        query = visible(brain_id, reach, None, _t.id, states=states, ids=part)
        found.update(query.run(connection).scalars())
    for part in chunks([end for end in ends if is_node(end)]):
        named = select(_n.id).where(
            _n.brain_id == brain_id,
            _n.id.in_(part),
            _n.scope == place[0].value,
            _n.scope_id == place[1],
        )
        found.update(connection.execute(named).scalars())
    return found


def _held(
    connection: Connection, brain_id: str, starts: Sequence[str]
) -> dict[tuple[str, str, str], AnyRow]:
    """The present edges that begin at some things."""
    found = {}
    for part in chunks(starts):
        query = select(edges).where(
            _e.brain_id == brain_id, _e.from_id.in_(part), _e.retired_at.is_(None)
        )
        for row in connection.execute(query):
            found[row.from_id, row.to_id, row.kind] = row
    return found


def _same(row: AnyRow, edge: Edge) -> bool:
    held = (row.weight, row.valid_from, row.valid_to)
    return held == (edge.weight, edge.valid.start, edge.valid.end)


def _retire(connection: Connection, row: AnyRow, at: int) -> None:
    key = ("brain_id", "from_id", "to_id", "kind", "recorded_at")
    where = [_e[name] == getattr(row, name) for name in key]
    connection.execute(update(edges).where(*where).values(retired_at=at))


def _row(
    brain_id: str, place: tuple[Scope, str], edge: Edge, at: int, run: int | None
) -> dict[str, object]:
    return {
        "brain_id": brain_id,
        "from_id": edge.from_id,
        "to_id": edge.to_id,
        "kind": edge.kind.value,
        "recorded_at": at,
        "scope": place[0].value,
        "scope_id": place[1],
        "weight": edge.weight,
        "valid_from": edge.valid.start,
        "valid_to": edge.valid.end,
        "retired_at": None,
        "run": run,
    }
