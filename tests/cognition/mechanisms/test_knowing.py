"""What almost came to mind is felt, the more so the nearer it came, and is not told."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic.cognition.mechanisms.knowing import FeelingKind, Knowing, NearMiss, feelings
from mnemic.model.mind import Personality

DAY = 86_400_000
NOW = 1_000 * DAY
RULES = Knowing()
CUTOFF = 0.5
DENTIST = NearMiss("dentist", 0.45, 0.6, ("Dr. Aalto", "Turku"), "frustrated", NOW - 40 * DAY)


def test_on_the_tip_of_the_tongue() -> None:
    """Hart 1965, Koriat 1993: the name is near and not reached, and what surrounds it is known."""
    [feeling] = feelings([DENTIST], CUTOFF, ["turku"], RULES, NOW)
    # .4 * (.45 - .3) / .2 + .3 * .6 + .3 * 1 / 2
    assert feeling.knowing == pytest.approx(0.3 + 0.18 + 0.15)
    assert feeling.kind is FeelingKind.HIGH_CONFIDENCE
    assert feeling.entities == ("Dr. Aalto", "Turku")
    assert (feeling.mood, feeling.age_days) == ("frustrated", 40)
    [weaker] = feelings([DENTIST], CUTOFF, [], RULES, NOW)
    assert weaker.knowing == pytest.approx(0.48)
    assert weaker.kind is FeelingKind.TIP_OF_TONGUE


def test_more_partial_information_is_a_stronger_feeling() -> None:
    """Koriat 1993: the feeling grows with how much comes to mind, along each of its sources."""
    nearer = replace(DENTIST, id="nearer", score=0.49)
    alike = replace(DENTIST, id="alike", similarity=0.9)
    farther = replace(DENTIST, id="farther", score=0.31, similarity=0.1)
    found = feelings([farther, DENTIST, alike, nearer], CUTOFF, [], RULES, NOW)
    assert [one.id for one in found] == ["alike", "nearer", "dentist", "farther"]


def test_an_opposite_is_no_less_known_than_a_stranger() -> None:
    opposite, stranger = replace(DENTIST, similarity=-0.9), replace(DENTIST, similarity=0.0)
    known = [one.knowing for one in feelings([opposite, stranger], CUTOFF, [], RULES, NOW)]
    assert known == [pytest.approx(0.3)] * 2


@pytest.mark.parametrize(
    ("score", "felt"), [(0.2999, False), (0.3, True), (0.4999, True), (0.5, False), (0.8, False)]
)
def test_only_between_the_threshold_and_what_was_recalled(score: float, felt: bool) -> None:
    assert bool(feelings([replace(DENTIST, score=score)], CUTOFF, [], RULES, NOW)) is felt


def test_a_cutoff_at_the_threshold_leaves_no_room() -> None:
    for cutoff in (0.3, 0.1):
        assert feelings([replace(DENTIST, score=0.3)], cutoff, [], RULES, NOW) == []
    assert feelings([replace(DENTIST, score=0.3)], 0.31, [], RULES, NOW) != []


def test_at_most_three_names_and_no_neutral_mood_are_told() -> None:
    miss = replace(DENTIST, entities=("A", "B", "A", "C", "D"), mood="neutral")
    [feeling] = feelings([miss], CUTOFF, [], RULES, NOW)
    assert feeling.entities == ("A", "B", "C")
    assert feeling.mood is None


def test_an_age_is_in_whole_days_and_never_below_none() -> None:
    ages = {NOW - DAY + 1: 0, NOW - DAY: 1, NOW + DAY: 0}
    for created, days in ages.items():
        [feeling] = feelings([replace(DENTIST, created_at=created)], CUTOFF, [], RULES, NOW)
        assert feeling.age_days == days


def test_weaker_feelings_may_be_kept_back() -> None:
    misses = [DENTIST, replace(DENTIST, id="faint", score=0.31)]
    everything = feelings(misses, CUTOFF, ["Turku"], RULES, NOW)
    assert [one.id for one in everything] == ["dentist", "faint"]
    sure = feelings(misses, CUTOFF, ["Turku"], Knowing(tip_of_tongue=False), NOW)
    assert [one.id for one in sure] == ["dentist"]


def test_extraversion_scales_the_threshold() -> None:
    assert RULES.shaped(Personality()) == RULES
    assert RULES.shaped(Personality(extraversion=0)).threshold == pytest.approx(0.39)
    assert RULES.shaped(Personality(extraversion=1)).threshold == pytest.approx(0.21)
    assert Knowing(threshold=0.9).shaped(Personality(extraversion=0)).threshold == 1


names = st.lists(st.sampled_from(["Ana", "ana", "Bo", "Cy", "Di"])).map(tuple)
misses_ = st.builds(
    NearMiss,
    id=st.uuids().map(str),
    score=st.floats(0, 1),
    similarity=st.floats(-1, 1),
    entities=names,
    mood=st.sampled_from([None, "neutral", "curious"]),
    created_at=st.integers(0, 2 * NOW),
)


@settings(max_examples=200)
@given(st.lists(misses_, max_size=6), st.floats(0, 1), names)
def test_feelings_are_bounded_and_in_order(
    misses: list[NearMiss], cutoff: float, asked: tuple[str, ...]
) -> None:
    found = feelings(misses, cutoff, asked, RULES, NOW)
    scores = {miss.id: miss.score for miss in misses}
    assert all(RULES.threshold <= scores[one.id] < cutoff for one in found)
    assert all(0 <= one.knowing <= 1 and len(one.entities) <= 3 for one in found)
    assert [one.knowing for one in found] == sorted((o.knowing for o in found), reverse=True)
    assert all((one.knowing > 0.6) == (one.kind == "high_confidence") for one in found)
