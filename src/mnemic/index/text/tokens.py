"""Search words of a text, in any script.

Words are runs of letters, digits and their marks, folded so that spellings people mix up meet:
case, width, accents. Scripts that write no spaces between words, and Korean, whose words carry
their endings, become overlapping pairs of characters; a text holds the single characters too, so
that a question of one is answered. An emoji is a word.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise

import Stemmer

from mnemic.index.text.language import language

MAX_TOKEN_CHARS = 64
_SHORTEST_STEMMED = 3
"""Longer words are cut to this; a whole word asked for is cut alike, and found."""

UNSPACED = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f\ua9e0-\ua9ff\uaa60-\uaa7f"  # Myanmar
    "\u1780-\u17ff"  # Khmer
    "\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
    "\u3041-\u30ff\u3100-\u312f\u31a0-\u31bf\u31f0-\u31ff"  # Kana, Bopomofo
)
"""Scripts without spaces between words, as the inside of a character class."""

_HANGUL = "\u1100-\u11ff\ua960-\ua97f\uac00-\ud7ff"
_PAIRED = re.compile(f"[{UNSPACED}{_HANGUL}]")
_RUN = re.compile(f"[{UNSPACED}{_HANGUL}]+|[^{UNSPACED}{_HANGUL}]+")
_ASCII_WORD = re.compile(f"([a-z0-9]{{1,{MAX_TOKEN_CHARS}}})[a-z0-9]*")

_DROPPED_MARK = re.compile(
    "["
    "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"  # accents of any script
    "\u0483-\u0489\u2de0-\u2dff\ua66f-\ua67d\ua69e\ua69f"  # of Cyrillic
    "\u0591-\u05c7"  # Hebrew points
    "\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u08ca-\u08ff"  # Arabic vowel signs
    "\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"  # variation selectors
    "]"
)
_ACCENTED = ("LATIN", "GREEK", "CYRILLIC")
"""Scripts whose accents are dropped: people leave them out when they ask."""

_ALSO_WRITTEN = str.maketrans({
    "ł": "l", "ø": "o", "đ": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe",
    "ـ": "", "أ": "ا", "إ": "ا", "آ": "ا", "ٱ": "ا", "ى": "ي", "ی": "ي", "ک": "ك", "ة": "ه",
})  # fmt: skip
"""Letters that no accent rule reaches, and that people type as another."""

_APOSTROPHES = "ʹʻʼʽʾʿ"
"""Letters in Unicode's eyes, apostrophes in people's: they separate, as ``'`` does."""

_porter = Stemmer.Stemmer("porter", 0)  # its own cache is not safe with threads; `stem` has one


def words(text: str, *, query: bool = False) -> list[str]:
    """The search words of a text, in order.

    Args:
        text: in any script; nothing in it is an operator.
        query: the text is a question: unspaced runs give their pairs only.
    """
    if text.isascii():
        return _ASCII_WORD.findall(text.lower())
    folded = unicodedata.normalize("NFKC", text).casefold().translate(_FOLD)
    if _PAIRED.search(folded) is None:
        return [word[:MAX_TOKEN_CHARS] for word in folded.split()]
    found: list[str] = []
    for run in (run for word in folded.split() for run in _RUN.findall(word)):
        if _PAIRED.match(run):
            found += _pairs(run, query)
        else:
            found.append(run[:MAX_TOKEN_CHARS])
    return found


def stems(text: str, *, query: bool = False) -> list[str]:
    """`words`, each brought to its stem."""
    return [stem(word) for word in words(text, query=query)]


@lru_cache(1 << 16)
def stem(word: str) -> str:
    """A word's irregular form to its base, then Porter's stem (1980); ASCII words only.

    Words of one or two letters are left alone: "us" is no plural of "u".
    """
    if not word.isascii() or len(word) < _SHORTEST_STEMMED:
        return word
    stemmed: str = _porter.stemWord(language().irregular.get(word, word))
    return stemmed


def _pairs(run: str, query: bool) -> list[str]:
    """The pairs of a run, and for a text its characters; a mark stays with its character."""
    starts = [at for at, char in enumerate(run) if not at or not is_mark(char)]
    units = [run[a : min(b, a + MAX_TOKEN_CHARS)] for a, b in pairwise([*starts, len(run)])]
    pairs = [(a + b)[:MAX_TOKEN_CHARS] for a, b in pairwise(units)]
    if query:
        return pairs or units
    # Each pair stands between its characters, so that what is near in the text is near here.
    found = [word for both in zip(units, pairs, strict=False) for word in both]
    return [*found, units[-1]]


def is_mark(char: str) -> bool:
    """Whether a character is written on, around or under the one before it."""
    return unicodedata.category(char)[0] == "M"


class _Fold(dict[int, str]):
    """What becomes of each character: found out when it is first met. For `str.translate`."""

    def __missing__(self, code: int) -> str:
        folded = _folded(chr(code))
        if len(self) < 1 << 15:  # all that people write; not all that a hostile text can hold
            self[code] = folded
        return folded


_FOLD = _Fold()


def _folded(char: str) -> str:
    """The search form of a character; a space where it separates, nothing where it is dropped."""
    category = unicodedata.category(char)
    if category == "Nd":
        return str(unicodedata.decimal(char))
    if category[0] == "M":
        return "" if category == "Me" or _DROPPED_MARK.match(char) else char
    if category[0] == "N":
        return char
    if category[0] == "L":
        return " " if char in _APOSTROPHES else _plain(char).translate(_ALSO_WRITTEN)
    if category == "Cf":  # joiners and direction marks; but a zero width space is a space
        return " " if char == "\u200b" else ""
    return f" {char} " if category == "So" and _is_picture(char) else " "


def _is_picture(char: str) -> bool:
    """Emoji and their like, but not the boxes, bullets and signs that lay out a text."""
    return "\u2300" <= char <= "\u23ff" or char >= "\u2600"


def _plain(char: str) -> str:
    """The letter without accents, in the scripts where they are dropped."""
    if char.isascii() or not unicodedata.name(char, "").startswith(_ACCENTED):
        return char
    parts = unicodedata.normalize("NFD", char)
    return "".join(part for part in parts if not is_mark(part))
