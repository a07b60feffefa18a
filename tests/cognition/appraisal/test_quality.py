"""How often the appraisal is right, on sentences of our own.

`sentences` and `talk` are what the lists were mended by, so that their floors only keep what was
reached. `held_out` is what to expect of other texts of the kind.
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from mnemic.cognition.appraisal import appraise
from tests.cognition.appraisal import held_out, sentences, talk
from tests.cognition.appraisal.sentences import Told

SETS: dict[str, tuple[list[Told], dict[str, list[Told]]]] = {
    "sentences": (sentences.ENGLISH, sentences.OTHERS),
    "talk": (talk.ENGLISH, talk.OTHERS),
    "held_out": (held_out.ENGLISH, held_out.OTHERS),
}


def signs(told: Iterable[Told]) -> list[tuple[int, int]]:
    """The expected sign of each, and the one found."""
    found = [(sign, appraise(text).sentiment) for text, sign, _ in told]
    return [(sign, (felt > 0.1) - (felt < -0.1)) for sign, felt in found]


def share(right: Iterable[bool]) -> float:
    every = list(right)
    return sum(every) / len(every)


def test_there_are_as_many_as_promised() -> None:
    assert len(sentences.ENGLISH) >= 60
    assert all(len(told) >= 8 for told in sentences.OTHERS.values())
    every = [
        text for english, others in SETS.values() for text, *_ in sum(others.values(), english)
    ]
    assert len(every) == len(set(every))


@pytest.mark.parametrize(
    ("name", "floor"), [("sentences", 0.95), ("talk", 0.85), ("held_out", 0.85)]
)
def test_the_sign_is_right(name: str, floor: float) -> None:
    english, others = SETS[name]
    assert share(expected == found for expected, found in signs(english)) >= floor
    rest = [one for told in others.values() for one in told]
    assert share(expected == found for expected, found in signs(rest)) >= floor


@pytest.mark.parametrize("name", SETS)
def test_the_sign_is_seldom_the_opposite(name: str) -> None:
    english, others = SETS[name]
    found = signs(sum(others.values(), english))
    assert share(one * other < 0 for one, other in found) <= 0.03


@pytest.mark.parametrize("name", SETS)
def test_the_features_are_right(name: str) -> None:
    english, others = SETS[name]
    pairs = [(want, appraise(text).features) for text, _, want in sum(others.values(), english)]
    both = sum((want & found).bit_count() for want, found in pairs)
    assert both / sum(want.bit_count() for want, _ in pairs) >= 0.85
    assert both / sum(found.bit_count() for _, found in pairs) >= 0.85
    assert share(want == found for want, found in pairs) >= 0.85


@pytest.mark.parametrize("language", sentences.OTHERS)
def test_each_other_language(language: str) -> None:
    told = sentences.OTHERS[language]
    assert share(expected == found for expected, found in signs(told)) >= 0.85
    assert share(appraise(text).features == want for text, _, want in told) >= 0.85
