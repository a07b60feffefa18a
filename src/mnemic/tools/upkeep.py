"""The tools about upkeep: memory_reflect and rehydrate_memory."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from mnemic.model.errors import NotFound
from mnemic.model.times import to_ms
from mnemic.tools import shapes
from mnemic.tools.schema import record, string
from mnemic.tools.spec import Spec

if TYPE_CHECKING:
    from mnemic.bound import BoundMemory

_COUNTS = ("pruned", "merged", "derived", "compacted", "durationMs", "personalityDecayed")
_STEPS = {"pruned": "archive", "merged": "merge", "derived": "derive", "compacted": "compact"}


def _reflect(bound: BoundMemory, _given: dict[str, Any]) -> dict[str, Any]:
    report = bound.mind.reflect()
    counts = {name: report.counts.get(step, 0) for name, step in _STEPS.items()}
    took = report.ended_at - report.started_at
    skipped = [f"{one.step}: {one.skipped}" for one in report.steps if one.skipped is not None]
    note = report.note or (
        f"Consolidated the caller's own scopes (run {report.run}). What was pruned is set aside, "
        "not erased; a person can undo the run."
    )
    return {
        **counts,
        "durationMs": took // timedelta(milliseconds=1),
        "personalityDecayed": 0,  # a personality changes only when a person accepts it
        "ran": [one.step for one in report.steps if one.skipped is None],
        "skipped": skipped,
        "note": note,
    }


REFLECT = Spec(
    name="memory_reflect",
    title="Consolidate memory",
    description=(
        "Tidy up what is remembered: merge doubles, link what belongs together, reinforce what "
        "was used, set aside what is weak and old. Use it rarely, when a long session is over. "
        "It removes no errors: use memory_correct and memory_delete."
    ),
    input_schema=record(
        {"topic": string("Reserved; it has no effect yet.", most=shapes.MOST_QUERY_CHARS)}
    ),
    output_schema=record(
        {
            **dict.fromkeys(_COUNTS, shapes.COUNT),
            "ran": {**shapes.TEXTS, "description": "the steps that were run"},
            "skipped": {**shapes.TEXTS, "description": "steps that were not, each with the reason"},
            "note": shapes.TEXT,
        },
        [*_COUNTS, "ran", "skipped", "note"],
    ),
    run=_reflect,
    read_only=False,
    destructive=False,
    idempotent=True,
)


def _rehydrate(bound: BoundMemory, given: dict[str, Any]) -> dict[str, Any]:
    try:
        found = bound.mind.rehydrate(given["traceId"])
    except NotFound as error:
        return {"verbatimContent": None, "archivedAt": None, "note": f"{error}."}
    if found is None:
        note = (
            f"{given['traceId']} was never compressed: its content is the original, and "
            "memory_search gives it."
        )
        return {"verbatimContent": None, "archivedAt": None, "note": note}
    return {
        "verbatimContent": found.content,
        "archivedAt": to_ms(found.shortened_at),
        "note": "the original words of a memory that was cut down to its gist",
    }


REHYDRATE = Spec(
    name="rehydrate_memory",
    title="Original of a compressed memory",
    description=(
        "Get the original text of a memory whose content was compressed with time. Use it only "
        "when a memory is marked as compressed; the content that memory_search gives is the "
        "original otherwise. verbatimContent is null when there is no archived original, and note "
        "says why."
    ),
    input_schema=record({"traceId": shapes.trace_id_of("look up")}, ["traceId"]),
    output_schema=record(
        {
            "verbatimContent": shapes.MAYBE,
            "archivedAt": {"type": ["integer", "null"], "description": "ms since 1970"},
            "note": shapes.TEXT,
        },
        ["verbatimContent", "archivedAt", "note"],
    ),
    run=_rehydrate,
    read_only=True,
    destructive=False,
    idempotent=True,
)
