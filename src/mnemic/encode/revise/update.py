"""Bringing a trace up to date, and making one of several; nothing is rejected by either.

A correction says that a value was wrong and keeps it out from then on. An update says that it is
out of date, or is said together with something else: the earlier version stays in the history,
and may be said again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import sqlalchemy as sql

from mnemic.encode.admit import read_text, reopened
from mnemic.encode.deed import Deed, begin
from mnemic.encode.embedding import note_model
from mnemic.encode.known import text_digests
from mnemic.encode.pending import Pending
from mnemic.encode.refusal import denials, refused
from mnemic.encode.resolve import Resolved, checked_content, checked_labels
from mnemic.encode.revise.case import Case, checked_reason, close_items, find, move, told
from mnemic.encode.revise.change import (
    bar,
    changed_since,
    draft_of,
    proposed,
    source_origins,
    validity_of,
)
from mnemic.encode.revise.follow import dependants
from mnemic.encode.revise.reword import reworded
from mnemic.encode.rows import analysed
from mnemic.encode.write import Writer
from mnemic.index.write import Packed
from mnemic.model.answer import Merged, Receipt, Status
from mnemic.model.errors import InvalidInput, NotFound
from mnemic.model.ids import checked_trace_id
from mnemic.model.origin import Channel, Origin, least_trusted
from mnemic.model.scope import Principal
from mnemic.model.times import to_ms
from mnemic.model.trust import READABLE, Authority, Event
from mnemic.store.engrams import Cause, put
from mnemic.store.schema import trace_sources
from mnemic.store.types import AnyRow

JOINT = " | "
"""What stands between the texts of merged traces, where no text is given."""

MAX_MERGED = 100


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a trace is to say, with the vectors made before the lock was taken."""

    content: str
    tags: tuple[str, ...]
    entities: tuple[str, ...]
    reason: str | None
    vectors: Packed | None


def update(
    writer: Writer,
    principal: Principal,
    trace_id: str,
    *,
    content: str | None = None,
    tags: Iterable[str] | None = None,
    entities: Iterable[str] | None = None,
    reason: str | None = None,
    expect: int | None = None,
) -> Receipt:
    """Other words or labels in place of those that a trace has; see `BoundMemory.update`."""
    settings = writer.brain.settings
    reason = None if reason is None else checked_reason(reason)
    new = None if content is None else checked_content(content, settings)
    labels = None if tags is None else checked_labels("tags", tags, settings)
    names = None if entities is None else checked_labels("entities", entities, settings)
    if new is None and labels is None and names is None:
        raise InvalidInput("nothing to update: give new content, tags or entities")
    with writer.brain.read() as connection:
        deed = begin(connection, writer.brain, principal, to_ms(writer.clock()))
        seen = find(deed, principal.reach(), trace_id, READABLE).row
    draft = _draft(seen, principal, new, labels, names)
    vectors = _vectors(writer, draft)
    wanted = Wanted(draft.content, draft.tags, draft.entities, reason, vectors)
    with writer.brain.write() as connection:
        note_model(connection, writer.brain, writer.vectors.model)
        deed = begin(connection, writer.brain, principal, to_ms(writer.clock()))
        case = find(deed, principal.reach(), trace_id, READABLE)
        barred = bar(case, expect) or ("conflict" if changed_since(case, seen) else None)
        if barred is None and not wanted.content:
            barred = "recalled"
        receipt = _put(writer, case, wanted, barred)
        deed.flush()
    return receipt


def _draft(
    row: AnyRow,
    principal: Principal,
    content: str | None,
    tags: tuple[str, ...] | None,
    entities: tuple[str, ...] | None,
) -> Resolved:
    """A trace as it shall stand; None leaves what there is."""
    text = row.content if content is None else content
    draft = draft_of(row, text, validity_of(row, {}), principal)
    if text == row.content:  # who retags it does not say it
        draft = replace(draft, channel=Channel(row.channel), origin=Origin(row.origin))
    return replace(
        draft,
        tags=draft.tags if tags is None else tags,
        entities=draft.entities if entities is None else entities,
    )


def _vectors(writer: Writer, draft: Resolved) -> Packed | None:
    if not draft.content:
        return None
    return writer.vectors.make([analysed(draft, writer.brain.settings)])[0]


def _put(
    writer: Writer,
    case: Case,
    wanted: Wanted,
    barred: str | None,
    others: Sequence[Case] = (),
) -> Receipt:
    """Let a trace say what is wanted; `others`, whose words it takes up, are then put away."""
    deed, row = case.deed, case.row
    action = "merge" if others else "update"
    caller = deed.principal
    assert isinstance(caller, Principal)  # a reviewer edits; see `judge`
    draft = _draft(row, caller, wanted.content, wanted.tags, wanted.entities)
    if barred is not None:
        return refused(deed, draft, barred, action, row.id)
    text = read_text(draft, writer.brain.settings)
    own = None if deed.principal.authority is Authority.MACHINE else row.id
    admission = deed.gate.admit([draft], [text], own)[0]
    if admission.refusal is not None:
        return refused(deed, draft, admission.refusal, action, row.id)
    origins = [admission.origin, *source_origins(case)]
    if others:  # words that are taken up are believed no more than before
        origins += [Origin(one.row.origin) for one in (case, *others)]
    draft = reopened(draft, least_trusted(origins))
    pending = Pending(draft, text_digests(writer.brain, draft), text, None, wanted.vectors)
    if admission.holds:
        return proposed(writer, case, pending, admission.holds)
    for other in others:
        _put_away(other, row.id)
    status = Status.MERGED if others else Status.UPDATED
    return reworded(writer, case, pending, wanted.reason, Event.UPDATE, status)


def merge(
    writer: Writer,
    principal: Principal,
    trace_ids: Sequence[str],
    *,
    content: str | None = None,
    reason: str | None = None,
) -> Merged:
    """One trace in place of several; see `BoundMemory.merge`."""
    reason = None if reason is None else checked_reason(reason)
    new = None if content is None else checked_content(content, writer.brain.settings)
    ids = list(dict.fromkeys(checked_trace_id(one) for one in trace_ids))
    if len(ids) > MAX_MERGED:
        raise InvalidInput(f"{len(ids)} traces are too many to merge, at most {MAX_MERGED}")
    with writer.brain.read() as connection:
        deed = begin(connection, writer.brain, principal, to_ms(writer.clock()))
        seen = _cases(deed, principal, ids)
        survivor = _survivor(seen)
        wanted = _joined(writer, principal, survivor, seen, new, reason)
    denied = denials(writer.brain, principal, writer.clock, "merge", survivor.row.id)
    with denied, writer.brain.write() as connection:
        note_model(connection, writer.brain, writer.vectors.model)
        deed = begin(connection, writer.brain, principal, to_ms(writer.clock()))
        cases = _cases(deed, principal, ids)
        merged = _merge(writer, cases, seen, survivor.row.id, wanted)
        deed.flush()
    return merged


def _cases(deed: Deed, principal: Principal, ids: Sequence[str]) -> list[Case]:
    """Those of some traces that are live and within reach, at least two of one scope."""
    found = []
    for trace_id in ids:
        try:
            found.append(find(deed, principal.reach(), trace_id, READABLE))
        except NotFound:
            continue
    if len(found) < 2:
        raise NotFound(
            f"found only {len(found)} of these {len(ids)} traces within reach; "
            "it takes two to merge"
        )
    places = {case.pair for case in found}
    if len(places) > 1:
        scopes = ", ".join(sorted({scope for scope, _ in places}))
        raise InvalidInput(f"traces of several scopes ({scopes}) cannot be merged into one")
    return found


def _survivor(cases: Sequence[Case]) -> Case:
    """The one that was recalled most often; the first of those where several were."""
    return max(cases, key=lambda case: int(case.row.retrieval_count))


def _joined(
    writer: Writer,
    principal: Principal,
    survivor: Case,
    cases: Sequence[Case],
    content: str | None,
    reason: str | None,
) -> Wanted:
    """What the survivor is to say, with the tags and entities of all of them."""
    settings = writer.brain.settings
    text = content
    if text is None:
        texts = dict.fromkeys(case.row.content for case in cases)
        text = checked_content(JOINT.join(texts), settings)
    drafts = [draft_of(c.row, c.row.content, validity_of(c.row, {}), principal) for c in cases]
    tags = checked_labels("tags", [tag for one in drafts for tag in one.tags], settings)
    names = checked_labels("entities", [e for one in drafts for e in one.entities], settings)
    vectors = _vectors(writer, _draft(survivor.row, principal, text, tags, names))
    return Wanted(text, tags, names, reason, vectors)


def _merge(
    writer: Writer,
    cases: Sequence[Case],
    seen: Sequence[Case],
    survivor_id: str,
    wanted: Wanted,
) -> Merged:
    survivor = next((case for case in cases if case.row.id == survivor_id), None)
    if survivor is None or len(cases) != len(seen):
        raise NotFound("one of these traces was put away meanwhile; look them up again")
    others = [case for case in cases if case is not survivor]
    barred = next((code for case in cases if (code := bar(case)) is not None), None)
    stale = any(changed_since(case, was.row) for case, was in zip(cases, seen, strict=True))
    if barred is None and stale:
        barred = "conflict"
    if barred is None and not wanted.content:
        barred = "recalled"
    receipt = _put(writer, survivor, wanted, barred, others)
    if receipt.status is not Status.MERGED:
        return Merged(None, (), receipt)
    _count_together(survivor, others)
    trace = find(survivor.deed, survivor.reach, survivor_id).trace()
    return Merged(trace, tuple(case.row.id for case in others), replace(receipt, trace=trace))


def _put_away(case: Case, survivor_id: str) -> None:
    """A trace whose words another one has taken up; what rests on it rests on that one too."""
    deed, brain_id = case.deed, case.deed.brain.id
    version = move(case, Event.FORGET, f"merged into {survivor_id}")
    told(case, version, Status.FORGOTTEN, "forget", code="merged")
    close_items(case)
    resting = [row.id for row in dependants(deed, [case.row.id])]
    known = {row.id for row in dependants(deed, [survivor_id])}
    rows = [
        {"brain_id": brain_id, "trace_id": one, "kind": "trace", "source": survivor_id}
        for one in resting
        if one not in known and one != survivor_id
    ]
    if rows:
        deed.connection.execute(sql.insert(trace_sources), rows)


def _count_together(survivor: Case, others: Sequence[Case]) -> None:
    """How often and when last it was recalled, and how strong it is, are those of them all."""
    rows = [survivor.row, *(case.row for case in others)]
    used = [row.last_accessed_at for row in rows if row.last_accessed_at is not None]
    values = {
        "retrieval_count": sum(row.retrieval_count for row in rows),
        "strength": max(row.strength for row in rows),
        "last_accessed_at": max(used, default=None),
    }
    deed, trace_id = survivor.deed, survivor.row.id
    put(deed.connection, deed.brain.id, trace_id, Cause.MERGED, survivor.now, **values)
