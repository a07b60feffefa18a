"""The normal form of a value: one string for all texts that a reader takes for the same.

A rejected value comes back in other clothes: in capitals, in look-alike letters of other scripts,
with marks nobody sees, in quotes. All of these have one normal form; texts that mean different
things ("5 mg" and "5 µg", "-5" and "5", "C++" and "C") have two. What holds:

- A normal form is its own normal form.
- No ASCII letter or digit is ever read as another one. Only `variants` reads "L1sbon" as "Lisbon",
  and only as something to look up as well.
- Characters of other scripts are read as what they look like, one by one, in both cases. Letters
  that are told apart in their own script but look like one Latin letter (Mongolian "ус" is water,
  "үс" is hair) are read so only in a value that this script is not written in: one without a
  letter of it that looks like no Latin one. The same goes for all letters of scripts other than
  Armenian, Cyrillic and Greek.
- Accents stay ("José" is not "Jose"). Marks that no spelling needs go: strokes through letters,
  lines under them, three marks or more on one letter.

Whoever changes what the normal form of a value is makes brains forget what was rejected in them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from mnemic.model.text import without_invisible

_BLANK = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u2800\ufff9-\ufffb]")
"""Control characters, the empty braille pattern, the frames of annotations."""

_POWER = re.compile("(?<=[0-9A-Za-z)])(?=[⁺⁻]?[⁰¹²³⁴-⁹])|(?<=[0-9])(?=[ⁱⁿ])")
_INDEX = re.compile("(?<=[0-9])(?=[₀-₉])")
_FRACTION = re.compile(r"(?<=\d)(?=[¼-¾⅐-⅞↉])")
"""Where compatibility forms would run together: 10² would become 102, and 1½ become 11/2."""

_LONG_RUN = re.compile(r"[^\w\s\x00-\x7f]{31,}")
_MOST_MARKS = 30
"""Sorting many marks on one letter is slow; no letter has so many (Unicode, UAX #15, section 13)."""

_NEEDLESS = re.compile(
    "(?<!\\d)\u0305|[\u030e\u0310\u0315-\u031a\u031c-\u0322\u032a-\u032c\u032f\u0332-\u0337"
    "\u0339-\u0341\u0346-\u0357\u0359-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff"
    "\ufe20-\ufe2f]"
)
"""Marks that no spelling needs."""

_STRUCK = re.compile("(?<=\\w)\u0338+")
"""A stroke through a letter. One through a sign is needed: it makes an = into a ≠."""

_HEAPED = re.compile("(?<=[A-Za-z])[\u0300-\u036f]{3,}|(?<=[ij])\u0307+")
"""More marks than a letter bears, and a dot on one that has a dot (İ in lower case)."""

_LATIN_WRITTEN = re.compile("[gs][\u0306\u0327]|[ɛɔŋɖɗɓɲəʃ]", re.I)
"""Spellings and phonetics in which ı, ʋ and the like are letters of their own."""

# A Greek small letter that looks like another letter than its capital does: v and N.
_GREEK_CAPITAL = str.maketrans("ΝΥΗΜνυη", "nyhmnyh")
_GREEK_SMALL = str.maketrans("νυη", "vun")
_GREEK_CASES = str.maketrans("νυη", "ΝΥΗ"), str.maketrans("ΝΥΗ", "νυη")
_GREEK_IN_LATIN = re.compile(
    "(?:(?<=[A-Za-z])|(?<=[A-Za-z][\u0300-\u036f]))[νυη]|[νυη](?=[\u0300-\u036f]*[A-Za-z])"
)
_GREEK_MU = re.compile(
    "(?<![A-Za-z])(?:(?<=[\u0300-\u03ff])μ|μ(?=[\u0370-\u03ff]))(?![\u0300-\u036f]*[A-Za-z])"
)
_GREEK_END = re.compile(r"[\u0370-\u03ff]\W+")

_EMPHASIS = re.compile(
    r"(?<![\w*])(?P<star>\*{1,3})(?=\w)(?P<bold>[^*]*[^\s*])(?P=star)(?=[\s!-)+-/:-@\[-`{-~]|\Z)"
    r"|(?<![\w~])~~(?=\w)(?P<struck>[^~]*[^\s~])~~(?=[\s!-/:-@\[-`{-}]|\Z)"
    r"|(?<![\w`])`(?=\w)(?P<code>[^`]*[^\s`])`(?=[\s!-/:-@\[-_{-~]|\Z)"
)
_NEEDLESS_SPACE = re.compile(r" (?=[,;)\]}])|(?<=[(\[{]) | (?=[.!?:]+(?:[ )\]}\"']|\Z))")
_UNSPACED = re.compile(r"[,;](?=[^\W\d])|(?<!\d)[,;](?=\d)")
_JOINT = re.compile(r"(?<=\S) (-{1,3}|/) (?=\S)|(?<=[^\W\d])(-{2,3})(?=[^\W\d])")
_UNTIDY = ("--", " - ", " / ", "( ", "[ ", "{ ", *(f" {mark}" for mark in ",;)]}.!?:"))
"""What one of the three above may change; quickly looked for, as most texts have none of it."""

_LETTER = re.compile(r"[^\W\d_]")
_ASCII_LETTER = re.compile("[A-Za-z]")
_LEADING = re.compile(
    r"[ ¡]+|\.{3,9}+(?!/)|[.,;:!]{1,9} |[*·●○■□►▸➤]{1,9} |(?:[-+>]|#{1,6}) (?![\d.$€£¥+-])"
)
"""What stands before a text and is none of it. A sign before a number is: "> 5", "- 5"."""

_TRAILING = " .!,;:、।॥።"
_BRACKETS = {"(": ")", "[": "]", "{": "}", "<": ">"}
_CLOSING = {closing: opening for opening, closing in _BRACKETS.items()}
_BRACKET = re.compile(r"[()\[\]{}<>]")
_QUOTES, _STRESS = "\"'", "`*_~"
_WRAPPING = "()[]{}<>" + _QUOTES + _STRESS

_WORD = re.compile(r"(?:[^\W_]|[@$])+")
_FIGURE = re.compile(r"[^\W\d_][01345@$]|[01345@$][^\W\d_]")
_FIGURES = [str.maketrans("01345@$", f"o{one}easas") for one in "li"]
_DIGITS = "0123456789"


def normal_form(value: str) -> str:
    """The one form of all texts that a reader takes for this one.

    Besides look-alikes and invisible marks, what is around a text does not count: white space,
    quotes, brackets around all of it, emphasis and bullets of Markdown, sentence marks at the end
    other than the question mark. Of a text of nothing else, all is kept.

    Args:
        value: any text.

    Returns:
        The normal form; empty only if the value has nothing to see.
    """
    text = _tidied(_folded(value))
    bare, before = _bared(text), text
    while bare != before:
        bare, before = _bared(_tidied(bare)), bare
    return bare or text


def variants(value: str) -> tuple[str, ...]:
    """The forms under which a value is looked up: its normal form, and what it can be read as.

    Figures in words are read as letters: 0 as o, 1 as l or i, 3 as e, 4 and @ as a, 5 and $ as s.
    A word is one if it has three letters or more and a figure next to a letter, so "K0L-15" is
    none; two digits or more at its end are a number ("covid19"). Greek letters that look like one
    Latin letter as capitals and like another one as small letters are read both ways.

    Args:
        value: any text.

    Returns:
        One to four forms, the normal form first. Only that one is to be stored.
    """
    form = normal_form(value)
    forms = [form]
    if _FIGURE.search(form):
        forms += [_spelled_out(form, figures) for figures in _FIGURES]
    if not value.isascii() and not _ASCII_LETTER.search(value):
        forms += [normal_form(value.translate(case)) for case in _GREEK_CASES]
    return tuple(dict.fromkeys(forms))[:4]


# --- characters ------------------------------------------------------------------------------


@cache
def look_alikes() -> LookAlikes:
    """The data, read once."""
    text = (files("mnemic.model") / "data" / "look_alikes.txt").read_text("utf-8")
    certain, doubtful = text.split("[unless written]\n")
    letters = _pairs(certain.partition("[always]\n")[2])
    always = {ord(char): look for char, look in letters.items()}
    first = {code: look for code, look in always.items() if _decomposed(chr(code)) != chr(code)}
    return LookAlikes(first, always, letters, _pairs(doubtful))


def _pairs(rows: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for look, *codes in (row.split(" ") for row in rows.splitlines()):
        pairs |= dict.fromkeys((chr(int(code, 16)) for code in codes), look)
    return pairs


def _decomposed(text: str) -> str:
    return unicodedata.normalize("NFKD", text)


def _folded(value: str) -> str:
    """One case, one kind of each character, single spaces."""
    if value.isascii():
        text = value if value.isprintable() else _BLANK.sub("", value)
        return " ".join(text.lower().split())
    return " ".join(_folded_wide(value).split())


def _folded_wide(value: str) -> str:
    text = _LONG_RUN.sub(_fewer_marks, without_invisible(_BLANK.sub("", value)))
    text = _POWER.sub("^", text)
    text = _FRACTION.sub(" ", _INDEX.sub("_", text))
    # Some marks and letters would be decomposed into what they do not look like.
    text = _plain(text.translate(look_alikes().first))
    return unicodedata.normalize("NFC", _HEAPED.sub("", _read(text).casefold()))


def _fewer_marks(run: re.Match[str]) -> str:
    kept: list[str] = []
    marks = 0
    for char in run[0]:
        marks = marks + 1 if unicodedata.category(char)[0] == "M" else 0
        if marks <= _MOST_MARKS:
            kept.append(char)
    return "".join(kept)


def _plain(text: str) -> str:
    """The text decomposed, without marks that no spelling needs."""
    text = _decomposed(_NEEDLESS.sub("", _decomposed(text)))
    return _HEAPED.sub("", _STRUCK.sub("", text))


def _read(text: str) -> str:
    """The text with look-alikes of ASCII characters read as these."""
    data = look_alikes()
    seen = {char for char in set(text) if not char.isascii()}
    doubtful = data.doubtful.keys() & seen
    if doubtful or seen & set("ΝΥΗΜνυημ"):
        written = _scripts_written(text, seen)
        text = _read_greek(text, "GREEK" in written)
        chosen = {ord(c): data.doubtful[c] for c in doubtful if _script(c) not in written}
        text = text.translate(chosen)
    return text.translate(data.always)


def _scripts_written(text: str, seen: set[str]) -> set[str]:
    """The scripts that the text has a letter of which looks like no ASCII character."""
    data = look_alikes()
    own = seen - data.letters.keys() - data.doubtful.keys() - set("ΝΥΗΜνυημ")
    scripts = {_script(char) for char in own if char.isalpha()} - {"LATIN"}
    return scripts | {"LATIN"} if _LATIN_WRITTEN.search(text) else scripts


def _script(letter: str) -> str:
    return unicodedata.name(letter, "").split(" ")[0]


def _read_greek(text: str, written: bool) -> str:
    """The Greek letters whose two cases look unlike, and the mark of a Greek question.

    In Greek all are read as the capital, so that case makes no difference there. A µ beside a
    Latin letter stays one: it is a prefix of units.
    """
    if written:
        text = _GREEK_END.sub(lambda found: found[0].replace(";", "?"), text)
        text = _GREEK_IN_LATIN.sub(lambda letter: letter[0].translate(_GREEK_SMALL), text)
    else:
        text = text.translate(_GREEK_SMALL)
    return _GREEK_MU.sub("m", text).translate(_GREEK_CAPITAL)


# --- marks -----------------------------------------------------------------------------------


def _tidied(text: str) -> str:
    """The text with one way of spacing marks, and without emphasis inside it."""
    if "*" in text or "~~" in text or "`" in text:
        text = _EMPHASIS.sub(lambda found: found["bold"] or found["struck"] or found["code"], text)
    listed = text.count(",") + text.count(";") != text.count(", ") + text.count("; ")
    if not listed and not any(pair in text for pair in _UNTIDY):
        return text
    text = _UNSPACED.sub(r"\g<0> ", _NEEDLESS_SPACE.sub("", text))
    return _JOINT.sub(lambda found: "/" if found[1] == "/" else "-", text)


def _bared(text: str) -> str:
    """The text without what stands around it."""
    start, end = 0, len(text)
    partners: Mapping[int, int] | None = None
    before = None
    while start < end and (start, end) != before:
        before = start, end
        while start < end and text[end - 1] in _TRAILING:
            end -= 1
        if lead := _LEADING.match(text, start, end):
            start = lead.end()
        if end - start > 1 and (text[start] in _WRAPPING or text[end - 1] in _WRAPPING):
            partners = _partners(text) if partners is None else partners
            start, end = _unwrapped(text, start, end, partners)
    bare = text[start:end]
    return bare.rstrip("?!.") + "?" if bare.endswith("?") else bare


def _unwrapped(text: str, start: int, end: int, partners: Mapping[int, int]) -> tuple[int, int]:
    """The bounds without one layer of quotes, emphasis or brackets."""
    first, last = text[start], text[end - 1]
    if partners.get(start) == end - 1 or (first == last and first in _QUOTES + _STRESS):
        return start + 1, end - 1
    if first in _QUOTES or (first in "([{" and start not in partners):
        return start + 1, end
    if last in ")]}" and end - 1 not in partners:
        return start, end - 1
    if last in _QUOTES and text[end - 2] not in _DIGITS:  # 5' and 6" are measures
        return start, end - 1
    return start, end


def _partners(text: str) -> Mapping[int, int]:
    """Where the bracket stands that belongs to each one; in a text without letters, it itself.

    There brackets are not around a text but part of it: "(500)", "[1, 5)".
    """
    if not _LETTER.search(text):
        return {at: at for at, char in enumerate(text) if char in _BRACKETS or char in _CLOSING}
    partners: dict[int, int] = {}
    open_at: dict[str, list[int]] = {opening: [] for opening in _BRACKETS}
    for found in _BRACKET.finditer(text):
        at, bracket = found.start(), found[0]
        if bracket in open_at:
            open_at[bracket].append(at)
        elif open_at[_CLOSING[bracket]]:
            partner = open_at[_CLOSING[bracket]].pop()
            partners[at], partners[partner] = partner, at
    return partners


# --- figures in words ------------------------------------------------------------------------


def _spelled_out(text: str, figures: Mapping[int, int]) -> str:
    return _WORD.sub(lambda word: _spelled(word[0], figures), text)


def _spelled(word: str, figures: Mapping[int, int]) -> str:
    """A word with its figures read as letters, or the word itself if it is none."""
    if word.isalpha() or sum(map(str.isalpha, word)) < 3:
        return word
    head = word[: len(word) - len(word.lstrip(_DIGITS))]
    tail = word[len(word.rstrip(_DIGITS)) :]
    head, tail = (number if len(number) > 1 else "" for number in (head, tail))
    middle = word[len(head) : len(word) - len(tail)]
    if not _FIGURE.search(middle):
        return word
    return head + middle.translate(figures) + tail


@dataclass(frozen=True, slots=True)
class LookAlikes:
    """What is read as which ASCII character.

    Args:
        first: table of the characters that have to be read before they are decomposed.
        always: table of all characters that are read so in any value.
        letters: the same as pairs.
        doubtful: pairs that hold unless the character's script is written in the value.
    """

    first: Mapping[int, str]
    always: Mapping[int, str]
    letters: Mapping[str, str]
    doubtful: Mapping[str, str]
