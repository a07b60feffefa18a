"""Reinforces what is due: the longer a memory has held, the later it is due again."""

from __future__ import annotations

from dataclasses import replace

from mnemic.cognition import decay
from mnemic.consolidate.bed import Bed, Place
from mnemic.store.engrams import Cause

NAME = "reinforce"


def run(bed: Bed, place: Place) -> None:
    """Let what is due grow as if it were recalled, without counting it as a recall."""
    for _, sheet in bed.sheets(place):
        for trace_id in sheet.rows:
            before = sheet.engram(trace_id)
            if decay.due(before, bed.now):
                grown = decay.used(before, bed.now, bed.rules.growth)
                after = replace(grown, uses=before.uses, used_at=before.used_at)
                sheet.put(trace_id, Cause.REINFORCED, after)
                bed.note(NAME, trace_id, "was due")
