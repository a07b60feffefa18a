"""A text as the rules see it: the disguises taken off, cut into words.

Two views of the same text. `line` is its words in order with one mark between two of them: a
space, a line break, a comma, or a full stop that no phrase crosses. `dense` has nothing between
them: it is what a phrase looks like when its letters were spaced out or its words run together.

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

from mnemic.model.look_alikes import look_alikes, with_small_greek
from mnemic.model.text import without_invisible

PLACE = "PLACE"
"""What stands for an address of the web or of mail; upper case, as no word of a text is."""

_WORD = re.compile(r"[^\W_]+")
_ASCII_WORDS = str.maketrans({chr(code): " " for code in range(128) if not chr(code).isalnum()})
_BETWEEN = re.compile(r"[\W_]{2,}|[^\w ]|_")
_FIGURE = re.compile("[0-9@$!|]")
_FIGURED = re.compile(r"[a-z@$!|][0-9@$!|]|[0-9@$!|][a-z]")
_FIGURED_WORD = re.compile(
    r"(?<![\w@$!|])(?=[a-z]{0,30}[0-9@$!|])(?=[0-9@$!|]{0,30}[a-z])[a-z0-9@$!|]{2,30}(?<!!)"
)
_LETTERS = str.maketrans("1|!034@5$7", "iiioeaasst")
_TAG = re.compile(r"</?[a-z][^<>]{0,300}>")
_ADDRESS = re.compile(
    r"https?://\S{1,2000}|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}"
)
_ENTITY = re.compile(r"&#?\w{2,8};")
_ESCAPED = re.compile(r"&#?\w{2,8};|%[0-9a-fA-F]{2}|\\[ux][0-9a-fA-F]{2}")
_BACKSLASHED = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))")
_ACCENTS = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u0640\u064b-\u065f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]+"
)
_LONG_RUN = re.compile(r"[^\w\s\x00-\x7f]{31,}")
"""More marks on one letter than any has: to put so many in order takes ever longer."""

_STOPS = frozenset(".!?;。！？")
_COMMAS = frozenset(",:()—、，：")
_LONGEST_GAP = 16


@dataclass(frozen=True, slots=True)
class Views:
    """The views of one text.

    Args:
        text: the text as it came, its escapes read and its invisible marks left in.
        folded: the text without its disguises, with what stands between its words.
        words: its words in order.
        vocabulary: its words, once each.
        longest: the length of the longest word.
    """

    text: str
    folded: str
    words: tuple[str, ...]
    vocabulary: frozenset[str]
    longest: int

    def line(self) -> str:
        """The words with one mark between two of them, and a mark before and after the whole."""
        return f".{_BETWEEN.sub(lambda gap: _mark(gap[0][:_LONGEST_GAP]), self.folded)}."

    def dense(self) -> str:
        """The words with nothing between them."""
        return "".join(self.words)


def views(text: str) -> Views:
    """The views of a text."""
    text = _unescaped(text)
    folded = _plain(text)
    words = folded.translate(_ASCII_WORDS).split() if folded.isascii() else _WORD.findall(folded)
    longest = max(map(len, words), default=0)
    return Views(text, folded, tuple(words), frozenset(words), longest)


@lru_cache(maxsize=8192)
def folded_word(word: str) -> str:
    """A word of a rule in the letters that `views` leaves; `PLACE` stays what it is."""
    return word if word == PLACE else _plain(word)


def _unescaped(text: str) -> str:
    """The text with HTML, percent and backslash escapes read."""
    if not ("&" in text or "%" in text or "\\" in text) or _ESCAPED.search(text) is None:
        return text
    plain = _BACKSLASHED.sub(lambda found: chr(int(found[1] or found[2], 16)), text)
    plain = _ENTITY.sub(lambda found: html.unescape(found[0]), plain)
    return unquote(plain, errors="replace")


def _plain(text: str) -> str:
    plain = _folded(text)
    if "://" in plain or "@" in plain:
        plain = _ADDRESS.sub(f" {PLACE} ", plain)
    if "<" in plain:
        plain = _TAG.sub(" ", plain)
    if "'" in plain:
        plain = plain.replace("'", "")
    if _FIGURE.search(plain) and _FIGURED.search(plain):
        plain = _FIGURED_WORD.sub(lambda found: found[0].translate(_LETTERS), plain)
    return plain.replace("l", "i")


def _folded(text: str) -> str:
    """Lower case; and beyond ASCII without accents, invisible marks, and look-alike letters."""
    if text.isascii():
        return text.lower()
    first, looks = _looks()
    bare = _ACCENTS.sub("", _LONG_RUN.sub("", without_invisible(text)))
    plain = unicodedata.normalize("NFKD", with_small_greek(bare.translate(first)))
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
    looks = {ord(char): look for char, look in data.doubtful.items()} | dict(data.always)
    kept = {code: look for code, look in looks.items() if look.isalpha() or not chr(code).isalpha()}
    return data.first, kept


@lru_cache(maxsize=2048)
def _mark(gap: str) -> str:
    """The one mark for what stands between two words.

    A point within a name (`node.js`) ends no sentence.
    """
    if gap == ".":
        return " "
    if not _STOPS.isdisjoint(gap) or gap.count("\n") > 1:
        return "."
    if "\n" in gap:
        return "\n"
    return " " if _COMMAS.isdisjoint(gap) else ","
