"""What a reviewer decides: approve, reject, edit, merge, defer, verify, put away, lift.

A decision is about one text. An item carries the digest of the text that was to be judged; when
the trace says something else by now, nothing is decided, and the new text is asked about.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import func, select

from mnemic.cognition.facts import Relation
from mnemic.encode.admit import Read, read_text
from mnemic.encode.deed import Deed
from mnemic.encode.ending import ask_about, end_facts, link, reopen, replace_fact, set_end
from mnemic.encode.known import text_digests
from mnemic.encode.pending import Pending
from mnemic.encode.relate import add_facts, fact_rows, relate, retire_facts, stands_to, to_fact
from mnemic.encode.resolve import Resolved
from mnemic.encode.revise.case import (
    Case,
    close_items,
    find,
    move,
    reject_value,
    standing_facts,
    told,
    undo_links,
)
from mnemic.encode.revise.change import bring_back, draft_of, validity_of
from mnemic.encode.revise.follow import follow, reject_twins
from mnemic.encode.revise.reword import reworded
from mnemic.encode.write import Writer
from mnemic.govern import ledger, review
from mnemic.govern.ledger import Verdict
from mnemic.govern.review import WAITING, ItemKind, ItemState
from mnemic.govern.tombstones import Cause
from mnemic.index.write import Packed
from mnemic.model.answer import Receipt, Status
from mnemic.model.errors import InvalidInput, NotAllowed
from mnemic.model.fact import Fact
from mnemic.model.times import from_ms
from mnemic.model.trace import TraceType
from mnemic.model.trust import READABLE, SEARCHED, Authority, Event, Trust
from mnemic.store import engrams
from mnemic.store.schema import trace_facts, traces
from mnemic.store.types import AnyRow
from mnemic.store.visible import versions_of, visible

_f, _t = trace_facts.c, traces.c

_AGREES = (Relation.SAME, Relation.COMPATIBLE, Relation.UNRELATED)


@dataclass(frozen=True, slots=True)
class Judgement:
    """One decision about one item.

    Args:
        writer: writes what the decision asks for.
        case: the trace that is judged.
        item: the item of the queue.
        reason: why.
    """

    writer: Writer
    case: Case
    item: AnyRow
    reason: str

    @property
    def deed(self) -> Deed:
        """The transaction."""
        return self.case.deed

    def others(self) -> list[Judgement]:
        """The same judgement of each item of this text that another trace hangs on."""
        rows = _waiting_with(self.deed, self.item)
        return [replace(self, item=row) for row in rows if row.other_id is not None]

    def settle(self, state: ItemState, verdict: Verdict) -> None:
        """Write down what became of the item, and of all that waited for the same text."""
        deed = self.deed
        review.settle(
            deed.connection,
            deed.brain.id,
            [row.id for row in _waiting_with(deed, self.item)],
            state,
            at=deed.now,
            reviewer=deed.principal.actor,
            reason=self.reason,
        )
        ledger.settle(deed.connection, deed.brain.id, self.case.row.id, verdict, state.value)


def check_open(item: AnyRow, digest: str | None) -> None:
    """Refuse a judgement of something that is settled, or that says something else by now.

    Raises:
        InvalidInput: saying which.
    """
    if item.state not in WAITING:
        raise InvalidInput(f"review item {item.id} is settled: it is {item.state}")
    if digest is not None and digest != item.digest.hex():
        raise InvalidInput(
            f"review item {item.id} is about another text than the digest {digest[:12]!r}... "
            "that was given; look at it again"
        )


def judged(writer: Writer, deed: Deed, item: AnyRow, reason: str) -> Judgement | None:
    """The judgement of an item; None when the trace has changed, and is asked about anew."""
    case = find(deed, deed.principal.reach(), item.trace_id)
    waiting = _waiting_with(deed, item)
    changed = case.row.digest != item.digest
    if not changed and not any(_other_changed(deed, one) for one in waiting):
        return Judgement(writer, case, item, reason)
    review.close_for(deed.connection, deed.brain.id, item.trace_id, at=deed.now, by="brain")
    for one in waiting:
        kind = ItemKind.CHANGED if changed else ItemKind(one.kind)
        other = None if changed else one.other_id
        deed.queue.open(kind, item.trace_id, case.pair, case.row.digest, other_id=other)
        if changed:
            break
    return None


def _waiting_with(deed: Deed, item: AnyRow) -> list[AnyRow]:
    """All that waits for a judgement of the same text."""
    rows = review.of_trace(deed.connection, deed.brain.id, item.trace_id)
    return [row for row in rows if row.state in WAITING and row.digest == item.digest]


def _other_changed(deed: Deed, item: AnyRow) -> bool:
    """Whether what would be replaced says something else than when the item was opened."""
    if item.other_id is None:
        return False
    rows = versions_of(deed.brain.id, deed.principal.reach(), item.other_id).run(deed.connection)
    return any(
        row.version == row.content_version and row.recorded_at > item.opened_at for row in rows
    )


def approve(one: Judgement, both: bool = False) -> Receipt:
    """What was judged is believed; what it would replace gives way, unless both are true."""
    case = one.case
    _refuse_rejected(one.writer, case)
    if case.trust in (Trust.BELIEVED, Trust.VERIFIED):
        receipt = told(case, _as_it_is(case), Status.APPROVED, "approve")
    else:
        version = move(case, Event.APPROVE, one.reason)
        receipt = told(case, version, Status.APPROVED, "approve")
    others = one.others()
    said = _learn(one.writer, case, {other.item.other_id for other in others})
    for other in others:
        if both:
            undo_links(find(one.deed, case.reach, other.item.other_id), case.row.id)
        else:
            _give_way(other, said)
    one.settle(ItemState.APPROVED, Verdict.KEPT)
    return receipt


def _as_it_is(case: Case) -> dict[str, Any]:
    return {"version": case.row.version, "digest": case.row.digest, "trust": case.row.trust}


def _as_judged(writer: Writer, case: Case) -> tuple[Resolved, Read]:
    """A trace as it stands, in the form that the road in works on."""
    draft = draft_of(case.row, case.row.content, validity_of(case.row, {}), case.deed.principal)
    return draft, read_text(draft, writer.brain.settings)


def _refuse_rejected(writer: Writer, case: Case, tags: Sequence[str] = ()) -> None:
    """No judgement is a way round a tombstone."""
    draft, text = _as_judged(writer, case)
    draft = replace(draft, tags=(*draft.tags, *tags))
    refusal = case.deed.gate.admit([draft], [text])[0].refusal
    if refusal is not None:
        raise NotAllowed(
            f"trace {case.row.id!r} cannot be approved: its value is {refusal}; lift that first"
        )


def _learn(
    writer: Writer, case: Case, judged: Collection[str] = (), given: Sequence[Fact] = ()
) -> tuple[Fact, ...]:
    """What was believed only now can be compared only now; returns what the trace says.

    What it says against the traces `judged` has just been judged, and is not asked again. `given`
    are facts to hold that its words do not tell.
    """
    deed, of = case.deed, case.row.id
    draft, text = _as_judged(writer, case)
    key = (_f.brain_id == deed.brain.id) & (_f.trace_id == of) & _f.retired_at.is_(None)
    standing = deed.connection.execute(select(trace_facts).where(key)).all()
    if standing and case.trust in READABLE:
        return text.said
    # A candidate's facts were kept as they were given, and compared with nothing yet.
    kept = [_as_kept(row, draft.validity.start) for row in standing]
    retire_facts(deed.connection, deed.brain.id, of, case.now)
    # What was disputed is held now, though it is said in a document.
    facts = kept or (text.said if judged else text.facts or given)
    related = relate(deed.connection, deed.brain, draft, facts)
    last = select(func.max(_f.seq)).where(_f.brain_id == deed.brain.id, _f.trace_id == of)
    start = (deed.connection.execute(last).scalar() or 0) + 1
    rows = fact_rows(deed.brain.id, of, related.held, start, case.now)
    add_facts(deed.connection, rows)
    for close in related.closes:
        if close.old.trace_id not in judged:
            end_facts(deed, close, of)
    ask_about(deed, of, case.pair, case.row.digest, related.clashes, judged)
    return text.said


def _as_kept(row: AnyRow, start: int | None) -> Fact:
    """A fact as it was given, with its own beginning where that is not the trace's."""
    own = row.valid_from is not None and row.valid_from != start
    return replace(to_fact(row), since=from_ms(row.valid_from).date().isoformat() if own else None)


def _give_way(one: Judgement, said: Sequence[Fact]) -> None:
    """The other trace of an item ends, as far as it is contradicted, or is superseded."""
    case, deed = one.case, one.deed
    other = find(deed, deed.principal.reach(), one.item.other_id)
    link(deed, case.row.id, other.row.id, "supersedes")
    if one.item.kind == ItemKind.CORRECTION.value:
        reject_value(other, Cause.CORRECTED)
        _supersede(other, one.reason)
        return
    start = case.row.valid_from
    key = (_f.brain_id == deed.brain.id) & (_f.trace_id == other.row.id)
    for old in deed.connection.execute(
        select(trace_facts).where(key, _f.retired_at.is_(None))
    ).all():
        earlier = start is not None and (old.valid_from is None or old.valid_from <= start)
        if earlier and any(stands_to(old, fact) not in _AGREES for fact in said):
            replace_fact(deed, old, {"valid_to": start})
    if other.row.type != TraceType.SEMANTIC.value:
        return  # an episode has happened, whatever was wrong with what was said in it
    if start is not None and (other.row.valid_from is None or other.row.valid_from < start):
        set_end(deed, other.row, start, "superseded")
    else:
        _supersede(other, one.reason)


def _supersede(other: Case, reason: str | None) -> None:
    if other.trust in SEARCHED:
        version = move(other, Event.SUPERSEDE, reason)
        told(other, version, Status.WITHHELD, "supersede")
        follow(other.deed, [other.row.id])


def reject(one: Judgement, until: int | None) -> Receipt:
    """What was judged is wrong: its value has a tombstone, until a day or for good."""
    # What was disputed was its facts, which were held nowhere.
    disputed = one.case.trust is Trust.DISPUTED
    facts = _as_judged(one.writer, one.case)[1].said if disputed else ()
    receipt = reject_case(one.case, one.reason, until, facts)
    one.settle(ItemState.REJECTED, Verdict.REJECTED)
    return receipt


def reject_case(case: Case, reason: str, until: int | None, facts: Sequence[Fact] = ()) -> Receipt:
    """Reject a trace, and all that rests on it alone; what it had ended is open again."""
    reject_value(case, Cause.REJECTED, until, also=facts)
    reopen(case.deed, case.reach, case.row.id)
    version = move(case, Event.REJECT, reason)
    receipt = told(case, version, Status.REJECTED, "reject", verdict=Verdict.REJECTED)
    follow(case.deed, [case.row.id, *reject_twins(case, reason)])
    return receipt


def edit(one: Judgement, content: str, vectors: Packed | None) -> Receipt:
    """Put other words in place of those that were judged, and believe them."""
    case, writer = one.case, one.writer
    draft = draft_of(case.row, content, validity_of(case.row, {}), case.deed.principal)
    text = read_text(draft, writer.brain.settings)
    admission = case.deed.gate.admit([draft], [text])[0]
    if admission.refusal is not None:
        raise NotAllowed(f"the edited text cannot be stored: it is {admission.refusal}")
    pending = Pending(draft, text_digests(writer.brain, draft), text, None, vectors)
    others = one.others()
    one.settle(ItemState.EDITED, Verdict.KEPT)
    receipt = reworded(writer, case, pending, one.reason, Event.EDIT)
    for other in others:
        _give_way(other, text.said)
    return receipt


def merge(one: Judgement, into: Case) -> Receipt:
    """The trace says what another one says already: that one stands for both."""
    case, deed = one.case, one.deed
    if case.row.id == into.row.id:
        raise InvalidInput(f"trace {case.row.id!r} cannot be merged into itself")
    if case.pair != into.pair:
        raise InvalidInput("traces of two scopes cannot be merged")
    if into.trust not in READABLE:
        raise InvalidInput(f"trace {into.row.id!r} is {into.trust}; merge into one that stands")
    _refuse_rejected(one.writer, into, json.loads(case.row.tags))
    tags = list(dict.fromkeys([*json.loads(into.row.tags), *json.loads(case.row.tags)]))
    event = Event.VERIFY if into.trust is Trust.VERIFIED else Event.EDIT
    changes: dict[str, Any] = {"tags": json.dumps(tags, ensure_ascii=False)}
    version = move(into, event, one.reason, changes=changes)
    engrams.put(
        deed.connection,
        deed.brain.id,
        into.row.id,
        engrams.Cause.MERGED,
        into.now,
        retrieval_count=into.row.retrieval_count + case.row.retrieval_count,
        strength=max(into.row.strength, case.row.strength),
    )
    gone = move(case, Event.SUPERSEDE, one.reason)
    told(case, gone, Status.WITHHELD, "supersede")
    link(deed, into.row.id, case.row.id, "supersedes")
    follow(deed, [case.row.id])
    one.settle(ItemState.MERGED, Verdict.KEPT)
    return told(into, version, Status.MERGED, "merge")


def verify(writer: Writer, case: Case, reason: str) -> Receipt:
    """A reviewer has checked it, by what the reason names."""
    _refuse_rejected(writer, case)
    waited = case.trust not in READABLE
    version = move(case, Event.VERIFY, reason, changes={"verified_at": case.now})
    if waited:
        deed = case.deed
        _learn(writer, case)
        close_items(case)
        ledger.settle(deed.connection, deed.brain.id, case.row.id, Verdict.KEPT, "verified")
    return told(case, version, Status.VERIFIED, "verify")


def quarantine(case: Case, reason: str) -> Receipt:
    """Put a trace away without a word about whether its value is wrong."""
    version = move(case, Event.QUARANTINE, reason)
    receipt = told(case, version, Status.WITHHELD, "quarantine")
    follow(case.deed, [case.row.id])
    return receipt


def expire(deed: Deed, item: AnyRow) -> None:
    """What waited too long is put away; waiting never made anything believed."""
    case = find(deed, deed.principal.reach(), item.trace_id)
    if case.trust in (Trust.CANDIDATE, Trust.DISPUTED):
        version = move(case, Event.EXPIRE, None, authority=Authority.BRAIN)
        told(case, version, Status.EXPIRED, "expire", verdict=Verdict.REJECTED)
        ledger.settle(deed.connection, deed.brain.id, case.row.id, Verdict.REJECTED, "expired")
    review.settle(
        deed.connection,
        deed.brain.id,
        [item.id],
        ItemState.EXPIRED,
        at=deed.now,
        reviewer="brain",
        reason=None,
    )


def lift(writer: Writer, case: Case, reason: str) -> Receipt:
    """Believe a trace that was put away; what it says is compared anew."""
    receipt = bring_back(writer, case, reason)
    given = standing_facts(case)
    retire_facts(case.deed.connection, case.deed.brain.id, case.row.id, case.now)
    _learn(writer, case, given=given)
    close_items(case)
    return receipt


def from_source(deed: Deed, source: str) -> list[str]:
    """The traces within reach that came from a document, page or file, and still stand."""
    query = visible(
        deed.brain.id, deed.principal.reach(), None, _t.id, states=SEARCHED, sources=[source]
    )
    return [row[0] for row in query.run(deed.connection)]
