"""What kind of text it is and when it was said move it up, as far as the settings say."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from mnemic import BoundMemory, Settings
from tests.conftest import START, FixedClock, Opener

Told = Callable[..., BoundMemory]


@pytest.fixture(params=["unsealed", "sealed"])
def index(request: pytest.FixtureRequest) -> dict[str, int]:
    """Settings of the index: what is known of a text has to be there in a segment as well."""
    return {"segment_passages": 2} if request.param == "sealed" else {}


@pytest.fixture
def told(open_brain: Opener, index: dict[str, int]) -> Told:
    """Makes a caller who was told some texts, each in a thread of its own, in this order.

    The brain is opened once more before it is asked, so that nothing but the file is left.
    """
    made = 0

    def make(
        *items: dict[str, Any], timezone: str | None = None, **retrieval: float
    ) -> BoundMemory:
        nonlocal made
        made += 1
        settings = Settings(timezone=timezone, index=index, retrieval=retrieval)
        options: dict[str, Any] = {"embedder": None, "settings": settings}
        with open_brain(f"{made}.db", **options) as memory:
            memory.bind(user="ana").remember_many(
                [{"thread": f"thread {at}", **item} for at, item in enumerate(items)]
            )
        return open_brain(f"{made}.db", **options).bind(user="ana")

    return make


def found(who: BoundMemory, question: str, **options: Any) -> list[str]:
    return [hit.trace.content for hit in who.recall(question, limit=100, **options)]


def times(who: BoundMemory, question: str, **options: Any) -> list[datetime]:
    return [hit.trace.time for hit in who.recall(question, limit=100, **options)]


def contents(*texts: str, **fields: Any) -> list[dict[str, Any]]:
    return [{"content": text, **fields} for text in texts]


THEY, WE = "They took the ferry", "We took the ferry"


def test_who_speaks_of_themselves_comes_first(told: Told) -> None:
    assert found(told(*contents(THEY, WE)), "ferry") == [WE, THEY]
    assert found(told(*contents(THEY, WE), first_person_boost=1), "ferry") == [THEY, WE]


def test_an_assistant_who_says_i_does_not_speak_of_a_person(told: Told) -> None:
    assert found(told(*contents(THEY, WE, role="user")), "ferry") == [WE, THEY]
    assert found(told(*contents(THEY, WE, role="assistant")), "ferry") == [THEY, WE]


def test_a_corrected_text_is_what_it_now_says(told: Told) -> None:
    who = told(*contents(THEY, "Who took the ferry"))
    assert found(who, "ferry") == [THEY, "Who took the ferry"]
    second = who.recall("ferry")[1].trace.id
    who.correct(second, WE, reason="misheard")
    assert found(who, "ferry") == [WE, THEY]


SOME, FIVE = "Ruth has some boats", "Ruth has five boats"


def test_a_number_comes_first_when_one_is_asked_for(told: Told) -> None:
    who = told(*contents(SOME, FIVE))
    assert found(who, "How many boats has Ruth?") == [FIVE, SOME]
    assert found(who, "Which boats has Ruth?") == [SOME, FIVE]
    without = told(*contents(SOME, FIVE), number_boost=1)
    assert found(without, "How many boats has Ruth?") == [SOME, FIVE]


def on(*days: str, text: str = "The ferry was late") -> list[dict[str, Any]]:
    return [{"content": text, "time": day} for day in days]


def test_the_month_that_is_named_comes_first(told: Told) -> None:
    who = told(*on("2025-06-20", "2025-05-20", "2024-05-20"))
    first, *_ = times(who, "What about the ferry in May 2025?")
    assert first == datetime(2025, 5, 20, tzinfo=UTC)
    first, *_ = times(who, "What about the ferry in June 2025?")
    assert first == datetime(2025, 6, 20, tzinfo=UTC)


def test_a_text_of_the_month_comes_before_one_that_only_speaks_of_it(told: Told) -> None:
    """By words, which the date of a text belongs to, the other is the better one."""
    speaks, of_may = "May was late for the ferry", "The ferry was late again"
    items = [*on("2025-06-20", text=speaks), *on("2025-05-20", text=of_may)]
    question = "What about the ferry in May 2025?"
    assert found(told(*items), question) == [of_may, speaks]
    assert found(told(*items, date_boost=1), question) == [speaks, of_may]


def test_last_week_counts_from_the_day_of_asking(told: Told) -> None:
    days = [datetime(2026, month, 5, tzinfo=UTC) for month in (1, 2, 3)]
    who = told(*({"content": "The ferry was late", "time": day} for day in days))
    without = told(*({"content": "The ferry was late", "time": day} for day in days), date_boost=1)
    question = "Was the ferry late last week?"
    for day in days:
        options = {"asked_at": day + timedelta(days=2)}
        assert times(who, question, **options)[0] == day
        assert times(without, question, **options) == days
        assert times(who, "Was the ferry late?", **options) == days
    assert times(who, question) == days  # asked in June


def test_the_day_of_asking_is_that_of_the_past_or_the_present(
    told: Told, clock: FixedClock
) -> None:
    days = [START + timedelta(days=shift) for shift in (-30, -2)]
    who = told(*({"content": "The ferry was late", "time": day} for day in days))
    question = "Was the ferry late last week?"
    assert times(who, question) == [days[1], days[0]]
    assert times(who, question, as_of=START + timedelta(days=300)) == days
    clock.advance(days=300)
    assert times(who, question) == days
    assert times(who, question, as_of=START) == [days[1], days[0]]
    assert times(who, question, as_of=START, asked_at=START - timedelta(days=27)) == days


def test_the_first_and_the_last_day_of_a_range_are_within(told: Told) -> None:
    """Asked on 10 June, "last week" is 1 June until then."""
    outside = ["2025-05-31T23:59:59Z", "2025-06-11T00:00:00Z"]
    within = ["2025-06-01T00:00:00Z", "2025-06-10T23:59:59Z"]
    who = told(*on(*outside, *within))
    found_times = times(who, "Was the ferry late last week?", asked_at="2025-06-10")
    assert found_times == [datetime.fromisoformat(day) for day in (*within, *outside)]


def test_days_are_those_of_the_brains_time_zone(told: Told) -> None:
    """In Tokyo it is already tomorrow when it is evening in Greenwich."""
    question = "Was the ferry late yesterday?"
    # When it was said, and when it is asked: in one of the zones that is yesterday.
    for said, asked, zone, other in (
        ("2025-05-31T20:00:00Z", "2025-06-02T10:00:00Z", "Asia/Tokyo", "UTC"),
        ("2025-05-31T10:00:00Z", "2025-06-01T20:00:00Z", "UTC", "Asia/Tokyo"),
    ):
        days = ["2025-05-10T12:00:00Z", said]
        first, second = (datetime.fromisoformat(day) for day in days)
        options = {"asked_at": asked}
        within = told(*on(*days), timezone=zone, near_weight=0)
        assert times(within, question, **options) == [second, first]
        without = told(*on(*days), timezone=other, near_weight=0)
        assert times(without, question, **options) == [first, second]


def test_of_several_days_that_are_named_each_counts(told: Told) -> None:
    who = told(*on("2026-01-05", "2026-03-05", "2026-05-30"))
    question = "Was the ferry late two days ago or three months ago?"
    assert [day.month for day in times(who, question)] == [3, 5, 1]


def test_boosts_multiply(told: Told) -> None:
    """Each alone moves a text up by as much as its setting says."""
    texts = ["They took some ferries", "We took some ferries", "They took 4 ferries",
             "We took 4 ferries"]  # fmt: skip
    usual = {"first_person_boost": 3, "number_boost": 2}
    assert found(told(*contents(*texts), **usual), "How many ferries?") == [
        texts[3], texts[1], texts[2], texts[0]
    ]  # fmt: skip
    turned = {"first_person_boost": 2, "number_boost": 3}
    assert found(told(*contents(*texts), **turned), "How many ferries?") == [
        texts[3], texts[2], texts[1], texts[0]
    ]  # fmt: skip
