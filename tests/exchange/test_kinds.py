"""Exports are told apart by what they begin with."""

from __future__ import annotations

import json
import os
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from mnemic.errors import ImportFormatError
from mnemic.exchange.kinds import HEAD_BYTES, kind_of, kind_of_text
from tests.exchange.chat_support import put, zipped

NOTE = "---\ntitle: A\npermalink: a\n---\n- [fact] It floats\n"
SAMPLES: dict[str, Any] = {
    "chatgpt": [{"title": "x", "create_time": 1, "mapping": {"a": {"message": None}}}],
    "claude_ai": [{"uuid": "x", "name": "y", "chat_messages": [{"mapping": 1}]}],
    "letta": {"agents": [{"name": "x", "agent_type": "y"}], "blocks": []},
    "mem0": {"results": [{"id": "x", "memory": "y", "user_id": "z"}]},
    "zep": {"edges": [{"uuid": "x", "fact": "y"}]},
    "basic_memory": NOTE,
    "csv": "id;content\n1;x\n",
}
OTHERS = [
    ("chatgpt", SAMPLES["chatgpt"][0]),
    ("chatgpt", {"conversations": SAMPLES["chatgpt"]}),
    ("claude_ai", SAMPLES["claude_ai"][0]),
    ("claude_ai", [{"uuid": "x", "is_private": True, "docs": []}]),
    ("claude_ai", [{"uuid": "x", "prompt_template": ""}]),
    ("claude_ai", [{"conversations_memory": "x"}]),
    ("letta", {"agent_type": "memgpt_agent", "core_memory": []}),
    ("letta", json.dumps(json.dumps(SAMPLES["letta"]))),
    ("mem0", [{"memory": "x", "hash": "y"}]),
    ("zep", {"sessions": [{"session_id": "x"}]}),
    ("zep", {"messages": [{"uuid": "x", "role_type": "user"}]}),
    ("zep", [{"fact": "x"}]),
    ("basic_memory", "- [fact] It floats\n- part_of [[Boats]]\n"),
    ("csv", "\ufeffCONTENT\r\nx\r\n"),
    (None, "content of a letter\n"),
    (None, "# A note\n- [x] done\n- [[Boats]]\n"),
    (None, "- [fact] It floats\n"),
    (None, '{"content": "x", "role": "user"}\n{"content": "y", "mapping": 1}\n'),
    (None, [{"memory": "x"}]),
    (None, [{"conversation": {"mapping": {}}, "qa": []}]),
    (None, {"traces": [{"content": "x", "metadata": {"mapping": 1}}]}),
    (None, [1, 2]),
    (None, []),
    (None, ""),
    (None, "[[[["),
    (None, b"\x00\xff\x00"),
]


def raw_of(value: Any) -> bytes:
    if isinstance(value, bytes):
        return value
    return (value if isinstance(value, str) else json.dumps(value)).encode()


@pytest.mark.parametrize(("kind", "value"), [*SAMPLES.items(), *OTHERS])
def test_a_file_is_known_by_its_beginning(tmp_path: Path, kind: str | None, value: Any) -> None:
    path = tmp_path / "conversations.json"
    path.write_bytes(raw_of(value))
    assert kind_of(path) == kind
    indented = value if isinstance(value, str | bytes) else json.dumps(value, indent=2)
    assert kind_of_text(raw_of(indented)) == kind


@pytest.mark.parametrize(("kind", "value"), SAMPLES.items())
def test_an_archive_and_a_folder_are_known_by_what_is_in_them(
    tmp_path: Path, kind: str, value: Any
) -> None:
    suffix = {"basic_memory": "md", "csv": "csv"}.get(kind, "json")
    entries = {"0.json": [], "user.json": {"id": "u"}, f"a/export.{suffix}": raw_of(value)}
    assert kind_of(zipped(tmp_path / "x.zip", entries)) == kind
    folder = tmp_path / "folder"
    put(folder / "user.json", {"id": "u"})
    assert kind_of(folder) is None
    (folder / f"export.{suffix}").write_bytes(raw_of(value))
    assert kind_of(folder) == kind
    outer = tmp_path / "outer"
    outer.mkdir()
    (tmp_path / "x.zip").rename(outer / "x.zip")
    assert kind_of(outer) == kind


def test_tables_and_notes_that_somebody_sent_do_not_mislead(tmp_path: Path) -> None:
    sent = {"A.csv": "content\nx\n", "B.md": NOTE}
    assert kind_of(zipped(tmp_path / "x.zip", sent)) == "basic_memory"
    export = {**sent, "conversations.json": SAMPLES["chatgpt"]}
    assert kind_of(zipped(tmp_path / "y.zip", export)) == "chatgpt"


def test_a_broken_file_says_nothing_of_the_others(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"PK\x03\x04 and no more")
    assert kind_of(tmp_path) is None
    put(tmp_path / "b.json", SAMPLES["mem0"])
    assert kind_of(tmp_path) == "mem0"
    with pytest.raises(ImportFormatError, match="zip archive"):
        kind_of(tmp_path / "a.zip")


def test_a_first_record_larger_than_what_is_looked_at(tmp_path: Path) -> None:
    mapping = {f"n{n}": {"message": {"text": "x" * 500}} for n in range(4_000)}
    path = put(tmp_path / "x.json", [{"title": 'A "title"', "mapping": mapping}])
    assert path.stat().st_size > HEAD_BYTES
    assert kind_of(path) == "chatgpt"
    agent = json.dumps({"agents": [{"agent_type": "x", "name": "\u2028" * HEAD_BYTES}]})
    assert kind_of_text(json.dumps(agent).encode()[: HEAD_BYTES - 1]) == "letta"


def test_beginnings_made_to_be_slow_are_not() -> None:
    start = perf_counter()
    for raw in (
        b'{"a":"' + b'\\"' * (HEAD_BYTES // 2),
        b"[" * HEAD_BYTES,
        b'{"a":' * (HEAD_BYTES // 5),
        b'"' + b'\\"' * (HEAD_BYTES // 2),
        b"- " + b" " * HEAD_BYTES,
        b"-" * HEAD_BYTES,
    ):
        assert kind_of_text(raw) is None
    assert perf_counter() - start < 10


def test_pipes_and_links_are_not_opened(tmp_path: Path) -> None:
    put(tmp_path / "elsewhere" / "x.json", SAMPLES["chatgpt"])
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "x.json").symlink_to(tmp_path / "elsewhere" / "x.json")
    os.mkfifo(folder / "y.json")
    assert kind_of(folder) is None
    assert kind_of(tmp_path / "elsewhere") == "chatgpt"
    with pytest.raises(ImportFormatError, match="a pipe or a device"):
        kind_of(folder / "y.json")
    with pytest.raises(ImportFormatError, match="no such file"):
        kind_of(tmp_path / "missing")
