"""The front door, awaited: the same names, the same arguments, the same answers."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

from mnemic.aio.awaited import Wrapped, awaited
from mnemic.aio.bound import AsyncBoundMemory
from mnemic.aio.reviewer import AsyncReviewer
from mnemic.bound import BoundMemory
from mnemic.consolidate.summarize import Summarizer
from mnemic.encode.filing import Ids
from mnemic.encode.write import Progress
from mnemic.index.embed.base import Embedder
from mnemic.maintain.audit_log import AuditLog
from mnemic.memory import Memory
from mnemic.model.answer import Exported, ImportResult
from mnemic.model.ids import new_trace_id
from mnemic.model.origin import Channel
from mnemic.model.times import Clock, TimeLike, utc_now
from mnemic.retrieve.plug import Expander, Reranker
from mnemic.settings import Settings
from mnemic.store.keys import NewKey, random_key
from mnemic.tools import Tool


class AsyncAuditLog(Wrapped[AuditLog]):
    """`AuditLog`, awaited."""

    head = awaited(AuditLog.head)
    verify = awaited(AuditLog.verify)
    entries = awaited(AuditLog.entries)


class AsyncMemory(Wrapped[Memory]):
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
        summarizer: Summarizer | None = None,
        clock: Clock = utc_now,
        ids: Ids = new_trace_id,
        new_key: NewKey = random_key,
        chance: Callable[[], float] = random.random,
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
                summarizer=summarizer,
                clock=clock,
                ids=ids,
                new_key=new_key,
                chance=chance,
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

    erase = awaited(Memory.erase)
    forget_user = awaited(Memory.forget_user)
    compact = awaited(Memory.compact)
    rotate_key = awaited(Memory.rotate_key)
    export_rejections = awaited(Memory.export_rejections)
    import_rejections = awaited(Memory.import_rejections)
    stats = awaited(Memory.stats)
    health = awaited(Memory.health)
    reembed = awaited(Memory.reembed)
    consolidate = awaited(Memory.consolidate)
    undo_consolidation = awaited(Memory.undo_consolidation)
    consolidations = awaited(Memory.consolidations)
    close = awaited(Memory.close)

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
