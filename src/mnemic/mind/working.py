"""What each session has in mind, kept while the brain is open, and beyond if that is wanted."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence

from sqlalchemy import ColumnElement, Connection, delete, select

from mnemic.cognition.rules import rules_of
from mnemic.cognition.working import Slot, Working, recalled, rehearsed
from mnemic.model.errors import StorageError
from mnemic.model.scope import Principal, Scope
from mnemic.store.brain import Brain
from mnemic.store.bulk import insert_rows
from mnemic.store.engrams import engrams
from mnemic.store.mind_schema import working_slots

_w = working_slots.c

_MOST_SESSIONS = 1_000
"""Sessions that are kept at once; the one that was used longest ago makes room."""

FOCUSED = 5
"""The first hits of a recall, which come to mind."""

Session = tuple[str, str]
"""Whose it is, and which."""


def session_of(principal: Principal) -> Session | None:
    """The session of a caller: its conversation. One without a thread has none in mind."""
    thread = principal.scope_id(Scope.THREAD)
    return None if thread is None else (principal.owner, thread)


class Sessions:
    """The working memory of every session of a brain. Threads may share it."""

    def __init__(self, brain: Brain) -> None:
        self._brain = brain
        self._lock = threading.Lock()
        self._held: OrderedDict[Session, tuple[Slot, ...]] = OrderedDict()

    @property
    def rules(self) -> Working:
        """The constants of the brain."""
        return rules_of(self._brain.settings.mind).working

    def slots(self, session: Session | None) -> tuple[Slot, ...]:
        """What a session has in mind, the most active first."""
        if session is None:
            return ()
        with self._lock:
            return self._load(session)

    def recalled(self, session: Session | None, ids: Sequence[str], now: int) -> None:
        """The first of what a recall gave come to mind, and the rest fades."""
        self._change(session, lambda slots: recalled(slots, ids[:FOCUSED], now, self.rules))

    def rehearsed(self, session: Session | None, trace_id: str) -> None:
        """Something in mind is attended to again."""
        self._change(session, lambda slots: rehearsed(slots, trace_id, self.rules))

    def let_go(self, session: Session | None) -> None:
        """Nothing is in mind any more."""
        self._change(session, lambda slots: slots[:0])

    def clear(self) -> None:
        """Have nothing in mind in any session, until something is recalled or read again."""
        with self._lock:
            self._held.clear()

    def _change(
        self, session: Session | None, step: Callable[[tuple[Slot, ...]], tuple[Slot, ...]]
    ) -> None:
        mind = self._brain.settings.mind
        if session is None or not mind.works(mind.working):
            return
        with self._lock:
            before = self._load(session)
            after = step(before)
            self._held[session] = after
            self._held.move_to_end(session)
            while len(self._held) > _MOST_SESSIONS:
                self._held.popitem(last=False)
            if mind.working.persist and after != before:
                self._save(session, after)

    def _load(self, session: Session) -> tuple[Slot, ...]:
        held = self._held.get(session)
        if held is not None:
            return held
        found: tuple[Slot, ...] = ()
        if self._brain.settings.mind.working.persist:
            with self._brain.read() as connection:
                found = self._read(connection, session)
        self._held[session] = found
        return found

    def _read(self, connection: Connection, session: Session) -> tuple[Slot, ...]:
        query = select(working_slots).where(*self._of(session))
        rows = connection.execute(query.order_by(_w.activation.desc(), _w.entered_at.desc()))
        return tuple(
            Slot(row.trace_id, row.activation, row.entered_at, row.rehearsals) for row in rows
        )

    def _save(self, session: Session, slots: Sequence[Slot]) -> None:
        """Written if that can be done now: what is in mind is a note, no memory."""
        owner, name = session
        try:
            with self._brain.jot() as connection:
                if connection is None:
                    return
                connection.execute(delete(working_slots).where(*self._of(session)))
                ids = [slot.trace_id for slot in slots]
                there = engrams(connection, self._brain.id, ids)
                rows = [
                    {
                        "brain_id": self._brain.id,
                        "owner": owner,
                        "session": name,
                        "trace_id": slot.trace_id,
                        "activation": slot.activation,
                        "entered_at": slot.entered_at,
                        "rehearsals": slot.rehearsals,
                    }
                    for slot in slots
                    if slot.trace_id in there
                ]
                insert_rows(working_slots, connection, rows)
        except StorageError:
            return  # a brain that can be read but not written still has things in mind

    def _of(self, session: Session) -> tuple[ColumnElement[bool], ...]:
        return _w.brain_id == self._brain.id, _w.owner == session[0], _w.session == session[1]
