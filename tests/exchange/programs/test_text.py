"""What a program put into a message goes, what somebody said stays."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mnemic.exchange.programs.found import Skip
from mnemic.exchange.programs.text import (
    MAX_CODE_LINES,
    cut,
    folded,
    is_only_code,
    storable,
    within,
)

NAMES = {"note": Skip.META, "cmd": Skip.COMMAND}


def block(lines: int, fence: str = "```") -> str:
    return "\n".join([f"{fence}py", *["x"] * lines, fence])


def test_closed_elements_are_cut_and_the_first_says_why() -> None:
    assert cut("a<cmd>b</cmd>c<note x='1'>d\n</note> e", NAMES) == ("ac e", Skip.COMMAND)
    assert cut("<note>a</note>", NAMES) == ("", Skip.META)
    assert cut("<other>a</other>", NAMES) == ("<other>a</other>", None)
    assert cut("what does <cmd> do?", NAMES) == ("what does <cmd> do?", None)
    assert cut("<cmd>a <note>b</note> c", NAMES) == ("<cmd>a  c", Skip.META)
    assert cut("<notes>a</notes>", NAMES) == ("<notes>a</notes>", None)


def test_many_open_elements_take_no_long_time() -> None:
    text = "<cmd><note>" * 100_000
    assert cut(text, NAMES) == (text, None)
    assert within("<q>" * 100_000, "q") is None


@given(st.text(alphabet="ab<>/ cmdnote\n"))
def test_without_a_closing_tag_nothing_goes(text: str) -> None:
    text = text.replace("</", "<")
    assert cut(text, NAMES) == (text, None)


def test_a_long_block_becomes_a_note_and_a_short_one_stays() -> None:
    short, long = block(MAX_CODE_LINES), block(MAX_CODE_LINES + 1)
    assert folded(f"see\n{short}\nend") == f"see\n{short}\nend"
    assert folded(f"see\n{long}\nend") == "see\n[code, 41 lines]\nend"
    assert folded(f"see\n{block(120, '~~~~')}") == "see\n[code, 120 lines]"
    assert folded("```\n" + "x\n" * 60 + "and no end") == "[code, 61 lines]"
    assert folded("````\n```\n" + "x\n" * 50 + "```\n````\nend") == "[code, 52 lines]\nend"


def test_only_notes_of_code_are_a_dump() -> None:
    assert is_only_code(" [code, 41 lines]\n\n[code, 99 lines] ")
    assert not is_only_code("look: [code, 41 lines]")
    assert not is_only_code("")


@given(st.lists(st.sampled_from(["```", "````", "~~~", "x", "", "- ```py"]), max_size=150))
def test_folding_twice_is_folding_once(lines: list[str]) -> None:
    once = folded("\n".join(lines))
    assert folded(once) == once


def test_what_stands_within_an_element() -> None:
    assert within("<x>1</x>\n<q>\n a\n</q> and <q>b</q>", "q") == "a\n\nb"
    assert within("no element", "q") is None


@given(st.text(alphabet=st.characters(exclude_categories=())))
def test_storable_text_can_be_stored(text: str) -> None:
    kept = storable(text)
    kept.encode()
    assert "\0" not in kept
    assert storable(kept) == kept


def test_halves_of_a_character_are_joined() -> None:
    assert storable("a\ud83d\ude00\0b") == "a😀b"
    assert storable("a\ud83d b") == "a\ufffd b"
