"""How two facts stand to each other."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.cognition.facts import Relation, compare, find_facts
from mnemic.model.fact import Fact, Shape
from tests.cognition.facts.pairs import PAIRS
from tests.cognition.facts.said import read

ACTS = (Relation.REPLACES, Relation.CONTRADICTS, Relation.RETRACTS)
"""The relations on which something is done to the old fact."""


@pytest.mark.parametrize(("old", "new", "relation"), PAIRS)
def test_a_pair_stands_as_a_person_would_say(old: str, new: str, relation: str) -> None:
    assert compare(read(old), read(new)) is Relation(relation)


@pytest.mark.parametrize("relation", Relation)
def test_each_relation_is_right_where_it_is_given_and_given_where_it_is_right(
    relation: Relation,
) -> None:
    wanted = {pair for pair in PAIRS if pair[2] == relation}
    given_for = {pair for pair in PAIRS if compare(read(pair[0]), read(pair[1])) is relation}
    assert wanted
    assert len(wanted & given_for) / len(given_for) >= 0.98, "precision"
    assert len(wanted & given_for) / len(wanted) >= 0.95, "recall"


def test_there_are_enough_pairs_and_none_twice() -> None:
    assert len({pair[:2] for pair in PAIRS}) == len(PAIRS) >= 80
    assert sum(pair[2] not in ACTS for pair in PAIRS) >= 40


@pytest.mark.parametrize(
    ("before", "after", "relations"),
    [
        ("I live in Lisbon.", "I just moved to Porto!", ["replaces"]),
        ("I live in Lisbon.", "I don't live in Lisbon any more.", ["retracts"]),
        (
            "I live in Lisbon.",
            "Actually, I live in Porto, not Lisbon.",
            ["replaces", "contradicts"],
        ),
        ("I lived in Rome in 2010.", "I lived in Oslo in 2015.", ["compatible"]),
        ("I work at Acme.", "I left Acme.", ["retracts"]),
        ("I work at Acme.", "I joined Initech.", ["replaces"]),
        ("I play the piano.", "I play the guitar.", ["compatible"]),
        ("I like tea.", "I hate tea.", ["contradicts"]),
        ("I hate tea.", "I don't hate tea any more.", ["retracts"]),
        ("I drink coffee.", "I only drink coffee at weekends.", ["narrows"]),
        ("I like cheese.", "I like cheese except blue cheese.", ["narrows"]),
        ("My favorite color is blue.", "Green is my favourite colour.", ["replaces"]),
        ("The meeting is at 3pm.", "The meeting was moved to 15:30.", ["replaces"]),
        ("The meeting is at 3pm.", "The meeting is on Friday at 15:00.", ["unrelated", "same"]),
        ("The rent is 900 euros.", "The rent is now €950.", ["replaces"]),
        ("My phone is +351 912 345 678.", "My number is 912345678.", ["same"]),
        ("My sister lives in Rome.", "My brother lives in Oslo.", ["unrelated"]),
        ("Ana lives in Rome.", "Anna lives in Oslo.", ["unrelated"]),
    ],
)
def test_what_was_found_can_be_compared(before: str, after: str, relations: list[str]) -> None:
    (old,) = find_facts(before, speaker="Tom")
    assert [compare(old, new) for new in find_facts(after, speaker="Tom")] == relations


TEXTS = st.one_of(
    st.text(min_size=1, max_size=20).filter(str.strip),
    st.sampled_from(["Lisbon", "Lisbon, Portugal", "3pm", "15:00", "€900", "May 5", "tea", "York"]),
)
BOUNDS = st.sampled_from([(None, None), ("2019", None), (None, "2019"), ("2015", "2019-05")])
FACTS = st.builds(
    lambda subject, value, many, negated, shape, bounds: Fact(
        subject, "lives_in", value, many, negated, shape, *bounds
    ),
    st.sampled_from(["ana", "anna"]),
    TEXTS,
    st.booleans(),
    st.booleans(),
    st.sampled_from(Shape),
    BOUNDS,
)


@given(FACTS)
def test_a_fact_is_the_same_as_itself(fact: Fact) -> None:
    if fact.shape is not Shape.RETRACTION or fact.until is None:
        assert compare(fact, fact) is Relation.SAME


@given(FACTS, FACTS)
def test_two_people_and_two_attributes_are_never_compared(one: Fact, other: Fact) -> None:
    unrelated = one.subject != other.subject
    assert (compare(one, other) is Relation.UNRELATED) == unrelated
    assert compare(one, replace(one, attribute="works_at")) is Relation.UNRELATED


@given(FACTS, FACTS)
def test_what_has_an_end_never_ends_what_has_no_date(old: Fact, new: Fact) -> None:
    present = replace(old, since=None, until=None, shape=Shape.ASSERTION, subject=new.subject)
    past = replace(new, since=None, until="2019", shape=Shape.BOUNDED)
    assert compare(present, past) not in ACTS


@given(FACTS, FACTS)
def test_many_values_of_one_side_never_replace_each_other(old: Fact, new: Fact) -> None:
    held = replace(old, many=True, negated=False, shape=Shape.ASSERTION, subject=new.subject)
    added = replace(new, many=True, negated=False, shape=Shape.ASSERTION)
    if not {"over", "to"} & {*held.value.split(), *added.value.split()}:
        assert compare(held, added) not in ACTS
