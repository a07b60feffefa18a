"""What comes again, as a text tells it, and the RRULE that says so: "every other Friday"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from mnemic.cognition.prospect.days import weekday_of
from mnemic.cognition.prospect.words import Language

WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_FREQUENCIES = {
    "minutes": ("MINUTELY", 1),
    "hours": ("HOURLY", 1),
    "days": ("DAILY", 1),
    "weeks": ("WEEKLY", 1),
    "fortnights": ("WEEKLY", 2),
    "months": ("MONTHLY", 1),
    "quarters": ("MONTHLY", 3),
    "years": ("YEARLY", 1),
}
_SHORTEST_MONTH = 28


@dataclass(frozen=True, slots=True)
class Repeat:
    """What comes again.

    Args:
        unit: what it is counted in, such as "weeks".
        interval: every so many of these.
        by: the parts of its rule that say which days.
        part: the part of the day that is told with it.
    """

    unit: str
    interval: int = 1
    by: str = ""
    part: str | None = None

    @property
    def rule(self) -> str:
        """The rule without its end."""
        frequency, times = _FREQUENCIES[self.unit]
        interval = f"INTERVAL={self.interval * times}" if self.interval * times > 1 else ""
        return ";".join(filter(None, [f"FREQ={frequency}", interval, self.by]))


def repeat_of(kind: str, found: re.Match[str], language: Language) -> Repeat | None:
    """What a part of a text says comes again; None for what cannot be a rule."""
    groups = found.groupdict()
    every = 2 if groups.get("other") else 1
    match kind:
        case "eachunit":
            return _each_unit(found, language, every)
        case "eachweekday":
            part = language.means("part", groups["part"]) if groups.get("part") else None
            return Repeat("weeks", every, _by_day(_weekdays(found, language)), part)
        case "workdays":
            return Repeat("weeks", by=_by_day(range(5)))
        case "weekends":
            return Repeat("weeks", by=_by_day([5]))
        case "eachpart":
            return Repeat("days", part=language.means("part", found["part"]))
        case "eachlast":
            return Repeat("months", by="BYMONTHDAY=-1")
        case "adverb":
            unit, interval, *part = language.means("adverb", found["adverb"])
            return Repeat(unit, interval, "", *part)
        case _:
            return _dated(kind, found, language)


def _each_unit(found: re.Match[str], language: Language, every: int) -> Repeat | None:
    count = found.groupdict().get("count")
    amount = language.means("count", count) if count else every
    unit = language.means("unit", found["unit"])
    if unit not in _FREQUENCIES or amount != int(amount) or amount < 1:
        return None
    return Repeat(unit, int(amount))


def _dated(kind: str, found: re.Match[str], language: Language) -> Repeat | None:
    groups = found.groupdict()
    if kind == "eachdate":
        month = language.means("month", found["month"])
        return Repeat("years", by=f"BYMONTH={month};BYMONTHDAY={int(found['day'])}")
    if kind == "eachnth":
        day = groups.get("day")
        number = int(day) if day else int(language.means("ordinal", found["ordinal"]))
        weekday = WEEKDAYS[weekday_of(found, language)]
        return Repeat("months", by=f"BYDAY={number}{weekday}") if number <= 5 else None
    return Repeat("months", by=by_month_day(_month_days(found["days"], language)))


def refined(repeat: Repeat, kind: str, found: re.Match[str], language: Language) -> Repeat | None:
    """A repeat with the day that is told beside it: "every month on the 15th".

    Returns:
        None if that day does not say which days come again: then it is the first.
    """
    if repeat.by:
        return None
    if repeat.unit in ("weeks", "fortnights") and kind == "weekday":
        return replace(repeat, by=_by_day([weekday_of(found, language)]))
    if repeat.unit in ("weeks", "fortnights") and kind == "eachweekday":
        return replace(repeat, by=_by_day(_weekdays(found, language)))
    if repeat.unit in ("months", "quarters") and kind == "monthday":
        groups = found.groupdict()
        day = groups.get("day") or language.means("ordinal", found["ordinal"])
        return replace(repeat, by=by_month_day([int(day)]))
    if repeat.unit == "years" and kind == "date":
        month = language.means("month", found["month"])
        return replace(repeat, by=f"BYMONTH={month};BYMONTHDAY={int(found['day'])}")
    return None


def by_month_day(days: list[int]) -> str:
    """The part of a rule for days of each month.

    The 31st of a month that has none is its last day: who pays on the 31st pays in February too.
    """
    if len(days) == 1 and days[0] > _SHORTEST_MONTH:
        several = ",".join(str(day) for day in range(_SHORTEST_MONTH, days[0] + 1))
        return f"BYMONTHDAY={several};BYSETPOS=-1"
    return "BYMONTHDAY=" + ",".join(str(day) for day in sorted(set(days)))


def _by_day(days: Iterable[int]) -> str:
    return "BYDAY=" + ",".join(WEEKDAYS[day] for day in sorted(set(days)))


def _weekdays(found: re.Match[str], language: Language) -> list[int]:
    groups = found.groupdict()
    if groups.get("weekdays"):
        return language.all_of("weekday", found["weekdays"])
    if groups.get("plurals"):
        return language.all_of("plural", found["plurals"])
    return [weekday_of(found, language)]


def _month_days(text: str, language: Language) -> list[int]:
    return [int(day) for day in re.findall(r"\d+", text)] + language.all_of("ordinal", text)
