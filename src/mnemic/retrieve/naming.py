"""Which speakers a question names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mnemic.index.text.language import language
from mnemic.index.text.tokens import UNSPACED, words

Bools = NDArray[np.bool_]

_TYPED = re.compile(
    r"(?P<word>[^\s!-/:-@\[-`{-~¿¡«»،؟।॥\u2000-\u206f\u3000-\u3003\u3008-\u3020\uff01-\uff0f\uff1a-\uff20]+)"
    r"(?:['’]s\b)?"
)
"""What stands between spaces and marks; accents and vowel signs of any script are part of it."""

_UNSPACED = re.compile(f"[{UNSPACED}]")


@dataclass(frozen=True, slots=True)
class Named:
    """The speakers that a question names.

    Args:
        speakers: of each speaker, whether the question names them.
        bare: the question without their names, for its vector: a speaker says "I", and a name in
            a question is near to all that name it and to little that answers it.
    """

    speakers: Bools
    bare: str


def named(question: str, speakers: Sequence[str]) -> Named:
    """Look for the names of some speakers in a question."""
    names = [frozenset(words(name)) for name in speakers]
    known = frozenset().union(*names)
    typed = [
        (match, found)
        for match in _TYPED.finditer(question)
        if (found := known.intersection(words(match["word"], query=True)))
        and _is_name(question, match)
    ]
    asked = frozenset().union(*(found for _, found in typed))
    flags = np.array([not asked.isdisjoint(name) for name in names], np.bool_)
    bare, at = [], 0
    for match, _ in typed:
        bare += [question[at : match.start()], _left(match["word"], speakers)]
        at = match.end()
    text = " ".join("".join([*bare, question[at:]]).split())
    return Named(flags, text if any(map(str.isalnum, text)) else question)


def _left(word: str, speakers: Sequence[str]) -> str:
    """What is left of a word that names a speaker: where no spaces are written, the rest of it."""
    if not _UNSPACED.search(word):
        return ""
    for name in speakers:
        word = word.replace(name, "")
    return word


def _is_name(question: str, match: re.Match[str]) -> bool:
    """Whether a word is meant as a name: "Will" may be one, "will" is none."""
    word = match["word"]
    if word.casefold() not in language().stop:
        return True
    return word[0].isupper() and bool(question[: match.start()].strip())
