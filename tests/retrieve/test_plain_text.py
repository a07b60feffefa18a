"""A question is text: nothing in it is an operator, and nothing in it is an error."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic import BoundMemory, Embedder, Memory, Settings
from tests.conftest import Opener, WordVectors

RUTH = "Ruth keeps her violin near the old harbour"
TEXTS = [RUTH, "The ferry was late", "Bread and quinces", "Copper lanterns"]


@pytest.fixture(params=["words", "vectors", "sealed"])
def memory(request: pytest.FixtureRequest, open_brain: Opener) -> Memory:
    embedder: Embedder | None = WordVectors() if request.param == "vectors" else None
    index = {"segment_passages": 2} if request.param == "sealed" else {}
    return open_brain(embedder=embedder, settings=Settings(index=index))


@pytest.fixture
def ana(memory: Memory) -> BoundMemory:
    who = memory.bind(user="ana")
    who.remember_many([{"content": text, "thread": text} for text in TEXTS])
    return who


def by_words(who: BoundMemory, question: str) -> list[str]:
    """What was found because of its words, best first."""
    hits = who.recall(question, limit=100, touch=False)
    return [hit.trace.content for hit in hits if "lexical" in hit.why.arms]


SYNTAX = [
    '"violin"',
    '"violin',
    'violin"',
    '"Ruth violin"',
    "violin*",
    "*violin",
    "*",
    "violin AND harbour",
    "violin AND",
    "AND violin",
    "violin OR",
    "NOT violin",
    "violin NOT harbour",
    "NEAR(violin harbour)",
    "violin NEAR/2 harbour",
    "NEAR/2 violin",
    "(violin)",
    "(violin",
    "violin)",
    "())(violin",
    "own:violin",
    "content : violin",
    "- content : violin",
    "{own next} : violin",
    "^violin",
    "^ violin",
    "-violin",
    "--violin",
    "+violin",
    "violin + harbour",
    "violin; DROP TABLE traces; --",
    "' OR '1'='1 violin",
    "violin%",
    "vio_in violin",
    "violin\\",
    "[violin]",
    "violin?!",
    "violin\n\n\tharbour",
    "violin\u200bharbour",
    "«violin»",
    "“violin”",
    "violin’s",
    "🎻violin🎻",
    "a" * 70 + " violin",
]


@pytest.mark.parametrize("question", [q for q in SYNTAX if "violin" in q])
def test_search_syntax_is_text(ana: BoundMemory, question: str) -> None:
    assert by_words(ana, question)[:1] == [RUTH]


def test_operators_do_not_operate(ana: BoundMemory) -> None:
    """Each of these would exclude, demand or limit something if it were understood."""
    assert set(by_words(ana, "ferry NOT violin")) == {RUTH, "The ferry was late"}
    assert set(by_words(ana, "ferry -violin")) == {RUTH, "The ferry was late"}
    assert set(by_words(ana, "ferry AND violin")) == {RUTH, "The ferry was late"}
    assert by_words(ana, '"violin Ruth"') == [RUTH]  # not a phrase that must stand there
    assert by_words(ana, "vio*") == []  # not a prefix
    assert by_words(ana, "viol_n") == by_words(ana, "viol%") == []  # not a pattern
    assert by_words(ana, "^near") == [RUTH]  # nor the first word


def test_the_words_of_operators_are_words(ana: BoundMemory) -> None:
    ana.remember("Logic gates: near, nand, xor", thread="b")
    assert by_words(ana, "NEAR")[0] in (RUTH, "Logic gates: near, nand, xor")
    assert len(by_words(ana, "NEAR")) == 2
    assert by_words(ana, "NEAR/2 xor")[0] == "Logic gates: near, nand, xor"


STOP_WORDS = ["what is it about", "the", "who was that and where were they", "Was it?", "to be"]


@pytest.mark.parametrize("question", STOP_WORDS)
def test_a_question_of_stop_words_asks_for_them(ana: BoundMemory, question: str) -> None:
    """There is nothing else to go by; and it is never an error."""
    ana.remember("To be, or not to be: that is what it was about, and where they were", thread="b")
    found = by_words(ana, question)
    assert any(content.startswith("To be") for content in found) is (question != "the")
    assert "Copper lanterns" not in found


@pytest.mark.parametrize(
    "question", ["?", "...", "*", '"', "()", "-", "— …", "！？", "\u200d", "%"]
)
def test_punctuation_alone_finds_nothing_by_words(ana: BoundMemory, question: str) -> None:
    assert by_words(ana, question) == []
    packet = ana.context(question)
    assert packet.omitted == ()


def test_an_emoji_is_a_word(ana: BoundMemory) -> None:
    ana.remember("Good news today 🎉🎻", thread="b")
    ana.remember("Rain again ☔", thread="c")
    assert by_words(ana, "🎻") == ["Good news today 🎉🎻"]
    assert by_words(ana, "☔️") == ["Rain again ☔"]
    assert by_words(ana, "🥐") == []


def test_a_question_as_long_as_a_document_is_answered(ana: BoundMemory) -> None:
    """More different words than any build of the database takes parameters."""
    question = " ".join(f"w{at}" for at in range(260_000)) + " violin"
    assert by_words(ana, question) == [RUTH]


@given(question=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
def test_any_text_can_be_asked(shared: BoundMemory, question: str) -> None:
    hits = shared.recall(f"{question} violin", touch=False)
    assert RUTH in [hit.trace.content for hit in hits]


@pytest.mark.parametrize("question", ["vio\0lin", "violin \ud800"])
def test_what_no_text_is_is_refused_or_answered(shared: BoundMemory, question: str) -> None:
    assert by_words(shared, question) in ([RUTH], [])


@pytest.fixture
def shared(open_brain: Opener) -> BoundMemory:
    """A caller for a test that only reads."""
    who = open_brain(embedder=None, settings=Settings(index={"segment_passages": 2}))
    ana = who.bind(user="ana")
    ana.remember_many([{"content": text, "thread": text} for text in TEXTS])
    return ana
