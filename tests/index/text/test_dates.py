"""The days that a question names, asked on Wednesday, 10 June 2026 unless said otherwise."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path
from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic.index.text.dates import KEYS, Range, date_ranges, read_date_words
from mnemic.index.text.language import language, read_languages

TODAY = date(2026, 6, 10)
DAY = timedelta(days=1)

ANYTHING = st.text(st.characters(exclude_categories=()), max_size=80)


def named(text: str, today: date = TODAY) -> list[Range]:
    return date_ranges(text, today, language().dates)


def span(first: str, last: str) -> Range:
    """Both days written as month and day of 2026, or with another year before them."""
    days = [date.fromisoformat(day if len(day) > 5 else f"2026-{day}") for day in (first, last)]
    return days[0], days[1]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        # A month, and the first days of the next.
        ("What did I do in May 2025?", "2025-05-01", "2025-06-07"),
        ("what did i do in DECEMBER, 2025", "2025-12-01", "2026-01-07"),
        ("in February 2024", "2024-02-01", "2024-03-07"),
        # A day of a month, the one before and three after.
        ("on 8 May 2023", "2023-05-07", "2023-05-11"),
        ("on the 8th of May 2023", "2023-05-07", "2023-05-11"),
        ("on May 8th, 2023", "2023-05-07", "2023-05-11"),
        ("on May 8 2023", "2023-05-07", "2023-05-11"),
        ("New Year's Eve, 31 December 2025", "2025-12-30", "2026-01-03"),
        # So many units ago.
        ("yesterday", "06-09", "06-10"),
        ("4 days ago", "06-05", "06-07"),
        ("Two  weeks ago", "05-24", "05-30"),
        ("a couple of weeks ago", "05-24", "05-30"),
        ("a few days ago", "06-06", "06-08"),
        ("one month ago", "04-28", "05-22"),
        ("10 years ago", "2016-04-13", "2016-08-11"),
        # Until today.
        ("last week", "06-01", "06-10"),
        ("the past 2 days", "06-08", "06-10"),
        ("in the last few months", "02-27", "06-10"),
        ("the previous year", "2025-02-09", "06-10"),
        ("last weekend", "05-31", "06-10"),
        # A weekday, which is never today.
        ("last Tuesday", "06-09", "06-11"),
        ("last wednesday", "06-03", "06-05"),
        ("last Thursday", "06-04", "06-06"),
    ],
)
def test_every_way_to_name_days(text: str, first: str, last: str) -> None:
    assert named(text) == [span(first, last)]


def test_the_number_of_a_day_is_read_in_any_digits() -> None:
    assert named("٣ weeks ago") == named("3 weeks ago") == [span("05-17", "05-23")]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Where are my keys?",
        "May I come in?",
        "Who may march with us?",
        "It may be; the march was long",
        "Mayor Augustus, Junes and septembers of Decembrist days",
        "two weeks",
        "a week ahead",
        "Tuesday",
        "the last of the weeks",
        "blast Tuesdays",
    ],
)
def test_words_that_name_no_day(text: str) -> None:
    assert named(text) == []


@pytest.mark.parametrize("month", ["may", "march"])
@pytest.mark.parametrize(
    "told", ["in {}", "In late {}", "since early-{}", "{} 2026", "8 {}", "{} 8th"]
)
def test_a_month_that_is_another_word_too_is_told_by_what_stands_with_it(
    month: str, told: str
) -> None:
    [(first, _)] = named(told.format(month))
    assert abs(first - date(2026, {"may": 5, "march": 3}[month], 1)) <= 8 * DAY
    assert named(f"they {month} go") == []
    assert named("they april go") == named("in april")  # which is no other word


def test_a_month_without_a_year_is_the_last_such_month() -> None:
    assert named("in May") == [span("05-01", "06-07")]
    assert named("in June") == [span("06-01", "07-07")]  # it has begun
    assert named("in July") == [span("2025-07-01", "2025-08-07")]
    assert named("in December") == [span("2025-12-01", "2026-01-07")]
    assert named("on 1 July") == [span("2025-06-30", "2025-07-04")]
    assert named("in July", date(2026, 7, 1)) == [span("07-01", "08-07")]


def test_a_day_without_a_year_is_the_last_such_day() -> None:
    assert named("on 10 June") == [span("06-09", "06-13")]
    assert named("on 9 June") == [span("06-08", "06-12")]
    assert named("on 30 June") == [span("2025-06-29", "2025-07-03")]
    assert named("on 29 February") == [span("2024-02-28", "2024-03-03")]


def test_leap_days() -> None:
    assert named("on 29 February 2024") == [span("2024-02-28", "2024-03-03")]
    assert named("on February 29th, 2024") == [span("2024-02-28", "2024-03-03")]
    assert named("yesterday", date(2024, 3, 1)) == [span("2024-02-29", "2024-03-01")]
    assert named("on 29 February 2025") == []
    assert named("on 29 February 2000") != []
    assert named("on 29 February 1900") == []


@pytest.mark.parametrize(
    "text",
    [
        "30 February 2024",
        "31 June 2025",
        "0 May 2025",
        "99 May 2025",
        "May 0000",
        "December 9999",
        "31 December 9999",
        "1 January 0001",
        "3000 years ago",
        "99999999999999999999 days ago",
        "the last " + "9" * 1_500 + " years",
    ],
)
def test_days_that_are_in_no_calendar_are_not_named(text: str) -> None:
    assert named(text) == []
    assert named(f"{text}, or yesterday") == [span("06-09", "06-10")]


def test_a_day_in_a_month_is_not_all_of_the_month() -> None:
    assert named("on 8 May 2023") == [span("2023-05-07", "2023-05-11")]
    both = named("on 8 May 2023, or was it in May 2024?")
    assert sorted(both) == [span("2023-05-07", "2023-05-11"), span("2024-05-01", "2024-06-07")]


def test_several_days_are_all_named() -> None:
    found = named("In March 2024, two days ago, last week, last Friday or yesterday?")
    assert sorted(found) == [
        span("2024-03-01", "2024-04-07"),
        span("06-01", "06-10"),
        span("06-05", "06-07"),
        span("06-07", "06-09"),
        span("06-09", "06-10"),
    ]


@given(st.dates(date(1, 1, 2)), st.dates(date(1, 3, 1), date(9999, 10, 1)))
def test_the_day_that_is_named_is_within(today: date, day: date) -> None:
    month = f"{day:%B}"
    for text in (f"{day.day} {month} {day.year:04}", f"{month} {day.year:04}"):
        [(first, last)] = named(text, today)
        assert first <= day <= last
    assert named("yesterday", today) == [(today - DAY, today)]


@given(st.dates(date(1, 2, 1), date(9999, 12, 1)), st.sampled_from(range(7)))
def test_the_last_weekday_lies_within_a_week(today: date, weekday: int) -> None:
    name = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()[weekday]
    [(first, last)] = named(f"last {name}", today)
    assert first.weekday() == weekday
    assert 1 <= (today - first).days <= 7
    assert last - first == 2 * DAY


PIECES = (
    "may march june february december 8 08 29 31 1st 30th 2023 2024 0000 9999 of , in last past "
    "previous ago two a couple of few days week weekends month years monday sunday yesterday "
    "auguſt aprıl Frİday ٣ ９ ² - . the 99999999999"
).split()
TANGLES = st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join)


@settings(max_examples=400)
@given(st.one_of(ANYTHING, TANGLES, TANGLES.map(str.upper)), st.dates())
def test_any_text_is_read_and_every_range_is_in_order(text: str, today: date) -> None:
    for first, last in named(text, today):
        assert first <= last


@pytest.mark.parametrize(
    "text", ["in auguſt", "in aprıl", "in APRİL", "last ſunday", "last Frıday", "ſix days ago"]
)
def test_letters_that_only_look_alike_are_read_or_passed_over(text: str) -> None:
    """Patterns that ignore case take "ſ" for an s, and "ı" and "İ" for an i."""
    assert len(named(text)) <= 1
    assert named("in august, last sunday, six days ago") != []


def test_a_long_question_is_soon_read() -> None:
    started = perf_counter()
    assert span("2025-05-01", "2025-06-07") in named("in may 2025 " * 5_000)
    assert perf_counter() - started < 1


def test_a_language_is_data(tmp_path: Path) -> None:
    dates = {
        "months": {"mai": 5},
        "doubtful": "mai",
        "before_month": "im",
        "numbers": {"zwei": 2},
        "units": {"tag": 1, "woche": 7},
        "month": [r"(?:(?P<day>\d+)\.\s+)?<month>(?:\s+(?P<year>\d{4}))?"],
        "ago": [r"\bvor\s+<number>\s+<unit>(?:en|n)?\b"],
        "yesterday": [r"\bgestern\b"],
    }
    (tmp_path / "de.json").write_text(json.dumps({"dates": dates}), "utf-8")
    several = read_languages(tmp_path).dates
    assert len(several) == 1
    asked = {
        "im Mai": span("05-01", "06-07"),
        "am 8. Mai 2023": span("2023-05-07", "2023-05-11"),
        "vor zwei Wochen": span("05-24", "05-30"),
        "gestern": span("06-09", "06-10"),
    }
    assert {text: date_ranges(text, TODAY, several) for text in asked} == {
        text: [days] for text, days in asked.items()
    }
    assert date_ranges("Frau Mai", TODAY, several) == []
    assert date_ranges("yesterday", TODAY, several) == []
    both = [*several, *language().dates]
    assert date_ranges("gestern oder yesterday", TODAY, both) == [asked["gestern"]] * 2


def test_a_language_that_names_no_days_finds_none() -> None:
    assert date_ranges("in May 2025, yesterday", TODAY, []) == []
    assert date_ranges("in May 2025, yesterday", TODAY, [read_date_words({})]) == []


def test_what_nothing_reads_is_refused() -> None:
    read_date_words({key: {} for key in KEYS} | {"doubtful": "", "before_month": ""})
    with pytest.raises(ValueError, match="monts"):
        read_date_words({"monts": {"may": 5}})
