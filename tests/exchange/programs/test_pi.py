"""pi's sessions: what was said, in the order of the file."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from mnemic.exchange.programs import pi
from mnemic.model.origin import Role
from tests.exchange.programs.made import contents, drafts, errors, items, lines, reasons

HEAD = {"type": "session", "id": "pi-1", "cwd": "/home/ines/boat"}


def message(role: str, content: object, **more: object) -> dict[str, object]:
    return {"type": "message", "message": {"role": role, "content": content, **more}}


def test_messages_are_drafts_and_the_rest_is_told(tmp_path: Path) -> None:
    blocks = [
        {"type": "thinking", "thinking": "tar first"},
        {"type": "text", "text": "On it."},
        {"type": "toolCall", "name": "bash", "arguments": {}},
    ]
    file = lines(
        tmp_path / "s.jsonl",
        HEAD,
        message("user", "Tar the hull.", timestamp=1_772_355_600_000),
        message("assistant", blocks, model="m-1"),
        {"type": "message", "message": {"role": "toolResult", "content": "ok"}},
        {"type": "message", "message": {"role": "system", "content": "be brief"}},
        {"type": "compaction", "summary": "The hull is tarred."},
        {"type": "model_change"},
        "{cut",
    )
    found = items("pi", tmp_path)
    asked, told, summed = drafts(found)
    assert (asked.role, asked.content, asked.thread) == (Role.USER, "Tar the hull.", "pi-1")
    assert asked.time == told.time == datetime(2026, 3, 1, 9, tzinfo=UTC)
    assert told.metadata == {"project": "boat", "model": "m-1"}
    assert (told.role, told.content) == (Role.ASSISTANT, "On it.")
    assert (summed.content, summed.tags) == ("The hull is tarred.", ("summary",))
    assert reasons(found) == {
        "meta": 2,
        "thinking": 1,
        "tool call": 1,
        "tool output": 1,
        "system message": 1,
    }
    [wrong] = errors(found)
    assert wrong.startswith(f"{file}:line 8: ")


def test_only_its_own_files_are_read(tmp_path: Path) -> None:
    lines(tmp_path / "other.jsonl", {"role": "user", "content": "not of pi"})
    lines(tmp_path / "deep" / "s.jsonl", HEAD, message("user", "Tar the hull."))
    assert contents(items("pi", tmp_path)) == ["Tar the hull."]


def test_no_link_is_followed(tmp_path: Path) -> None:
    place = tmp_path / "sessions"
    lines(place / "s.jsonl", HEAD, message("user", "Tar the hull."))
    away = lines(tmp_path / "away.jsonl", HEAD, message("user", "The key is under the mat."))
    (place / "link.jsonl").symlink_to(away)
    found = items("pi", place)
    assert contents(found) == ["Tar the hull."]
    assert reasons(found)["symbolic link"] == 1


def test_its_place_can_be_moved(tmp_path: Path) -> None:
    assert pi.places(tmp_path, None, {}, "linux") == [tmp_path / ".pi" / "agent" / "sessions"]
    moved = {"PI_CODING_AGENT_DIR": str(tmp_path / "x")}
    assert pi.places(tmp_path, None, moved, "linux") == [tmp_path / "x" / "sessions"]
