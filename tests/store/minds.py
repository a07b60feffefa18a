"""The plainest governed memory there could be: what each deed does to it, and how it answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from mnemic import Trust
from tests.store.histories import (
    ALIVE,
    MACHINES,
    PUT_AWAY,
    RANKS,
    READABLE,
    Item,
    Memo,
    Refusal,
    Rules,
    is_suspicious,
)


class Mind(Rules):
    """What the brain holds for one user, and all that can be done to it.

    A deed returns the status that the brain has to give, or raises the `Refusal`.
    """

    # --- deeds -----------------------------------------------------------------------------

    def remember(
        self, text: str, start: datetime, end: datetime | None, channel: str, parents: set[str]
    ) -> str:
        self._check_frozen("refused frozen")
        if self._rejected(text, channel=channel):
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
            unheard = memo.trust is Trust.FORGOTTEN and memo.rank > rank
            if memo.trust in PUT_AWAY and not unheard:
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
        if self._rejected(text, memo.id if channel == "sdk" else None, channel):
            raise Refusal("refused rejected")
        rank = max(RANKS[channel], memo.rank) if memo.parents else RANKS[channel]
        then = Trust.CANDIDATE if memo.words in memo.agreed else Trust.BELIEVED
        self._reword(memo, text, rank, then, channel)
        if then is Trust.CANDIDATE:
            self._open(memo, "changed")
        self._follow([memo.id])
        return "corrected"

    def _reword(self, memo: Memo, text: str, rank: int, trust: Trust, channel: str) -> None:
        self._lift(text, memo.id)
        if text != memo.text:
            cause = "disowned" if channel in MACHINES else "corrected"
            self._reject(memo.text, cause, memo.id)
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
        above = channel in MACHINES and memo.rank < RANKS[channel]
        if reason == "wrong" and above:
            self._reject(memo.text, "disowned", of)
        if reason != "wrong" or above:
            self._move(memo, Trust.FORGOTTEN)
            self._close(of)
            self._follow([of])
            return "forgotten"
        states = READABLE if channel == "sdk" else (Trust.BELIEVED,)
        self._put_down(memo, states, channel)
        self._close(of)
        return "forgotten"

    def _put_down(self, memo: Memo, states: Sequence[Trust], channel: str = "review") -> None:
        """Reject a trace, and those in some states that say the same word for word."""
        machine = channel in MACHINES
        self._reject(memo.text, "disowned" if machine else "rejected", memo.id)
        self._move(memo, Trust.REJECTED)
        twins = [
            other
            for other in self.memos.values()
            if other is not memo and other.text == memo.text and other.trust in states
            if not machine or other.rank >= RANKS[channel]
        ]
        for twin in twins:
            self._move(twin, Trust.REJECTED)
            self._close(twin.id)
        self._follow([memo.id, *(twin.id for twin in twins)])

    def restore(self, of: str) -> str:
        memo = self._memo(of, Trust.FORGOTTEN, Trust.REJECTED, Trust.SUPERSEDED)
        if memo.trust in (Trust.REJECTED, Trust.SUPERSEDED):
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
        self._reword(memo, text, RANKS["review"], Trust.BELIEVED, "review")
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
