"""Recall holds down what resembles it and was not recalled, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic.cognition.mechanisms.forgetting import Competitor, Forgetting, suppressed
from mnemic.model.mind import Personality

RULES = Forgetting()


def test_practised_items_suppress_related_ones_and_not_unrelated_ones() -> None:
    """Anderson, Bjork & Bjork 1994: fruits are practised by "orange"; "banana" suffers, the
    unpractised category of drinks does not.
    """
    stability = {"orange": 10.0, "banana": 10.0, "lemon": 10.0, "whisky": 10.0, "gin": 10.0}
    to_orange = {"orange": 1.0, "banana": 0.82, "lemon": 0.74, "whisky": 0.31, "gin": 0.28}
    competitors = [Competitor(word, to_orange[word], 0.5) for word in stability]
    for _ in range(3):
        for word, factor in suppressed({"orange"}, competitors, RULES):
            stability[word] *= factor
    assert stability["orange"] == stability["whisky"] == stability["gin"] == 10
    assert stability["banana"] == stability["lemon"] == pytest.approx(10 * 0.88**3)


def test_the_threshold_of_similarity_is_honoured() -> None:
    pair = [Competitor("near", 0.7, 0.5), Competitor("far", 0.699, 0.5)]
    assert suppressed(["x"], pair, RULES) == [("near", 0.88)]
    agentos = Forgetting(similarity_threshold=-1)  # it declares .7 and never reads it
    assert {one for one, _ in suppressed(["x"], pair, agentos)} == {"near", "far"}


@pytest.mark.parametrize(
    ("strength", "held"), [(0.0999, False), (0.1, True), (0.5, True), (0.899, True), (0.9, False)]
)
def test_the_strongest_and_the_weakest_are_let_alone(strength: float, held: bool) -> None:
    assert bool(suppressed(["x"], [Competitor("y", 0.9, strength)], RULES)) is held


def test_at_most_five_the_nearest_first() -> None:
    rivals = [Competitor(f"r{number}", 0.7 + number / 100, 0.5) for number in range(9)]
    assert [one for one, _ in suppressed(["x"], rivals, RULES)] == ["r8", "r7", "r6", "r5", "r4"]


def test_no_recall_holds_nothing_down_and_what_was_recalled_is_no_rival() -> None:
    rivals = [Competitor("a", 0.9, 0.5), Competitor("b", 0.8, 0.5)]
    assert suppressed([], rivals, RULES) == []
    assert [one for one, _ in suppressed(["x"], rivals, RULES)] == ["a", "b"]
    assert [one for one, _ in suppressed(["a"], rivals, RULES)] == ["b"]


def test_a_rival_named_twice_is_held_down_once_by_its_greatest_similarity() -> None:
    rivals = [Competitor("a", 0.95, 0.5), Competitor("b", 0.9, 0.5), Competitor("a", 0.75, 0.5)]
    assert [one for one, _ in suppressed(["x"], rivals, RULES)] == ["a", "b"]


def test_conscientiousness_scales_the_factor() -> None:
    assert RULES.shaped(Personality()) == RULES
    assert RULES.shaped(Personality(conscientiousness=0)).factor == pytest.approx(0.084)
    assert RULES.shaped(Personality(conscientiousness=1)).factor == pytest.approx(0.156)
    assert Forgetting(factor=0.9).shaped(Personality(conscientiousness=1)).factor == 1


competitors = st.builds(
    Competitor,
    id=st.sampled_from("abcdefgh"),
    similarity=st.floats(-1, 1),
    strength=st.floats(0, 1),
)


@settings(max_examples=200)
@given(
    st.sets(st.sampled_from("abcdefgh")), st.lists(competitors), st.floats(0, 1), st.integers(0, 6)
)
def test_rivals_are_few_different_and_lose_a_bounded_share(
    practised: set[str], rivals: list[Competitor], factor: float, most: int
) -> None:
    found = suppressed(practised, rivals, Forgetting(factor=factor, most=most))
    held = [one for one, _ in found]
    assert len(held) == len(set(held)) <= most
    assert not practised & set(held)
    assert all(0 <= left <= 1 for _, left in found)
    best = {one: max(r.similarity for r in rivals if r.id == one) for one in held}
    assert list(best.values()) == sorted(best.values(), reverse=True)
