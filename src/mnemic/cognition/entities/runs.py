"""Runs of words with capitals, and the parts of them that may be names.

One regular expression finds the runs; it never looks at a character more than a few times, so
that finding is linear in the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise

from mnemic.cognition.entities.lists import Language, Names, names, peoples

_LETTERS = (range(0x41, 0x250), range(0x370, 0x588), range(0x1E00, 0x2000))
"""Where scripts that have capitals stand: Latin, Greek, Cyrillic, Armenian."""

_POSSESSIVE = ("'s", "’s")
_MOST_LETTERS = 40
_ACRONYM = 5
_MORE_DIGITS = 8
_ELISION = re.compile(r"(?:d|l|dell)['’](?=\w)")
_JOINED = re.compile(r"[DO]['’][^\W\d_a-z]")
"""How names begin as "O'Brien" does."""
_QUARTER = re.compile(r"[QH][1-4]|[A-Z]{1,3}\d{5,}")


@cache
def capital_runs() -> re.Pattern[str]:
    """Finds words with capitals that follow each other, with the small words between them."""
    capitals = [chr(code) for span in _LETTERS for code in span if chr(code).isupper()]
    up = f"[{''.join(capitals)}]"
    short = r"(?:r|rs|s|rof|t|ra|rta|me|lle|ott|ig)\.(?= \w)"
    initials = r"(?:\.U)+\.?(?!\w)|\.(?= U)"
    word = r"\w*(?:['’][^\W\d]\w*|-\w+|\.[a-z0-9]\w*|&U\w*)*"
    rest = f"(?:{short}|{initials}|{word})"
    number = r"\d{1,4}(?:\.\d{1,2})?(?![\w:%€£$/-]|[.,]\d)"
    within = f"(?:(?:{'|'.join(sorted(names().particles))}) )"
    elided = "(?:d['’]|dell['’]|l['’])?"
    first = r"(?<![\w@#$\\].)|(?<=\b[ie].)|(?<=\bmac.)"
    run = f"U(?:{first}){rest}(?:(?: {within}{{0,2}}{elided}| & )(?:U{rest}|{number})){{0,7}}"
    return re.compile(run.replace("U", up))


@dataclass(slots=True)
class Part:
    """Words of a run that may be a name together.

    Args:
        start: where it begins in the line.
        words: with the small words between them.
        titled: a title stands before it: it is a person's.
        opens: its first word is the first of a sentence.
        owns: a possessive stands after it.
    """

    start: int
    words: list[str] = field(default_factory=list)
    titled: bool = False
    opens: bool = False
    owns: bool = False

    @property
    def label(self) -> str:
        """The part as it is written."""
        return " ".join(self.words)

    def without_first(self) -> Part:
        """The rest of it, behind the first word and the small ones that follow."""
        at = 1
        while at < len(self.words) - 1 and self.words[at][0].islower():
            at += 1
        skipped = sum(len(word) + 1 for word in self.words[:at])
        return Part(self.start + skipped, self.words[at:], owns=self.owns)


def only_part(word: str, start: int, opens: bool, language: Language) -> Part | None:
    """The part that a run of one word of letters is; None for a plain word."""
    low = word.lower()
    if low in language.never or low in language.titles or len(word) > _MOST_LETTERS:
        return None
    plain = low in (language.ordinary if opens else language.marks)
    if plain and (low not in names().given or (opens and low in language.marks)):
        return None
    return Part(start, [word], opens=opens)


def parts_of(run: str, start: int, opens: bool, language: Language) -> list[Part]:
    """The parts of a run, cut where a word cannot be part of a name."""
    splitter = _Splitter(start, opens, language)
    at = start
    words = run.split(" ")
    for word, after in zip(words, [*words[1:], ""], strict=True):
        if word:
            splitter.take(word, at, after)
        at += len(word) + 1
    splitter.flush()
    return splitter.parts


class _Splitter:
    """Goes through the words of one run.

    Args:
        start: of the run in its line.
        opens: the run opens a sentence.
        language: of the text.
    """

    def __init__(self, start: int, opens: bool, language: Language) -> None:
        self.parts: list[Part] = []
        self._lists = names()
        self._language = language
        self._opens_at = start if opens else -1
        self._part: Part | None = None
        self._between: list[tuple[str, int]] = []
        self._titled = False

    def take(self, word: str, at: int, after: str) -> None:
        """The next word, where it stands, and what comes after it in the run."""
        if word == "&" or (word[0].islower() and word in self._lists.particles):
            self._between.append((word, at))
            return
        if self._part is None and (elision := _ELISION.match(word)):
            at += elision.end()
            word = word[elision.end() :]
        owns = word.endswith(_POSSESSIVE)
        bare = trimmed(word[:-2] if owns else word)
        low = bare.lower()
        if self._part is not None and self._part.owns:
            self._after_owner(low)
        if word[0].isdigit():
            self._number(word)
        elif self._part is None and low.rstrip(".") in self._language.titles:
            self._titled = bool(after)
        elif not bare or self._is_never(low, after) or self._is_small(low, at):
            self.flush()
            self._titled = False
        else:
            self._join(bare, at)
            assert self._part is not None
            self._part.owns = owns
            if bare != word and not owns:
                self.flush()

    def _after_owner(self, low: str) -> None:
        """The word after a possessive: the name goes on only to "St. Mary's School"."""
        assert self._part is not None
        if low in self._lists.heads and not self._between and len(self._part.words) > 1:
            self._part.words[-1] += "'s"
        else:
            self.flush()

    def _is_never(self, low: str, after: str) -> bool:
        """Whether a word names nothing, and is no first word of a name: "British Museum"."""
        if low not in self._language.never:
            return False
        return after.lower() not in self._lists.heads or low not in peoples()

    def _is_small(self, low: str, at: int) -> bool:
        """Whether it is a plain word that has its capital from the place where it stands."""
        head = low.replace("’", "'").partition("'")[0]
        plain = self._language.ordinary if at == self._opens_at else self._language.marks
        if low in self._lists.given:
            return at == self._opens_at and low in self._language.marks
        return head in plain and (len(head) > 1 or head == low)

    def _number(self, word: str) -> None:
        if self._part is not None and _takes_number(self._part.words[-1], self._lists):
            self._part.words += [*self._small(), word]
            self._between = []
        else:
            self.flush()

    def _join(self, word: str, at: int) -> None:
        if self._part is not None and self._between and not self._holds():
            self.flush()
        if self._part is None:
            noble = self._titled and all(small in self._language.noble for small in self._small())
            if not noble:
                self._between = []
            start = self._between[0][1] if self._between else at
            self._part = Part(start, titled=self._titled, opens=at == self._opens_at)
        self._part.words += [*self._small(), word]
        self._between = []
        self._titled = False

    def _small(self) -> list[str]:
        return [word for word, _ in self._between]

    def _holds(self) -> bool:
        """Whether the small words before the next word join it to the part."""
        assert self._part is not None
        head, between = self._part.words[-1].lower(), self._between[0][0]
        if self._language.nouns and between not in ("von", "van", "am", "zu", "&"):
            return False
        if between == "of":
            known = head in self._lists.given or self._part.label.lower() in self._lists.known
            return not (known or head in self._lists.roles or head in self._language.titles)
        return True

    def flush(self) -> None:
        """The part ends here."""
        if self._part is not None:
            if len(self._part.words[-1]) == 2:
                self._part.words[-1] = self._part.words[-1].rstrip(".")  # the sentence's own
            self.parts.append(self._part)
        self._part = None
        self._between = []


def trimmed(word: str) -> str:
    """A word without what is joined to it: "Lisbon-based"; empty for what is no name."""
    if "_" in word or len(word) > _MOST_LETTERS:
        return ""
    if "-" in word:
        head, _, tail = word.partition("-")
        if tail[:1].islower() and tail.isalpha():
            return head if len(head) > 1 else ""
    for mark in ("'", "’"):
        head, found, tail = word.partition(mark)
        if found and len(head) <= 2 and tail[:1].islower():
            return ""  # "C'est", "L'ami"
    return word


def is_acronym(word: str) -> bool:
    """Whether a word is capitals and digits only, and short enough to be no shouting."""
    if not word.isupper() or len(word) < 2:
        return False
    has_digit = any(map(str.isdigit, word))
    return len(word) <= (_MORE_DIGITS if has_digit else _ACRONYM) and not _QUARTER.fullmatch(word)


def is_coined(word: str) -> bool:
    """Whether a word is written as no plain word is: "GitHub", "iPhone", "Node.js"."""
    if (word[1:].islower() and word[1:].isalpha()) or (word.isalpha() and word.isupper()):
        return False
    if is_joined(word):
        return True
    inner = any(before.islower() and after.isupper() for before, after in pairwise(word))
    return (
        inner or (any(map(str.isdigit, word)) and not _QUARTER.fullmatch(word)) or "." in word[2:-1]
    )


def is_joined(word: str) -> bool:
    """Whether a word is a family name as "O'Brien" is."""
    return _JOINED.match(word) is not None


def _takes_number(word: str, lists: Names) -> bool:
    return word.lower() in lists.numbered or is_coined(word)
