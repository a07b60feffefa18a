"""What the owner of a brain asks of it: what to erase, when to freeze, a new key."""

from __future__ import annotations

from sqlalchemy import ColumnElement

from mnemic.encode.deed import Deed
from mnemic.encode.revise import erase
from mnemic.encode.revise.erase import Condition
from mnemic.govern import ledger
from mnemic.govern.audit import Chain, Note
from mnemic.govern.ledger import Mode
from mnemic.model.errors import InvalidInput, NotFound
from mnemic.model.ids import checked_trace_id
from mnemic.model.scope import Principal, Reach, checked_id
from mnemic.model.times import Clock, to_ms
from mnemic.model.trace import one_of
from mnemic.store import keys
from mnemic.store.brain import Brain
from mnemic.store.keys import NewKey
from mnemic.store.types import AnyRow


def erasable(
    *,
    trace: str | None = None,
    user: str | None = None,
    thread: str | None = None,
    source: str | None = None,
    namespace: str | None = None,
    reach: Reach | None = None,
) -> tuple[str, Condition]:
    """What an erasure means: its name, and what finds its traces. `reach` bounds a source.

    Raises:
        InvalidInput: not exactly one thing is named.
    """
    given = [
        name for name, value in (("trace", trace), ("user", user), ("source", source)) if value
    ]
    if len(given) != 1 or (thread is not None and user is None):
        raise InvalidInput(
            "erase takes one of trace, user, source, or user with thread; got "
            + (", ".join([*given, *(["thread"] if thread else [])]) or "none of them")
        )
    if trace is not None:
        return "trace", _by(erase.of_trace(checked_trace_id(trace)), f"trace {trace!r}")
    if source is not None:
        return "source", _by_source(checked_id("source", source), reach)
    owner = Principal(user, namespace=namespace).owner
    if thread is not None:
        name = f"thread {thread!r} of user {user!r}"
        return "thread", _by(erase.of_thread(owner, checked_id("thread", thread)), name)
    return "user", _by(erase.of_user(owner), f"user {user!r}")


def _by(condition: ColumnElement[bool], name: str) -> Condition:
    def find(deed: Deed) -> list[AnyRow]:
        rows = erase.targets(deed, condition)
        if not rows:
            raise NotFound(f"there is nothing of {name} to erase")
        return rows

    return find


def _by_source(source: str, reach: Reach | None) -> Condition:
    def find(deed: Deed) -> list[AnyRow]:
        rows = erase.source_targets(deed, source, reach)
        if not rows:
            raise NotFound(f"there is nothing from source {source!r} to erase")
        return rows

    return find


def set_freeze(brain: Brain, clock: Clock, principal: Principal | None, mode: str) -> None:
    """Freeze, suspend or free a caller's scopes, or the whole brain; the audit log says so."""
    wanted = one_of(Mode, "mode", mode)
    if wanted is Mode.OFF:
        raise InvalidInput("mode 'off' is the setting learning.mode; use frozen, suspended or on")
    now = to_ms(clock())
    places = (
        [("", "")]
        if principal is None
        else [(scope.value, scope_id) for scope, scope_id in principal.reach()]
    )
    with brain.write() as connection:
        for place in places:
            ledger.set_mode(connection, brain, place, wanted)
        chain = Chain(connection, brain.id, now)
        actor = "owner" if principal is None else principal.actor
        detail = {"mode": wanted.value, "whole": principal is None}
        chain.append(Note(actor, "freeze", "done", detail=detail))
        chain.flush()


def rotate(brain: Brain, clock: Clock, new_key: NewKey) -> int:
    """Put a new key on the ring; the audit log says so."""
    now = to_ms(clock())
    with brain.write() as connection:
        brain.ring = keys.add(connection, brain.id, now, new_key())
        chain = Chain(connection, brain.id, now)
        chain.append(Note("owner", "rotate_key", "done", detail={"version": brain.ring.version}))
        chain.flush()
    return brain.ring.version
