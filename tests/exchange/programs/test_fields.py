"""Values out of records of any shape: instants, names, ids, and lines that cannot be read."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.exchange.common import MAX_LINE_BYTES, Item
from mnemic.exchange.programs.fields import (
    at,
    changed,
    instant,
    list_at,
    local,
    project_of,
    text_at,
)
from mnemic.exchange.programs.found import Found, Kind
from mnemic.exchange.programs.lines import records
from mnemic.exchange.programs.reading import UNFORESEEN, Run, read_found
from mnemic.exchange.programs.turns import clean_id
from mnemic.model.scope import checked_id
from tests.exchange.programs.made import errors, lines, whole

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "value",
    [
        "2026-03-01T12:00:00Z",
        "2026-03-01T13:00:00.000+01:00",
        " 2026-03-01 12:00 ",
        NOON.timestamp(),
        int(NOON.timestamp()),
        NOON.timestamp() * 1_000,
    ],
)
def test_an_instant_in_any_spelling(value: Any) -> None:
    assert instant(value) == NOON


@pytest.mark.parametrize("value", [None, True, 0, -5, 1e308, float("nan"), "", "noon", [], {}])
def test_what_is_no_instant(value: Any) -> None:
    assert instant(value) is None


def test_a_zone_is_for_times_that_name_none() -> None:
    tokyo = ZoneInfo("Asia/Tokyo")
    assert instant("2026-03-01T21:00:00", tokyo) == local("2026-03-01 21:00:00", tokyo) == NOON
    assert instant("2026-03-01T12:00:00Z", tokyo) == NOON
    here = local("2026-03-01 12:00:00", None)
    assert here is not None
    assert abs(here - NOON) <= timedelta(hours=14)
    assert local("noon", None) is None


def test_values_are_taken_where_they_are() -> None:
    record = {"a": {"b": [1], "c": "x", "d": " "}}
    assert (at(record, "a", "c"), at(record, "a", "c", "d"), at([], "a")) == ("x", None, None)
    assert (text_at(record, "a", "c"), text_at(record, "a", "d"), text_at(record, "a", "b")) == (
        "x",
        None,
        None,
    )
    assert (list_at(record, "a", "b"), list_at(record, "a", "c")) == ([1], [])


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("/home/ann/boat", "boat"),
        ("/home/ann/boat/", "boat"),
        ("C:\\work\\boat", "boat"),
        ("file:///home/ann/boat", "boat"),
        ("boat", "boat"),
        ("/", None),
        ("", None),
        (7, None),
    ],
)
def test_the_name_of_a_project(folder: Any, name: str | None) -> None:
    assert project_of(folder) == name


def test_when_a_file_was_written(tmp_path: Path) -> None:
    assert changed(whole(tmp_path / "a", "x")) is not None
    assert changed(tmp_path / "gone") is None


@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=400))
def test_any_name_makes_an_id(name: str) -> None:
    assert checked_id("thread", clean_id(name)) == clean_id(name)


def test_long_names_stay_apart() -> None:
    assert clean_id("s1") == "s1"
    assert clean_id("x" * 400 + "1") != clean_id("x" * 400 + "2")


def test_lines_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    deep = '{"a": ' + "[" * 100_000
    file = lines(tmp_path / "a.jsonl", {"a": 1}, deep, "x" * (MAX_LINE_BYTES + 1), {"a": 2})
    found = list(records(file))
    assert [one[1] for one in found if not isinstance(one, Item)] == [{"a": 1}, {"a": 2}]
    told = errors([one for one in found if isinstance(one, Item)])
    assert ["not readable as JSON" in told[0], "is longer than" in told[1]] == [True, True]


def test_a_shape_that_was_not_foreseen_costs_one_file(tmp_path: Path) -> None:
    found = Found(whole(tmp_path / "a.jsonl", "x"), Kind.SESSION)

    def reader(found: Found, run: Run) -> Iterator[Item]:
        yield Item("line 1", error="told before")
        raise KeyError("role")

    told = errors(read_found("codex", found, {Kind.SESSION: reader}, None, None))
    assert told[0] == "line 1: told before"
    assert told[1] == f"{found.path}: {UNFORESEEN}: KeyError: 'role'"
