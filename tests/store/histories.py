"""The plainest governed memory there could be: lists and rules, no database, no index.

It knows of each trace its words, its dates and its state, of each user what was rejected, by
value, and of the queue what waits. Every deed is answered as the brain has to answer it: with a
status, a reason for a refusal, or the name of an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from mnemic import Trust

READABLE = (Trust.BELIEVED, Trust.VERIFIED)
ALIVE = (*READABLE, Trust.CANDIDATE, Trust.DISPUTED)
PUT_AWAY = {
    Trust.FORGOTTEN: "forgotten",
    Trust.QUARANTINED: "quarantined",
    Trust.SUPERSEDED: "superseded",
}
RANKS = {"sdk": 1, "agent": 2, "tool": 3, "review": 1}
"""How far a channel's words are trusted; 1 is most."""

MACHINES = ("agent", "tool")
STRENGTH = {"disowned": 0, "corrected": 1, "rejected": 2, "erased": 3}

Words = tuple[str, int]
"""A text, and which key of the ring its digest was made with."""


def is_suspicious(text: str) -> bool:
    return text.startswith("Ignore")


@dataclass
class Memo:
    """A trace as the model has it."""

    id: str
    words: Words
    start: datetime
    end: datetime | None
    trust: Trust
    rank: int
    parents: set[str]
    version: int = 1
    said: set[str] = field(default_factory=set)
    agreed: set[Words] = field(default_factory=set)
    """What a reviewer has approved of it, or written."""

    @property
    def text(self) -> str:
        return self.words[0]

    def true_at(self, moment: datetime) -> bool:
        return self.start <= moment and (self.end is None or moment < self.end)

    def ended_before(self, begin: datetime) -> bool:
        return self.end is not None and self.end <= begin != self.start


@dataclass(frozen=True)
class Item:
    """Something that waits for a person: a trace, why, and the words that are to be judged."""

    of: str
    kind: str
    words: Words


@dataclass
class Stone:
    """A value that was rejected, why, and by a change of which trace."""

    cause: str
    by: str | None


class Refusal(Exception):
    """The brain must answer so, and nothing has changed."""


class Whole:
    """What the users of a brain share: its keys, its numbers, and who is frozen."""

    def __init__(self) -> None:
        self.key = 1
        self.frozen: set[str | None] = set()
        self._numbers = 0

    def next_id(self) -> str:
        self._numbers += 1
        return f"mt_{self._numbers:03}"

    def is_frozen(self, user: str) -> bool:
        return bool(self.frozen & {None, user})


class Rules:
    """What the brain holds for one user, and the rules by which that changes."""

    def __init__(self, brain: Whole, user: str) -> None:
        self.brain, self.user = brain, user
        self.memos: dict[str, Memo] = {}
        self.stones: dict[Words, Stone] = {}
        self.items: list[Item] = []

    # --- readers ---------------------------------------------------------------------------

    def seen(self, as_of: datetime, states: Sequence[Trust] = READABLE) -> dict[str, str]:
        """Id and text of what a reader gets."""
        return {
            memo.id: memo.text
            for memo in self.memos.values()
            if memo.trust in states and memo.true_at(as_of)
        }

    def waiting(self) -> list[tuple[str, str]]:
        return [(item.of, item.kind) for item in self.items]

    # --- rules -----------------------------------------------------------------------------

    def _rejected(self, text: str, own: str | None = None, channel: str = "sdk") -> bool:
        """Whether a value stands rejected for a channel.

        A correction by the trace `own` is left aside, and so is what a machine has rejected, for
        whoever is none.
        """
        return any(
            words[0] == text
            and not (stone.cause == "corrected" and stone.by == own is not None)
            and not (stone.cause == "disowned" and channel not in MACHINES)
            for words, stone in self.stones.items()
        )

    def _reject(self, text: str, cause: str, by: str | None) -> None:
        words = (text, self.brain.key)
        known = self.stones.get(words)
        if known is None or STRENGTH[known.cause] < STRENGTH[cause]:
            self.stones[words] = Stone(cause, by)

    def _lift(self, text: str, own: str | None = None) -> None:
        for words, stone in list(self.stones.items()):
            mine = stone.cause == "corrected" and stone.by == own
            if words[0] == text and (own is None or mine):
                del self.stones[words]

    def _check_frozen(self, error: str) -> None:
        if self.brain.is_frozen(self.user):
            raise Refusal(error)

    def _memo(self, of: str, *states: Trust) -> Memo:
        memo = self.memos.get(of)
        if memo is None or (states and memo.trust not in states):
            raise Refusal("NotFound")
        return memo

    def _move(self, memo: Memo, trust: Trust) -> None:
        memo.trust = trust
        memo.version += 1

    def _close(self, of: str, words: Words | None = None) -> None:
        self.items = [
            item
            for item in self.items
            if item.of != of or (words is not None and item.words != words)
        ]

    def _open(self, memo: Memo, kind: str) -> None:
        self.items.append(Item(memo.id, kind, memo.words))

    def _follow(self, ids: Iterable[str]) -> None:
        """What rests on nothing that stands is put away, what has other support is asked about."""
        front = list(ids)
        while front:
            resting = sorted(m.id for m in self.memos.values() if m.parents & set(front))
            front = [of for of in resting if self._follows(self.memos[of])]

    def _follows(self, memo: Memo) -> bool:
        supported = any(self.memos[of].trust in READABLE for of in memo.parents if of in self.memos)
        if memo.trust not in ALIVE or (supported and memo.trust not in READABLE):
            return False
        self._move(memo, Trust.CANDIDATE if supported else Trust.QUARANTINED)
        self._open(memo, "support_lost")
        return True
