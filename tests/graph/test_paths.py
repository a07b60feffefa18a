"""Ways through the graph: around something, between two things, and what hangs together."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic import BoundMemory
from mnemic.cognition.mechanisms.spreading import Spreading, spread
from mnemic.graph.paths import (
    Step,
    Surroundings,
    asking,
    clusters,
    shortest_path,
    surroundings,
)
from mnemic.graph.read import Neighbour
from mnemic.model.errors import MnemicError
from tests.graph.graphs import Graph


class Drawn:
    """A graph of pairs, which counts how often it is asked."""

    def __init__(self, *pairs: tuple[str, str], weight: float = 1.0) -> None:
        self.asked: list[list[str]] = []
        self.ties: dict[str, list[Neighbour]] = {}
        for one, other in pairs:
            self.ties.setdefault(one, []).append(Neighbour(other, "caused_by", weight))
            back = Neighbour(one, "caused_by", weight, forward=False)
            self.ties.setdefault(other, []).append(back)

    def __call__(self, ids: Sequence[str]) -> Mapping[str, Sequence[Neighbour]]:
        self.asked.append(list(ids))
        return {one: self.ties.get(one, []) for one in ids}


def chain(length: int) -> Drawn:
    return Drawn(*((f"n{at:02}", f"n{at + 1:02}") for at in range(length)))


def test_the_surroundings_of_something() -> None:
    line = chain(6)
    found = surroundings(line, ["n02"], depth=2)
    assert found.depths == {"n02": 0, "n01": 1, "n03": 1, "n00": 2, "n04": 2}
    assert line.asked == [["n02"], ["n01", "n03"]]  # a level at a time
    assert found.ties("n00") == [("n01", 1.0)]
    assert [tie for tie, _ in found.ties("n04")] == ["n03"]
    assert found.ties("n06") == []


def test_surroundings_are_bounded_and_the_heaviest_come_first() -> None:
    star = Drawn(*(("hub", f"leaf{number}") for number in range(50)), weight=0.1)
    star.ties["hub"][33] = Neighbour("leaf33", "caused_by", 0.9)
    found = surroundings(star, ["hub"], depth=3, most=3)
    assert set(found.depths) == {"hub", "leaf33", "leaf0"}
    assert set(found.steps) == {"hub", "leaf33", "leaf0"}


def test_a_way_between_two_things() -> None:
    line = chain(6)
    way = shortest_path(line, "n01", "n04")
    assert way is not None
    assert [(step.from_id, step.to_id) for step in way] == [
        ("n01", "n02"),
        ("n02", "n03"),
        ("n03", "n04"),
    ]
    assert all(step.forward for step in way)
    back = shortest_path(line, "n04", "n01")
    assert back is not None
    assert [step.to_id for step in back] == ["n03", "n02", "n01"]
    assert not any(step.forward for step in back)
    assert shortest_path(line, "n01", "n01") == ()


def test_no_way() -> None:
    two = Drawn(("a", "b"), ("x", "y"))
    assert shortest_path(two, "a", "b") == (Step("a", "b", "caused_by", 1.0, True),)
    assert shortest_path(two, "a", "y") is None
    assert shortest_path(two, "a", "nowhere") is None


def test_a_way_is_bounded() -> None:
    line = chain(20)
    assert len(shortest_path(line, "n00", "n06", longest=6) or ()) == 6
    assert shortest_path(line, "n00", "n06", longest=5) is None
    hub = Drawn(*(("hub", f"leaf{number}") for number in range(50)), ("leaf7", "end"))
    assert shortest_path(hub, "hub", "end", most=2) is not None
    star = Drawn(
        *((f"a{n}", "left") for n in range(30)),
        *((f"b{n}", "right") for n in range(30)),
        ("a7", "c"),
        ("c", "b9"),
    )
    assert shortest_path(star, "left", "right") is not None
    assert shortest_path(star, "left", "right", most=20) is None


@given(
    pairs=st.lists(
        st.tuples(st.integers(0, 9), st.integers(0, 9)).filter(lambda pair: pair[0] != pair[1]),
        max_size=18,
    ),
    ends=st.tuples(st.integers(0, 9), st.integers(0, 9)),
)
def test_no_way_is_shorter(pairs: list[tuple[int, int]], ends: tuple[int, int]) -> None:
    """Against a plain search from one end."""
    drawn = Drawn(*((str(one), str(other)) for one, other in pairs))
    start, end = map(str, ends)
    way = shortest_path(drawn, start, end, longest=20)
    expected = distance(drawn, start, end)
    assert (None if way is None else len(way)) == expected
    if way:
        assert (way[0].from_id, way[-1].to_id) == (start, end)
        assert all(one.to_id == next_.from_id for one, next_ in pairwise(way))
        for step in way:
            assert step.to_id in {tie.id for tie in drawn.ties[step.from_id]}


def distance(drawn: Drawn, start: str, end: str) -> int | None:
    waiting, seen = deque([(start, 0)]), {start}
    while waiting:
        one, steps = waiting.popleft()
        if one == end:
            return steps
        for tie in drawn.ties.get(one, []):
            if tie.id not in seen:
                seen.add(tie.id)
                waiting.append((tie.id, steps + 1))
    return None


def two_groups() -> Surroundings:
    pairs = [
        (f"{group}{one}", f"{group}{other}")
        for group in "ab"
        for one in range(4)
        for other in range(one)
    ]
    return surroundings(Drawn(*pairs, ("a0", "b0"), ("c0", "c1")), ["a0", "c0", "lone"], depth=4)


def test_what_hangs_together() -> None:
    found = clusters(two_groups())
    assert found == [["a0", "a1", "a2", "a3"], ["b0", "b1", "b2", "b3"], ["c0", "c1"]]
    assert clusters(two_groups(), smallest=3) == found[:2]
    assert clusters(Surroundings({}, {})) == []


def test_without_networkx_there_are_no_clusters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(MnemicError, match="pip install"):
        clusters(two_groups())


@pytest.fixture
def read(graph: Graph, ana: BoundMemory) -> Callable[[Callable[..., Any]], Any]:
    """Gives a function what answers for Ana."""

    def reader(use: Callable[..., Any]) -> Any:
        with graph.brain.read() as connection:
            reach, clocks = ana.principal.reach(), graph.clocks()
            return use(asking(connection, graph.brain.id, reach, clocks))

    return reader


def test_through_a_brain(graph: Graph, ana: BoundMemory, read: Any) -> None:
    one = graph.remember(ana, "note one", "Marta")
    two = graph.remember(ana, "note two", "Marta", "Tom")
    three = graph.remember(ana, "note three", "Tom")
    lone = graph.remember(ana, "note four")
    way = read(lambda ask: shortest_path(ask, one, three))
    assert [step.to_id for step in way] == [graph.node("marta"), two, graph.node("tom"), three]
    assert read(lambda ask: shortest_path(ask, one, lone)) is None
    around = read(lambda ask: surroundings(ask, [one], depth=3))
    assert around.depths == {one: 0, graph.node("marta"): 1, two: 2, graph.node("tom"): 3}
    assert spread([one], around.ties, Spreading()) == {
        graph.node("marta"): 0.5,
        two: 0.25,
        graph.node("tom"): 0.125,
    }
    assert len(read(lambda ask: clusters(surroundings(ask, [one, lone], depth=5)))) >= 1
