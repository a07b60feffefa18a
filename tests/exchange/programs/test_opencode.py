"""opencode's sessions, as files and as a database."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mnemic.exchange.programs import opencode
from mnemic.exchange.programs.found import Skip
from mnemic.model.origin import Role
from tests.exchange.programs.made import contents, drafts, errors, items, kinds, reasons, whole

SESSION = {"id": "ses1", "directory": "/home/ann/boat", "title": "The hull"}
ASKED: dict[str, Any] = {"id": "msg1", "role": "user", "time": {"created": 1_750_000_000_000}}
TOLD: dict[str, Any] = {
    "id": "msg2",
    "role": "assistant",
    "modelID": "m-3",
    "time": {"created": 1_750_000_001_000},
}
PARTS: dict[str, list[dict[str, Any]]] = {
    "msg1": [
        {"type": "text", "text": "Tar it."},
        {"type": "text", "text": "the file", "synthetic": True},
        {"type": "file", "url": "x"},
    ],
    "msg2": [
        {"type": "reasoning", "text": "hm"},
        {"type": "tool", "state": {"output": "ok"}},
        {"type": "tool", "state": {"status": "running"}},
        {"type": "text", "text": "Done."},
        {"type": "step-finish"},
    ],
}
COUNTED = {
    Skip.META: 2,
    Skip.ATTACHMENT: 1,
    Skip.THINKING: 1,
    Skip.TOOL_CALL: 2,
    Skip.TOOL_OUTPUT: 1,
}


def files(place: Path, session: dict[str, Any] = SESSION) -> Path:
    """The session as files."""
    storage = place / "storage"
    name = session["id"]
    whole(storage / "session" / "p1" / f"{name}.json", session)
    for message in (ASKED, TOLD):
        whole(storage / "message" / name / f"{message['id']}.json", message)
        for number, part in enumerate(PARTS[message["id"]]):
            whole(storage / "part" / message["id"] / f"prt{number}.json", part)
    return storage


def database(file: Path) -> Path:
    """The same as a database."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(file, isolation_level=None)) as held:
        held.execute("CREATE TABLE session (id, parent_id, directory, title, time_created)")
        held.execute("CREATE TABLE message (id, session_id, time_created, data)")
        held.execute("CREATE TABLE part (id, message_id, session_id, data)")
        row = ("ses1", None, "/home/ann/boat", "The hull", 1_750_000_000_000)
        held.execute("INSERT INTO session VALUES (?, ?, ?, ?, ?)", row)
        for message in (ASKED, TOLD):
            data = {key: value for key, value in message.items() if key not in ("id", "time")}
            created = message["time"]["created"]
            told = (message["id"], "ses1", created, json.dumps(data))
            held.execute("INSERT INTO message VALUES (?, ?, ?, ?)", told)
            for number, part in enumerate(PARTS[message["id"]]):
                told = (f"{message['id']}-{number}", message["id"], "ses1", json.dumps(part))
                held.execute("INSERT INTO part VALUES (?, ?, ?, ?)", told)
    return file


def check(found: list[Any]) -> None:
    asked, told = drafts(found)
    assert (asked.role, asked.content, asked.thread) == (Role.USER, "Tar it.", "ses1")
    assert (told.role, told.content) == (Role.ASSISTANT, "Done.")
    assert told.metadata == {"project": "boat", "title": "The hull", "model": "m-3"}
    assert told.time == datetime.fromtimestamp(1_750_000_001, UTC)
    assert reasons(found) == COUNTED
    assert errors(found) == []


def test_files_are_read(tmp_path: Path) -> None:
    files(tmp_path)
    check(items("opencode", tmp_path))


def test_a_database_is_read(tmp_path: Path) -> None:
    check(items("opencode", database(tmp_path / "opencode.db")))


def test_what_stands_in_both_comes_once(tmp_path: Path) -> None:
    files(tmp_path)
    database(tmp_path / "opencode.db")
    found = items("opencode", tmp_path)
    assert contents(found) == ["Tar it.", "Done."]
    assert reasons(found) == COUNTED | {Skip.REPEATED: 2}
    database(tmp_path / "opencode-old.db")
    assert reasons(items("opencode", tmp_path)) == COUNTED | {Skip.REPEATED: 4}


def test_a_sub_agents_user_is_the_assistant(tmp_path: Path) -> None:
    files(tmp_path, SESSION | {"id": "ses2", "parentID": "ses1"})
    asked, _ = drafts(items("opencode", tmp_path))
    assert (asked.role, asked.thread, asked.metadata["agent"]) == (Role.ASSISTANT, "ses1", "ses2")


def test_a_summary_is_tagged(tmp_path: Path) -> None:
    storage = files(tmp_path)
    whole(storage / "message" / "ses1" / "msg2.json", TOLD | {"summary": True})
    assert [draft.tags for draft in drafts(items("opencode", tmp_path))] == [(), ("summary",)]


def test_the_oldest_layout_is_read(tmp_path: Path) -> None:
    storage = tmp_path / "project" / "boat" / "storage" / "session"
    whole(storage / "info" / "ses1.json", SESSION)
    whole(storage / "message" / "ses1" / "msg1.json", ASKED | {"parts": PARTS["msg1"][:1]})
    whole(storage / "message" / "ses1" / "msg2.json", TOLD)
    whole(storage / "part" / "ses1" / "msg2" / "prt1.json", PARTS["msg2"][3])
    assert contents(items("opencode", tmp_path)) == ["Tar it.", "Done."]


def test_what_is_broken_is_told_and_the_rest_goes_on(tmp_path: Path) -> None:
    storage = files(tmp_path)
    whole(storage / "message" / "ses1" / "msg0.json", "{oops")
    whole(storage / "message" / "ses1" / "msg3.json", {"id": "msg3", "role": "system"})
    whole(storage / "part" / "msg2" / "prt9.json", "[]")
    whole(storage / "session" / "p1" / "ses0.json", "")
    (storage / "part" / "msg1" / "prt9.json").symlink_to("prt0.json")
    found = items("opencode", tmp_path)
    assert contents(found) == ["Tar it.", "Done."]
    assert len(errors(found)) == 3
    assert reasons(found)[Skip.SYSTEM] == 1
    assert reasons(found)[Skip.LINK] == 2  # seen by the walk, and with the message
    broken = database(tmp_path / "new" / "opencode.db")
    with closing(sqlite3.connect(broken, isolation_level=None)) as held:
        held.execute("UPDATE part SET data = '{' WHERE id = 'msg1-0'")
        held.execute("UPDATE message SET data = '7' WHERE id = 'msg2'")
    told = errors(items("opencode", broken))
    assert ["part msg1-0" in told[0], "message msg2" in told[1], len(told)] == [True, True, 2]
    with closing(sqlite3.connect(broken, isolation_level=None)) as held:
        held.execute("DROP TABLE part")
    assert "has no table part" in errors(items("opencode", broken))[0]


def test_files_and_places(tmp_path: Path) -> None:
    files(tmp_path)
    whole(tmp_path / "storage" / "session_diff" / "ses1.json", [])
    whole(tmp_path / "AGENTS.md", "x")
    assert list(kinds("opencode", tmp_path)) == [
        ("ses1.json", "session"),
        ("AGENTS.md", "instructions"),
    ]
    env = {"XDG_DATA_HOME": "/d", "XDG_CONFIG_HOME": "/c"}
    assert opencode.places(Path("/h"), Path("/p"), env, "linux") == [
        Path("/d/opencode"),
        Path("/c/opencode/AGENTS.md"),
        Path("/p/AGENTS.md"),
    ]
    default = opencode.places(Path("/h"), None, {}, "darwin")
    assert default[0] == Path("/h/.local/share/opencode")
