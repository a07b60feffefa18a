"""Where a text tells a time, and in how many words: patterns found, and those that belong together.

"Tomorrow at 5" is told in two parts, a day and a clock; "the 15th of every month at noon" too. A
part that is weak, such as a lone "Friday", tells a time only beside another part. What these
parts come to is not said here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mnemic.cognition.prospect.words import Folded, Language, folded, languages

LONGEST = 2_000
"""Characters of a text that are read."""

NO_TIME = "none"
"""The kind of what looks like a time and is none: "good morning"."""

PAST = "past"
"""The kind of what is no time ahead: "last Friday", and the hour beside it."""

CLOCKS = frozenset({"clock", "clockword", "range", "pasthour", "tohour"})
PARTS = frozenset({"part"})
ZONES = frozenset({"zone"})
RULES = frozenset(
    "eachunit eachweekday workdays weekends eachpart eachmonthday eachnth eachlast eachdate"
    " adverb".split()
)
_SENTENCE = re.compile(r"[.!?;]+(?=\s|\Z)|\n")


@dataclass(frozen=True, slots=True)
class Part:
    """A pattern found.

    Args:
        kind: its kind.
        weak: whether it tells a time only beside another.
        found: what was found, in the folded text.
    """

    kind: str
    weak: bool
    found: re.Match[str]

    @property
    def role(self) -> str:
        """What it tells: a clock, a part of the day, a zone, what comes again, or a day."""
        for role, kinds in (("clock", CLOCKS), ("part", PARTS), ("zone", ZONES), ("rule", RULES)):
            if self.kind in kinds:
                return role
        return "day"


@dataclass(frozen=True, slots=True)
class Told:
    """One time that a text tells.

    Args:
        language: in which.
        parts: its parts, in the order of the text.
        spans: where they stand in the original text.
        ends: whether words before the last day say that something comes again until then.
    """

    language: Language
    parts: tuple[Part, ...]
    spans: tuple[tuple[int, int], ...]
    ends: bool

    def of(self, role: str) -> tuple[Part, ...]:
        """The parts of one role."""
        return tuple(part for part in self.parts if part.role == role)


def told(text: str) -> list[Told]:
    """The times that a text tells, in their order, in the language that most of its words fit."""
    read = folded(text[:LONGEST])
    best: list[Told] = []
    most = 0
    for language in languages():
        groups = list(_grouped(_parts(read.text, language), read.text, language))
        letters = sum(len(part.found[0]) for group in groups for part in group)
        if letters > most:
            most = letters
            best = list(_told([group for group in groups if _ahead(group)], read, language))
    return best


def _ahead(group: Sequence[Part]) -> bool:
    return all(part.kind not in (NO_TIME, PAST) for part in group)


def _told(groups: list[list[Part]], read: Folded, language: Language) -> Iterator[Told]:
    while groups:
        parts = groups.pop(0)
        if other := _missing(parts, groups, read.text):
            groups.remove(other)
            parts = [*parts, *other]
        yield _as_told(parts, read, language)


def _as_told(parts: Sequence[Part], read: Folded, language: Language) -> Told:
    days = [part for part in parts if part.role == "day"]
    before = read.text[: days[-1].found.start()] if days else ""
    ends = bool(days) and _says_until(days[-1], before, language)
    spans = tuple(read.span(*part.found.span()) for part in parts)
    return Told(language, tuple(parts), spans, ends)


def _says_until(day: Part, before: str, language: Language) -> bool:
    """Whether the word stands before the day, or is the first of its own."""
    first = day.found[0].split()[0]
    return any(language.until.search(text) is not None for text in (before, f"{first} "))


def _parts(text: str, language: Language) -> list[Part]:
    """Those that do not overlap; of those that do, the longest."""
    found = [
        Part(pattern.kind, pattern.weak, match)
        for pattern in language.patterns
        for match in pattern.finds.finditer(text)
    ]
    found.sort(key=lambda part: (part.found.start() - part.found.end(), part.weak))
    kept: list[Part] = []
    for part in found:
        start, end = part.found.span()
        if all(end <= other.found.start() or start >= other.found.end() for other in kept):
            kept.append(part)
    return sorted(kept, key=lambda part: part.found.start())


def _grouped(parts: Sequence[Part], text: str, language: Language) -> Iterator[list[Part]]:
    """Parts that stand beside each other; a weak one that stands alone is left out."""
    groups: list[list[Part]] = []
    for part in parts:
        if groups and _joined(groups[-1], part, text, language):
            groups[-1].append(part)
        else:
            groups.append([part])
    for group in groups:
        if len(group) > 1 or not group[0].weak:
            yield group


def _joined(group: Sequence[Part], part: Part, text: str, language: Language) -> bool:
    if NO_TIME in (part.kind, group[-1].kind):
        return False
    between = text[group[-1].found.end() : part.found.start()]
    if re.fullmatch(language.joints, between) is None and not language.until.search(between + " "):
        return False
    if part.role == "day" or all(part.role != other.role for other in group):
        return True
    # Two clocks, or two things that come again, are two times; "weekly on Mondays" is one.
    return part.kind == "eachweekday" and group[-1].kind in ("adverb", "eachunit")


def _missing(parts: Sequence[Part], groups: Sequence[list[Part]], text: str) -> list[Part] | None:
    """The clock to a day, or the day to a clock, from elsewhere in the same sentence.

    Only if there is one: in "remind me at 9 to call Marta on Tuesday" they belong together.
    """
    end = _SENTENCE.search(text, parts[-1].found.end())
    near = [group for group in groups if end is None or group[0].found.start() < end.start()]
    if len(near) == 1 and _timed(parts) != _timed(near[0]):
        clock = parts if _timed(parts) else near[0]
        if all(part.role in ("clock", "part", "zone") for part in clock):
            return near[0]
    return None


def _timed(parts: Sequence[Part]) -> bool:
    return any(part.role == "clock" for part in parts)
