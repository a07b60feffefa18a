"""Settles contradictions between what machines said; what a person said waits for a person.

An honest mind (AgentOS: honesty above .6) lets the newer statement win, any other lets one win
that was verified. Whoever loses is true no longer from when the winner is; it is never deleted,
and all else stands side by side until a reviewer judges it.
"""

from __future__ import annotations

from sqlalchemy import Connection, select, update

from mnemic.consolidate.bed import Bed, Place
from mnemic.encode.deed import Deed
from mnemic.encode.ending import WHOLE, link, set_end
from mnemic.govern.audit import Note
from mnemic.govern.review import close_for
from mnemic.model.origin import TRUSTED, Origin
from mnemic.model.trust import READABLE, Trust
from mnemic.store.schema import trace_links, traces
from mnemic.store.types import AnyRow
from mnemic.store.visible import visible

NAME = "conflicts"
HONEST = 0.6

_l, _t = trace_links.c, traces.c
_BATCH = 200


def run(bed: Bed, place: Place) -> None:
    """Settle what can be settled without a person."""
    with bed.brain.read() as connection:
        pairs = _open(connection, bed, place)
    for at in range(0, len(pairs), _BATCH):
        with bed.deed(place) as deed:
            for one, other in pairs[at : at + _BATCH]:
                _settle(bed, place, deed, one, other)


def _open(connection: Connection, bed: Bed, place: Place) -> list[tuple[str, str]]:
    """Pairs of traces of a place that contradict each other."""
    query = (
        select(_l.from_id, _l.to_id)
        .where(_l.brain_id == bed.brain.id, _l.kind == "contradicts", _l.undone_at.is_(None))
        .order_by(_l.from_id, _l.to_id)
    )
    pairs = [(row.from_id, row.to_id) for row in connection.execute(query)]
    present: set[str] = set()
    ids = sorted({one for pair in pairs for one in pair})
    for at in range(0, len(ids), 500):
        part = ids[at : at + 500]
        rows = visible(bed.brain.id, place.reach, None, _t.id, states=READABLE, ids=part)
        present.update(row.id for row in rows.run(connection))
    return [pair for pair in pairs if present.issuperset(pair)]


def _settle(bed: Bed, place: Place, deed: Deed, one: str, other: str) -> None:
    query = visible(deed.brain.id, place.reach, None, *WHOLE, states=READABLE, ids=[one, other])
    rows = {row.id: row for row in query.run(deed.connection)}
    if len(rows) < 2 or any(Origin(row.origin) in TRUSTED for row in rows.values()):
        return
    winner = _winner(bed, rows[one], rows[other])
    if winner is None:
        return
    loser = rows[other if winner.id == one else one]
    start = winner.valid_from if winner.valid_from is not None else winner.time
    if loser.valid_from is not None and start < loser.valid_from:
        return  # it would end before it began: a person must look at it
    set_end(deed, loser, start, "superseded")
    link(deed, winner.id, loser.id, "supersedes")
    _close(deed, one, other)
    note = Note(deed.principal.actor, "close", "closed", loser.id, None, {"by": winner.id})
    deed.chain.append(note)
    bed.deeds.append(
        {
            "kind": NAME,
            **place.as_dict(),
            "id": winner.id,
            "others": [loser.id],
        }
    )
    bed.note(NAME, loser.id, f"true until {winner.id} is")


def _winner(bed: Bed, one: AnyRow, other: AnyRow) -> AnyRow | None:
    """Which of two counts from now on; None where nothing tells."""
    verified = [row for row in (one, other) if row.trust == Trust.VERIFIED.value]
    if len(verified) == 1:
        return verified[0]
    if bed.rules.personality.honesty > HONEST and one.time != other.time:
        return max(one, other, key=lambda row: row.time)
    return None


def _close(deed: Deed, one: str, other: str) -> None:
    """The contradiction is settled, and nobody need be asked."""
    for ids in ((one, other), (other, one)):
        deed.connection.execute(
            update(trace_links)
            .where(
                _l.brain_id == deed.brain.id,
                _l.from_id == ids[0],
                _l.to_id == ids[1],
                _l.kind == "contradicts",
            )
            .values(undone_at=deed.now)
        )
        close_for(deed.connection, deed.brain.id, ids[0], at=deed.now, by=deed.principal.actor)
