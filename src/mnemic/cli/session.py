"""A person goes through the review queue, one item after the other.

Each decision is bound to the digest of the text that was shown, and is durable before the next
question is asked: leaving early loses nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.rule import Rule
from rich.text import Text

from mnemic.cli import items, views
from mnemic.cli.receipts import tell
from mnemic.errors import InvalidInput, NotAllowed, NotFound

if TYPE_CHECKING:
    from mnemic import Receipt, Reviewer, ReviewItem

Ask = Callable[[str, str], str]
"""Puts a question, with a draft of the answer to edit, and returns the answer."""

Show = Callable[[RenderableType], None]

_QUESTION = "(a)pprove (r)eject (e)dit (m)erge (d)efer (s)kip (q)uit: "
_SHOWN_CHARS = 4_000
_COUNTED = 100


class _TakenBack(Exception):
    """A question was left empty: nothing is decided."""


@dataclass(slots=True)
class Session:
    """One walk through the queue.

    Args:
        reviewer: who judges.
        ask: asks the person.
        show: shows something to the person.
        kind: only items of this kind.
        deferred: those that were put off as well.
        done: how often each answer was given.
    """

    reviewer: Reviewer
    ask: Ask
    show: Show
    kind: str | None = None
    deferred: bool = False
    done: Counter[str] = field(default_factory=Counter)
    _passed: set[int] = field(default_factory=set)

    def run(self) -> None:
        """Ask about item after item, until none is left or the person has had enough."""
        try:
            while (item := self._next()) is not None:
                if not self._settled(item):
                    return
        except EOFError:
            self.show(Text())

    def _next(self) -> ReviewItem | None:
        """Show the oldest item that was not passed yet, and how many wait behind it."""
        limit = len(self._passed) + _COUNTED
        found = self.reviewer.queue(limit=limit, kind=self.kind, deferred=self.deferred)
        left = [item for item in found if item.id not in self._passed]
        if not left:
            return None
        self.show(Text())
        self.show(Rule(Text(_behind(len(left) - 1), "quiet"), align="right", style="quiet"))
        self.show(items.shown(left[0], most_chars=_SHOWN_CHARS))
        return left[0]

    def _settled(self, item: ReviewItem) -> bool:
        """Ask until the item is passed; False when the person wants to leave."""
        while True:
            self.show(Text())
            answer = self._asked(_QUESTION).lower()
            if answer in ("q", "quit"):
                return False
            skipped = answer in ("s", "skip")
            if skipped:
                self.done["skipped"] += 1
            if skipped or self._judged(item, answer):
                self._passed.add(item.id)
                return True

    def _judged(self, item: ReviewItem, answer: str) -> bool:
        """Do what was answered; False when the item has to be asked about again."""
        decide = next((_ANSWERS[name] for name in _ANSWERS if answer in (name, name[0])), None)
        if decide is None:
            self.show(Text("one of the words, or its first letter", "old"))
            return False
        try:
            receipt = decide(self, item)
        except _TakenBack:
            self.show(Text("nothing was decided", "quiet"))
        except (InvalidInput, NotAllowed, NotFound) as error:
            self.show(views.said(error, "bad"))
            return not self._still_waits(item)
        else:
            if receipt is not None:
                tell(receipt)
            return True
        return False

    def _still_waits(self, item: ReviewItem) -> bool:
        """Whether an item can still be judged; somebody else may have done so meanwhile."""
        try:
            return items.is_waiting(self.reviewer.item(item.id))
        except NotFound:
            return False

    def _asked(self, question: str, draft: str = "") -> str:
        try:
            return self.ask(question, draft).strip()
        except UnicodeDecodeError:
            self.show(Text("that is not text in this terminal's encoding", "old"))
            return ""

    def _needed(self, question: str, draft: str = "") -> str:
        answer = self._asked(question, draft)
        if not answer:
            raise _TakenBack
        return answer

    def _approve(self, item: ReviewItem) -> Receipt:
        reason = self._needed("reason: ")
        receipt = self.reviewer.approve(item.id, reason=reason, digest=item.digest)
        self.done["approved"] += 1
        return receipt

    def _reject(self, item: ReviewItem) -> Receipt:
        reason = self._needed("reason: ")
        until = self._asked("until which day (empty: for good): ") or None
        receipt = self.reviewer.reject(item.id, reason=reason, digest=item.digest, until=until)
        self.done["rejected"] += 1
        return receipt

    def _edit(self, item: ReviewItem) -> Receipt:
        content = item.trace.content
        # Line ends and invisible letters cannot be edited on one line.
        draft = content if content.isprintable() else ""
        text = self._needed("what it should say, on one line: ", draft)
        reason = self._needed("reason: ")
        receipt = self.reviewer.edit(item.id, text, reason=reason, digest=item.digest)
        self.done["edited"] += 1
        return receipt

    def _merge(self, item: ReviewItem) -> Receipt:
        other = "" if item.other is None else item.other.id
        into = self._needed("id of the trace that stands for both: ", other)
        reason = self._needed("reason: ")
        receipt = self.reviewer.merge(item.id, into, reason=reason, digest=item.digest)
        self.done["merged"] += 1
        return receipt

    def _defer(self, item: ReviewItem) -> None:
        until = self._needed("until which day, such as 2027-01-31: ")
        reason = self._needed("reason: ")
        later = self.reviewer.defer(item.id, until=until, reason=reason)
        self.show(Text(f"put off until {views.minute(later.deferred_until)}", "good"))
        self.done["put off"] += 1


def _behind(count: int) -> str:
    """How many items wait behind the one that is shown."""
    if count >= _COUNTED - 1:
        return f"{count} or more after this one"
    return f"{count} more after this one" if count else "the last one"


_ANSWERS: dict[str, Callable[[Session, ReviewItem], Receipt | None]] = {
    "approve": Session._approve,
    "reject": Session._reject,
    "edit": Session._edit,
    "merge": Session._merge,
    "defer": Session._defer,
}


def from_terminal(question: str, draft: str) -> str:
    """Ask the person at the terminal, with the draft to be edited where it can be.

    Raises:
        EOFError: the terminal was closed.
    """
    try:
        import readline
    except ImportError:  # pragma: no cover - not on every platform
        return input(question)
    readline.set_startup_hook(lambda: readline.insert_text(draft))
    try:
        return input(question)
    finally:
        readline.set_startup_hook(None)
