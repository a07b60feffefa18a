"""How strongly something is encoded: the formulas, and the effects they stand for."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.cognition.appraisal import Appraisal, ContentFeature, appraise
from mnemic.cognition.encoding import AGENTOS, DEFAULT, Encoded, EncodingModel, emotion_of, encode
from mnemic.model.mind import MOODS, NEUTRAL, Emotion, Mood, Personality

NOTHING = Appraisal()
ANYONE = Personality()
DAY = 86_400_000
EVERYTHING = ContentFeature(127)

SIGNED = st.floats(-1, 1)
SHARE = st.floats(0, 1)
MOODS_OF_ALL = st.builds(Mood, SIGNED, SIGNED, SIGNED)
PEOPLE = st.builds(Personality, SHARE, SHARE, SHARE, SHARE, SHARE, SHARE)
TOLD = st.builds(Appraisal, st.integers(0, 127).map(ContentFeature), SIGNED, SHARE)
MODELS = st.sampled_from([DEFAULT, AGENTOS])


def agentos(appraisal: Appraisal, mood: Mood = NEUTRAL, who: Personality = ANYONE) -> Encoded:
    return encode(appraisal, mood, who, AGENTOS)


# --- AgentOS's numbers -----------------------------------------------------------------------


def test_something_neutral_in_a_neutral_mood() -> None:
    plain = agentos(NOTHING)
    assert plain.strength == pytest.approx(0.5 * 0.575)  # about .29
    assert plain.stability == pytest.approx(3_600_000 * (1 + 6 * 0.2875))  # 2.7 hours
    assert plain.importance == pytest.approx(0.6 * 0.2875 + 0.4 * 0.575)
    assert plain.emotion == Emotion(0, 0.5, 0)
    assert plain.emotion.intensity == 0
    assert not plain.flashbulb


@pytest.mark.parametrize(
    ("features", "attention"),
    [
        (ContentFeature.NOVELTY, 0.575 + 0.15 * 0.65),
        (ContentFeature.PROCEDURE, 0.575 + 0.15 * 0.65),
        (ContentFeature.EMOTION, 0.575 + 0.1 * 0.6),
        (ContentFeature.SOCIAL, 0.575 + 0.1 * 0.6),
        (ContentFeature.COOPERATION, 0.575 + 0.1 * 0.6),
        (ContentFeature.ETHICS, 0.575 + 0.1 * 0.6),
        (ContentFeature.CONTRADICTION, 0.575 + 0.15),
        (EVERYTHING, 1.0),
    ],
)
def test_attention_to_what_it_is_about(features: ContentFeature, attention: float) -> None:
    found = agentos(Appraisal(features))
    assert found.strength == pytest.approx(0.5 * attention)
    assert found.importance == pytest.approx(0.6 * 0.5 * attention + 0.4 * attention)


@pytest.mark.parametrize(
    ("trait", "feature", "weak", "keen"),
    [
        ("openness", ContentFeature.NOVELTY, 0.15 * 0.3, 0.15),
        ("conscientiousness", ContentFeature.PROCEDURE, 0.15 * 0.3, 0.15),
        ("emotionality", ContentFeature.EMOTION, 0.1 * 0.2, 0.1),
        ("extraversion", ContentFeature.SOCIAL, 0.1 * 0.2, 0.1),
        ("agreeableness", ContentFeature.COOPERATION, 0.1 * 0.2, 0.1),
        ("honesty", ContentFeature.ETHICS, 0.1 * 0.2, 0.1),
    ],
)
def test_each_trait_attends_to_its_own(
    trait: str, feature: ContentFeature, weak: float, keen: float
) -> None:
    for value, added in ((0.0, weak), (1.0, keen)):
        who = replace(ANYONE, **{trait: value})
        assert agentos(Appraisal(feature), who=who).strength == pytest.approx(0.5 * (0.575 + added))
        assert agentos(NOTHING, who=who).strength == pytest.approx(0.5 * 0.575)


def test_a_worked_example_with_a_mood() -> None:
    found = agentos(Appraisal(ContentFeature.EMOTION, sentiment=-0.6), MOODS["frustrated"])
    valence, level = 0.7 * -0.6 + 0.3 * -0.65, 0.8
    boost = 1 - 4 * 0.3**2
    emotional = 1 + 0.5 * -valence * level * 0.6
    congruence = 1 + 0.3 * 0.65 * 0.6 * 0.6
    strength = 0.5 * boost * emotional * 0.635 * congruence
    assert found.strength == pytest.approx(strength)
    assert found.stability == pytest.approx(3_600_000 * (1 + 6 * strength))
    assert found.emotion.valence == pytest.approx(valence)
    assert found.emotion.arousal == pytest.approx(level)
    assert found.emotion.dominance == 0.2


def test_a_flashbulb_memory_of_agentos_takes_an_excited_mood() -> None:
    shaking = Appraisal(sentiment=-1, arousal=1)
    excited = agentos(shaking, Mood(valence=-1, arousal=1))
    assert excited.flashbulb
    strength = min(1, 0.5 * 0.3 * 1.3 * 0.575 * 1.18 * 2)
    assert excited.strength == pytest.approx(strength)
    assert excited.stability == pytest.approx(3_600_000 * (1 + 6 * strength) * 5)
    assert not agentos(shaking).flashbulb


@given(TOLD, MOODS_OF_ALL, PEOPLE)
def test_arousal_of_the_content_is_nothing_to_agentos(
    told: Appraisal, mood: Mood, who: Personality
) -> None:
    assert agentos(told, mood, who) == agentos(replace(told, arousal=0), mood, who)


# --- our own ---------------------------------------------------------------------------------


def test_an_untouched_trace_lasts_for_weeks() -> None:
    assert encode(NOTHING, NEUTRAL, ANYONE).stability > 30 * DAY
    assert encode(NOTHING, NEUTRAL, ANYONE).strength == agentos(NOTHING).strength


def test_what_is_told_excites_even_a_calm_mind() -> None:
    calm = Mood(arousal=-1)
    shaking = Appraisal(ContentFeature.EMOTION, sentiment=-1, arousal=1)
    for mood in (NEUTRAL, calm):
        assert emotion_of(-1, 1, mood).arousal == 1
        assert encode(shaking, mood, ANYONE).flashbulb
        assert not encode(replace(shaking, arousal=0.5), mood, ANYONE).flashbulb
        assert not encode(replace(shaking, sentiment=-0.5), mood, ANYONE).flashbulb


def test_a_flashbulb_memory_is_stronger_and_lasts_longer() -> None:
    plain = encode(Appraisal(sentiment=-0.7, arousal=0.7), NEUTRAL, ANYONE)
    shaking = encode(Appraisal(sentiment=-1, arousal=1), NEUTRAL, ANYONE)
    assert shaking.strength > 1.5 * plain.strength
    assert shaking.stability > 5 * plain.stability


def test_exciting_without_a_side_is_no_feeling() -> None:
    assert emotion_of(0, 1, NEUTRAL).intensity == 0
    told = encode(Appraisal(arousal=1), NEUTRAL, ANYONE)
    assert told.strength == encode(NOTHING, NEUTRAL, ANYONE).strength


def test_middling_arousal_encodes_best() -> None:
    strengths = [
        encode(NOTHING, Mood(arousal=arousal), ANYONE).strength for arousal in (-1, -0.5, 0, 0.5, 1)
    ]
    assert strengths == strengths[::-1]
    assert strengths[0] < strengths[1] < strengths[2]
    assert strengths[0] == pytest.approx(0.3 * strengths[2])


def test_what_agrees_with_the_mood_encodes_better() -> None:
    sad, glad = Mood(valence=-0.8), Mood(valence=0.8)
    bad = Appraisal(sentiment=-0.8)
    assert encode(bad, sad, ANYONE).strength > encode(bad, glad, ANYONE).strength


def test_what_goes_against_the_mood_encodes_no_worse_for_it() -> None:
    found = encode(Appraisal(sentiment=-0.8), Mood(valence=0.8), ANYONE)
    emotional = 1 + 0.5 * (0.7 * 0.8 - 0.3 * 0.8) * 0.5 * 0.6
    assert found.strength == pytest.approx(0.5 * 0.575 * emotional)


def test_each_constant_is_read() -> None:
    told = Appraisal(sentiment=-1, arousal=1)
    mood = Mood(valence=-1, arousal=0.9)
    known = encode(told, mood, ANYONE)
    for model in (
        EncodingModel(base_strength=0.2),
        EncodingModel(base_stability=1.0),
        EncodingModel(stability_of_strength=1.0),
        EncodingModel(arousal_floor=0.9),
        EncodingModel(flashbulb_threshold=1.0),
        EncodingModel(flashbulb_strength=1.0),
        EncodingModel(flashbulb_stability=1.0),
        EncodingModel(content_arousal=0.5),
    ):
        assert encode(told, mood, ANYONE, model) != known


def test_news_that_shakes_is_a_flashbulb_memory_and_small_talk_is_not() -> None:
    def told(text: str) -> Encoded:
        return encode(appraise(text), NEUTRAL, ANYONE)

    assert told(
        "My father was killed in the explosion!!! I am devastated, it is a nightmare."
    ).flashbulb
    for text in ("Thanks, that was great!", "The train leaves at nine.", "I hate Mondays!"):
        assert not told(text).flashbulb


@given(TOLD, MOODS_OF_ALL, PEOPLE, MODELS)
def test_all_is_within_bounds(
    told: Appraisal, mood: Mood, who: Personality, model: EncodingModel
) -> None:
    found = encode(told, mood, who, model)
    assert 0 < found.strength <= 1
    assert 0 <= found.importance <= 1
    least = model.base_stability
    assert least < found.stability <= least * 7 * 5
    assert -1 <= found.emotion.valence <= 1
    assert mood.level <= found.emotion.arousal <= 1
    assert found.emotion.dominance == mood.dominance


@given(TOLD, MOODS_OF_ALL, PEOPLE)
def test_more_excitement_never_weakens(told: Appraisal, mood: Mood, who: Personality) -> None:
    more = replace(told, arousal=(1 + told.arousal) / 2)
    assert encode(more, mood, who).strength >= encode(told, mood, who).strength
