"""Proposes how a personality might drift; nothing changes until a person accepts it."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, func, insert, select

from mnemic.cognition.mechanisms.drift import Relationships, proposals
from mnemic.consolidate.bed import Bed, Place
from mnemic.model.mind import Emotion
from mnemic.store.engrams import engram
from mnemic.store.mind_schema import persona_proposals
from mnemic.store.persona import personality_in

NAME = "drift"

_p = persona_proposals.c


def run(bed: Bed, place: Place) -> None:
    """Look at what a place has felt since the last proposals, every so many runs."""
    with bed.batch() as connection:
        times = bed.mark(connection, place, NAME) + 1
        bed.set_mark(connection, place, NAME, times)
    with bed.brain.read() as connection:
        if (times - 1) % bed.mind.drift.every or _waits(bed, connection, place):
            return
        since = _last(bed, connection, place)
        base = bed.rules.personality
        pair = (place.scope.value, place.scope_id)
        personality = personality_in(connection, bed.brain.id, pair, base)
    felt: list[Emotion] = []
    for _, sheet in bed.sheets(place):
        felt += [engram(row).emotion for row in sheet.rows.values() if row.created_at > since]
    found = proposals(felt, Relationships(), personality, bed.rules.drift)
    if not found:
        return
    with bed.batch() as connection:
        last = connection.execute(
            select(func.max(_p.id)).where(_p.brain_id == bed.brain.id)
        ).scalar()
        for number, one in enumerate(found, (last or 0) + 1):
            connection.execute(
                insert(persona_proposals).values(
                    brain_id=bed.brain.id,
                    id=number,
                    scope=place.scope.value,
                    scope_id=place.scope_id,
                    trait=one.trait,
                    delta=one.delta,
                    value=one.value_after,
                    reason=one.reason,
                    traces=one.traces,
                    state="open",
                    opened_at=bed.now,
                    decided_at=None,
                    reviewer=None,
                )
            )
            bed.count(NAME)


def _waits(bed: Bed, connection: Connection, place: Place) -> bool:
    """Whether a person has not decided on the last proposals yet."""
    waiting = select(func.count()).where(*_of(bed, place), _p.state == "open")
    return bool(connection.execute(waiting).scalar_one())


def _last(bed: Bed, connection: Connection, place: Place) -> int:
    """Up to when feelings have been looked at."""
    query = select(func.max(_p.opened_at)).where(*_of(bed, place))
    return connection.execute(query).scalar() or -(1 << 62)


def _of(bed: Bed, place: Place) -> tuple[ColumnElement[bool], ...]:
    return (
        _p.brain_id == bed.brain.id,
        _p.scope == place.scope.value,
        _p.scope_id == place.scope_id,
    )
