"""Days that a text tells: "tomorrow", "next Tuesday", "the 3rd of March", "in two weeks".

A day without a year is the next such day: each reader gives the days that may be meant in their
order, and the first whose hour lies ahead is taken.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo

from mnemic.cognition.prospect.steps import (
    FRIDAY,
    SATURDAY,
    WEEK,
    first_of,
    later,
    monthly,
    of_week,
    yearly,
)
from mnemic.cognition.prospect.words import Language

_CENTURY = 2_000
_ELAPSED = {"seconds": 1, "minutes": 60, "quarterhours": 900, "hours": 3_600}


@dataclass(frozen=True, slots=True)
class Day:
    """A told day, or a told stretch of time from now.

    Args:
        dates: the days that may be meant, the soonest first.
        part: the part of the day that is told with it.
        minute: the minute of the day that is told with it.
        elapsed: seconds from now, in place of a day.
        zone: the zone that is told with it.
        sure: whether the day can only be meant so.
    """

    dates: Iterable[date] = ()
    part: str | None = None
    minute: int | None = None
    elapsed: float | None = None
    zone: tzinfo | None = None
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Said:
    """What a day is counted from.

    Args:
        wall: what the speaker's clock showed.
        language: what was spoken.
        month_first: whether 3/4 is the fourth of March where the speaker is.
    """

    wall: datetime
    language: Language
    month_first: bool = False

    @property
    def today(self) -> date:
        """The day on which it was said."""
        return self.wall.date()


Match = re.Match[str]
Reader = Callable[[Match, Said], Day | None]


def day_of(kind: str, found: Match, said: Said) -> Day | None:
    """The day that a part of a text tells; None if the calendar has no such day."""
    try:
        return _READERS[kind](found, said)
    except (ValueError, OverflowError):
        return None


def weekday_of(found: Match, language: Language) -> int:
    """The weekday that a match names, Monday being 0."""
    groups = found.groupdict()
    name = "weekday" if groups.get("weekday") else "shortday"
    return int(language.means(name, found[name]))


def _dayname(found: Match, said: Said) -> Day:
    days, *part = said.language.means("dayname", found["dayname"])
    return Day([said.today + timedelta(days=days)], *part)


def _todaypart(found: Match, said: Said) -> Day:
    return Day([said.today], said.language.means("part", found["part"]))


def _weekday(found: Match, said: Said) -> Day:
    """The next one; on a Monday, "on Monday" is not today."""
    ahead = (weekday_of(found, said.language) - said.today.weekday()) % WEEK or WEEK
    part = found.groupdict().get("part")
    return Day(
        [said.today + timedelta(days=ahead)], said.language.means("part", part) if part else None
    )


def _nextweekday(found: Match, said: Said) -> Day:
    """That of the next week: on a Monday, "next Tuesday" is not tomorrow; not all agree."""
    weekday = weekday_of(found, said.language)
    sure = weekday <= said.today.weekday()
    return Day([of_week(said.today, weekday) + timedelta(days=WEEK)], sure=sure)


def _weekdayweek(found: Match, said: Said) -> Day:
    (first,) = _weekday(found, said).dates
    return Day([first + timedelta(days=WEEK)])


def _date(found: Match, said: Said) -> Day | None:
    month = said.language.means("month", found["month"])
    day, year = _day_number(found, said), found.groupdict().get("year")
    dates = [date(int(year), month, day)] if year else yearly(said.today, month, day)
    if not dates:
        return None
    return Day(dates, sure=_falls_on_its_weekday(dates[0], found, said.language))


def _falls_on_its_weekday(day: date, found: Match, language: Language) -> bool:
    groups = found.groupdict()
    told = groups.get("weekday") or groups.get("shortday")
    return told is None or weekday_of(found, language) == day.weekday()


def _month(found: Match, said: Said) -> Day:
    month, year = said.language.means("month", found["month"]), found["year"]
    first = [date(int(year), month, 1)] if year else yearly(said.today, month, 1)
    return Day(first, sure=False)


def _iso(found: Match, _said: Said) -> Day:
    groups = found.groupdict()
    day = date(int(found["year"]), int(found["monthnumber"]), int(found["day"]))
    if not groups.get("hour"):
        return Day([day])
    minute = 60 * int(found["hour"]) + int(found["mm"])
    offset = groups.get("offset")
    zone = datetime.fromisoformat(f"{day}T00:00{offset.upper()}").tzinfo if offset else None
    return Day([day], minute=minute, zone=zone)


def _numeric(found: Match, said: Said) -> Day:
    """3/4/2027 and, of no year, 3/4: which way round is seen only if one is above 12."""
    one, two = int(found["day"]), int(found["second"])
    month_first = (said.month_first or two > 12) and one <= 12
    day, month = (two, one) if month_first else (one, two)
    year = found.groupdict().get("numericyear")
    sure = one == two or max(one, two) > 12 or found.groupdict().get("mark") == "."
    if year is None:
        return Day(yearly(said.today, month, day), sure=sure)
    return Day([date(int(year) + (_CENTURY if len(year) == 2 else 0), month, day)], sure=sure)


def _monthday(found: Match, said: Said) -> Day:
    day = _day_number(found, said)
    if day < 0:
        raise ValueError("the last of which month?")
    return Day(monthly(said.today, day))


def _weekend(_found: Match, said: Said) -> Day:
    """Its Saturday; on a Sunday, today."""
    return Day([max(said.today, of_week(said.today, SATURDAY))], sure=False)


def _nextweekend(_found: Match, said: Said) -> Day:
    return Day([of_week(said.today, SATURDAY) + timedelta(days=WEEK)], sure=False)


def _period(found: Match, said: Said) -> Day | None:
    """The first day of the next week, month or year."""
    today, unit = said.today, said.language.means("unit", found["unit"])
    if unit == "weeks":
        return Day([of_week(today, WEEK)], sure=False)
    if unit in ("months", "years"):
        return Day([later(first_of(today, unit), 1, unit)], sure=False)
    return None


def _endof(found: Match, said: Said) -> Day | None:
    """The last day of a month or a year, and the Friday of a week."""
    today, unit = said.today, said.language.means("unit", found["unit"])
    ahead = 1 if found.groupdict().get("next") else 0
    if unit == "weeks":
        friday = of_week(today, FRIDAY) + timedelta(days=WEEK * ahead)
        return Day([friday, friday + timedelta(days=WEEK)], sure=False)
    if unit not in ("months", "years"):
        return None
    first = first_of(today, unit)
    ends = [later(first, 1 + ahead + more, unit) - timedelta(days=1) for more in (0, 1)]
    return Day(ends, sure=False)


def _feast(found: Match, said: Said) -> Day:
    month, day = said.language.means("feast", found["feast"])
    return Day(yearly(said.today, month, day))


def _in(found: Match, said: Said) -> Day | None:
    """So long from now: by the calendar from a day on, by elapsed time below it."""
    stretches = list(_stretches(found, said.language))
    if all(unit in _ELAPSED for _, unit in stretches):
        return Day(elapsed=sum(amount * _ELAPSED[unit] for amount, unit in stretches))
    day = said.today
    for amount, unit in stretches:
        if unit in _ELAPSED:
            return None  # "in a day and two hours" is not said often enough to be read
        if unit == "days" and amount == 0.5:
            return Day(elapsed=12 * _ELAPSED["hours"])
        day = later(day, amount, unit)
    return Day([day], minute=60 * said.wall.hour + said.wall.minute, sure=False)


def _infrom(found: Match, said: Said) -> Day | None:
    groups = found.groupdict()
    start = _dayname(found, said) if groups.get("dayname") else _weekday(found, said)
    (first,) = start.dates
    amount, unit = next(_stretches(found, said.language))
    return None if unit in _ELAPSED else Day([later(first, amount, unit)], start.part)


def _stretches(found: Match, language: Language) -> Iterator[tuple[float, str]]:
    groups = found.groupdict()
    for suffix in ("", "2"):
        if groups.get("unit" + suffix):
            amount = float(language.means("count", groups.get("count" + suffix) or "1"))
            half = 0.5 if groups.get("half") else 0
            yield amount + half, language.means("unit", groups["unit" + suffix])


def _day_number(found: Match, said: Said) -> int:
    groups = found.groupdict()
    if groups.get("day"):
        return int(found["day"])
    return int(said.language.means("ordinal", found["ordinal"]))


_READERS: Mapping[str, Reader] = {
    "dayname": _dayname,
    "todaypart": _todaypart,
    "weekday": _weekday,
    "nextweekday": _nextweekday,
    "weekdayweek": _weekdayweek,
    "date": _date,
    "month": _month,
    "iso": _iso,
    "numeric": _numeric,
    "numericdate": _numeric,
    "monthday": _monthday,
    "weekend": _weekend,
    "nextweekend": _nextweekend,
    "period": _period,
    "endof": _endof,
    "feast": _feast,
    "in": _in,
    "infrom": _infrom,
}
DAYS = frozenset(_READERS)
