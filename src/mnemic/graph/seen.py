"""What of the graph a reader may see.

A trace is seen through `visible`, as everywhere. A name is seen only where a trace is that
mentions it, and both lie in one scope id: so no name comes out of a trace that is withheld, ended
or somebody else's.

What a text mentions is written for its present content. A reader of an earlier instant, at which
the text said something else, is told nothing of what that trace mentioned.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, and_, func, select

from mnemic.graph.rows import chunks
from mnemic.model.scope import Reach, Scope
from mnemic.model.times import FOREVER, Clocks
from mnemic.model.trust import Trust
from mnemic.store.mind_schema import mentions, nodes
from mnemic.store.schema import trace_versions, traces
from mnemic.store.visible import visible

MOST_TIES = 32
"""Traces that are given of those which mention one name, the newest first."""
HUB = 256
"""A name that more traces mention is a hub: not all of them are looked at."""
LATELY = 2_000
"""Of a hub, those among so many newest traces of its scope id are looked at."""
_AT_A_TIME = 128
"""Of these, so many at a time, until each hub has its `MOST_TIES`."""

Place = tuple[str, str]
"""A scope and a scope id."""

_t, _v, _n, _m = traces.c, trace_versions.c, nodes.c, mentions.c


@dataclass(frozen=True, slots=True)
class View:
    """What a read of the graph is made with.

    Args:
        connection: one snapshot.
        brain_id: the brain to read.
        reach: the scopes that the reader may read.
        clocks: the instants that are asked for.
    """

    connection: Connection
    brain_id: str
    reach: Reach
    clocks: Clocks

    @property
    def places(self) -> frozenset[Place]:
        """The reach, as rows have it."""
        return frozenset((scope.value, scope_id) for scope, scope_id in self.reach)


@dataclass(frozen=True, slots=True)
class SeenTrace:
    """A trace that the reader may see.

    Args:
        place: where it lies.
        time: when it was said, in milliseconds.
        as_now: its text is the one that its mentions were written for.
    """

    place: Place
    time: int
    as_now: bool


@dataclass(frozen=True, slots=True)
class Fan:
    """The traces that mention a name.

    Args:
        traces: those that are given, the newest first.
        degree: how many there are; of a hub, withheld ones are counted too.
    """

    traces: tuple[str, ...]
    degree: int


def seen_traces(view: View, ids: Iterable[str]) -> dict[str, SeenTrace]:
    """Those of some traces that the reader may see."""
    found: dict[str, SeenTrace] = {}
    for part in chunks(list(dict.fromkeys(ids))):
        columns = (_t.id, _t.scope, _t.scope_id, _t.time, _v.content_version)
        query = visible(view.brain_id, view.reach, view.clocks, *columns, ids=part)
        rows = query.run(view.connection).all()
        present = _present(view, [row.id for row in rows])
        for row in rows:
            as_now = present is None or present.get(row.id) == row.content_version
            found[row.id] = SeenTrace((row.scope, row.scope_id), row.time, as_now)
    return found


def _present(view: View, ids: Sequence[str]) -> Mapping[str, int] | None:
    """Which content each trace has at present; None where that is what is read."""
    if view.clocks.known_at is None:
        return None
    columns = (_t.id, _v.content_version)
    query = visible(view.brain_id, view.reach, None, *columns, states=tuple(Trust), ids=ids)
    return {row.id: row.content_version for row in query.run(view.connection)}


def mentioned(view: View, seen: Mapping[str, SeenTrace]) -> dict[str, list[str]]:
    """The nodes that each of some visible traces mentions, in the order of their ids."""
    found: dict[str, list[str]] = {}
    ids = [one for one, trace in seen.items() if trace.as_now]
    for part in chunks(ids):
        query = (
            select(_m.trace_id, _m.node_id, _n.scope, _n.scope_id)
            .join(nodes, and_(_n.brain_id == _m.brain_id, _n.id == _m.node_id))
            .where(_m.brain_id == view.brain_id, _m.trace_id.in_(part), *_was_there(view))
            .order_by(_m.trace_id, _m.node_id)
        )
        for row in view.connection.execute(query):
            if (row.scope, row.scope_id) == seen[row.trace_id].place:
                found.setdefault(row.trace_id, []).append(row.node_id)
    return found


def places_of(view: View, node_ids: Iterable[str]) -> dict[str, Place]:
    """Where each of some nodes lies, of those within reach. Not yet a reason to show them."""
    found: dict[str, Place] = {}
    places = view.places
    for part in chunks(list(dict.fromkeys(node_ids))):
        query = select(_n.id, _n.scope, _n.scope_id).where(
            _n.brain_id == view.brain_id, _n.id.in_(part), *_was_there(view)
        )
        for row in view.connection.execute(query):
            if (row.scope, row.scope_id) in places:
                found[row.id] = (row.scope, row.scope_id)
    return found


def _was_there(view: View) -> tuple[Any, ...]:
    known_at = view.clocks.known_at
    return () if known_at is None else (_n.created_at <= known_at,)


def seen_nodes(view: View, node_ids: Iterable[str]) -> dict[str, Place]:
    """Those of some nodes that a visible trace mentions, and where they lie."""
    places = places_of(view, node_ids)
    firsts = _first_and_last(view, places)
    seen = seen_traces(view, (trace for pair in firsts.values() for trace in pair))
    found = {
        node: places[node]
        for node, pair in firsts.items()
        if any(_is_seen(seen.get(trace), places[node]) for trace in pair)
    }
    fans = fans_of(view, {node: node for node in firsts if node not in found})
    return found | {node: places[node] for node, fan in fans.items() if fan.traces}


def _is_seen(trace: SeenTrace | None, place: Place) -> bool:
    return trace is not None and trace.as_now and trace.place == place


def _first_and_last(view: View, node_ids: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Two of the traces that mention each node: most often that is enough to know."""
    found: dict[str, tuple[str, str]] = {}
    for part in chunks(list(node_ids)):
        query = (
            select(_m.node_id, func.min(_m.trace_id), func.max(_m.trace_id))
            .where(_m.brain_id == view.brain_id, _m.node_id.in_(part))
            .group_by(_m.node_id)
        )
        for node, first, last in view.connection.execute(query):
            found[node] = (first, last)
    return found


def fans_of(view: View, family: Mapping[str, str]) -> dict[str, Fan]:
    """The visible traces that mention some names, or names that stand for them.

    Args:
        view: of the reader.
        family: nodes, each with the one that it stands for, of the same scope id.

    Returns:
        By the node that the others stand for; of a hub, the newest traces.
    """
    places = places_of(view, family)
    places = {node: place for node, place in places.items() if places.get(family[node]) == place}
    degrees = _degrees(view, places)
    hubs = {node: place for node, place in places.items() if degrees.get(node, 0) > HUB}
    pairs = _all_mentions(view, [node for node in places if node not in hubs])
    pairs += _hub_mentions(view, hubs)
    seen = seen_traces(view, (trace for _, trace in pairs))
    times: dict[str, dict[str, int]] = {family[node]: {} for node in places}
    for node, trace in pairs:
        one = seen.get(trace)
        if one is not None and _is_seen(one, places[node]):
            times[family[node]][trace] = one.time
    uncounted = dict.fromkeys(times, 0)
    for node in hubs:
        uncounted[family[node]] += degrees[node]
    return {root: _fan(of, uncounted[root]) for root, of in times.items()}


def _fan(times: Mapping[str, int], at_hubs: int) -> Fan:
    newest = sorted(times, key=lambda trace: (-times[trace], trace))
    return Fan(tuple(newest[:MOST_TIES]), max(len(newest), at_hubs))


def _degrees(view: View, node_ids: Iterable[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for part in chunks(list(node_ids)):
        query = (
            select(_m.node_id, func.count())
            .where(_m.brain_id == view.brain_id, _m.node_id.in_(part))
            .group_by(_m.node_id)
        )
        found.update(tuple(row) for row in view.connection.execute(query))
    return found


_Pair = tuple[str, str]
"""A node, and a trace that mentions it."""


def _all_mentions(view: View, node_ids: Sequence[str]) -> list[_Pair]:
    found: list[_Pair] = []
    for part in chunks(node_ids):
        query = select(_m.node_id, _m.trace_id).where(
            _m.brain_id == view.brain_id, _m.node_id.in_(part)
        )
        found += [(row.node_id, row.trace_id) for row in view.connection.execute(query)]
    return found


def _hub_mentions(view: View, hubs: Mapping[str, Place]) -> list[_Pair]:
    """Mentions of hubs: the newest, and others where hardly any new trace mentions one."""
    found: dict[str, list[_Pair]] = {node: [] for node in hubs}
    for place in sorted(set(hubs.values())):
        here = {node for node, where in hubs.items() if where == place}
        for part in _newest(view, place):
            mentioning = select(_m.node_id, _m.trace_id).where(
                _m.brain_id == view.brain_id, _m.trace_id.in_(part), _m.node_id.in_(here)
            )
            for row in view.connection.execute(mentioning):
                found[row.node_id].append((row.node_id, row.trace_id))
            here = {node for node in here if len(found[node]) < MOST_TIES}
            if not here:
                break
    for node, pairs in found.items():
        if len(pairs) < MOST_TIES:
            pairs += _some_mentions(view, node)
    return [pair for pairs in found.values() for pair in pairs]


def _newest(view: View, place: Place) -> Iterator[Sequence[str]]:
    """The ids of the newest visible traces of a scope id, part by part."""
    reach = Reach.of([(Scope(place[0]), place[1])])
    # A bound that holds for all of them: with it SQLite walks the listing from its end, and
    # without it sorts all that the brain holds.
    bounded = visible(view.brain_id, reach, view.clocks, _t.id).where(_t.time < FOREVER)
    query = bounded.shaped(lambda rows: rows.order_by(_t.time.desc(), _t.id.desc()).limit(LATELY))
    for rows in query.run(view.connection).partitions(_AT_A_TIME):
        yield [row.id for row in rows]


def _some_mentions(view: View, node: str) -> list[_Pair]:
    query = (
        select(_m.trace_id)
        .where(_m.brain_id == view.brain_id, _m.node_id == node)
        .order_by(_m.trace_id)
        .limit(HUB)
    )
    return [(node, trace) for trace in view.connection.execute(query).scalars()]
