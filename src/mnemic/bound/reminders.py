"""What a caller has to remember to do."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from mnemic.bound.rooms import Rooms
from mnemic.mind import reminders
from mnemic.model.answer import Receipt
from mnemic.model.errors import InvalidInput
from mnemic.model.packet import Reminder
from mnemic.model.scope import Principal, Scope
from mnemic.model.times import TimeLike, parse_time, to_ms
from mnemic.model.trace import Draft, TraceType
from mnemic.retrieve import listing


class BoundReminders:
    """A caller's prospective memory. Made by `Memory.bind`."""

    def __init__(self, rooms: Rooms, principal: Principal) -> None:
        self._rooms = rooms
        self._principal = principal

    def add(
        self,
        content: str,
        *,
        at: TimeLike | None = None,
        rule: str | None = None,
        event: str | None = None,
        cue: str | None = None,
        lasting: bool = False,
        importance: float = 0.5,
        threshold: float = 0.7,
        tier: int | None = None,
        timezone: str | None = None,
        scope: Scope | str | None = None,
        derived_from: Sequence[str] = (),
    ) -> Receipt:
        """Remember to do something at a time, on an event, or when a matter is spoken of.

        Without `at`, `event` and `cue`, the content says it: "call Marta tomorrow at 5",
        "every Monday at 9 water the plants", "when Tom writes, ask about the invoice".

        Args:
            content: what is to be done.
            at: when; a time without a zone is one of `timezone`.
            rule: how it comes again, as an RRULE such as "FREQ=WEEKLY;BYDAY=MO".
            event: the name of an event, or words that tell it.
            cue: words about the matter.
            lasting: an event or a cue brings it up each time, not only the first.
            importance: 0 to 1.
            threshold: cosine from which talk is about the cue.
            tier: held back from readers who ask for a lower tier.
            timezone: where the speaker's clocks hang, as an IANA name; None is the setting's.
            scope: as in `remember`.
            derived_from: ids of the memories that it comes from; it goes with them.

        Raises:
            InvalidInput: it is not told when, or the rule cannot be read.
        """
        rooms = self._rooms
        given = [one for one in (at, event, cue) if one is not None]
        if len(given) > 1:
            raise InvalidInput("at, event and cue exclude each other; give one")
        name = reminders.zone_name(timezone, rooms.brain.settings.timezone)
        zoned = timezone or rooms.brain.settings.timezone  # a time without any zone is refused
        now = to_ms(rooms.clock())
        waits: dict[str, Any]
        if at is not None:
            waits = {"trigger": "time_based", "at": parse_time("at", at, zoned), "rule": rule}
        elif event is not None:
            waits = {"trigger": "event_based", "event": event, "lasting": lasting}
        elif cue is not None:
            waits = {"trigger": "context_based", "cue": cue, "lasting": lasting}
        else:
            waits = reminders.understood(content, now, name)
            waits |= {"rule": rule} if rule is not None else {}
        reach = self._principal.reach()
        sources = [listing.whole_id(rooms.brain, reach, one) for one in derived_from]
        draft = Draft(
            content,
            type=TraceType.PROSPECTIVE,
            scope=scope,
            derived_from=tuple(sources),
            reminder={
                **waits,
                "zone": name,
                "importance": importance,
                "threshold": threshold,
                "tier": tier,
            },
        )
        return rooms.writer.write([draft], self._principal)[0]

    def due(
        self,
        *,
        events: Collection[str] = (),
        query: str | None = None,
        most_tier: int | None = None,
        fire: bool = True,
    ) -> list[Reminder]:
        """What is to be done now, the most important first.

        Args:
            events: names of what has just happened, or words that tell it.
            query: what is being talked about.
            most_tier: leave out what has a higher tier; it is not used up.
            fire: note that these were brought up: what comes once is done with it.
        """
        rooms = self._rooms
        now = to_ms(rooms.clock())
        reach = self._principal.reach()
        near = rooms.similar_to(query)
        found = reminders.due(rooms.brain, reach, now, events, query, near, most_tier)
        if fire:
            reminders.fire(rooms.brain, [one.trace.id for one in found], now)
        return found

    def list(self, *, done: bool = False) -> list[Reminder]:
        """What waits, the next in time first; with `done`, what is done as well."""
        rooms = self._rooms
        reach = self._principal.reach()
        return reminders.listed(rooms.brain, reach, to_ms(rooms.clock()), done=done)

    def done(self, trace_id: str) -> Reminder:
        """Nothing is left to do of it; the memory itself stays.

        Raises:
            NotFound: nothing of this id within reach waits.
        """
        rooms = self._rooms
        reach = self._principal.reach()
        whole = listing.whole_id(rooms.brain, reach, trace_id)
        return reminders.settle(rooms.brain, reach, whole, to_ms(rooms.clock()))
