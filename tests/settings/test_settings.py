"""Every setting is read, and changing it changes what happens."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from mnemic import Settings
from tests.settings.answers import talk
from tests.settings.brains import Open
from tests.settings.conftest import See
from tests.settings.mind import MIND
from tests.settings.names import configured, fields, value_of, variable
from tests.settings.roads import near_ones, piped, waiting
from tests.settings.table import TABLE, WEIGHTS

SOURCE = Path(__file__).parents[2] / "src" / "mnemic"

VALUES: dict[str, object] = {
    **{name: value for name, (value, _, _) in TABLE.items()},
    **{f"retrieval.{name}": value for name, (value, _) in WEIGHTS.items()},
    **{name: row.value for name, row in MIND.items()},
}
"""Another value for each setting."""


def test_no_setting_is_left_out_here() -> None:
    assert VALUES.keys() == set(fields())
    assert len(VALUES) == len(TABLE) + len(WEIGHTS) + len(MIND)


# --- that each is read -----------------------------------------------------------------------


def attributes(code: str) -> set[str]:
    """The attributes that a piece of code reads."""
    return {
        node.attr
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)
    }


def unread(names: Iterator[str], code: list[str]) -> list[str]:
    read = set().union(*map(attributes, code))
    return [name for name in names if name.rpartition(".")[2] not in read]


def test_a_setting_that_nothing_reads_is_seen() -> None:
    names = ["retrieval.k1", "retrieval.colour", "mind.decay.gain", "mind.decay.taste"]
    code = ["x = settings.k1 + mind.decay.gain", "settings.colour = 1"]
    assert unread(iter(names), code) == ["retrieval.colour", "mind.decay.taste"]


def test_every_setting_is_read() -> None:
    # In settings.py a field is a name; an attribute there is a setting that a method reads.
    files = list(SOURCE.rglob("*.py"))
    assert len(list(fields())) > 150
    # The preset is read by its name, before the rest has values (mind_settings.py).
    assert unread(fields(), [path.read_text("utf-8") for path in files]) == ["mind.preset"]


# --- that each changes something -------------------------------------------------------------


def test_the_same_settings_do_the_same(see: See, opened_with: Callable[[Settings], Open]) -> None:
    """What is observed below is no accident."""
    usual, observers = Settings(), {talk, *(observer for _, observer, _ in TABLE.values())}
    for observe in observers - {near_ones, waiting, piped}:
        assert see(observe, usual) == observe(opened_with(usual))


@pytest.mark.parametrize("name", TABLE)
def test_changing_it_changes_what_happens(see: See, name: str) -> None:
    value, observe, base = TABLE[name]
    usual, changed = Settings(**base), configured(name, value, base)
    assert value_of(usual, name) != value_of(changed, name)
    assert see(observe, usual) != see(observe, changed)


@pytest.mark.parametrize("name", WEIGHTS)
def test_changing_a_weight_moves_the_answers_that_it_should(see: See, name: str) -> None:
    value, moved = WEIGHTS[name]
    usual = see(talk, Settings())
    other = see(talk, configured(f"retrieval.{name}", value))
    assert all(usual.values())
    assert {question for question in usual if usual[question] != other[question]} == moved


# --- that each can be set, and says what it is -----------------------------------------------


@pytest.mark.parametrize("name", list(fields()))
def test_it_can_be_set_by_the_environment(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    value = VALUES[name]
    changed = value_of(configured(name, value), name)
    assert value_of(Settings(), name) != changed
    written = json.dumps(value) if isinstance(value, list | dict) else str(value)
    monkeypatch.setenv(variable(name), written)
    assert value_of(Settings(), name) == changed


@pytest.mark.parametrize("name", list(fields()))
def test_it_says_what_it_is(name: str) -> None:
    *groups, last = name.split(".")
    model: Any = Settings
    for group in groups:
        model = model.model_fields[group].annotation
    assert model.model_fields[last].description
