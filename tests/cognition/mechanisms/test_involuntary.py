"""Now and then an old and charged memory comes by itself, by the chances given and no others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic.cognition.mechanisms.involuntary import Involuntary, Unbidden, comes_unbidden
from mnemic.model.mind import Personality

DAY = 86_400_000
NOW = 1_000 * DAY
RULES = Involuntary()


def old(name: str, intensity: float = 0.5, days: int = 30, strength: float = 0.5) -> Unbidden:
    return Unbidden(name, strength, intensity, NOW - days * DAY)


def chances(*values: float) -> Callable[[], float]:
    return iter(values).__next__


def come(candidates: list[Unbidden], *values: float, rules: Involuntary = RULES) -> str | None:
    found = comes_unbidden(candidates, chances(*values), rules, NOW)
    return None if found is None else found.id


def test_one_comes_in_eight_of_a_hundred_times() -> None:
    grid = [number / 1_000 for number in range(1_000)]
    came = sum(come([old("a")], chance, 0.0) == "a" for chance in grid)
    assert came == 80


def test_charged_memories_come_more_often_in_proportion() -> None:
    """Berntsen & Hall 2004: what comes unbidden is more charged than what is sought."""
    pool = [old("fire", 0.6), old("party", 0.3), old("invoice", 0.0), old("quarrel", 0.1)]
    total = 0.6 + 0.3 + 0.01 + 0.1
    grid = 10_100
    came = Counter(come(pool, 0.0, number / grid) for number in range(grid))
    assert sum(came.values()) == grid
    for one in pool:
        expected = max(0.01, one.intensity) / total
        assert came[one.id] / grid == pytest.approx(expected, abs=2 / grid)
    assert came["fire"] > came["party"] > came["quarrel"] > came["invoice"] > 0


@pytest.mark.parametrize(
    ("memory", "comes"),
    [
        (old("a", days=15), True),
        (old("a", days=14), False),  # older than 14 days, not as old
        (old("a", strength=0.15), True),
        (old("a", strength=0.149), False),
        (old("a", intensity=0.0), True),
    ],
)
def test_only_old_memories_with_some_strength_come(memory: Unbidden, comes: bool) -> None:
    assert (come([memory], 0.0, 0.0) == "a") is comes


def test_nothing_comes_of_nothing() -> None:
    assert come([], 0.0, 0.0) is None
    assert come([old("a")], 0.0, 0.0) == "a"
    assert come([old("a")], 0.0, 0.0, rules=Involuntary(probability=0)) is None


def test_without_luck_no_candidate_is_looked_at() -> None:
    looked: list[str] = []

    def lazily() -> Iterator[Unbidden]:
        for one in (old("a"), old("b")):
            looked.append(one.id)
            yield one

    pool = lazily()
    assert comes_unbidden(pool, chances(0.5), RULES, NOW) is None
    assert looked == []
    assert comes_unbidden(pool, chances(0.0, 0.0), RULES, NOW) == old("a")
    assert looked == ["a", "b"]


def test_openness_scales_the_chance() -> None:
    assert RULES.shaped(Personality()) == RULES
    assert RULES.shaped(Personality(openness=0)).probability == pytest.approx(0.04)
    assert RULES.shaped(Personality(openness=1)).probability == pytest.approx(0.12)
    assert Involuntary(probability=0.9).shaped(Personality(openness=1)).probability == 1


below_one = st.floats(0, 1, exclude_max=True)
memories = st.builds(
    old,
    st.sampled_from("abcdef"),
    intensity=st.floats(0, 1),
    days=st.integers(0, 40),
    strength=st.floats(0, 1),
)


@settings(max_examples=200)
@given(st.lists(memories), below_one, below_one, st.floats(0, 1))
def test_what_comes_may_come_and_comes_again_by_the_same_chances(
    pool: list[Unbidden], first: float, second: float, probability: float
) -> None:
    rules = Involuntary(probability=probability)
    found = comes_unbidden(pool, chances(first, second), rules, NOW)
    assert found == comes_unbidden(pool, chances(first, second), rules, NOW)
    fit = [one for one in pool if NOW - one.created_at > rules.min_age and one.strength >= 0.15]
    assert (found is not None) == (first < probability and bool(fit))
    assert found is None or found in fit
