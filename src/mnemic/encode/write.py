"""Writing traces: the nine steps of the road in, as far as their parts exist."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from mnemic.cognition.rules import personality_of
from mnemic.encode.admit import read_text, reopened
from mnemic.encode.deed import Deed, begin
from mnemic.encode.embedding import Vectors, note_model
from mnemic.encode.filing import Filing, Ids
from mnemic.encode.known import look_up, text_digests
from mnemic.encode.pending import Pending
from mnemic.encode.refusal import denials, refused
from mnemic.encode.resolve import Resolved, resolve
from mnemic.encode.rows import analysed
from mnemic.index.analysis import Analysis
from mnemic.model.answer import Receipt
from mnemic.model.mind import Personality
from mnemic.model.scope import Principal, Scope
from mnemic.model.times import Clock, to_ms
from mnemic.model.trace import Draft
from mnemic.store.brain import Brain
from mnemic.store.persona import personality_in
from mnemic.store.visible import to_trace

Progress = Callable[[int, int, str], None]
"""Is told how many of how many are done, and at which stage."""


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
        with denials(self.brain, principal, self.clock, "remember"):
            resolved = [resolve(draft, principal, settings, now) for draft in drafts]
        return self.write_resolved(resolved, principal, progress)

    def write_resolved(
        self,
        resolved: Sequence[Resolved],
        principal: Principal,
        progress: Progress | None = None,
    ) -> list[Receipt]:
        """Write drafts that have been checked for this principal already."""
        size = self.brain.settings.encoding.batch_size
        receipts: list[Receipt] = []
        for at in range(0, len(resolved), size):
            receipts += self._write_batch(resolved[at : at + size], principal)
            if progress is not None:
                progress(len(receipts), len(resolved), "remember")
        return receipts

    def _write_batch(self, batch: Sequence[Resolved], principal: Principal) -> list[Receipt]:
        receipts: dict[int, Receipt] = {}
        pending = self._prepare(batch)
        with self.brain.write() as connection:
            note_model(connection, self.brain, self.vectors.model)
            deed = begin(connection, self.brain, principal, to_ms(self.clock()))
            pending = self._digested(pending)
            for key in dict.fromkeys((p.draft.scope, p.draft.scope_id) for p in pending):
                places = [
                    at for at, p in enumerate(pending) if (p.draft.scope, p.draft.scope_id) == key
                ]
                filed = self._file(deed, [pending[at] for at in places])
                receipts.update(zip(places, filed, strict=True))
            deed.flush()
        return [receipts[at] for at in range(len(pending))]

    def _digested(self, pending: list[Pending]) -> list[Pending]:
        """With the digests of every key, if another process has added one meanwhile."""
        if not pending or len(pending[0].digests) == len(self.brain.ring.keys):
            return pending
        return [replace(p, digests=text_digests(self.brain, p.draft)) for p in pending]

    def _prepare(self, batch: Sequence[Resolved]) -> list[Pending]:
        """Read, analyse and embed, as far as can be told before the lock is taken."""
        settings = self.brain.settings
        digests = [text_digests(self.brain, draft) for draft in batch]
        analyses: list[Analysis | None] = [None] * len(batch)
        for at in self._perhaps_new(batch, digests):
            analyses[at] = analysed(batch[at], settings)
        who = self._personalities(batch)
        # The model lets go of the interpreter: the texts are read meanwhile.
        with self.vectors.ahead(analyses) as made:
            texts = [
                read_text(draft, settings, who.get((draft.scope, draft.scope_id)))
                for draft in batch
            ]
            vectors = made()
        parts = zip(batch, digests, texts, analyses, vectors, strict=True)
        return [Pending(*part) for part in parts]

    def _personalities(self, batch: Sequence[Resolved]) -> Mapping[tuple[Scope, str], Personality]:
        """What the personality has become in each scope id, if it may drift at all."""
        mind = self.brain.settings.mind
        if not mind.works(mind.drift):
            return {}
        base = personality_of(mind.personality)
        places = dict.fromkeys((draft.scope, draft.scope_id) for draft in batch)
        with self.brain.read() as connection:
            return {
                (scope, scope_id): personality_in(
                    connection, self.brain.id, (scope.value, scope_id), base
                )
                for scope, scope_id in places
            }

    def _perhaps_new(
        self, batch: Sequence[Resolved], digests: Sequence[Sequence[bytes]]
    ) -> list[int]:
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
                    for at, known in zip(own, found, strict=True)
                    if known.live is None and known.refusal is None
                ]
        return new

    def _file(self, deed: Deed, batch: Sequence[Pending]) -> list[Receipt]:
        """Write a batch of one scope."""
        drafts = [p.draft for p in batch]
        admissions = deed.gate.admit(drafts, [p.text for p in batch])
        known = look_up(deed.connection, self.brain, drafts, [p.digests for p in batch])
        stored = Filing(deed, drafts[0].scope, drafts[0].scope_id, self.ids)
        receipts = []
        for pending, admission, same in zip(batch, admissions, known, strict=True):
            draft = reopened(pending.draft, admission.origin)
            refusal = admission.refusal or same.refusal
            twin = stored.twin(draft, pending.digest)
            live = twin or (to_trace(same.live) if same.live is not None else None)
            if not draft.content:
                receipts.append(refused(deed, draft, "recalled"))
            elif refusal is not None:
                receipts.append(refused(deed, draft, refusal))
            elif live is not None:
                receipts.append(stored.reinforce(draft, live))
            else:
                receipts.append(stored.add(replace(pending, draft=draft), admission))
        stored.flush()
        return receipts
