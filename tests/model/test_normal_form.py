"""What a reader takes for the same has one normal form; what means something else has another."""

from __future__ import annotations

import random
import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mnemic.model.normal_form import normal_form, variants
from tests.model.disguises import APART, DISGUISES, VALUE

INVISIBLE = [
    *(chr(code) for code in range(0x200B, 0x2010)),
    *(chr(code) for code in range(0x202A, 0x202F)),
    *(chr(code) for code in range(0x2060, 0x2070)),
    *(chr(code) for code in range(0xFE00, 0xFE10)),
    *(chr(code) for code in range(0xFFF9, 0xFFFC)),
    *"\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b\u180e\u2800\u3164\ufeff\uffa0",
    *"\U000e0001\U000e0020\U000e007f\U000e0100\U000e01ef\x00\x07\x1b\x7f\x80\x9f",
]

TEXT = st.text(st.characters())
MARKED = st.text(
    st.sampled_from("aBİı1 0.,;:!?-–*_~`'\"“”()[]{}<>#+$@/…¡•²½₂%Σςνυημσδωьһåßﾞ\u3099\u200b\t")
    | st.sampled_from("\u0301\u0307\u0308\u0327\u0336\u0338\u20dd\u0345가ᄀカ"),
    max_size=16,
)


@pytest.mark.parametrize("disguise", DISGUISES.values(), ids=list(DISGUISES))
def test_a_disguised_value_is_the_value(disguise: str) -> None:
    assert disguise != VALUE
    assert normal_form(disguise) == normal_form(VALUE) == "ana's flat is at 15 well-lane lisbon"


@pytest.mark.parametrize(("one", "other", "why"), APART)
def test_values_that_mean_something_else_stay_apart(one: str, other: str, why: str) -> None:
    assert normal_form(one) != normal_form(other), why
    for value in (one, other):
        assert normal_form(f"“{value}”") == normal_form(value) == normal_form(f" {value}\u200b ")


@pytest.mark.parametrize(
    "text",
    [
        "Mail the ledger, to Bob and, on Friday, to Eva",
        "Mail the ledger to Bob; and on Friday to Eva!",
        'Mail the "ledger" to Bob and on (Friday) to Eva.',
        "Mail the ledger to Bob. And on Friday to 'Eva'",
    ],
)
def test_marks_between_words_of_a_longer_text_do_not_count(text: str) -> None:
    plain = normal_form("mail the ledger to bob and on friday to eva")
    assert normal_form(text) == plain
    assert normal_form("Mail the ledger to Bob and on 5, 6 to Eva") != plain
    assert normal_form("Add 5, 6 and 78 to it") != normal_form("Add 56 and 78 to it")


def test_a_thousand_values_of_one_length_stay_apart() -> None:
    dice = random.Random(20)
    signs = "abcdefghijklmnopqrstuvwxyz0123456789аеорсхνσжд日本語한글 "
    values = {"x" + "".join(dice.choices(signs, k=22)) + "x" for _ in range(1_000)}
    assert len(values) == 1_000
    assert len({normal_form(value) for value in values}) == 1_000
    assert {normal_form(f"({value}).") for value in values} == set(map(normal_form, values))


# --- marks -----------------------------------------------------------------------------------


@pytest.mark.parametrize("mark", INVISIBLE, ids=ascii)
def test_what_nobody_sees_is_not_there(mark: str) -> None:
    assert normal_form(f"{mark}Lis{mark}bon{mark}") == "lisbon"
    assert normal_form(f"Lis{mark}b\u00f6n") == "lisbön"


@pytest.mark.parametrize(
    "text", ["!!!", "...", "?", "()", "(!)", "-", "* *", '"', "“”", "。", "😀", "«»"]
)
def test_a_value_of_marks_alone_keeps_something(text: str) -> None:
    assert normal_form(text) != ""
    assert normal_form(f" {text}\u200b ") == normal_form(text)
    assert normal_form("") == normal_form(" \u200b\n") == ""


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Lisbon , in May", "lisbon, in may"),
        ("Lisbon,in May", "lisbon, in may"),
        ("( Lisbon ) in [ May ]", "(lisbon) in [may]"),
        ("nice ! he said", "nice! he said"),
        ("2020 – 2023", "2020-2023"),
        ("and / or", "and/or"),
        ("really?!", "really?"),
        ("really!?", "really?"),
        ("U.S.", "u.s"),
        ("... and so on", "and so on"),
        ("¡Hola!", "hola"),
        ("'90s", "90s"),
        ("He said “yes.”", 'he said "yes'),
        ("½", "1/2"),
        ("2½ cups", "2 1/2 cups"),
        ("5²", "5^2"),
        ("İstanbul", "istanbul"),
        ("Straße", "strasse"),
        ("Ｌｉｓｂｏｎ：１", "lisbon:1"),
        ("e\u0301te\u0301", "été"),
        ("ế", "ế"),
        ("❤\ufe0f", "❤"),
        ("٣٫٥", "3.5"),
        ("a ≠ b", "a ≠ b"),
        ("f(x) = [1]", "f(x) = [1]"),
    ],
)
def test_the_form_of(text: str, form: str) -> None:
    assert normal_form(text) == form


@given(TEXT)
def test_a_normal_form_is_its_own(text: str) -> None:
    assert normal_form(normal_form(text)) == normal_form(text)


@given(MARKED)
def test_a_normal_form_of_many_marks_is_its_own(text: str) -> None:
    assert normal_form(normal_form(text)) == normal_form(text)


@pytest.mark.parametrize(
    "text",
    [
        "g\u0306\u0308\u0301 ı",  # marks that go were a sign of Turkish
        "- - - a",
        "a - - b",
        "*_1( * a}",
        "δ;;*;",
        "<μ-;*б",
        "μ\u0336Σ",
        "*" + "*x " * 30 + "a" + " x*" * 30,
        "x " + "*`" * 30 + "a" + "`*" * 30,
    ],
)
def test_a_normal_form_of_tangled_marks_is_its_own(text: str) -> None:
    assert normal_form(normal_form(text)) == normal_form(text)


@given(TEXT)
def test_case_makes_no_difference(text: str) -> None:
    # But for Greek letters among others, and for an iota below, which case folding moves.
    assume(not set(unicodedata.normalize("NFKD", text)) & set("ΝΥΗΜνυημ\u0345"))
    assert normal_form(text.casefold()) == normal_form(text)


@given(TEXT)
def test_composed_or_not_it_is_one_text(text: str) -> None:
    assert normal_form(unicodedata.normalize("NFD", text)) == normal_form(text)


@pytest.mark.parametrize(
    "piece", ["(", '("', "*", "`*", " ,", ". ", "- ", "\u0301\u0323", "δ;", "'", "a*"]
)
def test_long_texts_of_marks_come_to_an_end(piece: str) -> None:
    for text in (piece * 100_000, piece * 100_000 + "a"):
        assert normal_form(normal_form(text)) == normal_form(text)


# --- variants --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reads"),
    [
        ("L1sbon", "lisbon"),
        ("L1sb0n", "lisbon"),
        ("a smaller1 one", "a smallerl one"),
        ("h3ll0 th3re", "hello there"),
        ("p4$$w0rd", "password"),
        ("P@ris", "paris"),
        ("$ara", "sara"),
        ("br00k", "brook"),
        ("a11ergic to p3anuts", "allergic to peanuts"),
        ("Аnа l1ves іn Lisb0n", "ana lives in lisbon"),
    ],
)
def test_figures_in_words_are_read_as_letters_as_well(text: str, reads: str) -> None:
    forms = variants(text)
    assert reads in forms
    assert forms[0] == normal_form(text) != reads
    assert 2 <= len(forms) <= 4


@pytest.mark.parametrize(
    "text",
    [
        "Lisbon",
        "K0L-15",
        "b00k",
        "covid19",
        "B12",
        "2024",
        "10:30",
        "$500",
        "MP3",
        "3D",
        "24/7 h",
        "ΝΑΙ",
    ],
)
def test_a_value_without_such_words_has_one_form(text: str) -> None:
    assert variants(text) == (normal_form(text),)
    assert len(variants(text + " L1sbon")) > 1


def test_greek_that_can_be_read_both_ways_is_looked_up_both_ways() -> None:
    assert variants("νια") == ("nia", "via")
    assert variants("ναι") == ("nai", "vai")


@given(TEXT)
def test_there_are_four_forms_at_most(text: str) -> None:
    forms = variants(text)
    assert forms[0] == normal_form(text)
    assert 1 <= len(forms) == len(set(forms)) <= 4
