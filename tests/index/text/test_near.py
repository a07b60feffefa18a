"""Tables of near words: what is packaged makes sense, and a new one is one file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mnemic.index.text import near
from mnemic.index.text.near import Table, near_words, read_table, tables
from mnemic.index.text.tokens import stem

LEAST = 0.55
MOST = 16


def save(folder: Path, name: str, pairs: dict[str, dict[str, int]]) -> Path:
    """A table of stems, each with those near to it and their cosines in hundredths."""
    stems = sorted(pairs)
    several = [other for one in stems for other in pairs[one].items()]
    arrays = {
        "stems": np.frombuffer("\n".join(stems).encode("ascii"), np.uint8),
        "starts": np.cumsum([0, *(len(pairs[one]) for one in stems)]).astype(np.uint32),
        "near": np.array([stems.index(other) for other, _ in several], np.uint16),
        "cosines": np.array([hundredths for _, hundredths in several], np.uint8),
    }
    np.savez_compressed(folder / name, **arrays)  # type: ignore[arg-type]
    return folder / name


@pytest.fixture
def english() -> Table:
    [table] = tables()
    return table


def test_words_that_mean_about_the_same_are_near() -> None:
    for word, other in (("pets", "dog"), ("doctor", "physician"), ("car", "vehicles")):
        assert stem(other) in dict(near_words(stem(word)))
        assert stem(word) in dict(near_words(stem(other)))
    assert stem("dog") not in dict(near_words(stem("violin")))


def test_an_unknown_stem_has_no_near_ones(english: Table) -> None:
    for unknown in ("", "xyzzy", "犬", "Dog", "dogs and cats", "dog\n"):
        assert near_words(unknown) == english.of(unknown) == []
    assert near_words("dog") == english.of("dog") != []


def test_a_stem_is_never_near_to_itself_and_never_twice_to_another(english: Table) -> None:
    assert len(english.stems) == len(set(english.stems)) > 20_000
    for one in english.stems:
        others = [other for other, _ in english.of(one)]
        assert one not in others
        assert len(others) == len(set(others)) <= MOST


def test_the_nearest_come_first_and_all_are_near(english: Table) -> None:
    for one in english.stems:
        cosines = [cosine for _, cosine in english.of(one)]
        assert cosines == sorted(cosines, reverse=True)
        assert all(LEAST <= cosine <= 1 for cosine in cosines)


def test_who_is_near_to_another_has_the_other_near_unless_others_are_nearer(
    english: Table,
) -> None:
    found = {one: dict(english.of(one)) for one in english.stems}
    for one, others in found.items():
        for other, cosine in others.items():
            back = found[other]
            if one in back:
                assert back[one] == pytest.approx(cosine, abs=0.011)
            else:
                assert len(back) == MOST
                assert min(back.values()) >= cosine - 0.011


def test_stems_are_lower_case_ascii_letters(english: Table) -> None:
    assert [one for one in english.stems if not (one.isascii() and one.isalpha())] == []
    assert [one for one in english.stems if one != one.lower()] == []


def test_a_table_is_one_file(tmp_path: Path) -> None:
    pairs = {"bratsch": {"geig": 71}, "geig": {"violin": 90, "bratsch": 71}, "violin": {}}
    table = read_table(save(tmp_path, "de.near.npz", pairs))
    assert table.of("geig") == [("violin", 0.9), ("bratsch", 0.71)]
    assert table.of("bratsch") == [("geig", 0.71)]
    assert table.of("violin") == table.of("cello") == []


def test_tables_hold_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever language a stem is of, those near to it are found; other files are no tables."""
    data = tmp_path / "data"
    data.mkdir()
    save(data, "de.near.npz", {"hund": {"waldi": 60}, "waldi": {}})
    save(data, "en.near.npz", {"dog": {"pup": 81}, "hund": {"pup": 56}, "pup": {}})
    (data / "en.json").write_text("{}", "utf-8")
    monkeypatch.setattr(near, "files", lambda _: tmp_path)
    read_again = tables.__wrapped__()
    assert len(read_again) == 2
    monkeypatch.setattr(near, "tables", lambda: read_again)
    assert near_words("dog") == [("pup", 0.81)]
    assert near_words("hund") == [("waldi", 0.6), ("pup", 0.56)]
