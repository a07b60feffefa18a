"""Reconsolidation: a memory that is recalled in a mood takes on a little of that mood.

Nader, Schafe & Le Doux 2000 and Nader 2003: recall makes a memory unstable for a while, and it
is stored anew with what is there at that time. This is the account for its feeling: valence,
arousal and dominance move a share of the way to the mood, and a memory moves only so far in its
life. Left out: the time window in which a memory stays unstable, changes of the content (a
correction is a new version, never a drift), and the halved rate that AgentOS has for memories
told from somebody's point of view; who wants that gives half the rate.

Two things differ from AgentOS. Its immunity begins at a strength of 9, which no strength on a
scale from 0 to 1 reaches; here it is .9. And it lets a neutral mood draw too, so that an agent
whose mood nobody sets flattens each memory a little with each recall; here no mood is no news,
and what was felt stays. Its mood measures arousal from -1 to 1 and its memories from 0 to 1, and
it mixes the two; here the mood is brought to the memories' scale first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from mnemic.model.mind import Emotion, Mood, Personality

_NOTHING = 1e-6
"""A smaller move is not worth writing down: the way to a mood never quite ends."""


@dataclass(frozen=True, slots=True)
class Reconsolidation:
    """How far recall moves the feeling of a memory.

    Args:
        rate: share of the way to the mood that one recall moves, 0 to 1. AgentOS: .05.
        most: the sum of all moves on the three axes in a memory's life. AgentOS: .4.
        immune_strength: from this strength on, 0 to 1, a memory does not move. AgentOS means
            .9 and has 9.
        in_neutral_mood: whether a neutral mood draws too. AgentOS: True.
    """

    rate: float = 0.05
    most: float = 0.4
    immune_strength: float = 0.9
    in_neutral_mood: bool = False

    def shaped(self, personality: Personality) -> Self:
        """The rate of somebody: emotionality raises it, up to half as much again."""
        return replace(self, rate=min(1.0, self.rate * (0.5 + personality.emotionality)))


def reconsolidated(
    emotion: Emotion, mood: Mood, drifted: float, strength: float, rules: Reconsolidation
) -> tuple[Emotion, float] | None:
    """The feeling of a memory after a recall, and how far it has moved in all.

    Args:
        emotion: what it carries.
        mood: of the agent that recalls it.
        drifted: how far it has moved before, summed over the axes.
        strength: of its encoding, 0 to 1.
        rules: the constants.

    Returns:
        None when nothing changes.
    """
    left = rules.most - drifted
    still = mood.is_neutral and not rules.in_neutral_mood
    if still or left <= 0 or strength >= rules.immune_strength:
        return None
    steps = (
        rules.rate * (mood.valence - emotion.valence),
        rules.rate * (mood.level - emotion.arousal),
        rules.rate * (mood.dominance - emotion.dominance),
    )
    wanted = sum(map(abs, steps))
    if wanted < _NOTHING:
        return None
    share = min(1.0, left / wanted)
    moved = Emotion(
        _within(emotion.valence + share * steps[0], -1.0),
        _within(emotion.arousal + share * steps[1], 0.0),
        _within(emotion.dominance + share * steps[2], -1.0),
    )
    return moved, rules.most if share < 1 else drifted + wanted


def _within(value: float, least: float) -> float:
    return max(least, min(1.0, value))
