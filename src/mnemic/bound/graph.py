"""The graph of a caller: what its memories name, and how all of it hangs together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from mnemic.bound.rooms import Rooms
from mnemic.cognition.rules import rules_of
from mnemic.graph import aliases
from mnemic.graph.paths import asking
from mnemic.graph.spread import activated
from mnemic.mind import things
from mnemic.mind.things import Sight
from mnemic.model.errors import InvalidInput
from mnemic.model.graph import Alias, Region, Thing, Tied, Way
from mnemic.model.scope import Principal
from mnemic.model.times import TimeLike, to_ms
from mnemic.retrieve.filters import checked, checked_limit


class BoundGraph:
    """Names, traces and the ties between them. Made by `Memory.bind`.

    A thing is named as it is called, such as "Marta", or by the id of a name or of a trace. What
    is not within reach is not there, and no tie leads to it.
    """

    def __init__(self, rooms: Rooms, principal: Principal) -> None:
        self._rooms = rooms
        self._principal = principal

    def names(self, *, limit: int = 100) -> list[Thing]:
        """The names in the caller's memories, those mentioned most often first."""
        checked_limit("limit", limit)
        with self._sight() as sight:
            return sight.most_mentioned(limit)

    def neighbours(
        self,
        what: str,
        *,
        as_of: TimeLike | None = None,
        known_at: TimeLike | None = None,
    ) -> list[Tied]:
        """What a thing is tied to, the heaviest ties first.

        Args:
            what: a name, or an id.
            as_of: ties that were true at this instant; None is now.
            known_at: as the brain knew it at this instant; None is now.

        Raises:
            NotFound: there is no such thing within reach.
        """
        with self._sight(as_of, known_at) as sight:
            return things.tied(sight, what)

    def around(
        self,
        *what: str,
        depth: int = 2,
        limit: int = 100,
        as_of: TimeLike | None = None,
        known_at: TimeLike | None = None,
    ) -> Region:
        """What lies around some things, up to `depth` ties away.

        Raises:
            NotFound: one of them is not within reach.
        """
        checked_limit("depth", depth)
        checked_limit("limit", limit)
        with self._sight(as_of, known_at) as sight:
            return things.region(sight, what, depth, limit)

    def path(
        self,
        start: str,
        end: str,
        *,
        as_of: TimeLike | None = None,
        known_at: TimeLike | None = None,
    ) -> tuple[Way, ...] | None:
        """The shortest way from one thing to another; None where there is none.

        Raises:
            NotFound: one of them is not within reach.
        """
        with self._sight(as_of, known_at) as sight:
            return things.path(sight, start, end)

    def clusters(self, *what: str, smallest: int = 3) -> list[tuple[Thing, ...]]:
        """What hangs together more than with the rest around some things, the largest first.

        Needs the extra ``graph``.
        """
        checked_limit("smallest", smallest)
        with self._sight() as sight:
            return things.grouped(sight, what, smallest)

    def activate(self, *what: str) -> Mapping[str, float]:
        """What some things bring to mind, by spreading activation: ids, the most active first."""
        rules = rules_of(self._rooms.brain.settings.mind).spreading
        with self._sight() as sight:
            seeds = [one for each in what for one in sight.found(each)]
            ask = asking(sight.connection, sight.brain.id, sight.reach, sight.clocks)
            return activated(ask, seeds, rules)

    def aliases(self, *, limit: int = 100) -> list[Alias]:
        """Names that seem to be short for another one; `merge` makes one of them."""
        checked_limit("limit", limit)
        with self._sight() as sight:
            return things.aliases(sight, limit)

    def merge(self, name: str, into: str) -> None:
        """Have one name stand for another from now on; `unmerge` takes it back.

        Raises:
            NotFound: one of them is not within reach.
            InvalidInput: they lie in two scope ids, or are one already.
        """
        rooms = self._rooms
        with self._sight() as sight:
            one, other = self._pair(sight, name, into)
        with rooms.brain.write() as connection:
            now = to_ms(rooms.clock())
            reach = self._principal.reach()
            aliases.merge(connection, rooms.brain.id, reach, one, other, now)

    def unmerge(self, name: str) -> bool:
        """Have a name stand for itself again; tells whether it stood for another.

        Args:
            name: the id of its node, or the name.

        Raises:
            NotFound: it is not within reach.
        """
        rooms = self._rooms
        with self._sight() as sight:
            ids = sight.merged(name)
        with rooms.brain.write() as connection:
            now = to_ms(rooms.clock())
            reach = self._principal.reach()
            brain_id = rooms.brain.id
            undone = [aliases.undo_merge(connection, brain_id, reach, one, now) for one in ids]
        return any(undone)

    def _pair(self, sight: Sight, name: str, into: str) -> tuple[str, str]:
        """The nodes of two names, in the one scope id that has both."""
        ones, others = sight.found(name), sight.found(into)
        if len(ones) == 1 and len(others) == 1:
            return ones[0], others[0]
        places = sight.places([*ones, *others])
        both = [(a, b) for a in ones for b in others if places[a] == places[b]]
        if len(both) != 1:
            raise InvalidInput(
                f"{name!r} and {into!r} stand in several scopes; name them by their ids"
            )
        return both[0]

    @contextmanager
    def _sight(
        self, as_of: TimeLike | None = None, known_at: TimeLike | None = None
    ) -> Iterator[Sight]:
        rooms = self._rooms
        rooms.touches.flush()
        filters = checked(
            self._principal, rooms.brain.settings, rooms.clock, as_of=as_of, known_at=known_at
        )
        with rooms.brain.read() as connection:
            yield Sight(connection, rooms.brain, filters.reach, filters.clocks)
