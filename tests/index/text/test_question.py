import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.index.text.question import FRAME_WEIGHT, read_question
from mnemic.index.text.tokens import stem, stems


def test_words_that_say_nothing_are_dropped() -> None:
    assert read_question("Where did Ana buy the red bicycle?").terms == {
        "ana": 1.0,
        "bui": 1.0,
        "red": 1.0,
        "bicycl": 1.0,
    }


def test_framing_words_count_half() -> None:
    terms = read_question("How many times did we mention Porto?").terms
    assert terms[stem("times")] == terms[stem("mention")] == FRAME_WEIGHT
    assert terms["porto"] == 1.0


def test_a_word_asked_twice_has_its_larger_weight() -> None:
    framing, plain = read_question("times timing").terms, read_question("timing times").terms
    assert framing == plain == {"time": 1.0}


def test_a_question_of_stop_words_alone_asks_for_them() -> None:
    assert set(read_question("What was it?").terms) == set(stems("what was it"))
    assert read_question("…").terms == {}


def test_what_was_typed_is_kept_for_explaining() -> None:
    question = read_question("¿Dónde está el «Café Münchén», Ana?")
    assert question.surface["cafe"] == "Café"
    assert question.surface["munchen"] == "Münchén"
    assert read_question("Which BICYCLES?").surface == {"bicycl": "BICYCLES"}
    assert read_question("snake_case?").surface == {"snake": "snake", "case": "case"}
    assert read_question("हिन्दी।").surface == {"हिन्दी": "हिन्दी"}


@pytest.mark.parametrize(
    "text",
    ['"red AND bicycle" OR (NEAR* title:x^2) NOT -', "a'); DROP TABLE traces;--", '" * ( :', "%_"],
)
def test_search_syntax_is_text(text: str) -> None:
    terms = read_question(text).terms
    assert all(char.isalnum() for term in terms for char in term)


def test_search_operators_are_words_like_others() -> None:
    assert set(read_question("near the river").terms) == {"near", "river"}
    assert set(read_question("NEAR(river)").terms) == {"near", "river"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("東京のどこですか", True),
        ("어디에 살아요", True),
        ("कहाँ रहते हो", True),
        ("где ты живёшь", True),
        ("👍", True),
        ("?!", False),
    ],
)
def test_every_script_gives_terms(text: str, expected: bool) -> None:
    assert bool(read_question(text).terms) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What did you recommend for the garden?", True),
        ("Remind me which film it was", True),
        ("the recipe from our previous conversation", True),
        ("What did Ana recommend for the garden?", False),
        ("Did you like it?", False),
    ],
)
def test_about_the_assistant(text: str, expected: bool) -> None:
    assert read_question(text).about_you is expected


@given(st.text(st.characters(exclude_categories=()), max_size=80))
def test_terms_are_stems_of_the_text(text: str) -> None:
    question = read_question(text)
    asked = stems(text, query=True)
    assert list(question.terms) == list(dict.fromkeys(s for s in asked if s in question.terms))
    assert set(question.terms) <= set(asked)
    assert bool(question.terms) is bool(asked)
    assert set(question.surface) == set(question.terms)
    assert all(question.surface.values())
