"""Source monitoring: what one thought of oneself fades faster than what one was told.

Johnson & Raye 1981 (reality monitoring) and Johnson, Hashtroudi & Lindsay 1993: a memory has no
label that says where it comes from; that is judged later, and what came from within is easily
taken for what happened. Mitchell & Johnson 2009: the more alike the sources, the more mistakes.
An agent's guesses should therefore not outlive what it was told. From time to time each memory's
stability is multiplied by a number that goes with its source. Left out: the judgment itself
(here the source is written down and never forgotten) and how much detail a memory has.

AgentOS does so once an hour, and the losses multiply: at .8 an hour a guess is down to a two
hundredth of its stability within a day, so it is as good as never remembered. Here the interval
is 30 days: in a year, a guess of somebody of middling honesty loses 98 % of its stability and an
observation 46 %, while what a person said loses nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Self

from mnemic.model.mind import Personality
from mnemic.model.origin import SourceType

_DAY = 86_400_000

MULTIPLIERS: Mapping[SourceType, float] = MappingProxyType(
    {
        SourceType.USER_STATEMENT: 1.0,
        SourceType.AGENT_INFERENCE: 0.8,
        SourceType.TOOL_RESULT: 1.0,
        SourceType.OBSERVATION: 0.95,
        SourceType.REFLECTION: 0.75,
        SourceType.EXTERNAL: 0.9,
        SourceType.FACT_GRAPH: 0.85,
        SourceType.TYPED_NETWORK: 0.85,
        SourceType.RETRIEVED_DOCUMENT: 0.95,
        SourceType.HUMAN_APPROVAL: 1.0,
        SourceType.IDENTITY_PROVIDER: 1.0,
        SourceType.SYSTEM_CONFIG: 1.0,
        SourceType.EXTERNAL_API: 0.9,
        SourceType.MEMORY_SUMMARY: 0.75,
    }
)
"""What the stability of a memory is multiplied by at each interval; the values are AgentOS's."""

_FLOORS = {SourceType.AGENT_INFERENCE: 0.5, SourceType.REFLECTION: 0.4}
"""The agent's own thoughts, which honesty marks down, and how far at most."""


@dataclass(frozen=True, slots=True)
class SourceDecay:
    """How much each source costs, and how often.

    Args:
        multipliers: by source, 0 to 1; a source that is missing costs nothing. AgentOS's.
        strong: from this strength on, 0 to 1, a memory loses little. AgentOS: .8.
        strong_multiplier: the least that a strong memory is multiplied by. AgentOS: .9.
        interval: milliseconds between two losses of a memory. Ours: 30 days. AgentOS: 1 hour.
    """

    multipliers: Mapping[SourceType, float] = field(default_factory=lambda: MULTIPLIERS)
    strong: float = 0.8
    strong_multiplier: float = 0.9
    interval: int = 30 * _DAY

    def shaped(self, personality: Personality) -> Self:
        """The multipliers of somebody: honesty marks down the agent's own thoughts.

        This is not neutral at .5, as it is not in AgentOS: there it takes .075 off.
        """
        off = 0.15 * personality.honesty
        shaped = dict(self.multipliers)
        for source, floor in _FLOORS.items():
            plain = shaped.get(source, 1.0)
            shaped[source] = min(plain, max(floor, plain - off))
        return replace(self, multipliers=MappingProxyType(shaped))


def decayed_stability(
    stability: float,
    source: SourceType,
    strength: float,
    last_at: int | None,
    now: int,
    rules: SourceDecay,
) -> float | None:
    """The stability of a memory after what its source costs it.

    Args:
        stability: that it has, in milliseconds.
        source: where it comes from.
        strength: of its encoding, 0 to 1.
        last_at: when it last lost some, in milliseconds. None is never, and it loses some now;
            who wants to spare a new memory for one interval gives the time it was made.
        now: milliseconds.
        rules: the constants.

    Returns:
        None when nothing changes: it is too soon, or the source costs nothing.
    """
    if last_at is not None and now - last_at < rules.interval:
        return None
    multiplier = rules.multipliers.get(source, 1.0)
    if strength >= rules.strong:
        multiplier = max(multiplier, rules.strong_multiplier)
    return stability * multiplier if multiplier < 1 else None
