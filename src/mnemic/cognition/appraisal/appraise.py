"""The appraisal of a text: what its words mean, added up in one pass.

Deterministic, and linear in the length of the text: what is looked at around a word is bounded,
and no pattern can match in two ways.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field

from mnemic.cognition.appraisal.lexicon import languages
from mnemic.cognition.appraisal.lists import Meaning
from mnemic.cognition.appraisal.meet import Met, meet
from mnemic.cognition.appraisal.tokens import tokens
from mnemic.cognition.appraisal.values import Appraisal, ContentFeature

_NEGATED = -0.5
"""What a weight is multiplied with when negated: "not good" is bad, but less so than "bad"."""
_REACH = 3
"""How many words before another a negation may stand."""
_REACH_BACK = 5
"""How far back a negation at the end of a clause reaches ("gefällt mir gar nicht")."""
_REACH_OF_FACTOR = 2
"""How many words before another one that strengthens it may stand."""
_LONG_AGO = -1_000
_MOST_MARKS = 3
"""More exclamation marks add nothing."""
_MOST_SHOUTED = 4
"""More words in capitals add nothing."""

_EXCLAIMS = re.compile(r"[!！](?![=\[\w/])")
"""An exclamation mark, but not one of code or of a picture's address."""
_CAPITALS = re.compile(r"[A-Z]{3}")
_LONG_WORD = re.compile(r"[^\W\d_]{3,}")
_ITEM = re.compile(r"^[ \t]{0,8}\d{1,2}[.)][ \t]", re.M)
"""The start of a line of a numbered list."""
_PROCEDURE = ContentFeature.PROCEDURE.value
_EMOTION = ContentFeature.EMOTION.value


def appraise(text: str) -> Appraisal:
    """What a text says to a mind, as the lists of its language tell.

    A text in a language without lists is neutral, but for what its exclamation marks, pictures
    and numbered lines say.
    """
    words = tokens(text)
    met = meet(words, languages().lexicon(words))
    sums = _sums(words, met)
    marks = min(_MOST_MARKS, len(_EXCLAIMS.findall(text))) if "!" in text or "！" in text else 0
    features = sums.features
    if marks > 1:
        features |= _EMOTION
    if len(sums.order) > 1 or _is_list(text):
        features |= _PROCEDURE
    excited = _evened(sums.arousals) + 0.3 * marks + 0.25 * _shouted(text)
    return Appraisal(
        ContentFeature(features),
        math.tanh(_evened(sums.weights) * (1 + 0.1 * marks) / 3),
        1 - math.exp(-excited / 2),
    )


@dataclass(slots=True)
class _Sums:
    """What the words of a text come to; the weights and arousals are still to be added up."""

    features: int = 0
    weights: list[float] = field(default_factory=list)
    arousals: list[float] = field(default_factory=list)
    order: set[str] = field(default_factory=set)

    def add(self, meaning: Meaning, factor: float, negated: bool) -> None:
        """Add a word that something before it strengthens or negates."""
        if meaning.weight:
            self.weights.append(meaning.weight * factor * (_NEGATED if negated else 1))
        if meaning.arousal:
            self.arousals.append(meaning.arousal * factor * (0.5 if negated else 1))


def _sums(words: list[str], met: list[Met]) -> _Sums:
    sums = _Sums()
    negated_at = strengthened_at = _LONG_AGO
    factor = 1.0
    clause: list[tuple[int, int]] = []  # of this clause: places of weights that nothing negates
    for number, (at, end, meaning) in enumerate(met):
        sums.features |= meaning.features
        if meaning.weight or meaning.arousal:
            negated = at - negated_at <= _REACH
            if meaning.weight and not negated:
                clause.append((at, len(sums.weights)))
            sums.add(meaning, factor if at - strengthened_at <= _REACH_OF_FACTOR else 1, negated)
        if meaning.order:
            sums.order.add(words[at])
        if meaning.negates_before and _ends_clause(words, met, number):
            _negate_before(at, clause, sums.weights)
        if meaning.negates:
            negated_at = end - 1
        if meaning.factor:
            strengthened_at, factor = end - 1, meaning.factor
        if meaning.breaks:
            negated_at = strengthened_at = _LONG_AGO
            clause.clear()
    return sums


def _ends_clause(words: list[str], met: list[Met], number: int) -> bool:
    end = met[number].end
    if end == len(words):
        return True
    return number + 1 < len(met) and met[number + 1].at == end and met[number + 1].meaning.breaks


def _negate_before(at: int, clause: list[tuple[int, int]], weights: list[float]) -> None:
    while clause and clause[-1][0] >= at - _REACH_BACK:
        _, place = clause.pop()
        weights[place] *= _NEGATED


def _evened(values: list[float]) -> float:
    """The sum of values, as if each word less in a long text said the same: over its root."""
    return sum(values) / math.sqrt(len(values)) if values else 0.0


def _shouted(text: str) -> int:
    """How many words stand in capitals, up to a few. Acronyms are no words of the lists."""
    if _CAPITALS.search(text) is None:
        return 0
    evidence = languages().evidence
    long: list[str] = _LONG_WORD.findall(text)
    return min(_MOST_SHOUTED, sum(word.isupper() and word.casefold() in evidence for word in long))


def _is_list(text: str) -> bool:
    return "\n" in text and len(_ITEM.findall(text)) > 1
