"""Which speakers a question names, and what is left of it without their names."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic import BoundMemory, Embedder, Settings
from mnemic.retrieve.naming import named
from tests.conftest import Opener, WordVectors

SPEAKERS = ("Ruth", "Matteo Ricci", "Will")

ANYTHING = st.text(st.characters(exclude_categories=()), max_size=60)


def asked(question: str, speakers: Sequence[str] = SPEAKERS) -> set[str]:
    """The speakers that a question names."""
    flags = named(question, speakers).speakers
    return {name for name, flag in zip(speakers, flags, strict=True) if flag}


@pytest.mark.parametrize(
    ("question", "expected", "bare"),
    [
        ("What did Ruth buy?", {"Ruth"}, "What did buy?"),
        ("what did RUTH buy", {"Ruth"}, "what did buy"),
        ("ruth and matteo", {"Ruth", "Matteo Ricci"}, "and"),
        ("Where does Mr Ricci live?", {"Matteo Ricci"}, "Where does Mr live?"),
        ("What is Matteo Ricci's trade?", {"Matteo Ricci"}, "What is trade?"),
        ("Is Ruth’s violin old?", {"Ruth"}, "Is violin old?"),
        ("Is it Ruth's?", {"Ruth"}, "Is it ?"),
        ("Who plays the violin?", set(), "Who plays the violin?"),
        ("Is it a truth of Ruthenia, truthfully?", set(), "Is it a truth of Ruthenia, truthfully?"),
    ],
)
def test_names_are_found_and_taken_out(question: str, expected: set[str], bare: str) -> None:
    assert asked(question) == expected
    assert named(question, SPEAKERS).bare == bare


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What did Will buy?", {"Will"}),
        ("Is it Will's violin?", {"Will"}),
        ("What will Ruth buy?", {"Ruth"}),
        ("Will Ruth come?", {"Ruth"}),
        ("will it rain?", set()),
        ("  Will it rain?", set()),
        ("Will Will come?", {"Will"}),
    ],
)
def test_a_name_that_is_a_common_word_is_told_by_its_capital(
    question: str, expected: set[str]
) -> None:
    """At the beginning, where every word has one, it says nothing."""
    assert asked(question) == expected


def test_of_two_of_one_name_both_are_named() -> None:
    two = ("Ruth Okafor", "Ruth Ricci", "Matteo")
    assert asked("What did Ruth buy?", two) == {"Ruth Okafor", "Ruth Ricci"}
    assert asked("What did Okafor buy?", two) == {"Ruth Okafor"}


@pytest.mark.parametrize("question", ["Ruth", "Ruth?", "ruth's", " Ruth, Matteo! ", "Matteo Ricci"])
def test_a_question_of_names_alone_keeps_itself(question: str) -> None:
    found = named(question, SPEAKERS)
    assert found.bare == question
    assert found.speakers.any()


@pytest.mark.parametrize(
    ("question", "speaker", "bare"),
    [
        ("Где живёт Семён?", "Семен", "Где живёт ?"),
        ("Τι λέει ο ΝΊΚΟΣ σήμερα", "Νίκος", "Τι λέει ο σήμερα"),
        ("أين تسكن أمل الآن؟", "أمل", "أين تسكن الآن؟"),
        ("지민의 생일은 언제예요?", "지민", "생일은 언제예요?"),
        ("李明 现在住在哪里？", "李明", "现在住在哪里？"),
        ("花子 の 誕生日は？", "花子", "の 誕生日は？"),
        ("Was kauft STRAUSS heute?", "Strauß", "Was kauft heute?"),
        ("What did Chloe say?", "Chloë", "What did say?"),
    ],
)
def test_names_of_every_script_are_found(question: str, speaker: str, bare: str) -> None:
    assert asked(question, (speaker, "Ruth")) == {speaker}
    assert named(question, (speaker, "Ruth")).bare == bare
    assert asked(question, ("Ruth",)) == set()


@pytest.mark.parametrize(
    ("question", "speaker"),
    [
        ("रवि कहाँ रहता है?", "रवि"),
        ("সুমন কোথায় থাকে?", "সুমন"),
        ("குமார் எங்கே?", "குமார்"),
        ("What does דָּוִד say?", "דוד"),
        ("What does מֹשֶׁה say?", "מֹשֶׁה"),
        ("أين يسكن مُحَمَّد؟", "محمد"),
    ],
)
def test_names_that_are_written_with_marks_are_found(question: str, speaker: str) -> None:
    assert asked(question, (speaker, "Ruth")) == {speaker}


def test_a_name_typed_in_two_characters_a_letter_is_taken_out_whole() -> None:
    found = named("What did Zoe\u0308 say?", ["Zoë"])
    assert (found.speakers.tolist(), found.bare) == ([True], "What did say?")


@pytest.mark.parametrize(
    ("question", "speaker", "left"),
    [
        ("小明昨天去了北京，他买了什么？", "小明", "北京"),
        ("花子は横浜に住んでいますか。何をしますか", "花子", "横浜"),
    ],
)
def test_where_no_spaces_are_written_the_name_alone_is_taken_out(
    question: str, speaker: str, left: str
) -> None:
    assert asked(question, (speaker, "Ruth")) == {speaker}
    assert left in named(question, (speaker, "Ruth")).bare


def test_without_speakers_nobody_is_named() -> None:
    found = named("What did Ruth buy?", ())
    assert found.speakers.dtype == np.bool_
    assert (found.speakers.tolist(), found.bare) == ([], "What did Ruth buy?")
    assert named("What did Ruth buy?", ("", "?")).speakers.tolist() == [False, False]


QUESTION = st.one_of(
    ANYTHING,
    st.lists(st.sampled_from("Ruth ruth's ’s Will will ? 花子 रवि é I 1".split())).map(" ".join),
)


@given(QUESTION, st.lists(st.one_of(ANYTHING, st.sampled_from(SPEAKERS)), max_size=4))
def test_any_question_is_read(question: str, speakers: list[str]) -> None:
    found = named(question, speakers)
    assert found.speakers.shape == (len(speakers),)
    assert found.bare.strip() or not question.strip()
    if not found.speakers.any():
        assert found.bare.split() == question.split()


@given(ANYTHING.filter(lambda text: "ruth" not in text.casefold()), ANYTHING)
def test_a_name_between_spaces_is_always_found(before: str, after: str) -> None:
    found = named(f"{before} Ruth {after}", ["Ruth"])
    assert found.speakers.tolist() == [True]


@pytest.fixture(params=["words", "vectors"])
def embedder(request: pytest.FixtureRequest) -> Embedder | None:
    return WordVectors() if request.param == "vectors" else None


def talk(
    open_brain: Opener, file: str, embedder: Embedder | None, **retrieval: float
) -> BoundMemory:
    """Three people say the same, each in a thread of their own, and nobody says it first."""
    memory = open_brain(file, embedder=embedder, settings=Settings(retrieval=retrieval))
    who = memory.bind(user="ana")
    text = "I bought a violin"
    for speaker in ("Matteo", "Ruth", "李明"):
        told = {"content": text, "speaker": speaker, "thread": speaker, "role": "user"}
        who.remember_many([told, {"content": f"{speaker} told more", "thread": f"{speaker} 2"}])
    return who


@pytest.mark.parametrize("name", ["Matteo", "Ruth", "李明"])
def test_whoever_is_named_comes_first(
    open_brain: Opener, embedder: Embedder | None, name: str
) -> None:
    who = talk(open_brain, "a.db", embedder)
    for question in (f"What did {name} buy?", f"Is it {name}'s violin?", f"violin {name.lower()}"):
        assert who.recall(question)[0].trace.speaker == name


def test_who_is_named_comes_before_who_speaks_of_them(open_brain: Opener) -> None:
    of_ruth, her_own = "Ruth bought a violin for Ruth's aunt", "I bought a violin for my aunt"

    def best(file: str, **retrieval: float) -> str:
        settings = Settings(retrieval=retrieval)
        who = open_brain(file, embedder=None, settings=settings).bind(user="ana")
        who.remember(of_ruth, speaker="Matteo", thread="a")
        who.remember(her_own, speaker="Ruth", thread="b")
        return who.recall("What did Ruth buy, a violin?")[0].trace.content

    assert best("a.db") == her_own
    assert best("b.db", unnamed_weight=1) == of_ruth


def test_who_is_not_named_counts_as_much_less_as_the_setting_says(open_brain: Opener) -> None:
    def ratio(file: str, question: str, **retrieval: float) -> float:
        who = talk(open_brain, file, None, near_weight=0, feedback_weight=0, **retrieval)
        hits = who.recall(question, limit=100)
        by = {hit.trace.speaker: hit for hit in hits if hit.trace.content == "I bought a violin"}
        return by["Matteo"].why.arms["lexical"].score / by["Ruth"].why.arms["lexical"].score

    named_one, nobody = "What violin did Matteo buy?", "What violin was it?"
    usual, without = ratio("a.db", named_one), ratio("b.db", named_one, unnamed_weight=1)
    assert usual == pytest.approx(without / 0.6, rel=1e-5)
    assert ratio("c.db", nobody) == pytest.approx(ratio("d.db", nobody, unnamed_weight=1))
