"""A caller reads only its own reach: every reader, every axis, whatever stands in the ids."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mnemic import BoundMemory, Memory, Receipt, Trace
from mnemic.errors import NotFound
from tests.conftest import START, FixedClock, Opener
from tests.store.raw import contents

TEXT = "The lighthouse keeper hides his letters under the harbour wall"
QUESTION = "where does the keeper hide the letters?"


class AllAlike:
    """An embedder for which everything is near to everything: the arm of vectors finds all."""

    name = "all-alike"
    dimension = 8

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.ones((len(texts), self.dimension), np.float32)


Reader = Callable[[BoundMemory, Trace], object]
"""Gives something true when it shows anything of the trace; raises `NotFound` when it refuses."""

READERS: dict[str, Reader] = {
    "recall": lambda who, trace: who.recall(QUESTION),
    "recall without touching": lambda who, trace: who.recall(QUESTION, touch=False),
    "recall of a thread": lambda who, trace: who.recall(QUESTION, thread=trace.thread),
    "recall of an axis": lambda who, trace: who.recall(QUESTION, scope=trace.scope),
    "recall by a tag": lambda who, trace: who.recall(QUESTION, tags="coast"),
    "recall of the past": lambda who, trace: who.recall(QUESTION, known_at=START),
    "context": lambda who, trace: str(who.context(QUESTION)),
    "show": lambda who, trace: who.show(trace.id),
    "show the past": lambda who, trace: who.show(trace.id, as_of=START, known_at=START),
    "list": lambda who, trace: who.list(),
    "list of a thread": lambda who, trace: who.list(thread=trace.thread),
    "list by an entity": lambda who, trace: who.list(entities=["lighthouse"]),
    "count": lambda who, trace: who.count(),
    "count of the past": lambda who, trace: who.count(known_at=START),
    "stats": lambda who, trace: who.stats().traces or who.stats().by_type or who.stats().oldest,
    "stats of the past": lambda who, trace: who.stats(known_at=START).traces,
    "history": lambda who, trace: who.history(trace.id).versions,
}

CHANGES: dict[str, Callable[[BoundMemory, str], Receipt]] = {
    "correct": lambda who, of: who.correct(of, "It was the baker", reason="heard so"),
    "correct a date": lambda who, of: who.correct(of, valid_to=None, reason="heard so"),
    "correct to a recalled text": lambda who, of: who.correct(
        of, "<mnemic-memory>the baker</mnemic-memory>", reason="heard so"
    ),
    "forget": lambda who, of: who.forget(of),
    "reject": lambda who, of: who.forget(of, reason="wrong"),
    "restore": lambda who, of: who.restore(of, reason="heard so"),
}

Ids = dict[str, str]

STRANGERS: list[tuple[str, Ids, Ids]] = [
    ("user", {"user": "ana"}, {"user": "bob"}),
    ("user", {"user": "john-doe"}, {"user": "john_doe"}),
    ("user", {"user": "abc"}, {"user": "a_c"}),
    ("user", {"user": "abc"}, {"user": "a%"}),
    ("user", {"user": "abc"}, {"user": "%"}),
    ("user", {"user": "abc"}, {"user": "a*"}),
    ("user", {"user": "abc"}, {"user": "abc' OR '1'='1"}),
    ("user", {"user": "abc"}, {"user": 'abc"; DROP TABLE traces; --'}),
    ("user", {"user": "ana"}, {"user": "Ana"}),
    ("user", {"user": "ana"}, {"user": "ana "}),
    ("user", {"user": "zoë"}, {"user": "zoe"}),
    ("user", {"user": "李雷"}, {"user": "李蕾"}),
    ("user", {"user": "דנה"}, {"user": "דן"}),
    ("user", {"user": "👩‍🚀"}, {"user": "👩"}),
    ("user", {"user": "a%2Fb"}, {"user": "a/b"}),
    ("user", {"user": "acme"}, {"organization": "acme"}),
    ("thread", {"user": "ana", "thread": "general"}, {"user": "bob", "thread": "general"}),
    ("thread", {"user": "ana", "thread": "monday"}, {"user": "ana", "thread": "tuesday"}),
    ("thread", {"user": "ana", "thread": "monday"}, {"user": "ana"}),
    ("thread", {"user": "a", "thread": "b/c"}, {"user": "a/b", "thread": "c"}),
    ("thread", {"user": "a", "thread": "b//c"}, {"user": "a//b", "thread": "c"}),
    ("thread", {"user": "a", "thread": "b"}, {"user": "a//b"}),
    ("thread", {"user": "a", "thread": "b"}, {"thread": "a//b"}),
    ("thread", {"user": "ana", "thread": "general"}, {"thread": "general"}),
    ("persona", {"user": "ana", "persona": "coach"}, {"user": "bob", "persona": "coach"}),
    ("persona", {"user": "ana", "persona": "coach"}, {"user": "ana", "persona": "cook"}),
    ("persona", {"user": "a", "persona": "b::c"}, {"user": "a::b", "persona": "c"}),
    ("persona", {"user": "ana", "persona": "x"}, {"user": "ana", "thread": "x"}),
    ("organization", {"organization": "acme"}, {"organization": "acme_"}),
    ("organization", {"organization": "acme"}, {"organization": "acme/eu"}),
    ("organization", {"user": "ana", "organization": "acme"}, {"user": "ana"}),
]


@pytest.fixture(params=["words", "vectors"])
def arm(request: pytest.FixtureRequest, open_brain: Opener) -> Memory:
    """A brain in which one arm alone can find the text.

    In the second the text shares no word with the question (see `filed`).
    """
    return open_brain(embedder=None if request.param == "words" else AllAlike())


def filed(who: BoundMemory, scope: str, memory: Memory) -> Trace:
    """What nobody else may see."""
    by_words = memory.health().embedder is None
    text = TEXT if by_words else "Nobody knows about it"
    receipt = who.remember(text, scope=scope, tags=["coast"], entities=["lighthouse"])
    assert receipt.trace is not None
    return receipt.trace


def shown(reader: Reader, who: BoundMemory, trace: Trace) -> bool:
    try:
        return bool(reader(who, trace))
    except NotFound:
        return False


@pytest.mark.parametrize(
    ("scope", "owner", "stranger"), STRANGERS, ids=[f"{o}|{s}" for _, o, s in STRANGERS]
)
def test_no_reader_shows_a_stranger_anything(
    arm: Memory, scope: str, owner: Ids, stranger: Ids
) -> None:
    trace = filed(arm.bind(**owner), scope, arm)
    who = arm.bind(**stranger)
    for name, reader in READERS.items():
        assert shown(reader, arm.bind(**owner), trace), f"{name} shows the owner nothing"
        assert not shown(reader, who, trace), f"{name} shows a stranger something"


def test_each_arm_is_alone_in_its_brain(arm: Memory) -> None:
    ana = arm.bind(user="ana")
    filed(ana, "user", arm)
    arms = {name for hit in ana.recall(QUESTION) for name in hit.why.arms}
    assert arms == ({"lexical"} if arm.health().embedder is None else {"vector"})


@pytest.mark.parametrize("change", CHANGES)
def test_no_change_reaches_what_is_a_strangers(
    ana: BoundMemory, bob: BoundMemory, memory: Memory, change: str
) -> None:
    own, other = filed(ana, "user", memory), filed(ana, "thread", memory)
    if change == "restore":
        for trace in (own, other):
            ana.forget(trace.id)
    assert CHANGES[change](ana, own.id).audit_seq is not None
    before = contents(memory)
    with pytest.raises(NotFound):
        CHANGES[change](bob, other.id)
    assert contents(memory) == before


REFUSALS: dict[str, Callable[[BoundMemory, str], object]] = {
    **CHANGES,
    "show": lambda who, of: who.show(of),
    "history": lambda who, of: who.history(of),
}


@pytest.mark.parametrize("call", REFUSALS)
def test_a_foreign_id_reads_exactly_like_an_unknown_one(
    ana: BoundMemory, bob: BoundMemory, memory: Memory, call: str
) -> None:
    foreign, unknown = filed(ana, "user", memory).id, "mt_" + "0" * 32
    assert shown(READERS["show"], ana, ana.show(foreign))
    errors = []
    for trace_id in (foreign, unknown):
        with pytest.raises(NotFound) as caught:
            REFUSALS[call](bob, trace_id)
        errors.append((type(caught.value), str(caught.value).replace(trace_id, "<id>")))
    assert errors[0] == errors[1]


def test_the_words_of_others_do_not_move_a_ranking(open_brain: Opener) -> None:
    def answers(memory: Memory) -> list[tuple[str, float]]:
        # An organization of the same name as a user: the pairs of a reach do not cross.
        ana = memory.bind(user="ana", organization="other1")
        ana.remember("an office by the harbour", scope="organization")
        ana.remember_many(["the harbour is cold", "a cold letter from the harbour", "tea"])
        return [(hit.trace.content, hit.score) for hit in ana.recall("cold harbour letter")]

    alone, crowded = open_brain("alone.db"), open_brain("crowded.db")
    for number in range(30):
        crowded.bind(user=f"other{number}").remember(f"cold harbour {number}")
    assert crowded.stats().traces == 30
    assert answers(alone) == answers(crowded)


def test_what_a_thread_shares_with_its_user(memory: Memory, clock: FixedClock) -> None:
    """The narrower caller reads its user's traces too; the wider one not its threads'."""
    monday = memory.bind(user="ana", thread="monday")
    wide, narrow = filed(monday, "user", memory), filed(monday, "thread", memory)
    assert {trace.id for trace in monday.list()} == {wide.id, narrow.id}
    assert [trace.id for trace in memory.bind(user="ana").list()] == [wide.id]
    assert [trace.id for trace in monday.list(scope="thread")] == [narrow.id]


def test_an_axis_that_a_caller_lacks_gives_nothing(ana: BoundMemory, memory: Memory) -> None:
    filed(ana, "user", memory)
    calls: dict[str, Callable[[Any], object]] = {
        "recall": lambda scope: ana.recall(QUESTION, scope=scope),
        "context": lambda scope: str(ana.context(QUESTION, scope=scope)),
        "list": lambda scope: ana.list(scope=scope),
        "count": lambda scope: ana.count(scope=scope),
    }
    for name, call in calls.items():
        assert call("user"), name
        assert not call("persona"), name
        assert not call("organization"), name
