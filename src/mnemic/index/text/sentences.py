"""Where sentences end."""

from __future__ import annotations

import re

from mnemic.index.text.tokens import UNSPACED

SENTENCE_END = re.compile(
    r"(?<=[.!?])\s+"
    r"|(?<=[。！？｡؟۔।॥])(?![。！？」』）】〉》”’])\s*|(?<=[。！？｡][」』）】〉》”’])\s*"
    r"|\n+"
)
"""After a full stop, a question or an exclamation mark, and at the end of a line.

The stops of scripts that put no space after them end a sentence by themselves, or with the quote
that closes on them.
"""

_UNSPACED_CHAR = re.compile(f"[{UNSPACED}]")


def split_sentences(text: str, min_words: int = 5, most: int = 24) -> list[str]:
    """The sentences of a text; one of fewer than `min_words` is joined to the next.

    At most `most`, one or more, are given; what follows them is left out.
    """
    found: list[str] = []
    current = ""
    for part in SENTENCE_END.split(text):
        current = f"{current} {part}".strip()
        if count_words(current) >= min_words:
            found.append(current)
            current = ""
            if len(found) > most:  # what is left over is no longer joined to one that is given
                return found[:most]
    if current:
        if found:
            found[-1] += " " + current
        else:
            found.append(current)
    return found


def count_words(text: str) -> int:
    """How many words a text has; two characters of an unspaced script count as one."""
    spaced = len(text.split())
    if text.isascii():
        return spaced
    return spaced + len(_UNSPACED_CHAR.findall(text)) // 2
