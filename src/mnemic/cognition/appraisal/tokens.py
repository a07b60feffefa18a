"""Words and marks of a text, as the lists and the texts are both read."""

from __future__ import annotations

import re
import unicodedata

MARKS = frozenset(".,;:!?\n…()[]—–。、！？؟")
"""Marks at which a clause ends: nothing is negated or intensified beyond one."""

_TOKEN = re.compile(r"[^\W\d_]+(?:'t\b)?|[^\w \t'\"“”-]")
"""A word, "don't" being one, or any other sign. No part of it can match in two ways."""


def tokens(text: str) -> list[str]:
    """The words of a text in lower case, and its marks and pictures, in order.

    Digits, spaces, quotes and hyphens separate, and are left out.
    """
    if text.isascii():
        return _TOKEN.findall(text.lower())
    return _TOKEN.findall(unicodedata.normalize("NFC", text).replace("’", "'").casefold())
