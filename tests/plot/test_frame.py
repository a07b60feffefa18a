"""The frame of pictures: paths, text from outside, files, and places that do not collide."""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

import matplotlib as mpl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.errors import InvalidInput, MnemicError, StorageError
from mnemic.plot.frame import checked_path, picture, spread, words
from mnemic.plot.places import apart, beside, covered


def draw(path: Path, text: str = "here") -> bytes:
    with picture(path, 3, 2) as figure:
        figure.text(0.5, 0.5, text)
    return path.read_bytes()


@pytest.mark.parametrize("name", ["a.svg", "a.png", "a.b.SVG", "a.PNG"])
def test_a_picture_is_svg_or_png(tmp_path: Path, name: str) -> None:
    assert checked_path(tmp_path / name) == tmp_path / name
    assert draw(tmp_path / name).startswith((b"<?xml", b"\x89PNG\r\n\x1a\n"))


@pytest.mark.parametrize("name", ["a.pdf", "a", "svg", "a.svg.txt", ""])
def test_no_other_file_is_made(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidInput, match=r"must end in \.svg or \.png"), picture(name, 1, 1):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"nowhere.*cannot be written"):
        draw(tmp_path / "nowhere" / "a.png")


def test_what_is_not_drawn_to_the_end_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    before = draw(path)
    with pytest.raises(ZeroDivisionError), picture(path, 3, 2):
        1 / 0  # noqa: B018
    assert path.read_bytes() == before


def test_without_matplotlib_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MnemicError, match=r"pip install 'mnemic\[plot\]'"):
        draw(tmp_path / "a.svg")
    assert list(tmp_path.iterdir()) == []


def test_a_user_s_own_settings_of_matplotlib_neither_count_nor_change(tmp_path: Path) -> None:
    plain = draw(tmp_path / "a.svg", "$x^2$")
    own = {"font.size": 40.0, "text.usetex": True, "figure.facecolor": "red"}
    with mpl.rc_context(own):  # type: ignore[arg-type]
        assert draw(tmp_path / "b.svg", "$x^2$") == plain
        assert mpl.rcParams["font.size"] == 40.0
    assert b"$x^2$" in plain


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_a_file_tells_neither_when_nor_with_what_it_was_made(tmp_path: Path, ending: str) -> None:
    held = draw(tmp_path / f"a.{ending}")
    assert draw(tmp_path / f"b.{ending}") == held
    assert b"atplotlib v" not in held
    assert b"dc:date" not in held
    assert mpl.__version__.encode() not in held
    assert str(tmp_path).encode() not in held


@pytest.mark.parametrize(
    ("text", "most", "shown"),
    [
        ("plain", 9, "plain"),
        (" two\n lines\t", 20, "two lines"),
        ("ten letters", 10, "ten lette…"),
        ("gone \u202e\u200b\ufeff", 20, "gone"),
        ("bell\x07 esc\x1b[0m \ue000 \ud800", 40, "bell\ufffd esc\ufffd[0m \ufffd \ufffd"),
        ("$a$ _b <c> &d;", 40, "$a$ _b <c> &d;"),
    ],
)
def test_text_from_outside_stays_on_one_line_and_is_seen(text: str, most: int, shown: str) -> None:
    assert words(text, most) == shown


# --- places ------------------------------------------------------------------------------------

at = st.floats(0, 1, allow_nan=False)


@given(st.lists(at, max_size=20), st.sampled_from([0.01, 0.05]))
def test_marks_are_spread_in_their_order(places: list[float], gap: float) -> None:
    found = spread(places, gap, 0.0)
    order = sorted(range(len(places)), key=lambda number: (places[number], number))
    moved = [found[number] for number in order]
    assert all(one + gap <= other + 1e-9 for one, other in pairwise(moved))
    assert all(place >= 0 for place in moved)


def test_marks_that_are_apart_stay_where_they_are() -> None:
    assert spread([0.9, 0.1, 0.5], 0.05, 0.0) == [0.9, 0.1, 0.5]
    assert spread([0.5, 0.5], 0.1, 0.0) == pytest.approx([0.45, 0.55])
    assert spread([0.0, 0.0], 0.1, 0.01) == pytest.approx([0.01, 0.11])


size = st.tuples(st.floats(8, 70), st.floats(8, 20))
boxes = st.lists(st.tuples(st.tuples(st.floats(0, 600), st.floats(0, 500)), size), max_size=25)


@given(boxes)
def test_boxes_lie_beside_each_other_and_on_the_paper(
    given_boxes: list[tuple[tuple[float, float], tuple[float, float]]],
) -> None:
    centres = {str(number): box[0] for number, box in enumerate(given_boxes)}
    sizes = {str(number): box[1] for number, box in enumerate(given_boxes)}
    found = apart(centres, sizes, (600, 500))
    assert found == apart(dict(reversed(centres.items())), sizes, (600, 500))
    for name, (x, y) in found.items():
        others = [(found[other], sizes[other]) for other in found if other != name]
        assert covered(((x, y), sizes[name]), others) == 0
        assert sizes[name][0] / 2 <= x <= 600 - sizes[name][0] / 2
        assert sizes[name][1] / 2 <= y <= 500 - sizes[name][1] / 2


def test_boxes_without_room_are_still_placed() -> None:
    centres = {str(number): (5.0, 5.0) for number in range(30)}
    found = apart(centres, dict.fromkeys(centres, (40.0, 40.0)), (100, 100))
    assert found.keys() == centres.keys()


def test_a_label_keeps_off_what_stands_on_its_line() -> None:
    line = ((0.0, 0.0), (100.0, 0.0))
    assert beside(*line, (10, 6), []) == (50, 0)
    taken = [((50.0, 0.0), (14.0, 14.0))]
    place = beside(*line, (10, 6), taken)
    assert covered((place, (10, 6)), taken) == 0
    assert place[1] == 0
