"""What comes again: the next instant, by the wall; and the rules that are refused."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.cognition.prospect import checked_rule, next_after
from mnemic.errors import InvalidInput

LISBON = ZoneInfo("Europe/Lisbon")
START = datetime(2026, 11, 30, 9, tzinfo=LISBON)


def following(rule: str, start: datetime, after: datetime, count: int) -> list[str]:
    found = []
    for _ in range(count):
        moment = next_after(rule, start, after, LISBON)
        assert moment is not None
        found.append(f"{moment:%Y-%m-%d %H:%M}")
        after = moment
    return found


@pytest.mark.parametrize(
    ("rule", "answers"),
    [
        ("FREQ=WEEKLY;BYDAY=MO", ["2026-12-07 09:00", "2026-12-14 09:00"]),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=FR", ["2026-12-04 09:00", "2026-12-18 09:00"]),
        ("FREQ=DAILY;BYHOUR=8,20;BYMINUTE=30", ["2026-11-30 20:30", "2026-12-01 08:30"]),
        ("FREQ=MONTHLY;BYMONTHDAY=31", ["2026-12-31 09:00", "2027-01-31 09:00"]),
        ("FREQ=MONTHLY;BYDAY=-1FR", ["2026-12-25 09:00", "2027-01-29 09:00"]),
        (
            "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1",
            ["2026-12-31 09:00", "2027-01-31 09:00", "2027-02-28 09:00"],
        ),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", ["2028-02-29 09:00", "2032-02-29 09:00"]),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=SU", ["2032-02-29 09:00"]),
        ("FREQ=HOURLY;INTERVAL=4", ["2026-11-30 13:00", "2026-11-30 17:00"]),
        ("FREQ=MINUTELY;INTERVAL=20", ["2026-11-30 09:20", "2026-11-30 09:40"]),
    ],
)
def test_the_next_ones_follow(rule: str, answers: list[str]) -> None:
    assert following(rule, START, START, len(answers)) == answers


def test_the_first_one_is_the_start() -> None:
    before = START - timedelta(days=30)
    assert next_after("FREQ=WEEKLY;BYDAY=MO", START, before, LISBON) == START
    assert next_after("FREQ=HOURLY", START, before, LISBON) == START


def test_nine_stays_nine_when_the_clocks_change() -> None:
    saturday = datetime(2027, 3, 27, 9, tzinfo=LISBON)
    assert following("FREQ=DAILY", saturday, saturday, 2) == [
        "2027-03-28 09:00",
        "2027-03-29 09:00",
    ]
    found = next_after("FREQ=DAILY", saturday, saturday, LISBON)
    assert found is not None
    assert found.astimezone(UTC) - saturday.astimezone(UTC) == timedelta(hours=23)


def test_an_hour_left_out_is_moved_and_comes_back() -> None:
    start = datetime(2027, 3, 27, 1, 30, tzinfo=LISBON)
    assert following("FREQ=DAILY", start, start, 2) == ["2027-03-28 02:30", "2027-03-29 01:30"]


def test_an_hour_that_comes_twice_fires_once() -> None:
    start = datetime(2026, 10, 24, 1, 30, tzinfo=LISBON)
    found = next_after("FREQ=DAILY", start, start, LISBON)
    assert found is not None
    assert found.astimezone(UTC) == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert following("FREQ=DAILY", start, found, 1) == ["2026-10-26 01:30"]


def test_hours_are_elapsed_time() -> None:
    start = datetime(2026, 10, 25, 0, 0, tzinfo=LISBON)
    assert following("FREQ=HOURLY;INTERVAL=3", start, start, 1) == ["2026-10-25 02:00"]


@pytest.mark.parametrize(
    ("rule", "last"),
    [
        ("FREQ=DAILY;COUNT=3", "2026-12-02 09:00"),
        ("FREQ=HOURLY;COUNT=3", "2026-11-30 11:00"),
        ("FREQ=DAILY;UNTIL=20261202", "2026-12-02 09:00"),
        ("FREQ=DAILY;UNTIL=20261202T090000", "2026-12-02 09:00"),
        ("FREQ=DAILY;UNTIL=20261202T085959", "2026-12-01 09:00"),
        ("FREQ=DAILY;UNTIL=20261202T090000Z", "2026-12-02 09:00"),
        ("FREQ=HOURLY;INTERVAL=12;UNTIL=20261130", "2026-11-30 21:00"),
    ],
)
def test_a_rule_ends(rule: str, last: str) -> None:
    found, after = None, START - timedelta(minutes=1)
    while (moment := next_after(rule, START, after, LISBON)) is not None:
        found = after = moment
    assert f"{found:%Y-%m-%d %H:%M}" == last


def test_an_end_in_utc_is_one_instant_in_every_zone() -> None:
    new_york = ZoneInfo("America/New_York")
    start = datetime(2026, 11, 30, 9, tzinfo=new_york)
    rule = "FREQ=DAILY;UNTIL=20261201T{}Z"
    assert next_after(rule.format("140000"), start, start, new_york) is not None
    assert next_after(rule.format("135959"), start, start, new_york) is None


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=WEEKLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=30",
        "FREQ=DAILY;INTERVAL=7;BYDAY=TU",
    ],
)
def test_a_day_that_never_comes_is_soon_known(rule: str) -> None:
    began = time.process_time()
    assert next_after(rule, START, START, LISBON) is None
    # The library alone looks for up to three seconds on this machine.
    assert time.process_time() - began < 0.6


def test_the_end_of_the_calendar_ends_a_rule() -> None:
    late = datetime(9990, 1, 1, 9, tzinfo=UTC)
    assert next_after("FREQ=YEARLY;INTERVAL=20", late, late, UTC) is None
    assert next_after("FREQ=YEARLY;INTERVAL=5", late, late, UTC) is not None
    assert next_after("FREQ=HOURLY;INTERVAL=100000", late, late, UTC) is None
    assert next_after("FREQ=DAILY", START, datetime(9999, 12, 31, tzinfo=UTC), UTC) is None


@pytest.mark.parametrize(
    ("rule", "kept"),
    [
        ("RRULE:FREQ=DAILY", "FREQ=DAILY"),
        (" freq=weekly;byday=mo ", "FREQ=WEEKLY;BYDAY=MO"),
        ("FREQ=MINUTELY;INTERVAL=5", "FREQ=MINUTELY;INTERVAL=5"),
        ("FREQ=MONTHLY;BYMONTHDAY=+1,-1", "FREQ=MONTHLY;BYMONTHDAY=+1,-1"),
        ("FREQ=DAILY;BYHOUR=9,10;WKST=SU", "FREQ=DAILY;BYHOUR=9,10;WKST=SU"),
        ("FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO"),
    ],
)
def test_a_sound_rule_is_kept(rule: str, kept: str) -> None:
    assert checked_rule(rule) == kept


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        ("", "FREQ="),
        ("every day", "FREQ="),
        ("FREQ=DAILY;FREQ=WEEKLY", "each of them once"),
        ("FREQ=SECONDLY", "FREQ must be"),
        ("FREQ=MINUTELY", "every 5 minutes"),
        ("FREQ=MINUTELY;INTERVAL=4", "every 5 minutes"),
        ("FREQ=DAILY;BYHOUR=9;BYMINUTE=0,1", "every 5 minutes"),
        ("FREQ=DAILY;BYHOUR=9,10,11;BYMINUTE=0,5,10,15,20,25,30,35,40,45", "24 times a day"),
        ("FREQ=HOURLY;BYHOUR=9", "BYHOUR cannot be joined"),
        ("FREQ=DAILY;INTERVAL=0", "INTERVAL must be"),
        ("FREQ=DAILY;INTERVAL=x", "INTERVAL must be"),
        ("FREQ=DAILY;COUNT=1000000", "COUNT must be"),
        ("FREQ=DAILY;UNTIL=tomorrow", "UNTIL must be"),
        ("FREQ=DAILY;UNTIL=20261340", "UNTIL must be"),
        ("FREQ=DAILY;BYDAY=XX", "BYDAY must name"),
        ("FREQ=WEEKLY;BYDAY=1MO", "1MO needs"),
        ("FREQ=MONTHLY;BYDAY=0MO", "from 1 to 53"),
        ("FREQ=MONTHLY;BYWEEKNO=3", "BYWEEKNO needs"),
        ("FREQ=MONTHLY;BYMONTHDAY=32", "from -31 to 31"),
        ("FREQ=MONTHLY;BYMONTHDAY=0", "without 0"),
        ("FREQ=YEARLY;BYMONTH=13", "from 1 to 12"),
        ("FREQ=DAILY;BYSECOND=1", "'BYSECOND' is no part"),
        ("FREQ=DAILY;BYEASTER=1", "'BYEASTER' is no part"),
        ("FREQ=DAILY;WKST=XX", "WKST must be"),
        ("DTSTART:20260101\nRRULE:FREQ=DAILY", "FREQ="),
        ("FREQ=DAILY;BYMONTHDAY=" + ",".join(["1"] * 200), "characters"),
    ],
)
def test_a_rule_that_cannot_be_kept_is_refused(rule: str, reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        checked_rule(rule)
    with pytest.raises(InvalidInput, match=reason):
        next_after(rule, START, START, LISBON)


@given(
    st.sampled_from(["DAILY", "WEEKLY", "MONTHLY", "YEARLY", "HOURLY"]),
    st.integers(1, 5),
    st.datetimes(datetime(1990, 1, 1), datetime(2040, 1, 1)),  # noqa: DTZ001
    st.timedeltas(timedelta(0), timedelta(days=2_000)),
)
def test_the_next_one_lies_after_and_none_lies_between(
    frequency: str, interval: int, wall: datetime, later: timedelta
) -> None:
    rule = f"FREQ={frequency};INTERVAL={interval}"
    start = wall.replace(tzinfo=UTC, microsecond=0)
    after = start + later
    found = next_after(rule, start, after, LISBON)
    assert found is not None
    assert found > after
    assert next_after(rule, start, found - timedelta(microseconds=1), LISBON) == found
    between = after + (found - after) / 2
    assert next_after(rule, start, between, LISBON) == found
