"""The constants of every mechanism, from the settings and the personality of a brain."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from mnemic.cognition.appraisal.values import TOPIC_RELEVANCE
from mnemic.cognition.decay import Growth, Interference, Penalty, Pruning
from mnemic.cognition.encoding import EncodingModel
from mnemic.cognition.mechanisms.drift import Drift
from mnemic.cognition.mechanisms.forgetting import Forgetting
from mnemic.cognition.mechanisms.gist import Gist
from mnemic.cognition.mechanisms.hebbian import Hebbian
from mnemic.cognition.mechanisms.involuntary import Involuntary
from mnemic.cognition.mechanisms.knowing import Knowing
from mnemic.cognition.mechanisms.reconsolidation import Reconsolidation
from mnemic.cognition.mechanisms.regulation import Regulation
from mnemic.cognition.mechanisms.schema import Schemas
from mnemic.cognition.mechanisms.source_decay import SourceDecay
from mnemic.cognition.mechanisms.spreading import Spreading
from mnemic.cognition.working import Working
from mnemic.mind_settings import Mind, PersonalitySettings
from mnemic.model.mind import Personality

_HOUR = 3_600_000
_DAY = 24 * _HOUR
_PLAIN_ATTENTION = 0.5 + 0.15 * TOPIC_RELEVANCE
"""The attention that a text without any feature has (`cognition/encoding.py`)."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The constants of all mechanisms, shaped by one personality."""

    personality: Personality
    encoding: EncodingModel
    growth: Growth
    penalty: Penalty
    interference: Interference
    pruning: Pruning
    reconsolidation: Reconsolidation
    forgetting: Forgetting
    involuntary: Involuntary
    knowing: Knowing
    gist: Gist
    schemas: Schemas
    spreading: Spreading
    hebbian: Hebbian
    source_decay: SourceDecay
    regulation: Regulation
    drift: Drift
    working: Working


def personality_of(given: PersonalitySettings) -> Personality:
    """The personality that settings give a brain."""
    return Personality(**given.model_dump())


@lru_cache(64)
def rules_of(mind: Mind, personality: Personality | None = None) -> Rules:
    """The constants of a brain.

    Args:
        mind: its settings.
        personality: as it is by now; None is the one of the settings.
    """
    who = personality_of(mind.personality) if personality is None else personality
    return Rules(
        personality=who,
        encoding=_encoding(mind),
        growth=Growth(
            factor=mind.decay.growth,
            of_difficulty=mind.decay.difficulty,
            diminishing=mind.decay.diminishing,
            of_emotion=mind.decay.emotion,
            gain=mind.decay.gain,
            longest=mind.decay.most_stability_days * _DAY,
        ),
        penalty=Penalty(mind.decay.ignored_strength, mind.decay.ignored_stability),
        interference=Interference(mind.decay.interference_similarity),
        pruning=Pruning(mind.consolidation.archive_strength, mind.consolidation.archive_intensity),
        reconsolidation=Reconsolidation(
            mind.reconsolidation.rate,
            mind.reconsolidation.most,
            mind.reconsolidation.immune_strength,
            mind.reconsolidation.in_neutral_mood,
        ).shaped(who),
        forgetting=Forgetting(
            mind.forgetting.similarity, mind.forgetting.factor, mind.forgetting.most
        ).shaped(who),
        involuntary=Involuntary(
            mind.involuntary.probability,
            int(mind.involuntary.min_age_days * _DAY),
            mind.involuntary.min_strength,
        ).shaped(who),
        knowing=Knowing(mind.knowing.threshold).shaped(who),
        gist=Gist(
            int(mind.gist.min_age_days * _DAY),
            mind.gist.max_uses,
            mind.gist.below_strength,
            mind.gist.factor,
            mind.gist.most_words,
        ),
        schemas=Schemas(
            mind.schema_encoding.similarity,
            mind.schema_encoding.fits,
            mind.schema_encoding.strange,
        ).shaped(who),
        spreading=Spreading(
            mind.spreading.decay,
            mind.spreading.least,
            mind.spreading.depth,
            mind.spreading.most,
            mind.spreading.fan,
        ),
        hebbian=Hebbian(mind.spreading.co_activation, mind.spreading.co_activation),
        source_decay=SourceDecay(interval=int(mind.source_decay.interval_days * _DAY)).shaped(who),
        regulation=Regulation(
            mind.regulation.rate,
            mind.regulation.valence,
            mind.regulation.arousal,
            most=mind.regulation.most,
        ).shaped(who),
        drift=Drift(min_traces=mind.drift.min_traces, most=mind.drift.max_delta),
        working=Working(
            mind.working.capacity,
            mind.working.activation,
            mind.working.refocus,
            mind.working.rehearsal,
            mind.working.decay,
            mind.working.evict,
        ).shaped(who),
    )


def _encoding(mind: Mind) -> EncodingModel:
    appraisal = mind.appraisal
    return EncodingModel(
        base_strength=appraisal.base_strength / _PLAIN_ATTENTION,
        base_stability=appraisal.base_stability_hours * _HOUR,
        flashbulb_threshold=appraisal.flashbulb_threshold,
        flashbulb_strength=appraisal.flashbulb_strength,
        flashbulb_stability=appraisal.flashbulb_stability,
        content_arousal=appraisal.content_arousal,
    )
