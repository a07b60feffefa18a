"""Episodes that were recalled often become knowledge (AgentOS's compaction)."""

from __future__ import annotations

from mnemic.consolidate.bed import Bed, Place
from mnemic.model.trace import TraceType
from mnemic.store.engrams import Cause

NAME = "compact"

_DAY = 86_400_000


def run(bed: Bed, place: Place) -> None:
    """Turn episodes that are old enough, and were used often enough, into semantic traces."""
    rule = bed.mind.consolidation
    youngest = bed.now - rule.compact_days * _DAY
    for _, sheet in bed.sheets(place):
        for trace_id, row in sheet.rows.items():
            often = row.retrieval_count >= rule.compact_uses
            if row.type == TraceType.EPISODIC.value and often and row.created_at < youngest:
                sheet.set(trace_id, Cause.COMPACTED, type=TraceType.SEMANTIC.value)
                bed.note(NAME, trace_id, f"episodic to semantic: {row.retrieval_count} recalls")
