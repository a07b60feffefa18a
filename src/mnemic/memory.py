"""The front door: open a brain, bind a caller, remember and recall."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from mnemic.context.packet import packed
from mnemic.encode import change, reembed
from mnemic.encode.drafts import drafts_from
from mnemic.encode.embedding import Vectors, check_model
from mnemic.encode.write import Ids, Progress, Writer
from mnemic.exchange.importer import import_file
from mnemic.govern import audit
from mnemic.index.cache import IndexCache
from mnemic.index.embed.base import CachedQueries, Embedder
from mnemic.index.embed.choose import Choice, choose
from mnemic.maintain.health import brain_stats, examine
from mnemic.model.answer import (
    AuditEntry,
    AuditReport,
    BrainStats,
    ContextPacket,
    Health,
    History,
    Hit,
    ImportResult,
    Receipt,
    Stats,
)
from mnemic.model.errors import EmbedderError, InvalidInput
from mnemic.model.ids import checked_trace_id, new_trace_id
from mnemic.model.scope import Principal, Scope
from mnemic.model.times import UNCHANGED, Clock, TimeLike, Unchanged, to_ms, utc_now
from mnemic.model.trace import Draft, Role, SourceType, Trace, TraceType
from mnemic.retrieve import listing
from mnemic.retrieve.filters import Filters, checked, checked_limit
from mnemic.retrieve.recall import recall
from mnemic.retrieve.touch import Touches
from mnemic.settings import Settings
from mnemic.store.brain import Brain
from mnemic.store.keys import NewKey, random_key

Kind = TraceType | str
Axis = Scope | str
Labels = str | Iterable[str]


class Memory:
    """A brain, opened. It belongs to whoever holds it; `bind` makes a caller of it.

    Threads may share it; processes may open the same file. Use it in a ``with`` block, or
    `close` it.
    """

    def __init__(self, brain: Brain, choice: Choice, clock: Clock, ids: Ids) -> None:
        self._brain = brain
        self._clock = clock
        self._choice = choice
        self._writer = Writer(brain, Vectors(choice.embedder), clock, ids)
        self._queries = CachedQueries(choice.embedder) if choice.embedder else None
        self._cache = IndexCache(brain.id, brain.settings)
        self._touches = Touches(brain)
        self.audit = AuditLog(brain)

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        brain: str = "main",
        settings: Settings | None = None,
        embedder: Embedder | str | None = "auto",
        clock: Clock = utc_now,
        ids: Ids = new_trace_id,
        new_key: NewKey = random_key,
    ) -> Self:
        """Open the brain in a file; a file that is not there is made.

        Args:
            path: of the SQLite file.
            brain: which of the brains in it.
            settings: of the brain; None reads the environment.
            embedder: what makes vectors: "auto" is the packaged MiniLM, or words only where that
                cannot be loaded; None is words only; else an `Embedder` of your own.
            clock: tells the present.
            ids: makes trace ids.
            new_key: makes the secret key of a new brain.

        Raises:
            NotABrain: the file is something else; it is left as it is.
            BrainTooNew: a newer mnemic has written it.
            EmbedderMismatch: its vectors are of another model.
            StorageError: it cannot be read or written.
        """
        if not isinstance(settings, Settings | None):
            raise InvalidInput(f"settings {settings!r} must be made as Settings(...)")
        choice = choose(embedder)
        opened = Brain.open(path, brain, settings or Settings(), clock, new_key)
        memory = cls(opened, choice, clock, ids)
        try:
            with opened.read() as connection:
                check_model(connection, opened, memory._writer.vectors.model)
        except BaseException:
            opened.close()
            raise
        return memory

    def bind(
        self,
        *,
        user: str | None = None,
        thread: str | None = None,
        persona: str | None = None,
        organization: str | None = None,
        actor: str = "sdk",
    ) -> BoundMemory:
        """The memory as one caller has it: what it writes and reads is this principal's."""
        principal = Principal(user, thread, persona, organization, actor)
        return BoundMemory(self, principal)

    def import_from(
        self,
        path: str | Path,
        *,
        bind: BoundMemory,
        format: str = "auto",
        timezone: str | None = None,
        progress: Progress | None = None,
    ) -> ImportResult:
        """Import a file of conversations for a caller. What is known already is left as it is.

        Args:
            path: of the file.
            bind: whose memory it becomes.
            format: "auto", or the name of one, such as "jsonl".
            timezone: of times in the file that name none.
            progress: is told how far it is.

        Raises:
            ImportFormatError: the file is of no format that is known.
        """
        return import_file(self._writer, bind.principal, Path(path), format, timezone, progress)

    def stats(self) -> BrainStats:
        """How much the whole brain holds: numbers, no content."""
        return brain_stats(self._brain)

    def health(self, *, thorough: bool = False) -> Health:
        """Whether all works as it should. `thorough` reads the whole file and the audit chain."""
        return examine(self._brain, self._choice, self._writer.vectors, thorough)

    def reembed(
        self, embedder: Embedder | str | None = None, *, progress: Progress | None = None
    ) -> int:
        """Make vectors anew, with another embedder or for texts that have none.

        Args:
            embedder: to change over to; None is the one the brain was opened with.
            progress: is told how far it is.

        Returns:
            how many texts were given vectors.
        """
        choice = self._choice if embedder is None else choose(embedder)
        vectors = Vectors(choice.embedder)
        made = reembed.reembed(self._brain, vectors, self._clock, "owner", progress)
        self._choice, self._writer.vectors = choice, vectors
        self._queries = CachedQueries(choice.embedder) if choice.embedder else None
        return made

    def close(self) -> None:
        """Write what is still to be noted and let go of the file."""
        self._touches.flush()
        self._brain.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class AuditLog:
    """The audit log of a brain, for its owner."""

    def __init__(self, brain: Brain) -> None:
        self._brain = brain

    def verify(self) -> AuditReport:
        """Walk the chain from its first entry to its head."""
        with self._brain.read() as connection:
            return audit.verify(connection, self._brain.id)

    def entries(self, *, limit: int = 100, trace_id: str | None = None) -> list[AuditEntry]:
        """The newest entries, of one trace or of all, oldest first."""
        checked_limit("limit", limit)
        if trace_id is not None:
            checked_trace_id(trace_id)
        with self._brain.read() as connection:
            return audit.entries(connection, self._brain.id, limit=limit, trace_id=trace_id)


class BoundMemory:
    """A brain as one caller has it. Made by `Memory.bind`."""

    def __init__(self, memory: Memory, principal: Principal) -> None:
        self._memory = memory
        self.principal = principal

    def remember(
        self,
        content: str,
        *,
        type: Kind = TraceType.EPISODIC,
        scope: Axis | None = None,
        tags: Sequence[str] = (),
        entities: Sequence[str] = (),
        metadata: Mapping[str, Any] | None = None,
        speaker: str | None = None,
        role: Role | str | None = None,
        thread: str | None = None,
        time: TimeLike | None = None,
        valid_from: TimeLike | None = None,
        valid_to: TimeLike | None = None,
        source: SourceType | str = SourceType.USER_STATEMENT,
        strength: float | None = None,
    ) -> Receipt:
        """Remember one thing; see `Draft` for the arguments. What is receipted is durable.

        Raises:
            InvalidInput: nothing was stored; the message says what was wrong.
        """
        draft = Draft(
            content,
            type=type,
            scope=scope,
            tags=tags,  # type: ignore[arg-type]
            entities=entities,  # type: ignore[arg-type]
            metadata=metadata if metadata is not None else {},
            speaker=speaker,
            role=role,
            thread=thread,
            time=time,
            valid_from=valid_from,
            valid_to=valid_to,
            source=source,
            strength=strength,
        )
        return self._memory._writer.write([draft], self.principal)[0]

    def remember_many(
        self,
        items: Iterable[Draft | Mapping[str, Any] | str],
        *,
        progress: Progress | None = None,
    ) -> list[Receipt]:
        """Remember many things in order, embedded and committed in batches.

        Args:
            items: drafts, or mappings with a draft's fields, or plain texts.
            progress: is told how many are done, of how many.

        Returns:
            a receipt for each item.

        Raises:
            InvalidInput: an item cannot be stored; none of them was.
        """
        return self._memory._writer.write(drafts_from(items), self.principal, progress)

    def recall(
        self,
        query: str,
        *,
        limit: int = 10,
        type: Kind | Iterable[Kind] | None = None,
        scope: Axis | None = None,
        tags: Labels | None = None,
        entities: Labels | None = None,
        before: TimeLike | None = None,
        after: TimeLike | None = None,
        min_strength: float | None = None,
        thread: str | None = None,
        as_of: TimeLike | None = None,
        known_at: TimeLike | None = None,
        touch: bool = True,
    ) -> list[Hit]:
        """The traces that answer a question, best first.

        Args:
            query: the question, in any words.
            limit: most hits.
            type: a kind of memory, or several.
            scope: one axis; None is all that the principal may read.
            tags: one or several; all of them are carried.
            entities: one or several; all of them are carried.
            before: said or happened before this.
            after: said or happened at this or after.
            min_strength: at least this strong, 0 to 1.
            thread: from this conversation only.
            as_of: what was true at this instant; None is `known_at`, or now.
            known_at: what the brain held at this instant; None is now.
            touch: count this as a use of the hits.
        """
        checked_limit("limit", limit)
        filters = self._filters(
            type=type,
            scope=scope,
            tags=tags,
            entities=entities,
            before=before,
            after=after,
            min_strength=min_strength,
            thread=thread,
            as_of=as_of,
            known_at=known_at,
        )
        hits = self._answers(checked_query(query), filters, limit)
        if touch and hits:
            memory = self._memory
            memory._touches.add((hit.trace.id for hit in hits), to_ms(memory._clock()))
        return hits

    def _answers(self, question: str, filters: Filters, limit: int) -> builtins.list[Hit]:
        """Words and vectors; words alone, as `health` then tells, where the embedder fails."""
        memory = self._memory
        brain, cache = memory._brain, memory._cache
        try:
            return recall(brain, cache, memory._queries, question, filters, limit)
        except EmbedderError as error:
            memory._writer.vectors.failed(error, "recalled by words only")
            return recall(brain, cache, None, question, filters, limit)

    def context(
        self,
        query: str,
        *,
        budget_tokens: int = 800,
        type: Kind | Iterable[Kind] | None = None,
        scope: Axis | None = None,
        tags: Labels | None = None,
        entities: Labels | None = None,
        before: TimeLike | None = None,
        after: TimeLike | None = None,
        min_strength: float | None = None,
        thread: str | None = None,
        as_of: TimeLike | None = None,
        known_at: TimeLike | None = None,
    ) -> ContextPacket:
        """What to put into a prompt about `query`: ranked, within the budget, fenced as data.

        Args:
            query: what the prompt is about.
            budget_tokens: most tokens, by estimate (four ASCII characters, or one other).
            type, scope, tags, entities, before, after, min_strength, thread: as in `recall`.
            as_of, known_at: as in `recall`.
        """
        checked_limit("budget_tokens", budget_tokens)
        hits = self.recall(
            query,
            limit=self._memory._brain.settings.context.candidates,
            type=type,
            scope=scope,
            tags=tags,
            entities=entities,
            before=before,
            after=after,
            min_strength=min_strength,
            thread=thread,
            as_of=as_of,
            known_at=known_at,
            touch=False,
        )
        packet = packed(hits, budget_tokens)
        shown = [trace_id for trace_id, _ in packet.lines]
        self._memory._touches.add(shown, to_ms(self._memory._clock()))
        return packet

    def show(
        self, trace_id: str, *, as_of: TimeLike | None = None, known_at: TimeLike | None = None
    ) -> Trace:
        """One trace, whether it is true at present or not, unless `as_of` asks for that.

        Raises:
            NotFound: there is none of this id within reach, or it is withheld.
        """
        filters = self._filters(as_of=as_of, known_at=known_at)
        return listing.show(self._memory._brain, filters, trace_id, any_time=as_of is None)

    def list(
        self,
        *,
        limit: int = 50,
        offset: int = 0,
        type: Kind | Iterable[Kind] | None = None,
        scope: Axis | None = None,
        tags: Labels | None = None,
        entities: Labels | None = None,
        before: TimeLike | None = None,
        after: TimeLike | None = None,
        min_strength: float | None = None,
        thread: str | None = None,
        as_of: TimeLike | None = None,
        known_at: TimeLike | None = None,
    ) -> builtins.list[Trace]:
        """Traces by their time, newest first; the filters are those of `recall`."""
        checked_limit("limit", limit)
        checked_limit("offset", offset, least=0)
        filters = self._filters(
            type=type,
            scope=scope,
            tags=tags,
            entities=entities,
            before=before,
            after=after,
            min_strength=min_strength,
            thread=thread,
            as_of=as_of,
            known_at=known_at,
        )
        return listing.listed(self._memory._brain, filters, limit, offset)

    def count(
        self,
        *,
        type: Kind | Iterable[Kind] | None = None,
        scope: Axis | None = None,
        tags: Labels | None = None,
        entities: Labels | None = None,
        before: TimeLike | None = None,
        after: TimeLike | None = None,
        min_strength: float | None = None,
        thread: str | None = None,
        as_of: TimeLike | None = None,
        known_at: TimeLike | None = None,
    ) -> int:
        """How many traces there are; the filters are those of `recall`."""
        filters = self._filters(
            type=type,
            scope=scope,
            tags=tags,
            entities=entities,
            before=before,
            after=after,
            min_strength=min_strength,
            thread=thread,
            as_of=as_of,
            known_at=known_at,
        )
        return listing.count(self._memory._brain, filters)

    def correct(
        self,
        trace_id: str,
        content: str | None = None,
        *,
        reason: str,
        valid_from: TimeLike | Unchanged | None = UNCHANGED,
        valid_to: TimeLike | Unchanged | None = UNCHANGED,
    ) -> Receipt:
        """Put right what a trace says, or since when it is true. The old value stays rejected.

        Args:
            trace_id: which trace.
            content: what is right; None when only a date was wrong.
            reason: why.
            valid_from: since when it is true; None opens it.
            valid_to: until when it was true; None opens it.

        Raises:
            NotFound: there is none of this id within reach.
        """
        return change.correct(
            self._memory._writer,
            self.principal,
            trace_id,
            content,
            reason=reason,
            valid_from=valid_from,
            valid_to=valid_to,
        )

    def forget(self, trace_id: str, *, reason: str | None = None) -> Receipt:
        """Take a trace out of sight. With the reason "wrong" its value is rejected in its scope.

        Raises:
            NotFound: there is none of this id within reach.
        """
        return change.forget(self._memory._writer, self.principal, trace_id, reason=reason)

    def restore(self, trace_id: str, *, reason: str) -> Receipt:
        """Bring back a trace that was forgotten or rejected.

        Raises:
            NotFound: no trace of this id within reach was forgotten.
        """
        return change.restore(self._memory._writer, self.principal, trace_id, reason=reason)

    def history(self, trace_id: str) -> History:
        """Every version of a trace and every audit entry about it, oldest first.

        Raises:
            NotFound: there is none of this id within reach.
        """
        return listing.history(self._memory._brain, self.principal.reach(), trace_id)

    def stats(self, *, as_of: TimeLike | None = None, known_at: TimeLike | None = None) -> Stats:
        """Counts over what the principal may read."""
        return listing.statistics(
            self._memory._brain, self._filters(as_of=as_of, known_at=known_at)
        )

    def _filters(self, **given: Any) -> Filters:
        memory = self._memory
        return checked(self.principal, memory._brain.settings, memory._clock, **given)


def checked_query(query: object) -> str:
    """A question that can be asked."""
    if not isinstance(query, str) or not query.strip():
        raise InvalidInput(f"query {query!r} must be a text that is not blank")
    return query
