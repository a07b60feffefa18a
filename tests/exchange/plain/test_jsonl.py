"""JSON Lines: every line stands alone."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from mnemic.errors import ImportFormatError, InvalidInput
from mnemic.exchange.common import Item
from mnemic.exchange.plain import jsonl
from mnemic.model.origin import Role, SourceType
from mnemic.model.trace import TraceType

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write lines (values as JSON, bytes as they are) and give the path."""

    def lines(*parts: Any, prefix: bytes = b"") -> Path:
        raw = [part if isinstance(part, bytes) else json.dumps(part).encode() for part in parts]
        path = tmp_path / "chat.jsonl"
        path.write_bytes(prefix + b"\n".join(raw) + b"\n")
        return path

    return lines


def one(path: Path, **options: Any) -> Item:
    (item,) = jsonl.read(path, **options)
    return item


def test_a_full_line_becomes_a_draft(write: Write) -> None:
    path = write(
        {
            "role": "assistant",
            "speaker": "Ada",
            "content": "The kiln holds 40 tiles.",
            "time": "2025-02-03T10:00:00+01:00",
            "thread": "kiln",
            "type": "semantic",
            "tags": ["studio"],
            "entities": ["kiln"],
            "metadata": {"page": 3},
            "valid_from": "2025-02-01",
            "valid_to": "2026-02-01",
        }
    )
    draft = one(path).draft
    assert draft is not None
    assert (draft.content, draft.speaker, draft.thread) == (
        "The kiln holds 40 tiles.",
        "Ada",
        "kiln",
    )
    assert draft.role is Role.ASSISTANT
    assert draft.type is TraceType.SEMANTIC
    assert draft.source is SourceType.AGENT_INFERENCE
    assert (draft.tags, draft.entities, draft.metadata) == (("studio",), ("kiln",), {"page": 3})
    assert (draft.time, draft.valid_from) == ("2025-02-03T10:00:00+01:00", "2025-02-01")
    assert draft.valid_to == "2026-02-01"
    assert draft.replay


def test_content_alone_is_enough_and_null_is_absent(write: Write) -> None:
    bare, nulls = jsonl.read(
        write(
            {"content": "Tuesday is bin day."},
            {"content": "Tuesday is bin day.", **{k: None for k in jsonl.KEYS if k != "content"}},
        )
    )
    assert bare.draft is not None
    assert bare.draft == nulls.draft
    assert bare.draft.role is None
    assert bare.draft.source is SourceType.USER_STATEMENT
    assert bare.draft.type is TraceType.EPISODIC


def test_bad_lines_are_told_and_the_rest_is_read(write: Write) -> None:
    path = write(
        {"content": "first"},
        b'{"content": "cut off',
        b"",
        b"   ",
        b'{"content": "\xff"}',
        ["content"],
        {"content": "last"},
    )
    items = list(jsonl.read(path))
    assert [item.where for item in items] == ["line 1", "line 2", "line 5", "line 6", "line 7"]
    assert [item.draft.content for item in items if item.draft] == ["first", "last"]
    errors = [item.error or "" for item in items if item.draft is None]
    assert "not JSON" in errors[0]
    assert "column 13" in errors[0]
    assert "not UTF-8 text: byte 13 is 0xff" in errors[1]
    assert "['content']" in errors[2]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"text": "x"}, "unknown key 'text'"),
        ({"content": "x", "Rôle": "user", "ts": 1}, "unknown key 'Rôle', 'ts'"),
        ({"role": "user"}, "'content' is missing"),
        ({"content": None}, "content is blank: None"),
        ({"content": " \n\t"}, "content is blank"),
        ({"content": ["x"]}, r"content must be text, not \['x'\]"),
        ({"content": "x", "role": "narrator"}, "unknown role 'narrator': use one of user"),
        ({"content": "x", "role": ["user"]}, "unknown role"),
        ({"content": "x", "type": "dream"}, "unknown type 'dream': use one of episodic"),
        ({"content": "x", "time": "yesterday"}, "time 'yesterday' is no ISO 8601"),
        ({"content": "x", "time": 1700000000}, "time must be text, not 1700000000"),
        ({"content": "x", "valid_to": "2025-13-01"}, "valid_to '2025-13-01'"),
        ({"content": "x", "tags": "one"}, "tags must be a list of texts, not 'one'"),
        ({"content": "x", "entities": ["a", 1]}, "entities must be a list of texts"),
        ({"content": "x", "metadata": [1]}, r"metadata must be an object, not \[1\]"),
        ({"content": "x", "thread": 7}, "thread must be text, not 7"),
        ({"content": "x", "speaker": {}}, "speaker must be text"),
        (b"[" * 100_000, "not readable as JSON|not JSON"),
        (b'{"content": ' + b"9" * 6_000 + b"}", "not readable as JSON"),
        (b"7", "expected an object, not 7"),
    ],
)
def test_a_bad_line_says_what_is_wrong(write: Write, line: Any, message: str) -> None:
    item = one(write(line))
    assert item.draft is None
    assert item.error is not None
    with pytest.raises(AssertionError, match=message):
        raise AssertionError(item.error)


def test_an_overlong_line_is_told(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mnemic.exchange.common.MAX_LINE_BYTES", 40)
    bad, good = jsonl.read(write({"content": "x" * 100}, {"content": "fine"}))
    assert "longer than" in (bad.error or "")
    assert good.draft is not None


def test_times_without_an_offset_wait_for_a_zone(write: Write) -> None:
    path = write({"content": "x", "time": "2025-07-01T00:30:00", "valid_from": "2025-07-01"})
    left = one(path).draft
    assert left is not None
    assert (left.time, left.valid_from) == ("2025-07-01T00:30:00", "2025-07-01")
    placed = one(path, timezone="Europe/Lisbon").draft
    assert placed is not None
    assert placed.time == datetime(2025, 6, 30, 23, 30, tzinfo=UTC)
    assert placed.valid_from == datetime(2025, 6, 30, 23, 0, tzinfo=UTC)
    with pytest.raises(InvalidInput, match="Mars"):
        list(jsonl.read(path, timezone="Mars"))


def test_an_offset_in_the_file_stands_above_the_zone(write: Write) -> None:
    path = write({"content": "x", "time": "2025-07-01T00:30:00Z"})
    draft = one(path, timezone="Asia/Tokyo").draft
    assert draft is not None
    assert draft.time == datetime(2025, 7, 1, 0, 30, tzinfo=UTC)


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstandard.ZstdCompressor().compress])
def test_marks_and_packing_do_not_matter(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "chat"
    path.write_bytes(pack(b'\xef\xbb\xbf{"content": "one"}\r\n{"content": "two"}'))
    contents = [item.draft.content for item in jsonl.read(path) if item.draft]
    assert contents == ["one", "two"]


def test_utf16_is_refused_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "chat.jsonl"
    path.write_text('{"content": "x"}', encoding="utf-16")
    with pytest.raises(ImportFormatError, match="UTF-16"):
        list(jsonl.read(path))


@given(st.lists(st.text(alphabet=st.characters(codec="utf-8"), min_size=1).filter(str.strip)))
def test_any_text_comes_back_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str]
) -> None:
    path = tmp_path_factory.mktemp("jsonl") / "chat.jsonl"
    lines = (json.dumps({"content": text}, ensure_ascii=False) for text in texts)
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8", newline="\n")
    assert [item.draft.content for item in jsonl.read(path) if item.draft] == texts


@given(st.lists(st.binary(max_size=60)))
def test_no_bytes_make_it_crash(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]
) -> None:
    path = tmp_path_factory.mktemp("jsonl") / "chat.jsonl"
    path.write_bytes(b"\n".join([b"{}", *lines]))
    items = list(jsonl.read(path))
    assert items[0].where == "line 1"
    assert all((item.draft is None) != (item.error is None) for item in items)
