"""Cursor's chats: composers and bubbles, the forms before them, and transcripts."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from mnemic.exchange.programs import cursor, database
from mnemic.exchange.programs.found import Skip
from mnemic.model.origin import Role
from tests.exchange.programs.made import (
    contents,
    drafts,
    errors,
    items,
    kinds,
    lines,
    reasons,
    whole,
)


def store(file: Path, table: str, rows: dict[str, Any]) -> Path:
    """A database of keys and values; a text stands as it is."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(file, isolation_level=None)) as held:
        held.execute(f"CREATE TABLE {table} (key TEXT, value BLOB)")
        for key, value in rows.items():
            told = value if isinstance(value, str | None) else json.dumps(value)
            held.execute(f"INSERT INTO {table} VALUES (?, ?)", (key, told))
    return file


def composer(*heads: str, **more: Any) -> dict[str, Any]:
    return {
        "composerId": "c1",
        "name": "The hull",
        "createdAt": 1_750_000_000_000,
        "fullConversationHeadersOnly": [{"bubbleId": head} for head in heads],
        **more,
    }


def bubble(name: str, kind: int, text: str, **more: Any) -> dict[str, Any]:
    return {"bubbleId": name, "type": kind, "text": text, **more}


def test_a_chat_is_read_in_its_order(tmp_path: Path) -> None:
    rows = {
        "bubbleId:c1:b2": bubble("b2", 2, "Done.", createdAt="2026-03-01T09:00:00Z"),
        "bubbleId:c1:b1": bubble("b1", 1, "Tar it."),
        "bubbleId:c1:b3": bubble("b3", 2, "", toolFormerData={"result": "x"}),
        "bubbleId:c1:b4": bubble("b4", 2, "", thinking={"text": "hm"}),
        "bubbleId:c1:b5": bubble("b5", 9, "?"),
        "bubbleId:c1:b9": bubble("b9", 1, "Rewound."),
        "composerData:c1": composer(
            *("b1", "b2", "b3", "b4", "b5", "b6", "b1"),
            modelConfig={"modelName": "m-7"},
            latestConversationSummary={"summary": {"summary": "So far: tarred."}},
        ),
        "composerData:c2": None,
        "composerData:c3": "{oops",
        "composerData:c4": {"composerId": "c4"},
    }
    file = store(tmp_path / "state.vscdb", "cursorDiskKV", rows)
    found = items("cursor", file)
    asked, told, summary = drafts(found)
    assert (asked.role, asked.content, asked.thread) == (Role.USER, "Tar it.", "c1")
    assert asked.time == datetime.fromtimestamp(1_750_000_000, UTC)  # the chat's
    assert (told.role, told.content) == (Role.ASSISTANT, "Done.")
    assert told.time == datetime(2026, 3, 1, 9, tzinfo=UTC)
    assert told.metadata == {"title": "The hull", "model": "m-7"}
    assert (summary.role, summary.tags) == (Role.ASSISTANT, ("summary",))
    assert reasons(found) == {
        Skip.TOOL_CALL: 1,
        Skip.TOOL_OUTPUT: 1,
        Skip.THINKING: 1,
        Skip.META: 1,
        Skip.NO_TEXT: 3,  # the missing bubble, the emptied row, and the chat without messages
        Skip.REPEATED: 1,
        Skip.TAKEN_BACK: 1,
    }
    assert ["composerData:c3" in one for one in errors(found)] == [True]


def test_older_forms_are_read(tmp_path: Path) -> None:
    old = {"composerId": "c0", "conversation": [bubble("x1", 1, "Inline.")]}
    by_id = composer("y1", composerId="c5", conversationMap={"y1": bubble("y1", 1, "Mapped.")})
    headless = {"composerId": "c6"}
    store(
        tmp_path / "global" / "state.vscdb",
        "cursorDiskKV",
        {
            "composerData:c0": old,
            "composerData:c5": by_id,
            "composerData:c6": headless,
            "bubbleId:c6:z1": bubble("z1", 1, "Headless."),
        },
    )
    tab = {"tabId": "t1", "chatTitle": "Sails", "bubbles": [{"type": "user", "text": "Tabbed."}]}
    heads = {
        "allComposers": [
            {"composerId": "c1"},
            {"composerId": "c7", "conversation": [bubble("q", 2, "Within.")]},
        ]
    }
    store(
        tmp_path / "w1" / "state.vscdb",
        "ItemTable",
        {
            "workbench.panel.aichat.view.aichat.chatdata": {"tabs": [tab]},
            "composer.composerData": heads,
            "interactive.sessions": [{"sessionId": "i1", "requests": [{"message": "Older."}]}],
        },
    )
    whole(tmp_path / "w1" / "workspace.json", {"folder": "file:///home/ann/my%20boat"})
    found = items("cursor", tmp_path)
    assert contents(found) == ["Inline.", "Mapped.", "Headless.", "Tabbed.", "Within.", "Older."]
    assert {d.source_id for d in drafts(found)} == {
        f"cursor:{n}" for n in ("c0", "c5", "c6", "t1", "c7", "i1")
    }
    assert drafts(found)[3].metadata == {"project": "my boat", "title": "Sails"}
    assert errors(found) == []


def test_a_value_that_is_too_long_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = {"composerData:c1": composer("b1"), "bubbleId:c1:b1": bubble("b1", 1, "Tar it.")}
    file = store(tmp_path / "state.vscdb", "cursorDiskKV", rows)
    assert contents(items("cursor", file)) == ["Tar it."]
    monkeypatch.setattr(database, "MAX_VALUE_BYTES", 20)
    told = errors(items("cursor", file))
    assert ["composerData:c1: the value is too long" in one for one in told] == [True]


def said(role: str, *parts: Any) -> dict[str, Any]:
    return {"role": role, "message": {"content": [*parts]}}


def text(value: str) -> dict[str, str]:
    return {"type": "text", "text": value}


def test_a_transcript_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "projects" / "home-ann-boat" / "agent-transcripts" / "t1"
    query = (
        "<attached_files>\n<file>x</file>\n</attached_files>\n<user_query>\nTar it.\n</user_query>"
    )
    lines(
        folder / "t1.jsonl",
        said("user", text(query)),
        said("assistant", text("Done."), {"type": "tool_use"}),
        said("user", text("<user_info>x</user_info>")),
        said("tool", text("x")),
        {"type": "turn_ended"},
        {"role": "user"},
        "{oops",
    )
    lines(folder / "subagents" / "a1.jsonl", said("user", text("Count.")))
    found = items("cursor", tmp_path)
    asked, told, sub = drafts(found)
    assert (asked.role, asked.content, asked.thread) == (Role.USER, "Tar it.", "t1")
    assert asked.metadata == {"project": "home-ann-boat"}
    assert (told.role, told.content) == (Role.ASSISTANT, "Done.")
    assert (sub.role, sub.thread, sub.metadata["agent"]) == (Role.ASSISTANT, "t1", "a1")
    assert reasons(found) == {Skip.TOOL_CALL: 1, Skip.META: 2, Skip.SYSTEM: 1}
    assert len(errors(found)) == 2


TRANSCRIPT = """user:
<user_info>x</user_info>
<user_query>
Tar it.
</user_query>

assistant:
[Thinking] hm
I look at the hull.

[Tool call] Read
  path: hull.md

[Tool result] Read
user: is no turn here

A:
Done.

user:
<user_info>x</user_info>
"""


def test_a_transcript_of_plain_text_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "projects" / "home-ann-boat" / "agent-transcripts"
    file = whole(folder / "t1.txt", TRANSCRIPT)
    whole(folder.parent / "notes.txt", TRANSCRIPT)
    found = items("cursor", tmp_path)
    assert [(draft.role, draft.content) for draft in drafts(found)] == [
        (Role.USER, "Tar it."),
        (Role.ASSISTANT, "I look at the hull."),
        (Role.ASSISTANT, "Done."),
    ]
    assert {draft.thread for draft in drafts(found)} == {"t1"}
    assert drafts(found)[0].metadata == {"project": "home-ann-boat"}
    assert reasons(found) == {
        Skip.THINKING: 1,
        Skip.TOOL_CALL: 1,
        Skip.TOOL_OUTPUT: 1,
        Skip.META: 1,
    }
    rows = {"composerData:t1": composer("b1", composerId="t1")}
    rows["bubbleId:t1:b1"] = bubble("b1", 1, "Tar it.")
    store(tmp_path / "state.vscdb", "cursorDiskKV", rows)
    again = items("cursor", tmp_path)
    assert contents(again) == ["Tar it.", "I look at the hull.", "Done."]
    assert reasons(again)[Skip.REPEATED] == 1
    found = items("cursor", whole(file, "stray\n" + TRANSCRIPT + "x" * (17 << 20)))
    assert "it stands before the first turn" in errors(found)[0]
    assert len(errors(found)) == 2


def test_what_the_database_told_is_left_out_of_the_transcript(tmp_path: Path) -> None:
    rows = {"composerData:c1": composer("b1"), "bubbleId:c1:b1": bubble("b1", 1, "Tar it.")}
    store(tmp_path / "User" / "state.vscdb", "cursorDiskKV", rows)
    query = text("<user_query>Tar it.</user_query>")
    # Found before the database by name, and read after it.
    lines(tmp_path / "A" / "c1.jsonl", said("user", query), said("assistant", text("Done.")))
    lines(tmp_path / "A" / "c2.jsonl", said("user", query))
    found = items("cursor", tmp_path)
    assert [(draft.thread, draft.content) for draft in drafts(found)] == [
        ("c1", "Tar it."),
        ("c1", "Done."),
        ("c2", "Tar it."),
    ]
    assert reasons(found) == {Skip.REPEATED: 1}


def test_an_export_is_read(tmp_path: Path) -> None:
    turns = [{"role": "user", "content": "Tar it.", "timestamp": 1_750_000_000.0}, 3]
    chats = [{"id": "e1", "title": "The hull", "messages": turns}, {"id": "e2"}, {"messages": []}]
    found = items("cursor", whole(tmp_path / "export.json", {"conversations": chats}))
    assert reasons(found) == {Skip.NO_TEXT: 1}
    (draft,) = drafts(found)
    assert (draft.content, draft.thread, draft.metadata) == ("Tar it.", "e1", {"title": "The hull"})
    assert draft.time == datetime.fromtimestamp(1_750_000_000, UTC)
    assert len(errors(found)) == 2


def test_files_and_places(tmp_path: Path) -> None:
    for name in (".cursor/rules/a.mdc", ".cursor/rules/b.md", ".cursor/notes.md", ".cursorrules"):
        whole(tmp_path / name, "Tar first.")
    assert dict(kinds("cursor", tmp_path)) == dict.fromkeys(
        ("a.mdc", "b.md", ".cursorrules"), "instructions"
    )
    home = Path("/h")
    assert cursor.places(home, Path("/p"), {}, "linux") == [
        Path("/h/.config/Cursor/User/globalStorage/state.vscdb"),
        Path("/h/.config/Cursor/User/workspaceStorage"),
        Path("/h/.cursor/projects"),
        Path("/p/.cursor"),
        Path("/p/.cursorrules"),
    ]
    mac = cursor.places(home, None, {}, "darwin")
    assert mac[1] == Path("/h/Library/Application Support/Cursor/User/workspaceStorage")
    windows = cursor.places(home, None, {}, "win32")
    assert windows[1] == Path("/h/AppData/Roaming/Cursor/User/workspaceStorage")
