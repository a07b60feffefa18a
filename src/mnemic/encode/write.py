"""Writing traces: the nine steps of the road in, as far as their parts exist."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, insert, update

from mnemic.encode.embedding import Vectors, note_model
from mnemic.encode.known import is_same, look_up, text_digest
from mnemic.encode.resolve import Resolved, resolve
from mnemic.encode.rows import analysed, trace_of, trace_row, version_row
from mnemic.govern.audit import Chain, Note
from mnemic.index.analysis import Analysis
from mnemic.index.write import Entry, Packed, Partition
from mnemic.model.answer import Receipt, Status
from mnemic.model.scope import Principal, Scope
from mnemic.model.times import Clock, to_ms
from mnemic.model.trace import Draft, Trace
from mnemic.store.brain import Brain
from mnemic.store.schema import trace_versions, traces
from mnemic.store.visible import to_trace

_ADD_TRACES = insert(traces)
_ADD_VERSIONS = insert(trace_versions)

Ids = Callable[[], str]
"""Makes a new trace id."""

Progress = Callable[[int, int, str], None]
"""Is told how many of how many are done, and at which stage."""

MESSAGES = {
    "recalled": "this text was recalled from this brain; it is not learned again",
    "rejected": "this value was rejected in this scope and stays rejected; "
    "restore its trace, or correct another one to it, to let it in again",
    "forgotten": "this text was forgotten in this scope and does not come back by itself; "
    "restore the trace to have it again",
}


@dataclass(frozen=True, slots=True)
class Pending:
    """A draft on its way in."""

    draft: Resolved
    digest: bytes
    analysis: Analysis | None
    vectors: Packed | None


class Writer:
    """Writes traces into one brain.

    Args:
        brain: where to.
        vectors: makes their vectors.
        clock: tells the present.
        ids: makes trace ids.
    """

    def __init__(self, brain: Brain, vectors: Vectors, clock: Clock, ids: Ids) -> None:
        self.brain = brain
        self.vectors = vectors
        self.clock = clock
        self.ids = ids

    def write(
        self, drafts: Sequence[Draft], principal: Principal, progress: Progress | None = None
    ) -> list[Receipt]:
        """Write drafts in order, a batch a transaction; every receipt given is durable.

        All drafts are checked before the first is written: an error stores nothing.
        """
        now = to_ms(self.clock())
        settings = self.brain.settings
        resolved = [resolve(draft, principal, settings, now) for draft in drafts]
        size = settings.encoding.batch_size
        receipts: list[Receipt] = []
        for at in range(0, len(resolved), size):
            receipts += self._write_batch(resolved[at : at + size])
            if progress is not None:
                progress(len(receipts), len(resolved), "remember")
        return receipts

    def _write_batch(self, batch: Sequence[Resolved]) -> list[Receipt]:
        receipts: dict[int, Receipt] = {}
        pending = self._prepare(batch)
        with self.brain.write() as connection:
            note_model(connection, self.brain, self.vectors.model)
            now = to_ms(self.clock())
            chain = Chain(connection, self.brain.id, now)
            for scope, scope_id in dict.fromkeys(
                (p.draft.scope, p.draft.scope_id) for p in pending
            ):
                places = [
                    at
                    for at, p in enumerate(pending)
                    if (p.draft.scope, p.draft.scope_id) == (scope, scope_id)
                ]
                filed = self._file(
                    connection, chain, scope, scope_id, [pending[at] for at in places], now
                )
                receipts.update(zip(places, filed, strict=True))
            chain.flush()
        return [receipts[at] for at in range(len(pending))]

    def _prepare(self, batch: Sequence[Resolved]) -> list[Pending]:
        """Analyse and embed what is new, as far as can be told before the lock is taken."""
        digests = [text_digest(self.brain, draft) for draft in batch]
        analyses: list[Analysis | None] = [None] * len(batch)
        for at in self._perhaps_new(batch, digests):
            analyses[at] = analysed(batch[at], self.brain.settings)
        vectors = self.vectors.make(analyses)
        return [Pending(*parts) for parts in zip(batch, digests, analyses, vectors, strict=True)]

    def _perhaps_new(self, batch: Sequence[Resolved], digests: Sequence[bytes]) -> list[int]:
        """Places in the batch of texts that are not known yet."""
        places = [at for at, draft in enumerate(batch) if draft.content]
        if len(batch) == 1:
            return places  # looking first costs more than a vector made for nothing now and then
        new: list[int] = []
        with self.brain.read() as connection:
            for key in dict.fromkeys((draft.scope, draft.scope_id) for draft in batch):
                own = [at for at in places if (batch[at].scope, batch[at].scope_id) == key]
                found = look_up(
                    connection, self.brain, [batch[at] for at in own], [digests[at] for at in own]
                )
                new += [
                    at
                    for at, finding in zip(own, found, strict=True)
                    if finding.live is None and finding.refusal is None
                ]
        return new

    def _file(
        self,
        connection: Connection,
        chain: Chain,
        scope: Scope,
        scope_id: str,
        batch: Sequence[Pending],
        now: int,
    ) -> list[Receipt]:
        """Write a batch of one scope."""
        digests = [p.digest for p in batch]
        findings = look_up(connection, self.brain, [p.draft for p in batch], digests)
        stored = _Stored(self, connection, chain, scope, scope_id, now)
        receipts = []
        for pending, finding in zip(batch, findings, strict=True):
            draft = pending.draft
            twin = stored.twin(pending)
            if not draft.content:
                receipts.append(self._refuse(chain, draft, "recalled"))
            elif finding.refusal is not None:
                receipts.append(self._refuse(chain, draft, finding.refusal))
            elif twin is not None or finding.live is not None:
                known = twin if twin is not None else to_trace(finding.live)  # type: ignore[arg-type]
                receipts.append(stored.reinforce(draft, known))
            else:
                receipts.append(stored.add(pending))
        stored.flush()
        return receipts

    def _refuse(self, chain: Chain, draft: Resolved, reason: str) -> Receipt:
        seq = chain.append(
            Note(draft.actor, "remember", "refused", reason=reason, detail={"scope": draft.scope})
        )
        return Receipt(Status.REFUSED, None, reason, MESSAGES[reason], seq)


class _Stored:
    """Traces of one scope on their way into one transaction."""

    def __init__(
        self,
        writer: Writer,
        connection: Connection,
        chain: Chain,
        scope: Scope,
        scope_id: str,
        now: int,
    ) -> None:
        self._writer = writer
        self._brain = writer.brain
        self._connection = connection
        self._chain = chain
        self._now = now
        self._partition = Partition(connection, self._brain.id, scope, scope_id)
        self._traces: list[dict[str, Any]] = []
        self._versions: list[dict[str, Any]] = []
        self._entries: list[Entry] = []
        self._by_digest: dict[bytes, list[Trace]] = {}
        self._gains: dict[str, float] = {}

    def twin(self, pending: Pending) -> Trace | None:
        """A trace of the same text that this transaction has stored before."""
        for trace in self._by_digest.get(pending.digest, []):
            if is_same(pending.draft, trace):  # type: ignore[arg-type]
                return trace
        return None

    def add(self, pending: Pending) -> Receipt:
        draft = pending.draft
        trace_id = self._writer.ids()
        analysis = pending.analysis or analysed(draft, self._brain.settings)
        self._traces.append(trace_row(self._brain.id, trace_id, draft, self._now))
        version = version_row(self._brain.id, trace_id, draft, pending.digest, self._now)
        self._versions.append(version)
        self._entries.append(
            Entry(
                trace_id=trace_id,
                content_version=1,
                thread=draft.thread,
                speaker=draft.speaker,
                role=draft.role.value if draft.role else None,
                analysis=analysis,
                since=self._now,
                vectors=pending.vectors,
            )
        )
        trace = trace_of(trace_id, draft, self._now)
        self._by_digest.setdefault(pending.digest, []).append(trace)
        detail = {"scope": draft.scope.value, "text": pending.digest.hex()}
        seq = self._chain.append(
            Note(draft.actor, "remember", "stored", trace_id=trace_id, detail=detail)
        )
        return Receipt(Status.STORED, trace, None, "stored", seq)

    def reinforce(self, draft: Resolved, known: Trace) -> Receipt:
        if draft.replay:
            return Receipt(Status.REINFORCED, known, "replay", "known already; left as it is", None)
        gain = self._brain.settings.encoding.reinforcement
        strength = min(1.0, self._gains.get(known.id, known.strength) + gain)
        self._gains[known.id] = strength
        seq = self._chain.append(Note(draft.actor, "remember", "reinforced", trace_id=known.id))
        return Receipt(
            Status.REINFORCED,
            replace(known, strength=strength),
            None,
            "known already; its strength was raised",
            seq,
        )

    def flush(self) -> None:
        if self._traces:
            self._connection.execute(_ADD_TRACES, self._traces)
            self._connection.execute(_ADD_VERSIONS, self._versions)
            self._partition.add(self._entries)
        if self._gains:
            self._raise_strengths()
        if self._traces:
            self._partition.save(self._brain.settings.index.segment_passages)

    def _raise_strengths(self) -> None:
        for trace_id, strength in self._gains.items():
            self._connection.execute(
                update(traces)
                .where(traces.c.brain_id == self._brain.id, traces.c.id == trace_id)
                .values(strength=strength)
            )
