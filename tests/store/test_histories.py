"""Whatever is done to a brain, it holds and answers what a plain model of it does.

Random histories of everything that changes a memory: writes, corrections, forgetting, judgements
of a reviewer, erasures, freezes, new keys, restarts. After each step all readers are asked; at the
end they are asked once more for every instant before: what was read then is read again, but for
what was erased since.
"""

from __future__ import annotations

import itertools
import tempfile
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, event, example, given, settings
from hypothesis import strategies as st

from mnemic import BoundMemory, Memory, Receipt, Settings, Status, Trust
from mnemic.errors import MnemicError, NotFound
from tests.conftest import START, FixedClock, WordVectors
from tests.store.histories import ALIVE, PUT_AWAY, READABLE, Item, Refusal, Whole
from tests.store.hurried import hurry
from tests.store.minds import Mind
from tests.store.steps import RARE, USERS, Step, history

AWAY = (*PUT_AWAY, Trust.REJECTED)
AS_OF = (0, -2, 2)
"""Days before and after an instant for which readers are asked."""


def answer(do: Callable[[], Receipt]) -> str:
    """What came of a deed, as the model says it."""
    try:
        receipt = do()
    except MnemicError as error:
        return type(error).__name__
    refused = receipt.status is Status.REFUSED
    return f"refused {receipt.reason}" if refused else receipt.status.value


def expected(do: Callable[[], str]) -> str:
    try:
        return do()
    except Refusal as refusal:
        return str(refusal)


class Pair:
    """A brain and its model, changed alike."""

    def __init__(self, file: Path, clock: FixedClock) -> None:
        self._file, self.clock = file, clock
        self.model = Whole()
        self.minds = {user: Mind(self.model, user) for user in USERS}
        self._numbers = itertools.count(1)
        self.memory = self._opened()
        self.erased: set[str] = set()

    def _opened(self) -> Memory:
        return Memory.open(
            self._file,
            settings=Settings(index={"segment_passages": 4}),
            embedder=WordVectors(dimension=8),
            clock=self.clock,
            ids=lambda: f"mt_{next(self._numbers):03}",
        )

    def who(self, user: str, channel: str = "sdk") -> BoundMemory:
        return self.memory.bind(user=user, channel=channel)

    def step(self, name: str, *given: Any) -> None:
        self._name = name
        getattr(self, name)(*given)

    def _both(self, real: Callable[[], Receipt], model: Callable[[], str]) -> None:
        wanted = expected(model)
        event(f"{self._name}: {wanted}")
        assert answer(real) == wanted

    def _chosen(self, user: str, number: int, *states: Trust) -> str:
        """The id of a trace that there is, mostly of one in these states, or that there was."""
        memos = self.minds[user].memos
        fitting = [of for of, memo in memos.items() if memo.trust in states and number < 6]
        ids = sorted(fitting or memos or self.erased) or ["mt_999"]
        return ids[number % len(ids)]

    # --- the user's and the agent's --------------------------------------------------------

    def remember(
        self,
        user: str,
        text: str,
        start: int,
        length: int | None,
        channel: str,
        parents: list[int],
    ) -> None:
        begin = self.clock.now + timedelta(days=start)
        end = None if length is None else begin + timedelta(days=length)
        known = self.minds[user].memos
        of = {self._chosen(user, number, *READABLE) for number in parents} if known else set()
        sources = {"sdk": "user_statement", "agent": "agent_inference", "tool": "tool_result"}
        self._both(
            lambda: self.who(user, channel).remember(
                text,
                type="semantic",
                valid_from=begin,
                valid_to=end,
                source=sources[channel],
                derived_from=sorted(of),
            ),
            lambda: self.minds[user].remember(text, begin, end, channel, of),
        )

    def correct(self, user: str, which: int, text: str, channel: str) -> None:
        of, mind = self._chosen(user, which, *READABLE), self.minds[user]
        self._both(
            lambda: self.who(user, channel).correct(of, text, reason="r"),
            lambda: mind.correct(of, text, channel),
        )

    def redate(self, user: str, which: int, start: int) -> None:
        of, mind = self._chosen(user, which, *READABLE), self.minds[user]
        begin = self.clock.now + timedelta(days=start)
        self._both(
            lambda: self.who(user).correct(of, reason="r", valid_from=begin, valid_to=None),
            lambda: mind.redate(of, begin),
        )

    def forget(self, user: str, which: int, reason: str | None, channel: str) -> None:
        of, mind = self._chosen(user, which, *READABLE), self.minds[user]
        self._both(
            lambda: self.who(user, channel).forget(of, reason=reason),
            lambda: mind.forget(of, reason, channel),
        )

    def restore(self, user: str, which: int) -> None:
        of, mind = (
            self._chosen(user, which, Trust.FORGOTTEN, Trust.REJECTED),
            self.minds[user],
        )
        self._both(lambda: self.who(user).restore(of, reason="r"), lambda: mind.restore(of))

    # --- the reviewer's --------------------------------------------------------------------

    def _item(self, user: str, which: int) -> tuple[int, Item] | None:
        """An item of the queue, by its number in the brain and as the model has it."""
        queue = self.memory.reviewer("eva", bind=self.who(user)).queue(limit=1_000)
        items = self.minds[user].items
        assert len(queue) == len(items)
        return (queue[which % len(items)].id, items[which % len(items)]) if items else None

    def approve(self, user: str, which: int) -> None:
        if found := self._item(user, which):
            reviewer, mind = self.memory.reviewer("eva"), self.minds[user]
            self._both(
                lambda: reviewer.approve(found[0], reason="r"), lambda: mind.approve(found[1])
            )

    def reject(self, user: str, which: int) -> None:
        if found := self._item(user, which):
            reviewer, mind = self.memory.reviewer("eva"), self.minds[user]
            self._both(lambda: reviewer.reject(found[0], reason="r"), lambda: mind.reject(found[1]))

    def edit(self, user: str, which: int, text: str) -> None:
        if found := self._item(user, which):
            reviewer, mind = self.memory.reviewer("eva"), self.minds[user]
            self._both(
                lambda: reviewer.edit(found[0], text, reason="r"),
                lambda: mind.edit(found[1], text),
            )

    def verify(self, user: str, which: int) -> None:
        of, mind = self._chosen(user, which, *ALIVE), self.minds[user]
        reviewer = self.memory.reviewer("eva", bind=self.who(user))
        self._both(lambda: reviewer.verify(of, reason="r"), lambda: mind.verify(of))

    def quarantine(self, user: str, which: int) -> None:
        of, mind = self._chosen(user, which, *ALIVE), self.minds[user]
        reviewer = self.memory.reviewer("eva", bind=self.who(user))
        self._both(lambda: reviewer.quarantine(of, reason="r"), lambda: mind.quarantine(of))

    def lift(self, user: str, which: int) -> None:
        of, mind = self._chosen(user, which, *AWAY), self.minds[user]
        reviewer = self.memory.reviewer("eva", bind=self.who(user))
        self._both(lambda: reviewer.lift(of, reason="r"), lambda: mind.lift(of))

    # --- the owner's -----------------------------------------------------------------------

    def erase(self, user: str, which: int) -> None:
        of = self._chosen(user, which)
        self._erase(self.minds[user], [of], {"trace": of})

    def erase_user(self, user: str) -> None:
        mind = self.minds[user]
        self._erase(mind, list(mind.memos), {"user": user})

    def _erase(self, mind: Mind, ids: list[str], given: dict[str, Any]) -> None:
        if not ids or not set(ids) <= mind.memos.keys():
            with pytest.raises(NotFound):
                self.memory.erase(**given)
            return
        gone, returned = mind.erase(ids)
        certificate = self.memory.erase(**given)
        assert (set(certificate.erased), set(certificate.returned)) == (gone, returned)
        assert certificate.ok
        self.erased |= gone

    def freeze(self, user: str | None) -> None:
        self.memory.freeze(bind=None if user is None else self.who(user))
        self.model.frozen.add(user)

    def thaw(self) -> None:
        for user in self.model.frozen:
            self.memory.freeze(bind=None if user is None else self.who(user), mode="on")
        self.model.frozen.clear()

    def rotate(self) -> None:
        self.model.key += 1
        assert self.memory.rotate_key() == self.model.key

    def reopen(self) -> None:
        self.memory.close()
        self.memory = self._opened()

    # --- readers ---------------------------------------------------------------------------

    def check(self) -> None:
        """All readers, for both users, at present."""
        now = self.clock.now
        for user, mind in self.minds.items():
            who, seen = self.who(user), mind.seen(now)
            assert read(who, now, None) == seen
            waits = who.list(limit=1_000, trust="candidate")
            assert {t.id: t.content for t in waits} == mind.seen(now, [Trust.CANDIDATE])
            queue = self.memory.reviewer("eva", bind=who).queue(limit=1_000)
            assert [(item.trace.id, item.kind) for item in queue] == mind.waiting()
            versions = {of: mind.memos[of].version for of in seen}
            assert {t.id: t.version for t in who.list(limit=1_000)} == versions
        self._count()

    def _count(self) -> None:
        minds = self.minds.values()
        states = Counter(memo.trust.value for mind in minds for memo in mind.memos.values())
        stats = self.memory.stats()
        assert stats.by_trust == states
        assert stats.tombstones == sum(len(mind.stones) for mind in minds)
        assert stats.versions == sum(m.version for mind in minds for m in mind.memos.values())


def read(who: BoundMemory, as_of: datetime, known_at: datetime | None) -> dict[str, str]:
    """Id and text of what is shown at two instants, by readers that must agree."""
    clocks = {"as_of": as_of, "known_at": known_at}
    listed = {t.id: t.content for t in who.list(limit=1_000, **clocks)}  # type: ignore[arg-type]
    hits = who.recall("what is here?", limit=1_000, touch=False, **clocks)  # type: ignore[arg-type]
    assert {hit.trace.id: hit.trace.content for hit in hits} == listed
    assert who.count(as_of=as_of, known_at=known_at) == len(listed)
    assert who.stats(as_of=as_of, known_at=known_at).traces == len(listed)
    for of, text in listed.items():
        assert who.show(of, as_of=as_of, known_at=known_at).content == text
    return listed


def _check_past(pair: Pair, seen: list[tuple[datetime, dict[str, list[dict[str, str]]]]]) -> None:
    """What was read at each instant is read again, but for what was erased since."""
    for moment, by_user in seen:
        for user, then in by_user.items():
            kept = [{of: t for of, t in one.items() if of not in pair.erased} for one in then]
            who = pair.who(user)
            assert read(who, moment, moment) == kept[0]
            for away, one in zip(AS_OF[1:], kept[1:], strict=True):
                listed = who.list(limit=1_000, as_of=moment + timedelta(days=away), known_at=moment)
                assert {t.id: t.content for t in listed} == one


def play(pair: Pair, steps: list[Step]) -> None:
    seen = []
    for at, step in enumerate(steps):
        pair.step(*step)
        pair.check()
        now = pair.clock.now
        seen.append((now, {
            user: [mind.seen(now + timedelta(days=away)) for away in AS_OF]
            for user, mind in pair.minds.items()
        }))  # fmt: skip
        pair.clock.advance(hours=(7, 0.001, 30)[at % 3])
    _check_past(pair, seen)
    assert pair.memory.audit.verify().ok
    assert pair.memory.health(thorough=True).problems == ()


@settings(max_examples=32, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(st.integers(0, 1 << 32).map(history))
@example(RARE[0])
@example(RARE[1])
@example(RARE[2])
def test_it_is_what_a_plain_model_of_it_is(
    monkeypatch: pytest.MonkeyPatch, steps: list[Step]
) -> None:
    with monkeypatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        hurry(patch)
        pair = Pair(Path(folder) / "brain.db", FixedClock(START))
        try:
            play(pair, steps)
        finally:
            pair.memory.close()
