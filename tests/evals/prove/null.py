"""A memory that takes everything, keeps nothing, and finds nothing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from mnemic import AuditReport, ContextPacket, Memory, Receipt, Status, Trace
from mnemic.errors import NotFound
from mnemic.evals.prove.backend import StillClock
from mnemic.model.ids import new_trace_id
from mnemic.model.mind import Emotion
from mnemic.model.origin import Channel, Origin, SourceType
from mnemic.model.scope import Principal, Scope
from mnemic.model.trace import TraceType
from mnemic.model.trust import Trust

_EMPTY = ContextPacket("", (), 0)


class NullBound:
    """What a caller has of a null memory."""

    def __init__(self, clock: StillClock, **who: Any) -> None:
        self._clock = clock
        self.principal = Principal(**who)

    def remember(self, content: str, **more: Any) -> Receipt:
        now = self._clock.now
        trace = Trace(
            id=new_trace_id(),
            content=content,
            type=TraceType.EPISODIC,
            scope=Scope.USER,
            scope_id="",
            tags=(),
            entities=(),
            metadata={},
            speaker=None,
            role=None,
            thread=None,
            time=now,
            valid_from=now,
            valid_to=None,
            recorded_at=now,
            retired_at=None,
            trust=Trust.BELIEVED,
            source=SourceType.USER_STATEMENT,
            channel=Channel.SDK,
            origin=Origin.PERSON,
            verified_at=None,
            strength=0.5,
            created_at=now,
            last_accessed_at=None,
            retrieval_count=0,
            version=1,
            stability=timedelta(days=120),
            importance=0.5,
            emotion=Emotion(),
            archived_at=None,
            is_gist=False,
        )
        return Receipt(Status.STORED, trace, None, "stored", None)

    def remember_many(self, items: Any, **more: Any) -> list[Receipt]:
        return [self.remember(str(item)) for item in items]

    def recall(self, query: str, **more: Any) -> list[Any]:
        return []

    def list(self, **more: Any) -> list[Any]:
        return []

    def facts(self, **more: Any) -> Any:
        return []

    def count(self, **more: Any) -> int:
        return 0

    def stats(self, **more: Any) -> Any:
        return SimpleNamespace(traces=0, by_scope={})

    def context(self, query: str, **more: Any) -> ContextPacket:
        return _EMPTY

    def show(self, trace_id: str, **more: Any) -> Any:
        raise NotFound("there is nothing here")

    history = erase = show

    def forget(self, trace_id: str, **more: Any) -> Receipt:
        return self.remember("")

    def correct(self, trace_id: str, content: str | None = None, **more: Any) -> Receipt:
        return self.remember("")

    def restore(self, trace_id: str, **more: Any) -> Receipt:
        return self.remember("")


class NullReviewer:
    """A person who is never asked anything."""

    def queue(self, **more: Any) -> list[Any]:
        return []

    ledger = queue

    def sweep(self) -> int:
        return 0

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def nothing(*given: Any, **more: Any) -> Any:
            raise NotFound("there is nothing to judge")

        return nothing


class NullMemory:
    """A brain that stores nothing."""

    def __init__(self, clock: StillClock) -> None:
        self._clock = clock
        self.audit = SimpleNamespace(
            verify=lambda head=None: AuditReport(True, 0, "", ()),
            head=lambda: "",
            entries=lambda **more: [],
        )

    def bind(self, **who: Any) -> NullBound:
        return NullBound(self._clock, **who)

    def reviewer(self, name: str, *, bind: object = None) -> NullReviewer:
        return NullReviewer()

    def import_from(self, path: Path, **more: Any) -> Any:
        lines = len(path.read_text("utf-8").splitlines())
        traces = (None,) * lines
        return SimpleNamespace(imported=0, held=0, skipped=0, refused=0, errors=(), traces=traces)

    def erase(self, **more: Any) -> Any:
        raise NotFound("there is nothing to erase")

    forget_user = erase

    def stats(self) -> Any:
        return SimpleNamespace(traces=0)

    def rotate_key(self) -> int:
        return 1

    def freeze(self, **more: Any) -> None:
        return None

    def reembed(self, *given: Any, **more: Any) -> int:
        return 0

    export_rejections = import_rejections = reembed

    def compact(self) -> bool:
        return True

    def close(self) -> None:
        return None


class Nowhere:
    """A backend on which nothing is kept."""

    def __init__(self, folder: Path, clock: StillClock) -> None:
        self._folder = folder
        self._clock = clock
        self._numbers = 0

    def place(self) -> Path:
        self._numbers += 1
        return self._folder / f"nothing{self._numbers}.db"

    def open(self, place: Path, **options: Any) -> Memory:
        return NullMemory(self._clock)  # type: ignore[return-value]

    def copy(self, place: Path) -> Path:
        return self.place()

    def alter(self, place: Path, *statements: str) -> None:
        return None

    break_audit = mend_audit = alter

    def takes(self, place: Path, statement: str) -> bool:
        return False

    def raw(self, place: Path) -> bytes:
        return b""
