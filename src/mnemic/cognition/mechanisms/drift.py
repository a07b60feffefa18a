"""Persona drift: what somebody feels again and again may, in time, change who they are.

Wrzus & Roberts 2017: states that come back, and the reactions to them, become traits over years.
Roberts, Walton & Viechtbauer 2006: traits do change in adult life, and slowly. The six traits are
those of Ashton & Lee 2007. Which feelings bear on which trait, and by how much, is AgentOS's
rule of thumb and in none of these papers: conflict makes less agreeable, pleasant company more
extraverted, high arousal more emotional, calm more conscientious. Left out: the situation, what
the person expects of it, and the way back; nothing here undoes a change.

Nothing is changed here: these are proposals, for a person to take or leave. Differently from
AgentOS, a trait gets one proposal at most (two would each start from the same value), one that
comes to nothing is not made, and a memory with no feeling at all is not taken for a calm one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from mnemic.model.mind import Emotion, Personality

Trait = Literal[
    "honesty",
    "emotionality",
    "extraversion",
    "agreeableness",
    "conscientiousness",
    "openness",
]

_DIGITS = 3
_UNFELT = Emotion()
_NOTABLE, _GRAVE = 10, 15
"""Changes of a relationship that bias a score, and that make a proposal of their own."""

_Move = tuple[Trait, float, str]
"""A trait, its change before any limit as a share of the most, and why."""


@dataclass(frozen=True, slots=True)
class Drift:
    """When a change is proposed, and how large it may be.

    Args:
        min_traces: memories with a feeling that it takes. AgentOS: 10.
        most: the largest change of a trait, 0 to 1. AgentOS: .05.
        threshold: score, 0 to 1, above which a pattern counts. AgentOS: .3.
        arousal_threshold: mean arousal, 0 to 1, above which it counts. AgentOS: .6.
        sure_at: memories from which a proposal has its full size. AgentOS: 50.
        most_proposals: how many are made at a time. AgentOS: 2.
    """

    min_traces: int = 10
    most: float = 0.05
    threshold: float = 0.3
    arousal_threshold: float = 0.6
    sure_at: int = 50
    most_proposals: int = 2


@dataclass(frozen=True, slots=True)
class Relationships:
    """How relationships changed since the last look, each from -100 to 100."""

    trust: float = 0.0
    affection: float = 0.0
    tension: float = 0.0
    respect: float = 0.0


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change of one trait that experience suggests.

    Args:
        trait: which one.
        delta: the change.
        value_before: the trait as it is, 0 to 1.
        value_after: the trait as it would be, 0 to 1.
        reason: which pattern suggests it, with its figure.
        traces: how many memories with a feeling were looked at.
    """

    trait: Trait
    delta: float
    value_before: float
    value_after: float
    reason: str
    traces: int


def proposals(
    emotions: Sequence[Emotion],
    relationships: Relationships,
    personality: Personality,
    rules: Drift,
) -> list[Proposal]:
    """The changes of personality that some memories suggest, the largest first.

    Args:
        emotions: what the memories since the last look carry, one each.
        relationships: how they changed since then; the default is not at all.
        personality: as it is.
        rules: the constants.
    """
    felt = [emotion for emotion in emotions if emotion != _UNFELT]
    if not felt or len(felt) < rules.min_traces:
        return []
    sure = min(1.0, 0.3 + 0.7 * len(felt) / rules.sure_at)
    moves = [*_felt(felt, relationships, rules), *_related(relationships)]
    made: dict[Trait, Proposal] = {}
    for trait, size, reason in sorted(moves, key=lambda move: -abs(move[1])):
        proposal = _proposal(trait, size * sure, reason, len(felt), personality, rules)
        if proposal.delta:
            made.setdefault(trait, proposal)
    largest = sorted(made.values(), key=lambda one: -abs(one.delta))
    return largest[: rules.most_proposals]


def _felt(felt: Sequence[Emotion], change: Relationships, rules: Drift) -> Iterator[_Move]:
    count = len(felt)
    conflict = sum(one.valence < -0.3 and one.arousal > 0.4 for one in felt) / count
    pleasant = sum(one.valence > 0.3 and one.arousal > 0.3 for one in felt) / count
    calm = sum(one.arousal < 0.3 and abs(one.valence) < 0.3 for one in felt) / count
    aroused = sum(one.arousal for one in felt) / count
    if change.trust < -_NOTABLE:
        conflict += 0.5 * abs(change.trust) / 100
    if change.tension > _NOTABLE:
        conflict += 0.3 * change.tension / 100
    if change.affection > _NOTABLE:
        pleasant += 0.3 * change.affection / 100
    if conflict > rules.threshold:
        yield "agreeableness", -conflict, f"conflict scores {conflict:.2f}"
    if pleasant > rules.threshold:
        yield "extraversion", pleasant, f"pleasant company scores {pleasant:.2f}"
    if aroused > rules.arousal_threshold:
        yield "emotionality", aroused - 0.5, f"mean arousal is {aroused:.2f}"
    if calm > rules.threshold:
        yield "conscientiousness", calm / 2, f"calm scores {calm:.2f}"


def _related(change: Relationships) -> Iterator[_Move]:
    if change.trust < -_GRAVE:
        yield "honesty", change.trust / 100, f"trust fell by {-change.trust:g}"
    if change.respect > _GRAVE:
        yield "conscientiousness", change.respect / 100, f"respect rose by {change.respect:g}"


def _proposal(
    trait: Trait, size: float, reason: str, count: int, personality: Personality, rules: Drift
) -> Proposal:
    before: float = getattr(personality, trait)
    limited = max(-rules.most, min(rules.most, round(size * rules.most, _DIGITS)))
    after = max(0.0, min(1.0, before + limited))
    at_an_end = after != before + limited
    delta = after - before if at_an_end else limited
    return Proposal(trait, delta, before, after, reason, count)
