"""Reappraises what is felt too strongly, at most once a day each."""

from __future__ import annotations

import heapq

from sqlalchemy import Connection

from mnemic.cognition.mechanisms.regulation import Charged, regulated
from mnemic.consolidate.bed import Bed, Place
from mnemic.store.engrams import Cause, Sheet, engram, engrams, moves, save

NAME = "regulate"

_DAY = 86_400_000


def run(bed: Bed, place: Place) -> None:
    """Lower the valence and the arousal of the most upsetting memories of a place."""
    most = bed.mind.regulation.most
    # The most aroused of the whole place, found batch by batch: a heap of few.
    heap: list[tuple[float, str]] = []
    for connection, sheet in bed.sheets(place):
        charged = [one for one in sheet.rows if _is_charged(bed, sheet, one)]
        lately = _lately(connection, bed, charged)
        for trace_id in charged:
            if trace_id not in lately:
                heapq.heappush(heap, (sheet.rows[trace_id].arousal, trace_id))
                if len(heap) > most:
                    heapq.heappop(heap)
    if heap:
        _reappraise(bed, [trace_id for _, trace_id in heap])


def _is_charged(bed: Bed, sheet: Sheet, trace_id: str) -> bool:
    rules, row = bed.rules.regulation, sheet.rows[trace_id]
    return bool(
        row.strength < rules.immune_strength
        and abs(row.valence) > rules.valence_threshold
        and row.arousal > rules.arousal_threshold
    )


def _lately(connection: Connection, bed: Bed, ids: list[str]) -> set[str]:
    """Those that were reappraised within a day."""
    rows = moves(connection, bed.brain.id, ids, Cause.REGULATED)
    return {row.trace_id for row in rows if bed.now - row.at < _DAY}


def _reappraise(bed: Bed, ids: list[str]) -> None:
    with bed.batch() as connection:
        sheet = Sheet(engrams(connection, bed.brain.id, ids))
        memories = [
            Charged(one, row.strength, engram(row).emotion) for one, row in sheet.rows.items()
        ]
        for one in regulated(memories, bed.rules.regulation):
            columns = {name: getattr(one.emotion, name) for name in ("valence", "arousal")}
            sheet.set(one.id, Cause.REGULATED, strength=one.strength, **columns)
            bed.note(NAME, one.id, "reappraised" + (", and held down" if one.suppressed else ""))
        save(connection, bed.brain.id, sheet.changes, bed.now, bed.run)
