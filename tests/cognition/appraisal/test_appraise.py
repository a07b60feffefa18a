"""What a text is about, how pleasant and how exciting it is."""

from __future__ import annotations

from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.cognition.appraisal import ContentFeature, appraise
from tests.cognition.appraisal.sentences import NONE, C, E, M, N, P, S, X

ANYTHING = st.text(st.characters(exclude_categories=()), max_size=120)
WORDS = st.lists(
    st.sampled_from(
        "the der not nicht very sehr good gut bad war die love ! . , step 1. \n".split(" ")
    ),
    max_size=30,
).map(" ".join)


def sign(text: str) -> int:
    sentiment = appraise(text).sentiment
    return (sentiment > 0.1) - (sentiment < -0.1)


def test_flat_text_says_nothing() -> None:
    flat = appraise("The ferry to the island takes forty minutes.")
    assert (flat.features, flat.sentiment, flat.arousal) == (NONE, 0, 0)
    assert appraise("") == flat


@pytest.mark.parametrize(
    ("text", "feature"),
    [
        ("They found an unexpected result", N),
        ("These are the steps to follow", P),
        ("He was in a strange mood", E),
        ("My cousin lives there", S),
        ("Could you help with it?", C),
        ("It is a matter of privacy", M),
        ("That is no longer so", X),
    ],
)
def test_each_feature(text: str, feature: ContentFeature) -> None:
    assert feature in appraise(text).features


@pytest.mark.parametrize(
    "text",
    [
        "First open the lid, then take out the filter.",
        "1. Open the lid\n2. Take out the filter",
        "  1) lid\n  2) filter",
    ],
)
def test_an_order_of_steps_is_a_procedure(text: str) -> None:
    assert P in appraise(text).features


@pytest.mark.parametrize(
    "text", ["My first car was green.", "She has 2. 5 is too many.", "1. January\nis a holiday"]
)
def test_one_step_is_none(text: str) -> None:
    assert P not in appraise(text).features


def test_many_exclamation_marks_are_a_feeling() -> None:
    assert E not in appraise("It is snowing!").features
    assert E in appraise("It is snowing!!").features
    assert E not in appraise("a != b, c != d, ![plan](plan.png)").features


# --- sentiment -------------------------------------------------------------------------------


def test_a_negation_turns_and_weakens() -> None:
    good, bad = appraise("The soup is good.").sentiment, appraise("The soup is bad.").sentiment
    not_good = appraise("The soup is not good.").sentiment
    assert bad < not_good < 0 < good
    assert 0 < appraise("The soup is not bad.").sentiment < good


def test_a_negation_reaches_three_words_and_no_other_clause() -> None:
    assert sign("That is not a very good idea.") == -1
    assert sign("He has not the good ones.") == -1
    assert sign("He has not one of the good ones.") == 1
    assert sign("No, the soup was good.") == 1
    assert sign("It is not cheap but good.") == 1


@pytest.mark.parametrize(
    "text",
    [
        "Das gefällt mir gar nicht.",
        "Diese Farbe mag ich nicht",
        "Die Suppe ist nicht gut.",
        "La soupe n’est pas bonne.",
        "La sopa no está buena.",
        "La zuppa non è buona.",
        "A sopa não está boa.",
        "De soep is niet lekker.",
    ],
)
def test_negations_of_other_languages(text: str) -> None:
    assert sign(text) == -1


def test_a_negation_at_the_end_of_a_clause_turns_what_stands_before_it_in_german() -> None:
    assert sign("Das gefällt mir.") == 1
    assert sign("Das gefällt mir nicht, sagt er.") == -1
    assert sign("Das gefällt mir, und teuer ist es nicht.") == 1
    assert sign("Ich lache und bin nicht allein.") == 1


def test_what_strengthens_and_what_weakens() -> None:
    plain = appraise("The film was boring.").sentiment
    assert appraise("The film was extremely boring.").sentiment < plain
    assert plain < appraise("The film was slightly boring.").sentiment < 0
    assert appraise("The film was boring!!").sentiment < plain


def test_a_phrase_counts_before_its_words() -> None:
    assert sign("There was a problem.") == -1
    assert sign("Sure, no problem.") == 1
    assert sign("My hard drive holds the error message.") == 0
    assert sign("I cannot wait to see you.") == 1


@pytest.mark.parametrize("text", ["arrived 😍", "arrived :)", "доехали 🎉"])
def test_pictures_of_gladness_count_in_any_language(text: str) -> None:
    assert sign(text) == 1
    assert E in appraise(text).features


def test_pictures_of_sorrow_count_in_any_language() -> None:
    assert [sign(text) for text in ("arrived 😭", "arrived :(", "приехали 💔")] == [-1, -1, -1]


# --- languages -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "Die Katze liegt unter dem Tisch.",
        "Das Hotel war in Bad Tölz.",
        "Der Rat der Stadt tagt heute.",
        "Wir sind fast da.",
        "Er hat einen Sohn, das Kind ist drei.",
    ],
)
def test_german_words_that_look_english_say_nothing(text: str) -> None:
    assert sign(text) == 0


def test_the_same_words_count_in_english() -> None:
    assert sign("They die of hunger.") == -1
    assert sign("The war goes on.") == -1
    assert sign("It was a bad hotel.") == -1
    assert sign("You are so kind.") == 1


def test_a_gift_is_poison_in_german() -> None:
    assert sign("This is a gift from my aunt.") == 1
    assert sign("Das ist ein Gift aus der Fabrik.") == -1
    assert sign("Gift") == 0  # which language it is in cannot be told


def test_hell_is_bright_in_german() -> None:
    assert sign("The trip was hell.") == -1
    assert sign("Das Zimmer war hell.") == 1


def test_a_text_without_small_words_is_read_by_the_rest() -> None:
    assert sign("Great job") == 1
    assert sign("Bad!") == -1
    assert sign("Furchtbar") == -1


def test_a_language_without_lists_is_neutral() -> None:
    nothing = appraise("Сегодня был ужасный день, я очень расстроен")
    assert (nothing.features, nothing.sentiment, nothing.arousal) == (NONE, 0, 0)
    marked = appraise("ひどい日だった!!")
    assert marked.features == E
    assert marked.sentiment == 0
    assert marked.arousal > 0
    assert P in appraise("1. откройте крышку\n2. выньте фильтр").features


def test_accents_may_be_left_out_and_the_apostrophe_bent() -> None:
    assert sign("La comida estaba fantástica") == sign("La comida estaba fantastica") == 1
    assert sign("Ich bin sehr unglücklich") == sign("Ich bin sehr ungluecklich") == -1
    assert sign("I don’t like it") == sign("I don't like it") == -1
    assert sign("C\u0327a me plai\u0302t") == 1  # accents as signs of their own


# --- arousal ---------------------------------------------------------------------------------


def test_what_excites() -> None:
    flat = appraise("The parcel is here.").arousal
    exciting = appraise("Suddenly there was an explosion.").arousal
    assert flat == 0 < appraise("The parcel is here!").arousal < exciting
    told = appraise("It was an explosion.").arousal
    assert 0 < appraise("It was not an explosion.").arousal < told
    assert appraise("THE PARCEL IS NOT HERE").arousal > 0


def test_acronyms_do_not_shout() -> None:
    assert appraise("The NASA file is in XML and JSON.").arousal == 0


def test_a_sad_text_may_be_calm() -> None:
    text = appraise("The soup was mediocre and the room dirty.")
    assert text.sentiment < 0
    assert text.arousal == 0


def test_the_same_share_of_words_says_the_same_in_a_long_text() -> None:
    mixed = "The room was good. The room was bad. "
    assert appraise(mixed * 50).sentiment == pytest.approx(0)
    assert appraise("The room was good. " * 4).sentiment > appraise("The room was good. ").sentiment


# --- all texts -------------------------------------------------------------------------------


@given(ANYTHING | WORDS)
def test_any_text_has_an_appraisal_within_bounds(text: str) -> None:
    first = appraise(text)
    assert -1 <= first.sentiment <= 1
    assert 0 <= first.arousal <= 1
    assert 0 <= first.features < 128
    assert appraise(text) == first


@pytest.mark.parametrize(
    "part",
    [
        "actually ",
        "used to ",
        "not good very ",
        "gut ",
        "gut nicht. ",
        "!",
        "1. \n",
        "  1",
        "\n",
        "A",
    ],
)
def test_time_grows_with_length_and_no_faster(part: str) -> None:
    def seconds(length: int) -> float:
        text = part * (length // len(part))
        best = float("inf")
        for _ in range(3):
            start = perf_counter()
            appraise(text)
            best = min(best, perf_counter() - start)
        return best

    seconds(1_000)  # reads the lists
    assert seconds(100_000) < 45 * seconds(10_000)  # 10 if linear, 100 if not
