"""What is recalled together grows together, by a constant, up to a limit."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic.cognition.mechanisms.hebbian import Hebbian, pairs, strengthened
from mnemic.cognition.mechanisms.spreading import Spreading, spread

RULES = Hebbian()


def test_a_tie_grows_by_a_tenth_up_to_one() -> None:
    assert strengthened(None, RULES) == 0.1
    assert strengthened(0.1, RULES) == pytest.approx(0.2)
    assert strengthened(0.95, RULES) == 1
    assert strengthened(1.0, RULES) == 1


def test_two_recalls_together_make_a_tie_that_carries() -> None:
    """Hebb 1949: again and again, not once."""

    def carried(weight: float) -> dict[str, float]:
        ties = {"a": [("b", weight)], "b": [("a", weight)]}
        return spread(["a"], ties.__getitem__, Spreading())

    once = strengthened(None, RULES)
    twice = strengthened(once, RULES)
    assert carried(once) == {}
    assert carried(twice) == {"b": pytest.approx(0.1)}


def test_pairs_have_no_direction_and_come_from_the_first_five() -> None:
    assert pairs(["c", "a", "b"]) == [("a", "c"), ("b", "c"), ("a", "b")]
    assert pairs(["b", "a"]) == pairs(["a", "b"])
    assert len(pairs("abcdefgh")) == 10
    assert {one for pair in pairs("abcdefgh") for one in pair} == set("abcde")
    assert len(pairs("abcdefgh", most=8)) == 28


def test_one_memory_makes_no_pair() -> None:
    assert pairs([]) == pairs(["a"]) == pairs(["a", "a"]) == []
    assert pairs(["a", "a", "b"]) == [("a", "b")]


@settings(max_examples=200)
@given(st.none() | st.floats(0, 1), st.floats(0, 1))
def test_a_tie_never_weakens_and_never_passes_the_limit(weight: float | None, rate: float) -> None:
    found = strengthened(weight, Hebbian(rate=rate, first=rate))
    assert (weight or 0) <= found <= 1


@settings(max_examples=200)
@given(st.lists(st.sampled_from("abcdefg")), st.integers(0, 8))
def test_pairs_are_different_and_of_two(ids: list[str], most: int) -> None:
    found = pairs(ids, most)
    count = min(most, len(set(ids)))
    assert len(found) == len(set(found)) == count * (count - 1) // 2
    assert all(one < other for one, other in found)
