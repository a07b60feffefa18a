"""Dates that a sentence names absolutely, and since when and until when something holds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import cache

from mnemic.cognition.facts.words import words


@dataclass(frozen=True, slots=True)
class Bounds:
    """Since and until when, as "2019", "2019-05" or "2019-05-01"; both included."""

    since: str | None = None
    until: str | None = None


NO_BOUNDS = Bounds()


@cache
def _month() -> str:
    return "|".join(sorted(words().months, key=len, reverse=True))


@cache
def date_pattern() -> str:
    """A date with its year, as the inside of a regular expression without groups."""
    month, day, year = _month(), r"\d{1,2}(?:st|nd|rd|th)?", r"(?:19|20)\d\d"
    return (
        rf"(?:{year}-\d\d(?:-\d\d)?|(?:{month})\.? {day},? {year}"
        rf"|(?:the )?{day} (?:of )?(?:{month})\.?,? {year}|(?:{month})\.?,? {year}|{year})(?![\d-])"
    )


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    one, soft = (
        date_pattern(),
        r"(?:the |early |late |mid-?|spring |summer |autumn |fall |winter )*",
    )
    return (
        re.compile(
            rf"\b(?:from|between) {soft}({one}) (?:to|until|till|and|through) {soft}({one})", re.I
        ),
        re.compile(rf"\b(?:since|starting in|starting from|as of) {soft}({one})", re.I),
        re.compile(rf"\b(?:until|till|up to) {soft}({one})", re.I),
        re.compile(rf"\b(?:in|on|back in) {soft}({one})", re.I),
    )


def find_bounds(text: str, *, at: str) -> Bounds:
    """The bounds in a piece of a sentence.

    Args:
        text: the piece.
        at: what a plain date ("in 2019") stands for: "since", "until", "both" or "none".
    """
    if not any(char.isdigit() for char in text):
        return NO_BOUNDS
    between, since, until, plain = _patterns()
    if found := between.search(text):
        return Bounds(iso_date(found[1]), iso_date(found[2]))
    first, last = since.search(text), until.search(text)
    if first or last:
        return Bounds(
            iso_date(first[1]) if first else None,
            iso_date(last[1]) if last else None,
        )
    if at != "none" and (found := plain.search(text)):
        day = iso_date(found[1])
        return Bounds(
            day if at in ("since", "both") else None, day if at in ("until", "both") else None
        )
    return NO_BOUNDS


_NUMBERS = re.compile(r"\d+")


def iso_date(text: str) -> str | None:
    """A date with its year in ISO form, as exact as it was named; None if there is no such day."""
    if re.fullmatch(r"\d{4}(?:-\d\d){0,2}", text):
        return text if _exists(text) else None
    numbers = [int(number) for number in _NUMBERS.findall(text)]
    name = re.search(rf"\b({_month()})\b", text, re.I)
    if name is None or not numbers:
        return None
    month = int(words().months[name[1].lower()])
    year = next((number for number in numbers if number > 999), None)
    day = next((number for number in numbers if number <= 999), None)
    written = f"{year:04d}-{month:02d}" if year is not None else f"--{month:02d}"
    if day is not None:
        written += f"-{day:02d}"
    return written if _exists(written) else None


def _exists(written: str) -> bool:
    """Whether the calendar has such a day; a day without a year may be of a leap year."""
    full = written.replace("--", "2000-", 1) if written.startswith("--") else written
    try:
        date.fromisoformat(full + "-01-01"[: max(0, 10 - len(full))])
    except ValueError:
        return False
    return True
