"""Scores are those of a slow, plain reference (plain.py): by words alone, and with vectors."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic import Embedder, Hit, Memory, Settings
from tests.conftest import START, Opener
from tests.index.plain import Answer, PlainIndex, Text
from tests.index.worlds import BINDING, HISTORIES, QUESTIONS, Change, Moody, World, Write, told

numbers = itertools.count()
# Each example has a brain of its own, so the file may serve them all.
many = settings(max_examples=25, derandomize=True)

SMALL: dict[str, object] = {"passage_words": 8, "max_sentences": 3}
"""Passages so short that a few words make several."""


def configured(**index: object) -> Settings:
    return Settings(index={**SMALL, **index}, retrieval={"thread_reply_words": 10})


UNSEALED = configured()
SEALED = configured(segment_passages=8)
BY_BITS = configured(segment_passages=8, exact_vectors=0)


def build(
    open_brain: Opener, chosen: Settings, history: list[Write | Change], embedder: Embedder | None
) -> tuple[Memory, World]:
    memory = open_brain(brain=f"b{next(numbers)}", settings=chosen, embedder=embedder)
    world = World()
    for operation in history:
        world.apply(memory.bind(**BINDING), operation)
    return memory, world


def check(hits: list[Hit], expected: dict[str, Answer], near: float) -> None:
    """The same traces, scores, parts and passages, best first."""
    assert {hit.trace.id for hit in hits} == expected.keys()
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    for hit in hits:
        answer = expected[hit.trace.id]
        assert hit.trace.content == answer.text.content
        assert hit.score == pytest.approx(answer.score, abs=near)
        assert hit.why.breakdown == pytest.approx(answer.parts, abs=near)
        assert ("lexical" in hit.why.arms) is answer.found_by_words
        if answer.found_by_words:
            assert hit.why.arms["lexical"].score == pytest.approx(answer.by_words, abs=1e-4)
            if answer.margin > 1e-4:
                assert hit.why.passage == answer.best.excerpt


SOME_SCOPES = st.sampled_from([("user",), ("organization",), ("user", "organization")])


@pytest.mark.parametrize("chosen", [UNSEALED, SEALED], ids=["unsealed", "sealed"])
@many
@given(history=HISTORIES, question=QUESTIONS, scopes=SOME_SCOPES)
def test_scores_by_words_are_those_of_the_reference(
    open_brain: Opener,
    chosen: Settings,
    history: list[Write | Change],
    question: str,
    scopes: tuple[str, ...],
) -> None:
    memory, world = build(open_brain, chosen, history, embedder=None)
    with memory:
        everything = memory.bind(**BINDING).recall(question, limit=1_000)
        check(everything, PlainIndex(world.texts, chosen).answers(question), near=1e-4)

        partly = memory.bind(**{name: BINDING[name] for name in scopes})
        expected = PlainIndex(world.within(*scopes), chosen).answers(question)
        check(partly.recall(question, limit=1_000), expected, near=1e-4)


@pytest.mark.parametrize("chosen", [UNSEALED, BY_BITS], ids=["exact", "by bits"])
@many
@given(history=HISTORIES, question=QUESTIONS)
def test_scores_by_words_and_vectors_are_those_of_the_reference(
    open_brain: Opener, chosen: Settings, history: list[Write | Change], question: str
) -> None:
    embedder = Moody()
    memory, world = build(open_brain, chosen, history, embedder)
    with memory:
        hits = memory.bind(**BINDING).recall(question, limit=1_000)
        expected = PlainIndex(world.texts, chosen).answers(question, embedder)
        check(hits, expected, near=1e-3)
        for hit in hits:
            cosine = expected[hit.trace.id].cosine
            assert ("vector" in hit.why.arms) is (cosine is not None)
            if cosine is not None:
                assert hit.why.arms["vector"].score == pytest.approx(cosine, abs=1e-4)


@pytest.mark.parametrize("embedder", [None, Moody()], ids=["words", "vectors"])
@many
@given(history=HISTORIES, question=QUESTIONS)
def test_sealing_changes_nothing(
    open_brain: Opener, embedder: Embedder | None, history: list[Write | Change], question: str
) -> None:
    answers = []
    for chosen in (UNSEALED, SEALED):
        memory, world = build(open_brain, chosen, history, embedder)
        with memory:
            places = {text.trace_id: (text.partition, text.position) for text in world.texts}
            hits = memory.bind(**BINDING).recall(question, limit=1_000)
            answers.append([(places[told_id], *rest) for told_id, *rest in told(hits)])
    assert answers[0] == answers[1]


def test_the_reference_says_what_was_worked_out_by_hand() -> None:
    """Two turns of a thread and one elsewhere; the question's word is in the first of them."""

    def turn(at: int, content: str, thread: str) -> Text:
        fixed = {"speaker": None, "role": None, "labels": (), "time": START, "strength": 0.5}
        return Text(f"t{at}", content, "user", at, at, thread, **fixed)  # type: ignore[arg-type]

    texts = [turn(0, "violin", "a"), turn(1, "harbour", "a"), turn(2, "bread", "b")]
    answers = PlainIndex(texts, Settings()).answers("violin")
    # Every head is "1 June 2026 Monday", four words; with the neighbour's the lengths are 6, 6, 5.
    mean = 17 / 3
    idf = math.log(1 + 1.5 / 2.5)  # two passages of three hold the word
    own = idf * 2.2 * 1 / (1 + 1.2 * (0.25 + 0.75 * 6 / mean))
    beside = idf * 2.2 * 0.4 / (0.4 + 1.2 * (0.25 + 0.75 * 6 / mean))
    # One thread of two holds it: its idf is ln 2; the threads' lengths are 2 and 1.
    thread = 0.3 * math.log(2) * 2.2 * 1 / (1 + 1.2 * (0.25 + 0.75 * 2 / 1.5))
    assert answers.keys() == {"t0", "t1"}
    assert answers["t0"].by_words == pytest.approx(own + thread, rel=1e-9)
    assert answers["t1"].by_words == pytest.approx(beside + thread, rel=1e-9)
    assert math.isinf(answers["t0"].margin)
