"""An edge, a fact, a merge and a name at the instants that are asked for."""

from __future__ import annotations

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from mnemic import BoundMemory
from mnemic.graph.edges import Edge
from mnemic.model.fact import Fact
from mnemic.model.graph import EdgeKind
from mnemic.model.times import Validity, to_ms
from mnemic.store.mind_schema import edges
from tests.conftest import FixedClock
from tests.graph.graphs import ANA, Graph

DAY = timedelta(days=1)
KIND = EdgeKind.CAUSED_BY


def test_an_edge_holds_from_its_start_until_before_its_end(
    graph: Graph, ana: BoundMemory, clock: FixedClock
) -> None:
    one, two = graph.remember(ana, "note one"), graph.remember(ana, "note two")
    start, end = clock.now + DAY, clock.now + 3 * DAY
    graph.edge(Edge(one, two, KIND, valid=Validity(to_ms(start), to_ms(end))))
    tied = {(two, "caused_by")}
    assert graph.tied(ana, one, as_of=start) == graph.tied(ana, one, as_of=end - DAY) == tied
    for outside in (start - DAY, start - timedelta(milliseconds=1), end, end + DAY):
        assert graph.tied(ana, one, as_of=outside) == set()


def test_what_was_known_of_an_edge_before_it_changed(
    graph: Graph, ana: BoundMemory, clock: FixedClock
) -> None:
    one, two = graph.remember(ana, "note one"), graph.remember(ana, "note two")
    before = clock.now
    clock.advance(days=1)
    assert graph.edge(Edge(one, two, KIND)) == 1
    first = clock.now
    clock.advance(days=1)
    ended = Validity(None, to_ms(first))
    assert graph.edge(Edge(one, two, KIND, valid=ended)) == 1
    assert graph.edge(Edge(one, two, KIND, valid=ended)) == 0
    assert graph.tied(ana, one) == set()
    assert graph.tied(ana, one, as_of=first - DAY) == {(two, "caused_by")}
    assert graph.tied(ana, one, known_at=first) == {(two, "caused_by")}
    assert graph.tied(ana, one, known_at=before) == set()
    assert [row.retired_at is None for row in graph.rows(edges)].count(True) == 1


def test_two_changes_within_one_millisecond(graph: Graph, ana: BoundMemory) -> None:
    one, two = graph.remember(ana, "note one"), graph.remember(ana, "note two")
    for weight in (0.2, 0.4, 0.6):
        assert graph.edge(Edge(one, two, KIND, weight)) == 1
    assert [tie.weight for tie in graph.neighbours(ana, [one])[one]] == [0.6]


def test_a_fact_that_ended_ties_nothing_any_more(
    graph: Graph, ana: BoundMemory, clock: FixedClock
) -> None:
    fact = Fact("marta", "works_at", "Northwind", False, until="2026-07")
    graph.remember(ana, "note one", "Marta", "Northwind", facts=[fact])
    tie = (graph.node("northwind"), "works_at")
    assert tie in graph.tied(ana, graph.node("marta"))
    assert tie not in graph.tied(ana, graph.node("marta"), as_of=clock.now + 90 * DAY)


def test_a_merge_and_its_undoing_at_earlier_instants(
    graph: Graph, ana: BoundMemory, clock: FixedClock
) -> None:
    one = graph.remember(ana, "note one", "Marta")
    two = graph.remember(ana, "note two", "Marta Ruiz")
    both = {(one, "mentions"), (two, "mentions")}
    apart = clock.now
    merged = clock.advance(days=1)
    graph.merge(ana, "Marta", "Marta Ruiz")
    assert graph.tied(ana, graph.node("marta")) == both
    assert graph.tied(ana, graph.node("marta ruiz")) == both
    clock.advance(days=1)
    assert graph.undo_merge(ana, "Marta")
    assert not graph.undo_merge(ana, "Marta")
    assert graph.tied(ana, graph.node("marta")) == {(one, "mentions")}
    assert graph.tied(ana, graph.node("marta ruiz")) == {(two, "mentions")}
    assert graph.tied(ana, graph.node("marta"), known_at=merged) == both
    assert graph.tied(ana, graph.node("marta"), known_at=apart) == {(one, "mentions")}


def test_an_earlier_reader_is_not_told_what_a_text_mentions_now(
    graph: Graph, ana: BoundMemory, clock: FixedClock
) -> None:
    one = graph.remember(ana, "note one", "Tom")
    graph.remember(ana, "note two", "Zara", "Tom")
    before = clock.now
    clock.advance(days=1)
    ana.correct(one, "note three", reason="a slip")
    graph.remention(ANA, one, "Zara")
    assert graph.tied(ana, one) == {(graph.node("zara"), "mentions")}
    assert graph.tied(ana, one, known_at=before) == set()
    assert one not in {other for other, _ in graph.tied(ana, graph.node("zara"), known_at=before)}
    assert graph.tied(ana, graph.node("zara"), known_at=before) != set()


def test_a_name_is_not_known_before_it_came_in(
    graph: Graph, ana: BoundMemory, clock: FixedClock
) -> None:
    one = graph.remember(ana, "note one")
    before = clock.now
    clock.advance(days=1)
    graph.mention(ANA, one, "Marta")
    assert graph.found(ana, "Marta") == {"Marta": ["Marta"]}
    assert graph.found(ana, "Marta", known_at=before) == {"Marta": []}
    assert graph.tied(ana, one, known_at=before) == set()


@given(data=st.data())
def test_any_interval_at_any_instant(
    graph: Graph, ana: BoundMemory, clock: FixedClock, data: st.DataObject
) -> None:
    """Plain comparison of numbers, against what the brain answers."""
    one, two = graph.remember(ana, "note one"), graph.remember(ana, "note two")
    base = clock.now + 400 * DAY  # the traces hold from now on
    day = st.integers(0, 6)
    start, end = data.draw(st.none() | day), data.draw(st.none() | day)
    if start is not None and end is not None and end < start:
        start, end = end, start
    at = data.draw(day)
    bounds = [None if one is None else to_ms(base + one * DAY) for one in (start, end)]
    graph.edge(Edge(one, two, KIND, valid=Validity(*bounds)))
    expected = (start is None or start <= at) and (end is None or at < end)
    assert bool(graph.tied(ana, one, as_of=base + at * DAY)) is expected
