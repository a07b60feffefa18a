"""What is to be judged is shown whole: nothing in it is invisible, nothing of it is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.cli.failures import printable
from mnemic.cli.reveal import revealed
from mnemic.model.text import without_invisible

HIDDEN = "\u200b\u202e\u2066\ufeff\u00ad\u2028\u3164\U000e0001"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("a\u200bb", "a<U+200B>b"),
        ("\u202egnp.exe", "<U+202E>gnp.exe"),
        ("one\u2028two", "one<U+2028>two"),
        ("a\U000e0069\U000e0067b", "a<hidden: ig>b"),
        ("pass\u200dword", "pass<U+200D>word"),
        ("x\ufe0f", "x<U+FE0F>"),
        ("\u200d", "<U+200D>"),
        ("\x1b[2J\x07", "␛[2J␇"),
        ("tab\tand\nline", "tab\tand\nline"),
    ],
)
def test_what_nobody_sees_is_written_out(text: str, shown: str) -> None:
    assert revealed(text).plain == shown


@pytest.mark.parametrize("text", ["👩‍🚀", "❤️‍🔥", "می‌خواهم", "naïve 人 مرحبا", "עִבְרִית"])
def test_spelling_is_left_as_it_is(text: str) -> None:
    assert revealed(text).plain == text


@given(st.text(alphabet=st.one_of(st.sampled_from(HIDDEN), st.characters()), max_size=40))
def test_nothing_hides(text: str) -> None:
    shown = revealed(text).plain
    assert not [char for char in HIDDEN if char in shown]
    assert not [char for char in shown if char < " " and char not in "\n\t"]


@given(st.text(max_size=40))
def test_what_is_seen_is_not_lost(text: str) -> None:
    visible = [
        printable(char)
        for char in text
        if without_invisible(char) and char not in f"{HIDDEN}\u2029\u2800"
    ]
    shown = iter(revealed(text).plain)
    assert all(part in shown for char in visible for part in char)
