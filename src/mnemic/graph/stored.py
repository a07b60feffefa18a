"""Ties as the tables hold them, true and known at the clocks; who may see their ends comes after.

Edges carry the scope id that both ends lie in. Links between traces and what a trace rests on may
lead from one scope of the reader to another, as a summary of a thread does that is kept for the
user.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column, ColumnElement, or_, select

from mnemic.cognition.entities.named import entity_key
from mnemic.graph.rows import chunks, starts_of
from mnemic.graph.seen import Place, View
from mnemic.model.fact import Shape
from mnemic.model.graph import FACT_WEIGHT, WEIGHTS, EdgeKind
from mnemic.store.mind_schema import edges, nodes
from mnemic.store.schema import trace_facts, trace_links, trace_sources, traces
from mnemic.store.types import AnyRow
from mnemic.store.visible import visible

_t, _n = traces.c, nodes.c
_e, _l, _s, _f = edges.c, trace_links.c, trace_sources.c, trace_facts.c


@dataclass(frozen=True, slots=True)
class Tie:
    """A tie from one thing to another.

    Args:
        from_id, to_id: ids of traces or of names.
        kind: of an `EdgeKind`, or the attribute of a fact.
        weight: 0 to 1.
        place: where both ends must lie; None where they need not lie together.
    """

    from_id: str
    to_id: str
    kind: str
    weight: float
    place: Place | None = None


def stored_ties(view: View, ids: Iterable[str]) -> list[Tie]:
    """The edges, links and sources that begin or end at some traces and names."""
    found: dict[Tie, None] = {}
    for part in chunks(list(ids)):
        for tie in (*_edges(view, part), *_links(view, part), *_sources(view, part)):
            found[tie] = None
    return list(found)


def _edges(view: View, ids: Sequence[str]) -> Iterator[Tie]:
    held_then = held(view, _e.recorded_at, _e.retired_at)
    places = view.places
    for where in _at_either_end(view, _e.from_id, _e.to_id, ids):
        query = select(_e.from_id, _e.to_id, _e.kind, _e.weight, _e.scope, _e.scope_id).where(
            _e.brain_id == view.brain_id, where, held_then, *true(view, _e.valid_from, _e.valid_to)
        )
        for row in view.connection.execute(query):
            place = (row.scope, row.scope_id)
            if place in places:
                yield Tie(row.from_id, row.to_id, row.kind, row.weight, place)


def _links(view: View, ids: Sequence[str]) -> Iterator[Tie]:
    held_then = held(view, _l.created_at, _l.undone_at)
    for where in _at_either_end(view, _l.from_id, _l.to_id, ids):
        query = select(_l.from_id, _l.to_id, _l.kind).where(
            _l.brain_id == view.brain_id, where, held_then
        )
        for row in view.connection.execute(query):
            yield Tie(row.from_id, row.to_id, row.kind, WEIGHTS[EdgeKind(row.kind)])


def _at_either_end(
    view: View, start: Column[str], end: Column[str], ids: Sequence[str]
) -> Iterator[ColumnElement[bool]]:
    """Conditions under which all rows are found that begin or end at some ids."""
    yield start.in_(ids)
    for part in chunks(starts_of(view.connection, view.brain_id, start, end, ids)):
        yield start.in_(part) & end.in_(ids)


def _sources(view: View, ids: Sequence[str]) -> Iterator[Tie]:
    kind = EdgeKind.DERIVED_FROM
    for end in (_s.trace_id, _s.source):
        query = select(_s.trace_id, _s.source).where(
            _s.brain_id == view.brain_id, _s.kind == "trace", end.in_(ids)
        )
        for row in view.connection.execute(query):
            yield Tie(row.trace_id, row.source, kind, WEIGHTS[kind])


def facts_between(view: View, trace_ids: Iterable[str]) -> list[Tie]:
    """What visible traces say of two names: a tie from the subject's to the value's."""
    said: dict[Place, list[tuple[str, str, str]]] = {}
    for part in chunks(sorted(trace_ids)):
        for row in _facts(view, part):
            subject, value = entity_key(row.subject), entity_key(row.value)
            said.setdefault((row.scope, row.scope_id), []).append((subject, row.attribute, value))
    found: dict[Tie, None] = {}
    for place, facts in said.items():
        node_of = by_key(view, place, {key for one, _, other in facts for key in (one, other)})
        for subject, attribute, value in facts:
            if subject in node_of and value in node_of:
                ends = (node_of[subject], node_of[value])
                found[Tie(*ends, attribute, FACT_WEIGHT, place)] = None
    return list(found)


def _facts(view: View, ids: Sequence[str]) -> Sequence[AnyRow]:
    columns = (_t.scope, _t.scope_id, _f.subject, _f.attribute, _f.value)
    query = visible(view.brain_id, view.reach, view.clocks, *columns, any_time=True, ids=ids).where(
        _f.brain_id == _t.brain_id,
        _f.trace_id == _t.id,
        _f.negated == 0,
        _f.shape != Shape.RETRACTION.value,
        held(view, _f.recorded_at, _f.retired_at),
        *true(view, _f.valid_from, _f.valid_to),
    )
    return query.run(view.connection).all()


def by_key(view: View, place: Place, keys: Iterable[str]) -> dict[str, str]:
    """The nodes of a scope id by their keys."""
    found: dict[str, str] = {}
    for part in chunks(sorted(keys)):
        query = (
            select(_n.key, _n.id)
            .where(
                _n.brain_id == view.brain_id,
                _n.scope == place[0],
                _n.scope_id == place[1],
                _n.key.in_(part),
            )
            .order_by(_n.key)  # or SQLite walks all names of the brain
        )
        found.update((row.key, row.id) for row in view.connection.execute(query))
    return found


def held(view: View, since: Column[int], until: Column[int]) -> ColumnElement[bool]:
    """Whether the brain held a row at the instant that is asked for."""
    known_at = view.clocks.known_at
    if known_at is None:
        return until.is_(None)
    return (since <= known_at) & or_(until.is_(None), until > known_at)


def true(view: View, start: Column[Any], end: Column[Any]) -> tuple[ColumnElement[bool], ...]:
    """Whether a row is true at the instant that is asked for."""
    as_of = view.clocks.as_of
    return or_(start.is_(None), start <= as_of), or_(end.is_(None), end > as_of)
