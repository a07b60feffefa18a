"""How files are opened: packed or plain, whole or broken, in UTF-8 or not."""

from __future__ import annotations

import builtins
import gzip
import io
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import zstandard

from mnemic.errors import ImportFormatError, InvalidInput
from mnemic.exchange import common
from mnemic.model.origin import Role, SourceType

VALUE = {"héron": ["gris", 3]}
TEXT = json.dumps(VALUE, ensure_ascii=False)


@pytest.fixture(params=["plain", "gzip", "zstandard", "zstandard, two frames", "bom"])
def packed(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The same JSON in each wrapping; the name says nothing about it."""
    raw = TEXT.encode()
    zstd = zstandard.ZstdCompressor().compress
    data = {
        "plain": raw,
        "gzip": gzip.compress(raw),
        "zstandard": zstd(raw),
        "zstandard, two frames": zstd(raw[:7]) + zstd(raw[7:]),
        "bom": b"\xef\xbb\xbf" + raw,
    }[request.param]
    path = tmp_path / "file"
    path.write_bytes(data)
    return path


def test_json_is_read_in_every_wrapping(packed: Path) -> None:
    assert common.load_json(packed) == VALUE
    assert common.open_text(packed) == TEXT
    assert list(common.numbered_lines(packed)) == [(1, TEXT.encode())]


def test_a_head_never_splits_a_character(packed: Path) -> None:
    whole = len(TEXT.encode()) + 3  # the mark counts too
    for size in range(whole + 1):
        head, is_whole = common.read_head(packed, size)
        assert TEXT.startswith(head)
        assert not is_whole or head == TEXT
    assert common.read_head(packed, whole) == (TEXT, True)


def test_zstandard_that_is_not_installed_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "chat.zst"
    path.write_bytes(zstandard.ZstdCompressor().compress(b"{}"))
    real = builtins.__import__

    def without(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "zstandard":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.delitem(sys.modules, "zstandard")
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ImportFormatError, match=r"pip install 'mnemic\[bench\]'"):
        common.load_json(path)


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.ZstdCompressor().compress])
def test_a_file_cut_short_is_an_error(tmp_path: Path, pack: Any) -> None:
    path = tmp_path / "cut"
    path.write_bytes(pack(json.dumps(list(range(5_000))).encode())[:-40])
    with pytest.raises(ImportFormatError):
        common.load_json(path)
    with pytest.raises(ImportFormatError):
        list(common.numbered_lines(path))


def test_a_file_above_the_limit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(b"[" + b" " * 100_000 + b"]"))
    assert common.load_json(path) == []
    with pytest.raises(ImportFormatError, match="more than 50,000 bytes"):
        common.load_json(path, limit=50_000)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'{"a": 1,\n "b": }', "not JSON: .* at line 2, column 7"),
        (b"", "not JSON"),
        (b'{"a": "\xff"}', r"not UTF-8 text: byte 7 is 0xff"),
        ('{"a": 1}'.encode("utf-16"), "UTF-16"),
        (b"[" * 200_000, "cannot be read as JSON"),
    ],
)
def test_what_is_no_json_says_where(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "file.json"
    path.write_bytes(data)
    with pytest.raises(ImportFormatError, match=message):
        common.load_json(path)


def test_a_missing_file_and_a_folder_are_import_errors(tmp_path: Path) -> None:
    with pytest.raises(ImportFormatError, match="no such file"):
        common.open_bytes(tmp_path / "none.json")
    with pytest.raises(ImportFormatError, match="is a folder"):
        common.open_bytes(tmp_path)
    with pytest.raises(ImportFormatError, match="cannot be opened"):
        common.open_bytes("a\0b")


def test_an_overlong_line_does_not_take_the_next_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(common, "MAX_LINE_BYTES", 10)
    path = tmp_path / "lines"
    path.write_bytes(b"0123456789\r\n" + b"x" * 35 + b"\nshort\n" + b"y" * 11)
    assert list(common.numbered_lines(path)) == [
        (1, None),
        (2, None),
        (3, b"short"),
        (4, None),
    ]


def test_moments_are_instants_in_utc() -> None:
    assert common.moment((2024, 2, 29), (23, 30), None) == datetime(2024, 2, 29, 23, 30, tzinfo=UTC)
    lisbon = common.zone_of("Europe/Lisbon")
    assert common.moment((2024, 7, 1), (0, 30), lisbon) == datetime(2024, 6, 30, 23, 30, tzinfo=UTC)
    summer = common.moment((2024, 7, 1), (0, 30), lisbon)
    assert summer is not None
    assert summer.tzinfo is UTC
    for day, clock in [((2023, 2, 29), (0, 0)), ((2023, 0, 1), (0, 0)), ((2023, 1, 1), (24, 0))]:
        assert common.moment(day, clock, None) is None
    assert common.zone_of(None) is None
    with pytest.raises(InvalidInput, match="Mars/Olympus"):
        common.zone_of("Mars/Olympus")


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("12:05 am on", (0, 5)),
        ("12:05 PM", (12, 5)),
        ("at 9:41 p.m.", (21, 41)),
        ("nothing", (0, 0)),
    ],
)
def test_the_twelve_hour_clock(text: str, clock: tuple[int, int]) -> None:
    assert common.clock_12h(text) == clock


def test_months_go_by_their_first_three_letters() -> None:
    assert [common.month_number(m) for m in ("January", "sep", "Sept", "DECEMBER")] == [1, 9, 9, 12]
    assert [common.month_number(m) for m in ("Ja", "Brumaire", "")] == [0, 0, 0]


def test_the_source_follows_the_speaker() -> None:
    assert common.source_of(None) is SourceType.USER_STATEMENT
    assert common.source_of(Role.USER) is SourceType.USER_STATEMENT
    assert common.source_of(Role.ASSISTANT) is SourceType.AGENT_INFERENCE
    assert common.source_of(Role.TOOL) is SourceType.TOOL_RESULT
    assert common.source_of(Role.SYSTEM) is SourceType.EXTERNAL


def test_shown_values_are_short() -> None:
    assert common.shown("ok") == "'ok'"
    assert len(common.shown("x" * 500)) == 60


def test_guarded_lets_other_errors_through() -> None:
    def broken() -> int:
        raise KeyError("ours")

    with pytest.raises(KeyError):
        common.guarded("file", broken)
    assert common.guarded("file", io.BytesIO(b"ab").read) == b"ab"
