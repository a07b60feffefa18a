"""The front door, awaited: the same names, the same arguments, the same answers.

Each call runs in a thread, so that the event loop goes on; the database and the model let go of
the interpreter while they work.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from functools import update_wrapper
from pathlib import Path
from types import TracebackType
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar

from mnemic.bound import BoundMemory
from mnemic.encode.filing import Ids
from mnemic.encode.write import Progress
from mnemic.index.embed.base import Embedder
from mnemic.maintain.audit_log import AuditLog
from mnemic.memory import Memory
from mnemic.model.answer import Exported, ImportResult
from mnemic.model.ids import new_trace_id
from mnemic.model.origin import Channel
from mnemic.model.scope import Principal
from mnemic.model.times import Clock, TimeLike, utc_now
from mnemic.retrieve.plug import Expander, Reranker
from mnemic.reviewer import Reviewer
from mnemic.settings import Settings
from mnemic.store.keys import NewKey, random_key
from mnemic.tools import Tool

P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S")


class _Wrapped(Generic[S]):
    """Holds the object whose methods are awaited."""

    def __init__(self, sync: S) -> None:
        self._sync = sync


def _awaited(
    method: Callable[Concatenate[S, P], R],
) -> Callable[Concatenate[_Wrapped[S], P], Coroutine[Any, Any, R]]:
    """The method of the wrapped object, to be awaited."""

    async def call(self: _Wrapped[S], /, *args: P.args, **kwargs: P.kwargs) -> R:
        return await asyncio.to_thread(method, self._sync, *args, **kwargs)

    update_wrapper(call, method)
    return call


class AsyncAuditLog(_Wrapped[AuditLog]):
    """`AuditLog`, awaited."""

    head = _awaited(AuditLog.head)
    verify = _awaited(AuditLog.verify)
    entries = _awaited(AuditLog.entries)


class AsyncReviewer(_Wrapped[Reviewer]):
    """`Reviewer`, awaited. Made by `AsyncMemory.reviewer`."""

    @property
    def name(self) -> str:
        """Of the person."""
        return self._sync.name

    queue = _awaited(Reviewer.queue)
    item = _awaited(Reviewer.item)
    approve = _awaited(Reviewer.approve)
    reject = _awaited(Reviewer.reject)
    edit = _awaited(Reviewer.edit)
    merge = _awaited(Reviewer.merge)
    defer = _awaited(Reviewer.defer)
    waiting = _awaited(Reviewer.waiting)
    sweep = _awaited(Reviewer.sweep)
    verify = _awaited(Reviewer.verify)
    quarantine = _awaited(Reviewer.quarantine)
    reject_trace = _awaited(Reviewer.reject_trace)
    lift = _awaited(Reviewer.lift)
    reject_source = _awaited(Reviewer.reject_source)
    readmit = _awaited(Reviewer.readmit)
    ledger = _awaited(Reviewer.ledger)
    revert = _awaited(Reviewer.revert)
    undo_link = _awaited(Reviewer.undo_link)


class AsyncBoundMemory(_Wrapped[BoundMemory]):
    """`BoundMemory`, awaited. Made by `AsyncMemory.bind`."""

    @property
    def principal(self) -> Principal:
        """Whose memory it is."""
        return self._sync.principal

    remember = _awaited(BoundMemory.remember)
    remember_many = _awaited(BoundMemory.remember_many)
    recall = _awaited(BoundMemory.recall)
    context = _awaited(BoundMemory.context)
    show = _awaited(BoundMemory.show)
    list = _awaited(BoundMemory.list)
    count = _awaited(BoundMemory.count)
    correct = _awaited(BoundMemory.correct)
    update = _awaited(BoundMemory.update)
    merge = _awaited(BoundMemory.merge)
    forget = _awaited(BoundMemory.forget)
    restore = _awaited(BoundMemory.restore)
    erase = _awaited(BoundMemory.erase)
    history = _awaited(BoundMemory.history)
    facts = _awaited(BoundMemory.facts)
    stats = _awaited(BoundMemory.stats)


class AsyncMemory(_Wrapped[Memory]):
    """`Memory`, awaited."""

    def __init__(self, sync: Memory) -> None:
        super().__init__(sync)
        self.audit = AsyncAuditLog(sync.audit)

    @classmethod
    async def open(
        cls,
        path: str | Path,
        *,
        brain: str = "main",
        settings: Settings | None = None,
        embedder: Embedder | str | None = "auto",
        expander: Expander | None = None,
        reranker: Reranker | None = None,
        clock: Clock = utc_now,
        ids: Ids = new_trace_id,
        new_key: NewKey = random_key,
    ) -> Self:
        """`Memory.open`, awaited."""
        return cls(
            await asyncio.to_thread(
                Memory.open,
                path,
                brain=brain,
                settings=settings,
                embedder=embedder,
                expander=expander,
                reranker=reranker,
                clock=clock,
                ids=ids,
                new_key=new_key,
            )
        )

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
    ) -> AsyncBoundMemory:
        """`Memory.bind`; it does no work, so it is not awaited."""
        return AsyncBoundMemory(
            self._sync.bind(
                user=user,
                thread=thread,
                persona=persona,
                organization=organization,
                namespace=namespace,
                channel=channel,
                actor=actor,
            )
        )

    def reviewer(self, name: str, *, bind: AsyncBoundMemory | None = None) -> AsyncReviewer:
        """`Memory.reviewer`; it does no work, so it is not awaited."""
        return AsyncReviewer(self._sync.reviewer(name, bind=_held(bind)))

    async def import_from(
        self,
        path: str | Path,
        *,
        bind: AsyncBoundMemory | None = None,
        format: str = "auto",
        timezone: str | None = None,
        branches: bool = False,
        embed: bool = True,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> ImportResult:
        """`Memory.import_from`, awaited."""
        return await asyncio.to_thread(
            self._sync.import_from,
            path,
            bind=_held(bind),
            format=format,
            timezone=timezone,
            branches=branches,
            embed=embed,
            dry_run=dry_run,
            progress=progress,
        )

    async def import_program(
        self,
        program: str,
        *,
        bind: AsyncBoundMemory,
        places: Iterable[str | Path] | None = None,
        project: str | Path | None = None,
        timezone: str | None = None,
        embed: bool = True,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> ImportResult:
        """`Memory.import_program`, awaited."""
        return await asyncio.to_thread(
            self._sync.import_program,
            program,
            bind=bind._sync,
            places=places,
            project=project,
            timezone=timezone,
            embed=embed,
            dry_run=dry_run,
            progress=progress,
        )

    def tools(
        self,
        bind: AsyncBoundMemory,
        *,
        include_reflect: bool = True,
        include_rehydrate: bool = True,
    ) -> tuple[Tool, ...]:
        """`Memory.tools`; it does no work, so it is not awaited: its tools have `acall`."""
        return self._sync.tools(
            bind._sync, include_reflect=include_reflect, include_rehydrate=include_rehydrate
        )

    async def export(
        self,
        path: str | Path,
        *,
        format: str | None = None,
        bind: AsyncBoundMemory | None = None,
        withheld: bool = False,
        known_at: TimeLike | None = None,
        embeddings: bool = False,
        conversations: bool = True,
        progress: Progress | None = None,
    ) -> Exported:
        """`Memory.export`, awaited."""
        return await asyncio.to_thread(
            self._sync.export,
            path,
            format=format,
            bind=_held(bind),
            withheld=withheld,
            known_at=known_at,
            embeddings=embeddings,
            conversations=conversations,
            progress=progress,
        )

    async def freeze(self, *, bind: AsyncBoundMemory | None = None, mode: str = "frozen") -> None:
        """`Memory.freeze`, awaited."""
        await asyncio.to_thread(self._sync.freeze, bind=_held(bind), mode=mode)

    erase = _awaited(Memory.erase)
    forget_user = _awaited(Memory.forget_user)
    compact = _awaited(Memory.compact)
    rotate_key = _awaited(Memory.rotate_key)
    export_rejections = _awaited(Memory.export_rejections)
    import_rejections = _awaited(Memory.import_rejections)
    stats = _awaited(Memory.stats)
    health = _awaited(Memory.health)
    reembed = _awaited(Memory.reembed)
    close = _awaited(Memory.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()


def _held(bind: AsyncBoundMemory | None) -> BoundMemory | None:
    return None if bind is None else bind._sync
