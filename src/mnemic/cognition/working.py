"""Working memory: the few things that a session has in mind at a time.

Baddeley & Hitch 1974: a small store whose contents are kept up by rehearsal and lost to what
enters. Miller 1956: about seven of them. This is the account of a limited number of slots, each
with an activation that fades as others are attended to; the weakest makes room. Left out: the
separate stores for words and for pictures, and the executive that chooses between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from mnemic.model.mind import Personality

_OPEN = 0.6
_LEAST, _MOST = 5, 9


@dataclass(frozen=True, slots=True)
class Working:
    """How a session's slots work.

    Args:
        capacity: how many there are. AgentOS: 7.
        activation: of what enters, 0 to 1. AgentOS: .8.
        refocus: gain of what is recalled again. AgentOS: .2.
        rehearsal: gain of a rehearsal. AgentOS: .15.
        decay: loss of every slot with each recall. AgentOS: .1.
        evict: below this a slot is given up. AgentOS: .15.
    """

    capacity: int = 7
    activation: float = 0.8
    refocus: float = 0.2
    rehearsal: float = 0.15
    decay: float = 0.1
    evict: float = 0.15

    def shaped(self, personality: Personality) -> Self:
        """The capacity of somebody: openness adds a slot, conscientiousness takes one.

        Within 5 to 9 (Miller's seven, plus or minus two), unless the base lies outside.
        """
        more = (personality.openness > _OPEN) - (personality.conscientiousness > _OPEN)
        if not more:
            return self
        least, most = min(_LEAST, self.capacity), max(_MOST, self.capacity)
        return replace(self, capacity=max(least, min(most, self.capacity + more)))


@dataclass(frozen=True, slots=True)
class Slot:
    """One thing in mind.

    Args:
        trace_id: which.
        activation: 0 to 1.
        entered_at: when it came to mind, in milliseconds.
        rehearsals: how often it was attended to again.
    """

    trace_id: str
    activation: float
    entered_at: int
    rehearsals: int = 0


def recalled(
    slots: Sequence[Slot], ids: Iterable[str], now: int, rules: Working
) -> tuple[Slot, ...]:
    """The slots after a recall: all fade, what was recalled enters or is refreshed.

    Args:
        slots: before it.
        ids: of what was recalled, best first; no more of them enter than there are slots.
        now: milliseconds.
        rules: the constants.

    Returns:
        The most active first.
    """
    held: dict[str, Slot] = {}
    for slot in slots:
        faded = replace(slot, activation=slot.activation - rules.decay)
        if faded.activation >= rules.evict:
            held[slot.trace_id] = faded
    wanted = list(dict.fromkeys(ids))[: rules.capacity]
    for trace_id in wanted:
        old = held.get(trace_id)
        if old is None:
            held[trace_id] = Slot(trace_id, rules.activation, now)
        else:
            raised = min(1.0, old.activation + rules.decay + rules.refocus)
            held[trace_id] = replace(old, activation=raised, rehearsals=old.rehearsals + 1)
    return _kept(held, wanted, rules)


def rehearsed(slots: Sequence[Slot], trace_id: str, rules: Working) -> tuple[Slot, ...]:
    """The slots after one of them was rehearsed; one that is not there changes nothing."""
    held = {slot.trace_id: slot for slot in slots}
    slot = held.get(trace_id)
    if slot is not None:
        raised = min(1.0, slot.activation + rules.rehearsal)
        held[trace_id] = replace(slot, activation=raised, rehearsals=slot.rehearsals + 1)
    return _kept(held, (), rules)


def attention(slots: Sequence[Slot]) -> Mapping[str, float]:
    """The share of attention that each slot has; they add up to 1."""
    total = sum(slot.activation for slot in slots)
    return {slot.trace_id: slot.activation / total for slot in slots} if total else {}


def _kept(held: Mapping[str, Slot], wanted: Sequence[str], rules: Working) -> tuple[Slot, ...]:
    """The most active slots, as many as there are; of equals, what has just been recalled."""
    place = {trace_id: at for at, trace_id in enumerate(wanted)}
    last = len(wanted)

    def order(slot: Slot) -> tuple[float, int, int, str]:
        return -slot.activation, place.get(slot.trace_id, last), -slot.entered_at, slot.trace_id

    return tuple(sorted(held.values(), key=order)[: rules.capacity])
