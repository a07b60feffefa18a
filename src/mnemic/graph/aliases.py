"""Two names of one thing: merged, taken apart again, and suggested. Never across scope ids.

A merge moves nothing: mentions stay at the name that was written, and readers follow the merge
(`merges.py`). So it is undone by saying so.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, func, insert, select, update

from mnemic.graph.merges import resolve
from mnemic.graph.names import Name, names_of
from mnemic.graph.rows import chunks
from mnemic.graph.seen import View, seen_nodes
from mnemic.model.errors import InvalidInput, NotFound
from mnemic.model.graph import EntityKind
from mnemic.model.scope import Reach
from mnemic.model.times import Clocks
from mnemic.store.mind_schema import node_merges, nodes

__all__ = ["Suggestion", "completions", "merge", "resolve", "suggest_aliases", "undo_merge"]

MOST_NAMES = 20_000
"""Names of a scope id among which aliases are looked for."""
_SHORTEST = 3
"""Letters of a name that may be short for another."""
_COMPLETED = frozenset({EntityKind.PERSON.value, EntityKind.THING.value})
"""Kinds of names that are shortened: "Porto" is not short for "Porto Covo"."""

_g, _n = node_merges.c, nodes.c


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A name that seems to be short for another one."""

    name: Name
    into: Name


def merge(
    connection: Connection, brain_id: str, reach: Reach, node: str, into: str, now: int
) -> None:
    """Have a name stand for another one from now on.

    Args:
        connection: holds the write lock.
        brain_id: of which brain.
        reach: of the caller.
        node: the id of the name.
        into: the id of the other name, or of one that stands for it.
        now: the instant, in milliseconds.

    Raises:
        NotFound: the caller may not see one of them.
        InvalidInput: they lie in two scope ids, are one already, or the name stands for another.
    """
    places = _seen(connection, brain_id, reach, (node, into), now)
    if places[node] != places[into]:
        raise InvalidInput(f"{node!r} and {into!r} lie in two scope ids, which are never joined")
    ends = resolve(connection, brain_id, (node, into))
    if ends[node] == ends[into]:
        raise InvalidInput(f"{node!r} and {into!r} stand for one name already")
    if ends[node] != node:
        raise InvalidInput(f"{node!r} stands for {ends[node]!r}; undo that merge first")
    last = connection.execute(
        select(func.max(_g.at)).where(_g.brain_id == brain_id, _g.node_id == node)
    ).scalar()
    row = {
        "brain_id": brain_id,
        "node_id": node,
        "into_id": ends[into],
        "at": now if last is None else max(now, last + 1),
        "undone_at": None,
    }
    connection.execute(insert(node_merges).values(row))


def undo_merge(connection: Connection, brain_id: str, reach: Reach, node: str, now: int) -> bool:
    """Have a name stand for itself again.

    Args:
        connection: holds the write lock.
        brain_id: of which brain.
        reach: of the caller.
        node: the id of the name that was merged.
        now: the instant, in milliseconds.

    Returns:
        Whether it stood for another.

    Raises:
        NotFound: the caller may not see it.
    """
    _seen(connection, brain_id, reach, (node,), now)
    stands = (_g.brain_id == brain_id) & (_g.node_id == node) & _g.undone_at.is_(None)
    since = connection.execute(select(func.max(_g.at)).where(stands)).scalar()
    if since is None:
        return False
    connection.execute(update(node_merges).where(stands).values(undone_at=max(now, since)))
    return True


def _seen(
    connection: Connection, brain_id: str, reach: Reach, ids: Iterable[str], now: int
) -> dict[str, tuple[str, str]]:
    asked = list(ids)
    places = seen_nodes(View(connection, brain_id, reach, Clocks(now)), asked)
    for node in asked:
        if node not in places:
            raise NotFound(f"no name {node!r} within reach")
    return places


def suggest_aliases(
    connection: Connection, brain_id: str, reach: Reach, clocks: Clocks, most: int = 100
) -> list[Suggestion]:
    """Names of one word that one other name within their scope id completes.

    What was merged once is not suggested, whether the merge stands or was undone.

    Args:
        connection: one snapshot.
        brain_id: the brain to read.
        reach: the scopes that the reader may read.
        clocks: the instants that are asked for.
        most: how many are given.
    """
    found: list[Suggestion] = []
    for scope, scope_id in reach:
        query = (
            select(_n.id, _n.key)
            .where(
                _n.brain_id == brain_id,
                _n.scope == scope.value,
                _n.scope_id == scope_id,
                _n.kind.in_(sorted(_COMPLETED)),
            )
            .order_by(_n.key)
            .limit(MOST_NAMES)
        )
        node_of = {row.key: row.id for row in connection.execute(query)}
        by_short = completions(node_of)
        involved = {key for short, longer in by_short.items() for key in (short, *longer)}
        ids = sorted(node_of[key] for key in involved)
        names = names_of(connection, brain_id, reach, clocks, ids)
        settled = _merged_once(connection, brain_id, ids)
        for short, longer in sorted(by_short.items()):
            seen = [node_of[key] for key in longer if node_of[key] in names]
            node = node_of[short]
            if node in names and len(seen) == 1 and node not in settled:
                found.append(Suggestion(names[node], names[seen[0]]))
    return found[:most]


def completions(keys: Iterable[str]) -> dict[str, list[str]]:
    """The keys of one word, each with the longer keys that begin or end with that word."""
    ends: dict[str, list[str]] = {}
    short = []
    for key in keys:
        words = key.split()
        if len(words) > 1:
            for word in {words[0], words[-1]}:
                ends.setdefault(word, []).append(key)
        elif len(key) >= _SHORTEST and key.isalpha():
            short.append(key)
    return {key: sorted(ends[key]) for key in short if key in ends}


def _merged_once(connection: Connection, brain_id: str, ids: Iterable[str]) -> set[str]:
    found: set[str] = set()
    for part in chunks(list(ids)):
        query = select(_g.node_id).where(_g.brain_id == brain_id, _g.node_id.in_(part))
        found.update(connection.execute(query).scalars())
    return found
