"""Trace ids, whole and short."""

from __future__ import annotations

import pytest

from mnemic.model.ids import is_shortened, new_trace_id, shortened

WHOLE = "mt_0123456789abcdef0123456789abcdef"


def test_a_short_id_is_the_beginning_of_a_whole_one() -> None:
    assert shortened(WHOLE) == "mt_0123456789"
    assert is_shortened(shortened(new_trace_id()))


@pytest.mark.parametrize("other", ["", "mt_0123", "note-7", WHOLE.upper(), WHOLE + "0"])
def test_an_id_of_another_form_stays_as_it_is(other: str) -> None:
    assert shortened(other) == other


@pytest.mark.parametrize(
    "value", [WHOLE, "mt_0123456", "mt_0123456789abcdef0123456789abcdeg", "0123456789", "", None, 7]
)
def test_what_is_no_beginning_of_an_id(value: object) -> None:
    assert is_shortened("mt_01234567")
    assert not is_shortened(value)
