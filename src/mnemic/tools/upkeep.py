"""The tools about upkeep: memory_reflect and rehydrate_memory.

Both tell plainly what is not there: no step of consolidation is built yet, and nothing is ever
compressed. A count of zero then means that nothing was done, not that nothing was to be done.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mnemic.model.errors import NotFound
from mnemic.tools import shapes
from mnemic.tools.schema import record, string
from mnemic.tools.spec import Spec

if TYPE_CHECKING:
    from mnemic.bound import BoundMemory

_NOT_BUILT = ("prune", "merge", "strengthen", "derive", "compact")
_COUNTS = ("pruned", "merged", "derived", "compacted", "durationMs", "personalityDecayed")


def _reflect(_bound: BoundMemory, _given: dict[str, Any]) -> dict[str, Any]:
    # The index is brought along by every write: there is no step that builds it anew.
    note = (
        "Nothing was changed: no step of consolidation is built yet. Search finds a memory as "
        "soon as it is stored; use memory_merge for doubles."
    )
    return {**dict.fromkeys(_COUNTS, 0), "ran": [], "notBuilt": [*_NOT_BUILT], "note": note}


REFLECT = Spec(
    name="memory_reflect",
    title="Consolidate memory",
    description=(
        "Tidy up what is remembered: run the steps of consolidation that are built, and say which "
        "are not (notBuilt). Use it rarely, when a long session is over. Do not rely on it to "
        "remove doubles or errors: use memory_merge, memory_correct and memory_delete."
    ),
    input_schema=record(
        {"topic": string("Reserved; it has no effect yet.", most=shapes.MOST_QUERY_CHARS)}
    ),
    output_schema=record(
        {
            **dict.fromkeys(_COUNTS, shapes.COUNT),
            "ran": {**shapes.TEXTS, "description": "the steps that were run"},
            "notBuilt": {**shapes.TEXTS, "description": "the steps that do not exist yet"},
            "note": shapes.TEXT,
        },
        [*_COUNTS, "ran", "notBuilt", "note"],
    ),
    run=_reflect,
    read_only=True,
    destructive=False,
    idempotent=True,
)


def _rehydrate(bound: BoundMemory, given: dict[str, Any]) -> dict[str, Any]:
    try:
        trace = bound.show(given["traceId"])
        note = (
            f"{trace.id} was never compressed: its content is the original, and memory_search "
            "gives it. There is no archive."
        )
    except NotFound as error:
        note = f"{error}. There is no archive."
    return {"verbatimContent": None, "archivedAt": None, "note": note}


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
