"""Which names are found in a text, how sure that is, and how long it takes."""

from __future__ import annotations

import time
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.cognition.entities import EntityFinder, entity_key, find_entities
from mnemic.cognition.entities.find import MOST_CHARS, MOST_NAMES
from mnemic.model.graph import EntityKind
from tests.cognition.entities.sentences import LANGUAGES, UNSEEN

FLOORS = {"en": (0.98, 0.98), "de": (1, 1), "es": (1, 1), "fr": (1, 1)} | {
    "it": (1, 1),
    "pt": (1, 1),
    "nl": (1, 1),
}
"""Precision and recall that were reached on the sentences that the rules were written with."""


@dataclass(frozen=True)
class Score:
    """How many names were found, and should have been."""

    precision: float
    recall: float
    kinds: float


def expected(line: str) -> dict[str, str]:
    pairs = (one.split(" = ") for one in line.split(";") if one.strip())
    return {entity_key(label): kind.strip() for label, kind in pairs}


def scored(cases: dict[str, str]) -> Score:
    right = kinds = found_in_all = wanted_in_all = 0
    for text, line in cases.items():
        wanted = expected(line)
        found = {entity_key(one.label): one.kind.value for one in find_entities(text)}
        right += len(wanted.keys() & found.keys())
        kinds += sum(found.get(key) == kind for key, kind in wanted.items())
        found_in_all += len(found)
        wanted_in_all += len(wanted)
    return Score(right / found_in_all, right / wanted_in_all, kinds / right)


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_in_sentences(language: str) -> None:
    score = scored(LANGUAGES[language])
    precision, recall = FLOORS[language]
    assert score.precision >= precision
    assert score.recall >= recall
    assert score.kinds >= 0.9


def test_names_in_sentences_that_no_rule_was_written_for() -> None:
    english = scored(UNSEEN["en"])
    assert english.precision >= 0.96
    assert english.recall >= 0.96
    everything = scored({text: line for cases in UNSEEN.values() for text, line in cases.items()})
    assert everything.precision >= 0.95
    assert everything.recall >= 0.95
    assert everything.kinds >= 0.8


def labels(text: str) -> list[str]:
    return [one.label for one in find_entities(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I met Zoltan. Zoltan was late, and ZOLTAN is never late.", ["Zoltan"]),
        ("She called Marta; Marta Ruiz did not answer.", ["Marta", "Marta Ruiz"]),
        ("We ate at Marta's and at Tom’s.", ["Marta", "Tom"]),
        ("Plan B. Then we left.", []),
        ("Ask J. K. Rowling about it.", ["J. K. Rowling"]),
        ("I WANT TO GO HOME NOW", []),
        ("How To Cook Rice In Lisbon", ["Lisbon"]),
        ("she knows that we saw 'a big dog' there", []),
        ('He said "I will see you in Lisbon tomorrow".', ["Lisbon"]),
        ("The GitLab server runs PostgreSQL 16 on port 5432.", ["GitLab", "PostgreSQL 16"]),
        ("see src/Main/App.py and C:\\Users\\Ana\\x for Marta", ["Marta"]),
        ("#fff and #1 are no topics, #gardening is", ["#gardening"]),
        ("a@b.example or @zed_9, not x@y", ["@zed_9"]),
        ("昨日は『雪の道』を読みました @yuki", ["雪の道", "@yuki"]),
        ("私は東京に住んでいます", []),
        ("Wczoraj spotkałem Agnieszkę w Krakowie.", ["Agnieszkę", "Krakowie"]),
        ("Вчера я видел Ольгу в Париже.", ["Ольгу", "Париже"]),
        ("", []),
        ("   \n\n ", []),
    ],
)
def test_what_is_a_name_and_what_is_not(text: str, found: list[str]) -> None:
    assert labels(text) == found


def test_a_name_stands_where_it_says() -> None:
    for cases in (*LANGUAGES.values(), *UNSEEN.values()):
        for text in cases:
            for one in find_entities(text):
                assert text[one.start :].lower().startswith(one.label.lower()), (text, one)


def test_the_kind_that_is_told_elsewhere_in_a_text() -> None:
    (found,) = find_entities("Is that Hvar? We were in Hvar.")
    assert found.kind is EntityKind.PLACE


def test_it_is_a_finder_that_can_be_replaced() -> None:
    finder: EntityFinder = find_entities
    assert [one.label for one in finder("I met Marta.")] == ["Marta"]


def test_long_texts_are_read_up_to_a_bound() -> None:
    many = " ".join(f"We met Xav{chr(97 + n % 26)}{chr(97 + n // 26)}r there." for n in range(200))
    assert len(find_entities(many)) == MOST_NAMES
    assert labels("x " * (MOST_CHARS // 2) + "I met Marta") == []
    assert labels("x " * (MOST_CHARS // 2 - 10) + "I met Marta") == ["Marta"]


@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    for one in find_entities(text):
        assert one.label
        assert 0 <= one.start < len(text)


@pytest.mark.parametrize(
    "unit",
    [
        *("A", "A ", "A.", "A. ", "A'b", "A-b", "Ab'", "Ab de ", "Ab & ", "AB1 2 ", "Mr. ", "The "),
        *("de ", "'", '"', "“", "`", "@", "#a", "/a", "a.", "a/", "www.", "http://", "http://a."),
    ],
)
def test_the_time_is_linear_in_the_text(unit: str) -> None:
    """Ten times the text takes no more than some tens of times as long."""

    def seconds(size: int) -> float:
        text = (unit * size)[:size]
        start = time.process_time()
        find_entities(text)
        return time.process_time() - start

    seconds(100)
    short = max(min(seconds(1_500) for _ in range(3)), 0.0005)
    assert min(seconds(15_000) for _ in range(2)) < 40 * short


def test_it_is_quick_enough_for_every_text_that_is_written() -> None:
    """Under 40 µs for 25 words, two names among them, on the machine it was made on."""
    text = (
        "yesterday we had dinner with Marta at the new place near the river in Lisbon and then"
        " walked home because the last bus had already left"
    )
    assert labels(text) == ["Marta", "Lisbon"]
    start = time.process_time()
    for _ in range(1_000):
        find_entities(text)
    assert (time.process_time() - start) / 1_000 < 0.0004
