"""Finds the words and phrases of a lexicon in a text. Linear: what follows a word is bounded."""

from __future__ import annotations

from typing import NamedTuple

from mnemic.cognition.appraisal.lexicon import Lexicon
from mnemic.cognition.appraisal.lists import GAP, Meaning, Phrase

_GAP_HOLDS = 4
"""How many words a gap in a phrase may hold."""
_ENDS = frozenset(".!?\n…。！？؟")
"""Marks that no gap goes over."""


class Met(NamedTuple):
    """A word or phrase of a text that means something: words `at` up to `end`."""

    at: int
    end: int
    meaning: Meaning


def meet(words: list[str], lexicon: Lexicon) -> list[Met]:
    """What stands in a text, given by its tokens, in order. The longest phrase takes its words.

    A phrase with a gap takes none: what stands in it is met as well.
    """
    met: list[Met] = []
    taken = 0
    for at, word in enumerate(words):
        if at < taken or word not in lexicon:
            continue
        start = at + 1
        following = words[start] if start < len(words) else None
        for rest, meaning in lexicon[word]:
            if rest and rest[0] != following and rest[0] != GAP:
                continue  # nearly always; the rest of a phrase is compared only where it may stand
            if GAP in rest:
                if _stands_with_gap(words, start, rest):
                    met.append(Met(at, start, meaning))
            elif tuple(words[start : start + len(rest)]) == rest:
                taken = start + len(rest)
                met.append(Met(at, taken, meaning))
                break
    return met


def _stands_with_gap(words: list[str], at: int, rest: Phrase) -> bool:
    cut = rest.index(GAP)
    before, after = rest[:cut], rest[cut + 1 :]
    start = at + cut
    if tuple(words[at:start]) != before:
        return False
    for place in range(start, min(start + _GAP_HOLDS + 1, len(words))):
        if tuple(words[place : place + len(after)]) == after:
            return True
        if words[place] in _ENDS:
            return False
    return False
