"""What was felt too strongly is seen more calmly, the most arousing first."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic.cognition.mechanisms.regulation import Charged, Regulation, regulated
from mnemic.model.mind import Emotion, Personality

RULES = Regulation()


def charged(
    name: str, valence: float = -0.85, arousal: float = 0.7, strength: float = 0.5
) -> Charged:
    return Charged(name, strength, Emotion(valence, arousal, 0.3))


def test_reappraisal_takes_the_most_arousing_first() -> None:
    """Gross 1998: what is most in need of it comes first; how it feels changes, not its order."""
    memories = [charged("mild", arousal=0.65), charged("wild", arousal=0.95), charged("hot")]
    assert [one.id for one in regulated(memories, RULES)] == ["wild", "hot", "mild"]
    assert [one.id for one in regulated(memories, Regulation(most=1))] == ["wild"]


def test_reappraisal_calms_and_leaves_strength_and_dominance() -> None:
    [found] = regulated([charged("a")], RULES)
    assert found.emotion.valence == pytest.approx(-0.7225)
    assert found.emotion.arousal == pytest.approx(0.595)
    assert found.emotion.dominance == 0.3
    assert (found.strength, found.suppressed) == (0.5, False)


def test_what_is_still_too_strong_is_held_down() -> None:
    """Gross 1998: suppression is what is left where reappraisal did not do."""
    [found] = regulated([charged("a", valence=-1, arousal=0.9)], RULES)
    assert found.emotion.valence == pytest.approx(-0.85)
    assert found.emotion.arousal == pytest.approx(0.765)
    assert found.strength == pytest.approx(0.45)
    assert found.suppressed


def test_reappraisal_alone_does_in_the_end() -> None:
    memory = charged("a", valence=-1, arousal=1)
    rounds = 0
    while found := regulated([memory], RULES):
        memory = Charged("a", found[0].strength, found[0].emotion)
        rounds += 1
    assert rounds == 2
    assert memory.emotion.valence == pytest.approx(-0.7225)
    assert memory.strength == pytest.approx(0.45)


@pytest.mark.parametrize(
    ("memory", "taken"),
    [
        (charged("a"), True),
        (charged("a", valence=0.85), True),
        (charged("a", valence=-0.8), False),
        (charged("a", arousal=0.6), False),
        (charged("a", strength=0.9), False),
    ],
)
def test_only_what_is_too_strong_is_taken_up(memory: Charged, taken: bool) -> None:
    assert bool(regulated([memory], RULES)) is taken


def test_the_limit_holds_for_both() -> None:
    memories = [charged(f"{number:02}", valence=-1, arousal=0.9) for number in range(12)]
    found = regulated(memories, RULES)
    assert len(found) == 10
    assert all(one.suppressed for one in found)


def test_agreeableness_scales_the_rate() -> None:
    assert RULES.shaped(Personality()) == RULES
    assert RULES.shaped(Personality(agreeableness=0)).rate == pytest.approx(0.105)
    assert RULES.shaped(Personality(agreeableness=1)).rate == pytest.approx(0.195)
    assert Regulation(rate=0.9).shaped(Personality(agreeableness=1)).rate == 1


memories_ = st.builds(
    charged,
    st.uuids().map(str),
    valence=st.floats(-1, 1),
    arousal=st.floats(0, 1),
    strength=st.floats(0, 1),
)


@settings(max_examples=200)
@given(st.lists(memories_, max_size=8), st.floats(0, 1))
def test_regulation_never_heightens(memories: list[Charged], rate: float) -> None:
    before = {one.id: one for one in memories}
    for one in regulated(memories, Regulation(rate=rate)):
        was = before[one.id]
        assert abs(one.emotion.valence) <= abs(was.emotion.valence)
        assert one.emotion.valence * was.emotion.valence >= 0
        assert 0 <= one.emotion.arousal <= was.emotion.arousal
        assert one.strength == (was.strength * 0.9 if one.suppressed else was.strength)
