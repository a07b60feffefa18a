"""What a case works with: brains, callers that no other case has, and its three kinds of checks.

Cases share one brain and keep apart by their users; a case that changes a whole brain asks for
one of its own. The clock stands still until a case moves it, and never goes back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeVar

from mnemic import BoundMemory, Memory, Receipt, Trace
from mnemic.errors import InvalidInput, NotAllowed, NotFound
from mnemic.evals.prove.backend import Backend, StemVectors, StillClock
from mnemic.evals.prove.case import Case, Failed, Kind, NoControl, Unmet, Violated
from mnemic.model.governance import ReviewItem
from mnemic.reviewer import Reviewer

T = TypeVar("T")


class Stage:
    """What the cases of one run share: the backend, the clock, one brain, and stories.

    A story is a course of events that several cases look at, each at another step.
    """

    def __init__(self, backend: Backend, clock: StillClock) -> None:
        self.backend = backend
        self.clock = clock
        self.place = backend.place()
        self._memory: Memory | None = None
        self._stories: dict[str, Any] = {}
        self.opened = ExitStack()

    @property
    def memory(self) -> Memory:
        """The brain that cases share."""
        if self._memory is None:
            self._memory = self.backend.open(self.place, embedder=StemVectors())
            self.opened.callback(self._memory.close)
        return self._memory

    def story(self, name: str, tell: Callable[[], T]) -> T:
        """What came of a course of events; it happens once."""
        if name not in self._stories:
            try:
                self._stories[name] = tell()
            except Failed as failure:
                self._stories[name] = failure
        told: T | Failed = self._stories[name]
        if isinstance(told, Failed):
            raise told
        return told


class World:
    """The surroundings of one case.

    Args:
        stage: what it shares with the others.
        case: which one it is.
        number: of the case, for names that no other one has.
    """

    def __init__(self, stage: Stage, case: Case, number: int) -> None:
        self._stage = stage
        self._case = case
        self._number = number
        self._opened = ExitStack()
        self.controls = 0
        self.denials = 0
        self.notes: list[str] = []

    # --- brains and callers ----------------------------------------------------------------

    @property
    def clock(self) -> StillClock:
        """The present of every brain."""
        return self._stage.clock

    @property
    def backend(self) -> Backend:
        """Where the brains live."""
        return self._stage.backend

    @property
    def memory(self) -> Memory:
        """The brain that cases share."""
        return self._stage.memory

    def name(self, who: str) -> str:
        """An id that no other case has."""
        return f"n{self._number}-{who}"

    def bind(self, who: str = "ana", memory: Memory | None = None, **more: Any) -> BoundMemory:
        """A caller; the same `who` is the same user within this case only."""
        return (memory or self.memory).bind(user=self.name(who), **more)

    def reviewer(self, bound: BoundMemory, memory: Memory | None = None) -> Reviewer:
        """A person who judges the memory of one caller."""
        return (memory or self.memory).reviewer("rita", bind=bound)

    def own(self, place: Path | None = None, **options: Any) -> Memory:
        """A brain that no other case has; or another opening of the one at `place`."""
        where = self.backend.place() if place is None else place
        memory = self.backend.open(where, **options)
        self._opened.callback(memory.close)
        return memory

    def file(self, text: str, end: str = ".jsonl") -> Path:
        """A file with this text."""
        path = self.backend.place().with_suffix(end)
        path.write_text(text, encoding="utf-8")
        return path

    def story(self, name: str, tell: Callable[[], T]) -> T:
        """What came of a course of events that several cases look at.

        What went wrong while it was told is missing for each of them, whatever its kind.
        """
        try:
            return self._stage.story(name, tell)
        except (NoControl, Unmet) as failure:
            raise self._lacking(str(failure)) from failure

    def close(self) -> None:
        """Let go of the brains of this case."""
        self._opened.close()

    # --- checks ----------------------------------------------------------------------------

    def control(self, seen: object, what: str) -> None:
        """The positive control of a negative case: this must be so, or the case shows nothing."""
        if not seen:
            raise NoControl(what)
        self.controls += 1

    def never(self, seen: object, what: str) -> None:
        """What must not be. It counts only after a control."""
        if not self.controls:
            raise NoControl(f"nothing was found before this was denied: {what}")
        if seen:
            raise Violated(f"{what}{_shown(seen)}")
        self.denials += 1

    def must(self, seen: object, what: str) -> None:
        """What must be."""
        if not seen:
            raise self._lacking(what)

    def need(self, value: T | None, what: str) -> T:
        """A value without which the case cannot go on."""
        if value is None:
            raise self._lacking(what)
        return value

    def _lacking(self, what: str) -> Failed:
        before_control = self._case.kind is Kind.NEGATIVE and not self.controls
        return NoControl(what) if before_control else Unmet(what)

    def note(self, text: str) -> None:
        """Something to be told of this case beside its verdict."""
        self.notes.append(text)

    # --- what cases do often ---------------------------------------------------------------

    def trace(self, receipt: Receipt) -> Trace:
        """The trace of a receipt, which has one."""
        return self.need(receipt.trace, f"no trace was stored: {receipt.status} {receipt.reason}")

    def told(self, bound: BoundMemory, text: str, **more: Any) -> Trace:
        """Remember a text; readers find it. The control of most negative cases."""
        trace = self.trace(bound.remember(text, **more))
        if not readers(bound, text):
            raise self._lacking(f"{text!r} was not found after it was remembered")
        if self._case.kind is Kind.NEGATIVE:
            self.controls += 1
        return trace

    def waiting(self, reviewer: Reviewer, trace: Trace) -> ReviewItem:
        """The open review item of a trace."""
        item = next((one for one in reviewer.queue() if one.trace.id == trace.id), None)
        return self.need(item, f"nothing waits for a person about {trace.content!r}")

    def refuses(self, receipts: Iterable[Receipt] | Receipt, what: str) -> None:
        """What must not come in did not."""
        several = [receipts] if isinstance(receipts, Receipt) else list(receipts)
        taken = [receipt for receipt in several if receipt.status != "refused"]
        self.never(taken and f"{taken[0].status} {taken[0].message}", f"{what} was taken")

    def bars(self, call: Callable[[], object], what: str) -> None:
        """A call that must not succeed did not: it was not allowed, or its receipt refuses.

        A call on what is not there, or is settled, is barred as well; one that breaks is not.
        """
        try:
            given = call()
        except (NotAllowed, NotFound, InvalidInput):
            given = None
        refused = isinstance(given, Receipt) and given.status == "refused"
        self.never(given is not None and not refused, f"{what} succeeded")


def _shown(seen: object) -> str:
    return "" if seen is True else f": {str(seen)[:200]}"


def readers(bound: BoundMemory, text: str, *, query: str | None = None, **clocks: Any) -> list[str]:
    """The readers that give a text to a caller, by name. `text` may be a part of what they say."""
    asked = query or text
    hits = bound.recall(asked, limit=50, touch=False, **clocks)
    given = {
        "recall": [hit.trace.content for hit in hits],
        "list": [trace.content for trace in bound.list(limit=500, **clocks)],
        "context": [str(bound.context(asked, budget_tokens=4_000, **clocks))],
        "facts": [f"{one.subject} {one.attribute} {one.value}" for one in bound.facts(**clocks)],
    }
    return [name for name, texts in given.items() if any(text in one for one in texts)]


def said(bound: BoundMemory, **clocks: Any) -> set[str]:
    """All texts that a caller may read."""
    return {trace.content for trace in bound.list(limit=500, **clocks)}
