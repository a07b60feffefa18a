"""Nobody sees a name or a tie of what they may not see; with what they do see beside it."""

from __future__ import annotations

import pytest

from mnemic import BoundMemory
from mnemic.graph.aliases import merge, suggest_aliases, undo_merge
from mnemic.graph.edges import Edge
from mnemic.graph.names import names_of, traces_of
from mnemic.graph.paths import asking, shortest_path, surroundings
from mnemic.model.errors import NotFound
from mnemic.model.graph import EdgeKind
from mnemic.model.scope import Reach, Scope
from mnemic.store.mind_schema import edges, node_merges
from tests.conftest import FixedClock
from tests.graph.graphs import ANA, Graph

BOB = (Scope.USER, "bob")
NOBODY = Reach(())


def ids_of_bob(graph: Graph, bob: BoundMemory) -> list[str]:
    """Two traces of Bob's and his names, all tied to each other."""
    one = graph.remember(bob, "note one", "Marta", "Zara")
    two = graph.remember(bob, "note two", "Marta")
    graph.edge(Edge(one, two, EdgeKind.SAME_TOPIC), BOB)
    graph.edge(Edge(graph.node("marta", BOB), graph.node("zara", BOB), EdgeKind.CAUSED_BY), BOB)
    return [one, two, graph.node("marta", BOB), graph.node("zara", BOB)]


def test_another_user_sees_nothing(graph: Graph, ana: BoundMemory, bob: BoundMemory) -> None:
    ids = ids_of_bob(graph, bob)
    mine = graph.remember(ana, "note three", "Marta")
    assert all(graph.neighbours(bob, ids).values())
    assert graph.found(bob, "Marta", "Zara") == {"Marta": ["Marta"], "Zara": ["Zara"]}
    assert not any(graph.neighbours(ana, ids).values())
    assert not any(graph.neighbours(NOBODY, ids).values())
    assert graph.found(ana, "Marta", "Zara") == {"Marta": ["Marta"], "Zara": []}
    assert graph.tied(ana, graph.node("marta")) == {(mine, "mentions")}
    clocks = graph.clocks()
    with graph.brain.read() as connection:
        for who, some in ((bob, True), (ana, False)):
            reach = who.principal.reach()
            ask = asking(connection, graph.brain.id, reach, clocks)
            assert bool(names_of(connection, graph.brain.id, reach, clocks, ids)) is some
            assert bool(traces_of(connection, graph.brain.id, reach, clocks, ids)) is some
            assert bool(surroundings(ask, ids[:1]).steps) is some
            assert (shortest_path(ask, ids[0], ids[3]) is not None) is some


def test_a_tie_into_another_scope_is_not_followed(
    graph: Graph, ana: BoundMemory, bob: BoundMemory
) -> None:
    """Rows that no writer of ours makes: an edge, a mention and a merge across users."""
    theirs = ids_of_bob(graph, bob)
    one = graph.remember(ana, "note three", "Marta")
    two = graph.remember(ana, "note four", "Tom")
    marta, tom = graph.node("marta"), graph.node("tom")
    graph.edge(Edge(one, two, EdgeKind.SAME_TOPIC))
    with graph.write() as connection:
        row = {"brain_id": graph.brain.id, "scope": "user", "scope_id": "ana", "weight": 1.0}
        for end in theirs:
            values = {**row, "from_id": one, "to_id": end, "kind": "caused_by"}
            connection.execute(edges.insert().values(**values, recorded_at=1))
        merged = {"brain_id": graph.brain.id, "at": 1}
        values = {**merged, "node_id": tom, "into_id": theirs[2]}
        connection.execute(node_merges.insert().values(**values))
        values = {**merged, "node_id": theirs[3], "into_id": marta}
        connection.execute(node_merges.insert().values(**values))
    graph.mention(BOB, one, "Zara")  # Ana's trace mentions a name of Bob's scope
    both = Reach.of([ANA, BOB])
    assert graph.tied(ana, one) == {(two, "same_topic"), (marta, "mentions")}
    assert graph.tied(both, one) == {(two, "same_topic"), (marta, "mentions")}
    assert graph.tied(ana, tom) == graph.tied(both, tom) == {(two, "mentions")}
    assert graph.tied(ana, marta) == graph.tied(both, marta) == {(one, "mentions")}
    assert graph.tied(both, theirs[3]) == {
        (theirs[0], "mentions"),
        (theirs[2], "caused_by"),
    }


def test_a_forgotten_trace_hides_its_names(graph: Graph, ana: BoundMemory) -> None:
    one = graph.remember(ana, "note one", "Marta", "Zara")
    two = graph.remember(ana, "note two", "Marta")
    graph.edge(Edge(one, two, EdgeKind.SAME_TOPIC))
    graph.edge(Edge(two, graph.node("zara"), EdgeKind.CAUSED_BY))
    assert graph.tied(ana, two) == {
        (graph.node("marta"), "mentions"),
        (graph.node("zara"), "caused_by"),
        (one, "same_topic"),
    }
    ana.forget(one)
    assert graph.tied(ana, two) == {(graph.node("marta"), "mentions")}
    assert graph.tied(ana, graph.node("marta")) == {(two, "mentions")}
    assert graph.tied(ana, graph.node("zara")) == graph.tied(ana, one) == set()
    assert graph.found(ana, "Marta", "Zara") == {"Marta": ["Marta"], "Zara": []}
    assert [tie.fan for tie in graph.neighbours(ana, [graph.node("marta")])[graph.node("marta")]]


def test_a_name_does_not_come_out_by_a_merge(graph: Graph, ana: BoundMemory) -> None:
    one = graph.remember(ana, "note one", "Marta Ruiz")
    two = graph.remember(ana, "note two", "Marta")
    graph.merge(ana, "Marta", "Marta Ruiz")
    assert graph.found(ana, "Marta") == {"Marta": ["Marta Ruiz"]}
    assert graph.tied(ana, two) == {(graph.node("marta ruiz"), "mentions")}
    ana.forget(one)
    assert graph.found(ana, "Marta", "Marta Ruiz") == {"Marta": ["Marta"], "Marta Ruiz": []}
    assert graph.tied(ana, two) == {(graph.node("marta"), "mentions")}


def test_what_ended_is_not_followed(graph: Graph, ana: BoundMemory, clock: FixedClock) -> None:
    one = graph.remember(ana, "note one", "Marta", valid_to=clock.now.replace(month=7))
    two = graph.remember(ana, "note two")
    graph.edge(Edge(one, two, EdgeKind.SAME_TOPIC))
    assert graph.tied(ana, two) == {(one, "same_topic")}
    later = clock.now.replace(month=8)
    assert graph.tied(ana, two, as_of=later) == set()
    assert graph.found(ana, "Marta") == {"Marta": ["Marta"]}
    assert graph.found(ana, "Marta", as_of=later) == {"Marta": []}


def test_others_neither_merge_nor_are_suggested(
    graph: Graph, ana: BoundMemory, bob: BoundMemory
) -> None:
    graph.remember(bob, "note one", "Marta", "Marta Ruiz")
    theirs = [graph.node(name, BOB) for name in ("marta", "marta ruiz")]
    reach = ana.principal.reach()
    with graph.write() as connection, pytest.raises(NotFound):
        merge(connection, graph.brain.id, reach, theirs[0], theirs[1], graph.now)
    with graph.write() as connection, pytest.raises(NotFound):
        undo_merge(connection, graph.brain.id, reach, theirs[0], graph.now)
    with graph.write() as connection:
        merge(connection, graph.brain.id, bob.principal.reach(), theirs[0], theirs[1], graph.now)
    graph.remember(bob, "note two", "Zara", "Zara Costa")
    with graph.brain.read() as connection:
        clocks = graph.clocks()
        theirs_too = bob.principal.reach()
        assert len(suggest_aliases(connection, graph.brain.id, theirs_too, clocks)) == 1
        assert suggest_aliases(connection, graph.brain.id, reach, clocks) == []
