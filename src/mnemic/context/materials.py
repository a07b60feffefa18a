"""What a packet can be made of: everything that was found for it, each part best first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mnemic.model.answer import Hit
from mnemic.model.packet import Partial, Reminder
from mnemic.model.trace import Trace


@dataclass(frozen=True, slots=True)
class Materials:
    """What was found for a packet.

    Args:
        hits: what answers, best first.
        wishes: standing rules and wishes of people, those nearest to the question first.
        working: what the session has in mind, and how active it is, 0 to 1.
        reminders: what is to be done now, the most pressing first.
        related: what the graph ties to the rest, and by what: a kind of edge, or a name.
        unbidden: what came to mind by itself.
        partial: what is half remembered, what is felt most strongly first.
    """

    hits: Sequence[Hit] = ()
    wishes: Sequence[Hit] = ()
    working: Sequence[tuple[Trace, float]] = ()
    reminders: Sequence[Reminder] = ()
    related: Sequence[tuple[Trace, str]] = ()
    unbidden: Trace | None = None
    partial: Sequence[Partial] = ()

    def traces(self) -> Iterator[Trace]:
        """Every trace of which words may be shown, some of them more than once."""
        yield from (hit.trace for hit in (*self.hits, *self.wishes))
        yield from (trace for trace, _ in self.working)
        yield from (one.trace for one in self.reminders)
        yield from (trace for trace, _ in self.related)
        if self.unbidden is not None:
            yield self.unbidden
