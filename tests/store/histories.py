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


class Mind:
    """What the brain holds for one user."""

    def __init__(self, brain: Whole) -> None:
        self.brain = brain
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

    def _rejected(self, text: str, own: str | None = None) -> bool:
        """Whether a value stands rejected, a correction by the trace `own` left aside."""
        return any(
            words[0] == text and not (stone.cause == "corrected" and stone.by == own is not None)
            for words, stone in self.stones.items()
        )

    def _reject(self, text: str, cause: str, by: str | None) -> None:
        words = (text, self.brain.key)
        known = self.stones.get(words)
        if known is None or (known.cause == "corrected" != cause):
            self.stones[words] = Stone(cause, by)

    def _lift(self, text: str, own: str | None = None) -> None:
        for words, stone in list(self.stones.items()):
            mine = stone.cause == "corrected" and stone.by == own
            if words[0] == text and (own is None or mine):
                del self.stones[words]

    def _check_frozen(self, error: str) -> None:
        if self.brain.is_frozen(self):
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

    # --- deeds -----------------------------------------------------------------------------

    def remember(
        self, text: str, start: datetime, end: datetime | None, channel: str, parents: set[str]
    ) -> str:
        self._check_frozen("refused frozen")
        if self._rejected(text):
            raise Refusal("refused rejected")
        held = [self.memos.get(of) for of in parents]
        if not all(memo is not None and memo.trust in READABLE for memo in held):
            raise Refusal("refused source")
        rank = RANKS[channel]
        same = [memo for memo in self.memos.values() if memo.text == text]
        same.sort(key=lambda memo: (-memo.words[1], memo.id))
        for memo in same:
            if memo.trust in ALIVE and memo.rank <= rank and not memo.ended_before(start):
                return "reinforced" if memo.trust in READABLE else "candidate"
        for memo in same:
            if memo.trust in PUT_AWAY:
                raise Refusal(f"refused {PUT_AWAY[memo.trust]}")
        words = (text, self.brain.key)
        trust = Trust.CANDIDATE if is_suspicious(text) else Trust.BELIEVED
        rank = max([rank, *(memo.rank for memo in held if memo is not None)])
        memo = Memo(self.brain.next_id(), words, start, end, trust, rank, parents, said={text})
        self.memos[memo.id] = memo
        if trust is Trust.CANDIDATE:
            self._open(memo, "instruction")
        return "stored" if trust is Trust.BELIEVED else "candidate"

    def correct(self, of: str, text: str, channel: str) -> str:
        memo = self._memo(of, *READABLE)
        self._check_frozen("refused frozen")
        if channel == "agent" and memo.trust is Trust.VERIFIED:
            raise Refusal("refused verified")
        if text == memo.text:
            self._move(memo, memo.trust)
            return "corrected"
        if self._rejected(text, memo.id if channel == "sdk" else None):
            raise Refusal("refused rejected")
        rank = max(RANKS[channel], memo.rank) if memo.parents else RANKS[channel]
        then = Trust.CANDIDATE if memo.words in memo.agreed else Trust.BELIEVED
        self._reword(memo, text, rank, then)
        if then is Trust.CANDIDATE:
            self._open(memo, "changed")
        self._follow([memo.id])
        return "corrected"

    def _reword(self, memo: Memo, text: str, rank: int, trust: Trust) -> None:
        self._lift(text, memo.id)
        if text != memo.text:
            self._reject(memo.text, "corrected", memo.id)
        memo.words, memo.rank = (text, self.brain.key), rank
        memo.said.add(text)
        self._move(memo, trust)

    def redate(self, of: str, start: datetime) -> str:
        memo = self._memo(of, *READABLE)
        self._check_frozen("refused frozen")
        memo.start, memo.end = start, None
        self._move(memo, memo.trust)
        return "corrected"

    def forget(self, of: str, reason: str | None, channel: str) -> str:
        memo = self._memo(of, *READABLE)
        self._check_frozen("refused frozen")
        if channel == "agent" and memo.trust is Trust.VERIFIED:
            raise Refusal("refused verified")
        if reason != "wrong":
            self._move(memo, Trust.FORGOTTEN)
            self._close(of)
            self._follow([of])
            return "forgotten"
        states = READABLE if channel == "sdk" else (Trust.BELIEVED,)
        self._put_down(memo, states)
        self._close(of)
        return "forgotten"

    def _put_down(self, memo: Memo, states: Sequence[Trust]) -> None:
        """Reject a trace, and those in some states that say the same word for word."""
        self._reject(memo.text, "rejected", memo.id)
        self._move(memo, Trust.REJECTED)
        twins = [
            other
            for other in self.memos.values()
            if other is not memo and other.text == memo.text and other.trust in states
        ]
        for twin in twins:
            self._move(twin, Trust.REJECTED)
            self._close(twin.id)
        self._follow([memo.id, *(twin.id for twin in twins)])

    def restore(self, of: str) -> str:
        memo = self._memo(of, Trust.FORGOTTEN, Trust.REJECTED, Trust.SUPERSEDED)
        if memo.trust is Trust.REJECTED:
            raise Refusal("NotAllowed")
        self._check_frozen("refused frozen")
        if self._rejected(memo.text):
            raise Refusal("refused rejected")
        known = [self.memos[one] for one in memo.parents if one in self.memos]
        if known and not any(parent.trust in READABLE for parent in known):
            raise Refusal("refused source")
        self._move(memo, Trust.BELIEVED)
        return "restored"

    # --- the reviewer's --------------------------------------------------------------------

    def _judged(self, item: Item) -> Memo:
        memo = self.memos[item.of]
        if memo.words != item.words:
            self._close(memo.id)
            self._open(memo, "changed")
            raise Refusal("InvalidInput")
        return memo

    def _check_lifted(self, text: str) -> None:
        self._check_frozen("NotAllowed")
        if self._rejected(text):
            raise Refusal("NotAllowed")

    def approve(self, item: Item) -> str:
        memo = self._judged(item)
        self._check_lifted(memo.text)
        if memo.trust not in READABLE:
            if memo.trust not in (Trust.CANDIDATE, Trust.DISPUTED, Trust.QUARANTINED):
                raise Refusal("NotAllowed")
            self._move(memo, Trust.BELIEVED)
        memo.agreed.add(memo.words)
        self._close(memo.id, item.words)
        return "approved"

    def reject(self, item: Item) -> str:
        memo = self._judged(item)
        if memo.trust is Trust.REJECTED:
            raise Refusal("NotAllowed")
        self._put_down(memo, ALIVE)
        self._close(memo.id, item.words)
        return "rejected"

    def edit(self, item: Item, text: str) -> str:
        memo = self._judged(item)
        self._check_lifted(text)
        if memo.trust not in (*ALIVE, Trust.QUARANTINED):
            raise Refusal("NotAllowed")
        self._close(memo.id, item.words)
        differs = text != memo.text
        self._reword(memo, text, RANKS["review"], Trust.BELIEVED)
        memo.agreed.add(memo.words)
        self._follow([memo.id] if differs else [])
        return "corrected"

    def verify(self, of: str) -> str:
        memo = self._memo(of)
        self._check_lifted(memo.text)
        if memo.trust not in ALIVE:
            raise Refusal("NotAllowed")
        if memo.trust not in READABLE:
            self._close(of)
        self._move(memo, Trust.VERIFIED)
        return "verified"

    def quarantine(self, of: str) -> str:
        memo = self._memo(of)
        if memo.trust not in ALIVE:
            raise Refusal("NotAllowed")
        self._move(memo, Trust.QUARANTINED)
        self._follow([of])
        return "withheld"

    def lift(self, of: str) -> str:
        memo = self._memo(of)
        self._check_frozen("NotAllowed")
        if memo.trust in ALIVE:
            raise Refusal("NotAllowed")
        self._lift(memo.text)
        if memo.trust is Trust.QUARANTINED:
            memo.agreed.add(memo.words)
        self._move(memo, Trust.BELIEVED)
        self._close(of)
        return "restored"

    # --- the owner's -----------------------------------------------------------------------

    def erase(self, ids: Iterable[str]) -> tuple[set[str], set[str]]:
        """What is gone, and what lost a support, when some traces are erased."""
        going = set(ids)
        while more := {
            memo.id
            for memo in self.memos.values()
            if memo.id not in going and memo.parents and memo.parents <= going
        }:
            going |= more
        for memo in (self.memos.pop(of) for of in sorted(going)):
            for text in memo.said:
                self._reject(text, "erased", None)
        self.items = [item for item in self.items if item.of not in going]
        losing = [memo for memo in self.memos.values() if memo.parents & going]
        for memo in sorted(losing, key=lambda memo: memo.id):
            memo.parents -= going
            if memo.trust in READABLE:
                self._move(memo, Trust.CANDIDATE)
                self._open(memo, "support_lost")
        return going, {memo.id for memo in losing}


class Whole:
    """A brain of several users."""

    def __init__(self, users: Sequence[str]) -> None:
        self.key = 1
        self.frozen: set[str | None] = set()
        self._numbers = 0
        self.minds = {user: Mind(self) for user in users}

    def next_id(self) -> str:
        self._numbers += 1
        return f"mt_{self._numbers:03}"

    def is_frozen(self, mind: Mind) -> bool:
        user = next(name for name, one in self.minds.items() if one is mind)
        return bool(self.frozen & {None, user})
