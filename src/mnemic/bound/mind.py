"""The mind of a caller: how its memories stand, what is in mind, and what becomes of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from mnemic.bound.rooms import Rooms
from mnemic.cognition.working import attention
from mnemic.consolidate.bed import Sleeper
from mnemic.consolidate.run import consolidate
from mnemic.mind import feedback, gist, strengths
from mnemic.mind.feedback import Signal
from mnemic.mind.working import session_of
from mnemic.model.answer import Hit
from mnemic.model.consolidation import Consolidated
from mnemic.model.insight import InMind, Rehydrated, Strength
from mnemic.model.scope import Principal
from mnemic.model.times import from_ms, to_ms
from mnemic.retrieve import listing
from mnemic.retrieve.filters import checked, checked_limit


class BoundMind:
    """What a caller does with memories beyond writing and reading. Made by `Memory.bind`."""

    def __init__(self, rooms: Rooms, principal: Principal) -> None:
        self._rooms = rooms
        self._principal = principal

    def strengths(self, *, limit: int = 50, weakest: bool = False) -> list[Strength]:
        """How the caller's memories stand at present, the strongest first, or the weakest.

        Args:
            limit: most of them.
            weakest: begin with those that fade.
        """
        checked_limit("limit", limit)
        self._rooms.touches.flush()
        now = to_ms(self._rooms.clock())
        reach = self._principal.reach()
        return strengths.standing(self._rooms.brain, reach, now, limit, weakest=weakest)

    def strength(self, trace_id: str) -> Strength:
        """How one memory stands at present.

        Raises:
            NotFound: there is none of this id within reach.
        """
        self._rooms.touches.flush()
        whole = self._whole(trace_id)
        now = to_ms(self._rooms.clock())
        return strengths.of(self._rooms.brain, self._principal.reach(), whole, now)

    def feedback(
        self, trace_ids: Iterable[str], signal: Signal | str, *, query: str | None = None
    ) -> int:
        """Say what became of recalled memories: "used" or "ignored". Each word of it counts once.

        Args:
            trace_ids: of the memories.
            signal: what became of them.
            query: for what they were recalled; what was used for one question is tied together.

        Returns:
            how many memories it was about.

        Raises:
            NotFound: one of them is not within reach; nothing was noted.
        """
        rooms = self._rooms
        rooms.touches.flush()
        ids = [self._whole(one) for one in trace_ids]
        with rooms.brain.write() as connection:
            now = to_ms(rooms.clock())
            reach = self._principal.reach()
            return feedback.give(connection, rooms.brain, reach, ids, signal, query, now)

    def feedback_from_reply(
        self, hits: Sequence[Hit], reply: str, *, query: str | None = None
    ) -> Mapping[str, tuple[str, ...]]:
        """Judge from a reply which hits it has used, and note that.

        A hit was used when more than 30 % of its longer words stand in the reply.

        Returns:
            the ids of the hits "used" and of those "ignored".
        """
        judged = feedback.judged(hits, reply)
        for signal, ids in judged.items():
            if ids:
                self.feedback(ids, signal, query=query)
        return {signal.value: tuple(ids) for signal, ids in judged.items()}

    def working(self) -> list[InMind]:
        """What this session has in mind, the most active first."""
        rooms = self._rooms
        slots = rooms.sessions.slots(session_of(self._principal))
        filters = checked(self._principal, rooms.brain.settings, rooms.clock)
        found = listing.some(rooms.brain, filters, [slot.trace_id for slot in slots])
        shares = attention(slots)
        return [
            InMind(
                trace=found[slot.trace_id],
                activation=slot.activation,
                attention=shares[slot.trace_id],
                entered_at=from_ms(slot.entered_at),
                rehearsals=slot.rehearsals,
            )
            for slot in slots
            if slot.trace_id in found
        ]

    def rehearse(self, trace_id: str) -> None:
        """Attend again to something that is in mind; what is not, stays out."""
        session = session_of(self._principal)
        self._rooms.sessions.rehearsed(session, self._whole(trace_id))

    def let_go(self) -> None:
        """Have nothing in mind any more in this session."""
        self._rooms.sessions.let_go(session_of(self._principal))

    def reflect(self, *, dry_run: bool = False) -> Consolidated:
        """Tidy up the caller's own scopes, as `Memory.consolidate` does the whole brain."""
        rooms = self._rooms
        rooms.touches.flush()
        sleeper = Sleeper(rooms.writer, rooms.cache, rooms.summarizer)
        return consolidate(sleeper, reach=self._principal.reach(), dry_run=dry_run)

    def rehydrate(self, trace_id: str, *, restore: bool = False) -> Rehydrated | None:
        """The words of a memory that was cut down to its gist; None for one that was not.

        Args:
            trace_id: the memory.
            restore: put its words back in their place as well.

        Raises:
            NotFound: there is none of this id within reach.
        """
        writer = self._rooms.writer
        return gist.rehydrate(writer, self._principal, self._whole(trace_id), restore=restore)

    def _whole(self, trace_id: str) -> str:
        return listing.whole_id(self._rooms.brain, self._principal.reach(), trace_id)
