"""Which sentences give facts, and which give none."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.cognition.facts import find_facts
from mnemic.cognition.facts.attributes import Anchors
from mnemic.cognition.facts.find import UNNAMED
from mnemic.cognition.facts.sentences import MOST_CHARS, MOST_SENTENCES
from mnemic.model.fact import Fact, Shape, checked_fact
from tests.cognition.facts.said import SAID, read, written
from tests.cognition.facts.unsaid import UNSAID

PLAIN = [text for text, _ in SAID if not any(mark in text.rstrip(".!") for mark in '."!?')]
"""Single sentences without a quote in them."""


def found(text: str, speaker: str | None = "Ana") -> list[str]:
    return [written(fact) for fact in find_facts(text, speaker=speaker)]


@pytest.mark.parametrize(("text", "facts"), SAID, ids=[text for text, _ in SAID])
def test_what_is_said_plainly_is_found(text: str, facts: list[str]) -> None:
    assert found(text) == facts


@pytest.mark.parametrize("text", UNSAID)
def test_what_is_not_said_plainly_is_not_found(text: str) -> None:
    assert found(text) == []


def test_there_are_enough_sentences_and_none_twice() -> None:
    assert len({text for text, _ in SAID}) == len(SAID) >= 120
    assert len(set(UNSAID)) == len(UNSAID) >= 100


def test_facts_are_written_and_read_alike() -> None:
    for _, lines in SAID:
        for line in lines:
            assert written(read(line)) == line


@pytest.mark.parametrize(
    "around",
    [
        'She said: "{}"',
        "\u201c{}\u201d, he wrote.",
        "Tom told me that {}",
        "I heard {}",
        "If {}",
        "When {}",
        "I wonder whether {}",
        "Maybe {}",
        "Probably {}",
        "I think {}",
        "I wish {}",
        "Suppose {}",
        "Imagine {}",
        "Bob: {}",
        "- {}",
        "> {}",
        "2. {}",
        "```\n{}\n```",
    ],
)
def test_nothing_is_plain_inside_something_else(around: str) -> None:
    for text in PLAIN:
        assert find_facts(text, speaker="Ana"), text
        assert found(around.format(text)) == []


def test_a_question_says_nothing() -> None:
    for text in PLAIN:
        assert found(text.rstrip(".!") + "?") == []


@pytest.mark.parametrize(
    "around", ["By the way, {}", "Hello! {}", "{} Thanks!", "Yes. {} And you?"]
)
def test_what_stands_beside_a_sentence_changes_nothing(around: str) -> None:
    for text in PLAIN:
        if text[0] != "H" and not text.endswith("lisbon") and not text.endswith("ana"):
            ended = text if text[-1] in ".!" else f"{text}."
            assert found(around.format(ended)) == found(text), text


def test_the_speaker_is_the_subject_of_i() -> None:
    text = "I live in Rome and my sister is a nurse."
    assert found(text, "Ana Lima") == [
        "ana lima | lives_in | Rome",
        "ana lima's sister | works_as | nurse",
    ]
    assert [fact.subject for fact in find_facts("I live in Rome.", speaker=None)] == [UNNAMED]
    assert [fact.subject for fact in find_facts("I live in Rome.", speaker=" ")] == [UNNAMED]


def test_what_no_fact_can_hold_is_left_out() -> None:
    long = "a" * 250
    assert len(found("I live in Rome. My brother-in-law lives in Oslo.", long)) == 1
    assert len(found("I live in Rome. My brother-in-law lives in Oslo.")) == 2
    assert found(f"My favourite {'x' * 30} is tea.") == [f"ana | favourite_{'x' * 30} | tea"]
    assert found(f"My favourite {'x' * 70} is tea.") == []
    assert found(f"I love {'x' * 60}.") == [f"ana | likes | {'x' * 60}"]
    assert found(f"I love {'x' * 61}.") == []


def test_what_makes_sentences_cheap_to_pass_over_hides_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts = [text for text, _ in SAID] + UNSAID
    before = [found(text) for text in texts]
    monkeypatch.setattr(Anchors, "stand_in", lambda self, low: True)
    assert [found(text) for text in texts] == before


def test_a_text_is_not_cut_within_a_sentence() -> None:
    said = "I live in New York. "
    for end, facts in ((len(said), ["ana | lives_in | New York"]), (len("I live in New "), [])):
        before = "a" * (MOST_CHARS - end - 2) + ". "
        assert found(before + said + "And so on.") == facts


def test_a_fact_that_is_said_twice_is_given_once() -> None:
    assert found("I live in Rome. I'm vegan. I live in Rome.") == [
        "ana | lives_in | Rome",
        "ana | diet | vegan",
    ]


def test_only_what_a_person_could_have_typed_is_read() -> None:
    assert (MOST_CHARS, MOST_SENTENCES) == (20_000, 100)
    said = "I live in Rome."
    assert found("a" * (MOST_CHARS - len(said) - 1) + "\n" + said) == ["ana | lives_in | Rome"]
    assert found("a" * MOST_CHARS + "\n" + said) == []
    assert found("Well. " * (MOST_SENTENCES - 1) + said) == ["ana | lives_in | Rome"]
    assert found("Well. " * MOST_SENTENCES + said) == []


@pytest.mark.parametrize(
    "piece",
    [
        "I live in ",
        "I live in Rome. ",
        "'",
        '"',
        "\u201c",
        "\u00ab",
        "`",
        "love ",
        "my sister Eva and ",
        "I love a, ",
        "Ana ",
        "1",
        "my phone is 1 ",
        "the rent is 9,",
        "I like tea, ",
        "a-",
        "(",
        "\n",
        "since 2019 until ",
        "a!",
        ". ",
        "I am I am ",
        "not ",
    ],
)
def test_a_million_characters_take_no_longer_than_the_start_of_them(piece: str) -> None:
    text = "I live in Rome. " + piece * (1_000_000 // len(piece))
    started = time.process_time()
    find_facts(text, speaker="Ana")
    assert time.process_time() - started < 0.5


WORDS = st.sampled_from(
    "i my ana ana's live lives in rome is not no longer like love and but , . ? \" ' since 2019 "
    "sister sister's name phone 912345678 the meeting on friday at 3pm if only except moved to "
    "favourite colour allergic a nurse 32 years old €900 am have used".split()
)


@given(st.one_of(st.text(max_size=200), st.lists(WORDS, max_size=25).map(" ".join)), st.text())
def test_every_fact_that_is_found_could_be_given(text: str, speaker: str) -> None:
    for fact in find_facts(text, speaker=speaker):
        assert checked_fact(fact) == fact
        assert len(fact.value) <= 60


@given(st.lists(st.sampled_from(PLAIN), max_size=5))
def test_sentences_side_by_side_say_what_they_say_alone(texts: list[str]) -> None:
    capital = [text[0].upper() + text[1:] for text in texts]
    text = " ".join(one if one[-1] in ".!" else f"{one}." for one in capital)
    alone = [find_facts(one, speaker="Ana") for one in capital]
    if any(one.islower() for one in texts) or "Hi" in text:
        return
    assert set(find_facts(text, speaker="Ana")) == {fact for facts in alone for fact in facts}


def test_no_fact_is_partly_made_up() -> None:
    for text, _ in SAID:
        for fact in find_facts(text, speaker="Ana"):
            assert all(word in text for word in fact.value.split()), text


@pytest.mark.parametrize(
    ("text", "shape", "negated"),
    [
        ("I no longer like tea.", Shape.RETRACTION, False),
        ("I no longer dislike tea.", Shape.RETRACTION, True),
        ("I don't like tea any more.", Shape.RETRACTION, False),
        ("I don't like tea.", Shape.ASSERTION, True),
        ("I don't hate tea.", Shape.ASSERTION, False),
    ],
)
def test_a_retraction_tells_what_it_ends(text: str, shape: Shape, negated: bool) -> None:
    assert find_facts(text, speaker=None) == (
        Fact(UNNAMED, "likes", "tea", many=True, negated=negated, shape=shape),
    )
