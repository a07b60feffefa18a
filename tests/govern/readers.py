"""Asks every reader whether it gives a trace."""

from __future__ import annotations

from typing import Any

from mnemic import BoundMemory, Memory, Receipt
from mnemic.errors import NotFound
from mnemic.model.governance import ReviewItem

READERS = frozenset("recall context list count stats show history facts".split())


def id_of(receipt: Receipt) -> str:
    """The id of what was written."""
    assert receipt.trace is not None, receipt
    return receipt.trace.id


def given_by(who: BoundMemory, trace_id: str, text: str, **clocks: Any) -> set[str]:
    """The readers that give a trace, whose type is semantic as no other's, and what it says."""
    hits = who.recall(text, limit=50, touch=False, **clocks)
    kinds = who.stats(**clocks).by_type
    found = {
        "recall": any(hit.trace.id == trace_id for hit in hits),
        "context": text in str(who.context(text, budget_tokens=10_000, **clocks)),
        "list": any(trace.id == trace_id for trace in who.list(**clocks)),
        "count": who.count(type="semantic", **clocks) > 0,
        "stats": kinds.get("semantic", 0) > 0,
        "show": shows(who, trace_id, **clocks),
        "facts": any(fact.trace_id == trace_id for fact in who.facts(**clocks)),
    }
    if not clocks:
        found["history"] = text in repr(who.history(trace_id).versions)
    return {name for name, gives in found.items() if gives}


def shows(who: BoundMemory, trace_id: str, **more: Any) -> bool:
    """Whether `show` gives a trace."""
    try:
        return who.show(trace_id, **more).id == trace_id
    except NotFound:
        return False


def waiting(memory: Memory, kind: str | None = None) -> ReviewItem:
    """The one item that waits in a brain, or the one of a kind."""
    (item,) = memory.reviewer("eva").queue(kind=kind)
    return item
