"""The days that a question names: "in May 2023", "two weeks ago", "last Saturday".

Which words say so is data of each language (``data``); what they come to is here. A range is a
little wider than the words: people remember days as near, not exact.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

Range = tuple[date, date]
"""First and last day, both included."""

_KINDS = ("month", "ago", "past", "weekday", "yesterday")
_WORDS = ("months", "weekdays", "numbers", "units")
KEYS = frozenset({*_KINDS, *_WORDS, "doubtful", "before_month"})

_LONGEST = 2_000
"""Characters of a question that are read for dates."""

_AFTER_MONTH = timedelta(days=6)
"""What happened at the end of a month is told in the next."""

_LEAP_YEARS = 8
"""At most so many years lie between two leap years."""

_SLACK = {1: 1, 7: 3, 31: 12, 365: 60}
"""Days by which "so many units ago" may be off, either way."""


@dataclass(frozen=True, slots=True)
class DateWords:
    """The words of one language that name days.

    Args:
        words: names of months (1 to 12), weekdays (Monday is 0), numbers, and units (in days).
        doubtful: months that are other words as well.
        before_month: words after which a doubtful month is one.
        patterns: by kind, what finds it; `<month>`, `<weekday>`, `<number>`, `<unit>` stand for
            one of the words.
    """

    words: Mapping[str, Mapping[str, int]]
    doubtful: frozenset[str]
    before_month: frozenset[str]
    patterns: Mapping[str, Sequence[re.Pattern[str]]] = field(default_factory=dict)


def read_date_words(data: Mapping[str, Any]) -> DateWords:
    """The value of the key `dates` of a language's file.

    Raises:
        ValueError: it has a key that nothing reads.
    """
    if unknown := data.keys() - KEYS:
        raise ValueError(f"unknown keys {sorted(unknown)} in 'dates'; use {sorted(KEYS)}")
    words = {kind: dict(data.get(kind, {})) for kind in _WORDS}
    patterns = {
        kind: tuple(_compiled(pattern, words) for pattern in data.get(kind, ())) for kind in _KINDS
    }
    return DateWords(
        words,
        frozenset(data.get("doubtful", "").split()),
        frozenset(data.get("before_month", "").split()),
        patterns,
    )


def _compiled(pattern: str, words: Mapping[str, Mapping[str, int]]) -> re.Pattern[str]:
    for kind, values in words.items():
        name = kind.removesuffix("s")
        # The longest first: "a couple of" before "a".
        several = "|".join(re.escape(word) for word in sorted(values, key=len, reverse=True))
        one = rf"\b(?P<{name}>{several})\b" if name != "number" else rf"\b(?P<{name}>\d+|{several})"
        pattern = pattern.replace(f"<{name}>", one if name != "unit" else rf"(?P<unit>{several})")
    return re.compile(pattern, re.IGNORECASE)


def date_ranges(text: str, today: date, several: Sequence[DateWords]) -> list[Range]:
    """The days that a text names; `today` is the day it was asked."""
    read = text[:_LONGEST]
    return [found for words in several for found in _ranges(read, today, words)]


def _ranges(text: str, today: date, words: DateWords) -> Iterator[Range]:
    finders: Mapping[str, Callable[[re.Match[str], date, DateWords], Range | None]] = {
        "month": _month,
        "ago": _ago,
        "past": _past,
        "weekday": _weekday,
        "yesterday": _yesterday,
    }
    for kind, finder in finders.items():
        for match in _matches(text, words.patterns.get(kind, ())):
            try:
                found = finder(match, today, words)
            except (KeyError, ValueError, OverflowError):
                continue  # a word in letters of another alphabet, 30 February, a million years ago
            if found is not None:
                yield found


def _matches(text: str, patterns: Sequence[re.Pattern[str]]) -> list[re.Match[str]]:
    """Those that do not overlap, the longest first: "8 May 2023" is not all of May."""
    found = [match for pattern in patterns for match in pattern.finditer(text)]
    found.sort(key=lambda match: match.start() - match.end())
    kept: list[re.Match[str]] = []
    for match in found:
        if all(match.end() <= other.start() or match.start() >= other.end() for other in kept):
            kept.append(match)
    return kept


def _month(match: re.Match[str], today: date, words: DateWords) -> Range | None:
    name = match["month"].lower()
    before = match.string[: match.start("month")].lower().replace("-", " ").split()
    told = match["day"] or match["year"] or (before and before[-1] in words.before_month)
    if name in words.doubtful and not told:
        return None
    month = words.words["months"][name]
    if match["day"]:
        day = _day(match["year"], month, int(match["day"]), today)
        return None if day is None else (day - timedelta(days=1), day + timedelta(days=3))
    year = int(match["year"] or today.year)
    if not match["year"] and (year, month) > (today.year, today.month):
        year -= 1
    after = date(year + month // 12, month % 12 + 1, 1)
    return date(year, month, 1), after + _AFTER_MONTH


def _day(year: str | None, month: int, day: int, today: date) -> date | None:
    """A day of a year; without a year the last such day there was, 29 February included."""
    if year is not None:
        return date(int(year), month, day)
    for back in range(_LEAP_YEARS + 1):
        try:
            found = date(today.year - back, month, day)
        except ValueError:
            continue
        if found <= today:
            return found
    return None


def _ago(match: re.Match[str], today: date, words: DateWords) -> Range | None:
    unit = words.words["units"][match["unit"].lower()]
    then = today - timedelta(days=_number(match["number"], words) * unit)
    slack = timedelta(days=_SLACK.get(unit, unit // 3))
    return then - slack, then + slack


def _past(match: re.Match[str], today: date, words: DateWords) -> Range | None:
    unit = words.words["units"][match["unit"].lower()]
    count = _number(match["number"], words) if match["number"] else 1
    return today - timedelta(days=count * unit + unit // 3), today


def _weekday(match: re.Match[str], today: date, words: DateWords) -> Range | None:
    back = (today.weekday() - words.words["weekdays"][match["weekday"].lower()]) % 7 or 7
    then = today - timedelta(days=back)
    return then, then + timedelta(days=2)


def _yesterday(_match: re.Match[str], today: date, _words: DateWords) -> Range:
    return today - timedelta(days=1), today


def _number(word: str, words: DateWords) -> int:
    return int(word) if word.isdigit() else words.words["numbers"][word.lower()]
