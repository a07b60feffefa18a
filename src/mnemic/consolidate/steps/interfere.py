"""New memories and old ones that resemble them weaken each other, once (Underwood 1957).

Only memories that mention the same thing are compared, and of each thing the newest fifty, so
that the work grows with what is new and not with its square.
"""

from __future__ import annotations

import numpy as np
from sqlalchemy import Connection, select

from mnemic.cognition import decay
from mnemic.consolidate.bed import Bed, Place
from mnemic.consolidate.vectors import Floats, vectors_of
from mnemic.store.engrams import Cause, Sheet, engrams, moves, save
from mnemic.store.mind_schema import mentions

NAME = "interfere"

_m = mentions.c
_MOST_RIVALS = 50
_BATCH = 400


def run(bed: Bed, place: Place) -> None:
    """Let what came in since this was last done here interfere with what was there."""
    with bed.brain.read() as connection:
        since = bed.mark(connection, place, NAME)
    new: list[str] = []
    for _, sheet in bed.sheets(place):
        new += [one for one, row in sheet.rows.items() if row.created_at >= since]
    for at in range(0, len(new), _BATCH):
        _interfere(bed, place, new[at : at + _BATCH])
    with bed.batch() as connection:
        bed.set_mark(connection, place, NAME, bed.now)


def _interfere(bed: Bed, place: Place, new: list[str]) -> None:
    with bed.batch() as connection:
        done = {row.trace_id for row in moves(connection, bed.brain.id, new, Cause.INTERFERED)}
        rivals = _rivals(bed, connection, [one for one in new if one not in done])
        ids = list(dict.fromkeys([*rivals, *(o for several in rivals.values() for o in several)]))
        vectors = vectors_of(bed, connection, place, ids)
        sheet = Sheet(engrams(connection, bed.brain.id, ids))
        for trace_id, others in rivals.items():
            if trace_id in vectors and trace_id in sheet:
                there = [one for one in others if one in vectors and one in sheet]
                near = _nearest(vectors[trace_id], [vectors[one] for one in there], bed)
                _weaken(bed, sheet, trace_id, [(there[at], cosine) for at, cosine in near])
        save(connection, bed.brain.id, sheet.changes, bed.now, bed.run)


def _nearest(vector: Floats, others: list[Floats], bed: Bed) -> list[tuple[int, float]]:
    """Places of the vectors that are near enough to interfere, and their cosines."""
    if not others:
        return []
    cosines = np.array(others) @ vector
    near = np.flatnonzero(cosines > bed.rules.interference.similarity)
    return [(int(at), float(cosines[at])) for at in near]


def _rivals(bed: Bed, connection: Connection, ids: list[str]) -> dict[str, list[str]]:
    """For each of some traces, earlier ones that mention the same thing."""
    own = select(_m.trace_id, _m.node_id).where(_m.brain_id == bed.brain.id, _m.trace_id.in_(ids))
    things: dict[str, list[str]] = {}
    for row in connection.execute(own) if ids else ():
        things.setdefault(row.node_id, []).append(row.trace_id)
    found: dict[str, list[str]] = {}
    for node_id, several in things.items():
        query = (
            select(_m.trace_id)
            .where(_m.brain_id == bed.brain.id, _m.node_id == node_id)
            .order_by(_m.trace_id.desc())
            .limit(_MOST_RIVALS)
        )
        others = list(connection.execute(query).scalars())
        for trace_id in several:
            found.setdefault(trace_id, []).extend(one for one in others if one != trace_id)
    return {trace_id: list(dict.fromkeys(others)) for trace_id, others in found.items()}


def _weaken(bed: Bed, sheet: Sheet, trace_id: str, near: list[tuple[str, float]]) -> None:
    older = [
        (one, similarity)
        for one, similarity in near
        if (sheet.rows[one].created_at, one) < (sheet.rows[trace_id].created_at, trace_id)
    ]
    before = sheet.engram(trace_id)
    olds = [(sheet.engram(one), similarity) for one, similarity in older]
    after, weakened = decay.interfered(before, olds, bed.now, bed.rules.interference)
    if sheet.put(trace_id, Cause.INTERFERED, after):
        bed.note(NAME, trace_id, "much like what was known already")
    for (one, _), old in zip(older, weakened, strict=True):
        if sheet.put(one, Cause.INTERFERED, old):
            bed.note(NAME, one, "much like what came in since")
