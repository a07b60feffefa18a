"""When something is to be done, as a text tells it: the instant, and the rule if it comes again.

Dates are counted from when it was said and read by the speaker's clocks, never from now and never
in the zone of the machine. What is told of the past is no time at which to do something.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo

from mnemic.cognition.prospect.clocks import HOURS, Clock, Hours, clock_of, minutes_of
from mnemic.cognition.prospect.days import Day, Said, day_of
from mnemic.cognition.prospect.reading import Part, Told, told
from mnemic.cognition.prospect.recurrence import checked_rule, next_after
from mnemic.cognition.prospect.repeats import Repeat, refined, repeat_of
from mnemic.cognition.prospect.steps import later
from mnemic.cognition.prospect.wall import instant, on_wall
from mnemic.model.errors import InvalidInput

_DATED = frozenset({"iso", "numeric", "numericdate", "date", "monthday"})
_ELAPSED = {"minutes": 60, "hours": 3_600}
_DAY = 24 * 60
_ENDS = {"morning": 12, "noon": 14, "afternoon": 18, "evening": 24, "night": 24, None: 24}
"""The hour at which a part of the day, or the day, is over."""

_Found = tuple[datetime, str | None, bool]
"""The instant, the rule and whether it is precise."""


@dataclass(frozen=True, slots=True)
class When:
    """A time at which something is to be done.

    Args:
        at: the instant, in the speaker's zone; of what comes again, the first.
        rule: what comes again, as an RRULE; None for once.
        passage: the words it was read from. Parts that stand apart are joined by a space.
        precise: whether the words give the day and the hour; False where the hour, the half of
            the day or the order of day and month had to be assumed.
    """

    at: datetime
    rule: str | None
    passage: str
    precise: bool


def find_when(text: str, said_at: datetime, zone: tzinfo, *, hours: Hours = HOURS) -> When | None:
    """The first time ahead that a text tells.

    Args:
        text: a sentence or a short message; what comes after its first 2,000 characters is not
            read.
        said_at: when it was said, an aware datetime: the source's time, not now.
        zone: where the speaker's clocks hang.
        hours: the hours that stand for days and their parts where none is told.

    Returns:
        None if the text tells no time, or none that lay ahead when it was said.

    Raises:
        InvalidInput: `said_at` has no zone.
    """
    if said_at.tzinfo is None:
        raise InvalidInput(f"said_at {said_at.isoformat()} has no time zone; give one")
    for each in told(text):
        found = _when(each, said_at, zone, hours)
        if found is not None:
            at, rule, precise = found
            passage = " ".join(text[start:end] for start, end in each.spans)
            return When(at, rule, passage, precise)
    return None


@dataclass(frozen=True, slots=True)
class _Frame:
    """What a told time is read with."""

    told: Told
    said: Said
    said_at: datetime
    zone: tzinfo
    hours: Hours

    def clock(self) -> Clock | None:
        for part in self.told.of("clock"):
            if found := clock_of(part.kind, part.found, self.told.language):
                return found
        return None

    def part(self, *others: str | None) -> str | None:
        """The part of the day that is told by a part of the text, or with another."""
        told = [
            self.told.language.means("part", part.found["part"]) for part in self.told.of("part")
        ]
        return next(filter(None, [*told, *others]), None)

    def other_zone(self) -> tzinfo | None:
        """The zone that is told with the hour: "at 10 am GMT"."""
        for part in self.told.of("zone"):
            hours = self.told.language.means("zone", part.found["zone"])
            return timezone(timedelta(hours=hours))
        return None

    def at(self, day: date, minute: int, other: tzinfo | None = None) -> datetime:
        wall = datetime.combine(day, time()) + timedelta(minutes=minute)
        return instant(wall, other or self.zone).astimezone(self.zone)


def _when(told_time: Told, said_at: datetime, zone: tzinfo, hours: Hours) -> _Found | None:
    month_first = str(zone) in told_time.language.month_first
    try:
        said = Said(on_wall(said_at, zone), told_time.language, month_first)
        frame = _Frame(told_time, said, said_at, zone, hours)
        days = [(part, day_of(part.kind, part.found, said)) for part in told_time.of("day")]
        known = [(part, day) for part, day in days if day is not None]
        if len(known) < len(days) or (told_time.of("clock") and frame.clock() is None):
            return None  # 30 February, half past 24
        return _again(frame, known) if told_time.of("rule") else _once(frame, known)
    except (OverflowError, ValueError):
        return None  # beyond the calendar, or a rule that may not be kept


def _once(frame: _Frame, days: Sequence[tuple[Part, Day]]) -> _Found | None:
    day = _chosen(days)
    if day is not None and day.elapsed is not None:
        at = frame.said_at.astimezone(UTC) + timedelta(seconds=day.elapsed)
        return at.astimezone(frame.zone), None, True
    today = frame.said.today
    dates = [today, today + timedelta(days=1)] if day is None else day.dates
    other = frame.other_zone() or (day.zone if day else None)
    for each in dates:
        for minute, sure in _minutes(frame, day, each):
            at = frame.at(each, minute, other)
            if at > frame.said_at:
                return at, None, sure and (day is None or day.sure)
    return None


def _chosen(days: Sequence[tuple[Part, Day]]) -> Day | None:
    """Of "Friday, the 11th of December" the date."""
    dated = [day for part, day in days if part.kind in _DATED]
    return next(iter([*dated, *(day for _, day in days)]), None)


def _minutes(frame: _Frame, day: Day | None, date_: date) -> list[tuple[int, bool]]:
    """The minutes of a day that may be meant, each with whether it is told."""
    part, clock = frame.part(day.part if day else None), frame.clock()
    if clock is not None:
        dial = frame.told.language.dial
        return minutes_of(clock, part, of_a_day=day is not None, dial=dial)
    if day is not None and day.minute is not None:
        return [(day.minute, True)]
    if date_ != frame.said.today:
        return [(frame.hours.of(part), False)]
    return [(minute, False) for minute in _left_of_today(frame, part)]


def _left_of_today(frame: _Frame, part: str | None) -> list[int]:
    """What may stand for today, or for a part of it: if all that is over, in an hour."""
    now = 60 * frame.said.wall.hour + frame.said.wall.minute
    stand = list(frame.hours.in_order()) if part is None else [frame.hours.of(part)]
    return [*stand, *([now + 60] if now + 60 < 60 * _ENDS[part] else [])]


def _again(frame: _Frame, days: Sequence[tuple[Part, Day]]) -> _Found | None:
    told_rule, *more = frame.told.of("rule")
    language = frame.told.language
    repeat = repeat_of(told_rule.kind, told_rule.found, language)
    if repeat is None:
        return None
    days, end = (days[:-1], days[-1][1]) if frame.told.ends else (days, None)
    start: Day | None = None
    for part, day in [*((part, None) for part in more), *days]:
        if better := refined(repeat, part.kind, part.found, language):
            repeat = better
        else:
            start = start or day
    first, sure = _first(frame, repeat, start)
    if first is None:
        return None
    last = None if end is None else next(iter(end.dates), None)
    if last is not None and last < first.date():
        return None
    until = "" if last is None else f";UNTIL={last:%Y%m%d}"
    return first, checked_rule(repeat.rule + until), sure


def _first(frame: _Frame, repeat: Repeat, start: Day | None) -> tuple[datetime | None, bool]:
    """The first instant of what comes again, and whether its hour is told."""
    clock, part = frame.clock(), frame.part(repeat.part, start.part if start else None)
    if repeat.unit in _ELAPSED and clock is None and start is None:
        step = timedelta(seconds=_ELAPSED[repeat.unit] * repeat.interval)
        return (frame.said_at.astimezone(UTC) + step).astimezone(frame.zone), True
    minute, sure = frame.hours.of(part), False
    if clock is not None:
        dial = frame.told.language.dial
        minute, sure = minutes_of(clock, part, of_a_day=True, dial=dial)[0]
    begins = frame.at(_begins(frame, repeat, start), minute % _DAY)
    # "Every other Friday" begins with the next Friday, whichever week that is in.
    rule = replace(repeat, interval=1).rule if repeat.by else repeat.rule
    # What comes again is kept by the speaker's clocks: another zone's would drift against them.
    sure = sure and frame.other_zone() is None
    return next_after(rule, begins, frame.said_at, frame.zone), sure


def _begins(frame: _Frame, repeat: Repeat, start: Day | None) -> date:
    today = frame.said.today
    if start is not None:
        return next(iter(start.dates), today)
    if repeat.by or repeat.unit in _ELAPSED or (repeat.unit, repeat.interval) == ("days", 1):
        return today
    return later(today, repeat.interval, repeat.unit)
