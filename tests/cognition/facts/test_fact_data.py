"""The data that facts are read with."""

from __future__ import annotations

import copy
from dataclasses import fields
from importlib.resources import files
from typing import Any

import pytest

from mnemic.cognition.facts import Attribute, attribute, find_facts
from mnemic.cognition.facts.attributes import table
from mnemic.cognition.facts.patterns import PATTERNS
from mnemic.cognition.facts.values import READERS
from mnemic.cognition.facts.words import Words, data, read_words
from mnemic.model.fact import Fact, checked_fact
from tests.cognition.facts.said import SAID, read

README = (files("mnemic.cognition.facts") / "data" / "README.md").read_text("utf-8")
ENTRIES: dict[str, dict[str, Any]] = data()["attributes"]
KEYS = {
    "many",
    "kinds",
    "verbs",
    "against",
    "states",
    "began",
    "ended",
    "reached",
    "joined",
    "left",
    "sold",
    "nouns",
    "is",
    "things",
    "had",
    "heads",
    "opposite",
    "we",
}


def test_there_are_at_least_25_attributes() -> None:
    assert len(ENTRIES) >= 25


@pytest.mark.parametrize("name", ENTRIES)
def test_an_attribute_is_one_that_a_caller_could_name(name: str) -> None:
    assert checked_fact(Fact("ana", name, "x", many=False)).attribute == name
    assert attribute(name).name == name
    assert ENTRIES[name].keys() <= KEYS
    kinds = {*ENTRIES[name]["kinds"].split(), *ENTRIES[name].get("is", "").split()}
    assert kinds <= PATTERNS.keys() | READERS.keys()


def test_every_key_of_an_attribute_is_used_somewhere() -> None:
    assert {key for entry in ENTRIES.values() for key in entry} == KEYS


def test_every_kind_of_value_is_used_somewhere() -> None:
    used = {kind for entry in ENTRIES.values() for kind in entry["kinds"].split()}
    used |= {kind for entry in ENTRIES.values() for kind in entry.get("is", "").split()}
    used |= {
        kind for uses in table().verbs.values() for use in uses for kind in use.attribute.kinds
    }
    assert used | {"favourite"} == PATTERNS.keys() | READERS.keys()


def test_an_attribute_without_data_holds_one_value() -> None:
    assert attribute("seat") == Attribute("seat", many=False)
    assert attribute("favourite_colour").many is False
    assert attribute("speaks").many is True
    assert attribute("lives_in").many is False


@pytest.mark.parametrize(
    "name", sorted({read(line).attribute for _, lines in SAID for line in lines})
)
def test_what_is_found_holds_as_many_values_as_its_attribute(name: str) -> None:
    found = [fact for text, _ in SAID for fact in find_facts(text, speaker="Ana")]
    assert {fact.many for fact in found if fact.attribute == name} == {attribute(name).many}


def test_the_readme_tells_of_every_list_and_every_key() -> None:
    for name in (*KEYS, *(field.name for field in fields(Words))):
        assert f"`{name}`" in README or f"## `{name}`" in README, name


@pytest.mark.parametrize("kind", ["sets", "maps", "phrases"])
def test_a_list_that_nothing_reads_is_refused(kind: str) -> None:
    changed: dict[str, Any] = copy.deepcopy(dict(data()))
    read_words(changed)
    changed[kind]["nonsense"] = "a b"
    with pytest.raises(ValueError, match="nonsense"):
        read_words(changed)


def test_a_list_that_is_missing_is_told() -> None:
    changed: dict[str, Any] = copy.deepcopy(dict(data()))
    del changed["sets"]["guards"]
    with pytest.raises(ValueError, match="guards"):
        read_words(changed)


def test_a_word_stands_once_in_its_list() -> None:
    for name, line in data()["sets"].items():
        assert len(set(line.split())) == len(line.split()), name
