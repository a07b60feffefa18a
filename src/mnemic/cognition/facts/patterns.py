"""Kinds of values that a pattern of characters tells: dates, hours, sums, numbers, addresses."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache

from mnemic.cognition.facts.bounds import date_pattern
from mnemic.cognition.facts.words import words

_HOUR = r"(?:\d{1,2}(?::\d\d)? ?[ap]\.?m\b\.?|\d{1,2}:\d\d\b|noon\b|midnight\b)"
_NUMBER = r"\d(?:[\d.,]*\d)?k?"
_EACH = (
    r"(?: ?(?:/|per|a|each|every) ?(?:hour|day|night|week|month|year)| monthly| weekly| yearly)?"
)


@cache
def _date() -> re.Pattern[str]:
    month = "|".join(words().months)
    day = r"\d{1,2}(?:st|nd|rd|th)?"
    return re.compile(
        rf"{date_pattern()}|(?:{month})\.? {day}\b|(?:the )?{day} (?:of )?(?:{month})\b"
        r"|\d{1,2}(?:/\d{1,2}/|\.\d{1,2}\.)\d{2,4}\b",
        re.I,
    )


@cache
def _day() -> re.Pattern[str]:
    days = "|".join(words().days)
    one = rf"(?:{days})\b"
    which = r"(?:(?:the )?(?:first|second|third|fourth|last|other|every|every other) )?"
    return re.compile(
        rf"{which}{one}(?:(?:,? and |, | & | or ){one})*(?: of (?:the|each|every) month)?"
        rf"|(?:{_date().pattern})",
        re.I,
    )


@cache
def _time() -> re.Pattern[str]:
    return re.compile(_HOUR + r"(?: (?:[A-Z]{2,4}T|UTC|GMT)\b)?", re.I)


@cache
def _money() -> re.Pattern[str]:
    names = words().currencies
    signs = "|".join(re.escape(name) for name in names if not name.isalpha())
    codes = "|".join(name for name in names if name.isalpha())
    before = rf"(?:(?:{signs}|\b(?:{codes})\b) ?{_NUMBER})"
    after = rf"(?:{_NUMBER} ?(?:(?:{signs})|\b(?:{codes})\b))"
    return re.compile(rf"(?:{before}|{after}){_EACH}", re.I)


def _fixed(pattern: str, flags: re.RegexFlag = re.I) -> Callable[[], re.Pattern[str]]:
    compiled = re.compile(pattern, flags)
    return lambda: compiled


PATTERNS: Mapping[str, Callable[[], re.Pattern[str]]] = {
    "date": _date,
    "day": _day,
    "time": _time,
    "money": _money,
    "age": _fixed(
        r"([2-9]|[1-9]\d|10\d)(?: years? old| y/?o)?(?![\w%/.:°-]*\d| (?:minutes|hours)|[%/:°])\b"
    ),
    "aged": _fixed(r"an? (\d{1,3})[ -]years?[ -]old\b"),
    "number": _fixed(r"\d{1,3}(?:[.,]\d{1,2})?\b"),
    "phone": _fixed(r"\+?\(?\d(?:[ ().\-/]{0,2}\d){6,14}\b"),
    "email": _fixed(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    "address": _fixed(
        r"(?:\d{1,5}[a-z]?,? (?:[A-Z][\w.'-]*,? ?){1,5}|(?:[A-Z][\w.'-]* ){1,4}\d{1,5}[a-z]?\b)"
        r"(?:, ?(?:\d{3,5}|[A-Z][\w-]*)(?: [A-Z\d][\w-]*)*)*",
        re.NOFLAG,
    ),
    "height": _fixed(
        r"(\d{2,3} ?cm|[12][.,]\d{1,2} ?m(?:eters|etres)?|\d ?(?:'|ft|feet|foot) ?(?:\d{1,2})?"
        r"(?:\"| ?in(?:ches)?)?)(?: tall)?(?!\w)"
    ),
    "timezone": _fixed(
        r"(?:(?:UTC|GMT)(?: ?[+-] ?\d{1,2}(?::\d\d)?)?|[A-Z]{3,4}T|CET|[A-Z][a-z]+/[A-Z][A-Za-z_]+"
        r"|(?:Eastern|Central|Mountain|Pacific)(?: (?:Standard |Daylight )?Time)?)(?![\w/])",
        re.NOFLAG,
    ),
    "blood": _fixed(r"(?:AB|A|B|O)(?:[+-]|[ -]?(?:positive|negative))"),
    "pronouns": _fixed(r"(?:she|he|they|it|xe|ze)/\w{2,6}(?:/\w{2,6})?\b"),
}
"""Each kind with its pattern, to be matched from the start of the value on."""
