"""Each setting of the mind moves what it should and nothing else; presets give their constants."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import pytest

from mnemic import Settings
from mnemic.cognition.encoding import AGENTOS as AGENTOS_ENCODING
from mnemic.cognition.rules import rules_of
from mnemic.errors import InvalidInput
from mnemic.mind_settings import AGENTOS
from tests.settings.brains import Open
from tests.settings.conftest import See
from tests.settings.mind import MIND, Row
from tests.settings.names import configured, fields, value_of, variable

BY_OBSERVER = {(row.observe, repr(row.base)): row for row in MIND.values()}
"""One row for each observer and the settings that it begins with."""


@pytest.mark.parametrize("row", BY_OBSERVER.values(), ids=lambda row: row.observe.__name__)
def test_the_same_settings_do_the_same(
    see: See, opened_with: Callable[[Settings], Open], row: Row
) -> None:
    """What is observed below is no accident."""
    settings = Settings(**row.base)
    assert see(row.observe, settings) == row.observe(opened_with(settings))


@pytest.mark.parametrize("name", MIND)
def test_changing_it_moves_what_it_should(see: See, name: str) -> None:
    row = MIND[name]
    usual, changed = Settings(**row.base), configured(name, row.value, row.base)
    assert value_of(usual, name) != value_of(changed, name)
    one, other = see(row.observe, usual), see(row.observe, changed)
    assert row.moves
    assert {part for part in one if one[part] != other[part]} == row.moves


SWITCHES = [name for name in MIND if name.count(".") == 2 and name.endswith(".enabled")]


@pytest.mark.parametrize("name", SWITCHES)
def test_without_a_mind_no_mechanism_works(see: See, name: str) -> None:
    row = MIND[name]
    switched_on = configured(name, True, row.base).model_dump(exclude_unset=True)
    off = see(row.observe, configured(name, False, row.base))
    none = see(row.observe, configured("mind.enabled", False, switched_on))
    assert {part: none[part] for part in row.moves} == {part: off[part] for part in row.moves}


# --- presets ---------------------------------------------------------------------------------

PRESET = {
    f"mind.{group}.{name}": value for group, own in AGENTOS.items() for name, value in own.items()
}
OF_MIND = [name for name in fields() if name.startswith("mind.")]


def test_the_preset_gives_the_constants_of_agentos() -> None:
    usual, preset = Settings(), Settings(mind={"preset": "agentos"})
    expected = {name: PRESET.get(name, value_of(usual, name)) for name in OF_MIND}
    expected["mind.preset"] = "agentos"
    assert {name: value_of(preset, name) for name in OF_MIND} == expected
    assert usual.model_dump(exclude={"mind"}) == preset.model_dump(exclude={"mind"})
    # A constant that is the same anyway need not stand in the preset.
    assert [name for name in PRESET if value_of(usual, name) == value_of(preset, name)] == []


def test_with_them_texts_are_encoded_as_agentos_does() -> None:
    found = rules_of(Settings(mind={"preset": "agentos"}).mind).encoding
    assert asdict(found) == pytest.approx(asdict(AGENTOS_ENCODING))
    assert asdict(rules_of(Settings().mind).encoding) != pytest.approx(asdict(AGENTOS_ENCODING))


@pytest.mark.parametrize("name", PRESET)
def test_a_value_given_beside_the_preset_wins(name: str) -> None:
    usual = value_of(Settings(), name)
    settings = configured(name, usual, {"mind": {"preset": "agentos"}})
    others = {other: value for other, value in PRESET.items() if other != name}
    assert value_of(settings, name) == usual != PRESET[name]
    assert {other: value_of(settings, other) for other in others} == others


@pytest.mark.parametrize("from_environment", [{"preset"}, {"gain"}, {"preset", "gain"}])
def test_preset_and_values_may_come_from_the_environment(
    monkeypatch: pytest.MonkeyPatch, from_environment: set[str]
) -> None:
    names = {"preset": "mind.preset", "gain": "mind.decay.gain"}
    values = {"preset": "agentos", "gain": 0.2}
    for which in from_environment:
        monkeypatch.setenv(variable(names[which]), str(values[which]))
    keywords: dict[str, Any] = {"preset": {"preset": "agentos"}, "gain": {"decay": {"gain": 0.2}}}
    given = [keywords[which] for which in keywords.keys() - from_environment]
    settings = Settings(mind={name: value for one in given for name, value in one.items()})
    assert (settings.mind.preset, settings.mind.decay.gain) == ("agentos", 0.2)
    assert {name: value_of(settings, name) for name in PRESET} == PRESET


def test_in_the_environment_too_a_value_beside_the_preset_wins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(variable("mind.preset"), "agentos")
    monkeypatch.setenv(variable("mind.decay.interval_hours"), "5")
    settings = Settings()
    assert settings.mind.decay.interval_hours == 5
    assert settings.mind.appraisal.base_stability_hours == 1


def test_an_unknown_preset_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"'mind\.preset' with value 'other'"):
        Settings(mind={"preset": "other"})
