"""What is tied to what came to mind comes to mind: less with each step, more by several ways."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic.cognition.mechanisms.spreading import Spreading, spread

RULES = Spreading()

Ties = Mapping[str, list[tuple[str, float]]]


class Graph:
    """Ties, and how often each node was asked for them."""

    def __init__(self, ties: Ties) -> None:
        self.ties = ties
        self.asked: Counter[str] = Counter()

    def __call__(self, node: str) -> list[tuple[str, float]]:
        self.asked[node] += 1
        return self.ties.get(node, [])


def both_ways(*ties: tuple[str, str, float]) -> Graph:
    found: dict[str, list[tuple[str, float]]] = {}
    for one, other, weight in ties:
        found.setdefault(one, []).append((other, weight))
        found.setdefault(other, []).append((one, weight))
    return Graph(found)


def star(leaves: int, weight: float = 1.0) -> Graph:
    return both_ways(*(("hub", f"leaf{number:03}", weight) for number in range(leaves)))


def test_activation_halves_with_each_step_and_ends_after_three() -> None:
    chain = both_ways(("a", "b", 1), ("b", "c", 1), ("c", "d", 1), ("d", "e", 1))
    assert spread(["a"], chain, RULES) == {"b": 0.5, "c": 0.25, "d": 0.125}
    assert set(spread(["a"], chain, Spreading(threshold=0.01))) == set("bcd")
    assert set(spread(["a"], chain, Spreading(depth=4, threshold=0.01))) == set("bcde")


def test_several_ways_add_up() -> None:
    """Anderson 1983: activation from several sources sums."""
    ways = both_ways(("a", "x", 1), ("a", "y", 1), ("x", "z", 1), ("y", "z", 1))
    found = spread(["a"], ways, RULES)
    assert found == {"x": 0.5, "y": 0.5, "z": 0.5}
    one_way = both_ways(("a", "x", 1), ("a", "y", 1), ("x", "z", 1))
    assert spread(["a"], one_way, RULES)["z"] == 0.25


def test_two_seeds_meet_in_what_they_share() -> None:
    shared = both_ways(("anna", "trip", 0.5), ("oslo", "trip", 0.5), ("anna", "job", 0.5))
    assert list(spread(["anna", "oslo"], shared, RULES).items()) == [("trip", 0.5), ("job", 0.25)]


def test_a_sum_stops_at_one() -> None:
    many = both_ways(*((f"seed{number}", "x", 1.0) for number in range(5)))
    assert spread([f"seed{number}" for number in range(5)], many, RULES) == {"x": 1.0}


def test_a_contribution_below_the_threshold_is_dropped_even_if_several_would_do() -> None:
    weak = both_ways(("a", "x", 0.19), ("b", "x", 0.19), ("a", "y", 0.2))
    assert spread(["a", "b"], weak, RULES) == {"y": pytest.approx(0.1)}


def test_neighbours_send_to_each_other_but_nothing_comes_straight_back() -> None:
    triangle = both_ways(("a", "x", 1), ("a", "y", 1), ("x", "y", 1))
    assert spread(["a"], triangle, RULES) == {"x": 0.75, "y": 0.75}
    pair = both_ways(("a", "x", 1), ("x", "z", 1))
    assert spread(["a"], pair, RULES) == {"x": 0.5, "z": 0.25}  # z gives x nothing back


def test_seeds_and_ties_to_oneself_give_nothing() -> None:
    loop = both_ways(("a", "b", 1), ("b", "b", 1), ("b", "c", 1))
    assert spread(["a", "b", "a"], loop, RULES) == {"c": 0.5}
    assert spread(["a"], loop, RULES) == {"b": 0.5, "c": 0.25}
    assert spread([], loop, RULES) == {}


def test_the_strongest_twenty_are_given() -> None:
    weights = [(f"n{number:02}", 0.3 + number / 100) for number in range(30)]
    found = spread(["a"], Graph({"a": weights}), RULES)
    assert list(found) == [f"n{number:02}" for number in range(29, 9, -1)]


def test_the_more_ties_the_less_for_each() -> None:
    """Anderson 1974, 1983: the fan effect. AgentOS has none, and neither have we unless asked."""
    anderson = Spreading(fan=1, threshold=0.01)
    few, many = spread(["hub"], star(2), anderson), spread(["hub"], star(10), anderson)
    assert set(few.values()) == {0.25}
    assert list(many.values()) == pytest.approx([0.05] * 10)
    plain = Spreading(threshold=0.01)
    assert set(spread(["hub"], star(2), plain).values()) == {0.5}
    assert set(spread(["hub"], star(10), plain).values()) == {0.5}


def test_a_fan_between_the_two_is_between_the_two() -> None:
    half = spread(["hub"], star(4), Spreading(fan=0.5))
    assert set(half.values()) == {0.25}


def test_why_the_fan_is_off() -> None:
    assert len(spread(["hub"], star(5), Spreading(fan=1))) == 5
    assert spread(["hub"], star(6), Spreading(fan=1)) == {}


def test_no_node_is_asked_twice_and_no_more_are_asked_than_allowed() -> None:
    names = [f"n{number}" for number in range(40)]
    full = Graph({one: [(other, 1.0) for other in names if other != one] for one in names})
    spread(names[:1], full, RULES)
    assert max(full.asked.values()) == 1
    assert len(full.asked) == 40
    full.asked.clear()
    spread(names[:1], full, Spreading(most_expanded=7))
    assert len(full.asked) == 7


def test_the_strongest_are_expanded_first() -> None:
    ties = both_ways(("a", "dim", 0.4), ("a", "bright", 0.9), ("dim", "x", 1), ("bright", "y", 1))
    found = spread(["a"], ties, Spreading(most_expanded=2))
    assert set(found) == {"bright", "dim", "y"}


def ring(size: int) -> Graph:
    """Each node tied to its forty neighbours on a ring."""
    return Graph(
        {
            str(one): [(str((one + step) % size), 1.0) for step in range(-20, 21) if step]
            for one in range(size)
        }
    )


def timed(graph: Graph, rules: Spreading) -> float:
    start = time.process_time()
    spread(["0"], graph, rules)
    return time.process_time() - start


def test_work_grows_with_the_ties_looked_at() -> None:
    rules = Spreading(depth=1_000, threshold=0.0, most_expanded=100_000)
    small, large = ring(500), ring(4_000)
    once = min(timed(small, rules) for _ in range(3))
    eight = min(timed(large, rules) for _ in range(3))
    assert len(small.asked) == 500
    assert len(large.asked) == 4_000
    assert eight < 8 * 4 * once + 0.02  # a square would be 64 times as much


nodes = st.sampled_from("abcdefgh")
edges = st.lists(st.tuples(nodes, nodes, st.floats(0, 1)), max_size=25)
rules_ = st.builds(
    Spreading,
    decay=st.floats(0, 1),
    threshold=st.floats(0.001, 0.5),
    depth=st.integers(0, 5),
    most=st.integers(0, 6),
    fan=st.floats(0, 1.5),
    most_expanded=st.integers(0, 6),
)


@settings(max_examples=200)
@given(st.lists(nodes), edges, rules_)
def test_what_comes_to_mind_is_bounded(
    seeds: list[str], ties: Iterable[tuple[str, str, float]], rules: Spreading
) -> None:
    graph = both_ways(*ties)
    found = spread(seeds, graph, rules)
    assert not set(seeds) & set(found)
    assert len(found) <= rules.most
    assert all(rules.threshold <= activation <= 1 for activation in found.values())
    assert list(found.values()) == sorted(found.values(), reverse=True)
    assert sum(graph.asked.values()) == len(graph.asked) <= rules.most_expanded


@settings(max_examples=200)
@given(st.sets(nodes), edges)
def test_the_order_of_the_seeds_does_not_matter(
    seeds: set[str], ties: list[tuple[str, str, float]]
) -> None:
    graph = both_ways(*ties)
    assert spread(sorted(seeds), graph, RULES) == spread(sorted(seeds)[::-1], graph, RULES)
