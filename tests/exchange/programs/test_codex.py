"""Codex's rollouts: two accounts of one conversation, and what is put into it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from mnemic.exchange.programs import codex
from mnemic.exchange.programs.found import Skip
from mnemic.model.origin import Role, SourceType
from tests.exchange.programs.made import contents, drafts, errors, items, lines, reasons, whole

HEAD = {"type": "session_meta", "payload": {"id": "c1", "cwd": "C:\\work\\boat"}}
TURN = {"type": "turn_context", "payload": {"model": "m-5"}}


def item(kind: str, **payload: Any) -> dict[str, Any]:
    return {
        "type": "response_item",
        "timestamp": "2026-03-01T09:00:00Z",
        "payload": {"type": kind, **payload},
    }


def message(role: str, text: str) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    return item("message", role=role, content=[{"type": kind, "text": text}])


def shown(kind: str, **payload: Any) -> dict[str, Any]:
    return {"type": "event_msg", "payload": {"type": kind, **payload}}


def test_messages_are_drafts_with_what_is_known(tmp_path: Path) -> None:
    file = lines(
        tmp_path / "rollout-x.jsonl",
        HEAD,
        TURN,
        message("user", "Tar it."),
        message("assistant", "Done."),
    )
    asked, told = drafts(items("codex", file))
    assert (asked.role, asked.content, asked.thread) == (Role.USER, "Tar it.", "c1")
    assert (told.role, told.content, told.source_id) == (Role.ASSISTANT, "Done.", "codex:c1")
    assert asked.metadata == {"project": "boat", "model": "m-5"}
    assert asked.time == datetime(2026, 3, 1, 9, tzinfo=UTC)


@pytest.mark.parametrize("shown_first", [False, True])
def test_two_accounts_of_a_message_are_one(shown_first: bool, tmp_path: Path) -> None:
    pair = [message("user", "Go on."), shown("user_message", message="Go on.")]
    pair = pair[::-1] if shown_first else pair
    only = shown("agent_message", message="It is only shown.")
    found = items("codex", lines(tmp_path / "r.jsonl", HEAD, *pair, *pair, only))
    # Said twice it comes twice: what repeats is the account.
    assert contents(found) == ["Go on.", "Go on.", "It is only shown."]
    assert reasons(found) == {Skip.META: 1, Skip.REPEATED: 2}


def test_every_record_is_accounted_for(tmp_path: Path) -> None:
    found = items(
        "codex",
        lines(
            tmp_path / "r.jsonl",
            HEAD,
            item("reasoning", summary=[]),
            item("function_call", name="shell"),
            item("function_call_output", output="x"),
            item("local_shell_call"),
            item("ghost_snapshot"),
            message("developer", "be good"),
            shown("token_count"),
            shown("agent_reasoning", text="hm"),
            shown("exec_command_begin"),
            shown("exec_command_end"),
            {"type": "compacted", "payload": {"message": "So far: it is tarred."}},
            {"type": "novelty", "payload": {}},
        ),
    )
    assert contents(found) == ["So far: it is tarred."]
    assert drafts(found)[0].tags == ("summary",)
    assert drafts(found)[0].role is Role.ASSISTANT
    assert reasons(found) == {
        Skip.META: 4,
        Skip.THINKING: 2,
        Skip.TOOL_CALL: 3,
        Skip.TOOL_OUTPUT: 2,
        Skip.SYSTEM: 1,
    }


@pytest.mark.parametrize(
    ("text", "left", "why"),
    [
        ("<environment_context>x</environment_context>", None, Skip.SYSTEM),
        (
            "# AGENTS.md instructions for /p\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>",
            None,
            Skip.SYSTEM,
        ),
        ("<user_shell_command>ls</user_shell_command>", None, Skip.COMMAND),
        (
            "# Context from my IDE setup:\n\n## Open\n- a\n\n## My request for Codex:\nTar it.\n",
            "Tar it.",
            None,
        ),
        ("# AGENTS.md instructions for dummies", "# AGENTS.md instructions for dummies", None),
    ],
)
def test_what_is_injected_is_cut_out(
    text: str, left: str | None, why: Skip | None, tmp_path: Path
) -> None:
    found = items("codex", lines(tmp_path / "r.jsonl", message("user", text)))
    assert contents(found) == ([left] if left else [])
    assert reasons(found) == ({why: 1} if why else {})


def test_a_sub_agents_user_is_the_assistant(tmp_path: Path) -> None:
    source = {"subagent": {"thread_spawn": {"depth": 1}}}
    head = {"type": "session_meta", "payload": {"id": "c2", "source": source}}
    found = drafts(items("codex", lines(tmp_path / "r.jsonl", head, message("user", "Count."))))
    assert (found[0].role, found[0].metadata) == (Role.ASSISTANT, {"agent": "sub-agent"})


def test_the_first_head_names_the_session(tmp_path: Path) -> None:
    parent = {"type": "session_meta", "payload": {"id": "parent"}}
    found = drafts(items("codex", lines(tmp_path / "r.jsonl", HEAD, parent, message("user", "a"))))
    assert found[0].thread == "c1"


def test_older_forms_are_read(tmp_path: Path) -> None:
    bare = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Old."}]}
    head = {"id": "c0", "timestamp": "2025-06-01T00:00:00Z", "instructions": None}
    found = items("codex", lines(tmp_path / "r.jsonl", head, {"record_type": "state"}, bare))
    assert contents(found) == ["Old."]
    assert drafts(found)[0].thread == "c0"
    whole(tmp_path / "json" / "rollout-1.json", {"session": {"id": "c9"}, "items": [bare, 1]})
    found = items("codex", tmp_path / "json")
    assert contents(found) == ["Old."]
    assert len(errors(found)) == 1


def test_the_history_gives_what_no_rollout_did(tmp_path: Path) -> None:
    lines(tmp_path / "sessions" / "2026" / "r.jsonl", HEAD, message("user", "Tar it."))
    lines(
        tmp_path / "history.jsonl",
        {"session_id": "c1", "ts": 1_750_000_000, "text": "Tar it."},
        {"session_id": "gone", "ts": 1_750_000_000, "text": "Tar it."},
        {"session_id": "gone", "text": "<environment_context>x</environment_context>"},
        "{oops",
    )
    whole(tmp_path / "memories" / "MEMORY.md", "It leaks.")
    found = items("codex", tmp_path)
    assert [(draft.thread, draft.content) for draft in drafts(found)] == [
        ("c1", "Tar it."),
        (None, "It leaks."),
        ("gone", "Tar it."),
    ]
    assert drafts(found)[1].source is SourceType.AGENT_INFERENCE
    assert drafts(found)[2].time == datetime.fromtimestamp(1_750_000_000, UTC)
    assert (reasons(found)[Skip.REPEATED], reasons(found)[Skip.SYSTEM]) == (1, 1)
    assert len(errors(found)) == 1


def test_places_follow_the_variable() -> None:
    assert Path("/h/.codex/sessions") in codex.places(Path("/h"), None, {}, "linux")
    moved = codex.places(Path("/h"), Path("/p"), {"CODEX_HOME": "/c"}, "linux")
    assert Path("/c/history.jsonl") in moved
    assert Path("/p/AGENTS.md") in moved
    assert not any(path.is_relative_to("/h") for path in moved)
