"""A format is told by what is in the file, whatever its name."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
import zstandard

from mnemic.errors import ImportFormatError
from mnemic.exchange.detect import FORMATS, detect, read, reader

LOCOMO = [{"qa": [{"q": 1}], "conversation": {"session_1": [{"speaker": "Ines", "text": "Hi."}]}}]
LONGMEMEVAL = [
    {
        "question_id": "q",
        "haystack_session_ids": ["s"],
        "haystack_dates": ["2024/05/06"],
        "haystack_sessions": [[{"role": "user", "content": "Hi."}]],
    }
]
BEAM = {"1": {"chat.json": [{"turns": [[{"id": 0, "role": "user", "content": "Hi."}]]}]}}
JSONL = {"role": "user", "content": "Hi.", "speaker": "Ines"}

FILES: list[tuple[str, str]] = [
    ("locomo", json.dumps(LOCOMO)),
    ("locomo", "\n\n " + json.dumps(LOCOMO, indent=2)),
    ("longmemeval", json.dumps(LONGMEMEVAL)),
    ("longmemeval", json.dumps(LONGMEMEVAL, indent=1)),
    ("beam", json.dumps(BEAM)),
    ("beam", json.dumps(BEAM, indent=4)),
    ("jsonl", json.dumps(JSONL)),
    ("jsonl", '{"content": "cut\n' + json.dumps(JSONL)),
    ("jsonl", "\n" + json.dumps({"note": 1}) + "\n" + json.dumps(JSONL)),
    ("jsonl", "[broken\n" + json.dumps(JSONL)),
    ("jsonl", json.dumps(JSONL | {"metadata": {"a": 1}}) + "\n" + json.dumps(JSONL)),
]


def plain(raw: bytes) -> bytes:
    return raw


def marked(raw: bytes) -> bytes:
    return b"\xef\xbb\xbf" + raw


@pytest.mark.parametrize(
    "pack", [plain, marked, gzip.compress, zstandard.ZstdCompressor().compress]
)
@pytest.mark.parametrize(("name", "text"), FILES)
def test_each_format_is_known(tmp_path: Path, pack: Any, name: str, text: str) -> None:
    path = tmp_path / "no-extension"
    path.write_bytes(pack(text.encode()))
    assert detect(path) == name
    assert [item.draft.content for item in read(path) if item.draft] == ["Hi."] * (
        text.count('"Hi."')
    )


@pytest.mark.parametrize(("name", "text"), FILES)
def test_a_first_record_longer_than_the_first_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str
) -> None:
    monkeypatch.setattr("mnemic.exchange.detect._FIRST_LOOK", 16)
    path = tmp_path / "file"
    path.write_text(text)
    assert detect(path) == name


@pytest.mark.parametrize(
    "text",
    [
        "dear diary",
        "role,words\nuser,Hi.",
        "[]",
        "[1, 2]",
        '{"a": 1}',
        "{}",
        "null",
        "[" * 100_000,
    ],
)
def test_others_are_refused_with_the_list_of_formats(tmp_path: Path, text: str) -> None:
    path = tmp_path / "file"
    path.write_text(text)
    with pytest.raises(ImportFormatError, match="one of jsonl, json, sqlite"):
        detect(path)


def test_empty_files_and_bytes_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for data, message in [
        (b"", "is empty"),
        (b" \n ", "is empty"),
        (b"\x89PNG\r\n\x1a\n\0\0", "not UTF-8"),
        (b"\xff\xfe{\0}\0", "UTF-16"),
    ]:
        path.write_bytes(data)
        with pytest.raises(ImportFormatError, match=message):
            detect(path)
    with pytest.raises(ImportFormatError, match="no such file"):
        detect(tmp_path / "none")


def test_a_named_format_is_taken_at_its_word(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text(json.dumps(LOCOMO))
    with pytest.raises(ImportFormatError, match="an object of conversations"):
        list(read(path, "beam"))
    with pytest.raises(ImportFormatError, match="unknown format 'tsv': use auto, jsonl"):
        read(path, "tsv")
    for name in FORMATS:
        assert callable(reader(name))
