"""Names that traces mention: written once, joined by key, taken back with a correction."""

from __future__ import annotations

from mnemic import BoundMemory
from mnemic.graph.edges import Edge
from mnemic.graph.erase import drop_orphans, nodes_of
from mnemic.graph.write import Mentions
from mnemic.model.graph import EdgeKind
from mnemic.model.scope import Scope
from mnemic.store.mind_schema import edges, mentions, node_merges, nodes
from tests.conftest import FixedClock
from tests.graph.graphs import ANA, Graph, person


def test_two_spellings_of_a_name_are_one_node(graph: Graph, ana: BoundMemory) -> None:
    one = graph.remember(ana, "note one", "Marta")
    other = graph.remember(ana, "note two", "MARTA", "the Marta", "Marta's")
    node = graph.node("marta")
    assert [(row.id, row.label, row.kind) for row in graph.rows(nodes)] == [
        (node, "Marta", "person")
    ]
    assert graph.tied(ana, one) == graph.tied(ana, other) == {(node, "mentions")}
    assert graph.tied(ana, node) == {(one, "mentions"), (other, "mentions")}


def test_writing_twice_changes_nothing(graph: Graph, ana: BoundMemory, clock: FixedClock) -> None:
    trace = graph.remember(ana, "note one", "Marta")
    before = (graph.rows(nodes), graph.rows(mentions))
    clock.advance(days=1)
    graph.mention(ANA, trace, "Marta")
    assert (graph.rows(nodes), graph.rows(mentions)) == before
    graph.mention(ANA, trace, "Tom")
    assert len(graph.rows(mentions)) == 2


def test_what_names_nothing_is_no_node(graph: Graph, ana: BoundMemory) -> None:
    graph.remember(ana, "note one", "Marta", " ", "...")
    assert [row.label for row in graph.rows(nodes)] == ["Marta"]


def test_a_node_of_another_id_is_used(graph: Graph, ana: BoundMemory) -> None:
    """An imported brain keeps the ids that its nodes had under another brain's name."""
    one = graph.remember(ana, "note one")
    with graph.write() as connection:
        row = {"brain_id": graph.brain.id, "id": "en_" + "0" * 32, "scope": "user"}
        row |= {"scope_id": "ana", "kind": "person", "label": "Marta", "key": "marta"}
        connection.execute(nodes.insert().values(**row, created_at=1))
    graph.mention(ANA, one, "Marta")
    assert graph.tied(ana, one) == {("en_" + "0" * 32, "mentions")}


def test_a_name_in_two_scope_ids_is_two_nodes(graph: Graph, ana: BoundMemory) -> None:
    one = graph.remember(ana, "note one", "Marta")
    other = graph.remember(ana, "note two", "Marta", scope="thread")
    place = (Scope.THREAD, "ana//monday")
    assert graph.tied(ana, graph.node("marta")) == {(one, "mentions")}
    assert graph.tied(ana, graph.node("marta", place)) == {(other, "mentions")}
    assert graph.found(ana, "Marta") == {"Marta": ["Marta", "Marta"]}


def test_a_correction_takes_a_name_back(graph: Graph, ana: BoundMemory) -> None:
    one = graph.remember(ana, "note one", "Marta", "Tom")
    graph.remember(ana, "note two", "Tom")
    graph.remention(ANA, one, "Zara")
    assert graph.tied(ana, one) == {(graph.node("zara"), "mentions")}
    # Another trace still mentions Tom; nothing mentions Marta.
    assert {row.label for row in graph.rows(nodes)} == {"Tom", "Zara"}


def test_a_correction_may_keep_a_name(graph: Graph, ana: BoundMemory, clock: FixedClock) -> None:
    one = graph.remember(ana, "note one", "Marta", "Tom")
    graph.merge(ana, "Tom", "Marta")
    (before,) = (row for row in graph.rows(nodes) if row.label == "Marta")
    clock.advance(days=1)
    graph.remention(ANA, one, "Marta", "Tom")
    assert before in graph.rows(nodes)
    assert len(graph.rows(node_merges)) == 1


def test_a_correction_within_one_transaction(graph: Graph, ana: BoundMemory) -> None:
    one = graph.remember(ana, "note one")
    with graph.write() as connection:
        noted = Mentions(connection, graph.brain.id, *ANA)
        noted.add(one, person("Marta"))
        noted.remention(one, person("Tom"))
        noted.flush(graph.now)
        noted.flush(graph.now)  # nothing is left to write
    assert {row.label for row in graph.rows(nodes)} == {"Tom"}


def test_names_of_traces_for_an_erasure(graph: Graph, ana: BoundMemory) -> None:
    one = graph.remember(ana, "note one", "Marta", "Tom")
    other = graph.remember(ana, "note two", "Tom")
    with graph.brain.read() as connection:
        named = nodes_of(connection, graph.brain.id, [one, other])
        only = nodes_of(connection, graph.brain.id, [other])
    assert {(node.id, node.label) for node in named} == {
        (graph.node("marta"), "Marta"),
        (graph.node("tom"), "Tom"),
    }
    assert [node.label for node in only] == ["Tom"]


def test_a_name_that_nothing_mentions_goes_with_all_of_it(graph: Graph, ana: BoundMemory) -> None:
    one = graph.remember(ana, "note one", "Marta", "Tom", "Zara")
    two = graph.remember(ana, "note two", "Tom", "Zara")
    graph.edge(Edge(graph.node("marta"), graph.node("tom"), EdgeKind.SAME_TOPIC))
    graph.edge(Edge(two, graph.node("marta"), EdgeKind.CAUSED_BY))
    graph.edge(Edge(graph.node("tom"), graph.node("zara"), EdgeKind.SAME_TOPIC))
    graph.merge(ana, "Zara", "Marta")
    ids = [graph.node(name) for name in ("marta", "tom", "zara")]
    with graph.write() as connection:
        assert drop_orphans(connection, graph.brain.id, ids) == 0  # all are mentioned
        connection.execute(mentions.delete().where(mentions.c.trace_id == one))
        assert drop_orphans(connection, graph.brain.id, ids) == 1
        assert drop_orphans(connection, graph.brain.id, ids) == 0
    assert {row.label for row in graph.rows(nodes)} == {"Tom", "Zara"}
    assert {frozenset((row.from_id, row.to_id)) for row in graph.rows(edges)} == {
        frozenset((graph.node("tom"), graph.node("zara")))
    }
    assert graph.rows(node_merges) == []
    assert graph.found(ana, "Zara", "Marta") == {"Zara": ["Zara"], "Marta": []}
