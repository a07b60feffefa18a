"""The comparable form of a name, and the names that facts are about."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mnemic.cognition.entities import Named, entity_key, named_in_facts
from mnemic.cognition.facts import find_facts
from mnemic.model.fact import Fact
from mnemic.model.graph import EntityKind


@pytest.mark.parametrize(
    "same",
    [
        ("Marta Ruiz", "marta  ruiz", "MARTA RUIZ", "Marta Ruiz's", "Marta\u00a0Ruiz"),
        ("Netherlands", "the Netherlands", "The Netherlands"),
        ("José", "Jose\u0301", "JOSÉ"),
        ("O'Brien", "o'brien", "O’Brien".replace("’", "'")),
        ("Straße", "STRASSE", "strasse"),
        ("Lisbon", "Lisbon.", '"Lisbon"', "(Lisbon)", "Lis\u200bbon", "Ｌｉｓｂｏｎ"),
        ("Université", "l'Université", "L’Université"),
        ("The", "the"),
    ],
)
def test_spellings_of_one_name(same: tuple[str, ...]) -> None:
    assert len({entity_key(label) for label in same}) == 1


def test_names_are_not_guessed_at() -> None:
    different = ["Ana", "Anna", "Ann", "José", "Jose", "@ana", "#ana", "Ana Ruiz", "C", "C++", "C#"]
    assert len({entity_key(label) for label in different}) == len(different)


@pytest.mark.parametrize("nothing", ["", " ", "...", "\u200b", '""'])
def test_nothing_to_see_has_no_key(nothing: str) -> None:
    assert entity_key("Marta")
    assert entity_key(nothing) == ""


@given(st.text(max_size=40))
@example("a\u03d4\u0301b")  # folded, it can be folded once more
def test_the_key_of_a_key_is_the_same(label: str) -> None:
    key = entity_key(label)
    assert entity_key(key) == key


@given(st.from_regex(r"(the |a |l')*[A-Za-z .,'’]{0,12}('s|’s|s')*", fullmatch=True))
def test_the_key_of_a_key_is_the_same_for_what_is_taken_off(label: str) -> None:
    key = entity_key(label)
    assert entity_key(key) == key


def test_names_that_facts_are_about() -> None:
    facts = find_facts("I live in Lisbon. I work at Northwind. I am 32.", speaker="Ana Ruiz")
    assert len(facts) == 3
    assert named_in_facts(facts, "Ana Ruiz") == (
        Named("Ana Ruiz", EntityKind.PERSON, 0),
        Named("Lisbon", EntityKind.PLACE, 0),
        Named("Northwind", EntityKind.ORGANIZATION, 0),
    )


def test_a_subject_without_a_name_is_left_out() -> None:
    told = find_facts("I live in Lisbon.", speaker=None)
    assert named_in_facts(told, None) == (Named("Lisbon", EntityKind.PLACE, 0),)
    sister = Fact("ana's sister", "lives_in", "Porto", False)
    assert named_in_facts([sister], "Ana") == (Named("Porto", EntityKind.PLACE, 0),)
    denied = Fact("marta", "lives_in", "Porto", False, negated=True)
    assert named_in_facts([denied], "Ana") == (Named("marta", EntityKind.PERSON, 0),)
