"""How strongly something is encoded when it is told: strength, stability, importance, feeling.

The accounts behind it: attention follows what a mind is open to, by its six traits (Ashton & Lee
2007); performance is best at a middling arousal (Yerkes & Dodson 1908); what agrees with the mood
is encoded better (Bower 1981); an event that shakes is kept as if photographed, a flashbulb memory
(Brown & Kulik 1977); a feeling has a pleasure, an arousal and a dominance (Mehrabian & Russell
1974). The formulas and their numbers are AgentOS's, with two differences, both of which `AGENTOS`
takes back:

* A trace that is never used keeps 1/e of its strength for 30 days or more, not for an hour or
  more. With an hour, a neutral trace is below the strength at which it is pruned after five hours.
* What is told excites too. AgentOS takes arousal from the mood alone: a calm mind never forms a
  flashbulb memory, whatever it is told. But in Brown & Kulik's account it is the event that
  surprises and matters. So what is told lifts the arousal of the feeling from that of the mood
  towards 1. And whether it makes a flashbulb memory is judged by the feeling or by the event
  alone, whichever is more intense: the feeling of a neutral mood has at most .7 of the event's
  sentiment, and would never do. The boost of Yerkes & Dodson still reads the mood alone:
  theirs is a law of the state in which a mind meets a task. If the event counted there, the most
  shaking one would be encoded worst, against Brown & Kulik.
"""

from __future__ import annotations

from dataclasses import dataclass

from mnemic.cognition.appraisal.values import TOPIC_RELEVANCE, Appraisal, ContentFeature
from mnemic.model.mind import Emotion, Mood, Personality

_HOUR = 3_600_000
_DAY = 24 * _HOUR
_OF_CONTENT = 0.7
"""Share of the content in the valence of a feeling; the mood has the rest."""


@dataclass(frozen=True, slots=True)
class EncodingModel:
    """The constants of encoding; AgentOS's unless said otherwise.

    Args:
        base_strength: strength before anything adds to it or takes from it, 0 to 1.
        base_stability: the least stability, in milliseconds. 30 days; AgentOS has one hour, with
            which an untouched trace fades within five.
        stability_of_strength: how many times the base stability a strength of 1 adds.
        arousal_floor: the least boost that a mood far from middling leaves, 0 to 1 (Yerkes &
            Dodson 1908).
        flashbulb_threshold: intensity above which a feeling makes a flashbulb memory, 0 to 1
            (Brown & Kulik 1977).
        flashbulb_strength: what a flashbulb memory's strength is multiplied with.
        flashbulb_stability: what its stability is multiplied with.
        content_arousal: how much the arousal of what is told counts, 0 to 1. AgentOS has 0.
    """

    base_strength: float = 0.5
    base_stability: float = 30.0 * _DAY
    stability_of_strength: float = 6.0
    arousal_floor: float = 0.3
    flashbulb_threshold: float = 0.8
    flashbulb_strength: float = 2.0
    flashbulb_stability: float = 5.0
    content_arousal: float = 1.0


DEFAULT = EncodingModel()
AGENTOS = EncodingModel(base_stability=float(_HOUR), content_arousal=0.0)
"""The model that gives AgentOS's numbers."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """How something was encoded: what a trace begins with.

    Args:
        strength: 0 to 1.
        stability: the time after which an unused trace has 1/e of its strength, in milliseconds.
        importance: 0 to 1.
        emotion: the feeling that it carries.
        flashbulb: whether it is a flashbulb memory.
    """

    strength: float
    stability: float
    importance: float
    emotion: Emotion
    flashbulb: bool


def encode(
    appraisal: Appraisal,
    mood: Mood,
    personality: Personality,
    model: EncodingModel = DEFAULT,
) -> Encoded:
    """How a mind in a mood encodes what it is told.

    Args:
        appraisal: of what is told.
        mood: of the mind, at that time.
        personality: of the mind.
        model: the constants.
    """
    emotion = emotion_of(appraisal.sentiment, appraisal.arousal, mood, model)
    sensitivity = 0.2 + 0.8 * personality.emotionality
    attention = _attention(appraisal.features, personality)
    congruence = 1 + 0.3 * max(0.0, mood.valence * appraisal.sentiment) * sensitivity
    flashbulb = _intensity(appraisal, emotion, model) > model.flashbulb_threshold
    strength = min(
        1.0,
        model.base_strength
        * max(model.arousal_floor, 1 - 4 * (mood.level - 0.5) ** 2)
        * (1 + 0.5 * emotion.intensity * sensitivity)
        * attention
        * congruence
        * (model.flashbulb_strength if flashbulb else 1),
    )
    stability = model.base_stability * (1 + model.stability_of_strength * strength)
    return Encoded(
        strength=strength,
        stability=stability * (model.flashbulb_stability if flashbulb else 1),
        importance=min(1.0, 0.6 * strength + 0.4 * attention),
        emotion=emotion,
        flashbulb=flashbulb,
    )


def emotion_of(
    sentiment: float,
    content_arousal: float,
    mood: Mood,
    model: EncodingModel = DEFAULT,
) -> Emotion:
    """The feeling that something told in a mood leaves.

    Its arousal is the mood's, lifted towards 1 by that of the content: flat content leaves the
    mood's, and no content calms. Something without sentiment, told in a neutral mood, has an
    intensity of 0, however exciting it is: there is nothing to feel about it.

    Args:
        sentiment: of the content, -1 to 1.
        content_arousal: of the content, 0 to 1.
        mood: of the mind.
        model: the constants.
    """
    lift = model.content_arousal * content_arousal
    return Emotion(
        valence=_OF_CONTENT * sentiment + (1 - _OF_CONTENT) * mood.valence,
        arousal=mood.level + (1 - mood.level) * lift,
        dominance=mood.dominance,
    )


def _intensity(appraisal: Appraisal, emotion: Emotion, model: EncodingModel) -> float:
    """How much the event shakes: as it is felt in the mood, or by itself, whichever is more."""
    by_itself = model.content_arousal * appraisal.arousal * abs(appraisal.sentiment)
    return max(emotion.intensity, by_itself)


def _attention(features: ContentFeature, personality: Personality) -> float:
    """How closely a mind of such traits attends to what is told, 0 to 1."""

    def has(feature: ContentFeature) -> bool:
        return feature in features

    return min(
        1.0,
        0.5
        + 0.15 * TOPIC_RELEVANCE
        + 0.15 * has(ContentFeature.NOVELTY) * (0.3 + 0.7 * personality.openness)
        + 0.15 * has(ContentFeature.PROCEDURE) * (0.3 + 0.7 * personality.conscientiousness)
        + 0.10 * has(ContentFeature.EMOTION) * (0.2 + 0.8 * personality.emotionality)
        + 0.10 * has(ContentFeature.SOCIAL) * (0.2 + 0.8 * personality.extraversion)
        + 0.10 * has(ContentFeature.COOPERATION) * (0.2 + 0.8 * personality.agreeableness)
        + 0.10 * has(ContentFeature.ETHICS) * (0.2 + 0.8 * personality.honesty)
        + 0.15 * has(ContentFeature.CONTRADICTION),
    )
