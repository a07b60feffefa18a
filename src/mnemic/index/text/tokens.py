"""Search words of a text, in any script.

Words are runs of letters, digits and their marks, case-folded. Scripts that write no spaces
between words, and Korean, whose words carry their endings, become overlapping pairs of
characters; a text holds the single characters too, so that a question of one is answered.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

import Stemmer

from mnemic.index.text.language import language

MAX_TOKEN_CHARS = 64

_ASCII_WORD = re.compile(r"[a-z0-9]+")
_porter = Stemmer.Stemmer("porter")

_UNSPACED = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1100, 0x11FF),  # Hangul letters
    (0x1780, 0x17FF),  # Khmer
    (0x3005, 0x3007),  # ideographic iteration mark and number zero
    (0x3040, 0x30FF),  # Hiragana, Katakana
    (0x31F0, 0x31FF),  # Katakana extensions
    (0x3400, 0x4DBF),  # Han
    (0x4E00, 0x9FFF),
    (0xAC00, 0xD7AF),  # Hangul
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)
_ACCENTED = ("LATIN", "GREEK", "CYRILLIC")
"""Scripts whose accents are dropped: people leave them out when they ask."""

_SPACED, _RUN, _SYMBOL, _BREAK = range(4)


def words(text: str, *, query: bool = False) -> list[str]:
    """The search words of a text, in order.

    Args:
        text: in any script; nothing in it is an operator.
        query: the text is a question: unspaced runs give their pairs only.
    """
    if text.isascii():
        return [word[:MAX_TOKEN_CHARS] for word in _ASCII_WORD.findall(text.lower())]
    found: list[str] = []
    for kind, units in _runs(unicodedata.normalize("NFKC", text).casefold()):
        if kind == _SPACED:
            found.append("".join(units)[:MAX_TOKEN_CHARS])
        elif kind == _SYMBOL:
            found += units
        else:
            found += _pairs(units, query)
    return found


def stems(text: str, *, query: bool = False) -> list[str]:
    """`words`, each brought to its stem."""
    return [stem(word) for word in words(text, query=query)]


@lru_cache(1 << 17)
def stem(word: str) -> str:
    """A word's irregular form to its base, then Porter's stem (1980); ASCII words only."""
    if not word.isascii():
        return word
    stemmed: str = _porter.stemWord(language().irregular.get(word, word))
    return stemmed


def _pairs(units: list[str], query: bool) -> list[str]:
    pairs = [a + b for a, b in zip(units, units[1:], strict=False)]
    if query:
        return pairs or units
    return units + pairs


def _runs(text: str) -> Iterator[tuple[int, list[str]]]:
    """Runs of characters of one kind; each unit is a character with its marks."""
    kind, units = _BREAK, []
    for char in text:
        of, dropped = _kind(char)
        if dropped:
            continue
        if of is None:  # a mark belongs to the character before it
            if units and kind != _SYMBOL:
                units[-1] += char
            continue
        if of != kind:
            if units:
                yield kind, units
            kind, units = of, []
        if of != _BREAK:
            units += [_plain(char)] if of == _SPACED else [char]
    if units:
        yield kind, units


@lru_cache(1 << 14)
def _kind(char: str) -> tuple[int | None, bool]:
    """The kind of a character (None for a mark), and whether it is passed over."""
    code, category = ord(char), unicodedata.category(char)
    if category == "Cf" or code == 0x0640 or 0xFE00 <= code <= 0xFE0F:
        return None, True  # joiners, direction marks, tatweel, variation selectors
    if category[0] == "M":
        # Arabic vowel signs and accents left over by NFKC are not part of a word.
        return None, 0x0300 <= code <= 0x036F or 0x064B <= code <= 0x065F or code == 0x0670
    if category[0] in "LN":
        unspaced = any(low <= code <= high for low, high in _UNSPACED)
        return (_RUN if unspaced and category[0] == "L" else _SPACED), False
    return (_SYMBOL if category == "So" else _BREAK), False


@lru_cache(1 << 14)
def _plain(char: str) -> str:
    """The character without accents, in the scripts where they are dropped."""
    if char.isascii():
        return char
    parts = unicodedata.normalize("NFD", char)
    if len(parts) == 1 or not unicodedata.name(char, "").startswith(_ACCENTED):
        return char
    return "".join(part for part in parts if not unicodedata.combining(part))
