"""Times that a text tells: the instant, counted from when it was said, by the speaker's clocks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.cognition.prospect import Hours, When, find_when, next_after
from mnemic.errors import InvalidInput
from tests.cognition.prospect.said import (
    AGAIN,
    AGAIN_ELSEWHERE,
    ELSEWHERE,
    LISBON,
    NONE,
    NOON,
    ONCE,
)

WORDS = (
    "tomorrow at 5 on the 15th every other Monday and Friday of each month in two weeks until"
    " March 3rd 2028 noon next last 3/4 evening morgen um 9 Uhr mañana a las demain à 17h , ."
).split()


def when(text: str, said_at: datetime = NOON) -> When:
    found = find_when(text, said_at, LISBON)
    assert found is not None, text
    return found


def is_told(found: datetime, answer: str) -> bool:
    return f"{found:%Y-%m-%d %H:%M}".startswith(answer)


@pytest.mark.parametrize("text", ONCE)
def test_a_time_is_read(text: str) -> None:
    found = when(text)
    assert is_told(found.at, ONCE[text]), found
    assert found.rule is None


@pytest.mark.parametrize("text", AGAIN)
def test_what_comes_again_is_read(text: str) -> None:
    found = when(text)
    answer, rule = AGAIN[text]
    assert is_told(found.at, answer), found
    assert found.rule == rule


@pytest.mark.parametrize(
    ("text", "answer"), [pair for texts in ELSEWHERE.values() for pair in texts.items()]
)
def test_other_languages_are_read(text: str, answer: str | None) -> None:
    found = find_when(text, NOON, LISBON)
    assert (found is None) if answer is None else (found and is_told(found.at, answer)), found


@pytest.mark.parametrize("text", AGAIN_ELSEWHERE)
def test_what_comes_again_is_read_in_other_languages(text: str) -> None:
    assert when(text).rule == AGAIN_ELSEWHERE[text]


@pytest.mark.parametrize("text", NONE)
def test_no_time_is_found_where_none_is_told(text: str) -> None:
    assert find_when(text, NOON, LISBON) is None


def test_a_time_is_counted_from_when_it_was_said() -> None:
    then = datetime(2019, 6, 4, 12, tzinfo=LISBON)
    assert is_told(when("tomorrow at 17:00", then).at, "2019-06-05 17:00")
    assert is_told(when("on March 3rd", then).at, "2020-03-03")
    assert is_told(when("on March 3rd", NOON).at, "2027-03-03")


def test_the_day_is_the_speakers() -> None:
    late = datetime(2026, 11, 30, 23, 30, tzinfo=UTC)
    tokyo = find_when("tomorrow at 08:00", late, ZoneInfo("Asia/Tokyo"))
    assert tokyo is not None
    assert tokyo.at == datetime(2026, 12, 1, 23, tzinfo=UTC)
    assert when("tomorrow at 08:00", late).at == datetime(2026, 12, 1, 8, tzinfo=UTC)


def test_a_day_that_is_today_is_today_while_its_hour_lies_ahead() -> None:
    assert is_told(when("on November 30 at 18:00").at, "2026-11-30 18:00")
    assert is_told(when("on November 30 at 10 am").at, "2027-11-30 10:00")
    assert is_told(when("on November 30").at, "2026-11-30 15:00")
    assert is_told(when("this evening", NOON.replace(hour=20)).at, "2026-11-30 21:00")
    assert find_when("this morning", NOON, LISBON) is None


def test_every_other_friday_begins_with_the_next() -> None:
    saturday = datetime(2026, 12, 5, 12, tzinfo=LISBON)
    assert is_told(when("every other Friday", saturday).at, "2026-12-11")


def test_an_hour_without_a_day_is_the_next_on_the_dial() -> None:
    early, morning = NOON.replace(hour=3), NOON.replace(hour=8)
    assert is_told(when("at 5", early).at, "2026-11-30 05:00")
    assert is_told(when("tomorrow at 5", early).at, "2026-12-01 17:00")
    assert is_told(when("at 11", morning).at, "2026-11-30 11:00")
    assert not when("at 11", morning).precise


def test_a_month_without_the_day_is_passed_over() -> None:
    said = datetime(2027, 1, 31, 12, tzinfo=LISBON)
    assert is_told(when("on the 31st", said).at, "2027-01-31")
    assert is_told(when("on the 30th", said).at, "2027-03-30")


@pytest.mark.parametrize(
    ("text", "precise"),
    [
        ("tomorrow at 17:00", True),
        ("tomorrow at 9", True),
        ("tomorrow at 5 pm", True),
        ("tonight at 9", True),
        ("in 20 minutes", True),
        ("2027-01-05 09:00", True),
        ("on 25/12/2026 at 10:00", True),
        ("every Monday at 9", True),
        ("tomorrow", False),
        ("tomorrow morning", False),
        ("tomorrow at 5", False),
        ("at 9", False),
        ("in two weeks", False),
        ("on 3/4 at 10:00", False),
        ("next Tuesday at 15:00", False),
        ("on Tuesday, December 7th at 10:00", False),
        ("every Monday at 9 GMT", False),
    ],
)
def test_what_had_to_be_assumed_is_not_precise(text: str, precise: bool) -> None:
    assert when(text).precise is precise


def test_which_number_is_the_month_is_where_the_speaker_is() -> None:
    new_york = find_when("on 3/4", NOON, ZoneInfo("America/New_York"))
    assert new_york is not None
    assert (new_york.at.month, new_york.at.day) == (3, 4)
    assert (when("on 3/4").at.month, when("on 3/4").at.day) == (4, 3)


@pytest.mark.parametrize(
    ("text", "passage"),
    [
        ("Call Marta tomorrow at 5, please", "tomorrow at 5"),
        ("Remind me at 9 to call Marta on Tuesday", "at 9 on Tuesday"),
        ("Llámala mañana a las 17:00.", "mañana a las 17:00"),
        ("Llámala mañana", "mañana"),  # an n and a tilde on its own
        ("I am free; by Friday it has to be done", "by Friday"),
    ],
)
def test_the_passage_is_the_words_that_tell_it(text: str, passage: str) -> None:
    assert when(text).passage == passage


def test_the_first_of_several_times_is_found() -> None:
    assert is_told(when("Friday at 2 pm and Saturday at 3 pm").at, "2026-12-04 14:00")
    assert is_told(when("Not on 2025-01-05 but on 2027-01-05").at, "2027-01-05")


def test_the_hours_that_stand_for_days_can_be_set() -> None:
    early = Hours(day=6, evening=17)
    found = find_when("tomorrow", NOON, LISBON, hours=early)
    tonight = find_when("tonight", NOON, LISBON, hours=early)
    assert found is not None
    assert tonight is not None
    assert (found.at.hour, tonight.at.hour) == (6, 17)


def test_an_hour_that_a_clock_change_leaves_out_is_read_by_the_clock_before() -> None:
    found = when("at 01:30 on 28 March 2027")
    assert found.at == datetime(2027, 3, 28, 1, 30, tzinfo=UTC)
    assert is_told(found.at, "2027-03-28 02:30")


def test_of_an_hour_that_comes_twice_the_first_is_meant() -> None:
    said = datetime(2026, 10, 24, 12, tzinfo=LISBON)
    found = when("tomorrow at 01:30", said).at.astimezone(UTC)
    assert found == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)


def test_hours_pass_and_days_are_counted_across_a_clock_change() -> None:
    said = datetime(2026, 10, 24, 12, tzinfo=LISBON)
    assert when("in 24 hours", said).at - said.astimezone(UTC) == timedelta(hours=24)
    assert is_told(when("in a day", said).at, "2026-10-25 12:00")


def test_it_must_be_known_when_it_was_said() -> None:
    with pytest.raises(InvalidInput, match="said_at"):
        find_when("tomorrow", datetime(2026, 11, 30, 12), LISBON)  # noqa: DTZ001


def test_the_end_of_the_calendar_is_no_time() -> None:
    last = datetime(9999, 12, 31, 20, tzinfo=UTC)
    assert find_when("in two weeks", last, UTC) is None
    assert find_when("in an hour", last, UTC) is not None


def test_a_long_text_is_read_to_its_limit() -> None:
    assert find_when("tomorrow " + "x" * 5_000, NOON, LISBON) is not None
    assert find_when("x" * 5_000 + " tomorrow", NOON, LISBON) is None


@given(
    st.lists(st.sampled_from(WORDS), max_size=10),
    st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1)),  # noqa: DTZ001
    st.sampled_from(["Europe/Lisbon", "America/New_York", "Pacific/Apia", "Asia/Kathmandu"]),
)
def test_what_is_found_lies_ahead_and_stands_in_the_text(
    words: list[str], wall: datetime, zone: str
) -> None:
    text, said_at = " ".join(words), wall.replace(tzinfo=UTC)
    found = find_when(text, said_at, ZoneInfo(zone))
    if found is None:
        return
    assert found.at > said_at
    assert all(word in text for word in found.passage.split())
    if found.rule is not None:
        just_before = found.at - timedelta(seconds=1)
        assert next_after(found.rule, found.at, just_before, ZoneInfo(zone)) == found.at
