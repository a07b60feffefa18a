"""Zep's export, with a session and a graph of our own."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from mnemic.errors import ImportFormatError
from mnemic.exchange.chats import zep
from mnemic.exchange.common import Item
from mnemic.model.origin import Role, SourceType
from mnemic.model.trace import TraceType
from tests.exchange.chat_support import contents, drafts, errors, only, put, skipped, zipped

AT = "2025-05-01T10:00:00Z"
MESSAGE = {
    "uuid": "m",
    "role_type": "user",
    "role": "Ines",
    "content": "I bought a sloop.",
    "created_at": AT,
}
EDGE = {
    "uuid": "e",
    "name": "OWNS",
    "fact": "Ines owns a sloop.",
    "source_node_uuid": "n1",
    "target_node_uuid": "n2",
    "created_at": AT,
    "valid_at": "2025-04-01T00:00:00Z",
    "invalid_at": "2025-06-01T00:00:00Z",
    "expired_at": "2025-06-02T00:00:00Z",
    "group_id": "g1",
}
NODES = [
    {"uuid": "n1", "name": "Ines", "labels": ["Entity", "Person"], "summary": "Ines sails."},
    {"uuid": "n2", "name": "sloop", "labels": ["Entity"], "summary": "A boat of nine metres."},
    {"uuid": "n3", "name": "empty", "summary": ""},
]


def read(tmp_path: Path, value: Any) -> list[Item]:
    return list(zep.read(put(tmp_path / "export.json", value)))


def test_messages_of_a_session(tmp_path: Path) -> None:
    session = {
        "session_id": "s1",
        "user_id": "u1",
        "messages": [MESSAGE, {**MESSAGE, "role_type": "assistant", "content": "Well done."}],
        "facts": ["Ines is proud."],
        "summary": {"content": "They spoke of a boat."},
    }
    items = read(tmp_path, {"sessions": [session]})
    asked, answered, proud, summed = drafts(items)
    assert [item.where for item in items] == [
        "session s1/message 1",
        "session s1/message 2",
        "session s1/fact 1",
        "session s1/summary",
    ]
    assert (asked.role, asked.speaker, asked.thread) == (Role.USER, "Ines", "s1")
    assert asked.time == datetime(2025, 5, 1, 10, tzinfo=UTC)
    assert asked.metadata == {"imported_id": "m", "their_user": "u1"}
    assert (answered.role, answered.source) == (Role.ASSISTANT, SourceType.AGENT_INFERENCE)
    assert (proud.content, proud.source) == ("Ines is proud.", SourceType.FACT_GRAPH)
    assert summed.source is SourceType.MEMORY_SUMMARY
    assert {draft.source_id for draft in (asked, answered, proud, summed)} == {"zep:s1"}


def test_a_fact_is_true_from_and_until(tmp_path: Path) -> None:
    draft = only(read(tmp_path, {"edges": [EDGE]}))
    assert (draft.content, draft.type, draft.tags) == (
        "Ines owns a sloop.",
        TraceType.SEMANTIC,
        ("OWNS",),
    )
    assert draft.valid_from == datetime(2025, 4, 1, tzinfo=UTC)
    assert draft.valid_to == datetime(2025, 6, 1, tzinfo=UTC)
    assert draft.metadata["their_group"] == "g1"
    dropped = only(read(tmp_path, {"edges": [{**EDGE, "invalid_at": None}]}))
    assert dropped.valid_to == datetime(2025, 6, 2, tzinfo=UTC)
    still = only(read(tmp_path, {"edges": [{**EDGE, "invalid_at": None, "expired_at": None}]}))
    assert still.valid_to is None


@pytest.mark.parametrize("nodes_first", [True, False])
def test_the_ends_of_a_fact_are_named_wherever_the_nodes_stand(
    tmp_path: Path, nodes_first: bool
) -> None:
    value = {"nodes": NODES, "edges": [EDGE]} if nodes_first else {"edges": [EDGE], "nodes": NODES}
    items = read(tmp_path, value)
    facts = [draft for draft in drafts(items) if draft.source is SourceType.FACT_GRAPH]
    assert [draft.entities for draft in facts] == [("Ines", "sloop")]
    assert [draft.content for draft in drafts(items) if draft not in facts] == [
        "Ines sails.",
        "sloop: A boat of nine metres.",
    ]
    assert skipped(items) == {"node 3": "no text"}


def test_a_thread_of_messages_alone(tmp_path: Path) -> None:
    newer = {"role": "assistant", "name": "pilot", "content": "Hello.", "created_at": AT}
    items = read(tmp_path, {"thread_id": "t1", "messages": [newer], "total_count": 1})
    draft = only(items)
    assert (draft.role, draft.speaker, draft.thread) == (Role.ASSISTANT, "pilot", "t1")
    assert contents(read(tmp_path, [MESSAGE])) == ["I bought a sloop."]
    assert contents(read(tmp_path, [EDGE])) == ["Ines owns a sloop."]


def test_episodes_are_what_the_graph_was_built_from(tmp_path: Path) -> None:
    episodes = [
        {"content": "Ines: hello", "role_type": "user", "role": "Ines", "session_id": "s1"},
        {"episode_body": "{}", "source_description": "a list", "valid_at": AT},
        {"content": "x", "role_type": "tool"},
        {"content": ""},
    ]
    items = read(tmp_path, {"episodes": episodes})
    spoken, data = drafts(items)
    assert (spoken.source, spoken.thread) == (SourceType.USER_STATEMENT, "s1")
    assert (data.source, data.metadata["source_description"]) == (SourceType.EXTERNAL, "a list")
    assert list(skipped(items).values()) == ["tool output", "no text"]


def test_broken_records_are_told_and_the_rest_is_read(tmp_path: Path) -> None:
    items = read(
        tmp_path,
        {
            "messages": [
                "odd",
                {**MESSAGE, "created_at": "soon"},
                {**MESSAGE, "role_type": "system"},
                {**MESSAGE, "role_type": "norole", "role": "stranger"},
                {**MESSAGE, "content": None},
            ],
            "facts": [{"fact": 7}, {"fact": " "}, 7],
            "users": [{"a": 1}],
        },
    )
    draft = only(items)
    assert (draft.role, draft.speaker) == (None, "stranger")
    assert list(errors(items)) == ["message 1", "message 2", "fact 1", "fact 3", "users"]
    assert skipped(items) == {
        "message 3": "system message",
        "message 5": "no text",
        "fact 2": "no text",
    }
    assert list(errors(read(tmp_path, [{"a": 1}]))) == ["record"]


def test_an_archive_is_read(tmp_path: Path) -> None:
    path = zipped(tmp_path / "x.zip", {"g.json": {"edges": [EDGE], "nodes": NODES}})
    assert len(drafts(zep.read(path))) == 3


def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('{"edges": [')
    with pytest.raises(ImportFormatError, match="cut short"):
        list(zep.read(path))
