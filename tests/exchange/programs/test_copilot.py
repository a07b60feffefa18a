"""GitHub Copilot's chats in VS Code, and the sessions of its command line."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from mnemic.exchange.programs import copilot
from mnemic.exchange.programs.found import Skip
from mnemic.model.origin import Role, SourceType
from tests.exchange.programs.made import contents, drafts, errors, items, lines, reasons, whole

REQUEST: dict[str, Any] = {
    "requestId": "r1",
    "message": {"text": "Tar it.", "parts": []},
    "response": [
        {"kind": "mcpServersStarting"},
        {"value": "Done with "},
        {"kind": "inlineReference", "inlineReference": {"path": "/home/ann/hull.md"}},
        {"kind": "markdownContent", "content": {"value": "."}},
        {"kind": "thinking", "value": "hm"},
        {"kind": "toolInvocationSerialized", "toolId": "x"},
        {"kind": "textEditGroup", "edits": []},
    ],
    "timestamp": 1_750_000_000_000,
    "modelId": "m-4",
}
CHAT = {"version": 3, "requests": [REQUEST], "sessionId": "v1", "customTitle": "The hull"}


def check(found: list[Any], project: str | None = "boat") -> None:
    asked, told = drafts(found)
    assert (asked.role, asked.content, asked.thread) == (Role.USER, "Tar it.", "v1")
    assert (told.role, told.content) == (Role.ASSISTANT, "Done with `hull.md`.")
    about = {"title": "The hull", "model": "m-4"}
    assert told.metadata == about | ({"project": project} if project else {})
    assert asked.time == datetime.fromtimestamp(1_750_000_000, UTC)
    assert reasons(found) == {
        Skip.META: 1,
        Skip.THINKING: 1,
        Skip.TOOL_CALL: 1,
        Skip.FILE_DUMP: 1,
    }
    assert errors(found) == []


def stored(tmp_path: Path) -> Path:
    whole(tmp_path / "w1" / "workspace.json", {"folder": "file:///home/ann/boat"})
    return tmp_path / "w1" / "chatSessions"


def test_a_chat_is_read(tmp_path: Path) -> None:
    whole(stored(tmp_path) / "v1.json", CHAT)
    check(items("copilot", tmp_path))
    check(items("copilot", whole(tmp_path / "named.json", CHAT)), None)


def test_a_log_of_changes_leads_to_the_same(tmp_path: Path) -> None:
    first = REQUEST | {
        "response": [{"kind": "mcpServersStarting"}, {"value": "Do"}, {"value": "x"}]
    }
    start = CHAT | {"requests": [], "customTitle": None}
    file = lines(
        stored(tmp_path) / "v1.jsonl",
        {"kind": 0, "v": start | {"inputState": "big"}},
        {"kind": 1, "k": ["inputState"], "v": "bigger"},
        {"kind": 2, "k": ["requests"], "v": [first, REQUEST | {"requestId": "r2"}]},
        {"kind": 1, "k": ["requests", 0, "response", 1, "value"], "v": "Done with "},
        {"kind": 2, "k": ["requests", 0, "response"], "v": REQUEST["response"][2:], "i": 2},
        {"kind": 1, "k": ["requests", 0, "response", 5, "toolSpecificData", "x"], "v": 1},
        {"kind": 1, "k": ["requests", 0, "message", "parts", 0], "v": 1},
        {"kind": 1, "k": ["requests", 0, "result"], "v": {"metadata": "big"}},
        {"kind": 2, "k": ["requests"], "i": 1},
        {"kind": 1, "k": ["requests", 1], "v": REQUEST},
        {"kind": 1, "k": ["requests"], "v": [first | REQUEST]},
        {"kind": 1, "k": ["customTitle"], "v": "The hull"},
        {"kind": 3, "k": ["creationDate"]},
    )
    check(items("copilot", file.parent))


def test_a_change_that_does_not_fit_is_told(tmp_path: Path) -> None:
    file = lines(
        stored(tmp_path) / "v1.jsonl",
        {"kind": 0, "v": CHAT},
        {"kind": 1, "k": ["requests", 7, "timestamp"], "v": 1},
        {"kind": 9, "k": ["requests"]},
        "{oops",
    )
    found = items("copilot", file.parent)
    assert len(contents(found)) == 2
    assert ["line 2" in errors(found)[0], "line 3" in errors(found)[1]] == [True, True]
    assert len(errors(found)) == 3


@pytest.mark.parametrize("request_", [{"message": "/clear"}, {"message": {"text": "/fix "}}])
def test_a_bare_command_is_none(request_: dict[str, Any], tmp_path: Path) -> None:
    found = items("copilot", whole(tmp_path / "c.json", CHAT | {"requests": [request_, 5]}))
    assert reasons(found) == {Skip.COMMAND: 1, Skip.NO_TEXT: 1}
    assert len(errors(found)) == 1
    kept = CHAT | {"requests": [{"message": "/fix the leak"}]}
    assert contents(items("copilot", whole(tmp_path / "c.json", kept))) == ["/fix the leak"]


def test_old_chats_lie_in_the_database(tmp_path: Path) -> None:
    stored(tmp_path)
    file = tmp_path / "w1" / "state.vscdb"
    with closing(sqlite3.connect(file, isolation_level=None)) as held:
        held.execute("CREATE TABLE ItemTable (key TEXT, value BLOB)")
        held.execute(
            "INSERT INTO ItemTable VALUES ('interactive.sessions', ?)", (json.dumps([CHAT, 3]),)
        )
    found = items("copilot", tmp_path)
    assert len(errors(found)) == 1
    check([item for item in found if item.error is None])
    # The same chat kept as a file since: once.
    whole(tmp_path / "w1" / "chatSessions" / "v1.json", CHAT)
    assert reasons(items("copilot", tmp_path))[Skip.REPEATED] == 1


@pytest.mark.parametrize(("held", "told"), [("{oops", "is not JSON"), ("[4]", "an object, not 4")])
def test_old_chats_that_cannot_be_read_are_told(held: str, told: str, tmp_path: Path) -> None:
    file = tmp_path / "state.vscdb"
    with closing(sqlite3.connect(file, isolation_level=None)) as store:
        store.execute("CREATE TABLE ItemTable (key TEXT, value BLOB)")
        store.execute("INSERT INTO ItemTable VALUES ('interactive.sessions', ?)", (held,))
    assert [told in one for one in errors(items("copilot", file))] == [True]


def event(number: int, kind: str, **data: Any) -> dict[str, Any]:
    return {"id": f"e{number}", "type": kind, "timestamp": "2026-03-01T09:00:00Z", "data": data}


def test_the_command_lines_events_are_read(tmp_path: Path) -> None:
    again = event(1, "user.message", content="Tar it.")
    file = lines(
        tmp_path / "session-state" / "s1" / "events.jsonl",
        event(0, "session.start", sessionId="s1", context={"cwd": "/home/ann/boat"}),
        event(9, "session.model_change", newModel="m-6"),
        again,
        event(2, "assistant.message", content="Done.", toolRequests=[{}]),
        event(3, "assistant.message", content="", toolRequests=[{}]),
        event(4, "tool.execution_start"),
        event(5, "tool.execution_complete"),
        event(6, "assistant.message", content="Nine.", parentToolCallId="t1"),
        event(7, "session.compaction_complete", summaryContent="So far: tarred."),
        event(8, "abort"),
        again,
        "{oops",
    )
    found = items("copilot", tmp_path)
    assert contents(found) == ["Tar it.", "Done.", "Nine.", "So far: tarred."]
    assert reasons(found) == {
        Skip.META: 3,
        Skip.TOOL_CALL: 3,
        Skip.TOOL_OUTPUT: 1,
        Skip.REPEATED: 1,
    }
    asked, told, sub, summary = drafts(found)
    assert (asked.role, asked.thread) == (Role.USER, "s1")
    assert told.metadata == {"project": "boat", "model": "m-6"}
    assert sub.metadata["agent"] == "t1"
    assert (summary.role, summary.tags) == (Role.ASSISTANT, ("summary",))
    assert f"{file}:line 12" in errors(found)[0]


def test_instructions_of_a_project_and_of_the_person(tmp_path: Path) -> None:
    whole(tmp_path / ".github" / "copilot-instructions.md", "Tar first.")
    whole(tmp_path / ".github" / "instructions" / "hull.instructions.md", "Then paint.")
    whole(tmp_path / ".github" / "README.md", "Not for it.")
    found = drafts(items("copilot", tmp_path / ".github"))
    assert {draft.content for draft in found} == {"Tar first.", "Then paint."}
    assert {draft.source for draft in found} == {SourceType.RETRIEVED_DOCUMENT}
    own = whole(tmp_path / ".copilot" / "copilot-instructions.md", "Be brief.")
    assert drafts(items("copilot", own))[0].source is SourceType.USER_STATEMENT


def test_places_of_each_system() -> None:
    home = Path("/h")
    linux = copilot.places(home, Path("/p"), {}, "linux")
    assert Path("/h/.config/Code/User/workspaceStorage") in linux
    assert Path("/h/.copilot/session-state") in linux
    assert Path("/p/.github") in linux
    mac = copilot.places(home, None, {}, "darwin")
    assert Path("/h/Library/Application Support/Code - Insiders/User/workspaceStorage") in mac
    windows = copilot.places(home, None, {"APPDATA": "/a"}, "win32")
    assert Path("/a/VSCodium/User/workspaceStorage") in windows
    env = {"XDG_CONFIG_HOME": "/x", "COPILOT_HOME": "/o"}
    moved = copilot.places(home, None, env, "linux")
    assert not any(path.is_relative_to(home) for path in moved)
