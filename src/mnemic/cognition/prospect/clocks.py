"""Hours that a text tells: which minute of the day is meant, and how sure that is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mnemic.cognition.prospect.words import Language

_HOUR = 60
_HALF = 12 * _HOUR
_DAY = 24 * _HOUR
_SMALL_HOURS = 4


@dataclass(frozen=True, slots=True)
class Hours:
    """The hours, in local time, that stand for a day or a part of it where none is told.

    Our convention: a reminder should come while something can still be done about it.

    Args:
        day: a day.
        morning: its morning.
        noon: its noon.
        afternoon: its afternoon.
        evening: its evening.
        night: its night.
    """

    day: int = 9
    morning: int = 9
    noon: int = 12
    afternoon: int = 15
    evening: int = 19
    night: int = 21

    def of(self, part: str | None) -> int:
        """The minute of the day that stands for a part of it, or for the day."""
        return _HOUR * int(getattr(self, part or "day"))

    def in_order(self) -> Iterator[int]:
        """The minutes that stand for the parts of a day."""
        return (self.of(part) for part in ("morning", "afternoon", "evening", "night"))


HOURS = Hours()


@dataclass(frozen=True, slots=True)
class Clock:
    """A told hour.

    Args:
        minute: of the day, as it is told.
        sure: whether it is told by a clock of 24 hours or with its half of the day; else the same
            place on the dial, half a day later, may be meant.
    """

    minute: int
    sure: bool


def clock_of(kind: str, found: re.Match[str], language: Language) -> Clock | None:
    """The hour that a part of a text tells; None if no clock shows it."""
    groups = found.groupdict()
    if kind == "clockword":
        return Clock(_HOUR * int(language.means("clockword", found["clockword"])), sure=True)
    hour = int(language.means("hour", found["hour"]))
    minute = int(groups.get("mm") or 0)
    if kind in ("pasthour", "tohour"):
        past = int(language.means("minute", found["minute"]))
        hour, minute = (hour, past) if kind == "pasthour" else (hour - 1 or 12, _HOUR - past)
    return _clock(hour, minute, groups, found["hour"])


def _clock(hour: int, minute: int, groups: dict[str, str | None], told: str) -> Clock | None:
    half = groups.get("half")
    if half and hour <= 12:
        to = groups.get("to")
        if to and half == "p" and hour > int(to):
            half = "a"  # from 11 to 1 pm
        return Clock((hour % 12) * _HOUR + minute + _HALF * (half == "p"), sure=True)
    if hour * _HOUR + minute > _DAY:
        return None
    written_out = told.startswith("0") or hour > 12 or hour == 0
    return Clock(hour * _HOUR + minute, written_out or bool(groups.get("exact")))


def minutes_of(
    clock: Clock, part: str | None, *, of_a_day: bool, dial: frozenset[int]
) -> list[tuple[int, bool]]:
    """The minutes that a told hour may mean, counted from midnight before the day it belongs to.

    Args:
        clock: the hour.
        part: the part of the day that is told.
        of_a_day: whether the day is told.
        dial: the hours that, told without more, are those of the afternoon.

    Returns:
        Each with whether it is sure; the first that lies ahead is meant.
    """
    told = clock.minute
    if told >= 13 * _HOUR:
        return [(told, True)]
    if part is not None:
        return [(_in_part(told, part), True)]
    if clock.sure:
        return [(told, True)]
    later = (told + _HALF) % _DAY
    if not of_a_day:
        return sorted([(told, False), (later, False)])
    if told // _HOUR in dial:
        return [(later, False)]
    return [(told, True), (later, False)]


def _in_part(told: int, part: str) -> int:
    if part == "morning":
        return told % _HALF if told >= _HALF + _HOUR else told
    if part != "afternoon" and told % _HALF < _SMALL_HOURS * _HOUR:
        return told % _HALF + _DAY  # tonight at 2
    return told % _HALF + _HALF
