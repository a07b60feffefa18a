"""Instants: nothing is invented, what cannot be read back is refused."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.errors import InvalidInput
from mnemic.model.times import Validity, from_ms, maybe_from_ms, parse_time, to_ms, zone

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "timezone_name", "expected"),
    [
        (NOON, None, NOON),
        (NOON.astimezone(timezone(timedelta(hours=5))), None, NOON),
        ("2026-06-01T12:00:00Z", None, NOON),
        ("2026-06-01T14:00:00+02:00", None, NOON),
        (" 2026-06-01T12:00:00+00:00 ", None, NOON),
        ("2026-06-01", None, NOON.replace(hour=0)),
        (date(2026, 6, 1), None, NOON.replace(hour=0)),
        # Lisbon is an hour ahead of UTC in June, and none in January.
        (date(2026, 6, 1), "Europe/Lisbon", NOON.replace(hour=0) - timedelta(hours=1)),
        ("2026-06-01T13:00:00", "Europe/Lisbon", NOON),
        (datetime(2026, 1, 1, 12), "Europe/Lisbon", datetime(2026, 1, 1, 12, tzinfo=UTC)),  # noqa: DTZ001
        # An offset that is given wins over the setting.
        ("2026-06-01T14:00:00+02:00", "Asia/Tokyo", NOON),
        ("9999-12-31", None, datetime(9999, 12, 31, tzinfo=UTC)),
        ("1850-03-02T01:00:00Z", None, datetime(1850, 3, 2, 1, tzinfo=UTC)),
    ],
)
def test_what_an_instant_may_be_given_as(
    value: Any, timezone_name: str | None, expected: datetime
) -> None:
    ms = parse_time("time", value, timezone_name)
    assert ms is not None
    assert from_ms(ms) == expected


def test_none_stays_open() -> None:
    assert parse_time("valid_to", None, None) is None
    assert maybe_from_ms(None) is None


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (datetime(2026, 6, 1, 12), "2026-06-01T12:00:00.*no time zone.*'timezone'"),  # noqa: DTZ001
        ("2026-06-01T12:00:00", "2026-06-01T12:00:00.*no time zone"),
        ("yesterday", "'yesterday' is no ISO 8601"),
        ("", "'' is no ISO 8601"),
        ("2026-02-30", "'2026-02-30' is no ISO 8601"),
        ("2026-06-01T25:00:00Z", "is no ISO 8601"),
        ("\ud800", "is no ISO 8601"),
        (1_780_000_000, "not int 1780000000"),
        (12.5, "not float 12.5"),
        (("2026", 6), "not tuple"),
        ("9999-12-31T23:59:59-12:00", "outside the calendar"),
        ("0001-01-01T00:00:00+12:00", "outside the calendar"),
    ],
)
def test_what_is_no_instant_is_refused_by_name_and_value(value: Any, says: str) -> None:
    with pytest.raises(InvalidInput, match=f"valid_from .*{says}"):
        parse_time("valid_from", value, None)


def test_an_instant_that_cannot_be_spelled_in_the_settings_zone_is_refused() -> None:
    late = "9999-12-31T23:00:00Z"
    assert parse_time("time", late, None) is not None
    with pytest.raises(InvalidInput, match="outside the calendar"):
        parse_time("time", late, "Asia/Tokyo")


@given(
    st.datetimes(
        datetime(1, 1, 2),  # noqa: DTZ001
        datetime(9999, 12, 30),  # noqa: DTZ001
        timezones=st.sampled_from([UTC, zone("Asia/Tokyo"), zone("America/New_York")]),
    )
)
def test_an_instant_is_kept_to_the_millisecond(moment: datetime) -> None:
    ms = parse_time("time", moment, None)
    assert ms is not None
    assert timedelta(0) <= moment - from_ms(ms) < timedelta(milliseconds=1)
    assert to_ms(from_ms(ms)) == ms


@pytest.mark.parametrize("name", ["Mars/Olympus", "", "../etc/passwd", "Europe", "a\0b", "UTC+2"])
def test_a_zone_that_is_none_is_refused_by_name(name: str) -> None:
    assert str(zone("Europe/Lisbon")) == "Europe/Lisbon"
    with pytest.raises(InvalidInput, match=r"timezone .* is unknown"):
        zone(name)


def test_an_end_before_its_start_is_refused_with_both() -> None:
    start, end = to_ms(NOON), to_ms(NOON - timedelta(days=1))
    for good in ((start, start), (None, end), (start, None), (None, None)):
        assert (Validity(*good).start, Validity(*good).end) == good
    with pytest.raises(InvalidInput, match=r"valid_to 2026-05-31.*before valid_from 2026-06-01"):
        Validity(start, end)
