"""What comes again: rules in the notation of RFC 5545 (RRULE), and the next instant of one.

The days of a rule are python-dateutil's; rules that count hours or minutes are sums of elapsed
time and computed here. No rule can hang: what is left of the calendar is bounded before the
library looks for a day that never comes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import MAXYEAR, UTC, datetime, timedelta, tzinfo
from itertools import pairwise, product
from typing import Never

from mnemic.cognition.prospect.wall import instant, on_wall
from mnemic.model.errors import InvalidInput

SHORTEST = timedelta(minutes=5)
"""Between two firings of a rule: a reminder, not a clock."""

_LONGEST = 300
"""Characters of a rule."""

_MOST = 100_000
"""The highest INTERVAL and COUNT."""

_ELAPSED = {"HOURLY": timedelta(hours=1), "MINUTELY": timedelta(minutes=1)}
_BY_DAY = ("DAILY", "WEEKLY", "MONTHLY", "YEARLY")
_RANGES: Mapping[str, tuple[int, int]] = {
    "BYMONTH": (1, 12),
    "BYMONTHDAY": (-31, 31),
    "BYYEARDAY": (-366, 366),
    "BYWEEKNO": (-53, 53),
    "BYHOUR": (0, 23),
    "BYMINUTE": (0, 59),
    "BYSETPOS": (-366, 366),
}
_OTHER = ("FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST", "BYDAY")
_WEEKDAYS = "MO TU WE TH FR SA SU".split()
_BYDAY = re.compile(r"([+-]?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU)")
_UNTIL = re.compile(r"\d{8}(?:T\d{6}Z?)?")

_MOST_A_DAY = 24

_CYCLE = 400
"""Years after which the calendar comes again, weekdays and all."""

_LAST_START = MAXYEAR - 100

_AROUND = timedelta(days=2)
"""More than two clocks on earth ever differ by."""


def checked_rule(rule: str) -> str:
    """A rule that can be kept, in capitals and without the word RRULE.

    Args:
        rule: such as "FREQ=WEEKLY;BYDAY=MO".

    Raises:
        InvalidInput: it is no such rule, fires more often than every five minutes, or could
            never be worked out.
    """
    text = rule.strip().upper().removeprefix("RRULE:")
    if len(text) > _LONGEST:
        raise InvalidInput(f"the rule has {len(text)} characters; at most {_LONGEST} are read")
    parts = _parts(text)
    if parts["FREQ"] in _ELAPSED:
        _check_elapsed(text, parts)
    elif parts["FREQ"] in _BY_DAY:
        _check_days(text, parts)
    else:
        _refuse(text, "FREQ must be MINUTELY, HOURLY, DAILY, WEEKLY, MONTHLY or YEARLY")
    return text


def next_after(rule: str, start: datetime, after: datetime, zone: tzinfo) -> datetime | None:
    """The first instant of a rule that lies after another, in `zone`.

    Args:
        rule: as `checked_rule` takes it.
        start: the first instant it can have. Gives the time of day where the rule names none,
            and where the counting by INTERVAL and COUNT begins.
        after: what the answer lies after.
        zone: by whose clocks the days and hours of the rule are meant.

    Returns:
        None when there is no further one, within at least a hundred years from `start`.

    Raises:
        InvalidInput: of `checked_rule`.
    """
    text = checked_rule(rule)
    parts = _parts(text)
    if parts["FREQ"] in _ELAPSED:
        found = _next_elapsed(parts, start, after)
    else:
        found = _next_day(text, on_wall(start, zone), after, zone)
    until = _until(parts.get("UNTIL"), zone)
    if found is None or (until is not None and found > until):
        return None
    return found.astimezone(zone)


def _next_elapsed(parts: Mapping[str, str], start: datetime, after: datetime) -> datetime | None:
    step = _ELAPSED[parts["FREQ"]] * int(parts.get("INTERVAL", 1))
    first = start.astimezone(UTC)
    # In UTC: between times of one zone Python subtracts what its clocks show.
    steps = max(0, (after.astimezone(UTC) - first) // step + 1)
    if steps >= int(parts.get("COUNT", steps + 1)):
        return None
    try:
        return first + steps * step
    except OverflowError:
        return None


def _next_day(text: str, start: datetime, after: datetime, zone: tzinfo) -> datetime | None:
    from dateutil.rrule import rrulestr

    # For a day that never comes dateutil looks as far as the year 9999, which takes seconds. The
    # same days come again 400 years later, so the search starts near that year and is soon over.
    years = max(0, _LAST_START - start.year) // _CYCLE * _CYCLE
    shifted = start.replace(year=start.year + years, microsecond=0)
    without_end = ";".join(part for part in text.split(";") if not part.startswith("UNTIL="))
    found = rrulestr(without_end, dtstart=shifted)
    try:
        near = on_wall(after, zone) - _AROUND
        soonest = near.replace(year=near.year + years)
    except (ValueError, OverflowError):
        return None
    for wall in found.xafter(soonest):
        moment = instant(wall.replace(year=wall.year - years), zone)
        if moment > after:
            return moment
    return None


def _until(text: str | None, zone: tzinfo) -> datetime | None:
    """The last instant that an UNTIL allows; that of a day is the end of the day."""
    if text is None:
        return None
    if len(text) == 8:
        day = datetime.strptime(text, "%Y%m%d")  # noqa: DTZ007
        return instant(day.replace(hour=23, minute=59, second=59), zone)
    wall = datetime.strptime(text.removesuffix("Z"), "%Y%m%dT%H%M%S")  # noqa: DTZ007
    return wall.replace(tzinfo=UTC) if text.endswith("Z") else instant(wall, zone)


def _parts(text: str) -> dict[str, str]:
    pairs = [part.partition("=") for part in text.split(";")]
    parts = {name: value for name, _, value in pairs}
    if len(parts) < len(pairs) or "FREQ" not in parts:
        _refuse(text, "write it as FREQ=... and further parts, each of them once, between ';'")
    for name, value in parts.items():
        _check_part(text, name, value)
    return parts


def _check_part(text: str, name: str, value: str) -> None:
    if name in _RANGES:
        _check_numbers(text, name, value)
    elif name in ("INTERVAL", "COUNT"):
        if not re.fullmatch(r"\d{1,6}", value) or not 1 <= int(value) <= _MOST:
            _refuse(text, f"{name} must be a number from 1 to {_MOST}")
    elif name == "UNTIL":
        _check_until(text, value)
    elif name == "WKST":
        if value not in _WEEKDAYS:
            _refuse(text, f"WKST must be one of {', '.join(_WEEKDAYS)}")
    elif name == "BYDAY":
        if not all(_BYDAY.fullmatch(day) for day in value.split(",")):
            _refuse(text, "BYDAY must name days such as MO or, for the last Friday, -1FR")
    elif name != "FREQ":
        _refuse(text, f"{name!r} is no part of a rule; use {', '.join([*_OTHER, *_RANGES])}")


def _check_numbers(text: str, name: str, value: str) -> None:
    least, most = _RANGES[name]
    for number in value.split(","):
        sound = re.fullmatch(r"[+-]?\d{1,3}", number) and least <= int(number) <= most
        if not sound or (least < 0 and int(number) == 0):
            nought = " without 0" if least < 0 else ""
            _refuse(text, f"{name} must hold numbers from {least} to {most}{nought}")


def _check_until(text: str, value: str) -> None:
    try:
        if _UNTIL.fullmatch(value) is None:
            raise ValueError
        _until(value, UTC)
    except ValueError:
        _refuse(text, "UNTIL must be a date such as 20270131, 20270131T090000 or with a Z for UTC")


def _check_elapsed(text: str, parts: Mapping[str, str]) -> None:
    if extra := [name for name in parts if name.startswith("BY")]:
        _refuse(
            text,
            f"{extra[0]} cannot be joined to {parts['FREQ']}; "
            "write FREQ=DAILY with the hours as BYHOUR=9,10,11",
        )
    if _ELAPSED[parts["FREQ"]] * int(parts.get("INTERVAL", 1)) < SHORTEST:
        _refuse(text, f"it fires more often than every {SHORTEST.seconds // 60} minutes")


def _check_days(text: str, parts: Mapping[str, str]) -> None:
    days = [_BYDAY.fullmatch(day) for day in parts.get("BYDAY", "MO").split(",")]
    numbered = [day for day in days if day is not None and day[1]]
    if numbered and parts["FREQ"] not in ("MONTHLY", "YEARLY"):
        _refuse(text, f"{numbered[0][0]} needs FREQ=MONTHLY or FREQ=YEARLY")
    if any(not 1 <= abs(int(day[1])) <= 53 for day in numbered):
        _refuse(text, "the number of a day in BYDAY must be from 1 to 53 or -1 to -53")
    if "BYWEEKNO" in parts and parts["FREQ"] != "YEARLY":
        _refuse(text, "BYWEEKNO needs FREQ=YEARLY")
    hours, minutes = parts.get("BYHOUR"), parts.get("BYMINUTE")
    _check_spacing(text, _numbers(hours), _numbers(minutes))


def _check_spacing(text: str, hours: list[int], minutes: list[int]) -> None:
    """That the times of one day lie apart."""
    times = sorted(60 * hour + minute for hour, minute in product(hours, minutes))
    if len(times) > _MOST_A_DAY:
        _refuse(text, f"it fires more than {_MOST_A_DAY} times a day; use FREQ=MINUTELY")
    if any(timedelta(minutes=late - soon) < SHORTEST for soon, late in pairwise(times)):
        _refuse(text, f"it fires more often than every {SHORTEST.seconds // 60} minutes")


def _numbers(value: str | None) -> list[int]:
    return [0] if value is None else sorted({int(number) for number in value.split(",")})


def _refuse(rule: str, reason: str) -> Never:
    raise InvalidInput(f"the rule {rule!r} cannot be kept: {reason}")
