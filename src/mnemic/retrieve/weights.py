"""Who speaks: an assistant's turns, and speakers who are not the one asked about."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mnemic.index.text.tokens import words
from mnemic.index.view import View
from mnemic.settings import Retrieval

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Speakers:
    """What speaking does to the scores of each entry.

    Args:
        factor: by which scores by words are multiplied.
        malus: what is taken off cosines.
    """

    factor: Floats
    malus: Floats


def weigh(view: View, question: str, about_you: bool, settings: Retrieval) -> Speakers:
    """Weigh the entries of a view by who said them, for one question."""
    assistant = np.float32(
        settings.assistant_weight_asked if about_you else settings.assistant_weight
    )
    malus = np.float32(settings.assistant_malus_asked if about_you else settings.assistant_malus)
    factor = np.where(view.assistant, assistant, np.float32(1))
    taken = np.where(view.assistant, malus, np.float32(0))
    other = _unnamed(view, question)
    if other is not None:
        factor = np.where(other, factor * np.float32(settings.unnamed_weight), factor)
        taken = np.where(other, taken + np.float32(settings.unnamed_malus), taken)
    return Speakers(factor, taken)


def _unnamed(view: View, question: str) -> Bools | None:
    """Entries of speakers who are not named, when another one is."""
    if len(view.speakers) < 2:
        return None
    asked = set(words(question, query=True))
    named = np.array([not asked.isdisjoint(words(name)) for name in view.speakers])
    if not named.any() or named.all():
        return None
    # Index -1, nobody, is the added last place: text without a speaker is not held against it.
    other: Bools = np.append(~named, False)[view.speaker]
    return other
