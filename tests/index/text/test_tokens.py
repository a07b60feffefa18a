import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mnemic.index.text.tokens import MAX_TOKEN_CHARS, stem, stems, words

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=60)
"""Lone surrogates, private and unassigned characters too."""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don't re-plan snake_case, OK?", ["don", "t", "re", "plan", "snake", "case", "ok"]),
        ("Don’t “re-plan” — it’s fine…", ["don", "t", "re", "plan", "it", "s", "fine"]),
        ("El niño comió en Málaga", ["el", "nino", "comio", "en", "malaga"]),
        ("Die Straße in Köln", ["die", "strasse", "in", "koln"]),
        ("Łódź, Tromsø, cœur", ["lodz", "tromso", "coeur"]),
        ("Ёлка и чай", ["елка", "и", "чаи"]),
        ("Καλημέρα ΚΌΣΜΟΣ", ["καλημερα", "κοσμοσ"]),
        ("ｆｕｌｌ ｗｉｄｔｈ ﬁne", ["full", "width", "fine"]),
        ("soft\u00adhyphen zero\u200bwidth", ["softhyphen", "zero", "width"]),
        ("३ बिल्लियाँ", ["3", "बिल्लियाँ"]),
        ("a\0b\ud800c", ["a", "b", "c"]),
        ("", []),
        ("?! -> …", []),
    ],
)
def test_words_of_scripts_with_spaces(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_arabic_vowel_signs_and_stretching_do_not_count() -> None:
    assert words("كِتَابٌ") == words("كتـــاب") == ["كتاب"]
    assert words("أحمد") == words("احمد")
    assert words("٢٠٢٤") == ["2024"]


def test_words_are_not_broken_at_vowel_signs() -> None:
    assert words("मुझे चाय पसंद है") == ["मुझे", "चाय", "पसंद", "है"]
    assert words("நன்றி") == ["நன்றி"]


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("昨日は東京で寿司を食べました。", "東京"),
        ("我上个月搬到了上海，很喜欢。", "上海"),
        ("어제 서울에서 김치를 먹었어요", "서울"),
        ("ฉันชอบกินข้าวผัดกุ้ง", "ข้าว"),
        ("ຂ້ອຍຢູ່ວຽງຈັນ", "ວຽງຈັນ"),
        ("ខ្ញុំរស់នៅភ្នំពេញ", "ភ្នំពេញ"),
        ("ကျွန်တော်ရန်ကုန်မှာနေတယ်", "ရန်ကုန်"),
    ],
)
def test_a_word_inside_an_unspaced_run_is_found(text: str, asked: str) -> None:
    assert set(words(asked, query=True)) <= set(words(text))
    assert len(words(asked, query=True)) > 0


def test_pairs_and_characters() -> None:
    assert words("東京都") == ["東", "東京", "京", "京都", "都"]
    assert words("東京都", query=True) == ["東京", "京都"]
    assert words("猫", query=True) == words("猫") == ["猫"]
    assert words("東京2020大会A", query=True) == ["東京", "2020", "大会", "a"]
    assert words("ﾎﾟﾁ") == words("ポチ")


def test_marks_stay_with_their_character() -> None:
    assert words("กี่", query=True) == ["กี่"]
    assert words("ก็ดี", query=True) == ["ก็ดี"]


def test_a_rare_han_character_with_a_variation_selector_is_the_plain_one() -> None:
    assert words("葛\U000e0100城") == words("葛城")


def test_an_emoji_is_a_word_whatever_its_dress() -> None:
    assert words("great👍🏽!") == ["great", "👍"]
    assert words("❤️") == words("❤") == ["❤"]
    assert words("👩\u200d🚀") == ["👩", "🚀"]
    assert words("1️⃣ first") == ["1", "first"]


def test_boxes_bullets_and_signs_are_no_words() -> None:
    assert words("│ ─── ● ■ 20 °C ©") == ["20", "c"]


def test_an_endless_word_is_cut_on_both_sides_alike() -> None:
    for letter in ("x", "é", "ж"):
        assert [len(word) for word in words(letter * 500)] == [MAX_TOKEN_CHARS]
    assert words("ab" * 200) == words("ab" * 200, query=True)


def test_endless_runs_take_time_in_proportion() -> None:
    assert words("क" + "ि" * 1_000_000) == ["क" + "ि" * (MAX_TOKEN_CHARS - 1)]
    assert len(words("ก" + "่" * 1_000_000)) == 1
    assert {len(word) for word in words(("ก" + "่" * 100) * 3)} == {MAX_TOKEN_CHARS}
    assert words("x" * 1_000_000) == ["x" * MAX_TOKEN_CHARS]


@given(ANY_TEXT, st.booleans())
@example("\u3099", False)
@example("\ud800\udc00", True)
def test_any_text_gives_words_that_are_not_empty_nor_too_long(text: str, query: bool) -> None:
    for word in words(text, query=query):
        assert 0 < len(word) <= MAX_TOKEN_CHARS
        assert not any(char.isspace() for char in word)


@given(ANY_TEXT)
def test_a_text_is_found_by_its_own_words(text: str) -> None:
    assert set(words(text, query=True)) <= set(words(text))


@given(st.text(max_size=60))
def test_composed_and_decomposed_text_are_the_same(text: str) -> None:
    composed, decomposed = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
    assert words(composed) == words(decomposed) == words(text)


@given(st.text(st.characters(max_codepoint=127), max_size=60))
def test_ascii_takes_the_short_way_to_the_same_words(text: str) -> None:
    assert words(text) == words(text + " é")[:-1]


def test_stems() -> None:
    assert stems("She bought the children better bicycles") == stems(
        "she buy the child good bicycle"
    )
    assert stem("went") == stem("going") == "go"
    assert stem("мыши") == "мыши"
    assert stem("þings") == "þings"
    assert stem("2023") == "2023"
