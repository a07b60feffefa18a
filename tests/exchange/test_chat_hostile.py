"""Files made to do harm, and files that are only odd, in the hands of every chat reader."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemic.errors import ImportFormatError
from mnemic.exchange import archives
from mnemic.exchange.chats import basic_memory, chatgpt, claude_ai, letta, mem0, zep
from mnemic.exchange.common import Item
from mnemic.exchange.plain import csv_rows
from tests.exchange.chat_support import drafts, put, zipped

Read = Callable[[Path], Iterator[Item]]

SAMPLES: dict[str, tuple[Read, Any]] = {
    "chatgpt": (
        chatgpt.read,
        [
            {
                "conversation_id": "c",
                "title": "t",
                "create_time": 1_700_000_000.5,
                "current_node": "b",
                "mapping": {
                    "r": {"message": None, "parent": None, "children": ["a"]},
                    "a": {
                        "message": {
                            "author": {"role": "user"},
                            "content": {"content_type": "text", "parts": ["hello", {"text": "x"}]},
                            "recipient": "all",
                            "metadata": {"attachments": [{"name": "n"}]},
                        },
                        "parent": "r",
                        "children": ["b"],
                    },
                    "b": {
                        "message": {
                            "author": {"role": "assistant"},
                            "content": {"parts": ["hi"]},
                            "metadata": {"user_context_message_data": {"about_user_message": "u"}},
                        },
                        "parent": "a",
                    },
                },
            }
        ],
    ),
    "claude_ai": (
        claude_ai.read,
        [
            {
                "uuid": "c",
                "name": "n",
                "current_leaf_message_uuid": "b",
                "chat_messages": [
                    {
                        "uuid": "b",
                        "sender": "human",
                        "text": "hello",
                        "content": [{"type": "text", "text": "hello"}],
                        "attachments": [{"file_name": "f", "extracted_content": "x"}],
                        "files": [{"file_name": "g"}],
                    }
                ],
            },
            {"uuid": "p", "docs": [{"filename": "f", "content": "x"}], "prompt_template": "x"},
            {"conversations_memory": "x", "project_memories": {"p": "y"}},
        ],
    ),
    "letta": (
        letta.read,
        {
            "agents": [
                {
                    "name": "a",
                    "agent_type": "memgpt_agent",
                    "messages": [
                        {
                            "role": "assistant",
                            "content": [{"type": "text", "text": "x"}],
                            "tool_calls": [
                                {"function": {"name": "send_message", "arguments": '{"message":1}'}}
                            ],
                        }
                    ],
                }
            ],
            "blocks": [{"label": "human", "value": "x"}],
            "files": [{"file_name": "f", "content": "x"}],
        },
    ),
    "mem0": (
        mem0.read,
        {
            "results": [
                {
                    "id": "1",
                    "memory": "x",
                    "categories": ["a"],
                    "metadata": {"k": 1},
                    "role": "user",
                }
            ],
            "relations": [{"source": "a", "relationship": "b", "target": "c"}],
        },
    ),
    "zep": (
        zep.read,
        {
            "sessions": [{"session_id": "s", "messages": [{"role_type": "user", "content": "x"}]}],
            "nodes": [{"uuid": "n", "name": "a", "summary": "b", "labels": ["c"]}],
            "edges": [{"fact": "x", "source_node_uuid": "n", "valid_at": "2025-01-01"}],
            "episodes": [{"content": "x", "metadata": {"k": 1}}],
        },
    ),
}

ODD = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.sampled_from([1e300, -1e300, 0.5, "", " ", "\ud800", "\0", "x" * 300, "2025-01-01"]),
        st.text(max_size=5),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=2), st.dictionaries(st.text(max_size=5), inner, max_size=2)
    ),
    max_leaves=3,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to each value within a value."""
    yield path
    if isinstance(value, dict):
        for key, one in value.items():
            yield from places(one, (*path, key))
    if isinstance(value, list):
        for number, one in enumerate(value):
            yield from places(one, (*path, number))


def changed(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    copy = deepcopy(value)
    at = copy
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = new
    return copy


@pytest.mark.parametrize("name", SAMPLES)
def test_each_sample_gives_drafts_and_no_error(tmp_path: Path, name: str) -> None:
    read, value = SAMPLES[name]
    items = list(read(put(tmp_path / "x.json", value)))
    assert drafts(items)
    assert not [item for item in items if item.error]


@pytest.mark.parametrize("name", SAMPLES)
@given(data=st.data())
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_value_in_any_place_is_an_item_or_a_file_error(
    tmp_path: Path, name: str, data: st.DataObject
) -> None:
    read, value = SAMPLES[name]
    path = data.draw(st.sampled_from(list(places(value))))
    odd = changed(value, path, data.draw(ODD))
    try:
        items = list(read(put(tmp_path / "x.json", odd)))
    except ImportFormatError:
        return
    for item in items:
        given_things = (item.draft, item.error, item.skipped)
        assert sum(one is not None for one in given_things) == 1
        assert item.where.strip()


@pytest.mark.parametrize("branches", [True, False])
@given(data=st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_message_of_a_tree_gives_an_item(
    tmp_path: Path, branches: bool, data: st.DataObject
) -> None:
    keys = [f"n{number}" for number in range(data.draw(st.integers(0, 8)))]
    links = st.sampled_from([None, "gone", *keys])
    mapping = {
        key: {
            "message": {"author": {"role": "user"}, "content": {"parts": [key]}},
            "parent": data.draw(links),
            "children": data.draw(st.lists(links, max_size=2)),
        }
        for key in keys
    }
    talk = {"id": "t", "mapping": mapping, "current_node": data.draw(links)}
    items = list(chatgpt.read(put(tmp_path / "x.json", [talk]), branches=branches))
    assert sorted(item.where for item in items) == sorted(f"t/{key}" for key in keys)


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b'{"a": "\xff"}', "not UTF-8"),
        (b'[{"a": 1}', "cut short"),
        (b'{"a": NaN}', "NaN is no JSON number"),
        (b"", "empty"),
    ],
)
def test_a_file_that_is_no_json_is_refused(
    tmp_path: Path, name: str, raw: bytes, told: str
) -> None:
    read, value = SAMPLES[name]
    path = tmp_path / "x.json"
    path.write_text(json.dumps(value))
    assert drafts(read(path))
    path.write_bytes(raw)
    with pytest.raises(ImportFormatError, match=told):
        list(read(path))


@pytest.mark.parametrize(
    "read", [*(read for read, _ in SAMPLES.values()), basic_memory.read, csv_rows.read]
)
def test_a_pipe_and_a_missing_file_are_refused_at_once(tmp_path: Path, read: Read) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ImportFormatError, match="a pipe or a device"):
        list(read(tmp_path / "pipe"))
    with pytest.raises(ImportFormatError, match="no such file"):
        list(read(tmp_path / "missing"))


@pytest.mark.parametrize("name", SAMPLES)
def test_an_archive_that_climbs_is_refused(tmp_path: Path, name: str) -> None:
    read, value = SAMPLES[name]
    assert drafts(read(zipped(tmp_path / "good.zip", {"export.json": value})))
    with pytest.raises(ImportFormatError, match="climbs out"):
        list(read(zipped(tmp_path / "bad.zip", {"export.json": value, "../x": "x"})))
    assert not (tmp_path.parent / "x").exists()


@pytest.mark.parametrize("name", SAMPLES)
def test_a_bomb_in_an_archive_is_refused(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, value = SAMPLES[name]
    monkeypatch.setattr(archives, "MAX_MEMBER_BYTES", 9_999)
    assert drafts(read(zipped(tmp_path / "good.zip", {"export.json": value})))
    bomb = json.dumps([value]).encode() + b" " * 5_000_000
    path = zipped(tmp_path / "bomb.zip", {"export.json": bomb})
    assert path.stat().st_size < 20_000
    with pytest.raises(ImportFormatError, match="more than 9,999 bytes"):
        list(read(path))
