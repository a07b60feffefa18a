"""Values in a form that can be compared."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.cognition.facts.bounds import Bounds, find_bounds, iso_date
from mnemic.cognition.facts.forms import Match, match

SAME = [
    ("3pm", "15:00"),
    ("3 p.m.", "3PM"),
    ("03:05", "3:05"),
    ("midnight", "12am"),
    ("noon", "12:00"),
    ("900 euros", "€900"),
    ("900€", "EUR 900"),
    ("£5.50", "5.50 pounds"),
    ("$1,200", "1200 usd"),
    ("$1.2k", "1,200 dollars"),
    ("1.200,50 €", "1,200.50 euros"),
    ("$20 per hour", "$20/hour"),
    ("May 5", "5 May"),
    ("the 5th of May", "may 5"),
    ("5 May 1990", "1990-05-05"),
    ("13/5/1990", "13.05.1990"),
    ("May 2019", "2019-05"),
    ("+351 912 345 678", "00351912345678"),
    ("(555) 123-4567", "555 123 4567"),
    ("180 cm", "1,80 m"),
    ("6 ft", "6'"),
    ("90 minutes", "1.5 hours"),
    ("2 kg", "2000 g"),
    ("Tuesdays", "every Tuesday"),
    ("Tuesdays and Thursdays", "Thu and Tue"),
    ("two cats", "2 cats"),
    ("a red car", "the red car"),
    ("peanuts", "peanut"),
    ("berries", "berry"),
    ("Acme Ltd", "acme"),
    ("C++", "c++"),
    ("José", "Jose"),
    ("!!!", "!!!"),
    ("東京", "東京"),
]
OTHER = [
    ("3pm", "3am"),
    ("15:00", "15:01"),
    ("3pm", "3"),
    ("900 euros", "900 dollars"),
    ("€900", "€90"),
    ("$9.50", "$950"),
    ("May 5", "May 6"),
    ("5 May 1990", "5 May 1991"),
    ("04/05/1990", "05/04/1990"),
    ("912 345 678", "912 345 679"),
    ("1234567", "7654321"),
    ("180 cm", "180 kg"),
    ("1.8 m", "1.9 m"),
    ("Tuesday", "Thursday"),
    ("Paris", "Pari"),
    ("Ana", "Anna"),
    ("Texas", "Texa"),
    ("Adams", "Adam"),
    ("C", "C++"),
    ("-5", "5"),
    ("12A", "12B"),
    ("Model 3", "Model S"),
    ("bus", "bu"),
    ("glass", "glas"),
    ("!!!", "???"),
    ("York", "New York"),
    ("Guinea", "Equatorial Guinea"),
    ("31/02/1990", "28/02/1990"),
]
NARROWER = [
    ("Lisbon", "Lisbon, Portugal"),
    ("Portugal", "Lisbon, Portugal"),
    ("nurse", "head nurse"),
    ("2019", "May 2019"),
    ("2019-05", "2019-05-01"),
    ("May 5", "May 5, 1990"),
    ("900 euros", "900 euros a month"),
    ("3pm", "3pm CET"),
    ("Tuesday", "Tuesdays and Thursdays"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_spellings_of_one_value_match(one: str, other: str) -> None:
    assert match(one, other) is match(other, one) is Match.SAME


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_other_values_do_not_match(one: str, other: str) -> None:
    assert match(one, other) is match(other, one) is Match.OTHER


@pytest.mark.parametrize(("less", "more"), NARROWER)
def test_a_value_said_more_exactly_is_narrower(less: str, more: str) -> None:
    assert match(less, more) is Match.NARROWER
    both_ways = "Tuesday" in less  # fewer days and more days both limit what was said
    assert match(more, less) is (Match.NARROWER if both_ways else Match.WIDER)


@given(st.text(max_size=40))
def test_a_value_matches_itself(value: str) -> None:
    assert match(value, value) is Match.SAME


@given(st.text(max_size=30), st.text(max_size=30))
def test_sameness_goes_both_ways(one: str, other: str) -> None:
    assert (match(one, other) is Match.SAME) == (match(other, one) is Match.SAME)


@pytest.mark.parametrize(
    ("text", "at", "bounds"),
    [
        ("since 2019", "none", Bounds("2019", None)),
        ("since May 2019", "none", Bounds("2019-05", None)),
        ("since early 2019", "none", Bounds("2019", None)),
        ("until 5 May 2019", "none", Bounds(None, "2019-05-05")),
        ("from 2015 to 2019", "none", Bounds("2015", "2019")),
        ("between 2015 and May 2019", "none", Bounds("2015", "2019-05")),
        ("from 2019-05-01 until 2019-06-01", "none", Bounds("2019-05-01", "2019-06-01")),
        ("in 2019", "both", Bounds("2019", "2019")),
        ("in 2019", "since", Bounds("2019", None)),
        ("in 2019", "until", Bounds(None, "2019")),
        ("in 2019", "none", Bounds()),
        ("since May", "none", Bounds()),
        ("since last year", "none", Bounds()),
        ("for 10 years", "both", Bounds()),
        ("in 20190", "both", Bounds()),
        ("since Tuesday 12", "none", Bounds()),
        ("", "both", Bounds()),
    ],
)
def test_bounds_are_those_that_the_words_name(text: str, at: str, bounds: Bounds) -> None:
    assert find_bounds(text, at=at) == bounds


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2019", "2019"),
        ("May 2019", "2019-05"),
        ("5 May 2019", "2019-05-05"),
        ("Sept. 1st, 2019", "2019-09-01"),
        ("29 February", "--02-29"),
        ("29 February 2019", None),
        ("2019-02-30", None),
        ("2019-13", None),
        ("May", None),
        ("40 May 2019", None),
    ],
)
def test_a_date_has_the_exactness_that_it_was_said_with(text: str, iso: str | None) -> None:
    assert iso_date(text) == iso
