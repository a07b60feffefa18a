"""Texts that no database takes, and marks that no reader sees."""

from __future__ import annotations

import pytest

from mnemic.errors import InvalidInput
from mnemic.model.ids import checked_trace_id, new_trace_id
from mnemic.model.text import refuse_unstorable, without_invisible


@pytest.mark.parametrize("text", ["", "plain", "👩‍🚀", "שלום", "\x01", "\U0010ffff", "\ufffd"])
def test_what_utf8_can_write_can_be_stored(text: str) -> None:
    refuse_unstorable("content", text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("ab\0c", "content holds a NUL character at 2"),
        ("a\ud83d", r"content holds a lone surrogate '\\ud83d' at 1"),
        ("\udc80", "lone surrogate"),
    ],
)
def test_what_no_database_takes_is_refused_with_its_place(text: str, says: str) -> None:
    with pytest.raises(InvalidInput, match=says):
        refuse_unstorable("content", text)


@pytest.mark.parametrize(
    "mark",
    ["\u00ad", "\u200b", "\u200d", "\u202e", "\u2060", "\u2069", "\ufe0f", "\ufeff", "\U000e0041"],
)
def test_marks_that_nobody_sees_are_taken_out(mark: str) -> None:
    assert without_invisible(f"a{mark}b") == "ab"


@pytest.mark.parametrize("text", ["a b", "é", "e\u0301", "が", "نَ", "a\tb", "½"])
def test_marks_that_are_seen_stay(text: str) -> None:
    assert without_invisible(text) == text


def test_a_trace_id_is_a_string() -> None:
    assert checked_trace_id(new_trace_id()).startswith("mt_")
    assert checked_trace_id("whatever") == "whatever"
    for wrong in (None, 5, ["mt_1"], b"mt_1", "mt_\ud800", "mt_\0"):
        with pytest.raises(InvalidInput, match="a trace id"):
            checked_trace_id(wrong)
