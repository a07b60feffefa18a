"""Memory in and out by the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Cli

CHAT = [
    {
        "conversation_id": "c1",
        "title": "Boats",
        "create_time": 1_700_000_000,
        "current_node": "b",
        "mapping": {
            "a": {"id": "a", "parent": None, "children": ["b", "c"], "message": {
                "author": {"role": "user"}, "create_time": 1_700_000_000,
                "content": {"content_type": "text", "parts": ["The ferry leaves at nine"]}}},
            "b": {"id": "b", "parent": "a", "children": [], "message": {
                "author": {"role": "assistant"}, "create_time": 1_700_000_001,
                "content": {"content_type": "text", "parts": ["I note the ferry"]}}},
            "c": {"id": "c", "parent": "a", "children": [], "message": {
                "author": {"role": "assistant"}, "create_time": 1_700_000_002,
                "content": {"content_type": "text", "parts": ["An earlier answer"]}}},
        },
    }
]  # fmt: skip


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps(CHAT))
    return path


def test_a_chat_export_comes_in_and_is_counted(cli: Cli, chat: Path) -> None:
    assert "would be imported  2" in cli("import", str(chat), "--dry-run").stdout
    done = cli.json("import", str(chat))
    assert (done["imported"], done["failed"]) == (2, 0)
    assert done["passed_over"] == {"another branch": 1}
    assert "no memories" in cli("import", str(chat)).stdout
    assert cli.json("import", str(chat), "--branches")["imported"] == 1
    assert cli.json("recall", "ferry")["hits"]


def test_a_programs_sessions_come_in(cli: Cli, tmp_path: Path) -> None:
    home = tmp_path / "home"
    session = home / ".claude" / "projects" / "boat" / "s1.jsonl"
    session.parent.mkdir(parents=True)
    record = {
        "type": "user",
        "uuid": "u1",
        "sessionId": "s1",
        "timestamp": "2026-03-01T09:00:00Z",
        "message": {"role": "user", "content": "Tar the hull before June"},
    }
    session.write_text(json.dumps(record) + "\n")
    cli.env |= {"HOME": str(home), "CLAUDE_CONFIG_DIR": ""}
    [source] = cli.json("sources", words=False)["sources"]
    assert (source["program"], source["items"], source["sessions"]) == ("claude-code", 1, 1)
    assert "claude-code" in cli("sources", words=False).stdout
    assert cli.json("import", "--from", "claude-code")["imported"] == 1
    assert cli.json("import", str(session.parent), "--from", "claude-code")["skipped"] == 1
    assert cli.json("import", str(session))["skipped"] == 1
    assert "unknown" in cli.error("import", "--from", "notepad", code=2)
    assert "name a PATH" in cli.error("import", code=2)


def test_nothing_found_is_told(cli: Cli, tmp_path: Path) -> None:
    cli.env |= {"HOME": str(tmp_path)}
    assert "nothing found" in cli("sources", code=1, words=False).stdout


def test_exports_and_a_restored_brain(cli: Cli, tmp_path: Path) -> None:
    cli.remember("The ferry leaves at nine")
    cli.remember("A secret of Bob's", "--user", "bob")
    told = cli("export", str(tmp_path / "mine.json"), words=False)
    assert "exported: 1 traces as json" in " ".join(told.stdout.split())
    assert "secret" not in (tmp_path / "mine.json").read_text()
    assert "whole brain" in cli.error("export", str(tmp_path / "x.sqlite"), code=2, words=False)
    done = cli.json("export", str(tmp_path / "all.sqlite"), "--whole", words=False)
    assert (done["format"], done["traces"]) == ("sqlite", 2)
    assert "is there already" in cli.error(
        "export", str(tmp_path / "mine.json"), code=2, words=False
    )
    notes = tmp_path / "notes"
    assert cli.json("export", str(notes), "--format", "obsidian", words=False)["traces"] == 1
    [note] = notes.rglob("*.md")
    note.write_text(note.read_text().replace("nine", "ten"))
    assert cli.json("import", str(notes), "--format", "obsidian")["imported"] == 1
    assert cli.json("recall", "ferry")["hits"][0]["trace"]["content"].endswith("ten")
    other = Cli(tmp_path / "other.db")
    assert other.json("import", str(tmp_path / "all.sqlite"), "--whole")["imported"] == 2
    assert other.json("recall", "secret", "--user", "bob")["hits"]


def test_a_brain_is_migrated(cli: Cli, tmp_path: Path) -> None:
    cli.remember("The ferry leaves at nine")
    target = tmp_path / "moved.db"
    assert (
        "nothing was written"
        in cli("migrate", str(cli.brain), str(target), "--dry-run", words=False).stdout
    )
    done = cli.json("migrate", str(cli.brain), str(target), words=False)
    assert (done["verified"], done["rows"]["traces"]) == (True, 1)
    assert "is there already" in cli.error(
        "migrate", str(cli.brain), str(target), code=2, words=False
    )
    assert Cli(target).json("recall", "ferry")["hits"]
    again = cli("migrate", str(cli.brain), str(tmp_path / "again.db"), words=False)
    assert "verified" in again.stdout
