"""Texts: what a database can hold, and what of them a reader sees."""

from __future__ import annotations

import re

from mnemic.model.errors import InvalidInput

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Unicode's Default_Ignorable_Code_Point: joiners, direction marks, variation selectors, tags."""


def without_invisible(text: str) -> str:
    """The text without code points that a reader does not see."""
    return text if text.isascii() else _INVISIBLE.sub("", text)


def refuse_unstorable(name: str, text: str) -> None:
    """Refuse a text that no database takes: one with a NUL, or that is no UTF-8.

    Raises:
        InvalidInput: naming the argument and the place.
    """
    if "\0" in text:
        raise InvalidInput(f"{name} holds a NUL character at {text.index(chr(0))}; remove it")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InvalidInput(
            f"{name} holds a lone surrogate {text[error.start]!r} at {error.start}; "
            "decode the text again, or replace it"
        ) from error
