"""A person who judges, awaited."""

from __future__ import annotations

from mnemic.aio.awaited import Wrapped, awaited
from mnemic.reviewer import Reviewer


class AsyncReviewer(Wrapped[Reviewer]):
    """`Reviewer`, awaited. Made by `AsyncMemory.reviewer`."""

    @property
    def name(self) -> str:
        """Of the person."""
        return self._sync.name

    queue = awaited(Reviewer.queue)
    item = awaited(Reviewer.item)
    approve = awaited(Reviewer.approve)
    reject = awaited(Reviewer.reject)
    edit = awaited(Reviewer.edit)
    merge = awaited(Reviewer.merge)
    defer = awaited(Reviewer.defer)
    waiting = awaited(Reviewer.waiting)
    sweep = awaited(Reviewer.sweep)
    verify = awaited(Reviewer.verify)
    quarantine = awaited(Reviewer.quarantine)
    reject_trace = awaited(Reviewer.reject_trace)
    lift = awaited(Reviewer.lift)
    reject_source = awaited(Reviewer.reject_source)
    readmit = awaited(Reviewer.readmit)
    ledger = awaited(Reviewer.ledger)
    revert = awaited(Reviewer.revert)
    undo_link = awaited(Reviewer.undo_link)
    drift = awaited(Reviewer.drift)
    accept_drift = awaited(Reviewer.accept_drift)
    decline_drift = awaited(Reviewer.decline_drift)
