"""Changing what is remembered: each change is a new version, nothing is overwritten."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import select

from mnemic.encode.admit import read_text, reopened
from mnemic.encode.deed import begin
from mnemic.encode.embedding import note_model
from mnemic.encode.ending import reopen, replace_fact
from mnemic.encode.filing import Filing
from mnemic.encode.known import text_digests
from mnemic.encode.pending import Pending
from mnemic.encode.refusal import MESSAGES, denials, refused
from mnemic.encode.resolve import Resolved, checked_content
from mnemic.encode.revise.case import (
    WRONG,
    Case,
    checked_reason,
    close_items,
    find,
    lift_value,
    move,
    reject_value,
    standing_facts,
    told,
)
from mnemic.encode.revise.follow import follow, reject_twins
from mnemic.encode.revise.reword import reworded
from mnemic.encode.rows import analysed
from mnemic.encode.write import Writer
from mnemic.govern.ledger import Mode, Verdict
from mnemic.govern.review import ItemKind
from mnemic.govern.tombstones import Cause
from mnemic.index.write import Packed
from mnemic.model.answer import Receipt, Status
from mnemic.model.errors import InvalidInput, NotAllowed
from mnemic.model.origin import Origin, Role, SourceType, least_trusted, origin_of
from mnemic.model.scope import Caller, Principal, Scope
from mnemic.model.times import UNCHANGED, TimeLike, Unchanged, Validity, parse_time, to_ms
from mnemic.model.trust import READABLE, Authority, Event, Trust
from mnemic.store.schema import trace_facts
from mnemic.store.types import AnyRow
from mnemic.store.visible import supports, to_trace

_f = trace_facts.c

_BACK = {
    Trust.REJECTED: Event.LIFT,
    Trust.QUARANTINED: Event.APPROVE,
    Trust.EXPIRED: Event.APPROVE,
}
"""How what was put away comes back; what was forgotten or superseded is restored."""


@dataclass(frozen=True, slots=True)
class Correction:
    """What is to be put right, and the text's vectors, made before the lock was taken."""

    content: str | None
    bounds: Mapping[str, int | None]
    reason: str
    seen: AnyRow
    expect: int | None
    vectors: Packed | None = None


def correct(
    writer: Writer,
    principal: Principal,
    trace_id: str,
    content: str | None,
    *,
    reason: str,
    valid_from: TimeLike | Unchanged | None = UNCHANGED,
    valid_to: TimeLike | Unchanged | None = UNCHANGED,
    expect: int | None = None,
) -> Receipt:
    """Put right what a trace says, or since when; the value that was wrong stays rejected."""
    settings = writer.brain.settings
    reason = checked_reason(reason)
    new = None if content is None else checked_content(content, settings)
    bounds = {
        name: parse_time(name, value, settings.timezone)
        for name, value in (("valid_from", valid_from), ("valid_to", valid_to))
        if not isinstance(value, Unchanged)
    }
    if new is None and not bounds:
        raise InvalidInput("nothing to correct: give new content, valid_from or valid_to")
    with writer.brain.read() as connection:
        deed = begin(connection, writer.brain, principal, to_ms(writer.clock()))
        seen = find(deed, principal.reach(), trace_id, READABLE).row
    correction = Correction(new, bounds, reason, seen, expect)
    if new:
        draft = draft_of(seen, new, validity_of(seen, bounds), principal)
        made = writer.vectors.make([analysed(draft, settings)])[0]
        correction = replace(correction, vectors=made)
    with writer.brain.write() as connection:
        if new is not None:
            note_model(connection, writer.brain, writer.vectors.model)
        deed = begin(connection, writer.brain, principal, to_ms(writer.clock()))
        case = find(deed, principal.reach(), trace_id, READABLE)
        receipt = _correct(writer, case, correction)
        deed.flush()
    return receipt


def _correct(writer: Writer, case: Case, wanted: Correction) -> Receipt:
    deed, row = case.deed, case.row
    new = wanted.content
    draft = draft_of(row, new or row.content, validity_of(row, wanted.bounds), deed.principal)
    barred = bar(case, wanted.expect) or _stale(case, wanted)
    if barred is not None:
        return refused(deed, draft, barred, "correct", row.id)
    if new is None or new == row.content:
        validity = {"valid_from": draft.validity.start, "valid_to": draft.validity.end}
        version = move(case, Event.DATE, wanted.reason, changes=validity)
        _date_facts(case, wanted.bounds)
        return told(case, version, Status.CORRECTED, "correct")
    text = read_text(draft, writer.brain.settings)
    person = deed.principal.authority is not Authority.MACHINE
    admission = deed.gate.admit([draft], [text], row.id if person else None)[0]
    if admission.refusal is not None:
        return refused(deed, draft, admission.refusal, "correct", row.id)
    draft = reopened(draft, least_trusted([admission.origin, *source_origins(case)]))
    digests = text_digests(writer.brain, draft)
    pending = Pending(draft, digests, text, None, wanted.vectors)
    if admission.holds:
        return proposed(writer, case, pending, admission.holds)
    return reworded(writer, case, pending, wanted.reason)


def bar(case: Case, expect: int | None = None) -> str | None:
    """Why the caller may not change this trace now."""
    if case.deed.gate.mode_in(*case.place) is Mode.FROZEN:
        return "frozen"
    if case.is_others:
        return "other_user"
    machine = case.deed.principal.authority is Authority.MACHINE
    if machine and case.place[0] is Scope.ORGANIZATION:
        return "organization_scope"
    if case.trust is Trust.VERIFIED and machine:
        return "verified"
    if expect is not None and expect != case.row.version:
        return "conflict"
    return None


def changed_since(case: Case, seen: AnyRow) -> bool:
    """Whether somebody else has changed what the trace says, or its labels, since it was read."""
    return any(
        getattr(case.row, name) != getattr(seen, name) for name in ("digest", "tags", "entities")
    )


def _stale(case: Case, wanted: Correction) -> str | None:
    """Why new words may not be put in the place of those that are there."""
    if wanted.content == "":
        return "recalled"
    return "conflict" if wanted.content is not None and changed_since(case, wanted.seen) else None


def _date_facts(case: Case, bounds: Mapping[str, int | None]) -> None:
    """What a trace says is true for as long as the trace is."""
    query = select(trace_facts).where(
        _f.brain_id == case.deed.brain.id, _f.trace_id == case.row.id, _f.retired_at.is_(None)
    )
    for old in case.deed.connection.execute(query).all():
        replace_fact(case.deed, old, dict(bounds))


def draft_of(row: AnyRow, content: str, validity: Validity, principal: Caller) -> Resolved:
    """The trace as it will stand, in the form that the road in works on."""
    trace = to_trace(row)
    return Resolved(
        content=content,
        type=trace.type,
        scope=trace.scope,
        scope_id=trace.scope_id,
        filed_by=row.filed_by,
        tags=trace.tags,
        entities=trace.entities,
        metadata=row.metadata,
        speaker=trace.speaker,
        role=None if trace.role is None else Role(trace.role),
        thread=trace.thread,
        time=row.time,
        validity=validity,
        source=trace.source,
        channel=principal.channel,
        # Whoever corrects it says it; what it said before does not vouch for the new words.
        origin=origin_of(SourceType.USER_STATEMENT, None, principal.channel),
        strength=trace.strength,
        replay=False,
        actor=principal.actor,
    )


def validity_of(row: AnyRow, bounds: Mapping[str, int | None]) -> Validity:
    """When a trace is true, with the bounds that are given in place of its own."""
    return Validity(bounds.get("valid_from", row.valid_from), bounds.get("valid_to", row.valid_to))


def source_origins(case: Case) -> list[Origin]:
    """The origin of a trace that rests on others stays as low as theirs."""
    rows = case.deed.connection.execute(supports(case.deed.brain.id, case.row.id)).all()
    return [Origin(case.row.origin)] if rows else []


def proposed(writer: Writer, case: Case, pending: Pending, holds: Sequence[ItemKind]) -> Receipt:
    """New words that a person should see first stand beside the old ones, and wait."""
    deed = case.deed
    admission = deed.gate.admit([pending.draft], [pending.text])[0]
    filing = Filing(deed, *case.place, writer.ids)
    receipt = filing.add(pending, admission)
    filing.flush()
    assert receipt.trace is not None
    deed.queue.open(
        ItemKind.CORRECTION,
        receipt.trace.id,
        case.pair,
        pending.digest,
        other_id=case.row.id,
        signs=[hold.value for hold in holds],
    )
    return receipt


def forget(
    writer: Writer,
    principal: Principal,
    trace_id: str,
    *,
    reason: str | None = None,
    expect: int | None = None,
) -> Receipt:
    """Take a trace out of every reader's sight; with the reason "wrong", reject its value."""
    reason = None if reason is None else checked_reason(reason)
    denied = denials(writer.brain, principal, writer.clock, "forget", trace_id)
    with denied, writer.brain.write() as connection:
        deed = begin(connection, writer.brain, principal, to_ms(writer.clock()))
        case = find(deed, principal.reach(), trace_id, READABLE)
        barred = bar(case, expect)
        if barred is not None:
            draft = draft_of(case.row, case.row.content, validity_of(case.row, {}), principal)
            receipt = refused(deed, draft, barred, "forget", trace_id)
        else:
            receipt = put_away(case, reason)
        deed.flush()
    return receipt


def put_away(case: Case, reason: str | None) -> Receipt:
    """Forget a trace, and all that rests on it alone.

    A person's words that a machine calls wrong are forgotten, and the person can restore them.
    """
    wrong = reason == WRONG
    if wrong:
        reject_value(case, Cause.REJECTED)
        reopen(case.deed, case.reach, case.row.id)
    rejects = wrong and not case.is_above
    version = move(case, Event.REJECT if rejects else Event.FORGET, reason)
    close_items(case)
    receipt = told(case, version, Status.FORGOTTEN, "forget", code=reason if wrong else None)
    follow(case.deed, [case.row.id, *(reject_twins(case, reason) if rejects else [])])
    return receipt


def restore(writer: Writer, principal: Principal, trace_id: str, *, reason: str) -> Receipt:
    """Bring back a trace that was forgotten; a rejected one, if a reviewer says so."""
    reason = checked_reason(reason)
    denied = denials(writer.brain, principal, writer.clock, "restore", trace_id)
    with denied, writer.brain.write() as connection:
        deed = begin(connection, writer.brain, principal, to_ms(writer.clock()))
        states = (Trust.FORGOTTEN, Trust.REJECTED, Trust.SUPERSEDED)
        receipt = bring_back(writer, find(deed, principal.reach(), trace_id, states), reason)
        deed.flush()
    return receipt


def _unsupported(case: Case) -> str | None:
    """Nothing comes back that rests only on what is withheld."""
    rows = case.deed.connection.execute(supports(case.deed.brain.id, case.row.id)).all()
    standing = any(Trust(row.trust) in READABLE for row in rows)
    reviewer = case.deed.principal.authority is Authority.REVIEWER
    return None if not rows or standing or reviewer else "source"


def bring_back(writer: Writer, case: Case, reason: str) -> Receipt:
    """Believe a trace again."""
    deed, row = case.deed, case.row
    draft = draft_of(row, row.content, validity_of(row, {}), deed.principal)
    text = read_text(draft, writer.brain.settings)
    event = _BACK.get(case.trust, Event.RESTORE)
    barred = bar(case)
    if barred is None and deed.principal.authority is Authority.REVIEWER:
        lift_value(case, row.content, (*text.said, *standing_facts(case)))
    # What was forgotten may carry, in a tag, what its own words were corrected away from.
    own = row.id if case.trust is Trust.FORGOTTEN else None
    refusal = barred or deed.gate.admit([draft], [text], own)[0].refusal or _unsupported(case)
    if refusal is not None and deed.principal.authority is Authority.REVIEWER:
        raise NotAllowed(f"trace {row.id!r} cannot come back: {MESSAGES[refusal]}")
    if refusal is not None and case.trust is not Trust.REJECTED:
        return refused(deed, draft, refusal, "restore", row.id)
    version = move(case, event, reason)
    return told(case, version, Status.RESTORED, "restore")


def restate(
    writer: Writer, case: Case, before: AnyRow, reason: str, event: Event = Event.CORRECT
) -> Receipt:
    """Let a trace say again what an earlier version said; `event` is what led away from it."""
    bounds = {"valid_from": before.valid_from, "valid_to": before.valid_to}
    draft = draft_of(case.row, before.content, Validity(**_ends(bounds)), case.deed.principal)
    draft = replace(
        draft,
        tags=tuple(json.loads(before.tags)),
        entities=tuple(json.loads(before.entities)),
    )
    if not _says_other(before, case.row):
        version = move(case, Event.DATE, reason, changes=bounds)
        _date_facts(case, bounds)
        return told(case, version, Status.REVERTED, "correct", verdict=Verdict.REVERTED)
    text = read_text(draft, writer.brain.settings)
    lift_value(case, before.content, text.said)
    vectors = writer.vectors.make([analysed(draft, writer.brain.settings)])[0]
    pending = Pending(draft, text_digests(writer.brain, draft), text, None, vectors)
    return reworded(writer, case, pending, reason, event)


def _says_other(one: AnyRow, other: AnyRow) -> bool:
    names = ("content", "tags", "entities")
    return any(getattr(one, name) != getattr(other, name) for name in names)


def _ends(bounds: Mapping[str, int | None]) -> dict[str, int | None]:
    return {"start": bounds["valid_from"], "end": bounds["valid_to"]}
