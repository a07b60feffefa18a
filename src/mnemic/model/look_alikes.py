"""Characters that a reader takes for others, and the data that tells which.

Characters are read as the ASCII characters that they look like, one by one, in both cases:

- Some always: Armenian, Cyrillic and Greek letters that look each like another Latin one, small
  capitals, quotes, dashes, the digits of all scripts.
- The others in a value that their script is not written in, which is one without any letter of
  this script that looks like no Latin one. So words of a script stay apart: Mongolian "ус" is
  water, "үс" is hair, and the Latin y looks like both. Letters of all other scripts are such ones.
- A few Greek letters look like one Latin letter as capitals and like another one as small ones.
  In Greek they are read as capitals, so that case makes no difference; among Latin letters they
  are read as they look.

ASCII characters are never read as other ones.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from mnemic.model.text import without_invisible

_BLANK = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u2800\ufff9-\ufffb]")
"""Control characters, the empty braille pattern, the frames of annotations."""

_POWER = re.compile(
    r"(?<=[^\s!-(*-/:-@\[-`{-~«»\u2010-\u205e\u3000-\u303f⁰¹²³⁴-⁹])(?=[⁺⁻]?[⁰¹²³⁴-⁹])"
    r"|(?<=\d)(?=[ⁱⁿ])"
)
_INDEX = re.compile(r"(?<=\d)(?=[₀-₉])")
_FRACTION = re.compile(r"(?<=\d)(?=[¼-¾⅐-⅞↉])")
"""Where compatibility forms would run together: 10² would become 102, and 1½ become 11/2."""

_LONG_RUN = re.compile(r"[^\w\s\x00-\x7f]{31,}")
_MOST_MARKS = 30
"""Sorting many marks on one letter takes long, and no letter has so many."""

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

_ASCII_LETTER = re.compile("[A-Za-z]")
_LATIN_WRITTEN = re.compile("[gs][\u0306\u0327]|[ɛɔŋɖɗɓɲəʃ]")
"""Spellings and phonetics in which ı, ʋ and the like are letters of their own."""

# A Greek small letter that looks like another letter than its capital does: v and N.
_GREEK_UNLIKE = set("ΝΥΗΜνυημ")
_GREEK_CAPITAL = str.maketrans("ΝΥΗΜνυη", "nyhmnyh")
_GREEK_SMALL = str.maketrans("νυηύή", "vunúń")
_GREEK_IN_LATIN = re.compile(
    "(?:(?<=[A-Za-z])|(?<=[A-Za-z][\u0300-\u036f]))[νυη]|[νυη](?=[\u0300-\u036f]*[A-Za-z])"
)
_GREEK_MU = re.compile(
    "(?<![A-Za-z])(?:(?<=[\u0370-\u03ff])μ|(?<=[\u0370-\u03ff][\u0300-\u036f])μ"
    "|μ(?=[\u0370-\u03ff]))(?![\u0300-\u036f]*[A-Za-z])"
)
_GREEK_END = re.compile(r"[\u0370-\u03ff]\W+")


def folded(value: str) -> str:
    """The text in one case, with one kind of each character, and single spaces.

    Args:
        value: any text.

    Returns:
        The text with look-alikes read as ASCII characters, in lower case and NFC, without marks
        that nobody sees. An accent that a spelling needs stays.
    """
    if value.isascii():
        text = value if value.isprintable() else _BLANK.sub("", value)
        return " ".join(text.lower().split())
    text = _LONG_RUN.sub(_fewer_marks, without_invisible(_BLANK.sub("", value)))
    text = _FRACTION.sub(" ", _INDEX.sub("_", _POWER.sub("^", text)))
    # Some marks and letters would be decomposed into what they do not look like.
    text = _plain(text.translate(look_alikes().first))
    text = unicodedata.normalize("NFC", _HEAPED.sub("", _read(text).casefold()))
    return " ".join(text.split())


def with_small_greek(value: str) -> str:
    """The text with those Greek small letters read as they look whose capitals look otherwise."""
    return value if value.isascii() else value.translate(_GREEK_SMALL)


@cache
def look_alikes() -> LookAlikes:
    """The data, read once."""
    from importlib.resources import files

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


def _decomposed(text: str) -> str:
    return unicodedata.normalize("NFKD", text)


def _read(text: str) -> str:
    """A decomposed text with look-alikes of ASCII characters read as these."""
    data = look_alikes()
    seen = {char for char in set(text) if not char.isascii()}
    doubtful = data.doubtful.keys() & seen
    greek = any("\u0370" <= char <= "\u03ff" for char in seen)
    if doubtful or greek:
        written = _scripts_written(text, seen)
        all_greek = greek and not _ASCII_LETTER.search(text) and _scripts(seen - {"μ"}) == {"GREEK"}
        text = _read_greek(text, all_greek or "GREEK" in written)
        chosen = {ord(c): data.doubtful[c] for c in doubtful if _script(c) not in written}
        text = text.translate(chosen)
    return text.translate(data.always)


def _scripts_written(text: str, seen: set[str]) -> set[str]:
    """The scripts that the text has a letter of which looks like no ASCII character."""
    data = look_alikes()
    scripts = _scripts(seen - data.letters.keys() - data.doubtful.keys() - _GREEK_UNLIKE)
    return scripts | {"LATIN"} if _LATIN_WRITTEN.search(text.casefold()) else scripts - {"LATIN"}


def _scripts(chars: set[str]) -> set[str]:
    return {_script(char) for char in chars if char.isalpha()}


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
