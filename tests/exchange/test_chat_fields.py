"""Fields of foreign records, brought into the shape of a draft."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.encode.resolve import RESERVED
from mnemic.errors import InvalidInput
from mnemic.exchange.chats.fields import foreign, id_of, label_of, labels_of, pieces, time_of
from mnemic.exchange.chats.parts import in_order
from mnemic.model.scope import checked_id
from mnemic.model.text import refuse_unstorable

ANYTHING = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text()),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner)),
    max_leaves=5,
)


@given(st.text(), st.integers(1, 40))
def test_a_long_text_loses_only_white_space(text: str, most: int) -> None:
    found = list(pieces(text, most))
    assert "".join("".join(found).split()) == "".join(text.split())
    assert all(0 < len(piece) <= most for piece in found)


def test_a_text_is_cut_between_paragraphs_where_it_can_be() -> None:
    assert list(pieces("one two\n\nthree four", 12)) == ["one two", "three four"]
    assert list(pieces("one two three", 9)) == ["one two", "three"]
    assert list(pieces("x" * 10, 4)) == ["xxxx", "xxxx", "xx"]


@given(ANYTHING)
def test_labels_and_ids_can_be_stored_whatever_they_are_made_of(value: Any) -> None:
    label = label_of(value)
    refuse_unstorable("label", label)
    assert "\n" not in label
    assert all(labels_of(value)) or labels_of(value) == ()
    checked_id("id", f"claude_ai:{id_of({'id': value}, 'id')}")


def test_an_id_that_cannot_be_one_is_made() -> None:
    assert id_of({"id": " ", "uuid": "u"}, "id", "uuid") == "u"
    assert id_of({"id": 7}, "id") == "7"
    one, other = (id_of({"id": "x" * 300 + end}, "id") for end in "ab")
    assert one != other
    assert len(one) < 30
    assert id_of({"a": 1, "list": [1]}) == id_of({"a": 1, "list": [1, 2]}) != id_of({"a": 2})


@given(ANYTHING)
def test_a_time_is_read_or_refused(value: Any) -> None:
    try:
        found = time_of(value, "UTC")
    except InvalidInput:
        return
    assert found is None or isinstance(found, datetime)


def test_a_short_number_in_a_text_is_no_time() -> None:
    assert time_of("1700000000", None) == datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)
    for text in ("2024", "7", "12:30"):
        with pytest.raises(InvalidInput):
            time_of(text, "UTC")


def test_keys_that_the_brain_keeps_itself_are_renamed() -> None:
    given_keys = dict.fromkeys([*RESERVED, "mood"], 1)
    assert RESERVED.isdisjoint(foreign(given_keys))
    assert len(foreign(given_keys)) == len(given_keys)
    assert foreign({"mood": 1}) == {"mood": 1}
    assert foreign("odd") == {}


def test_names_are_sorted_as_people_count() -> None:
    names = ["c-10.json", "c-002.json", "b.json", "c.json", "c-1.json", "7", "\u0663", "9" * 9_999]
    assert sorted(names, key=in_order) == [
        "7",
        "9" * 9_999,
        "b.json",
        "c-1.json",
        "c-002.json",
        "c-10.json",
        "c.json",
        "\u0663",
    ]
