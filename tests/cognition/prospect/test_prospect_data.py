"""The words in which times are told, and those by which something is asked for."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import fields
from importlib.resources import files
from typing import Any

import pytest

from mnemic.cognition.prospect import find_when
from mnemic.cognition.prospect.asking import Asking, read_asking
from mnemic.cognition.prospect.days import DAYS
from mnemic.cognition.prospect.reading import CLOCKS, NO_TIME, PARTS, PAST, RULES, ZONES
from mnemic.cognition.prospect.words import KEYS, LANGUAGES, fold, folded, languages, read_language
from tests.cognition.prospect.said import LISBON, NOON

DATA = files("mnemic.cognition.prospect") / "data"
README = (DATA / "README.md").read_text("utf-8")
KINDS = DAYS | CLOCKS | PARTS | RULES | ZONES | {NO_TIME, PAST}
NEEDED = {
    "date": {"month"},
    "month": {"month", "year"},
    "monthday": set(),
    "numericdate": {"day", "second"},
    "feast": {"feast"},
    "dayname": {"dayname"},
    "todaypart": {"part"},
    "period": {"unit"},
    "endof": {"unit"},
    "in": {"unit"},
    "infrom": {"count", "unit"},
    "clock": {"hour"},
    "range": {"hour", "half", "to"},
    "clockword": {"clockword"},
    "pasthour": {"minute", "hour"},
    "tohour": {"minute", "hour"},
    "part": {"part"},
    "zone": {"zone"},
    "eachunit": {"unit"},
    "eachpart": {"part"},
    "eachmonthday": {"days"},
    "eachnth": {"ordinal", "weekday"},
    "eachdate": {"month", "day"},
    "adverb": {"adverb"},
}
SECOND = {"count2", "unit2"}


def read(code: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((DATA / f"{code}.json").read_text("utf-8"))
    return data


def groups() -> Iterator[tuple[str, str, frozenset[str]]]:
    for language in languages():
        for pattern in language.patterns:
            yield language.code, pattern.kind, frozenset(pattern.finds.groupindex)


def test_an_unknown_key_is_refused() -> None:
    data, common = read("en"), read("any")
    assert read_language("en", data, common).code == "en"
    with pytest.raises(ValueError, match="colours"):
        read_language("en", {**data, "colours": {}}, common)
    with pytest.raises(ValueError, match="colours"):
        read_asking({"colours": "red"})


def test_a_pattern_with_an_unknown_name_is_refused() -> None:
    data = read("en")
    data["patterns"]["clock"].append("at <colour>")
    with pytest.raises(ValueError, match="<colour> stands for no list"):
        read_language("en", data, read("any"))


@pytest.mark.parametrize("code", [*LANGUAGES, "any"])
def test_each_kind_of_pattern_is_read(code: str) -> None:
    data = read(code)
    assert set(data["patterns"]) | set(data["weak"]) <= KINDS


def test_each_pattern_finds_what_its_kind_reads() -> None:
    for code, kind, found in groups():
        assert NEEDED.get(kind, set()) <= found, (code, kind)


def test_no_pattern_tells_a_thing_twice_that_is_read_once() -> None:
    for code, kind, found in groups():
        assert {name for name in found if name.endswith("2")} <= SECOND, (code, kind)


def test_a_day_of_the_month_is_always_told() -> None:
    for code, kind, found in groups():
        if kind in ("date", "monthday"):
            assert found & {"day", "ordinal"}, (code, kind)
        if kind in ("weekday", "nextweekday", "weekdayweek"):
            assert found & {"weekday", "shortday"}, (code, kind)
        if kind == "eachweekday":
            assert found & {"weekdays", "plurals", "weekday", "shortday"}, (code, kind)


def test_all_lists_and_kinds_are_explained() -> None:
    explained = set(re.findall(r"`(\w+)`", README))
    assert explained >= KEYS
    assert explained >= KINDS


def test_the_words_of_a_list_mean_what_is_read() -> None:
    units = {unit for code in LANGUAGES for unit in read(code)["units"].values()}
    assert units <= {
        *("seconds", "minutes", "quarterhours", "hours", "days", "weeks"),
        *("fortnights", "months", "quarters", "years"),
    }
    parts = {part for code in LANGUAGES for part in read(code)["parts"].values()}
    assert parts <= {"morning", "noon", "afternoon", "evening", "night"}


@pytest.mark.parametrize("code", LANGUAGES)
def test_each_month_and_weekday_has_a_word(code: str) -> None:
    data = read(code)
    assert set(data["months"].values()) == set(range(1, 13))
    assert set(data["weekdays"].values()) == set(range(7))
    assert set(data["plurals"].values()) == set(range(7))


def test_a_folded_text_knows_where_its_letters_stood() -> None:
    text = "Às 9, mañan\u0303a ﬁn İ’"
    read_text = folded(text)
    assert read_text.text.startswith("as 9, manana")
    start = read_text.text.index("manana")
    assert text[slice(*read_text.span(start, start + 6))] == "mañan\u0303a"
    assert fold("ÉCOLE’S") == "ecole's"
    assert len(read_text.places) == len(read_text.text)


def test_every_list_of_asking_is_used_by_some_language() -> None:
    used: set[str] = set()
    for code in LANGUAGES:
        used |= json.loads((DATA / "notice" / f"{code}.json").read_text("utf-8")).keys()
    assert used == {field.name for field in fields(Asking)}


@pytest.mark.parametrize(
    "text",
    ["monday " * 285, " " * 2_000, "1" * 2_000, "the 1st and " * 160, "12:30 " * 333, "a, " * 600],
)
def test_no_text_takes_long(text: str) -> None:
    import time

    find_when("tomorrow", NOON, LISBON)  # the words are read once
    began = time.process_time()
    find_when(text, NOON, LISBON)
    assert time.process_time() - began < 1
