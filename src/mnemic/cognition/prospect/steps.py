"""Steps on the calendar: so many weeks later, the next 15th, the Friday of a week."""

from __future__ import annotations

from datetime import date, timedelta

WEEK = 7
SATURDAY, FRIDAY = 5, 4
_LEAP_YEARS = 8
"""At most so many years lie between two leap years."""

_SMALLER = {
    "years": ("months", 12),
    "quarters": ("months", 3),
    "months": ("days", 30),
    "fortnights": ("days", 14),
    "weeks": ("days", 7),
}
"""What a fraction of a unit is counted in."""

_CALENDAR = {
    "days": ("days", 1),
    "weeks": ("weeks", 1),
    "fortnights": ("weeks", 2),
    "months": ("months", 1),
    "quarters": ("months", 3),
    "years": ("years", 1),
}


def later(today: date, amount: float, unit: str) -> date:
    """The day so many units of the calendar later."""
    from dateutil.relativedelta import relativedelta

    while amount != int(amount):
        unit, times = _SMALLER.get(unit, ("days", 1))
        amount = amount * times if unit == "months" else round(amount * times)
    name, times = _CALENDAR[unit]
    return today + relativedelta(**{name: int(amount) * times})  # type: ignore[arg-type]


def of_week(today: date, weekday: int) -> date:
    """A weekday of this week, which begins on Monday; 7 is that of the next."""
    return today + timedelta(days=weekday - today.weekday())


def first_of(today: date, unit: str) -> date:
    """The first day of this month, or of this year."""
    return today.replace(day=1) if unit == "months" else today.replace(month=1, day=1)


def yearly(today: date, month: int, day: int) -> list[date]:
    """This day of this year and the next ones that have it, from today on."""
    found = []
    for year in range(today.year, today.year + _LEAP_YEARS + 1):
        try:
            found.append(date(year, month, day))
        except ValueError:
            continue
    return [each for each in found if each >= today]


def monthly(today: date, day: int) -> list[date]:
    """This day of this month and the next ones that have it, from today on."""
    first, found = today.replace(day=1), []
    for months in range(4):  # of three months in a row one has 31 days
        month = later(first, months, "months")
        try:
            found.append(month.replace(day=day))
        except ValueError:
            continue
    return [each for each in found if each >= today]
