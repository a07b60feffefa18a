"""What is told of a text when it is written: who it speaks of, a number, a question."""

from __future__ import annotations

from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.index.text.features import Feature, features, standing

FIRST_PERSON, NUMBER, ASKS = Feature.FIRST_PERSON, Feature.NUMBER, Feature.ASKS
NOTHING = Feature(0)

ANYTHING = st.text(st.characters(exclude_categories=()), max_size=80)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I bought a violin", FIRST_PERSON),
        ("OUR garden is full of quinces", FIRST_PERSON),
        ("I’m late, and so is the bus", FIRST_PERSON),
        ("The red one is mine.", FIRST_PERSON),
        ("The ferry was late again", NOTHING),
        ("Memory, image and island are words with others inside", NOTHING),
        ("He said hello to his brother", NOTHING),
    ],
)
def test_who_speaks_of_themselves(text: str, expected: Feature) -> None:
    assert features(text) & FIRST_PERSON == expected


def test_a_question_about_oneself_tells_nothing_of_oneself() -> None:
    assert features("Where did I put my keys?") == ASKS
    assert features("Where did I put my keys? Under the stairs.") == NOTHING
    assert features("Where are they? I put them under the stairs.") == FIRST_PERSON
    assert features("I put them somewhere. Where are they?") == FIRST_PERSON | ASKS
    assert features("I lost them\nWhere are they?") == FIRST_PERSON | ASKS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Room 12", NUMBER),
        ("Seven boats", NUMBER),
        ("It was TWICE as long", NUMBER),
        ("部屋は１２号室です", NUMBER),
        ("الغرفة ١٢", NUMBER),
        ("कमरा १२", NUMBER),
        ("v2", NUMBER),
        ("Someone often weighs them", NOTHING),  # one, ten and eight are inside
        ("A boat", NOTHING),
    ],
)
def test_a_number_is_digits_of_any_script_or_a_word(text: str, expected: Feature) -> None:
    assert features(text) & NUMBER == expected


OF_OTHER_LANGUAGES = [
    ("Japanese", "私は犬を飼っています。", "犬はどこにいますか？"),
    ("Chinese", "我养了一只猫。", "猫在哪里？"),
    ("Korean", "저는 부산에서 일해요.", "어디에서 일해요?"),
    ("Arabic", "تعمل أختي في القاهرة.", "أين تعمل أختي؟"),
    ("German", "Ich wohne mit Waldi in Köln.", "Wo wohnt Waldi?"),
    ("Spanish", "Mi hermana vive en Málaga.", "¿Dónde vive mi hermana?"),
]


@pytest.mark.parametrize(
    ("told", "asked"), [(told, asked) for _, told, asked in OF_OTHER_LANGUAGES],
    ids=[language for language, _, _ in OF_OTHER_LANGUAGES],
)  # fmt: skip
def test_of_a_language_without_word_lists_questions_and_digits_are_told(
    told: str, asked: str
) -> None:
    assert features(told) == NOTHING
    assert features(asked) == ASKS
    assert features(f"{told} {asked}") == ASKS
    assert features(f"{asked} {told}") == NOTHING
    assert features(f"7 {told}") == NUMBER


@pytest.mark.parametrize("mark", ["?", "？", "؟", "՞", "\u037e"])
def test_every_scripts_question_mark_ends_a_question(mark: str) -> None:
    assert features(f"Where is it{mark}") == ASKS
    assert features(f"Where is it{mark} \n") == ASKS
    assert features(f"Where is it{mark} There") == NOTHING
    assert features("Where is it.") == NOTHING


@pytest.mark.parametrize("caption", [" [a dog on a beach]", "[]", "\n[shows: 犬] ", "   [a (b) c]"])
def test_the_caption_of_a_picture_does_not_hide_a_question(caption: str) -> None:
    assert features("Where is it?" + caption) == ASKS
    assert features("There it is." + caption) == NOTHING


def test_brackets_elsewhere_are_text() -> None:
    assert features("[Where is it?] There") == NOTHING
    assert features("Is it there [in the hall]? Yes") == NOTHING
    assert features("[Where is it?]") == NOTHING


@given(ANYTHING)
def test_any_text_has_features(text: str) -> None:
    assert features(text) in Feature(7)
    assert NUMBER in features(text + "7")
    assert ASKS in features(text + "?")
    assert FIRST_PERSON in features(text + "\nI am.")


@given(ANYTHING.filter(lambda text: "]" not in text), st.from_regex(r"[a-z ]{0,9}", fullmatch=True))
def test_a_caption_changes_nothing_of_what_is_asked(text: str, caption: str) -> None:
    assert features(f"{text} [{caption}]") & ASKS == features(text) & ASKS


@pytest.mark.parametrize("char", [" ", "\n", "[", "[ ", "]", "?", "? ", "I ", "1"])
def test_a_long_text_of_one_character_is_soon_read(char: str) -> None:
    """A text may be a million characters long: what is squared takes a quarter of an hour."""
    started = perf_counter()
    assert features(char * 50_000 + "x") in Feature(7)
    assert perf_counter() - started < 1


@pytest.mark.parametrize(
    ("text", "lasts"),
    [
        ("Always give dates as day and month when I ask about deadlines.", True),
        ("Thanks! Never call me before nine", True),
        ("Please always answer in Dutch", True),
        ("I’d prefer the window seat, can you book one?", True),
        ("I really prefer tea", True),
        ("From now on we meet on Mondays", True),
        ("I am severely allergic to nuts", True),
        ("I don't eat fish", True),
        ("We should have preferred the ferry", False),
        ("She is always late", False),
        ("Always good to see you!", False),
        ("Never saw this coming", False),
        ("I have never been to Lisbon", False),
        ("I never know what to say", False),
        ("Siempre contesta en español", False),  # no list for Spanish: found by its vector only
    ],
)
def test_a_wish_that_lasts(text: str, lasts: bool) -> None:
    assert bool(features(text) & Feature.STANDING) is lasts


def test_the_sentences_that_say_a_wish_are_told_from_the_others() -> None:
    text = "The tram was late. I prefer the ferry. Rain again! Never call me before nine."
    assert standing(text) == "I prefer the ferry. Never call me before nine."
    assert standing("The tram was late.") == "The tram was late."
