"""What a caller may give as a fact, and which facts have one key."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.errors import InvalidInput
from mnemic.model.fact import Fact, Shape, checked_fact, fact_key

GOOD = Fact("ana", "lives_in", "Lisbon", many=False)


def test_a_good_fact_stays_as_it_is() -> None:
    assert checked_fact(GOOD) == GOOD


def test_a_subject_gets_its_normal_form_and_a_value_is_trimmed_only() -> None:
    given_fact = Fact("  ANA ", "lives_in", "  The City of Lisbon ", many=False)
    assert checked_fact(given_fact) == replace(GOOD, value="The City of Lisbon")


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("subject", "  ", "fact.subject is blank"),
        ("subject", 5, "fact.subject must be a string"),
        ("subject", "a" * 257, "at most 256"),
        ("subject", "\u200b", "holds nothing that can be seen"),
        ("subject", "\ufdfa" * 100, "at most 256"),
        ("value", "", "fact.value is blank"),
        ("value", None, "fact.value must be a string"),
        ("value", "a" * 513, "at most 512"),
        ("value", "a\0b", "fact.value holds a NUL"),
        ("value", "a\ud800", "lone surrogate"),
        ("attribute", "", "fact.attribute"),
        ("attribute", "Lives_in", "fact.attribute 'Lives_in' must be"),
        ("attribute", "lives in", "fact.attribute"),
        ("attribute", "_lives", "fact.attribute"),
        ("attribute", "1st", "fact.attribute"),
        ("attribute", "a" * 65, "fact.attribute"),
        ("attribute", "straße", "fact.attribute"),
        ("attribute", "lives_in\n", "fact.attribute"),
        ("attribute", 7, "fact.attribute 7 must be"),
        ("attribute", None, "fact.attribute None must be"),
        ("many", 1, "fact.many must be True or False"),
        ("negated", "no", "fact.negated must be True or False"),
        ("shape", "sure", "fact.shape 'sure' is unknown"),
        ("since", "19", "fact.since '19' must be"),
        ("since", "2019-13", "fact.since"),
        ("until", "2019-02-30", "fact.until"),
        ("until", 2019, "fact.until 2019 must be"),
        ("since", "٢٠١٩", "fact.since"),
    ],
)
def test_a_field_that_is_of_no_use_is_refused_by_name(field: str, value: Any, says: str) -> None:
    wrong: dict[str, Any] = {field: value}
    with pytest.raises(InvalidInput, match=says):
        checked_fact(replace(GOOD, **wrong))


@pytest.mark.parametrize(
    "given_fact", [None, "ana lives in Lisbon", ("ana", "lives_in", "Lisbon"), {}]
)
def test_what_is_no_fact_is_refused(given_fact: object) -> None:
    with pytest.raises(InvalidInput, match="a fact must be a Fact"):
        checked_fact(given_fact)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("subject", "a" * 256),
        ("value", "a" * 512),
        ("attribute", "a" * 64),
        ("attribute", "a"),
        ("since", "2019"),
        ("until", "2019-02-28"),
        ("shape", Shape.PARTIAL),
    ],
)
def test_a_field_at_its_limit_is_taken(field: str, value: Any) -> None:
    fields: dict[str, Any] = {field: value}
    assert getattr(checked_fact(replace(GOOD, **fields)), field) == value


def test_a_shape_may_be_given_by_its_name() -> None:
    fields: dict[str, Any] = {"shape": "correction"}
    assert checked_fact(replace(GOOD, **fields)).shape is Shape.CORRECTION


@pytest.mark.parametrize(
    ("since", "until", "fits"),
    [
        ("2019", "2019", True),
        ("2019-05", "2019", True),
        ("2019", "2019-05", True),
        ("2019-05-01", "2019-05-01", True),
        ("2018-12", "2019", True),
        ("2020", "2019", False),
        ("2019-06", "2019-05-31", False),
        ("2019-06-02", "2019-06-01", False),
    ],
)
def test_an_end_before_the_start_is_refused(since: str, until: str, fits: bool) -> None:
    bounded = replace(GOOD, since=since, until=until)
    if fits:
        assert checked_fact(bounded) == bounded
    else:
        with pytest.raises(InvalidInput, match="lies before"):
            checked_fact(bounded)


@pytest.mark.parametrize(
    "value",
    [
        "Lisbon",
        "lisbon",
        "LISBON.",
        "the city of Lisbon",
        "The City Of Lisbon",
        "\u201cLisbon\u201d",
    ],
)
def test_spellings_of_one_value_have_one_key(value: str) -> None:
    assert fact_key(replace(GOOD, value=value)) == ("ana", "lives_in", "lisbon")


@pytest.mark.parametrize(
    ("value", "key"),
    [("a nurse", "nurse"), ("an Audi", "audi"), ("the", "the"), ("theatre", "theatre"), ("A", "a")],
)
def test_an_article_is_no_part_of_a_value_unless_it_is_all_of_it(value: str, key: str) -> None:
    assert fact_key(replace(GOOD, value=value))[2] == key


def test_two_names_stay_two() -> None:
    keys = {fact_key(replace(GOOD, subject=name)) for name in ("ana", "anna", "Ana", "hana")}
    assert len(keys) == 3


@given(
    st.builds(
        Fact,
        subject=st.text(min_size=1, max_size=40),
        attribute=st.from_regex(r"[a-z][a-z0-9_]{0,9}", fullmatch=True),
        value=st.text(min_size=1, max_size=40),
        many=st.booleans(),
    )
)
def test_what_was_checked_passes_again_unchanged(fact: Fact) -> None:
    try:
        checked = checked_fact(fact)
    except InvalidInput:
        return
    assert checked_fact(checked) == checked
    assert fact_key(checked) == fact_key(fact)
