"""Zip archives of strangers: what they may not do to who opens them."""

from __future__ import annotations

import io
import os
import stat
import struct
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemic.errors import ImportFormatError
from mnemic.exchange.archives import checked_path, is_zip, members, opened
from tests.exchange.chat_support import zip_bytes, zipped

GOOD = {"a.txt": "one", "folder/b.txt": "two", "weird ..name...txt": "three"}


def packed(path: Path, name: str, mode: int = 0, data: bytes = b"x") -> Path:
    """An archive with a good entry and one of any name and kind, as it was written."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "one")
        info = zipfile.ZipInfo("placeholder")
        info.external_attr = mode << 16
        info.filename = info.orig_filename = name
        archive.writestr(info, data)
    return path


def test_the_files_are_named_and_read_in_their_order(tmp_path: Path) -> None:
    path = zipped(tmp_path / "x.bin", {"folder/": "", **GOOD})
    assert is_zip(path)
    assert members(path) == tuple(GOOD)
    with opened(path) as archive:
        assert [archive.open(name).read().decode() for name in archive.names] == list(GOOD.values())
        with archive.open("a.txt") as stream:
            assert stream.readline() == b"one"
    assert sorted(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("name", "mode", "told"),
    [
        ("../a.txt", 0, "climbs out"),
        ("folder/../../a.txt", 0, "climbs out"),
        ("..", 0, "climbs out"),
        ("/etc/x", 0, "absolute name"),
        ("C:/x", 0, "absolute name"),
        ("c:x", 0, "absolute name"),
        ("folder\\x", 0, "backslash"),
        ("..\\x", 0, "backslash"),
        ("a\0b", 0, "is no name"),
        ("link", stat.S_IFLNK | 0o777, "a link or a device"),
        ("pipe", stat.S_IFIFO | 0o644, "a link or a device"),
        ("device", stat.S_IFCHR | 0o644, "a link or a device"),
        ("a.txt", 0, "is in it 2 times"),
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_an_entry_that_could_do_harm_refuses_the_archive(
    tmp_path: Path, name: str, mode: int, told: str
) -> None:
    good = packed(tmp_path / "good.zip", "folder/b.txt", stat.S_IFREG | 0o644)
    assert members(good) == ("a.txt", "folder/b.txt")
    bad = packed(tmp_path / "bad.zip", name, mode)
    with pytest.raises(ImportFormatError, match=told):
        members(bad)


def test_an_encrypted_entry_refuses_the_archive(tmp_path: Path) -> None:
    raw = bytearray(zip_bytes({"a.txt": "one"}))
    path = tmp_path / "x.zip"
    path.write_bytes(raw)
    assert members(path) == ("a.txt",)
    raw[raw.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(raw)
    with pytest.raises(ImportFormatError, match="is encrypted"):
        members(path)


def test_what_an_entry_unpacks_to_is_counted_as_it_comes(tmp_path: Path) -> None:
    path = zipped(tmp_path / "bomb.zip", {"a.json": b"0" * 5_000_000, "b.json": b"0" * 10})
    assert path.stat().st_size < 20_000
    with opened(path, each=5_000_000) as archive:
        assert len(archive.open("a.json").read()) == 5_000_000
    with opened(path, each=100_000) as archive:
        stream = archive.open("a.json")
        assert stream.read(50_000) == b"0" * 50_000
        with pytest.raises(ImportFormatError, match="more than 100,000 bytes"):
            stream.read()


def test_all_that_is_read_counts_together(tmp_path: Path) -> None:
    path = zipped(tmp_path / "x.zip", {f"{n}.json": b"0" * 50_000 for n in range(4)})
    with opened(path, total=200_000) as archive:
        assert sum(len(archive.open(name).read()) for name in archive.names) == 200_000
    with opened(path, total=120_000) as archive:
        assert len(archive.open("0.json").read()) == 50_000
        assert len(archive.open("0.json").read()) == 50_000
        with pytest.raises(ImportFormatError, match="unpacks to more than is read"):
            archive.open("1.json").read()


def test_a_header_that_claims_less_does_not_help(tmp_path: Path) -> None:
    raw = bytearray(zip_bytes({"a.json": b"0" * 1_000_000}))
    at = raw.index(b"PK\x01\x02") + 24
    raw[at : at + 4] = struct.pack("<I", 10)
    path = tmp_path / "x.zip"
    path.write_bytes(raw)
    with opened(path, each=1_000) as archive, pytest.raises(ImportFormatError):
        archive.open("a.json").read()


@pytest.mark.parametrize("cut", [30, 0.5, 0.95])
def test_a_broken_archive_is_an_error(tmp_path: Path, cut: float) -> None:
    raw = zip_bytes({"a.txt": os.urandom(5_000)})
    path = tmp_path / "x.zip"
    path.write_bytes(raw[: int(cut * len(raw)) if cut < 1 else int(cut)])
    with pytest.raises(ImportFormatError, match="zip archive"):
        members(path)


def test_broken_data_is_an_error_where_it_is_read(tmp_path: Path) -> None:
    raw = bytearray(zip_bytes({"a.txt": os.urandom(5_000)}))
    raw[2_000] ^= 0xFF
    path = tmp_path / "x.zip"
    path.write_bytes(raw)
    with opened(path) as archive, pytest.raises(ImportFormatError, match="cannot be read to its"):
        archive.open("a.txt").read()


@given(changes=st.lists(st.tuples(st.integers(0, 399), st.integers(0, 255)), max_size=4))
@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_damaged_archive_is_read_or_an_error(
    tmp_path: Path, changes: list[tuple[int, int]]
) -> None:
    raw = bytearray(zip_bytes({"a.txt": "one " * 20, "b/c.txt": "two " * 20}))
    for place, byte in changes:
        raw[place % len(raw)] = byte
    path = tmp_path / "x.zip"
    path.write_bytes(raw)
    try:
        with opened(path) as archive:
            assert all(len(archive.open(name).read()) <= 80 for name in archive.names)
    except ImportFormatError:
        return


def test_a_way_of_packing_that_is_not_known_is_an_error(tmp_path: Path) -> None:
    raw = bytearray(zip_bytes({"a.txt": "one"}))
    for mark, place in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        at = raw.index(mark) + place
        raw[at : at + 2] = struct.pack("<H", 97)
    path = tmp_path / "x.zip"
    path.write_bytes(raw)
    with opened(path) as archive, pytest.raises(ImportFormatError, match="cannot be read"):
        archive.open("a.txt")


def test_a_zip_is_known_by_its_beginning(tmp_path: Path) -> None:
    text = tmp_path / "x.zip"
    text.write_text("PK is not enough")
    empty = tmp_path / "empty"
    with zipfile.ZipFile(empty, "w"):
        pass
    assert is_zip(empty)
    assert members(empty) == ()
    assert not is_zip(text)
    assert not is_zip(tmp_path)
    assert not is_zip(tmp_path / "missing")
    assert not is_zip("nul\0")


def test_a_pipe_is_refused_before_it_is_opened(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)  # opening it would wait for a writer, and no test would end
    plain = tmp_path / "plain"
    plain.write_text("")
    assert checked_path(plain) == plain
    assert checked_path(tmp_path) == tmp_path
    assert not is_zip(pipe)
    for refused in (checked_path, members):
        with pytest.raises(ImportFormatError, match="a pipe or a device"):
            refused(pipe)


def test_nothing_at_the_path_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ImportFormatError, match="no such file"):
        checked_path(tmp_path / "missing")
    with pytest.raises(ImportFormatError, match="cannot be opened"):
        checked_path("nul\0")


def test_an_archive_within_an_archive_is_only_bytes(tmp_path: Path) -> None:
    inner = zip_bytes({"a.txt": "one"})
    path = zipped(tmp_path / "x.zip", {"inner.zip": inner})
    with opened(path) as archive:
        assert zipfile.is_zipfile(io.BytesIO(archive.open("inner.zip").read()))
        assert archive.names == ("inner.zip",)
