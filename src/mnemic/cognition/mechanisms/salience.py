"""How much a sentence says: the words that come back in its text, and names, numbers and dates.

Luhn 1958: words that come back in a text, common ones left aside, show what it is about.
Edmundson 1969: where a sentence stands says something too. This is the account for the gist of a
memory (see `gist`), which has few sentences; left out are Luhn's distances between words and
Edmundson's cue words and titles. The common words left aside are English; in another language
only short words are, which costs a little of the order and nothing else.

Only the start of a text is read, `MOST_SENTENCES` sentences or parts of one: what comes after is
no memory but a pasted document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import islice

MOST_SENTENCES = 400

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # kana and Han
)
_JOINED = _UNSPACED + "\uac00-\ud7af"
"""Scripts in which a name may be followed by a letter that is none of its own."""

_RUN = rf"[^\W{_UNSPACED}]{{1,40}}"
_UNIT = re.compile(rf"[{_UNSPACED}]|{_RUN}(?:(?:['’.:/-]|,(?=\d)){_RUN}){{0,12}}")
"""A word; what is longer is several, so that no text is one word."""

_PAIR = re.compile(rf"(?=([{_UNSPACED}]{{2}}))")
_END = re.compile(r"(?<=[.!?…])[\"'”’»)\]]*\s+|(?<=[。！？])[」』”）]*\s*|\n\s*")
_SHORTENED = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|St|Prof|Jr|Sr|vs|e\.g|i\.e|[A-Z])\.\Z")
_CLAUSE = re.compile(r"(?<=[,;:—–])\s+|(?<=[，；：、])")
_LONGEST_SHORTENED = 8

_COMMON = frozenset(
    "about after again also always because been before being came come could does doing done down "
    "each even ever every from going good have having here into just know like made make many more "
    "most much need never only other over really said same should since some something such than "
    "that their them then there these they thing things this those through told took very want "
    "wanted well went were what when where which while will with would your yours yourself".split()
)
_FEW_LETTERS = 3
_MARK = 2.0
"""What a name, a number or a date weighs, where a word that comes back once weighs 1."""

_START = 0.3
"""What it weighs to be the first sentence; the second has half of it."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, or a part of one that is too long.

    Args:
        text: with the space after it.
        size: its words.
        words: those that may tell what it is about, in lower case.
        marks: names, numbers and dates, in lower case.
        opens: whether a sentence begins with it.
        closes: whether one ends with it.
    """

    text: str
    size: int
    words: frozenset[str]
    marks: frozenset[str]
    opens: bool
    closes: bool


def read(text: str, most_words: int) -> list[Sentence]:
    """The sentences of a text, none longer than `most_words`.

    A longer one is taken in parts of up to half of that: by its clauses, or by words where a
    clause is longer itself.
    """
    first = islice(_pieces(text, most_words), MOST_SENTENCES)
    pieces = [piece for piece in first if _UNIT.search(piece[0])]
    names = {
        unit
        for piece, opens, _ in pieces
        for unit in _UNIT.findall(piece)[opens:]
        if _is_name(unit)
    }
    return [_sentence(piece, opens, closes, names) for piece, opens, closes in pieces]


def weigh(sentence: Sentence, at: int, counts: Mapping[str, int], told: AbstractSet[str]) -> float:
    """How much a sentence says that is not told yet.

    Args:
        sentence: which one.
        at: its place in the text, from 0.
        counts: in how many sentences of the text each word is.
        told: words and marks of the sentences chosen before.
    """
    back = sum(counts[word] - 1 for word in sentence.words - told)
    marked = _MARK * len(sentence.marks - told)
    # By the root, so that neither a long sentence nor a bare name wins by its length alone.
    return float((back + marked) / max(1, sentence.size) ** 0.5 + _START / (1 + at))


def name_pattern(name: str) -> re.Pattern[str]:
    """Finds a name that stands by itself, whatever its capitals."""
    letter = rf"[^\W{_JOINED}]"
    return re.compile(rf"(?<!{letter}){re.escape(name)}(?!{letter})", re.IGNORECASE)


def _sentence(piece: str, opens: bool, closes: bool, names: AbstractSet[str]) -> Sentence:
    units = _UNIT.findall(piece)
    marks = {
        unit.lower()
        for number, unit in enumerate(units)
        if any(sign.isdecimal() for sign in unit)
        or (_is_name(unit) and (number or not opens or unit in names))
    }
    words = {unit.lower() for unit in units if len(unit) > _FEW_LETTERS}
    words.update(found[1] for found in _PAIR.finditer(piece))
    told = frozenset(words - marks - _COMMON)
    return Sentence(piece, len(units), told, frozenset(marks), opens, closes)


def _is_name(unit: str) -> bool:
    """Whether a word is written as a name is, "I" and "I'm" left aside."""
    return unit[:1].isupper() and len(unit) > 1 and unit[1:2] not in ("'", "’")


def _pieces(text: str, most_words: int) -> Iterator[tuple[str, bool, bool]]:
    """Sentences and parts of long ones: the text, and whether it opens and closes a sentence."""
    for sentence in _sentences(text):
        if len(_UNIT.findall(sentence)) <= most_words:
            yield sentence, True, True
            continue
        parts = list(_parts(sentence, max(1, most_words // 2)))
        for number, part in enumerate(parts):
            yield part, number == 0, number == len(parts) - 1


def _sentences(text: str) -> Iterator[str]:
    start = 0
    for end in _END.finditer(text):
        tail = text[max(start, end.start() - _LONGEST_SHORTENED) : end.start()]
        if "\n" not in end[0] and _SHORTENED.search(tail):
            continue
        if end.end() > start:
            yield text[start : end.end()]
        start = end.end()
    if start < len(text):
        yield text[start:]


def _parts(sentence: str, most: int) -> Iterator[str]:
    """A sentence in parts of at most `most` words, cut between clauses where that can be."""
    held, size, start = "", 0, 0
    for end in (*(found.end() for found in _CLAUSE.finditer(sentence)), len(sentence)):
        clause, start = sentence[start:end], end
        words = len(_UNIT.findall(clause))
        if size + words > most and held:
            yield held
            held, size = "", 0
        if words > most:
            yield from _chopped(clause, most)
        else:
            held, size = held + clause, size + words
    if held:
        yield held


def _chopped(clause: str, most: int) -> Iterator[str]:
    starts = [found.start() for found in _UNIT.finditer(clause)][::most]
    starts[0] = 0
    for start, end in zip(starts, (*starts[1:], len(clause)), strict=True):
        yield clause[start:end]
