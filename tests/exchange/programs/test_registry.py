"""All programs together: a look at a machine, and what comes in from it."""

from __future__ import annotations

import json
import os
import tracemalloc
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mnemic.errors import InvalidInput
from mnemic.exchange.programs.found import Skip
from mnemic.exchange.programs.registry import PROGRAMS, Source, read_program, scan
from tests.exchange.programs.made import contents, errors, items, lines, reasons, snapshot, whole

NAMES = "claude-code cursor windsurf aider copilot codex gemini opencode pi".split()


def hello(
    text: str = "Row on.", time: str = "2026-03-01T09:00:00Z", **more: str
) -> dict[str, object]:
    return {"type": "user", "timestamp": time, "message": {"content": text}, **more}


def machine(home: Path, project: Path) -> None:
    """A bit of each program, where it keeps it by default."""
    sessions = home / ".claude" / "projects" / "-boat"
    lines(sessions / "s1.jsonl", hello(uuid="u1"), hello("Stop.", "2026-03-02T09:00:00Z"), "{oops")
    lines(sessions / "s2.jsonl", hello(uuid="u1"))
    whole(home / ".claude" / "CLAUDE.md", "Be brief.")
    whole(project / "CLAUDE.md", "# Hull\nTar first.\n# Mast\nPaint it.")
    lines(home / ".cursor" / "projects" / "b" / "t.jsonl", {"role": "user", "content": "Row."})
    whole(home / ".codeium" / "windsurf" / "memories" / "global_rules.md", "Be brief.")
    (home / ".codeium" / "windsurf" / "memories" / "x.pb").write_bytes(b"x")
    chat = "# aider chat started at 2026-03-01 09:00:00\n\n#### Row.  \n"
    whole(project / ".aider.chat.history.md", chat)
    whole(project / ".github" / "copilot-instructions.md", "Tar first.")
    rollout = {
        "type": "response_item",
        "payload": {"type": "message", "role": "user", "content": "Row."},
    }
    lines(home / ".codex" / "sessions" / "2026" / "r.jsonl", rollout)
    gemini = {"sessionId": "g", "messages": [{"type": "user", "content": "Row."}]}
    whole(home / ".gemini" / "tmp" / "boat" / "chats" / "session-1.json", gemini)
    whole(home / ".config" / "opencode" / "AGENTS.md", "Be brief.")
    said = {"type": "message", "message": {"role": "user", "content": "Row."}}
    lines(home / ".pi" / "agent" / "sessions" / "s.jsonl", {"type": "session", "id": "p"}, said)


def test_the_programs() -> None:
    assert list(PROGRAMS) == NAMES


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_a_look_finds_every_program_and_changes_nothing(platform: str, tmp_path: Path) -> None:
    home, project = tmp_path / "home", tmp_path / "work" / "boat"
    machine(home, project)
    before = snapshot(tmp_path)
    found = scan(home, project, {}, platform)
    assert snapshot(tmp_path) == before
    assert list(dict.fromkeys(source.program for source in found)) == NAMES
    sessions = next(one for one in found if one.place.name == "projects")
    assert sessions == Source(
        program="claude-code",
        place=home / ".claude" / "projects",
        files=2,
        sessions=1,
        items=2,
        bytes=sum(len(one) for name, one in before.items() if name.startswith("home/.claude/p")),
        newest=datetime(2026, 3, 2, 9, tzinfo=UTC),
        skipped={Skip.REPEATED: 1},
        failed=1,
        errors=((f"{home}/.claude/projects/-boat/s1.jsonl:line 3", sessions.errors[0][1]),),
    )
    windsurf = next(one for one in found if one.program == "windsurf")
    assert (windsurf.items, windsurf.skipped) == (1, {Skip.ENCRYPTED: 1})


def test_what_a_look_counts_comes_in(tmp_path: Path) -> None:
    home, project = tmp_path / "home", tmp_path / "boat"
    machine(home, project)
    found = scan(home, project, {}, "linux")
    for name in NAMES:
        mine = [source for source in found if source.program == name]
        read = items(name, *(source.place for source in mine), timezone=None)
        assert len(contents(read)) == sum(source.items for source in mine) > 0
        assert len(errors(read)) == sum(source.failed for source in mine)


def test_one_that_fails_does_not_stop_the_rest(tmp_path: Path) -> None:
    home, project = tmp_path / "home", tmp_path / "boat"
    machine(home, project)
    store = home / ".config" / "Cursor" / "User" / "globalStorage" / "state.vscdb"
    whole(store, "no database " * 100)
    whole(home / ".gemini" / "tmp" / "boat" / "chats" / "session-0.json", '{"sessionId": oops')
    os.mkfifo(home / ".codex" / "sessions" / "pipe.jsonl")
    found = scan(home, project, {}, "linux")
    told = {source.program: source for source in found if source.failed or source.skipped}
    assert list(dict.fromkeys(source.program for source in found)) == NAMES
    assert [(told[name].failed, told[name].items) for name in ("cursor", "gemini")] == [
        (1, 0),
        (1, 1),
    ]
    assert told["codex"].skipped == {Skip.SPECIAL: 1}


def test_a_home_that_is_the_project_too_is_looked_at_once(tmp_path: Path) -> None:
    machine(tmp_path, tmp_path / "boat")
    both = scan(tmp_path, tmp_path, {}, "linux")
    assert both == scan(tmp_path, None, {}, "linux")
    assert len(scan(tmp_path, tmp_path / "boat", {}, "linux")) > len(both) > 0
    assert scan(tmp_path / "nobody", None, {}, "linux") == []


def test_what_lies_in_two_places_is_counted_once(tmp_path: Path) -> None:
    for base in (tmp_path / ".claude", tmp_path / ".config" / "claude"):
        lines(base / "projects" / "-boat" / "s1.jsonl", hello(uuid="u1"))
    assert [source.items for source in scan(tmp_path, None, {}, "linux")] == [1, 0]


def test_unknown_names_are_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="unknown program 'vim': use one of claude-code"):
        read_program("vim", [tmp_path])
    with pytest.raises(InvalidInput, match="timezone"):
        read_program("codex", [tmp_path], "Mars/Base")


def test_a_place_with_nothing_is_told(tmp_path: Path) -> None:
    whole(tmp_path / "notes.txt", "x")
    assert reasons(items("codex", tmp_path)) == {Skip.NOTHING: 1}
    assert "there is no such file" in errors(items("codex", tmp_path / "gone"))[0]


def test_a_long_session_needs_little_memory(tmp_path: Path) -> None:
    file = tmp_path / "long.jsonl"
    with file.open("w", encoding="utf-8") as out:
        for number in range(6_000):
            out.write(json.dumps(hello(f"{number} " + "word " * 600, uuid=f"u{number}")) + "\n")
    assert file.stat().st_size > 18_000_000
    tracemalloc.start()
    assert sum(item.draft is not None for item in read_program("claude-code", [file])) == 6_000
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 3_000_000
