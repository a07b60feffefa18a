"""Two names of one thing: merged, undone, suggested."""

from __future__ import annotations

import pytest

from mnemic import BoundMemory
from mnemic.cognition.entities import Named
from mnemic.graph.aliases import Suggestion, completions, merge, suggest_aliases
from mnemic.graph.merges import families, resolve
from mnemic.graph.write import Mentions
from mnemic.model.errors import InvalidInput
from mnemic.model.graph import EntityKind
from mnemic.model.scope import Scope
from tests.conftest import FixedClock
from tests.graph.graphs import ANA, Graph


def suggested(graph: Graph, who: BoundMemory, most: int = 100) -> list[tuple[str, str]]:
    with graph.brain.read() as connection:
        found: list[Suggestion] = suggest_aliases(
            connection, graph.brain.id, who.principal.reach(), graph.clocks(), most
        )
    return [(one.name.label, one.into.label) for one in found]


def test_a_merge_of_a_merge(graph: Graph, ana: BoundMemory) -> None:
    traces = {
        graph.remember(ana, f"note {number}", name)
        for number, name in enumerate(("Marta", "Marta Ruiz", "Dr. Ruiz"))
    }
    graph.merge(ana, "Marta", "Marta Ruiz")
    graph.merge(ana, "Marta Ruiz", "Dr. Ruiz")
    everything = {(trace, "mentions") for trace in traces}
    nodes = [graph.node(name) for name in ("Marta", "Marta Ruiz", "Dr. Ruiz")]
    for node in nodes:
        assert graph.tied(ana, node) == everything
    assert graph.found(ana, "marta") == {"marta": ["Dr. Ruiz"]}
    with graph.brain.read() as connection:
        assert resolve(connection, graph.brain.id, nodes) == dict.fromkeys(nodes, nodes[2])
        assert families(connection, graph.brain.id, nodes[2:]) == dict.fromkeys(nodes, nodes[2])
    graph.undo_merge(ana, "Marta Ruiz")
    assert graph.found(ana, "marta", "dr. ruiz") == {
        "marta": ["Marta Ruiz"],
        "dr. ruiz": ["Dr. Ruiz"],
    }


def test_merging_into_a_merged_name(graph: Graph, ana: BoundMemory) -> None:
    graph.remember(ana, "note one", "Marta", "Marta Ruiz", "Ruiz")
    graph.merge(ana, "Marta", "Marta Ruiz")
    graph.merge(ana, "Ruiz", "Marta")
    assert graph.found(ana, "ruiz") == {"ruiz": ["Marta Ruiz"]}


def test_mentions_go_on_after_a_merge(graph: Graph, ana: BoundMemory) -> None:
    one = graph.remember(ana, "note one", "Marta", "Marta Ruiz")
    graph.merge(ana, "Marta", "Marta Ruiz")
    two = graph.remember(ana, "note two", "Marta")
    assert graph.tied(ana, graph.node("marta ruiz")) == {(one, "mentions"), (two, "mentions")}
    graph.undo_merge(ana, "Marta")
    assert graph.tied(ana, graph.node("marta ruiz")) == {(one, "mentions")}
    assert graph.tied(ana, graph.node("marta")) == {(one, "mentions"), (two, "mentions")}


def test_again_after_undoing_in_the_same_instant(graph: Graph, ana: BoundMemory) -> None:
    graph.remember(ana, "note one", "Marta", "Tom")
    for _ in range(3):
        graph.merge(ana, "Marta", "Tom")
        assert graph.found(ana, "marta") == {"marta": ["Tom"]}
        assert graph.undo_merge(ana, "Marta")
        assert graph.found(ana, "marta") == {"marta": ["Marta"]}


def test_merges_that_make_no_sense(graph: Graph, ana: BoundMemory) -> None:
    graph.remember(ana, "note one", "Marta", "Tom", "Zara")
    with pytest.raises(InvalidInput, match="already"):
        graph.merge(ana, "Marta", "Marta")
    graph.merge(ana, "Marta", "Tom")
    with pytest.raises(InvalidInput, match="already"):
        graph.merge(ana, "Tom", "Marta")  # it would go round in a circle
    with pytest.raises(InvalidInput, match="undo"):
        graph.merge(ana, "Marta", "Zara")


def test_two_scope_ids_of_one_caller_stay_two(graph: Graph, ana: BoundMemory) -> None:
    graph.remember(ana, "note one", "Marta")
    graph.remember(ana, "note two", "Marta Ruiz", scope="thread")
    place = (Scope.THREAD, "ana//monday")
    one, other = graph.node("marta"), graph.node("marta ruiz", place)
    reach = ana.principal.reach()
    with graph.write() as connection, pytest.raises(InvalidInput, match="two scope ids"):
        merge(connection, graph.brain.id, reach, one, other, graph.now)
    assert suggested(graph, ana) == []


def test_what_one_other_name_completes_is_suggested(graph: Graph, ana: BoundMemory) -> None:
    graph.remember(ana, "note one", "Marta", "Ruiz", "Marta Ruiz", "Tom", "Li")
    graph.remember(ana, "note two", "Tom Silva", "Tom Costa", "Li Wei")
    assert suggested(graph, ana) == [("Marta", "Marta Ruiz"), ("Ruiz", "Marta Ruiz")]
    assert suggested(graph, ana, most=1) == [("Marta", "Marta Ruiz")]


def test_places_are_not_completed(graph: Graph, ana: BoundMemory) -> None:
    one = graph.remember(ana, "note one", "Marta", "Marta Ruiz")
    with graph.write() as connection:
        mentions = Mentions(connection, graph.brain.id, *ANA)
        mentions.add(one, [Named("Porto", EntityKind.PLACE, 0)])
        mentions.add(one, [Named("Porto Covo", EntityKind.PLACE, 0)])
        mentions.flush(graph.now)
    assert suggested(graph, ana) == [("Marta", "Marta Ruiz")]


def test_what_was_settled_is_not_suggested_again(
    graph: Graph, ana: BoundMemory, clock: FixedClock
) -> None:
    graph.remember(ana, "note one", "Marta", "Marta Ruiz")
    assert suggested(graph, ana)
    graph.merge(ana, "Marta", "Marta Ruiz")
    assert suggested(graph, ana) == []
    clock.advance(days=1)
    graph.undo_merge(ana, "Marta")
    assert suggested(graph, ana) == []


def test_a_forgotten_namesake_does_not_count(graph: Graph, ana: BoundMemory) -> None:
    graph.remember(ana, "note one", "Marta", "Marta Ruiz")
    other = graph.remember(ana, "note two", "Marta Costa")
    assert suggested(graph, ana) == []
    ana.forget(other)
    assert suggested(graph, ana) == [("Marta", "Marta Ruiz")]


def test_completions() -> None:
    keys = ["marta", "marta ruiz", "@marta", "li", "li wei", "ruiz", "tom", "b-29", "b-29 bomber"]
    assert completions(keys) == {"marta": ["marta ruiz"], "ruiz": ["marta ruiz"]}
