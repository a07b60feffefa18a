"""What was inferred loses stability sooner than what was told."""

from __future__ import annotations

from mnemic.cognition.mechanisms.source_decay import decayed_stability
from mnemic.consolidate.bed import Bed, Place
from mnemic.model.origin import SourceType
from mnemic.store.engrams import Cause, moves

NAME = "source_decay"


def run(bed: Bed, place: Place) -> None:
    """Multiply stability by what the source is worth, once an interval."""
    rules = bed.rules.source_decay
    losing = {source.value for source, factor in rules.multipliers.items() if factor < 1}
    for connection, sheet in bed.sheets(place):
        some = [one for one, row in sheet.rows.items() if row.source in losing]
        last: dict[str, int] = {}
        for row in moves(connection, bed.brain.id, some, Cause.SOURCE_DECAY):
            last[row.trace_id] = max(row.at, last.get(row.trace_id, 0))
        for trace_id in some:
            row = sheet.rows[trace_id]
            at = last.get(trace_id, row.created_at)
            source = SourceType(row.source)
            after = decayed_stability(row.stability, source, row.strength, at, bed.now, rules)
            if after is not None and sheet.set(trace_id, Cause.SOURCE_DECAY, stability=after):
                bed.note(NAME, trace_id, f"less stable: {source.value}")
