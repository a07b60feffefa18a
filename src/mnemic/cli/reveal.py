"""Shows all of a text to whoever is to judge it, what no reader would see of it included.

What is approved must be what was seen: letters of no width, marks that turn the direction of
writing, and whole sentences in invisible letters are written out.
"""

from __future__ import annotations

import re

from rich.text import Text

from mnemic.cli.failures import printable
from mnemic.model.text import without_invisible

_TAGS = re.compile("[\U000e0020-\U000e007e]+")
"""Letters that no terminal draws: each stands for one of ASCII."""

_BREAKS_AND_BLANKS = "\u2028\u2029\u2800"

_ZWJ = "\u200d"
_SPELLING = f"\u200c{_ZWJ}\ufe0e\ufe0f"
"""After a letter that is not ASCII these belong to it: in Persian, in an emoji."""


def revealed(text: str) -> Text:
    """A text with its control characters and its invisible ones made visible."""
    told = _TAGS.sub(_written_out, text)
    shown = Text()
    for at, char in enumerate(told):
        if _is_hidden(char) and not _is_spelling(told, at):
            shown.append(f"<U+{ord(char):04X}>", "old")
        else:
            shown.append(printable(char))
    return shown


def _written_out(found: re.Match[str]) -> str:
    return "<hidden: " + "".join(chr(ord(char) - 0xE0000) for char in found[0]) + ">"


def _is_hidden(char: str) -> bool:
    return not without_invisible(char) or char in _BREAKS_AND_BLANKS


def _is_spelling(text: str, at: int) -> bool:
    before = text[at - 1 : at]
    if text[at] not in _SPELLING or before.isascii():
        return False
    return not _is_hidden(before) or text[at] == _ZWJ
