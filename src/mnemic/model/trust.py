"""What the brain holds a trace to be, and who may move it, by which event.

`MOVES` is the whole table and `moved` the one place where it is enforced: every change of a
trace's trust goes through it. Authority is that of the channel that the runtime names; nothing
in a text, a draft or an argument of a tool can raise it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from mnemic.model.errors import NotAllowed


class Trust(StrEnum):
    """What the brain holds a trace to be."""

    CANDIDATE = "candidate"
    """It waits for a person."""
    BELIEVED = "believed"
    """It is taken for true as far as known."""
    VERIFIED = "verified"
    """A reviewer has checked it."""
    DISPUTED = "disputed"
    """It contradicts what is believed."""
    QUARANTINED = "quarantined"
    """What it rests on was rejected, or a reviewer has put it away."""
    REJECTED = "rejected"
    """It is wrong; its value has a tombstone."""
    SUPERSEDED = "superseded"
    """Another trace stands in its place."""
    EXPIRED = "expired"
    """It waited too long for a person."""
    FORGOTTEN = "forgotten"
    """It was taken out of sight on purpose."""


READABLE = (Trust.BELIEVED, Trust.VERIFIED)
"""The states that readers are given."""

ASKABLE = (Trust.BELIEVED, Trust.VERIFIED, Trust.CANDIDATE, Trust.DISPUTED, Trust.SUPERSEDED)
"""The states that a person's reader may ask for; the others are given to no reader."""

SEARCHED = (Trust.BELIEVED, Trust.VERIFIED, Trust.CANDIDATE, Trust.DISPUTED)
"""The states that the index finds."""


class Authority(StrEnum):
    """In whose name a change is made."""

    MACHINE = "machine"
    """An agent, a tool, an import, an MCP client."""
    PERSON = "person"
    """The program that holds the brain, or a person at the terminal, for one user."""
    BRAIN = "brain"
    """A rule of the brain's own."""
    REVIEWER = "reviewer"
    """A person who judges what is remembered."""


class Event(StrEnum):
    """What moves a trace from one state to another."""

    CORRECT = "correct"
    UPDATE = "update"
    DATE = "date"
    EDIT = "edit"
    SEND_BACK = "send_back"
    APPROVE = "approve"
    VERIFY = "verify"
    DISPUTE = "dispute"
    QUARANTINE = "quarantine"
    REJECT = "reject"
    SUPERSEDE = "supersede"
    EXPIRE = "expire"
    FORGET = "forget"
    RESTORE = "restore"
    LIFT = "lift"


@dataclass(frozen=True, slots=True)
class Move:
    """One row of the table: from which states, to which, and in whose name."""

    sources: frozenset[Trust]
    target: Trust
    by: frozenset[Authority]


def _move(sources: Iterable[Trust], target: Trust, *by: Authority) -> Move:
    return Move(frozenset(sources), target, frozenset(by))


_T, _A = Trust, Authority
_WAITING = (_T.CANDIDATE, _T.DISPUTED)
_ALIVE = (*READABLE, *_WAITING)

MOVES: dict[Event, tuple[Move, ...]] = {
    # New words are no longer the words that were checked. What a machine may not change is what
    # a reviewer has verified.
    Event.CORRECT: (
        _move([_T.BELIEVED], _T.BELIEVED, _A.MACHINE, _A.PERSON, _A.REVIEWER),
        _move([_T.VERIFIED], _T.BELIEVED, _A.PERSON, _A.REVIEWER),
    ),
    # What was said is out of date, or is said together with something else; it was not wrong.
    Event.UPDATE: (
        _move([_T.BELIEVED], _T.BELIEVED, _A.MACHINE, _A.PERSON, _A.REVIEWER),
        _move([_T.VERIFIED], _T.BELIEVED, _A.PERSON, _A.REVIEWER),
    ),
    # The same words, true from or until another instant.
    Event.DATE: (
        _move([_T.BELIEVED], _T.BELIEVED, _A.MACHINE, _A.PERSON, _A.REVIEWER, _A.BRAIN),
        _move([_T.VERIFIED], _T.VERIFIED, _A.PERSON, _A.REVIEWER, _A.BRAIN),
    ),
    Event.EDIT: (_move([*_ALIVE, _T.QUARANTINED, _T.EXPIRED], _T.BELIEVED, _A.REVIEWER),),
    # A change of what was approved, or the loss of a source, asks a person again.
    Event.SEND_BACK: (_move(READABLE, _T.CANDIDATE, _A.BRAIN, _A.REVIEWER),),
    Event.APPROVE: (_move([*_WAITING, _T.QUARANTINED, _T.EXPIRED], _T.BELIEVED, _A.REVIEWER),),
    Event.VERIFY: (_move(_ALIVE, _T.VERIFIED, _A.REVIEWER),),
    Event.DISPUTE: (_move([_T.BELIEVED], _T.DISPUTED, _A.BRAIN, _A.REVIEWER),),
    Event.QUARANTINE: (_move(_ALIVE, _T.QUARANTINED, _A.BRAIN, _A.REVIEWER),),
    Event.REJECT: (
        _move([_T.BELIEVED], _T.REJECTED, _A.MACHINE, _A.PERSON),
        _move([_T.VERIFIED], _T.REJECTED, _A.PERSON),
        _move(set(_T) - {_T.REJECTED}, _T.REJECTED, _A.REVIEWER),
    ),
    Event.SUPERSEDE: (
        _move([_T.BELIEVED], _T.SUPERSEDED, _A.MACHINE, _A.PERSON, _A.BRAIN),
        _move(_ALIVE, _T.SUPERSEDED, _A.REVIEWER),
    ),
    # Waiting too long never makes anything believed.
    Event.EXPIRE: (_move(_WAITING, _T.EXPIRED, _A.BRAIN),),
    Event.FORGET: (
        _move([_T.BELIEVED], _T.FORGOTTEN, _A.MACHINE, _A.PERSON, _A.REVIEWER),
        _move([_T.VERIFIED], _T.FORGOTTEN, _A.PERSON, _A.REVIEWER),
    ),
    # What a reviewer has merged away is not brought back past the reviewer.
    Event.RESTORE: (
        _move([_T.FORGOTTEN], _T.BELIEVED, _A.PERSON, _A.REVIEWER),
        _move([_T.SUPERSEDED], _T.BELIEVED, _A.REVIEWER),
    ),
    Event.LIFT: (_move([_T.REJECTED], _T.BELIEVED, _A.REVIEWER),),
}
"""Every way in which a trace's trust can change."""


def moved(trust: Trust, event: Event, authority: Authority) -> Trust:
    """The state after an event.

    Raises:
        NotAllowed: this authority may not move a trace of this state so.
    """
    for move in MOVES[event]:
        if trust in move.sources and authority in move.by:
            return move.target
    by = sorted({who.value for move in MOVES[event] if trust in move.sources for who in move.by})
    if not by:
        raise NotAllowed(f"a trace that is {trust} cannot be moved by {event!s}")
    raise NotAllowed(
        f"{event!s} of a trace that is {trust} is up to {' or '.join(by)}, not to the channel of "
        f"a {authority}; see Memory.reviewer"
    )


def sources_of(event: Event, authority: Authority) -> tuple[Trust, ...]:
    """The states from which an authority may move a trace by an event."""
    found = {trust for move in MOVES[event] if authority in move.by for trust in move.sources}
    return tuple(trust for trust in Trust if trust in found)
