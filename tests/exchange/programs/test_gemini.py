"""Gemini CLI's chats, as one object and as lines that change what came before."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from mnemic.exchange.programs import gemini
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

HEAD = {"sessionId": "g1", "projectHash": "f" * 64}


def said(name: str, kind: str, content: Any, **more: Any) -> dict[str, Any]:
    return {
        "id": name,
        "type": kind,
        "content": content,
        "timestamp": "2026-03-01T09:00:00Z",
        **more,
    }


def chat(*messages: Any) -> dict[str, Any]:
    return {**HEAD, "messages": list(messages), "summary": "The hull"}


def test_messages_are_drafts_with_what_is_known(tmp_path: Path) -> None:
    file = tmp_path / "boat" / "chats" / "session-1.json"
    found = items(
        "gemini",
        whole(file, chat(said("1", "user", "Tar it."), said("2", "gemini", "Done.", model="m-2"))),
    )
    asked, told = drafts(found)
    assert (asked.role, asked.content, asked.thread) == (Role.USER, "Tar it.", "g1")
    assert asked.metadata == {"project": "boat", "title": "The hull"}
    assert (told.role, told.metadata["model"]) == (Role.ASSISTANT, "m-2")
    assert told.time == datetime(2026, 3, 1, 9, tzinfo=UTC)
    assert found[1].where == f"{file}:message 2"


def test_every_part_is_accounted_for(tmp_path: Path) -> None:
    parts = [{"text": "See this."}, {"inlineData": {}}, {"text": "hm", "thought": True}, 5]
    parts += [{"functionCall": {}}, {"functionResponse": {}}]
    calls = [{"name": "read", "result": [{}]}, {"name": "write"}]
    found = items(
        "gemini",
        whole(
            tmp_path / "one.json",
            chat(
                said("1", "user", parts),
                said("2", "gemini", "", thoughts=[{}, {}], toolCalls=calls),
                said("3", "info", "Updated."),
                said("4", "gemini", ""),
                "no message",
            ),
        ),
    )
    assert contents(found) == ["See this."]
    assert reasons(found) == {
        Skip.ATTACHMENT: 1,
        Skip.THINKING: 3,
        Skip.META: 1,
        Skip.TOOL_CALL: 3,
        Skip.TOOL_OUTPUT: 2,
        Skip.SYSTEM: 1,
        Skip.NO_TEXT: 1,
    }
    assert len(errors(found)) == 1


@pytest.mark.parametrize(
    ("text", "left", "why"),
    [
        ("/clear", None, Skip.COMMAND),
        ("<session_context>x</session_context>", None, Skip.SYSTEM),
        (
            "Tar it.\n--- Content from referenced files ---\nx\n--- End of content ---",
            "Tar it.",
            None,
        ),
        ("--- Content from referenced files ---\nx", None, Skip.FILE_DUMP),
        ("/usr/bin is full,\nwhy?", "/usr/bin is full,\nwhy?", None),
    ],
)
def test_what_is_injected_is_cut_out(
    text: str, left: str | None, why: Skip | None, tmp_path: Path
) -> None:
    found = items("gemini", whole(tmp_path / "one.json", chat(said("1", "user", text))))
    assert contents(found) == ([left] if left else [])
    assert reasons(found) == ({why: 1} if why else {})


def test_what_was_typed_is_kept_instead_of_what_was_sent(tmp_path: Path) -> None:
    sent = said("1", "user", "@hull.md and all of it", displayContent="@hull.md")
    assert contents(items("gemini", whole(tmp_path / "one.json", chat(sent)))) == ["@hull.md"]


def test_the_last_state_of_a_message_counts(tmp_path: Path) -> None:
    file = lines(
        tmp_path / "session-1.jsonl",
        HEAD,
        said("1", "user", "Tar it."),
        said("2", "gemini", "Do"),
        said("2", "gemini", "Done."),
        said("3", "user", "No, paint it."),
        {"$rewindTo": "3"},
        said("4", "user", "Sand it first."),
        {"$set": {"summary": "The hull"}},
        "{oops",
    )
    found = items("gemini", file)
    assert contents(found) == ["Tar it.", "Done.", "Sand it first."]
    assert reasons(found) == {Skip.META: 3, Skip.REPEATED: 1, Skip.TAKEN_BACK: 1}
    assert drafts(found)[0].metadata["title"] == "The hull"
    assert ["line 9" in one for one in errors(found)] == [True]


def test_messages_that_are_set_anew_replace_those_before(tmp_path: Path) -> None:
    file = lines(
        tmp_path / "session-1.jsonl",
        HEAD,
        said("1", "user", "Gone."),
        {"$set": {"messages": [said("5", "user", "Kept."), said("6", "gemini", "o")]}},
        said("6", "gemini", "Old no more."),
    )
    found = items("gemini", file)
    assert contents(found) == ["Kept.", "Old no more."]
    assert reasons(found) == {Skip.META: 1, Skip.TAKEN_BACK: 1, Skip.REPEATED: 1}


def test_a_sub_agents_user_is_the_assistant(tmp_path: Path) -> None:
    file = tmp_path / "boat" / "chats" / "g1" / "a7.jsonl"
    lines(file, {**HEAD, "sessionId": "a7", "kind": "subagent"}, said("1", "user", "Count."))
    (draft,) = drafts(items("gemini", tmp_path))
    assert (draft.role, draft.thread) == (Role.ASSISTANT, "g1")
    assert draft.metadata == {"project": "boat", "agent": "a7"}


def test_the_log_gives_what_no_chat_did(tmp_path: Path) -> None:
    whole(tmp_path / "chats" / "session-1.json", chat(said("1", "user", "Tar it.")))
    entry = {"sessionId": "g1", "type": "user", "message": "Tar it.", "timestamp": "2026-03-01"}
    gone = entry | {"sessionId": "g0", "message": "Before."}
    whole(tmp_path / "logs.json", [entry, gone, gone | {"message": "/help"}, {"type": "x"}, 4])
    found = items("gemini", tmp_path)
    assert contents(found) == ["Tar it.", "Before."]
    assert reasons(found) == {Skip.REPEATED: 1, Skip.COMMAND: 1, Skip.META: 1}
    assert len(errors(found)) == 1


def test_the_project_is_told_where_it_can_be(tmp_path: Path) -> None:
    for folder in ("boat", "a" * 64, "b" * 64):
        whole(tmp_path / folder / "chats" / "session-1.json", chat(said("1", "user", folder)))
    whole(tmp_path / ("b" * 64) / ".project_root", "/home/ann/dinghy\n")
    by_text = {
        draft.content: draft.metadata.get("project") for draft in drafts(items("gemini", tmp_path))
    }
    assert by_text == {"boat": "boat", "a" * 64: None, "b" * 64: "dinghy"}


def test_places_and_files() -> None:
    assert gemini.places(Path("/h"), Path("/p"), {}, "linux") == [
        Path("/h/.gemini/tmp"),
        Path("/h/.gemini/GEMINI.md"),
        Path("/p/GEMINI.md"),
    ]
    moved = gemini.places(Path("/h"), None, {"GEMINI_CLI_HOME": "/g"}, "linux")
    assert moved == [Path("/g/.gemini/tmp"), Path("/g/.gemini/GEMINI.md")]


def test_files_are_told_apart(tmp_path: Path) -> None:
    for name in ("chats/session-1.json", "logs.json", "GEMINI.md", "memory/M.md", "tool/x.json"):
        whole(tmp_path / name, '{"sessionId": "g1", "messages": []}')
    assert dict(kinds("gemini", tmp_path)) == {
        "session-1.json": "session",
        "logs.json": "history",
        "GEMINI.md": "instructions",
        "M.md": "memory",
    }
