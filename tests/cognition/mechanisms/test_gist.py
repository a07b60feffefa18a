"""The wording of an old memory goes; its names, numbers and dates stay."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic.cognition.mechanisms.gist import Gist, gist_of, gisted_strength, wants_gist
from mnemic.cognition.mechanisms.salience import MOST_SENTENCES, read
from mnemic.errors import InvalidInput
from mnemic.model.trace import TraceType

DAY = 86_400_000
RULES = Gist()

MEETING = (
    "So, in the end we had the talk that was put off so often, and it went on for longer than "
    "anybody wanted. Ines Varga of Kestrel Foods wants the delivery moved to 14 March 2025. "
    "There was coffee, and some of us had cake as well. She accepts a price of 12.40 euros a "
    "crate from 300 crates on. It was quite a nice talk, all in all, and people were friendly "
    "to each other. The cold store in Gdynia is the weak point, for its door fails every "
    "night. I think that is about all there is to say for now. Let us see what comes of it."
)


def words(text: str) -> list[str]:
    return re.findall(r"\w+(?:[.,]\w+)*", text)


def telling(text: str) -> set[str]:
    """Numbers, and names that do not begin a sentence."""
    return set(re.findall(r"\d[\d.]*\d|(?<=[a-z] )[A-Z]\w+|Ines|Varga", text))


def test_the_wording_fades_and_names_and_numbers_stay() -> None:
    """Reyna & Brainerd 1995: verbatim fades faster than gist."""
    gist = gist_of(MEETING)
    kept_words = len(words(gist)) / len(words(MEETING))
    kept_marks = len(telling(gist)) / len(telling(MEETING))
    assert telling(MEETING) >= {"Ines", "Varga", "Kestrel", "Gdynia", "2025", "12.40", "300"}
    assert kept_marks == 1
    assert kept_words < 0.5
    assert "coffee" in MEETING
    assert "coffee" not in gist


def test_a_gist_is_whole_sentences_in_their_order() -> None:
    gist = gist_of(MEETING)
    sentences = re.split(r"(?<=[.]) ", MEETING)
    kept = [one for one in sentences if one in gist]
    assert " ".join(kept) == gist
    assert 1 < len(kept) < len(sentences)
    assert len(words(gist)) <= 50


def test_the_first_thirty_words_would_have_kept_less() -> None:
    first = " ".join(MEETING.split()[:30])
    assert telling(gist_of(MEETING, most_words=30)) > telling(first)


def test_a_short_text_is_its_own_gist() -> None:
    short = "Ines wants  the delivery\nmoved to 14 March."
    assert gist_of(short) == short
    assert gist_of("") == ""
    assert gist_of("!? ...\n") == "!? ...\n"


def test_entities_are_kept_even_where_the_sentence_says_little() -> None:
    assert "cake" not in gist_of(MEETING)
    assert "some of us had cake" in gist_of(MEETING, ["cake"])
    assert gist_of(MEETING, ["Lisbon"]) == gist_of(MEETING)  # the text has no such name
    assert gist_of(MEETING, ["  "]) == gist_of(MEETING)


def test_entities_for_which_no_room_is_left_are_listed() -> None:
    gist = gist_of(MEETING, ["cake", "gdynia", "Kestrel Foods"], most_words=18)
    assert gist.endswith("]")
    for name in ("cake", "gdynia", "Kestrel Foods"):
        assert name.casefold() in gist.casefold()


def test_a_gist_that_would_be_longer_is_the_text() -> None:
    everybody = ["Ana", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ida", "Jo"]
    text = " ".join(everybody)
    assert gist_of(text, everybody, most_words=3) == text
    assert len(gist_of(text, everybody[:2], most_words=3)) < len(text)


def test_a_sentence_chosen_first_does_not_come_first() -> None:
    gist = gist_of(MEETING, ["Gdynia"])
    assert gist.index("Ines Varga") < gist.index("12.40") < gist.index("Gdynia")


def test_a_name_within_a_word_is_not_that_name() -> None:
    text = MEETING + " The kestrels that Al saw were also small."
    assert "also" not in gist_of(text, ["so"])
    assert "Al saw" in gist_of(text, ["Al"])


def test_a_sentence_without_end_is_taken_in_parts() -> None:
    endless = MEETING.replace(". ", ", and ").rstrip(".")
    gist = gist_of(endless)
    assert "Kestrel" in gist
    assert "…" in gist
    assert len(words(gist)) <= 50
    for part in gist.split("…"):
        assert part.strip() in endless


def test_words_without_any_mark_are_cut_too() -> None:
    gist = gist_of("mmm " * 200)
    assert len(words(gist)) <= 50
    assert gist.startswith("mmm")


def test_no_text_is_one_word() -> None:
    for endless in ("x" * 10_000, "a-b/" * 3_000, "a,b," * 3_000, "1,000," * 3_000):
        assert len(gist_of(endless)) < len(endless)
    assert gist_of("12,400.50 https://kestrel.example/a-b/c") == (
        "12,400.50 https://kestrel.example/a-b/c"
    )


def test_shortened_words_and_decimals_end_no_sentence() -> None:
    text = "Dr. Varga paid 3.50 euros to J. Novak, e.g. for tea. Then she left."
    assert [one.text.strip() for one in read(text, 50)] == [
        "Dr. Varga paid 3.50 euros to J. Novak, e.g. for tea.",
        "Then she left.",
    ]


def test_a_script_without_spaces_has_a_gist() -> None:
    text = (
        "昨天下了一点雨，大家心情都不错，还喝了咖啡。田中先生说合同改到2025年3月14日。"
        "午饭吃了寿司，味道很好，大家都很喜欢。我们还谈了很多别的事情，谈了很久很久。"
    )
    gist = gist_of(text, ["田中"])
    assert "田中先生说合同改到2025年3月14日。" in gist
    assert len(gist) < len(text)


def test_what_is_said_twice_is_kept_once() -> None:
    said = "Ines Varga wants the crates moved to 14 March 2025. "
    gist = gist_of(said * 4 + MEETING)
    assert gist.count(said.strip()) == 1


def test_no_room_for_a_word_is_refused() -> None:
    with pytest.raises(InvalidInput, match="0"):
        gist_of(MEETING, most_words=0)
    assert gist_of(MEETING, most_words=1)


def test_a_very_long_text_is_read_at_its_start() -> None:
    text = "The hut stood empty all winter. " * (MOST_SENTENCES + 5) + "Ines Varga came in 2031."
    assert "2031" not in gist_of(text)
    assert gist_of(text, ["Ines Varga"]).endswith("[Ines Varga]")


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        ({}, True),
        ({"kind": TraceType.SEMANTIC}, True),
        ({"kind": TraceType.PROCEDURAL}, False),
        ({"kind": TraceType.PROSPECTIVE}, False),
        ({"kind": TraceType.RELATIONAL}, False),
        ({"age": 60 * DAY - 1}, False),
        ({"uses": 1}, True),
        ({"uses": 2}, False),
        ({"strength": 0.899}, True),
        ({"strength": 0.9}, False),
        ({"gisted": True}, False),
    ],
)
def test_which_memories_lose_their_wording(change: dict[str, object], wanted: bool) -> None:
    memory = {
        "kind": TraceType.EPISODIC,
        "age": 60 * DAY,
        "uses": 0,
        "strength": 0.5,
        "gisted": False,
    }
    assert wants_gist(**{**memory, **change}, rules=RULES) is wanted  # type: ignore[arg-type]


def test_a_gist_is_a_fifth_weaker() -> None:
    assert gisted_strength(0.5, RULES) == pytest.approx(0.4)


texts = st.lists(
    st.sampled_from(
        "Ana Oslo 2024 12.5 the rain delivery . , ; ! \n\n 东京 。 ， e.g. Dr. - … ( ) 😀".split(
            " "
        )
    ),
    max_size=150,
).map(" ".join) | st.text(max_size=400)
entities = st.lists(st.sampled_from(["Ana", "oslo", "东京", "delivery", "Rio"]), max_size=4)


@settings(max_examples=200)
@given(texts, entities, st.integers(1, 60))
def test_a_gist_is_never_longer_and_keeps_what_it_must(
    text: str, names: list[str], most: int
) -> None:
    gist = gist_of(text, names, most)
    assert len(gist) <= len(text)
    assert not text.strip() or gist.strip()
    for name in names:
        alone = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
        if alone.search(text):
            assert name.casefold() in gist.casefold()


@settings(max_examples=200)
@given(texts, st.integers(1, 60))
def test_a_gist_is_its_own_gist(text: str, most: int) -> None:
    gist = gist_of(text, (), most)
    assert gist_of(gist, (), most) == gist
