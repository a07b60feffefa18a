"""Letta's agent file, with an agent of our own."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from mnemic.errors import ImportFormatError
from mnemic.exchange.chats import letta
from mnemic.exchange.common import Item
from mnemic.model.origin import Role, SourceType
from mnemic.model.trace import TraceType
from tests.exchange.chat_support import contents, drafts, errors, put, skipped, zipped

SECRET = "the key of the harbour"


def message(role: str, content: Any, **more: Any) -> dict[str, Any]:
    return {
        "type": "message",
        "role": role,
        "content": content,
        "created_at": "2025-04-01T08:00:00+00:00",
        "tool_calls": None,
        **more,
    }


def text(words: str) -> list[dict[str, Any]]:
    return [{"type": "text", "text": words}]


def call(name: str, arguments: Any) -> dict[str, Any]:
    return {"id": "c", "type": "function", "function": {"name": name, "arguments": arguments}}


def file(*messages: Any, kind: str = "letta_v1_agent", **more: Any) -> dict[str, Any]:
    agent = {
        "id": "agent-0",
        "name": "pilot",
        "agent_type": kind,
        "system": SECRET,
        "block_ids": ["block-0"],
        "tool_exec_environment_variables": {"KEY": SECRET},
        "secrets": [{"value": SECRET}],
        "messages": [
            {**one, "id": f"m{n}"} if isinstance(one, dict) else one
            for n, one in enumerate(messages)
        ],
        "in_context_message_ids": [],
    }
    return {
        "agents": [agent],
        "groups": [],
        "blocks": [{"id": "block-0", "label": "human", "value": "\nInes sails.\n"}],
        "files": [],
        "sources": [],
        "tools": [{"name": "open", "source_code": SECRET}],
        "mcp_servers": [{"env": {"KEY": SECRET}}],
        "metadata": {"revision_id": SECRET},
        **more,
    }


def read(tmp_path: Path, value: Any) -> list[Item]:
    return list(letta.read(put(tmp_path / "pilot.af", value)))


def test_blocks_and_messages_become_drafts(tmp_path: Path) -> None:
    items = read(
        tmp_path,
        file(
            message("system", text("You pilot.")),
            message("user", text("Where to?"), name="Ines"),
            message("assistant", text("To the harbour."), model="m-1"),
        ),
    )
    block, asked, answered = drafts(items)
    assert (block.content, block.tags, block.type) == (
        "Ines sails.",
        ("human",),
        TraceType.SEMANTIC,
    )
    assert block.source is SourceType.AGENT_INFERENCE
    assert (asked.content, asked.role, asked.speaker) == ("Where to?", Role.USER, "Ines")
    assert (answered.content, answered.role) == ("To the harbour.", Role.ASSISTANT)
    assert answered.metadata == {"agent": "pilot", "model": "m-1"}
    assert asked.time == datetime(2025, 4, 1, 8, tzinfo=UTC)
    assert {one.source_id for one in (block, asked, answered)} == {"letta:pilot"}
    assert skipped(items) == {"pilot/m0": "system message"}


def test_tools_and_secrets_are_never_read(tmp_path: Path) -> None:
    value = file(message("user", text("Where to?")))
    assert SECRET in json.dumps(value)
    items = read(tmp_path, value)
    assert len(drafts(items)) == 2
    assert SECRET not in repr(items)


def test_the_older_agents_speak_through_a_tool(tmp_path: Path) -> None:
    said = [call("send_message", json.dumps({"message": "To the harbour."}))]
    other = [call("archival_memory_insert", "{}")]
    wrapped = json.dumps({"type": "user_message", "message": "Where to?", "time": "x"})
    alive = json.dumps({"type": "heartbeat", "reason": "x"})
    items = read(
        tmp_path,
        file(
            message("user", text(wrapped)),
            message("assistant", text("They want to go."), tool_calls=said),
            message("tool", text("ok")),
            message("user", text(alive)),
            message("assistant", text("Let me note it."), tool_calls=other),
            kind="memgpt_agent",
        ),
    )
    assert contents(items)[1:] == ["Where to?", "To the harbour."]
    assert [item.skipped for item in items[2:] if item.skipped] == [
        "thinking",
        "tool output",
        "system message",
        "thinking",
        "tool call",
    ]


def test_the_newer_agents_speak_beside_their_tools(tmp_path: Path) -> None:
    other = [call("search", "{}")]
    items = read(tmp_path, file(message("assistant", text("I will look."), tool_calls=other)))
    assert contents(items)[1:] == ["I will look."]
    assert list(skipped(items).values()) == ["tool call"]


def test_parts_that_were_not_said_are_passed_over(tmp_path: Path) -> None:
    parts = [
        {"type": "reasoning", "reasoning": "Hm."},
        {"type": "redacted_reasoning"},
        {"type": "tool_return", "content": "x"},
        {"type": "image", "source": {}},
        {"type": "text", "text": "Said."},
        "Bare.",
    ]
    items = read(tmp_path, file(message("assistant", parts)))
    assert contents(items)[1:] == ["Said.\nBare."]
    assert [item.skipped for item in items if item.skipped] == [
        "thinking",
        "thinking",
        "tool output",
        "attachment",
    ]
    assert skipped(read(tmp_path, file(message("user", [])))) == {"pilot/m0": "no text"}


def test_the_older_form_is_the_agent_itself(tmp_path: Path) -> None:
    value = {
        "name": "pilot",
        "agent_type": "memgpt_agent",
        "core_memory": [{"label": "persona", "value": "I pilot."}],
        "messages": [message("user", "Where to?")],
        "archival_memory": [{"text": "The harbour is deep.", "tags": ["port"]}],
        "tools": [{"source_code": SECRET}],
    }
    found = drafts(read(tmp_path, value))
    assert [draft.content for draft in found] == ["I pilot.", "The harbour is deep.", "Where to?"]
    assert [draft.tags for draft in found[:2]] == [("persona",), ("archival", "port")]


def test_files_are_documents(tmp_path: Path) -> None:
    value = file(files=[{"file_name": "chart.txt", "content": "Shoals."}, {"file_name": "b"}])
    items = read(tmp_path, value)
    document = drafts(items)[1]
    assert (document.content, document.source) == ("Shoals.", SourceType.RETRIEVED_DOCUMENT)
    assert document.metadata == {"file": "chart.txt"}
    assert skipped(items) == {"pilot/file 2": "no text"}


def test_json_within_a_json_text_is_unpacked(tmp_path: Path) -> None:
    value = file(message("user", text("Where to?")))
    assert contents(read(tmp_path, json.dumps(value))) == contents(read(tmp_path, value))


def test_an_archive_is_read(tmp_path: Path) -> None:
    path = zipped(tmp_path / "x.zip", {"pilot.af": file(), "avatar.webp": b"x"})
    assert contents(letta.read(path)) == ["Ines sails."]


def test_broken_records_are_told_and_the_rest_is_read(tmp_path: Path) -> None:
    value = file(
        "odd",
        message("captain", text("x")),
        message("user", text("x"), created_at="soon"),
        message("user", text("{not JSON")),
        message("assistant", None, tool_calls=[call("send_message", "{"), "odd"]),
    )
    value["blocks"] += ["odd", {"label": "empty", "value": ""}]
    value["agents"].append("odd")
    items = read(tmp_path, value)
    assert contents(items) == ["Ines sails.", "{not JSON"]
    assert list(errors(items)) == ["pilot/block 2", "pilot/1", "pilot/m1", "pilot/m2", "agent 2"]
    assert skipped(items) == {"pilot/block empty": "no text", "pilot/m4": "tool call"}


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b'{"tools": []}', "holds no agent"),
        (b'"text"', "is not JSON"),
        (b'"text', "is not JSON"),
        (b'"\xff"', "is not JSON"),
        (b'{"agents": [{', "cut short"),
        (b'{"agents":' + b"[" * 100_000, "nested too deeply"),
        (json.dumps("[" * 100_000).encode(), "nested too deeply"),
    ],
)
def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path, raw: bytes, told: str) -> None:
    path = tmp_path / "x.af"
    path.write_bytes(raw)
    with pytest.raises(ImportFormatError, match=told):
        list(letta.read(path))


def test_a_file_of_very_many_elements_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    value = file(message("user", text("Where to?")))
    assert len(drafts(read(tmp_path, value))) == 2
    monkeypatch.setattr(letta, "MAX_GATHERED", 3)
    with pytest.raises(ImportFormatError, match="too many elements"):
        read(tmp_path, value)
