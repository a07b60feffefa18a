"""Claude.ai's export, with conversations of our own."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from mnemic.errors import ImportFormatError
from mnemic.exchange.chats import claude_ai, parts
from mnemic.exchange.common import Item
from mnemic.model.origin import Origin, Role, SourceType
from mnemic.model.trace import TraceType
from tests.exchange.chat_support import (
    contents,
    drafts,
    errors,
    only,
    put,
    skipped,
    taken,
    zipped,
)


def said(sender: str, text: str | None, *blocks: Any, **more: Any) -> dict[str, Any]:
    return {
        "uuid": "m",
        "sender": sender,
        "text": text,
        "content": list(blocks),
        "created_at": "2025-03-01T10:00:00.123456Z",
        "attachments": [],
        "files": [],
        **more,
    }


def talk(*messages: Any, **more: Any) -> dict[str, Any]:
    return {
        "uuid": "sail",
        "name": "Sails",
        "created_at": "2025-03-01T09:00:00Z",
        "account": {"uuid": "a"},
        "chat_messages": [
            {**one, "uuid": f"m{n}"} if isinstance(one, dict) else one
            for n, one in enumerate(messages, 1)
        ],
        **more,
    }


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


TALK = talk(said("human", "Which sail?", text("Which sail?")), said("assistant", "The jib."))
PROJECT = {
    "uuid": "refit",
    "name": "Refit",
    "description": "The refit of the sloop.",
    "prompt_template": "Answer in metres.",
    "is_private": True,
    "created_at": "2025-01-01T00:00:00Z",
    "docs": [
        {"filename": "rig.md", "content": "The mast is nine metres.", "created_at": None},
        {"filename": "list.pdf"},
    ],
}
MEMORIES = [
    {
        "conversations_memory": "Ines sails a sloop.",
        "project_memories": {"refit": "The mast is new."},
        "account_uuid": "a",
    }
]


def read(tmp_path: Path, *records: Any) -> list[Item]:
    return list(claude_ai.read(put(tmp_path / "conversations.json", list(records))))


def test_what_was_said_becomes_drafts_in_order(tmp_path: Path) -> None:
    items = read(tmp_path, TALK)
    asked, answered = drafts(items)
    assert [item.where for item in items] == ["sail/m1", "sail/m2"]
    assert (asked.content, asked.role, asked.source) == (
        "Which sail?",
        Role.USER,
        SourceType.USER_STATEMENT,
    )
    assert (answered.content, answered.role) == ("The jib.", Role.ASSISTANT)
    assert answered.source is SourceType.AGENT_INFERENCE
    assert (asked.thread, asked.source_id) == ("sail", "claude_ai:sail")
    assert asked.time == datetime(2025, 3, 1, 10, 0, 0, 123000, tzinfo=UTC)
    assert asked.metadata == {"title": "Sails"}


def test_only_text_blocks_were_said(tmp_path: Path) -> None:
    items = read(
        tmp_path,
        talk(
            said(
                "assistant",
                "This block is not supported.",
                {"type": "thinking", "thinking": "Hm."},
                text("First."),
                {"type": "tool_use", "name": "search", "input": {}},
                {"type": "web_search_tool_result", "content": [{"text": "not said"}]},
                {"type": "tool_result", "text": "not said"},
                text("Then."),
                "odd",
            )
        ),
    )
    assert contents(items) == ["First.\n\nThen.\n\nodd"]
    assert skipped(items) == {
        "sail/m1/block 1": "thinking",
        "sail/m1/block 3": "tool output",
        "sail/m1/block 4": "tool output",
        "sail/m1/block 5": "tool output",
    }


def test_blocks_stand_for_an_empty_text_and_the_text_for_empty_blocks(tmp_path: Path) -> None:
    items = read(tmp_path, talk(said("human", "", text("Blocks.")), said("human", "Text.")))
    assert contents(items) == ["Blocks.", "Text."]
    assert skipped(read(tmp_path, talk(said("human", " ", text(""))))) == {"sail/m1": "no text"}


def test_attachments_are_named_and_their_text_is_not_the_users(tmp_path: Path) -> None:
    files = {
        "attachments": [{"file_name": "rig.txt", "extracted_content": "Nine metres."}, "odd"],
        "files": [{"file_name": "boat.jpg"}, {"file_uuid": "f1"}],
    }
    items = read(tmp_path, talk(said("human", "See here.", **files), said("human", "", **files)))
    assert only(items).content == "See here."
    assert only(items).metadata["attachments"] == ["rig.txt", "boat.jpg", "f1"]
    assert skipped(items) == {
        "sail/m1/attachment 1": "attachment",
        "sail/m2": "attachment",
        "sail/m2/attachment 1": "attachment",
    }


def test_a_branch_that_was_left_is_passed_over(tmp_path: Path) -> None:
    tree = talk(
        said("human", "Red or blue?"),
        said("assistant", "Red.", parent_message_uuid="m1"),
        said("assistant", "Blue.", parent_message_uuid="m1"),
        said("human", "Why?", parent_message_uuid="m3"),
    )
    assert len(drafts(read(tmp_path, tree))) == 4
    items = read(tmp_path, {**tree, "current_leaf_message_uuid": "m4"})
    assert contents(items) == ["Red or blue?", "Blue.", "Why?"]
    assert skipped(items) == {"sail/m2": "another branch"}


def test_a_project_gives_its_instructions_and_its_documents(tmp_path: Path) -> None:
    items = read(tmp_path, PROJECT)
    about, asked, document = drafts(items)
    assert (about.content, about.tags) == ("The refit of the sloop.", ("project",))
    assert (asked.content, asked.tags) == ("Answer in metres.", ("custom instructions",))
    assert asked.role is Role.USER
    assert {draft.type for draft in (about, asked, document)} == {TraceType.SEMANTIC}
    assert {draft.source_id for draft in (about, asked, document)} == {"claude_ai:refit"}
    assert document.metadata == {"title": "Refit", "file": "rig.md"}
    assert document.time == datetime(2025, 1, 1, tzinfo=UTC)
    assert skipped(items) == {"conversations.json/1/document 2": "attachment"}


def test_a_document_is_not_the_word_of_the_user(tmp_path: Path) -> None:
    about, _, document = drafts(read(tmp_path, PROJECT))
    assert taken(about).origin is Origin.PERSON
    assert taken(document).origin is Origin.DOCUMENT


def test_a_long_document_is_split_between_its_paragraphs(tmp_path: Path) -> None:
    paragraphs = [f"{n} " + "x" * 900 for n in range(150)]
    doc = {"filename": "long.md", "content": "\n\n".join(paragraphs)}
    found = drafts(read(tmp_path, {"name": "L", "uuid": "l", "docs": [doc]}))
    assert [draft.metadata["part"] for draft in found] == [1, 2]
    assert "\n\n".join(draft.content for draft in found) == doc["content"]


def test_what_the_assistant_keeps_of_the_user_is_a_saved_memory(tmp_path: Path) -> None:
    found = drafts(read(tmp_path, *MEMORIES))
    assert [draft.content for draft in found] == ["Ines sails a sloop.", "The mast is new."]
    assert {draft.tags for draft in found} == {("saved memory",)}
    assert {draft.source for draft in found} == {SourceType.AGENT_INFERENCE}
    assert [draft.source_id for draft in found] == ["claude_ai:conversations", "claude_ai:refit"]
    unknown = read(tmp_path, {**MEMORIES[0], "memory_files": [{"x": 1}]})
    assert list(errors(unknown)) == ["conversations.json/1/memory_files"]


def test_an_archive_is_read_whole(tmp_path: Path) -> None:
    path = zipped(
        tmp_path / "data.zip",
        {
            "users.json": [{"uuid": "a", "full_name": "Ines", "email_address": "x"}],
            "projects/refit.json": PROJECT,
            "memories.json": MEMORIES,
            "conversations.json": [TALK],
            "boat.jpg": b"x",
        },
    )
    items = list(claude_ai.read(path))
    assert len(drafts(items)) == 7
    assert skipped(items)["users.json/1"] == "account data"
    assert skipped(items)["boat.jpg"] == "attachment"
    assert errors(items) == {}


def test_one_record_alone_is_read(tmp_path: Path) -> None:
    assert contents(claude_ai.read(put(tmp_path / "a.json", TALK))) == ["Which sail?", "The jib."]
    assert len(drafts(claude_ai.read(put(tmp_path / "b.json", PROJECT)))) == 3
    assert len(drafts(claude_ai.read(put(tmp_path / "c.json", MEMORIES[0])))) == 2
    wrapped = put(tmp_path / "d.json", {"conversations": [TALK, {"a": 1}, TALK], "version": 1})
    items = list(claude_ai.read(wrapped))
    assert len(drafts(items)) == 4
    assert list(errors(items)) == ["d.json/2"]


def test_one_record_of_very_many_messages_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "MAX_GATHERED", 2)
    assert len(drafts(claude_ai.read(put(tmp_path / "a.json", TALK)))) == 2
    more = talk(*TALK["chat_messages"], said("human", "And then?"))
    with pytest.raises(ImportFormatError, match="too many elements"):
        list(claude_ai.read(put(tmp_path / "b.json", more)))
    assert len(drafts(read(tmp_path, more))) == 3


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        ("text", "a message must be an object"),
        (said("owner", "x"), "sender must be"),
        (said("human", "x") | {"sender": ["human"]}, "sender must be"),
    ],
)
def test_a_broken_message_is_told_and_the_rest_is_read(
    tmp_path: Path, broken: Any, told: str
) -> None:
    items = read(tmp_path, talk(said("human", "Before."), broken, said("human", "After.")))
    assert contents(items) == ["Before.", "After."]
    (error,) = errors(items).values()
    assert told in error


def test_odd_fields_do_no_harm(tmp_path: Path) -> None:
    odd = said("human", "Read.", attachments=7, files={"a": 1}, created_at=[])
    items = read(tmp_path, talk(odd, name=7, created_at="soon", current_leaf_message_uuid=[]))
    assert contents(items) == ["Read."]
    assert list(errors(read(tmp_path, 7, {"a": 1}, {"chat_messages": "x"}))) == [
        f"conversations.json/{n}" for n in (1, 2, 3)
    ]
    assert len(errors(read(tmp_path, {"docs": [7], "description": 7}))) == 2


def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    path.write_text('[{"chat_messages": [{')
    with pytest.raises(ImportFormatError, match="cut short"):
        list(claude_ai.read(path))
