"""A text as the rules see it: the disguises taken off, cut into words.

Three views of the same text. `words` are its words, once each: a rule whose words are not there
is not even tried. `line` is the words in order with one mark between two of them (a space, a
line break, a comma, or a full stop that no phrase crosses). `dense` has nothing between them: it
is what a phrase looks like when its letters were spaced out or its words run together.

`l`, `1` and `|` become `i`, in the text and in the rules: nobody can tell these apart, and so
nothing depends on which of them was written.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from urllib.parse import unquote

from mnemic.model.normal_form import look_alikes
from mnemic.model.text import without_invisible

PLACE = "PLACE"
"""What stands for an address of the web or of mail; upper case, as no word of a text is."""

_WORD = re.compile(r"[^\W_]+")
_BETWEEN = re.compile(r"[\W_]{2,}|[^\w ]|_")
_MIXED = re.compile(r"[a-z@$!|][0-9@$!|]|[0-9@$!|][a-z]")
_MIXED_WORD = re.compile(r"(?<![\w@$!|])(?=[\w@$!|]{0,30}[a-z])[a-z0-9@$!|]{2,30}")
_DIGITS = str.maketrans("1|!034@5$7", "iiioeaasst")
_TAG = re.compile(r"</?[a-z][^<>]{0,300}>")
_ADDRESS = re.compile(
    r"https?://\S{1,2000}|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}"
)
_ESCAPED = re.compile(r"&#?\w{2,8};|%[0-9a-fA-F]{2}|\\[ux][0-9a-fA-F]{2}")
_BACKSLASHED = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))")
_ACCENTS = re.compile("[\u0300-\u036f\u0483-\u0489\u0640\u064b-\u065f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]+")
_GREEK = {ord("ν"): "v", ord("υ"): "u", ord("η"): "n"}

@dataclass(frozen=True, slots=True)
class Views:
    """The views of one text.

    Args:
        canonical: the text folded, with its marks.
        words: its words, once each.
        dense: its words with nothing between them.
        ascii: whether the text as it came is ASCII, and so no language without Latin letters.
    """

    canonical: str
    words: frozenset[str]
    dense: str
    ascii: bool

    def line(self) -> str:
        """The words in order, one mark between two of them, and marks around the whole."""
        return f".{_BETWEEN.sub(_mark, self.canonical)}."


def views(text: str) -> Views:
    """The views of a text."""
    canonical = _canonical(text)
    words = _WORD.findall(canonical)
    return Views(canonical, frozenset(words), "".join(words), text.isascii())


@lru_cache(maxsize=8192)
def folded_word(word: str) -> str:
    """A word of a rule in the letters that `views` leaves; `PLACE` stays what it is."""
    return word if word == PLACE else _fold(word).replace("'", "").replace("l", "i")


def unescaped(text: str) -> str:
    """The text with HTML, percent and backslash escapes read, when it has any."""
    if _ESCAPED.search(text) is None:
        return text
    plain = _BACKSLASHED.sub(lambda found: chr(int(found[1] or found[2], 16)), text)
    return unquote(html.unescape(plain), errors="replace")


def _canonical(text: str) -> str:
    plain = _fold(unescaped(text))
    if "://" in plain or "@" in plain:
        plain = _ADDRESS.sub(f" {PLACE} ", plain)
    if "<" in plain:
        plain = _TAG.sub(" ", plain)
    if "'" in plain:
        plain = plain.replace("'", "")
    if _MIXED.search(plain):
        plain = _MIXED_WORD.sub(lambda found: found[0].translate(_DIGITS), plain)
    return plain.replace("l", "i")


def _fold(text: str) -> str:
    """Lower case; and beyond ASCII without accents, invisible marks, and look-alike letters."""
    if text.isascii():
        return text.lower()
    first, looks = _looks()
    plain = unicodedata.normalize("NFKD", without_invisible(text).translate(first))
    plain = _ACCENTS.sub("", plain).casefold().translate(looks)
    return unicodedata.normalize("NFC", plain)


@cache
def _looks() -> tuple[Mapping[int, str], Mapping[int, str]]:
    """What is read as which ASCII character before and after a text is decomposed.

    Letters that only look alike out of their script are read so as well: the rules are folded in
    the same way, so a word in its own script still meets the rule for it. No letter is read as a
    digit: what a digit is read as depends on the letters beside it.
    """
    data = look_alikes()
    looks = {**_GREEK, **{ord(char): look for char, look in data.doubtful.items()}, **data.always}
    letters = {code: look for code, look in looks.items() if look.isalpha() or not chr(code).isalpha()}
    return data.first, letters


def _mark(found: re.Match[str]) -> str:
    """The one mark for what stands between two words.

    A point within a name (`node.js`) ends no sentence.
    """
    gap = found[0]
    if gap == ".":
        return " "
    if any(stop in gap for stop in ".!?;。！？") or gap.count("\n") > 1:
        return "."
    if "\n" in gap:
        return "\n"
    return "," if any(mark in gap for mark in ",:()—、，：") else " "
