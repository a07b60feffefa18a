"""Takes back what was learned: the reversal of a ledger entry, and of a link between traces."""

from __future__ import annotations

from mnemic.encode.ending import reopen
from mnemic.encode.revise.case import Case, move, told
from mnemic.encode.revise.change import bring_back, restate
from mnemic.encode.revise.follow import follow
from mnemic.encode.write import Writer
from mnemic.govern import ledger
from mnemic.govern.audit import Note
from mnemic.govern.ledger import Entry, Verdict
from mnemic.model.answer import Receipt, Status
from mnemic.model.errors import InvalidInput
from mnemic.model.trust import Event
from mnemic.store.types import AnyRow
from mnemic.store.visible import versions_of


def revert(writer: Writer, case: Case, entry: AnyRow, reason: str) -> Receipt:
    """Take back one entry: what it stored is forgotten, what it changed stands as before.

    Raises:
        InvalidInput: it was not kept, was taken back before, or something newer rests on it.
    """
    if entry.status != Verdict.KEPT.value:
        raise InvalidInput(f"ledger entry {entry.id} is {entry.status}; only what was kept reverts")
    deed = case.deed
    if entry.version != case.row.version and entry.action != "remember":
        raise InvalidInput(
            f"ledger entry {entry.id} made version {entry.version} of trace {case.row.id!r}, "
            f"which is at version {case.row.version} now; take the newer changes back first"
        )
    receipt = _taken_back(writer, case, entry, reason)
    ledger.mark_reverted(deed.connection, deed.brain.id, entry.id)
    deed.chain.append(
        Note(deed.principal.actor, "revert", "reverted", case.row.id, None, {"entry": entry.id})
    )
    deed.ledger.append(
        Entry(
            action="revert",
            actor=deed.principal.actor,
            scope=case.row.scope,
            scope_id=case.row.scope_id,
            filed_by=case.row.filed_by,
            status=Verdict.KEPT,
            trace_id=case.row.id,
            version=None if receipt.trace is None else receipt.trace.version,
            reverts=entry.id,
        )
    )
    return receipt


def _taken_back(writer: Writer, case: Case, entry: AnyRow, reason: str) -> Receipt:
    if entry.action in ("forget", "reject"):
        return bring_back(writer, case, reason)
    if entry.action in ("correct", "update", "merge"):
        return _as_before(writer, case, entry, reason)
    if entry.action != "remember":
        raise InvalidInput(f"ledger entry {entry.id} is a {entry.action}, which is not taken back")
    reopen(case.deed, case.reach, case.row.id)
    version = move(case, Event.FORGET, reason)
    receipt = told(case, version, Status.REVERTED, "forget", verdict=Verdict.REVERTED)
    follow(case.deed, [case.row.id])
    return receipt


def _as_before(writer: Writer, case: Case, entry: AnyRow, reason: str) -> Receipt:
    """The text, the tags and the dates of the version before."""
    rows = versions_of(case.deed.brain.id, case.reach, case.row.id).run(case.deed.connection)
    before = next(row for row in rows if row.version == entry.version - 1)
    event = Event.CORRECT if entry.action == "correct" else Event.UPDATE
    return restate(writer, case, before, reason, event)
