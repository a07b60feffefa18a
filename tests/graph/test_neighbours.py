"""What traces and names are tied to: every kind of tie, from either end."""

from __future__ import annotations

import pytest
from sqlalchemy import event

from mnemic import BoundMemory
from mnemic.graph import seen
from mnemic.graph.edges import Edge
from mnemic.graph.read import Neighbour, is_node, neighbours
from mnemic.graph.ties import tie
from mnemic.model.errors import InvalidInput, NotFound
from mnemic.model.fact import Fact
from mnemic.model.graph import EdgeKind
from mnemic.model.scope import Scope
from mnemic.store.mind_schema import edges
from mnemic.store.schema import trace_links
from tests.conftest import FixedClock
from tests.graph.graphs import Graph


def test_traces_meet_in_a_name(graph: Graph, ana: BoundMemory) -> None:
    one = graph.remember(ana, "note one", "Marta", "Tom")
    two = graph.remember(ana, "note two", "Marta")
    three = graph.remember(ana, "note three", "Tom")
    found = graph.neighbours(ana, [one, graph.node("marta")])
    assert {tie.id for tie in found[one]} == {graph.node("marta"), graph.node("tom")}
    assert {tie.id for tie in found[graph.node("marta")]} == {one, two}
    assert all(tie.weight == 1 and tie.fan == 2 for tie in found[graph.node("marta")])
    assert graph.tied(ana, graph.node("tom")) == {(one, "mentions"), (three, "mentions")}


def test_edges_lead_both_ways(graph: Graph, ana: BoundMemory) -> None:
    one, two = graph.remember(ana, "note one"), graph.remember(ana, "note two")
    graph.edge(Edge(one, two, EdgeKind.TEMPORAL_SEQUENCE))
    found = graph.neighbours(ana, [one, two])
    assert found[one] == [Neighbour(two, "temporal_sequence", 0.3)]
    assert found[two] == [Neighbour(one, "temporal_sequence", 0.3, forward=False)]


def test_an_edge_without_direction_is_one(graph: Graph, ana: BoundMemory) -> None:
    one, two = graph.remember(ana, "note one"), graph.remember(ana, "note two")
    graph.edge(Edge(two, one, EdgeKind.SHARED_ENTITY))
    assert graph.edge(Edge(one, two, EdgeKind.SHARED_ENTITY)) == 0
    assert len(graph.rows(edges)) == 1
    assert graph.tied(ana, one) == {(two, "shared_entity")}


def test_ties_that_grow_are_followed(graph: Graph, ana: BoundMemory) -> None:
    one, two = graph.remember(ana, "note one"), graph.remember(ana, "note two")
    for _ in range(3):
        with graph.write() as connection:
            place = ("user", "ana")
            kind = EdgeKind.CO_ACTIVATED
            tie(connection, graph.brain.id, place, [(two, one)], kind, _grown, graph.now)
    (found,) = graph.neighbours(ana, [one])[one]
    assert (found.id, found.kind) == (two, "co_activated")
    assert found.weight == pytest.approx(0.3)


def _grown(weight: float | None) -> float:
    return 0.1 if weight is None else weight + 0.1


def test_what_supersedes(graph: Graph, ana: BoundMemory, clock: FixedClock) -> None:
    old = graph.remember(ana, "i live in lisbon", facts=[Fact("ana", "lives_in", "Lisbon", False)])
    before = clock.advance(days=40)
    clock.advance(days=1)
    new = graph.remember(ana, "i live in porto", facts=[Fact("ana", "lives_in", "Porto", False)])
    ties = [one for one in graph.neighbours(ana, [new])[new] if one.kind != "mentions"]
    assert ties == [Neighbour(old, "supersedes", 0.5)]
    assert (new, "supersedes") in graph.tied(ana, old)
    assert (new, "supersedes") not in graph.tied(ana, old, known_at=before)


def test_what_contradicts(graph: Graph, ana: BoundMemory, clock: FixedClock) -> None:
    one, two = graph.remember(ana, "note one"), graph.remember(ana, "note two")
    with graph.write() as connection:
        row = {"brain_id": graph.brain.id, "from_id": one, "to_id": two, "kind": "contradicts"}
        connection.execute(trace_links.insert().values(**row, created_at=graph.now))
    linked = clock.now
    assert graph.tied(ana, two) == {(one, "contradicts")}
    clock.advance(days=1)
    with graph.write() as connection:
        connection.execute(trace_links.update().values(undone_at=graph.now))
    assert graph.tied(ana, two) == graph.tied(ana, one) == set()
    assert graph.tied(ana, two, known_at=linked) == {(one, "contradicts")}


def test_what_a_trace_rests_on(graph: Graph, ana: BoundMemory) -> None:
    source = graph.remember(ana, "note one")
    derived = graph.remember(ana, "note two", derived_from=[source])
    assert graph.neighbours(ana, [derived])[derived] == [Neighbour(source, "derived_from", 0.6)]
    assert graph.tied(ana, source) == {(derived, "derived_from")}


def test_a_fact_ties_two_names(graph: Graph, ana: BoundMemory) -> None:
    fact = Fact("marta", "works_at", "Northwind", False)
    graph.remember(ana, "note one", "Marta", "Northwind", facts=[fact])
    marta, northwind = graph.node("marta"), graph.node("northwind")
    assert (northwind, "works_at") in graph.tied(ana, marta)
    (back,) = (tie for tie in graph.neighbours(ana, [northwind])[northwind] if tie.id == marta)
    assert (back.kind, back.forward, back.weight) == ("works_at", False, 0.5)


def test_what_is_denied_ties_nothing(graph: Graph, ana: BoundMemory) -> None:
    fact = Fact("marta", "works_at", "Northwind", False, negated=True)
    one = graph.remember(ana, "note one", "Marta", "Northwind", facts=[fact])
    assert graph.tied(ana, graph.node("marta")) == {(one, "mentions")}


def test_a_trace_and_a_name_may_be_tied(graph: Graph, ana: BoundMemory) -> None:
    one = graph.remember(ana, "note one", "Marta")
    schema = graph.remember(ana, "note two")
    graph.edge(Edge(schema, graph.node("marta"), EdgeKind.SCHEMA_INSTANCE))
    assert graph.tied(ana, schema) == {(graph.node("marta"), "schema_instance")}
    assert graph.tied(ana, graph.node("marta")) == {
        (one, "mentions"),
        (schema, "schema_instance"),
    }


def test_of_two_ties_to_one_name_the_heavier_counts(graph: Graph, ana: BoundMemory) -> None:
    one = graph.remember(ana, "note one", "Marta", "Marta Ruiz")
    weights = {"marta": 0.2, "marta ruiz": 0.8}
    for name, weight in weights.items():
        graph.edge(Edge(one, graph.node(name), EdgeKind.CAUSED_BY, weight))
        graph.edge(Edge(one, graph.node(name), EdgeKind.SAME_TOPIC, 1 - weight))
    graph.merge(ana, "Marta", "Marta Ruiz")
    found = graph.neighbours(ana, [one])[one]
    assert [(tie.id, str(tie.kind), tie.weight) for tie in found] == [
        (graph.node("marta ruiz"), "mentions", 1.0),
        (graph.node("marta ruiz"), "caused_by", 0.8),
        (graph.node("marta ruiz"), "same_topic", 0.8),
    ]


def test_unknown_ids_have_no_neighbours(graph: Graph, ana: BoundMemory) -> None:
    one = graph.remember(ana, "note one", "Marta")
    nobody = graph.node("nobody")
    found = graph.neighbours(ana, [one, "mt_unknown", nobody, one])
    assert found["mt_unknown"] == found[nobody] == []
    assert found[one]
    assert is_node(nobody)
    assert not is_node(one)


def test_an_edge_needs_both_ends_in_its_scope_id(
    graph: Graph, ana: BoundMemory, bob: BoundMemory
) -> None:
    one, two = graph.remember(ana, "note one"), graph.remember(ana, "note two")
    thread = graph.remember(ana, "note three", scope="thread")
    foreign = graph.remember(bob, "note four", "Tom")
    tom = graph.node("tom", (Scope.USER, "bob"))
    for other in (thread, foreign, tom, "mt_unknown"):
        with pytest.raises(NotFound, match=other):
            graph.edge(Edge(one, other, EdgeKind.SAME_TOPIC))
    assert graph.edge(Edge(one, two, EdgeKind.SAME_TOPIC)) == 1


@pytest.mark.parametrize("weight", [-0.1, 1.5])
def test_an_edge_that_makes_no_sense(graph: Graph, ana: BoundMemory, weight: float) -> None:
    one, two = graph.remember(ana, "note one"), graph.remember(ana, "note two")
    with pytest.raises(InvalidInput, match=str(weight)):
        graph.edge(Edge(one, two, EdgeKind.SAME_TOPIC, weight))
    with pytest.raises(InvalidInput, match="itself"):
        graph.edge(Edge(one, one, EdgeKind.SAME_TOPIC))


def test_a_hub_gives_its_newest_traces_and_its_true_degree(
    graph: Graph, ana: BoundMemory, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seen, "HUB", 20)
    monkeypatch.setattr(seen, "MOST_TIES", 5)
    monkeypatch.setattr(seen, "_AT_A_TIME", 4)
    ids = []
    for number in range(24):
        clock.advance(minutes=1)
        names = ("Marta",) if number % 2 == 0 or number > 3 else ()
        ids.append(graph.remember(ana, f"note {number}", *names))
    found = graph.neighbours(ana, [graph.node("marta")])[graph.node("marta")]
    assert {tie.id for tie in found} == set(ids[-5:])
    assert {tie.fan for tie in found} == {22}


def test_a_hub_of_old_traces_is_not_empty(
    graph: Graph, ana: BoundMemory, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seen, "HUB", 6)
    monkeypatch.setattr(seen, "MOST_TIES", 5)
    monkeypatch.setattr(seen, "LATELY", 3)
    old = [graph.remember(ana, f"note {number}", "Marta") for number in range(8)]
    clock.advance(days=1)
    for number in range(8, 14):
        graph.remember(ana, f"note {number}")
    found = graph.neighbours(ana, [graph.node("marta")])[graph.node("marta")]
    assert len(found) == 5
    assert {tie.id for tie in found} <= set(old)


@pytest.mark.parametrize("hub", [seen.HUB, 0])
def test_nothing_walks_the_whole_brain(
    graph: Graph, ana: BoundMemory, hub: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every statement finds its rows by an index that leads to them and to no others."""
    monkeypatch.setattr(seen, "HUB", hub)
    one = graph.remember(ana, "note one", "Marta", facts=[Fact("marta", "pet", "Rex", True)])
    two = graph.remember(ana, "note two", "Marta", "Rex", derived_from=[one])
    graph.edge(Edge(one, two, EdgeKind.SAME_TOPIC))
    graph.merge(ana, "Rex", "Marta")
    made: list[tuple[str, object]] = []
    with graph.brain.read() as connection:
        event.listen(
            connection,
            "before_cursor_execute",
            lambda _c, _cursor, sql, values, _context, _many: made.append((sql, values)),
        )
        reach = ana.principal.reach()
        ids = [one, two, graph.node("marta"), graph.node("rex")]
        neighbours(connection, graph.brain.id, reach, graph.clocks(), ids)
        for sql, values in list(made):
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}", values)  # type: ignore[arg-type]
            for row in plan:
                assert not row.detail.startswith("SCAN"), (sql, row.detail)
                assert "(brain_id=?)" not in row.detail, (sql, row.detail)
    assert len(made) > 10
