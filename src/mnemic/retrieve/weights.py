"""What is known of an entry besides its words: who says it, when, and what kind of text it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mnemic.index.analysis import EPOCH
from mnemic.index.text.dates import Range
from mnemic.index.text.features import Feature
from mnemic.index.text.question import Question
from mnemic.index.view import View
from mnemic.settings import Retrieval

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Weights:
    """What is made of each entry of a view, for one question.

    Args:
        factor: by which scores by words are multiplied, for who says it.
        boost: by which they are multiplied at the end, for what kind of text it is and when it
            was said.
        malus: what is taken off cosines.
        noise: the cosine below which a text that holds none of the words is no answer.
    """

    factor: Floats
    boost: Floats
    malus: Floats
    noise: float


NOISE_COSINES = {"all-MiniLM-L6-v2-int8": 0.15}
"""By model, for what it was measured: of the evidence of LoCoMo's, LongMemEval's and BEAM's dev
questions less than .5 % stands below it. What a cosine means differs from model to model."""


def weigh(
    view: View,
    question: Question,
    speakers: Bools,
    days: Sequence[Range],
    model: str | None,
    settings: Retrieval,
) -> Weights:
    """Weigh the entries of a view; `speakers` and `days` are those that the question names."""
    noise = settings.noise_cosine
    if noise is None:
        noise = NOISE_COSINES.get(model or "", -1.0)
    about_you = question.about_you
    assistant = settings.assistant_weight_asked if about_you else settings.assistant_weight
    malus = settings.assistant_malus_asked if about_you else settings.assistant_malus
    factor = np.where(view.assistant, np.float32(assistant), np.float32(1))
    taken = np.where(view.assistant, np.float32(malus), np.float32(0))
    other = _others(view, speakers)
    if other is not None:
        factor = np.where(other, factor * np.float32(settings.unnamed_weight), factor)
        taken = np.where(other, taken + np.float32(settings.unnamed_malus), taken)
    return Weights(factor, _boost(view, question, days, settings), taken, noise)


def _boost(view: View, question: Question, days: Sequence[Range], settings: Retrieval) -> Floats:
    boost = np.ones(len(view.alive), np.float32)
    speaks = (view.features & Feature.FIRST_PERSON).astype(np.bool_) & ~view.assistant
    boost[speaks] *= np.float32(settings.first_person_boost)
    if question.asks_number:
        holds = (view.features & Feature.NUMBER).astype(np.bool_)
        boost[holds] *= np.float32(settings.number_boost)
    if days:
        within = np.zeros(len(boost), np.bool_)
        for first, last in days:
            within |= (view.day >= first.toordinal() - EPOCH) & (
                view.day <= last.toordinal() - EPOCH
            )
        boost[within] *= np.float32(settings.date_boost)
    return boost


def _others(view: View, speakers: Bools) -> Bools | None:
    """Entries of speakers who are not named, when another one is."""
    if not speakers.any() or speakers.all():
        return None
    # Index -1, nobody, is the added last place: text without a speaker is not held against it.
    other: Bools = np.append(~speakers, False)[view.speaker]
    return other
