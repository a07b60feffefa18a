"""ChatGPT's export: which messages of a conversation are read, in which order and time."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from mnemic.errors import InvalidInput
from mnemic.exchange.chats import chatgpt
from mnemic.exchange.common import Item
from mnemic.model.origin import Role, SourceType
from mnemic.model.trace import TraceType
from tests.exchange.chat_support import (
    contents,
    drafts,
    errors,
    only,
    skipped,
    taken,
)
from tests.exchange.chatgpt_samples import BOAT, EDITED, START, message, one, read, talk


def test_what_was_said_becomes_drafts_in_order(tmp_path: Path) -> None:
    items = read(tmp_path, BOAT)
    asked, answered = drafts(items)
    assert [item.where for item in items] == ["boat/n1", "boat/n2"]
    assert (asked.content, asked.role, asked.source) == (
        "Which varnish for a mast?",
        Role.USER,
        SourceType.USER_STATEMENT,
    )
    assert (answered.role, answered.source) == (Role.ASSISTANT, SourceType.AGENT_INFERENCE)
    assert asked.thread == answered.thread == "boat"
    assert asked.source_id == answered.source_id == "chatgpt:boat"
    assert asked.time == datetime.fromtimestamp(START, UTC)
    assert asked.metadata == {"title": "The boat"}
    assert answered.metadata == {"title": "The boat", "model": "m-1"}
    assert asked.type is TraceType.EPISODIC


def test_the_branch_last_seen_is_read_and_the_other_told(tmp_path: Path) -> None:
    items = read(tmp_path, EDITED)
    assert contents(items) == ["Red or blue?", "Blue.", "Why blue?"]
    assert skipped(items) == {"edited/a": "another branch"}
    assert contents(read(tmp_path, {**EDITED, "current_node": "a"})) == ["Red or blue?", "Red."]


def test_every_branch_can_be_read_with_each_message_once(tmp_path: Path) -> None:
    found = drafts(read(tmp_path, EDITED, branches=True))
    assert [draft.content for draft in found] == ["Red or blue?", "Red.", "Blue.", "Why blue?"]
    assert [draft.metadata.get("branch") for draft in found] == [None, "another", None, None]


@pytest.mark.parametrize("current", [None, "gone", 7, ["c"], {}])
def test_without_a_current_node_the_last_leaf_is_the_end(tmp_path: Path, current: Any) -> None:
    items = read(tmp_path, {**EDITED, "current_node": current})
    assert contents(items) == ["Red or blue?", "Blue.", "Why blue?"]


def test_without_parents_the_lists_of_children_are_followed(tmp_path: Path) -> None:
    mapping = json.loads(json.dumps(EDITED["mapping"]))
    for key, children in (("q", ["a", "b"]), ("b", ["c"])):
        mapping[key]["children"] = children
    for node in mapping.values():
        node.pop("parent")
    assert contents(read(tmp_path, {**EDITED, "mapping": mapping})) == contents(
        read(tmp_path, EDITED)
    )


def test_parents_in_a_circle_or_missing_lose_nothing(tmp_path: Path) -> None:
    mapping = json.loads(json.dumps(BOAT["mapping"]))
    mapping["root"]["parent"] = "n2"
    circle = {**BOAT, "mapping": mapping}
    assert contents(read(tmp_path, circle)) == contents(read(tmp_path, BOAT))
    assert len(drafts(read(tmp_path, circle, branches=True))) == 2
    mapping["root"]["parent"] = None
    mapping["n2"]["parent"] = "gone"
    assert contents(read(tmp_path, {**BOAT, "mapping": mapping})) == contents(read(tmp_path, BOAT))


@pytest.mark.parametrize(
    ("time", "read_as"),
    [
        (START, datetime.fromtimestamp(START, UTC)),
        (START + 0.5, datetime.fromtimestamp(START + 0.5, UTC)),
        (START * 1000, datetime.fromtimestamp(START, UTC)),
        (str(START), datetime.fromtimestamp(START, UTC)),
        ("2024-05-01T10:00:00Z", datetime(2024, 5, 1, 10, tzinfo=UTC)),
        ("2024-05-01T10:00:00", "2024-05-01T10:00:00"),
        (None, datetime.fromtimestamp(START - 50, UTC)),
        ("soon", datetime.fromtimestamp(START - 50, UTC)),
        (1e300, datetime.fromtimestamp(START - 50, UTC)),
        ([], datetime.fromtimestamp(START - 50, UTC)),
    ],
)
def test_times_in_every_spelling(tmp_path: Path, time: Any, read_as: Any) -> None:
    (item,) = one(tmp_path, message("user", "Now.", time=time))
    assert item.draft is not None
    assert item.draft.time == read_as


def test_a_message_without_a_time_has_that_of_the_one_before(tmp_path: Path) -> None:
    items = one(tmp_path, message("user", "a", time=START + 7), message("user", "b", time=None))
    assert [draft.time for draft in drafts(items)] == [datetime.fromtimestamp(START + 7, UTC)] * 2


def test_times_without_an_offset_are_in_the_zone_that_is_given(tmp_path: Path) -> None:
    spoken = talk(message("user", "Now.", time="2024-05-01T10:00:00"))
    (item,) = read(tmp_path, spoken, timezone="America/New_York")
    assert item.draft is not None
    assert item.draft.time == datetime(2024, 5, 1, 14, tzinfo=UTC)
    with pytest.raises(InvalidInput, match="Nowhere/At_all"):
        read(tmp_path, spoken, timezone="Nowhere/At_all")


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        ("text", "a message must be an object"),
        ({**message("user", "x"), "author": "ines"}, "a message must be an object"),
        ({**message("user", "x"), "content": None}, "no content"),
        ({**message("user", "x"), "content": [1]}, "no content"),
        (message("critic", "x"), "role 'critic' is unknown"),
        ({**message("user", "x"), "author": {"role": ["user"]}}, "role '' is unknown"),
    ],
)
def test_a_broken_message_is_told_and_the_rest_is_read(
    tmp_path: Path, broken: Any, told: str
) -> None:
    items = one(tmp_path, message("user", "Before."), broken, message("user", "After."))
    assert contents(items) == ["Before.", "After."]
    assert told in errors(items)["boat/n2"]


def test_a_content_that_is_a_bare_text_is_read(tmp_path: Path) -> None:
    assert contents(one(tmp_path, {**message("user"), "content": "Bare."})) == ["Bare."]


def test_odd_fields_do_no_harm(tmp_path: Path) -> None:
    odd = message("user", "Still read.", to=["x"], metadata="odd")
    odd["content"]["content_type"] = {"a": 1}
    spoken = talk(odd, title=["x"], default_model_slug=3, create_time={}, gizmo_id=[])
    spoken["mapping"] |= {"null": None, "text": "odd", "list": []}
    items = read(tmp_path, spoken)
    assert contents(items) == ["Still read."]
    assert sorted(errors(items)) == ["boat/list", "boat/text"]


def test_halves_of_characters_are_replaced(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([talk(message("user", "Cut \ud83d here\0."), title="T\ud83d\n")]))
    draft = only(chatgpt.read(path))
    assert draft.content == "Cut \ufffd here."
    assert draft.metadata["title"] == "T\ufffd"


def test_conversations_without_an_id_have_one_that_stays(tmp_path: Path) -> None:
    nameless = {key: value for key, value in BOAT.items() if key != "conversation_id"}
    first, second = (only_thread(read(tmp_path, nameless)) for _ in range(2))
    other = only_thread(read(tmp_path, {**nameless, "title": "Another"}))
    too_long = only_thread(read(tmp_path, {**BOAT, "conversation_id": "x" * 500}))
    assert first == second
    assert len({first, other, too_long}) == 3


def only_thread(items: list[Item]) -> str:
    (thread,) = {taken(draft).thread for draft in drafts(items)}
    return str(thread)
