"""The normal form of a value: one string for all texts that a reader takes for the same.

A rejected value comes back in other clothes: in capitals, in look-alike letters of other scripts,
with marks nobody sees, in quotes. All of these have one normal form; texts that mean different
things ("5 mg" and "5 µg", "-5" and "5", "C++" and "C") have two. What holds:

- A normal form is its own normal form.
- No ASCII letter or digit is ever read as another one. Only `variants` reads "L1sbon" as "Lisbon",
  and only as something to look up as well.
- Characters of other scripts are read as what they look like; `look_alikes` says which.
- Accents stay ("José" is not "Jose"). Marks that no spelling needs go: strokes through letters,
  lines under them, three marks or more on one letter.

Whoever changes what the normal form of a value is makes brains forget what was rejected in them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from mnemic.model.look_alikes import folded, look_alikes, with_small_greek

__all__ = ["look_alikes", "normal_form", "variants"]

_ROUNDS = 8
"""One round is enough for most texts, two for nearly all. Marks nested deeper than this stay."""

_EMPHASIS = re.compile(
    r"(?<![\w*])(?P<star>\*{1,3})(?=\w)(?P<bold>[^*]*[^\s*])(?P=star)(?=[\s!-)+-/:-@\[-`{-~]|\Z)"
    r"|(?<![\w~])~~(?=\w)(?P<struck>[^~]*[^\s~])~~(?=[\s!-/:-@\[-`{-}]|\Z)"
    r"|(?<![\w`])`(?=\w)(?P<code>[^`]*[^\s`])`(?=[\s!-/:-@\[-_{-~]|\Z)"
)
_NEEDLESS_SPACE = re.compile(r" (?=[,;)\]}])|(?<=[(\[{]) | (?=[.!?:]+(?:[ )\]}\"']|\Z))")
_UNSPACED = re.compile(r"[,;](?=[^\W\d])|(?<!\d)[,;](?=\d)")
_JOINT = re.compile(r"(?<=[^\s-]) (-{1,3}|/) (?=[^\s-])|(?<=[^\W\d])(-{2,3})(?=[^\W\d])")
_WITHIN = re.compile(
    r"(?<=[^\W\d_])[,;:.!…]+(?= [^\W_])"
    r"|(?<= )[\"'(\[{]+(?=[^\W\d_])|(?<=[^\W\d_])[\"')\]}]+(?=[,;:.!…]*(?: |\Z))"
)
"""Marks between words that say how to read a text aloud, and not what it says."""

_SPOKEN = 5
"""Words from which on that holds: "no, go" is not "no go", and "Paris (Texas)" not both."""

_UNTIDY = ("--", " - ", " / ", "( ", "[ ", "{ ", *(f" {mark}" for mark in ",;)]}.!?:"))
"""What one of the three above may change; quickly looked for, as most texts have none of it."""

_LETTER = re.compile(r"[^\W\d_]")
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
    other than the question mark. Nor do, in texts of five words and more, the commas, full stops,
    quotes and brackets between words. Of a text of nothing else, all is kept.

    Args:
        value: any text.

    Returns:
        The normal form; empty only if the value has nothing to see.
    """
    text = plain = folded(value)
    for _ in range(_ROUNDS):
        bare = _bared(_tidied(text))
        if bare in ("", text):
            return text
        text = bare
    return plain


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
    if (other := with_small_greek(value)) != value:
        forms.append(normal_form(other))
    return tuple(dict.fromkeys(forms))


# --- marks -----------------------------------------------------------------------------------


def _tidied(text: str) -> str:
    """The text with one way of spacing marks, and without emphasis inside it."""
    if "*" in text or "~~" in text or "`" in text:
        text = _EMPHASIS.sub(lambda found: found["bold"] or found["struck"] or found["code"], text)
    if text.count(" ") >= _SPOKEN - 1:
        text = _WITHIN.sub("", text)
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
