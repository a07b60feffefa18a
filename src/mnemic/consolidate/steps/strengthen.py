"""Replays what happened lately: feedback that has not counted yet, and what followed on what.

Turns of one conversation that follow each other within five minutes are tied (the temporal
contiguity that AgentOS replays); what they have in common is tied by what they mention, always,
and needs no replay.
"""

from __future__ import annotations

from itertools import pairwise

from mnemic.consolidate.bed import Bed, Place
from mnemic.graph.ties import tie
from mnemic.model.graph import EdgeKind

NAME = "strengthen"

_HOUR = 3_600_000
_SOON = 300_000
"""Turns within so many milliseconds follow on each other."""


def run(bed: Bed, place: Place) -> None:
    """Tie what came in lately, in the order in which it was said."""
    since = bed.now - bed.mind.consolidation.replay_hours * _HOUR
    lately: dict[str, list[tuple[int, str]]] = {}
    for _, sheet in bed.sheets(place):
        for row in sheet.rows.values():
            if row.thread is not None and row.created_at >= since:
                lately.setdefault(row.thread, []).append((row.time, row.id))
    for turns in lately.values():
        ordered = sorted(turns)
        ties = [
            (one, other)
            for (earlier, one), (later, other) in pairwise(ordered)
            if later - earlier <= _SOON
        ]
        with bed.batch() as connection:
            kind = EdgeKind.TEMPORAL_SEQUENCE
            pair = (place.scope.value, place.scope_id)
            made = tie(connection, bed.brain.id, pair, ties, kind, _once, bed.now, run=bed.run)
            bed.count(NAME, made)


def _once(weight: float | None) -> float:
    """AgentOS's weight of what follows on each other; a tie that is there stays as it is."""
    return 0.3 if weight is None else weight
