"""Values in a form that can be compared: "3pm" is "15:00", "€900" is "900 euros".

What a value means is read from the value alone, so that facts given by a caller under a name of
their own are compared alike. Two values match as the same, or one is the other said more exactly
("Lisbon", "Lisbon, Portugal"), or they are others.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import date
from enum import Enum, auto

from mnemic.cognition.facts.bounds import iso_date
from mnemic.cognition.facts.words import words

_AM_PM = re.compile(r"(\d{1,2})(?::(\d\d))? ?([ap])\.?m\.?(?: ([a-z]{2,4}))?")
_CLOCK = re.compile(r"(\d{1,2}):(\d\d)(?: ([a-z]{2,4}))?")
_SUM = re.compile(r"(\D*?) ?(\d(?:[\d.,]*\d)?)(k?) ?(\D*)")
_MEASURE = re.compile(r"(\d+(?:[.,]\d+)?) ?([a-z]+)\.?(?: tall)?")
_FEET = re.compile(
    r"(\d) ?(?:'|ft\.?|feet|foot) ?(?:(\d{1,2}) ?(?:\"|''|in\.?|inches)?)?(?: tall)?"
)
_PHONE = re.compile(r"\+?[\d(][\d ().\-/]*\d")
_YEARS = re.compile(r"(\d{1,3})(?: years?(?: old)?| ?y/?o)?")
_SHORT_DATE = re.compile(r"(\d{1,2})([/.])(\d{1,2})\2(\d{4})")
_DATE_WORDS = re.compile(r"[\s,.]+|\d+(?:st|nd|rd|th)?|\b(?:of|the|on|in)\b")
_PER = re.compile(r"(?:/|\b(?:per|a|each|every)\b) ?(\w+)|\b(hour|dai|week|month|year)ly\b")
_ARTICLES = frozenset({"a", "an", "the"})
_FILLERS = _ARTICLES | {"every", "on", "each", "at"}
_FIRM_ENDS = frozenset("inc ltd llc gmbh corp co plc ag".split())
_SHORTEST_PHONE = 7


class Match(Enum):
    """How a new value stands to an old one."""

    SAME = auto()
    NARROWER = auto()
    """The new one says the old one more exactly."""
    WIDER = auto()
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class Value:
    """A value, read.

    Args:
        kind: what it was read as: "time", "money", "date", "short date", "phone", "measure",
            "number" or "words".
        parts: what has to be equal; of words, the words in their order.
        further: what may be left out: a zone, "a month".
        commas: of words, how many stand before the first comma.
        days: of words, that all of them are days of the week.
    """

    kind: str
    parts: tuple[str, ...]
    further: str = ""
    commas: int = 0
    days: bool = False


def match(old: str, new: str) -> Match:
    """How a new value stands to an old one, both as they were said."""
    first, second = read_value(old), read_value(new)
    if {first.kind, second.kind} == {"date", "short date"}:
        return Match.SAME if set(first.parts) & set(second.parts) else Match.OTHER
    if first.kind != second.kind:
        return Match.OTHER
    if first.kind == "words":
        return _match_words(first, second)
    if first.kind == "date":
        return _match_dates(first.parts[0], second.parts[0])
    if first.kind == "phone":
        return _match_phones(first.parts[0], second.parts[0])
    if first.parts != second.parts:
        return Match.OTHER
    return _match_further(first.further, second.further)


def read_value(value: str) -> Value:
    """A value as what it most likely is."""
    text = " ".join(unicodedata.normalize("NFKC", value).lower().replace("’", "'").split())
    text = text.strip(" .,;:!") if not text.endswith("m.") else text
    if any(char.isdigit() for char in text) or text in words().numbers:
        for read in (_time, _date, _measure, _money, _phone, _age):
            found = read(text)
            if found is not None:
                return found
    return _words(value)


def _time(text: str) -> Value | None:
    named = words().numbers.get(text, "")
    if ":" in named:
        return Value("time", (f"{int(named[:-3])}", named[-2:]))
    if found := _AM_PM.fullmatch(text):
        hour = int(found[1]) % 12 + (12 if found[3] == "p" else 0)
        return Value("time", (str(hour), found[2] or "00"), found[4] or "")
    if found := _CLOCK.fullmatch(text):
        return Value("time", (str(int(found[1])), found[2]), found[3] or "")
    return None


def _date(text: str) -> Value | None:
    if found := _SHORT_DATE.fullmatch(text):
        return _short_date(int(found[1]), int(found[3]), int(found[4]))
    rest = _DATE_WORDS.sub(" ", text).split()
    if re.fullmatch(r"(?:19|20)\d\d(?:-\d\d(?:-\d\d)?)?", text) or (
        len(rest) == 1 and rest[0] in words().months
    ):
        iso = iso_date(text)
        return Value("date", (iso,)) if iso else None
    return None


def _short_date(one: int, two: int, year: int) -> Value | None:
    """A date of two numbers and a year; both readings where either number could be the month."""
    readings = []
    for day, month in ((one, two), (two, one)):
        try:
            readings.append(date(year, month, day).isoformat())
        except ValueError:
            continue
    if len(set(readings)) == 1:
        return Value("date", (readings[0],))
    return Value("short date", tuple(readings)) if readings else None


def _measure(text: str) -> Value | None:
    if found := _FEET.fullmatch(text):
        height = int(found[1]) * 30.48 + int(found[2] or 0) * 2.54
        return Value("measure", ("cm", str(round(height))))
    found = _MEASURE.fullmatch(text)
    unit = words().units.get(found[2]) if found else None
    if found is None or unit is None:
        return None
    name, _, factor = unit.partition("*")
    amount = float(found[1].replace(",", ".")) * float(factor)
    return Value("measure", (name, f"{round(amount, 1):g}"))


def _money(text: str) -> Value | None:
    found = _SUM.fullmatch(text)
    if found is None:
        return None
    around = f"{found[1]} {found[4]}"
    per = _PER.search(around)
    names = words().currencies
    said = _PER.sub(" ", around).split()
    if not said or any(word not in names for word in said):
        return None
    amount = _amount(found[2]) * (1000 if found[3] else 1)
    each = (per[1] or per[2]).replace("dai", "day") if per else ""
    return Value("money", (names[said[0]], f"{amount:.2f}"), each)


def _amount(written: str) -> float:
    """A number however its thousands are parted: "1,200.50", "1.200,50", "1.200"."""
    last = max(written.rfind(","), written.rfind("."))
    if last == -1:
        return float(written)
    decimals = len(written) - last - 1
    whole = re.sub(r"[.,]", "", written[:last])
    if decimals == 3:
        return float(whole + written[last + 1 :])
    return float(f"{whole}.{written[last + 1 :]}")


def _phone(text: str) -> Value | None:
    digits = "".join(char for char in text if char.isdigit())
    if not _PHONE.fullmatch(text) or len(digits) < _SHORTEST_PHONE:
        return None
    return Value("phone", (digits.removeprefix("00"),))


def _age(text: str) -> Value | None:
    found = _YEARS.fullmatch(text)
    return Value("number", (str(int(found[1])),)) if found else None


def _words(value: str) -> Value:
    lists = words()
    found: list[str] = []
    commas = 0
    for token in unicodedata.normalize("NFKC", value).replace("’", "'").split():
        bare = token.strip(" .,;:!?'\"()")
        word = _word(bare)
        if word and not (word in _FIRM_ENDS and found):
            found.append(word)
        if token.endswith(",") and not commas:
            commas = len(found)
    while len(found) > 1 and (found[0] in _FILLERS or found[:2] in _SET_BEFORE):
        found = found[2:] if found[:2] in _SET_BEFORE and len(found) > 2 else found[1:]
    line = _joined(" ".join(found)) or value.strip()
    days = set(lists.days.values()) | {"and", "or"}
    return Value("words", tuple(line.split()), "", commas, bool(found) and days >= set(found))


_SET_BEFORE = (["city", "of"], ["town", "of"], ["village", "of"])


def _word(written: str) -> str:
    """A word without accents, in one spelling, and in the singular unless it is a name."""
    lists = words()
    plain = "".join(
        char for char in unicodedata.normalize("NFKD", written) if not unicodedata.combining(char)
    )
    word = plain.casefold()
    for known in (lists.days, lists.spellings, lists.numbers):
        if word in known:
            return known[word]
    if written.islower() and len(word) > 3 and word.endswith("s") and word[-2] not in "sui'":
        return word[:-3] + "y" if word.endswith("ies") and len(word) > 4 else word[:-1]
    return word


def _joined(line: str) -> str:
    """Names that hold another name made one word: New York is no York."""
    for name, one in words().joined.items():
        if name in line:
            line = re.sub(rf"\b{name}\b", one, line)
    return line


def _match_words(old: Value, new: Value) -> Match:
    if old.parts == new.parts:
        return Match.SAME
    if old.days and new.days:
        inner, outer = sorted((_days(old), _days(new)), key=len)
        if inner == outer:
            return Match.SAME
        return Match.NARROWER if inner < outer else Match.OTHER
    if _within(old.parts, new.parts):
        return Match.NARROWER
    return Match.WIDER if _within(new.parts, old.parts) else Match.OTHER


def _days(value: Value) -> set[str]:
    return set(value.parts) - {"and", "or"}


def _within(inner: tuple[str, ...], outer: tuple[str, ...]) -> bool:
    """Whether words begin or end others."""
    length = len(inner)
    return 0 < length < len(outer) and inner in (outer[:length], outer[-length:])


def _match_dates(old: str, new: str) -> Match:
    if old == new:
        return Match.SAME
    if _date_within(old, new):
        return Match.NARROWER
    return Match.WIDER if _date_within(new, old) else Match.OTHER


def _date_within(short: str, long: str) -> bool:
    """Whether a date says another one with less: "2019", or "5 May" without its year."""
    if short.startswith("--"):
        return not long.startswith("--") and long[5:] == short[2:]
    return len(short) < len(long) and long.startswith(short)


def _match_phones(old: str, new: str) -> Match:
    """Numbers with and without the code of their country."""
    if old == new:
        return Match.SAME
    short, long = sorted((old.removeprefix("0"), new.removeprefix("0")), key=len)
    return Match.SAME if len(short) >= _SHORTEST_PHONE and long.endswith(short) else Match.OTHER


def _match_further(old: str, new: str) -> Match:
    if old == new:
        return Match.SAME
    if old and new:
        return Match.OTHER
    return Match.NARROWER if new else Match.WIDER
