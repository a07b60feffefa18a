"""What each step of the search by words adds, and that its setting takes it away again."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mnemic import BoundMemory, Settings
from mnemic.index.text.near import near_words
from mnemic.index.text.tokens import stem
from tests.conftest import Opener

OTHERS = [
    "The ferry was late again",
    "We painted the kitchen yellow",
    "The dentist moved to Elm Street",
    "Grandmother sent a parcel of quinces",
    "The bus strike is over",
    "Their bicycle needs a chain",
]

Told = Callable[..., BoundMemory]


@pytest.fixture
def told(open_brain: Opener) -> Told:
    """Makes a caller who was told `OTHERS` and then some talks: texts, or turns of a thread."""
    made = 0

    def make(*talks: str | tuple[str, ...], **retrieval: float) -> BoundMemory:
        nonlocal made
        made += 1
        settings = Settings(retrieval=retrieval)
        who = open_brain(f"{made}.db", embedder=None, settings=settings).bind(user="ana")
        several = [*OTHERS, *talks]
        turns = [(talk,) if isinstance(talk, str) else talk for talk in several]
        who.remember_many(
            [
                {"content": text, "thread": f"talk {at}"}
                for at, talk in enumerate(turns)
                for text in talk
            ]
        )
        return who

    return make


def found(who: BoundMemory, question: str) -> list[str]:
    return [hit.trace.content for hit in who.recall(question, limit=100)]


def related(who: BoundMemory, question: str) -> dict[str, tuple[str, ...]]:
    return {hit.trace.content: hit.why.related for hit in who.recall(question, limit=100)}


# The turn before.


@pytest.mark.parametrize("caption", ["", " [a photo of Ruth]"])
def test_an_answer_is_lifted_by_the_words_of_its_question(told: Told, caption: str) -> None:
    talks = [(f"Ruth plays the violin{mark}{caption}", "Since she was six") for mark in ".?"]

    def best(who: BoundMemory) -> str | None:
        hits = who.recall("violin", limit=100)
        return next(h.trace.thread for h in hits if h.trace.content == "Since she was six")

    assert best(told(*talks)) == "talk 7"
    assert best(told(*talks, previous_question_weight=0.4)) == "talk 6"
    assert best(told(*talks, previous_question_weight=0)) == "talk 6"


def test_a_question_lends_its_words_to_the_next_turn_only(told: Told) -> None:
    turns = ("Good morning", "Does Ruth play the violin?", "Since she was six", "Good night")
    who = told(turns, next_weight=0)
    assert found(who, "violin") == [turns[1], turns[2]]
    assert found(told(turns, next_weight=0, previous_question_weight=0), "violin") == [turns[1]]


# Near words.

DOG = "My dog is called Waldi"


def test_words_that_mean_about_the_same_are_looked_for(told: Told) -> None:
    who = told(DOG)
    assert related(who, "Which pets are there?") == {DOG: ("dog",)}
    [hit] = who.recall("Which pets are there?")
    assert hit.why.terms == ()
    assert "related: dog" in str(hit.why)
    assert related(who, "Which dog is there?") == {DOG: ()}
    for off in ({"near_weight": 0.0}, {"near_words": 0}):
        without = told(DOG, **off)
        assert found(without, "Which pets are there?") == []
        assert found(without, "Which dog is there?") == [DOG]


def test_the_word_that_was_asked_counts_more_than_one_near_to_it(told: Told) -> None:
    pet = "My pet is called Waldi"
    assert found(told(DOG, pet), "pet") == [pet, DOG]
    assert found(told(pet, DOG), "dog") == [DOG, pet]


def test_a_near_word_counts_by_the_setting_and_by_how_near_it_is(told: Told) -> None:
    cat = "My cat is called Minka"

    def scores(**retrieval: float) -> tuple[float, float]:
        who = told(DOG, cat, feedback_weight=0, **retrieval)
        by = {hit.trace.content: hit.why.arms["lexical"].score for hit in who.recall("pets")}
        return by[DOG], by[cat]

    of_dog, of_cat = scores()
    near = dict(near_words(stem("pets")))
    assert of_dog / of_cat == pytest.approx(near["dog"] / near["cat"], rel=1e-5)
    assert scores(near_weight=0.9) == pytest.approx((3 * of_dog, 3 * of_cat), rel=1e-5)


def test_the_nearest_that_are_there_are_looked_for(told: Told) -> None:
    """Of the words near to "pet" dog is nearer than cat, whichever stands where."""
    near = dict(near_words(stem("pets")))
    assert near["dog"] > near["cat"]
    cat = "The cat is called Minka"
    assert found(told(cat, DOG), "pets") == [DOG, cat]
    assert found(told(cat, DOG, near_words=1), "pets") == [DOG]
    assert found(told(cat, near_words=1), "pets") == [cat]


def test_a_question_that_holds_both_words_looks_for_each_once(told: Told) -> None:
    who = told(DOG)
    assert related(who, "pets or a dog") == {DOG: ()}
    assert [hit.why.terms for hit in who.recall("pets or a dog")] == [("dog",)]


def test_what_the_question_holds_itself_takes_no_place_among_the_near_words(told: Told) -> None:
    cello, flute = "A cello stands in the hall", "A flute lies in the hall"
    who = told(cello, flute, near_words=1)
    assert found(who, "violin") == [cello]
    assert found(who, "violin or cello") == [cello, flute]


def test_a_framing_word_and_a_long_question_have_no_near_words(told: Told) -> None:
    stroll, walk = "A stroll in the rain", "A walk in the rain"
    assert found(told(stroll), "walk") == []
    assert found(told(walk), "walk") == [walk]
    assert found(told(walk), "stroll") == [walk]
    many = " ".join(f"zephyr{at}" for at in range(32))
    assert found(told(DOG), f"{many[:-9]} pets") == [DOG]
    assert found(told(DOG), f"{many} pets") == []
    assert found(told(DOG), f"{many} dog") == [DOG]


@pytest.mark.parametrize(
    ("asked", "other"),
    [
        ("March", "April"),
        ("May", "July"),
        ("Tuesday", "Friday"),
        ("seven", "eight"),
        ("week", "month"),
    ],
)
def test_a_day_or_a_number_means_itself_alone(told: Told, asked: str, other: str) -> None:
    """All these texts were written on a Monday in June, too."""
    assert near_words(stem(asked.lower()))
    text = f"Ruth picked quinces, {other} was it"
    who = told(text, feedback_weight=0)
    assert found(who, asked) == []
    assert found(who, other) == [text]
    assert len(found(who, "June")) == len(found(who, "Monday")) == len(OTHERS) + 1


@pytest.mark.parametrize(
    ("asked", "other"),
    [("eleven", "seven"), ("Feb", "March"), ("birthday", "July")],
)
def test_a_day_or_a_number_is_not_meant_by_another_word(told: Told, asked: str, other: str) -> None:
    assert stem(other.lower()) in dict(near_words(stem(asked.lower())))
    text = f"Ruth picked quinces, {other} was it"
    assert found(told(text), asked) == []
    assert found(told(text), other) == [text]


def test_when_a_text_was_written_is_near_to_no_word(told: Told) -> None:
    """Every text here is of a Monday."""
    assert stem("monday") in dict(near_words(stem("schedule")))
    timetable = "A timetable hangs in the hall"
    assert found(told(timetable), "schedule") == [timetable]


# Words that stand together.

APART, CLOSE = "The red boat by the old violin", "The old boat by the red violin"


def test_of_the_same_words_those_that_stand_together_come_first(told: Told) -> None:
    assert found(told(APART, CLOSE), "red violin")[:2] == [CLOSE, APART]
    assert found(told(APART, CLOSE), "old violin")[:2] == [APART, CLOSE]
    without = told(APART, CLOSE, proximity_weight=0)
    assert found(without, "red violin")[:2] == found(without, "old violin")[:2] == [APART, CLOSE]


def test_the_order_of_the_words_does_not_matter(told: Told) -> None:
    for question in ("red violin", "violin, red", "the red and the violin"):
        assert found(told(APART, CLOSE), question)[0] == CLOSE


def test_only_words_side_by_side_in_the_question_are_a_pair(told: Told) -> None:
    """Of "red", "harbour" and "violin", the first and the last are none."""
    apart = "The red boat by the old harbour and another violin"
    close = "The harbour boat by the old red and another violin"
    alone = {"near_weight": 0.0, "feedback_weight": 0.0}
    assert found(told(apart, close, **alone), "red violin")[0] == close
    assert found(told(close, apart, **alone), "red harbour violin")[0] == apart


def test_words_far_from_each_other_are_as_good_as_alone(told: Told) -> None:
    filling = "one two three four five six seven eight nine"
    far, close = f"Red {filling} violin", f"{filling} red violin"
    who = told(far, close, f"red nine violin {filling[:-5]}", feedback_weight=0, near_weight=0)

    def score(content: str, question: str) -> float:
        by = {h.trace.content: h.why.arms["lexical"].score for h in who.recall(question)}
        return by[content]

    alone = score(far, "red") + score(far, "violin")
    assert score(far, "red violin") == pytest.approx(alone, rel=1e-5)
    assert score(close, "red violin") > 1.1 * alone


# Words that the best texts share.

BEST = ["A rosewood bow for the violin", "The violin of Ruth has a rosewood bow"]
PLAIN, SHARING = (
    "They sold the violin with lanterns today",
    "They sold the violin with rosewood today",
)


def test_a_word_that_the_best_texts_share_lifts_another_that_holds_it(told: Told) -> None:
    who = told(*BEST, PLAIN, SHARING)
    assert [text for text in found(who, "violin") if text not in BEST] == [SHARING, PLAIN]
    words = related(who, "violin")
    assert "rosewood" in words[SHARING]
    assert "rosewood" not in words[PLAIN]
    without = told(*BEST, PLAIN, SHARING, feedback_weight=0)
    assert [text for text in found(without, "violin") if text not in BEST] == [PLAIN, SHARING]
    assert set(related(without, "violin").values()) == {()}


def test_a_text_with_no_word_of_the_question_is_not_found_by_what_others_share(
    told: Told,
) -> None:
    who = told(*BEST, "The rosewood table is new")
    assert found(who, "violin") == found(told(*BEST), "violin")
    assert "The rosewood table is new" in found(who, "rosewood")


def test_so_many_words_of_so_many_texts_are_looked_for(told: Told) -> None:
    talks = [*BEST, PLAIN, SHARING]
    one_word = set(related(told(*talks, feedback_words=1), "violin").values())
    assert {word for words in one_word for word in words} == {"rosewood"}
    # Of the best text alone, nothing is known of what is sold.
    one_text = set(related(told(*talks, feedback_texts=1), "violin").values())
    assert {word for words in one_text for word in words} == {"rosewood", "bow"}
    usual = set(related(told(*talks), "violin").values())
    assert {word for words in usual for word in words} > {"rosewood", "bow", "sell"}


def test_words_that_say_nothing_are_not_looked_for(told: Told) -> None:
    """Not what a question would drop or halve, and no word of one or two letters."""
    talks = ["The violin he told us of, kg 7", "The violin she told us of, kg 7"]
    assert set(related(told(*talks), "violin").values()) == {()}
    telling = [f"{talk} rosewood" for talk in talks]
    assert set(related(told(*telling), "violin").values()) == {("rosewood",)}


def test_all_steps_together_find_nothing_where_nothing_is(told: Told, open_brain: Opener) -> None:
    assert found(told(), "zephyr") == found(told(), "zephyr lantern") == []
    assert found(open_brain(embedder=None).bind(user="bob"), "violin") == []
    assert found(told("A zephyr"), "zephyr") == ["A zephyr"]


# Languages that have no lists and no tables.

LANGUAGES = {
    "Japanese": (
        ["昨日は友達と映画を見ました。", "犬の名前はポチです。", "猫の名前はタマです。"],
        "犬の名前は何ですか？",
        1,
    ),
    "Chinese": (
        ["他昨天去了上海。", "我妹妹喜欢吃饺子。", "我妹妹在北京学习物理。"],
        "妹妹在哪里学习？",
        2,
    ),
    "Korean": (
        ["제 동생은 부산에서 일해요.", "제 누나는 서울에서 공부해요.", "어제 책을 샀어요."],
        "동생은 어디에서 일해요?",
        0,
    ),
    "Arabic": (
        ["أخي يعمل في المطار.", "اشتريت سيارة زرقاء.", "أختي تعمل في المستشفى."],
        "أين تعمل أختي؟",
        2,
    ),
    "German": (
        [
            "Mein Bruder wohnt in Köln.",
            "Die Katze war am Fenster.",
            "Meine Schwester wohnt in Ulm.",
        ],
        "Wo wohnt meine Schwester?",
        2,
    ),
    "Spanish": (
        ["Mi hermano vive en Cádiz.", "Mi hermana vive en Málaga.", "El perro se llama Lobo."],
        "¿Dónde vive mi hermana?",
        1,
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_without_lists_is_searched_all_the_same(told: Told, language: str) -> None:
    texts, question, place = LANGUAGES[language]
    others = [text for at, text in enumerate(texts) if at != place]
    answer = texts[place]
    for order in ([answer, *others], [*others, answer], [others[0], answer, others[1]]):
        who = told(*order)
        assert found(who, question)[0] == answer
        assert who.recall(question)[0].why.terms


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_too_an_answer_is_lifted_by_its_question(told: Told, language: str) -> None:
    _, question, _ = LANGUAGES[language]
    talks = [(question[:-1] + ".", "Ok."), (question, "Ok.")]

    def best(who: BoundMemory) -> str | None:
        hits = who.recall(question, limit=100)
        return next(hit.trace.thread for hit in hits if hit.trace.content == "Ok.")

    assert best(told(*talks)) == "talk 7"
    assert best(told(*talks, previous_question_weight=0.4)) == "talk 6"
