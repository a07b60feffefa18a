"""Look-alikes are read as what they look like; the words of a script stay apart."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.model.normal_form import look_alikes, normal_form, variants
from tests.model.disguises import WORDS


def pairs() -> list[tuple[str, str]]:
    data = look_alikes()
    greek = zip("ΝΥΗΜνυη", "nyhmvun", strict=True)
    return [*data.letters.items(), *data.doubtful.items(), *greek]


def test_every_look_alike_is_read_as_what_it_looks_like() -> None:
    wrong = []
    for char, look in pairs():
        for text in (f"ab{look}de", f"it is ab{look}{look}de here"):
            if normal_form(text.replace(look, char)) != normal_form(text):
                wrong.append((char, look, text))
    assert len(pairs()) > 1_300
    assert wrong == []


def test_both_cases_of_a_look_alike_are_one() -> None:
    unlike = set("ΝΥΗΜνυημ")
    wrong = [
        char
        for char, _ in pairs()
        if char not in unlike
        and unicodedata.normalize("NFKC", char.swapcase()) == char.swapcase()
        and normal_form(f"ab{char}cd") != normal_form(f"ab{char.swapcase()}cd")
    ]
    assert wrong == []


def by_look() -> dict[str, str]:
    """All characters for each letter, with those that compatibility forms give."""
    found: dict[str, str] = {}
    for char, look in pairs():
        found[look] = found.get(look, look) + char
    for code in [*range(0x1D400, 0x1D800), *range(0xFF01, 0xFF5F), *range(0x24B6, 0x24EA)]:
        plain = unicodedata.normalize("NFKC", chr(code)).lower()
        found[plain] = found.get(plain, plain) + chr(code)
    return found


@given(
    st.sampled_from(["ana lives in lisbon", "the quick brown fox jumps over a lazy dog", "hope"]),
    st.data(),
)
def test_any_letters_may_be_replaced_at_once(text: str, data: st.DataObject) -> None:
    looks = by_look()
    disguise = "".join(data.draw(st.sampled_from(looks.get(char, char))) for char in text)
    assert text in variants(disguise)
    if not disguise.isascii() and set(disguise) & set("νυη"):
        return  # all in Greek letters, it may be Greek
    assert normal_form(disguise) == text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Москва", "Mocквa"),
        ("МОСКВА", "москва"),
        ("Я живу в Порту", "Я живy в Пopтy"),
        ("Η Άννα ζει εδώ", "H Άννα ζει εδώ"),
        ("Ζοё", "Zoë"),
    ],
)
def test_words_of_other_scripts_are_known_in_latin_letters(one: str, other: str) -> None:
    assert one != other
    assert normal_form(one) == normal_form(other)


def test_in_greek_case_makes_no_difference() -> None:
    for text in ("Η Άννα μένει στη Λισαβόνα", "Ναι", "νύχτα υγεία", "μαμά"):
        assert normal_form(text.upper()) == normal_form(text.lower()) == normal_form(text)


def test_greek_letters_among_latin_ones_are_read_as_they_look() -> None:
    assert normal_form("νery Νice υρ") == "very nice up"
    assert normal_form("very νery λόγος") == "very very λóγoσ"


def test_ascii_is_only_folded() -> None:
    ascii_signs = "".join(map(chr, range(33, 127)))
    assert normal_form(f"a{ascii_signs}a") == f"a{ascii_signs}a".lower().replace(":;<", ":;<")
    for one in ascii_signs:
        for other in ascii_signs.replace(one.swapcase(), "").replace(one, ""):
            assert normal_form(f"a{one}a") != normal_form(f"a{other}a")


@pytest.mark.parametrize("language", WORDS)
def test_words_of_a_script_stay_apart(language: str) -> None:
    words = WORDS[language].split()
    assert len(set(words)) == len(words) > 10
    assert len({normal_form(word) for word in words}) == len(words)
    for word in words:
        assert normal_form(f"*{word}*\u3000") == normal_form(word)
        if language != "Turkish":  # whose ı is an I as a capital
            assert normal_form(word.upper()) == normal_form(word)


def test_look_alikes_are_pairs_of_another_character_and_one_of_ascii() -> None:
    data = look_alikes()
    assert not data.letters.keys() & data.doubtful.keys()
    for char, look in pairs():
        assert len(char) == len(look) == 1
        assert not char.isascii()
        assert look.isascii() or look == "·"
        assert not look.isupper()


def test_the_digits_are_those_of_unicode() -> None:
    read = look_alikes().letters
    for code in range(128, 0x20000):
        value = unicodedata.decimal(chr(code), None)
        if value is not None:
            assert normal_form(f"a{chr(code)}a") == f"a{value}a"
    assert sum(look.isdigit() for look in read.values()) > 600
