"""The search for what is left of a text finds what a plain search finds, wherever it stands."""

from __future__ import annotations

import io
import itertools
import sys
from multiprocessing import spawn
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic.index.text.tokens import stems
from mnemic.maintain import residue
from mnemic.maintain.residue import Needles, accounted, in_file, pieces_of

ALPHABET = "abé東𝄞"
"""Letters of one to four bytes; few, so that pieces overlap and contain one another."""

TEXTS = st.text(ALPHABET, max_size=60)
PIECES = st.lists(
    st.text(ALPHABET, min_size=3, max_size=16).filter(lambda text: len(text.encode()) >= 8),
    max_size=8,
    unique=True,
)


def plainly(data: bytes, pieces: list[str]) -> dict[str, list[int]]:
    """Every offset of every piece, found by looking."""
    return {
        piece: offsets
        for piece in pieces
        if (offsets := [at for at in range(len(data)) if data.startswith(piece.encode(), at)])
    }


def sorted_by_piece(found: list[tuple[str, int]]) -> dict[str, list[int]]:
    return {
        piece: sorted(at for _, at in several)
        for piece, several in itertools.groupby(sorted(found), key=lambda one: one[0])
    }


@settings(max_examples=150)
@given(text=TEXTS, pieces=PIECES, planted=st.lists(st.integers(0, 100), max_size=3))
def test_it_finds_what_a_plain_search_finds(
    text: str, pieces: list[str], planted: list[int]
) -> None:
    for number in planted:
        at = number % (len(text) + 1)
        text = text[:at] + (pieces[number % len(pieces)] if pieces else "") + text[at:]
    data = text.encode()
    found = list(Needles(pieces).in_bytes(data))
    assert len(found) == len(set(found))
    assert sorted_by_piece(found) == plainly(data, pieces)


@settings(max_examples=60)
@given(data=st.data(), pieces=PIECES.filter(bool), block=st.integers(8, 40))
def test_no_block_hides_a_piece(
    monkeypatch: pytest.MonkeyPatch, data: st.DataObject, pieces: list[str], block: int
) -> None:
    """Wherever blocks end: within a piece, before it, or within a letter."""
    gaps = data.draw(st.lists(TEXTS, min_size=len(pieces) + 1, max_size=len(pieces) + 1))
    text = "".join(gap + piece for gap, piece in zip(gaps, [*pieces, ""], strict=True))
    with monkeypatch.context() as patch:
        patch.setattr(residue, "_BLOCK", block)
        found = Needles(pieces).in_stream(io.BytesIO(text.encode()))
    expected = plainly(text.encode(), pieces)
    assert found == {piece: offsets[0] for piece, offsets in expected.items()}
    assert found.keys() == set(pieces)


@pytest.mark.parametrize("piece", ["eight888", "東東a日", "ninebytes", "a\nb \t cd", "𝄞𝄞"])
def test_pieces_of_the_least_length(piece: str) -> None:
    assert len(piece.encode()) in {8, 9, 10}
    for shift in range(9):
        data = b"x" * shift + piece.encode() + b"y" * (16 - shift)
        assert list(Needles([piece]).in_bytes(data)) == [(piece, shift)]
        assert list(Needles([piece]).in_bytes(data.replace(piece.encode()[-2:], b"??"))) == []
    assert list(Needles([piece]).in_bytes(piece.encode())) == [(piece, 0)]
    assert list(Needles([piece]).in_bytes(piece.encode()[:-1])) == []


def test_pieces_that_begin_alike_and_stand_in_one_another() -> None:
    pieces = ["lighthouse", "lighthouse keeper", "thouse ke", "light", "lighthouses"]
    usable = [piece for piece in pieces if len(piece) >= 8]
    found = sorted_by_piece(list(Needles(usable).in_bytes(b"the lighthouse keeper")))
    assert found == {"lighthouse": [4], "lighthouse keeper": [4], "thouse ke": [8]}


def test_nothing_is_looked_for_in_nothing() -> None:
    assert list(Needles([]).in_bytes(b"something or other")) == []
    assert list(Needles(["something"]).in_bytes(b"")) == []
    assert Needles(["something"]).in_stream(io.BytesIO()) == {}
    assert pieces_of([]) == pieces_of(["", "short"]) == set()
    assert accounted([], ["a text"]) == accounted(["something"], []) == set()


LONG = " ".join(f"word{number:05}" for number in range(5_000))


@pytest.mark.parametrize(
    "text",
    [
        "the lighthouse keeper hides his letters",
        "東京都の灯台守は手紙を隠している",
        "Straße, ΟΔΥΣΣΕΎΣ and naïve façades",
        LONG,
        "12345678901234567890",
    ],
)
def test_any_longer_part_of_a_text_holds_a_piece_of_it(text: str) -> None:
    pieces = pieces_of([text])
    needles = Needles(pieces)
    assert all(piece in text or piece in stems(text) for piece in pieces)
    assert dict(needles.in_bytes(text.encode())).keys() == {p for p in pieces if p in text}
    assert len(pieces) < 20_000
    half = text[: len(text) // 2 + 13]
    assert dict(needles.in_bytes(half.encode()))
    # What the index has made of it is looked for as well.
    longer = [stem for stem in stems(text) if len(stem.encode()) >= 8]
    assert pieces >= set(longer)
    assert list(needles.in_bytes(b"a wholly different sentence")) == []


WORDS = st.sampled_from(
    "Lighthouse LIGHTHOUSES ΟΔΥΣΣΕΎΣ ὀδυσσεύς Straßenbahn İstanbullu 東京都の灯台守".split()
)


@settings(max_examples=100)
@given(
    found=st.lists(WORDS, unique=True, max_size=5),
    texts=st.lists(st.tuples(st.text("ab ", max_size=5), WORDS, st.text(" ab", max_size=5))),
    batch=st.sampled_from([1, 40, 1 << 20]),
)
def test_what_other_texts_hold_accounts_for_a_piece(
    monkeypatch: pytest.MonkeyPatch,
    found: list[str],
    texts: list[tuple[str, str, str]],
    batch: int,
) -> None:
    whole = ["".join(parts) for parts in texts]
    expected = {
        piece
        for piece in found
        if any(piece.casefold() in text.casefold() for text in whole)
        or any(piece.casefold() in stems(text) for text in whole)
    }
    with monkeypatch.context() as patch:
        patch.setattr(residue, "_BATCH", batch)
        assert accounted(found, whole) == expected


def test_what_the_index_makes_of_other_texts_accounts_for_a_piece() -> None:
    assert stems("They met on a Wednesday in February")[4:] == ["wednesdai", "in", "februari"]
    assert accounted(["wednesdai", "februari"], ["on a WEDNESDAY"]) == {"wednesdai"}


def test_two_texts_do_not_account_for_what_neither_holds() -> None:
    assert accounted(["one two three"], ["say one", "two three"]) == set()
    assert accounted(["one\ntwo three"], ["say one", "two three"]) == set()
    assert accounted(["one\ntwo three"], ["say one\ntwo three"]) == {"one\ntwo three"}


def test_a_piece_in_a_word_of_its_own_case_at_the_end_of_a_word() -> None:
    """A Greek sigma has another small form at the end of a word."""
    text = "Ο ΟΔΥΣΣΕΥΣΕΙΝΑΙ ΕΔΩ"
    assert accounted(["ΟΔΥΣΣΕΥΣ"], [text.lower()]) == {"ΟΔΥΣΣΕΥΣ"}


def test_a_file_is_read_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "some file's name.db"
    file.write_bytes(b"x" * 9_000_000 + b"lighthouse" + b"y" * 100)
    assert in_file(Needles(["lighthouse", "harbour wall"]), file) == {"lighthouse": 9_000_000}
    with pytest.raises(OSError, match=r"gone\.db cannot be searched"):
        in_file(Needles(["lighthouse"]), tmp_path / "gone.db")
    assert spawn.get_executable() in {sys.executable, sys.executable.encode()}
    for target, name, value in ((spawn, "get_executable", lambda: None), (sys, "frozen", True)):
        with monkeypatch.context() as patch:
            patch.setattr(target, name, value, raising=False)
            with pytest.raises(OSError, match="no interpreter"):
                in_file(Needles(["lighthouse"]), file)
