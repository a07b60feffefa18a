"""ChatGPT's export in every wrapping, whole and broken."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from mnemic.errors import ImportFormatError
from mnemic.exchange.chats import chatgpt
from tests.exchange.chat_support import (
    contents,
    drafts,
    errors,
    put,
    skipped,
    zip_bytes,
    zipped,
)
from tests.exchange.chatgpt_samples import BOAT, EDITED, message, read, talk


@pytest.fixture(params=["folder", "archive", "archive in a folder", "in an object", "alone"])
def split(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """Eleven conversations in every wrapping that an export comes in."""
    talks = [talk(message("user", f"Number {n}."), conversation_id=f"t{n}") for n in range(11)]
    parts = {f"conversations-{n}.json": [one] for n, one in enumerate(talks)}
    others = {"user.json": {"id": "u"}, "chat.html": "<html>", "file-1.png": b"\x89PNG"}
    match request.param:
        case "folder":
            for name, value in {**parts, "user.json": {}}.items():
                put(tmp_path / "export" / name, value)
            yield tmp_path / "export"
        case "archive":
            yield zipped(tmp_path / "export.zip", {**others, **parts})
        case "archive in a folder":
            (tmp_path / "export").mkdir()
            zipped(tmp_path / "export" / "one.zip", {**others, **parts})
            yield tmp_path / "export"
        case "in an object":
            yield put(tmp_path / "x.json", {"version": 1, "conversations": talks})
        case _:
            for n, one in enumerate(talks):
                put(tmp_path / "export" / f"talk {n}.json", one)
            yield tmp_path / "export"


def test_every_wrapping_is_read_in_the_order_of_the_numbers(split: Path) -> None:
    assert contents(chatgpt.read(split)) == [f"Number {n}." for n in range(11)]


def test_what_else_is_in_the_archive_is_told(tmp_path: Path) -> None:
    path = zipped(
        tmp_path / "x.zip", {"conversations.json": [BOAT], "user.json": {}, "a/f.png": b"x"}
    )
    items = list(chatgpt.read(path))
    assert len(drafts(items)) == 2
    assert skipped(items) == {"user.json": "other file", "a/f.png": "attachment"}


def test_one_conversation_alone_is_read(tmp_path: Path) -> None:
    assert contents(chatgpt.read(put(tmp_path / "x.json", BOAT))) == contents(read(tmp_path, BOAT))


def test_what_is_no_conversation_is_told(tmp_path: Path) -> None:
    items = read(tmp_path, BOAT, {"title": "x"}, 7, {"mapping": []})
    assert len(drafts(items)) == 2
    assert list(errors(items)) == [f"conversations.json/{n}" for n in (2, 3, 4)]
    assert list(errors(chatgpt.read(put(tmp_path / "u.json", {"id": "u"})))) == ["u.json/1"]


def test_a_broken_file_in_a_folder_does_not_stop_the_others(tmp_path: Path) -> None:
    put(tmp_path / "conversations-0.json", [BOAT])
    (tmp_path / "conversations-1.json").write_text("[{")
    (tmp_path / "conversations-2.zip").write_bytes(zip_bytes({"a.json": "[]"})[:-30])
    put(tmp_path / "conversations-3.json", [EDITED])
    items = list(chatgpt.read(tmp_path))
    assert len(drafts(items)) == 5
    assert list(errors(items)) == ["conversations-1.json", "conversations-2.zip"]


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"", "is empty"),
        (b"[{", "cut short"),
        (json.dumps([BOAT]).encode()[:-200], "cut short"),
        (b'[{"mapping": {"a": "\xff"}}]', "not UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"mapping":' * 100_000, "nested too deeply"),
        (b"not JSON", "is not JSON"),
    ],
)
def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path, raw: bytes, told: str) -> None:
    path = tmp_path / "conversations.json"
    path.write_bytes(raw)
    with pytest.raises(ImportFormatError, match=told):
        list(chatgpt.read(path))
    path = zipped(tmp_path / "x.zip", {"conversations.json": raw})
    with pytest.raises(ImportFormatError, match=told):
        list(chatgpt.read(path))


def test_a_folder_or_archive_with_nothing_in_it_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ImportFormatError, match=r"holds no conversations\.json"):
        list(chatgpt.read(tmp_path))
    with pytest.raises(ImportFormatError, match=r"holds no conversations\.json"):
        list(chatgpt.read(zipped(tmp_path / "x.zip", {"a.txt": "x"})))


def test_pipes_and_links_are_not_opened(tmp_path: Path) -> None:
    folder = tmp_path / "export"
    put(folder / "conversations.json", [BOAT])
    secret = put(tmp_path / "elsewhere" / "conversations.json", [EDITED])
    (folder / "conversations-1.json").symlink_to(secret)
    (folder / "more").symlink_to(secret.parent)
    os.mkfifo(folder / "conversations-2.json")
    items = list(chatgpt.read(folder))
    assert contents(items) == contents(read(tmp_path, BOAT))
    assert set(skipped(items).values()) == {"link or device"}
    assert len(skipped(items)) == 3
    with pytest.raises(ImportFormatError, match="a pipe or a device"):
        list(chatgpt.read(folder / "conversations-2.json"))
