"""Scores are those of a slow, plain reference (plain.py): by words alone, and with vectors."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mnemic import Draft, Embedder, Hit, Memory, Settings
from tests.conftest import START, Opener
from tests.index.plain import Answer, PlainIndex
from tests.index.worlds import (
    BINDING,
    HISTORIES,
    QUESTIONS,
    Change,
    Moody,
    Text,
    World,
    Write,
    told,
)

numbers = itertools.count()
# Each example has a brain of its own, so the file may serve them all.
many = settings(max_examples=25, derandomize=True)

SMALL: dict[str, object] = {"passage_words": 8, "max_sentences": 3}
"""Passages so short that a few words make several."""

NOISE = 0.05
"""The cosine below which a text without the words is no answer, where brains search by bits."""


def configured(index: dict[str, object], **retrieval: object) -> Settings:
    weights = {"thread_reply_words": 10, "vector_slot": 0, **retrieval}
    return Settings(index={**SMALL, **index}, retrieval=weights)


UNSEALED = configured({})
SEALED = configured({"segment_passages": 8})
BY_BITS = configured({"segment_passages": 8, "exact_vectors": 0}, noise_cosine=NOISE, near_words=1)


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
            if answer.margin > 1e-5:
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
        everything = memory.bind(**BINDING).recall(question, limit=1_000, touch=False)
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
        assume(all(abs((one.cosine or 0) - NOISE) > 1e-4 for one in expected.values()))
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


ASKED = "How many violin strings and how much bread did Bo carry in May?"
SAID = (
    Draft("Where are the violin strings?", scope="user", thread="a", speaker="Ann"),
    Draft("They lie under the copper lantern.", scope="user", thread="a", speaker="Bo"),
    Draft("I bake nine of them.", scope="user", thread="a", speaker="Bo"),
    Draft("The viola hangs near a lantern.", scope="user", thread="b", time="2026-05-12"),
    Draft("Strings for an old violin are on the table.", scope="user", thread="c"),
    Draft("Bread is on the table beside a lantern.", scope="user", thread="d"),
    Draft("Bread was carried by the harbour.", scope="user", thread="e"),
    Draft("Maps of the river lie under the table.", scope="user", thread="f"),
)
OFF = {
    "near_weight": 0,
    "proximity_weight": 0,
    "feedback_weight": 0,
    "first_person_boost": 1,
    "number_boost": 1,
    "date_boost": 1,
    "previous_question_weight": 0.4,  # what any passage lends to the next
}


def scores(
    open_brain: Opener, chosen: Settings, said: tuple[Draft, ...], question: str
) -> dict[str, float]:
    """The score of each text that answers, by its content: as in the reference."""
    memory, world = build(open_brain, chosen, [Write(said)], embedder=None)
    with memory:
        hits = memory.bind(**BINDING).recall(question, limit=1_000)
        check(hits, PlainIndex(world.texts, chosen).answers(question), near=1e-4)
        return {hit.trace.content: hit.score for hit in hits}


@pytest.mark.parametrize("step", OFF)
def test_every_step_changes_scores_as_in_the_reference(open_brain: Opener, step: str) -> None:
    found = scores(open_brain, UNSEALED, SAID, ASKED)
    without = scores(open_brain, configured({}, **{step: OFF[step]}), SAID, ASKED)
    assert found != pytest.approx(without, abs=1e-2)


def test_near_words_of_a_long_question_are_not_looked_for(open_brain: Opener) -> None:
    said = (Draft("The viola hangs near a lantern.", scope="user", thread="b"),)
    words = ["violin", *(f"unheard{n}" for n in range(32))]
    assert scores(open_brain, UNSEALED, said, " ".join(words[:32]))
    assert not scores(open_brain, UNSEALED, said, " ".join(words))


def test_of_words_that_the_best_texts_share_so_many_are_weighed(open_brain: Opener) -> None:
    """Those that are cut off here are rarer, and would come before the others."""
    words = [f"word{n}" for n in range(100, 160)]
    texts = (["violin", *words], words, words[:48])
    said = tuple(Draft(" ".join(t), scope="user", thread=str(len(t))) for t in texts)
    without = Settings(retrieval={"feedback_weight": 0})
    found = [scores(open_brain, chosen, said, "violin") for chosen in (Settings(), without)]
    assert found[0] != pytest.approx(found[1], abs=1e-3)


def test_of_equal_texts_words_are_taken_from_the_first(open_brain: Opener) -> None:
    words = [f"word{n}" for n in range(100, 110)]
    longer = [f"violin and nothing else besides {word}" for word in words[:4]]
    equal = [f"violin {word}" for word in words[4:]]
    texts = [*longer, *equal, " ".join(words)]
    said = tuple(Draft(text, scope="user", thread=f"t{n}") for n, text in enumerate(texts))
    found = scores(open_brain, Settings(), said, "violin")
    assert len({found[text] for text in equal[:5]}) == 1
    assert found[equal[4]] > found[equal[5]]


def turn(at: int, content: str, thread: str) -> Text:
    fixed = {"speaker": None, "role": None, "labels": (), "time": START, "strength": 0.5}
    return Text(f"t{at}", content, "user", at, at, thread, **fixed)  # type: ignore[arg-type]


def test_the_reference_says_what_was_worked_out_by_hand() -> None:
    """Two turns of a thread and one elsewhere; the question's word is in the first of them."""
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


def test_the_reference_says_what_was_worked_out_by_hand_of_words_that_are_not_asked_for() -> None:
    """Two texts: one holds both words, the other one that is near; both hold another."""
    texts = [turn(0, "violin case harbour", "a"), turn(1, "viola harbour", "b")]
    answers = PlainIndex(texts, Settings()).answers("violin case")
    # With heads of four words the lengths are 7 and 6; the threads' are 3 and 2.
    seven, six = (1 + 1.2 * (0.25 + 0.75 * length / 6.5) for length in (7, 6))
    once = math.log(2) * 2.2  # the idf of a word that one of two texts holds, times k1 + 1
    thread = 0.3 * 2 * once / (1 + 1.2 * (0.25 + 0.75 * 3 / 2.5))
    close = 0.3 * math.log(2)  # one word after the other
    near = 0.3 * 0.71  # viola is as near to violin
    shared = 0.2 * math.log(1.2) * 2.2  # of two texts both hold "harbour"
    first, second = answers["t0"].by_words, answers["t1"].by_words
    assert first == pytest.approx((2 * once + shared) / seven + thread + close, rel=1e-9)
    assert second == pytest.approx((near * once + shared) / six, rel=1e-9)
