"""What is left after an erasure answers as if the erased had never been written.

Random lives of a brain, with erasures in between, against a brain in which the same was done to
the traces that are left: every hit, every score and every reason is the same, at present and in
the past, in every process. To the last bit, unless the erased had made the partition of a scope
earlier than the others would have: then sums of floats run in another order.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic import Draft, Memory, Settings, Status
from tests.conftest import FixedClock, Opener
from tests.index.test_erase_bytes import canary, erase, everything, stored
from tests.index.worlds import BINDING, OPERATIONS, QUESTIONS, SCOPES, Change, Moody, Write, told

numbers = itertools.count()


@dataclass(frozen=True)
class Erase:
    """Erase some of the traces that there are, and those of one scope."""

    which: frozenset[int]
    scope: str | None


@dataclass(frozen=True)
class Embed:
    """Make the vectors that are missing."""


@dataclass(frozen=True)
class Look:
    """Bring the index in memory up to date."""


Step = Write | Change | Erase | Embed | Look
ERASE = st.builds(
    Erase,
    which=st.frozensets(st.integers(0, 40), max_size=6),
    scope=st.sampled_from([None, None, *SCOPES]),
)
STEPS = st.tuples(
    st.integers(0, 1),
    st.one_of(OPERATIONS, OPERATIONS, ERASE, ERASE, st.sampled_from([Embed(), Look()])),
)


@dataclass(frozen=True)
class Deed:
    """Something done to one trace, or to the brain, at an instant; can be done again elsewhere."""

    at: datetime
    what: str
    trace_id: str | None
    draft: Draft | None = None
    content: str = ""
    broken: bool = False


class Life:
    """What was done to a brain, without what concerned the traces that were erased."""

    def __init__(self, clock: FixedClock) -> None:
        self.clock = clock
        self.deeds: list[Deed] = []
        self.erased: dict[str, str] = {}
        self._alive: dict[str, bool] = {}
        self._unique = itertools.count()

    def step(self, memory: Memory, step: Step) -> None:
        """Do it, and note what was done."""
        who, now = memory.bind(**BINDING), self.clock.advance(minutes=1)
        if isinstance(step, Write):
            drafts = [replace(d, content=self._marked(d.content)) for d in step.drafts]
            Moody.broken = step.broken
            receipts = who.remember_many(drafts)
            Moody.broken = False
            for item, receipt in zip(drafts, receipts, strict=True):
                assert receipt.status is Status.STORED
                assert receipt.trace is not None
                self._alive[receipt.trace.id] = True
                self.deeds.append(Deed(now, "remember", receipt.trace.id, item, broken=step.broken))
        elif isinstance(step, Change):
            self._change(memory, step, now)
        elif isinstance(step, Erase):
            self._erase(memory, step)
        elif isinstance(step, Embed) and memory.health().embedder is not None:
            memory.reembed()
            self.deeds.append(Deed(now, "embed", None))
        else:
            who.recall("river", touch=False)

    def _marked(self, content: str) -> str:
        """No two texts are the same: a repeat would not be stored."""
        return f"{content} {canary('w', next(self._unique))}"

    def _change(self, memory: Memory, step: Change, now: datetime) -> None:
        targets = [of for of, alive in self._alive.items() if alive is (step.what != "restore")]
        if not targets:
            return
        trace_id = targets[step.which % len(targets)]
        deed = Deed(now, step.what, trace_id, content=self._marked(step.content))
        _do(memory, deed)
        self._alive[trace_id] = step.what != "forget"
        self.deeds.append(deed)

    def _erase(self, memory: Memory, step: Erase) -> None:
        there = [deed for deed in self.deeds if deed.what == "remember"]
        chosen = {there[at % len(there)].trace_id for at in step.which} if there else set()
        chosen |= {d.trace_id for d in there if d.draft and d.draft.scope == step.scope}
        erase(memory, [of for of in chosen if of])
        for of in chosen:
            self._alive.pop(str(of))
        self.erased |= {
            word: of
            for deed in self.deeds
            if (of := deed.trace_id) in chosen and of
            for word in (deed.content or str(deed.draft and deed.draft.content)).split()
            if word.endswith("qxzk")
        }
        self.deeds = [deed for deed in self.deeds if deed.trace_id not in chosen]

    def live_again(self, open_brain: Opener, **options: Any) -> Memory:
        """Another brain in which the same was done to the traces that are left."""
        end, coming = self.clock.now, [""]
        memory = open_brain(**options, ids=lambda: coming[0])
        for deed in self.deeds:
            self.clock.now, coming[0] = deed.at, deed.trace_id or ""
            Moody.broken = deed.broken
            _do(memory, deed)
            Moody.broken = False
        self.clock.now = end
        return memory


def _do(memory: Memory, deed: Deed) -> None:
    who, of = memory.bind(**BINDING), str(deed.trace_id)
    if deed.what == "embed":
        memory.reembed()
    elif deed.draft is not None:
        who.remember_many([deed.draft])
    elif deed.what == "correct":
        who.correct(of, deed.content, reason="it was wrong")
    elif deed.what == "forget":
        who.forget(of)
    else:
        who.restore(of, reason="it was right")


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def answers(memory: Memory, question: str, instants: Iterable[datetime]) -> list[Any]:
    """All that two callers are told, at present and in the past."""
    return [
        told(memory.bind(**who).recall(question, limit=1_000, touch=False, known_at=at))
        for who in (BINDING, {"user": "ana"})
        for at in (None, EPOCH, datetime(1960, 1, 1, tzinfo=UTC), *instants)
    ]


def scopes(memory: Memory) -> list[str]:
    """In the order in which partitions were made: sums run, and equals stand, in this order."""
    return [scope for _, scope in sorted(stored(memory, "partitions", "id, scope"))]


def outline(hits: list[Any]) -> dict[str, Any]:
    """The same without places, by trace."""
    return {
        of: (score, {name: arm.score for name, arm in arms.items()}, terms, passage, dict(parts))
        for of, score, arms, terms, passage, parts in hits
    }


def nearly(hits: list[Any]) -> dict[str, Any]:
    """The same, as far as it does not hang on the order of sums."""
    return {
        of: (
            pytest.approx(score, abs=1e-5),
            pytest.approx(arms, abs=1e-5),
            terms,
            passage,
            pytest.approx(parts, abs=1e-5),
        )
        for of, (score, arms, terms, passage, parts) in outline(hits).items()
    }


KINDS: dict[str, tuple[Moody | None, dict[str, Any]]] = {
    "words": (None, {"segment_passages": 8}),
    "tail": (Moody(), {}),
    "exact": (Moody(), {"segment_passages": 8}),
    "by bits": (Moody(), {"segment_passages": 4, "exact_vectors": 0}),
}


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=20, derandomize=True)
@given(steps=st.lists(STEPS, min_size=3, max_size=14), question=QUESTIONS)
def test_answers_are_those_of_a_brain_that_never_held_it(
    open_brain: Opener,
    clock: FixedClock,
    kind: str,
    steps: list[tuple[int, Step]],
    question: str,
) -> None:
    """Two brains on one file do the steps; a third is opened at the end."""
    embedder, index = KINDS[kind]
    chosen = Settings(index={"passage_words": 8, **index})
    options: dict[str, Any] = {"settings": chosen, "embedder": embedder}
    name = f"b{next(numbers)}"
    brains = [open_brain(brain=name, **options) for _ in range(2)]
    life = Life(clock)
    for which, step in steps:
        life.step(brains[which], step)
    brains.append(open_brain(brain=name, **options))
    never = life.live_again(open_brain, brain=f"b{next(numbers)}", **options)
    instants = [deed.at for deed in life.deeds][-3:]
    expected = answers(never, question, instants)
    in_order = scopes(brains[0]) == scopes(never)
    for memory in brains:
        answered = answers(memory, question, instants)
        if in_order:
            assert answered == expected
        assert list(map(nearly, answered)) == list(map(outline, expected))
    data = everything(brains[0])
    assert [word for word in life.erased if word.encode() in data] == []
    for memory in (*brains, never):
        memory.close()


# --- what comes after ------------------------------------------------------------------------


def found(memory: Memory, word: str, **who: str) -> list[str]:
    """What is found by a word."""
    hits = memory.bind(**who).recall(word, touch=False)
    return [hit.trace.content for hit in hits if hit.why.terms]


@pytest.mark.parametrize("newcomer", ["bob", "eve"])
@pytest.mark.parametrize("erased", [("bob",), ("ana", "bob"), ("bob", "ana")], ids="-".join)
def test_a_partition_made_anew_is_not_taken_for_the_one_that_was_erased(
    open_brain: Opener, erased: tuple[str, ...], newcomer: str
) -> None:
    """As long, and as often written to, as the one that another process holds in memory."""
    one, other = open_brain(), open_brain()
    ids = {}
    for user in ("ana", "bob"):
        receipt = one.bind(user=user).remember("The violin is old")
        assert receipt.trace is not None
        ids[user] = receipt.trace.id
        assert found(other, "violin", user=user) == ["The violin is old"]
    for user in erased:
        erase(one, [ids[user]])
    one.bind(user=newcomer).remember("The harbour is cold")
    # A number is never given again.
    assert (3, newcomer) in stored(one, "partitions", "id, scope_id")
    for memory in (one, other, open_brain()):
        assert found(memory, "harbour", user=newcomer) == ["The harbour is cold"]
        for user in {"ana", "bob", "eve"} - {newcomer}:
            assert found(memory, "harbour", user=user) == []
        for user in ("ana", "bob", "eve"):
            left = user == "ana" and "ana" not in erased
            assert found(memory, "violin", user=user) == (["The violin is old"] if left else [])


def notes(memory: Memory, start: int, end: int) -> list[str]:
    """Remember some notes of one passage and one vector each; gives their ids."""
    receipts = memory.bind(user="ana").remember_many([f"note {n}" for n in range(start, end)])
    return [receipt.trace.id for receipt in receipts if receipt.trace]


def by_vectors(memory: Memory) -> set[str]:
    """What has vectors that are searched."""
    hits = memory.bind(user="ana").recall("zeppelin", limit=100, touch=False)
    return {hit.trace.content for hit in hits if "vector" in hit.why.arms}


def test_a_tail_with_gaps_is_sealed_with_its_vectors(open_brain: Opener) -> None:
    """Segments of what is left and of what was erased, and one of nothing else."""
    unsealed = open_brain()
    ids = notes(unsealed, 0, 18)
    erase(unsealed, ids[1:3] + ids[4:8] + ids[11:12])
    memory = open_brain(settings=Settings(index={"segment_passages": 4}))
    notes(memory, 18, 19)
    assert stored(memory, "trace_segments", "first_entry, end_entry") == [
        (0, 4),
        (4, 8),
        (8, 12),
        (12, 16),
    ]
    assert stored(memory, "segment_vectors", "segment") == [(0,), (8,), (12,)]
    assert stored(memory, "trace_vectors", "entry") == [(16,), (17,), (18,)]
    left = {f"note {n}" for n in (0, 3, 8, 9, 10, *range(12, 19))}
    for brain in (unsealed, memory, open_brain()):
        assert by_vectors(brain) == left


def test_an_erasure_within_segments_leaves_blocks_that_can_be_read(open_brain: Opener) -> None:
    memory = open_brain(settings=Settings(index={"segment_passages": 4}))
    ids = notes(memory, 0, 14)
    assert len(stored(memory, "segment_vectors")) == 3
    erase(memory, ids[:4] + ids[5:6] + ids[11:])
    assert stored(memory, "segment_vectors", "segment") == [(4,), (8,)]
    left = {f"note {n}" for n in (4, *range(6, 11))}
    for brain in (memory, open_brain()):
        assert by_vectors(brain) == left


def in_memory(memory: Memory) -> tuple[set[str], int]:
    """The words of the tail and the names, and how many vectors, that a process holds of ana's."""
    [image] = memory._rooms.cache._images.values()
    [(_, view)] = memory._rooms.cache._views.values()
    assert view.images == (image,)
    assert [matrix.rows for matrix in view.matrices] == [image.rows]
    return {*image.tail._lists, *image.labels.numbers}, len(image.rows)


def test_another_process_lets_go_of_it_at_its_next_recall(open_brain: Opener) -> None:
    one, other = open_brain(), open_brain()
    [gone, _] = one.bind(user="ana").remember_many(
        [
            {"content": "The violin is old", "thread": "music", "speaker": "Ruth"},
            {"content": "The harbour is cold", "thread": "coast", "speaker": "Bo"},
        ]
    )
    assert gone.trace is not None
    assert found(other, "violin", user="ana") == ["The violin is old"]
    words, vectors = in_memory(other)
    assert words >= {"violin", "ruth", "Ruth", "music", "harbour"}
    assert vectors == 2
    erase(one, [gone.trace.id])
    assert found(other, "violin", user="ana") == []
    words, vectors = in_memory(other)
    assert words.isdisjoint({"violin", "ruth", "Ruth", "music"})
    assert "harbour" in words
    assert vectors == 1
