"""Writes `src/mnemic/model/data/look_alikes.txt` from Unicode's list of confusables.

The list comes in the package `confusable-homoglyphs` (its `confusables.json`), which is needed
for this alone and not by mnemic. To write the file anew, with the newest Python there is, so that
it knows the newest digits:

    pip download confusable-homoglyphs==3.3.1 --no-deps
    unzip confusable_homoglyphs-3.3.1-*.whl confusable_homoglyphs/confusables.json
    python scripts/look_alikes.py confusable_homoglyphs/confusables.json

What is taken and what is left out is said at the constants below. Changing the data changes the
marks of values that are in brains already: a value rejected before may not be known again.
"""

from __future__ import annotations

import json
import sys
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

TARGET = Path(__file__).parent.parent / "src" / "mnemic" / "model" / "data" / "look_alikes.txt"

ALWAYS = ("ARMENIAN", "CYRILLIC", "GREEK")
"""Scripts whose letters are read as Latin ones in their own words too, each as another one."""

SECOND = "ьһҽꙇӏѡүзӡбꙅσγϝϻռոզգ"
"""Letters of these scripts that look like a digit, or like what another of them is read as."""

BY_CONTEXT = "νυημ"
"""Greek letters whose capital looks like another Latin letter: the code decides."""

NEVER = ("CJK", "HANGUL", "HIRAGANA", "KANGXI", "KATAKANA", "KATAKANA-HIRAGANA")
"""Strokes of signs that stand for themselves."""

OPERATORS = "∣⏽∨⋁∪⋃⊤⟙⋿"
"""Signs of mathematics that mean something that the letter does not."""

LATIN_ALWAYS = "ɑɡ"
ADDED = {"ϲ": "c", "Ϲ": "c", "\u0345": "i", "ʍ": "m", "ᴩ": "p", "ĸ": "k", "Ӏ": "l", "ӏ": "l"}
"""Looks that the list has no direct pair for, or that it gives another letter for."""

MARKS = {
    "'": "‘’‚‛‹›′‵´\u1ffdʹˈˊˋ˴ʻʼʽʾʿ՚՝׳Ꞌꞌ❛❜〈〉⟨⟩",
    '"': "“”„‟″‶«»《》「」『』〝〞〟❝❞ʺ˝״",
    "-": "‐‑‒–—―⸺⸻−⁃˗➖─━־֊᐀᠆⸗⸚⹀𐺭",
    ".": "。۔․٫",
    ",": "،٬",
    ";": "؛",
    ":": "։׃∶ː˸꞉⁚",
    "!": "❗❕",
    "?": "؟⸮❓❔",
    "%": "٪",
    "/": "⁄∕╱⧸⟋",
    "\\": "∖⧵⧹⟍",
    "|": "∣│❘",
    "*": "∗⁎٭✱",
    "+": "➕",
    "~": "∼〜〰⁓˜",
    "(": "❨❲〔﴾",
    ")": "❩❳〕﴿",
    "[": "【〖〚⟦",
    "]": "】〗〛⟧",
    "{": "❴",
    "}": "❵",
    "·": "•‧∙⋅・▪▫◦‣",
}
"""Marks by what they look like or stand for, whichever a reader goes by."""

HEAD = "# Written by scripts/look_alikes.py. Derived from Unicode's confusables: see NOTICE.md."

Pairs = dict[str, str]


def main(source: Path) -> None:
    """Write the file from `confusables.json`."""
    looks = closed(dict(letters(json.loads(source.read_text("utf-8")))))
    doubtful = {char: look for char, look in looks.items() if is_doubtful(char, look)}
    always = {char: look for char, look in looks.items() if char not in doubtful}
    always |= dict(digits())
    always |= {char: mark for mark, chars in MARKS.items() for char in chars}
    lines = [HEAD, "[always]", *rows(always), "[unless written]", *rows(doubtful)]
    TARGET.write_text("\n".join(lines) + "\n", "utf-8")


def letters(confusables: dict[str, list[dict[str, str]]]) -> Iterator[tuple[str, str]]:
    """Each character that looks like a letter or digit of ASCII, or like a small capital."""
    small = dict(named("LATIN LETTER SMALL CAPITAL "))
    yield from small.items()
    yield from named("NEGATIVE CIRCLED LATIN CAPITAL LETTER ")
    yield from named("NEGATIVE SQUARED LATIN CAPITAL LETTER ")
    for text, others in confusables.items():
        char = text.strip("\u200e")
        for look in (other["c"].strip("\u200e") for other in others):
            if is_wanted(char) and len(look) == 1 and look.isascii() and look.isalnum():
                yield char, look.lower()
            elif is_wanted(char) and look in small and char not in small:
                yield char, small[look]
    yield from ADDED.items()


def named(start: str) -> Iterator[tuple[str, str]]:
    """Characters by the start of their name, and the letter that it ends with."""
    for char in map(chr, range(128, sys.maxunicode + 1)):
        name = unicodedata.name(char, "")
        if name.startswith(start) and len(name) == len(start) + 1:
            yield char, name[-1].lower()


def is_wanted(char: str) -> bool:
    """Whether a character may be read as a letter; what NFKC folds is left to it."""
    return (
        len(char) == 1
        and not char.isascii()
        and unicodedata.category(char) in ("Lu", "Ll", "Lo", "Lm", "So", "Sm")
        and unicodedata.normalize("NFKC", char) == char
        and script(char) not in NEVER
        and char not in OPERATORS
        and char.casefold() not in BY_CONTEXT
    )


def closed(looks: Pairs) -> Pairs:
    """The pairs for both cases of every letter. Where these look unlike, the small one tells.

    So a capital I is no l, though it looks like one.
    """
    cases: dict[str, list[str]] = defaultdict(list)
    for char in map(chr, range(128, sys.maxunicode + 1)):
        if char in looks or unicodedata.normalize("NFKC", char) == char:
            cases[char.casefold()].append(char)
    found: Pairs = {}
    for char, look in looks.items():
        for other in cases[char.casefold()]:
            found[other] = looks.get(other.lower(), look)
    return found


def is_doubtful(char: str, look: str) -> bool:
    """Whether a character is read as it looks only in a value that its script is not written in."""
    if unicodedata.category(char)[0] in "SM":
        return False
    if script(char) == "LATIN":
        return "SMALL CAPITAL" not in unicodedata.name(char) and char.lower() not in LATIN_ALWAYS
    return script(char) not in ALWAYS or char.casefold() in SECOND or look.isdigit()


def digits() -> Iterator[tuple[str, str]]:
    """The digits of all scripts, and those in circles."""
    for char in map(chr, range(128, sys.maxunicode + 1)):
        value = unicodedata.digit(char, None)
        if value is not None and not unicodedata.normalize("NFKC", char).isascii():
            yield char, str(value)


def script(char: str) -> str:
    """The first word of a character's name, which is its script if it is a letter."""
    return unicodedata.name(char, "").split(" ")[0]


def rows(pairs: Pairs) -> list[str]:
    """One line an ASCII character: it, then the code points of all that are read as it."""
    by_look: dict[str, list[int]] = defaultdict(list)
    for char, look in pairs.items():
        by_look[look].append(ord(char))
    return [
        " ".join([look, *(f"{code:04x}" for code in sorted(by_look[look]))])
        for look in sorted(by_look)
    ]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
