"""The front door: open a brain, bind a caller, remember and recall."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from mnemic.bound import BoundMemory, Rooms
from mnemic.consolidate.bed import Sleeper
from mnemic.consolidate.log import runs
from mnemic.consolidate.run import consolidate
from mnemic.consolidate.summarize import Summarizer
from mnemic.consolidate.undo import undo
from mnemic.encode import reembed
from mnemic.encode.embedding import Vectors, check_model
from mnemic.encode.filing import Ids
from mnemic.encode.revise.erase import Condition
from mnemic.encode.write import Progress, Writer
from mnemic.exchange.exporter import Export, Format, export
from mnemic.exchange.home import OneHome
from mnemic.exchange.importer import import_items, preview
from mnemic.exchange.rejections import read_rejections, write_rejections
from mnemic.exchange.sources import places_of, read_program
from mnemic.exchange.taking_in import Import, take_in
from mnemic.index.cache import IndexCache
from mnemic.index.embed.base import CachedQueries, Embedder
from mnemic.index.embed.choose import Choice, choose
from mnemic.maintain.audit_log import AuditLog
from mnemic.maintain.erasure import carry_out, compact
from mnemic.maintain.governance import erasable, rotate, set_freeze
from mnemic.maintain.health import brain_stats, examine
from mnemic.mind.working import Sessions
from mnemic.model.answer import (
    BrainStats,
    Exported,
    Health,
    ImportResult,
)
from mnemic.model.consolidation import Consolidated, Run
from mnemic.model.errors import InvalidInput, NotAllowed
from mnemic.model.governance import Certificate
from mnemic.model.ids import new_trace_id
from mnemic.model.origin import Channel
from mnemic.model.scope import Caller, Judge, Principal, Reach
from mnemic.model.times import Clock, TimeLike, parse_time, utc_now, zone
from mnemic.model.trace import one_of
from mnemic.retrieve.filters import checked_limit
from mnemic.retrieve.plug import Expander, Reranker
from mnemic.retrieve.touch import Touches
from mnemic.reviewer import Reviewer
from mnemic.settings import Settings
from mnemic.store.brain import Brain
from mnemic.store.carried import Selection
from mnemic.store.keys import NewKey, random_key
from mnemic.tools import Tool, tools


class Memory:
    """A brain, opened. It belongs to whoever holds it; `bind` makes a caller of it.

    Threads may share it; processes may open the same file. Use it in a ``with`` block, or
    `close` it.
    """

    def __init__(
        self,
        brain: Brain,
        choice: Choice,
        clock: Clock,
        ids: Ids,
        new_key: NewKey,
        expander: Expander | None = None,
        reranker: Reranker | None = None,
        summarizer: Summarizer | None = None,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._brain = brain
        self._new_key = new_key
        self._clock = clock
        self._choice = choice
        self._writer = Writer(brain, _vectors(choice.embedder, brain.settings), clock, ids)
        self._rooms = Rooms(
            brain=brain,
            writer=self._writer,
            cache=IndexCache(brain.id, brain.settings),
            queries=_queries(choice),
            touches=Touches(brain),
            clock=clock,
            expander=expander,
            reranker=reranker,
            sessions=Sessions(brain),
            summarizer=summarizer,
            chance=chance,
        )
        self.audit = AuditLog(brain)

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        brain: str = "main",
        settings: Settings | None = None,
        embedder: Embedder | str | None = "auto",
        expander: Expander | None = None,
        reranker: Reranker | None = None,
        summarizer: Summarizer | None = None,
        clock: Clock = utc_now,
        ids: Ids = new_trace_id,
        new_key: NewKey = random_key,
        chance: Callable[[], float] = random.random,
    ) -> Self:
        """Open the brain in a file; a file that is not there is made.

        Args:
            path: of the SQLite file.
            brain: which of the brains in it.
            settings: of the brain; None reads the environment.
            embedder: what makes vectors: "auto" is the packaged MiniLM, or words only where that
                cannot be loaded; None is words only; else an `Embedder` of your own.
            expander: says questions in other words; None is none.
            reranker: ranks the best hits once more; None is none.
            summarizer: puts gists and insights in its own words; None leaves them in theirs.
            clock: tells the present.
            ids: makes trace ids.
            new_key: makes the secret key of a new brain.
            chance: gives numbers from 0 to below 1, for what comes to mind unbidden.

        Raises:
            NotABrain: the file is something else; it is left as it is.
            BrainTooNew: a newer mnemic has written it.
            EmbedderMismatch: its vectors are of another model.
            StorageError: it cannot be read or written.
        """
        if not isinstance(settings, Settings | None):
            raise InvalidInput(f"settings {settings!r} must be made as Settings(...)")
        _check_plugs(expander, reranker, summarizer)
        choice = choose(embedder)
        opened = Brain.open(path, brain, settings or Settings(), clock, new_key)
        memory = cls(opened, choice, clock, ids, new_key, expander, reranker, summarizer, chance)
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
        namespace: str | None = None,
        channel: Channel | str = Channel.SDK,
        actor: str = "",
    ) -> BoundMemory:
        """The memory as one caller has it: what it writes and reads is this principal's.

        Args:
            user, thread, persona, organization, namespace: the ids that the runtime vouches for.
            channel: how the caller reaches the brain. "sdk" and "cli" speak for a person, "host"
                for the program itself; "agent", "tool", "mcp" and "import" can neither verify,
                approve nor lift, and their words are trusted less.
            actor: a name for the audit log; the channel's when it is empty.

        Raises:
            InvalidInput: an id cannot be used.
            NotAllowed: a reviewer is made by `reviewer`, not by a channel.
        """
        principal = Principal(
            user,
            thread,
            persona,
            organization,
            namespace,
            channel,  # type: ignore[arg-type]
            actor,
        )
        if principal.channel is Channel.REVIEW:
            raise NotAllowed("no caller is bound as a reviewer; use Memory.reviewer(name)")
        return BoundMemory(self._rooms, principal)

    def reviewer(self, name: str, *, bind: BoundMemory | None = None) -> Reviewer:
        """A person who judges what is remembered.

        Args:
            name: of the person, for the audit log.
            bind: whose memory is judged; None is the whole brain.
        """
        return Reviewer(self._writer, name, _principal(bind))

    def import_from(
        self,
        path: str | Path,
        *,
        bind: BoundMemory | None = None,
        format: str = "auto",
        timezone: str | None = None,
        branches: bool = False,
        embed: bool = True,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> ImportResult:
        """Take in a file, an archive or a folder. What is known already is left as it is.

        What was forgotten or rejected here does not come back. An import that was interrupted is
        begun again and goes on. An export of this library's that its owner takes into an empty
        brain is restored whole, with every version, tombstone and audit entry.

        Args:
            path: of the file, archive or folder.
            bind: whose memory it becomes; None is for the owner of the brain: whom the file
                names.
            format: "auto", or the name of one, such as "jsonl", "chatgpt" or "obsidian".
            timezone: of times in the file that name none.
            branches: of a ChatGPT export every branch, not the one that was shown last.
            embed: make vectors at once; otherwise words alone find it until `reembed`.
            dry_run: store nothing; `imported` then says how many items there are to store.
            progress: is told how far it is.

        Raises:
            ImportFormatError: the file is of no format that is known, or is damaged; nothing of
                it was stored.
        """
        if timezone is not None:
            zone(timezone)
        principal = _principal(bind)
        asked = Import(_path(path), format, timezone, principal, branches, dry_run)
        self._rooms.touches.flush()
        result = take_in(self._importer(embed), self._new_key, asked, progress)
        if embed and not dry_run and self._choice.embedder is not None:
            self._embed_restored(progress)
        return result

    def import_program(
        self,
        program: str,
        *,
        bind: BoundMemory,
        places: Iterable[str | Path] | None = None,
        project: str | Path | None = None,
        timezone: str | None = None,
        embed: bool = True,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> ImportResult:
        """Take in what another program on this machine remembers: sessions, and project files.

        What people and assistants said comes in, with its origin; output of tools, dumps of
        files and thoughts are passed over. The sources are only read.

        Args:
            program: "claude-code", "cursor", "windsurf", "aider", "copilot", "codex",
                "gemini", "opencode" or "pi".
            bind: whose memory it becomes.
            places: files or folders of the program's; None is where it keeps them by default.
            project: a project whose own files are read too, where `places` is None.
            timezone, embed, dry_run, progress: as in `import_from`.

        Raises:
            InvalidInput: the program is unknown.
        """
        found = places_of(program, project) if places is None else [Path(one) for one in places]
        items = partial(read_program, program, found, timezone)
        home = OneHome(_caller(bind))
        if dry_run:
            return preview(items, home)
        return import_items(self._importer(embed), items, home, progress)

    def _importer(self, embed: bool) -> Writer:
        """What an import is written with: without vectors, where they are to be made later."""
        if embed:
            return self._writer
        none = _vectors(None, self._brain.settings)
        return Writer(self._brain, none, self._writer.clock, self._writer.ids)

    def tools(
        self, bind: BoundMemory, *, include_reflect: bool = True, include_rehydrate: bool = True
    ) -> tuple[Tool, ...]:
        """What an agent may call: plain functions with JSON Schemas, for any framework.

        What they write is an agent's, whatever channel the caller was bound with.

        Args:
            bind: whose memory it is; no argument of a tool can name another.
            include_reflect: with `memory_reflect`.
            include_rehydrate: with `rehydrate_memory`.
        """
        caller = _caller(bind)
        actor = "" if caller.actor == caller.channel.value else caller.actor  # a name of its own
        agent = replace(caller, channel=Channel.AGENT, actor=actor)
        return tools(
            BoundMemory(self._rooms, agent),
            include_reflect=include_reflect,
            include_rehydrate=include_rehydrate,
        )

    def _embed_restored(self, progress: Progress | None) -> None:
        """A restored brain has vectors of its own, or none: those that are missing are made."""
        with self._brain.read() as connection:
            if check_model(connection, self._brain, self._writer.vectors.model):
                return
        vectors = self._writer.vectors
        reembed.reembed(self._brain, vectors, self._clock, "owner", progress, told=False)

    def export(
        self,
        path: str | Path,
        *,
        format: str | None = None,
        bind: BoundMemory | None = None,
        withheld: bool = False,
        known_at: TimeLike | None = None,
        embeddings: bool = False,
        conversations: bool = True,
        progress: Progress | None = None,
    ) -> Exported:
        """Write the brain, or a caller's part of it, into a new file or a folder of notes.

        Args:
            path: the new file; for notes the folder, which may be there already.
            format: "sqlite" (one brain, itself to be opened), "json" (AgentOS's document),
                "markdown" or "obsidian"; None goes by the ending of the path: ``.json``,
                ``.sqlite`` or ``.db``, else a folder of Markdown.
            bind: only what this caller may read, without keys and audit log; None is the owner's
                export of all scopes, as secret as the brain.
            withheld: with what no reader is given: candidates, rejected, forgotten; each marked.
            known_at: as the brain was at this instant; None is the present.
            embeddings: the vectors in a JSON export as well; a SQLite export always has them.
            conversations: conversations and messages in a JSON export as well.
            progress: is told how far it is.

        Raises:
            InvalidInput: there is something at the path already, or the options do not go
                together.
            StorageError: it cannot be written.
        """
        if bind is not None and withheld:
            raise InvalidInput(
                "withheld=True is for the owner of the brain; leave bind out, or withheld"
            )
        principal = _principal(bind)
        asked = Export(
            path=_path(path),
            format=None if format is None else one_of(Format, "format", format),
            selection=Selection(
                None if principal is None else principal.reach(),
                withheld,
                parse_time("known_at", known_at, self._brain.settings.timezone),
            ),
            embeddings=embeddings,
            conversations=conversations,
            owner=principal is None,
        )
        self._rooms.touches.flush()
        return export(self._brain, self._clock, self._new_key, asked, progress)

    def erase(
        self,
        *,
        trace: str | None = None,
        user: str | None = None,
        thread: str | None = None,
        source: str | None = None,
        namespace: str | None = None,
        actor: str = "owner",
    ) -> Certificate:
        """Take out for good, from the past as well, and look for what is left.

        One of `trace`, `user`, `source`, or `user` with `thread`. What rested on it alone goes
        with it; what has other support left returns to review. The file is written anew. The
        same texts are not learned again in that scope, since they keep tombstones.

        Args:
            trace: the id of one trace.
            user: all that a user filed, and all in that user's scopes.
            thread: of that user, only what was filed in this conversation.
            source: all that came from this document, page or file.
            namespace: of the user.
            actor: a name for the audit log.

        Returns:
            a certificate: what was taken out, and what a search of the raw bytes of the file and
            of every reader found afterwards.

        Raises:
            NotFound: there is nothing to erase.
        """
        target, condition = erasable(
            trace=trace, user=user, thread=thread, source=source, namespace=namespace
        )
        return self._erased(Judge(actor, Reach.of([])), target, condition)

    def forget_user(
        self, user: str, *, namespace: str | None = None, actor: str = "owner"
    ) -> Certificate:
        """Erase all of a user, and take nothing more from them until a reviewer readmits them."""
        target, condition = erasable(user=user, namespace=namespace)
        owner = Principal(user, namespace=namespace).owner
        return self._erased(Judge(actor, Reach.of([])), target, condition, owner)

    def _erased(
        self, caller: Caller, target: str, condition: Condition, bar: str | None = None
    ) -> Certificate:
        rooms = self._rooms
        rooms.touches.flush()
        if rooms.queries is not None:
            rooms.queries.clear()
        rooms.sessions.clear()
        return carry_out(self._brain, rooms.cache, self._clock, caller, target, condition, bar)

    def compact(self) -> bool:
        """Write the file anew; needed after an erasure that other processes kept from ending.

        Returns:
            whether the write-ahead log could be emptied.
        """
        return compact(self._brain)

    def freeze(self, *, bind: BoundMemory | None = None, mode: str = "frozen") -> None:
        """Take no writes from now on, for one caller's scopes or for the whole brain.

        Args:
            bind: whose scopes; None is the whole brain.
            mode: "frozen" refuses writes, "suspended" takes them and learns nothing from them,
                "on" lets it go on.
        """
        set_freeze(self._brain, self._clock, _principal(bind), mode)

    def rotate_key(self) -> int:
        """Put a new secret key on the ring; the older ones stay, and all they reject.

        Returns:
            the number of the new key.
        """
        return rotate(self._brain, self._clock, self._new_key)

    def export_rejections(self, path: str | Path) -> int:
        """Write what was rejected into a new file, to be rejected elsewhere or after a restore.

        It holds keyed digests and their secret keys, no values; keep it as you keep the brain.

        Returns:
            how many tombstones it holds.
        """
        return write_rejections(self._brain, _path(path))

    def import_rejections(self, path: str | Path) -> int:
        """Reject here what a file of `export_rejections` holds. Nothing is lifted by it.

        Returns:
            how many tombstones are new.

        Raises:
            ImportFormatError: it is no such file; nothing was taken from it.
        """
        return read_rejections(self._brain, self._clock, _path(path))

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
        vectors = _vectors(choice.embedder, self._brain.settings)
        made = reembed.reembed(self._brain, vectors, self._clock, "owner", progress)
        self._choice, self._writer.vectors = choice, vectors
        self._rooms.queries = _queries(choice)
        return made

    def consolidate(
        self,
        *,
        steps: Sequence[str] | None = None,
        dry_run: bool = False,
        stop: Callable[[], bool] = lambda: False,
        progress: Progress | None = None,
    ) -> Consolidated:
        """Tidy up: every step on every scope id of the brain, and never across two.

        One run at a time: while another one is at work, here or in another process, nothing is
        done, and the report says so. Reading and writing go on meanwhile. Run twice, it finds
        nothing left to do.

        Args:
            steps: only these, by name (docs/mechanisms.md); None is all that are switched on.
            dry_run: change nothing; the report says what each step would do on its own.
            stop: asked before each batch whether to stop there; what was done is kept.
            progress: is told how many scope ids are done, of how many, and the step.
        """
        self._rooms.touches.flush()
        sleeper = Sleeper(self._writer, self._rooms.cache, self._rooms.summarizer)
        return consolidate(sleeper, steps=steps, dry_run=dry_run, stop=stop, progress=progress)

    def undo_consolidation(self, run: int) -> Consolidated:
        """Take back what a consolidation did; what has changed since stays, and is told.

        Raises:
            NotFound: there was no such run.
            InvalidInput: it is running, or was undone before.
        """
        self._rooms.touches.flush()
        return undo(self._writer, run)

    def consolidations(self, *, limit: int = 20) -> list[Run]:
        """The last consolidations, the newest first."""
        checked_limit("limit", limit)
        with self._brain.read() as connection:
            return runs(connection, self._brain, limit)

    def close(self) -> None:
        """Write what is still to be noted and let go of the file."""
        self._rooms.touches.flush()
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


def _queries(choice: Choice) -> CachedQueries | None:
    return CachedQueries(choice.embedder) if choice.embedder else None


def _check_plugs(expander: object, reranker: object, summarizer: object) -> None:
    for name, given, wanted in (
        ("expander", expander, Expander),
        ("reranker", reranker, Reranker),
        ("summarizer", summarizer, Summarizer),
    ):
        if given is not None and not isinstance(given, wanted):
            raise InvalidInput(f"{name} {given!r} must have what mnemic.{wanted.__name__} has")


def _caller(bind: object) -> Principal:
    """Whom `bind` speaks for."""
    if not isinstance(bind, BoundMemory):
        raise InvalidInput(f"bind {bind!r} must be what memory.bind(...) returned")
    return bind.principal


def _principal(bind: object) -> Principal | None:
    return None if bind is None else _caller(bind)


def _path(path: object) -> Path:
    if not isinstance(path, str | Path):
        raise InvalidInput(f"path {path!r} must be a string or a Path")
    return Path(path)


def _vectors(embedder: Embedder | None, settings: Settings) -> Vectors:
    return Vectors(embedder, apart=settings.index.sentences_apart)
