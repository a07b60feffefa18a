"""Everything that goes into the context of a prompt, gathered from every part of the mind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mnemic.bound.rooms import Rooms
from mnemic.cognition.rules import personality_of
from mnemic.context import Materials, assemble, style_of
from mnemic.mind import reminders
from mnemic.mind.knowing import felt
from mnemic.mind.related import related
from mnemic.mind.unbidden import comes
from mnemic.mind.working import session_of
from mnemic.model.packet import ContextPacket, Reminder, Section, Style
from mnemic.model.scope import Principal
from mnemic.model.trace import Trace
from mnemic.retrieve import listing
from mnemic.retrieve.filters import Filters
from mnemic.retrieve.recall import Answers

_MOST_RELATED = 5
"""Neighbours of the hits that are offered (AgentOS's number)."""

_LINE_TOKENS, _TOKEN_CHARS = 20, 5
"""Tokens that a line takes besides its words, and characters of a token: both on the low side."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a packet is asked for.

    Args:
        query: what the prompt is about.
        budget_tokens: most tokens.
        style: how its lines are written; None goes by the personality.
        touch: whether what is brought up is used up by it.
    """

    query: str
    budget_tokens: int
    style: Style | None
    touch: bool


def packet(
    rooms: Rooms, principal: Principal, wanted: Wanted, filters: Filters, found: Answers
) -> ContextPacket:
    """The packet of what was found, and of what comes to mind with it.

    What the session has in mind, what is to be done and what comes unbidden are of the present: a
    packet about the past has none of them.
    """
    settings = rooms.brain.settings
    present = filters.clocks.known_at is None and filters.now == filters.clocks.as_of
    shown = [hit.trace.id for hit in found.hits]
    due = _due(rooms, wanted.query, filters) if present else []
    materials = Materials(
        hits=found.hits,
        wishes=found.standing,
        working=_in_mind(rooms, principal, filters) if present else (),
        reminders=due,
        related=_related(rooms, filters, found, wanted.budget_tokens),
        unbidden=comes(rooms.brain, filters, rooms.chance, set(shown)) if present else None,
        partial=felt(wanted.query, found.behind, settings.mind, filters.now),
    )
    style = wanted.style or style_of(personality_of(settings.mind.personality))
    made = assemble(materials, wanted.budget_tokens, style, settings.context)
    if wanted.touch:
        told = {line.trace_id for line in made.of(Section.REMINDERS)}
        reminders.fire(rooms.brain, told, filters.now)
    return made


def _due(rooms: Rooms, query: str, filters: Filters) -> list[Reminder]:
    """What is to be done; one that does not fit is brought up the next time."""
    if not rooms.brain.settings.context.reminder_share:
        return []
    near = rooms.similar_to(query)
    return reminders.due(rooms.brain, filters.reach, filters.now, (), query, near)


def _in_mind(rooms: Rooms, principal: Principal, filters: Filters) -> Sequence[tuple[Trace, float]]:
    """What the session has in mind, as far as it meets the filters."""
    if not rooms.brain.settings.context.working_share:
        return ()
    slots = rooms.sessions.slots(session_of(principal))
    found = listing.some(rooms.brain, filters, [slot.trace_id for slot in slots])
    return [(found[slot.trace_id], slot.activation) for slot in slots if slot.trace_id in found]


def _related(
    rooms: Rooms, filters: Filters, found: Answers, budget_tokens: int
) -> Sequence[tuple[Trace, str]]:
    """Neighbours in the graph, looked up only where the hits leave room for them."""
    if not rooms.brain.settings.context.related_share:
        return ()
    hits = [hit.trace for hit in found.hits]
    taken = sum(_LINE_TOKENS + len(one.content) // _TOKEN_CHARS for one in hits)
    if taken > budget_tokens:
        return ()
    return related(rooms.brain, filters, [one.id for one in hits], _MOST_RELATED)
