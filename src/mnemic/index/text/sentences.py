"""Where sentences end."""

from __future__ import annotations

import re

SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？؟۔।॥])\s*|\n+")
"""After a full stop, a question or an exclamation mark, and at the end of a line."""


def split_sentences(text: str, min_words: int = 5, most: int = 24) -> list[str]:
    """The sentences of a text; one of fewer than `min_words` is joined to the next.

    At most `most` are given; what follows them is left out.
    """
    found: list[str] = []
    current = ""
    for part in SENTENCE_END.split(text):
        current = f"{current} {part}".strip()
        if count_words(current) >= min_words:
            found.append(current)
            current = ""
    if current:
        if found:
            found[-1] += " " + current
        else:
            found.append(current)
    return found[:most]


_UNSPACED_CHAR = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")


def count_words(text: str) -> int:
    """How many words a text has; two characters of an unspaced script count as one."""
    spaced = len(text.split())
    if text.isascii():
        return spaced
    return spaced + len(_UNSPACED_CHAR.findall(text)) // 2
