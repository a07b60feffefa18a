"""Other words in place of those that a trace has: a correction, an edit, an update, its reversal.

What the old words had ended is open again, what the new ones say is compared with what is held,
and what a person should see first waits.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from sqlalchemy import func, select

from mnemic.encode.ending import ask_about, end_facts, link, reopen
from mnemic.encode.pending import Pending
from mnemic.encode.relate import (
    Related,
    add_facts,
    fact_rows,
    opposed_elsewhere,
    relate,
    retire_facts,
)
from mnemic.encode.resolve import Resolved
from mnemic.encode.revise.case import Case, lift_value, move, reject_value, told
from mnemic.encode.revise.follow import follow
from mnemic.encode.rows import analysed, mind_columns
from mnemic.encode.write import Writer
from mnemic.govern import review
from mnemic.govern.review import ItemKind, ItemState
from mnemic.govern.tombstones import Cause
from mnemic.graph.write import Mentions
from mnemic.index.write import Entry, Packed, Partition
from mnemic.model.answer import Receipt, Status
from mnemic.model.normal_form import normal_form
from mnemic.model.origin import TRUSTED
from mnemic.model.trace import TraceType
from mnemic.model.trust import SEARCHED, Authority, Event
from mnemic.store import engrams
from mnemic.store.schema import trace_facts
from mnemic.store.visible import versions_of

_f = trace_facts.c

_JUDGED = (Event.APPROVE.value, Event.EDIT.value)
"""Causes of versions whose words a reviewer has agreed to."""

_ACTIONS = {Status.UPDATED: "update", Status.MERGED: "merge"}
"""What the audit log and the ledger call it."""


def reworded(
    writer: Writer,
    case: Case,
    pending: Pending,
    reason: str | None,
    event: Event = Event.CORRECT,
    status: Status = Status.CORRECTED,
) -> Receipt:
    """Another text in place of the one there was, which stays rejected unless this is an update."""
    deed, row, draft = case.deed, case.row, pending.draft
    # The gate has let it through: what stood in its way was this trace's own correction.
    lift_value(case, draft.content, pending.text.said, own=True)
    differs = normal_form(draft.content) != normal_form(row.content)
    if differs and event is not Event.UPDATE:
        reject_value(case, Cause.CORRECTED, but=pending.text.said)
    reopen(deed, case.reach, row.id)  # what its old words had ended
    retire_facts(deed.connection, deed.brain.id, row.id, case.now)
    related = relate(deed.connection, deed.brain, draft, pending.text.facts)
    then = _then(case, pending, related)
    changes: dict[str, Any] = {
        "valid_from": draft.validity.start,
        "valid_to": draft.validity.end,
        "content": draft.content,
        "tags": json.dumps(draft.tags, ensure_ascii=False),
        "entities": json.dumps(draft.entities, ensure_ascii=False),
        "content_version": row.version + 1,
        "digest": pending.digest,
        "channel": draft.channel.value,
        "origin": draft.origin.value,
        "verified_at": None,
    }
    version = move(case, event, reason, changes=changes, then=then)
    index_anew(writer, case, draft, pending.vectors)
    _appraise_anew(case, pending)
    _facts_anew(case, related if then is None else replace(related, held=(), closes=()))
    _ask(case, pending, related, then)
    receipt = told(case, version, status, _ACTIONS.get(status, "correct"))
    if differs and status is not Status.MERGED:  # merged words still say what they said
        follow(deed, [row.id])
    return receipt


def _then(case: Case, pending: Pending, related: Related) -> Event | None:
    """What the brain makes at once of new words that nobody has judged."""
    if case.deed.principal.authority is Authority.REVIEWER:
        return None
    if _was_approved(case):
        return Event.SEND_BACK
    deed, draft, said = case.deed, pending.draft, pending.text.said
    if draft.type is not TraceType.SEMANTIC or draft.origin in TRUSTED:
        return None
    untrusted = any(not clash.trusted for clash in related.clashes)
    reach = deed.principal.reach()
    if untrusted or opposed_elsewhere(deed.connection, deed.brain, draft, said, reach):
        return Event.DISPUTE
    return None


def _was_approved(case: Case) -> bool:
    """Whether a reviewer has approved the words that are about to change, or has written them."""
    connection, brain_id = case.deed.connection, case.deed.brain.id
    versions = versions_of(brain_id, case.reach, case.row.id).run(connection)
    if any(v.digest == case.row.digest and v.cause in _JUDGED for v in versions):
        return True
    items = review.of_trace(connection, brain_id, case.row.id)
    approved = ItemState.APPROVED.value
    return any(one.state == approved and one.digest == case.row.digest for one in items)


def _ask(case: Case, pending: Pending, related: Related, then: Event | None) -> None:
    """Put into the queue what only a person can tell of the new words."""
    deed, of = case.deed, case.row.id
    if then is Event.SEND_BACK:
        deed.queue.open(ItemKind.CHANGED, of, case.pair, pending.digest)
    ask_about(deed, of, case.pair, pending.digest, related.clashes)
    if then is Event.DISPUTE and not related.clashes:
        deed.queue.open(ItemKind.CONTRADICTION, of, case.pair, pending.digest)


def index_anew(writer: Writer, case: Case, draft: Resolved, vectors: Packed | None) -> None:
    """Let the index find what a trace says now, and no longer what it said."""
    row = case.row
    partition = Partition(case.deed.connection, writer.brain.id, *case.place)
    position = partition.retire(row.id, case.now) if case.trust in SEARCHED else None
    entry = Entry(
        trace_id=row.id,
        content_version=row.version + 1,
        thread=row.thread,
        speaker=row.speaker,
        role=row.role,
        analysis=analysed(draft, writer.brain.settings),
        since=case.now,
        vectors=vectors,
        position=position,
    )
    partition.add([entry])
    partition.save(writer.brain.settings.index.segment_passages)


def _appraise_anew(case: Case, pending: Pending) -> None:
    """The feeling and the worth of new words; how strong the trace is stays as it was."""
    connection, brain_id = case.deed.connection, case.deed.brain.id
    columns = mind_columns(pending.text.appraised)
    kept = ("strength", "stability", "reinforcement_interval")
    values = {name: value for name, value in columns.items() if name not in kept}
    values["verbatim_version"] = None
    engrams.put(connection, brain_id, case.row.id, engrams.Cause.REWORDED, case.now, **values)
    named = Mentions(case.deed.connection, case.deed.brain.id, *case.place)
    named.remention(case.row.id, pending.text.names)
    named.flush(case.now)


def _facts_anew(case: Case, related: Related) -> None:
    """What the new words say, in place of what the old ones said."""
    deed, row = case.deed, case.row
    last = select(func.max(_f.seq)).where(_f.brain_id == deed.brain.id, _f.trace_id == row.id)
    start = (deed.connection.execute(last).scalar() or 0) + 1
    add_facts(deed.connection, fact_rows(deed.brain.id, row.id, related.held, start, case.now))
    for close in related.closes:
        end_facts(deed, close, row.id)
    for later in dict.fromkeys(related.later):
        link(deed, later, row.id, "supersedes")
