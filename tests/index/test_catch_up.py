"""Two processes' worth of brains on one file: each sees what the other wrote, at its next recall.

A brain keeps its index in memory and brings it up to date. What it then answers is what a brain
answers that was opened a moment ago and read everything.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic import BoundMemory, Embedder, Memory, Settings
from mnemic.errors import EmbedderMismatch
from tests.conftest import Opener, WordVectors
from tests.index.worlds import BINDING, OPERATIONS, QUESTIONS, Change, Moody, World, Write, told

numbers = itertools.count()


@dataclass(frozen=True)
class Look:
    """Ask one of the two brains, and one that is opened for it."""

    question: str


@dataclass(frozen=True)
class Embed:
    """Make the vectors that are missing."""


Step = tuple[int, Write | Change | Look | Embed]
STEPS = st.tuples(
    st.integers(0, 1), st.one_of(OPERATIONS, OPERATIONS, QUESTIONS.map(Look), st.just(Embed()))
)

KINDS = {
    "words": (None, {}),
    "exact": (Moody(), {}),
    "by bits": (Moody(), {"exact_vectors": 0}),
}


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=15, derandomize=True)
@given(steps=st.lists(STEPS, min_size=2, max_size=10), last=QUESTIONS)
def test_it_answers_like_a_brain_just_opened(
    open_brain: Opener, kind: str, steps: list[Step], last: str
) -> None:
    embedder, index = KINDS[kind]
    chosen = Settings(index={"passage_words": 8, "segment_passages": 8, **index})
    options = {"brain": f"b{next(numbers)}", "settings": chosen, "embedder": embedder}
    brains = (open_brain(**options), open_brain(**options))
    world = World()
    for which, step in [*steps, (0, Look(last)), (1, Look(last))]:
        memory = brains[which]
        who = memory.bind(**BINDING)
        if isinstance(step, Look):
            with open_brain(**options) as fresh:
                hits = fresh.bind(**BINDING).recall(step.question, limit=1_000, touch=False)
            assert told(who.recall(step.question, limit=1_000, touch=False)) == told(hits)
        elif isinstance(step, Embed):
            if embedder is not None:
                memory.reembed()
        else:
            world.apply(who, step)
    for memory in brains:
        memory.close()


TEXT = "Ruth keeps her violin under the stairs"


@pytest.fixture(params=[4_096, 2], ids=["unsealed", "sealed"])
def pair(request: pytest.FixtureRequest, open_brain: Opener) -> tuple[BoundMemory, BoundMemory]:
    """The same caller in two brains on one file, in which something is known and was asked for."""
    chosen = Settings(index={"segment_passages": request.param})
    one, other = (open_brain(settings=chosen).bind(user="ana") for _ in range(2))
    one.remember_many([TEXT, "The ferry was late", "We painted the kitchen", "Elm Street is shut"])
    assert found(one) == found(other) == TEXT
    return one, other


def found(who: BoundMemory) -> str | None:
    """What is known of the violin; None for nothing."""
    hits = who.recall("violin", touch=False)
    return next((hit.trace.content for hit in hits if "violin" in hit.why.terms), None)


def the_id(who: BoundMemory) -> str:
    return who.recall("violin", touch=False)[0].trace.id


def test_a_write_is_seen(pair: tuple[BoundMemory, BoundMemory]) -> None:
    one, other = pair
    one.remember("The parcel holds quinces")
    assert other.recall("quinces", touch=False)[0].trace.content == "The parcel holds quinces"


CHANGES: dict[str, tuple[Callable[[BoundMemory, str], object], str | None]] = {
    "correct": (
        lambda who, of: who.correct(of, "The violin was sold", reason="she told me"),
        "The violin was sold",
    ),
    "forget": (lambda who, of: who.forget(of), None),
    "reject": (lambda who, of: who.forget(of, reason="wrong"), None),
    "end it": (
        lambda who, of: who.correct(of, valid_to="2026-06-01T12:00Z", reason="sold"),
        None,
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_seen(pair: tuple[BoundMemory, BoundMemory], change: str) -> None:
    one, other = pair
    make, expected = CHANGES[change]
    make(one, the_id(one))
    assert found(other) == found(one) == expected


def test_a_restored_trace_is_seen(pair: tuple[BoundMemory, BoundMemory]) -> None:
    one, other = pair
    trace_id = the_id(one)
    one.forget(trace_id)
    assert found(other) is None
    one.restore(trace_id, reason="it was right")
    assert found(other) == TEXT


def test_vectors_made_later_are_seen(open_brain: Opener) -> None:
    one, other = open_brain(embedder=Moody()), open_brain(embedder=Moody())
    Moody.broken = True
    one.bind(user="ana").remember(TEXT)
    Moody.broken = False

    def arms() -> set[str]:
        return set(other.bind(user="ana").recall("violin")[0].why.arms)

    assert arms() == {"lexical"}
    one.reembed()
    assert arms() == {"lexical", "vector"}


def test_a_brain_that_was_changed_over_answers_by_words_and_says_so(open_brain: Opener) -> None:
    """Vectors of two models are never compared, not even by a brain opened before the change."""
    one, other = open_brain(), open_brain()
    one.bind(user="ana").remember(TEXT)
    assert "vector" in other.bind(user="ana").recall("violin")[0].why.arms
    assert one.reembed(WordVectors("another", 32)) == 1
    assert "vector" in one.bind(user="ana").recall("violin")[0].why.arms

    hits = other.bind(user="ana").recall("violin")
    assert [hit.trace.content for hit in hits] == [TEXT]
    assert hits[0].why.arms["lexical"].rank == 1
    assert "another" in " ".join(other.health().problems)
    with pytest.raises(EmbedderMismatch, match="another"):
        other.bind(user="ana").remember("Something more")
    with pytest.raises(EmbedderMismatch, match="reembed"):
        open_brain()
    reopened = open_brain(embedder=WordVectors("another", 32)).bind(user="ana")
    hits = one.bind(user="ana").recall("violin", touch=False)
    assert told(reopened.recall("violin", touch=False)) == told(hits)


def test_a_text_without_vectors_among_sealed_ones_upsets_nothing(open_brain: Opener) -> None:
    """A brain that stopped reading within what became a segment, and segments with a gap."""
    options = {"settings": Settings(index={"segment_passages": 8, "exact_vectors": 0})}
    moody: Embedder = Moody()

    def opened() -> Memory:
        return open_brain(embedder=moody, **options)

    one, other = opened().bind(user="ana"), opened().bind(user="ana")
    notes = (f"note {at} about the violin" for at in itertools.count())

    def write(count: int, broken: bool = False) -> None:
        Moody.broken = broken
        one.remember_many(list(itertools.islice(notes, count)))
        Moody.broken = False

    write(4)
    assert len(other.recall("violin", limit=100, touch=False)) == 4
    write(4)  # sealed with the four above
    write(3, broken=True)
    write(5)  # sealed with the three that have no vectors
    write(8)
    write(3)
    fresh = opened().bind(user="ana").recall("violin", limit=100, touch=False)
    assert sum("vector" in hit.why.arms for hit in fresh) == 24
    assert told(other.recall("violin", limit=100, touch=False)) == told(fresh)
