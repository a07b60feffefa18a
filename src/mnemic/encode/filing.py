"""Traces of one scope on their way into one transaction: steps 5 to 9 of the road in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mnemic.encode.admit import Admission
from mnemic.encode.deed import Deed, ledger_entry
from mnemic.encode.ending import ask_about, end_facts, link
from mnemic.encode.known import is_same
from mnemic.encode.pending import Pending
from mnemic.encode.relate import (
    Related,
    add_facts,
    as_given,
    fact_rows,
    opposed_elsewhere,
    relate,
)
from mnemic.encode.reminding import write_reminders
from mnemic.encode.resolve import Resolved
from mnemic.encode.rows import analysed, source_rows, trace_of, trace_row, version_row
from mnemic.encode.schemata import Schemata
from mnemic.govern.audit import Note
from mnemic.govern.ledger import Mode, Verdict
from mnemic.govern.review import ItemKind
from mnemic.graph.write import Mentions
from mnemic.index.write import Entry, Partition
from mnemic.model.answer import Receipt, Status
from mnemic.model.fact import Fact
from mnemic.model.origin import TRUSTED
from mnemic.model.scope import Scope
from mnemic.model.times import Validity
from mnemic.model.trace import Trace, TraceType
from mnemic.model.trust import READABLE, Authority, Trust
from mnemic.store.bulk import insert_rows
from mnemic.store.engrams import Cause, put
from mnemic.store.schema import trace_sources, trace_versions, traces

Ids = Callable[[], str]
"""Makes a new trace id."""


@dataclass(frozen=True, slots=True)
class _Standing:
    """How a draft will stand: its facts, its state, and why a person should see it."""

    draft: Resolved
    related: Related
    trust: Trust
    holds: tuple[ItemKind, ...]


class Filing:
    """New traces of one scope, gathered and written together."""

    def __init__(self, deed: Deed, scope: Scope, scope_id: str, ids: Ids) -> None:
        self._deed = deed
        self._brain = deed.brain
        self._connection = deed.connection
        self._now = deed.now
        self._ids = ids
        self._mode = deed.gate.mode_in(scope, scope_id)
        self._partition = Partition(deed.connection, deed.brain.id, scope, scope_id)
        self._mentions = Mentions(deed.connection, deed.brain.id, scope, scope_id)
        self._schemas = Schemata(deed.connection, deed.brain, scope, scope_id)
        self._traces: list[dict[str, Any]] = []
        self._versions: list[dict[str, Any]] = []
        self._sources: list[dict[str, Any]] = []
        self._facts: list[dict[str, Any]] = []
        self._entries: list[Entry] = []
        self._by_digest: dict[bytes, list[Trace]] = {}
        self._gains: dict[str, float] = {}
        self._reminders: dict[str, Mapping[str, Any]] = {}

    def twin(self, draft: Resolved, digest: bytes) -> Trace | None:
        """A trace of the same text that this transaction has stored before."""
        for trace in self._by_digest.get(digest, []):
            if is_same(draft, trace):  # type: ignore[arg-type]
                return trace
        return None

    def add(self, pending: Pending, admission: Admission) -> Receipt:
        """Store a trace that is new; tell what state it is in."""
        stands = self._stands(pending, admission)
        draft, trust = stands.draft, stands.trust
        trace_id = self._ids()
        pending = self._schemas.fitted(pending)
        self._gather(trace_id, replace(pending, draft=draft), stands)
        trace = trace_of(trace_id, draft, pending.text.appraised, trust, self._now)
        self._by_digest.setdefault(pending.digest, []).append(trace)
        detail = {"scope": draft.scope.value, "text": pending.digest.hex()}
        held = stands.holds[0].value if stands.holds else None
        status = Status.STORED if trust in READABLE else Status.CANDIDATE
        seq = self._deed.chain.append(
            Note(draft.actor, "remember", status.value, trace_id, held, detail)
        )
        self._settle(trace_id, pending.digest, stands, admission.signs)
        verdict = Verdict.KEPT if trust in READABLE else Verdict.PENDING
        entry = ledger_entry("remember", draft, verdict, trace_id=trace_id, version=1, reason=held)
        ledger_id = self._deed.ledger.append(entry)
        message = "stored" if trust in READABLE else f"stored, and waits for a reviewer: {held}"
        return Receipt(status, trace, held, message, seq, ledger_id)

    def _stands(self, pending: Pending, admission: Admission) -> _Standing:
        """Compare the draft's facts with what is held, if the draft itself is believed."""
        draft, facts = pending.draft, pending.text.facts
        learns = self._mode is not Mode.SUSPENDED
        if admission.holds and draft.facts is not None and learns:
            return _Standing(draft, as_given(draft, facts), admission.trust, admission.holds)
        if not pending.text.said or admission.holds or not learns:
            return _Standing(draft, Related(), admission.trust, admission.holds)
        if self._facts:
            self._flush_rows()  # what this batch has said before counts as well
        related = relate(self._connection, self._brain, draft, facts)
        says = draft.facts is not None or draft.type is TraceType.SEMANTIC
        if says and len(facts) == 1 and related.ends is not None and draft.validity.end is None:
            # A late fact: what took its place is known already.
            start, ends = draft.validity.start, related.ends
            if start is None or start < ends:
                draft = replace(draft, validity=Validity(start, ends))
        if says and draft.origin not in TRUSTED:
            # Facts that are not given, or given otherwise, do not hide what the words say.
            unheld = [fact for fact in pending.text.said if fact not in facts]
            hidden = relate(self._connection, self._brain, draft, unheld)
            related = replace(related, clashes=(*related.clashes, *hidden.clashes))
        disputed = says and (
            any(not clash.trusted for clash in related.clashes)
            or (draft.origin not in TRUSTED and self._is_opposed(draft, pending.text.said))
        )
        trust = Trust.DISPUTED if disputed else Trust.BELIEVED
        if trust is Trust.DISPUTED:
            related = replace(related, held=(), closes=())
        return _Standing(draft, related, trust, (ItemKind.CONTRADICTION,) if disputed else ())

    def _is_opposed(self, draft: Resolved, said: Sequence[Fact]) -> bool:
        reach = self._deed.principal.reach()
        return opposed_elsewhere(self._connection, self._brain, draft, said, reach)

    def _gather(self, trace_id: str, pending: Pending, stands: _Standing) -> None:
        draft, brain_id = pending.draft, self._brain.id
        self._traces.append(trace_row(brain_id, trace_id, draft, pending.text.appraised, self._now))
        self._mentions.add(trace_id, pending.text.names)
        if draft.reminder is not None:
            self._reminders[trace_id] = draft.reminder
        version = version_row(brain_id, trace_id, draft, stands.trust, pending.digest, self._now)
        self._versions.append(version)
        self._sources += source_rows(brain_id, trace_id, draft)
        self._facts += fact_rows(brain_id, trace_id, stands.related.held, 0, self._now)
        self._entries.append(
            Entry(
                trace_id=trace_id,
                content_version=1,
                thread=draft.thread,
                speaker=draft.speaker,
                role=draft.role.value if draft.role else None,
                analysis=pending.analysis or analysed(draft, self._brain.settings),
                since=self._now,
                vectors=pending.vectors,
            )
        )

    def _settle(
        self, trace_id: str, digest: bytes, stands: _Standing, signs: Sequence[str]
    ) -> None:
        """End what the trace ends; ask a person what only a person can tell."""
        related, draft = stands.related, stands.draft
        place = (draft.scope.value, draft.scope_id)
        if related.closes or related.clashes or related.later:
            self._flush_rows()
        for close in related.closes:
            end_facts(self._deed, close, trace_id)
        for later in dict.fromkeys(related.later):
            link(self._deed, later, trace_id, "supersedes")
        ask_about(self._deed, trace_id, place, digest, related.clashes)
        for kind in stands.holds:
            if kind is not ItemKind.CONTRADICTION or not related.clashes:
                self._deed.queue.open(kind, trace_id, place, digest, signs=signs)

    def reinforce(self, draft: Resolved, known: Trace) -> Receipt:
        """The same text again: it grows stronger, if a person says it."""
        waits = known.trust not in READABLE
        status = Status.CANDIDATE if waits else Status.REINFORCED
        # Whoever may not read what waits is not given it for having said the same.
        hidden = waits and self._deed.principal.authority is Authority.MACHINE
        if draft.replay:
            shown = None if hidden else known
            return Receipt(status, shown, "replay", "known already; left as it is", None)
        if draft.reminder is not None and not waits:
            self._reminders[known.id] = draft.reminder
        gain = self._brain.settings.encoding.reinforcement
        if waits or draft.origin not in TRUSTED or self._mode is Mode.SUSPENDED:
            gain = 0.0  # saying a thing often makes it no truer
        strength = min(1.0, self._gains.get(known.id, known.strength) + gain)
        if gain:
            self._gains[known.id] = strength
        seq = self._deed.chain.append(Note(draft.actor, "remember", status.value, known.id))
        verdict = Verdict.PENDING if waits else Verdict.KEPT
        entry = ledger_entry("remember", draft, verdict, trace_id=known.id, version=known.version)
        message = "known already; it waits for a reviewer" if waits else "known already"
        if gain:
            message += "; its strength was raised"
        return Receipt(
            status,
            None if hidden else replace(known, strength=strength),
            None,
            message,
            seq,
            self._deed.ledger.append(entry),
        )

    def flush(self) -> None:
        """Write what was gathered."""
        self._flush_rows()
        if self._entries:
            self._partition.add(self._entries)
        for trace_id, strength in self._gains.items():
            cause = Cause.REPEATED
            put(self._connection, self._brain.id, trace_id, cause, self._now, strength=strength)
        if self._entries:
            self._partition.save(self._brain.settings.index.segment_passages)
            self._entries = []

    def _flush_rows(self) -> None:
        if self._traces:
            insert_rows(traces, self._connection, self._traces)
            insert_rows(trace_versions, self._connection, self._versions)
            self._mentions.flush(self._now)
        write_reminders(self._connection, self._brain.id, self._reminders, self._now)
        self._reminders = {}
        insert_rows(trace_sources, self._connection, self._sources)
        add_facts(self._connection, self._facts)
        self._traces, self._versions, self._sources, self._facts = [], [], [], []
