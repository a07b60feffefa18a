"""Cuts a text into passages short enough that a word's neighbours say what it is about."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mnemic.index.text.sentences import SENTENCE_END, count_words

_WORD = re.compile(r"\S+")
_LONGEST_WORD = 1_024
"""Characters after which a run without spaces is cut."""

Span = tuple[int, int]


def split_passages(text: str, size: int = 64) -> list[Span]:
    """Spans of a text, each of at most about `size` words, cut where sentences or lines end.

    A sentence of more than twice `size` words is cut by count. Spans are in order, do not
    overlap, and leave out nothing but white space.
    """
    spans: list[Span] = []
    start = end = held = 0
    for a, b in _sentences(text):
        count = count_words(text[a:b])
        if held and held + count > size:
            spans.append((start, end))
            held = 0
        if count > 2 * size or b - a > _LONGEST_WORD * 4:
            if held:
                spans.append((start, end))
                held = 0
            spans += _by_count(text, a, b, size)
            continue
        if not held:
            start = a
        end, held = b, held + max(count, 1)
    if held:
        spans.append((start, end))
    return spans


def _sentences(text: str) -> Iterator[Span]:
    at = 0
    for match in SENTENCE_END.finditer(text):
        if text[at : match.start()].strip():
            yield _trimmed(text, at, match.start())
        at = match.end()
    if text[at:].strip():
        yield _trimmed(text, at, len(text))


def _trimmed(text: str, start: int, end: int) -> Span:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    return start, start + len(piece.strip())


def _by_count(text: str, start: int, end: int, size: int) -> list[Span]:
    """A long piece, cut after every `size` words."""
    spans: list[Span] = []
    first = last = held = 0
    for a, b in _pieces(text, start, end, size):
        count = max(1, count_words(text[a:b]))
        if held and held + count > size:
            spans.append((first, last))
            held = 0
        if not held:
            first = a
        last, held = b, held + count
    if held:
        spans.append((first, last))
    return spans


def _pieces(text: str, start: int, end: int, size: int) -> Iterator[Span]:
    """Words; one that is too long for a passage comes in parts."""
    for match in _WORD.finditer(text, start, end):
        a, b = match.span()
        step = _LONGEST_WORD if text[a:b].isascii() else 2 * size
        for at in range(a, b, step):
            yield at, min(at + step, b)
