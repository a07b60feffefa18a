"""Cuts a text into passages short enough that a word's neighbours say what it is about."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mnemic.index.text.sentences import SENTENCE_END, count_words
from mnemic.index.text.tokens import is_mark

_WORD = re.compile(r"\S+")
_LONGEST_WORD = 1_024
"""Characters after which a run without spaces is cut; each part is a passage of its own."""

_MOST_MARKS = 32
"""How far a cut moves so as not to part a character from its marks."""

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
        cut = count > 2 * size or _has_endless_word(text, a, b)
        if held and (cut or held + count > size):
            spans.append((start, end))
            held = 0
        if cut:
            spans += _by_count(text, a, b, size)
            continue
        if not held:
            start = a
        end, held = b, held + count
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


def _has_endless_word(text: str, start: int, end: int) -> bool:
    if end - start <= _LONGEST_WORD:
        return False
    return max(map(len, text[start:end].split())) > _LONGEST_WORD


def _by_count(text: str, start: int, end: int, size: int) -> list[Span]:
    """A long piece, cut after every `size` words."""
    spans: list[Span] = []
    first = last = held = 0
    for a, b, count in _pieces(text, start, end, size):
        if held and held + count > size:
            spans.append((first, last))
            held = 0
        if not held:
            first = a
        last, held = b, held + count
    if held:
        spans.append((first, last))
    return spans


def _pieces(text: str, start: int, end: int, size: int) -> Iterator[tuple[int, int, int]]:
    """Words, and how many each counts for; one that fills a passage comes in parts that do."""
    for match in _WORD.finditer(text, start, end):
        a, b = match.span()
        count = count_words(match[0])
        if count <= size and b - a <= _LONGEST_WORD:
            yield a, b, count
            continue
        step = min(_LONGEST_WORD, 2 * size) if count > size else _LONGEST_WORD
        while a < b:
            cut = _past_marks(text, min(a + step, b), b)
            yield a, cut, size
            a = cut


def _past_marks(text: str, cut: int, end: int) -> int:
    last = min(end, cut + _MOST_MARKS)
    while cut < last and is_mark(text[cut]):
        cut += 1
    return cut
