"""Parts of a text laid into windows: each once, in order, none longer than the model reads."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.index.embed.windows import Window, windows

END = -2


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([], []),
        ([[1, 2]], [Window([-1, 1, 2, END], [(1, 3)])]),
        ([[1], [2, 3]], [Window([-1, 1, 2, 3, END], [(1, 2), (2, 4)])]),
        ([[1, 2], [3, 4]], [Window([-1, 1, 2, END], [(1, 3)]), Window([-1, 3, 4, END], [(1, 3)])]),
        ([[1, 2, 3, 4]], [Window([-1, 1, 2, 3, END], [(1, 4)])]),  # what does not fit is left out
        ([[]], [Window([-1, END], [(0, 2)])]),  # without tokens: the whole window
    ],
)
def test_how_parts_are_laid(parts: list[list[int]], expected: list[Window]) -> None:
    assert windows([-1], parts, END, 5) == expected


@given(st.lists(st.lists(st.integers(0, 99), max_size=9), max_size=12), st.integers(4, 12))
def test_each_part_lies_in_one_window_in_order(parts: list[list[int]], most: int) -> None:
    found = windows([-1, -3], parts, END, most)
    assert all(len(window.ids) <= most for window in found)
    assert all(window.ids[:2] == [-1, -3] for window in found)
    assert all(window.ids[-1] == END for window in found)
    pairs = [(window, span) for window in found for span in window.spans]
    assert len(pairs) == len(parts)
    for part, (window, (start, end)) in zip(parts, pairs, strict=True):
        if part:
            assert window.ids[start:end] == part[: most - 3]
        else:
            assert (start, end) == (0, len(window.ids))
