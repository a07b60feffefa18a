"""Conversations as ChatGPT exports them, made up for the tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mnemic.exchange.chats import chatgpt
from mnemic.exchange.common import Item
from tests.exchange.chat_support import (
    put,
)

START = 1_700_000_000


def message(role: str, *parts: Any, **more: Any) -> dict[str, Any]:
    kind = more.pop("kind", "text")
    return {
        "id": "m",
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": more.pop("time", START),
        "content": {"content_type": kind, "parts": list(parts), **more.pop("content", {})},
        "recipient": more.pop("to", "all"),
        "metadata": more.pop("metadata", {}),
        **more,
    }


def talk(*messages: Any, **more: Any) -> dict[str, Any]:
    """A conversation in one line, below a root without a message."""
    mapping: dict[str, Any] = {"root": {"id": "root", "message": None, "parent": None}}
    above = "root"
    for number, one in enumerate(messages, 1):
        key = f"n{number}"
        mapping[key] = {"id": key, "message": one, "parent": above, "children": []}
        above = key
    return {
        "title": "The boat",
        "create_time": START - 50,
        "conversation_id": "boat",
        "mapping": mapping,
        "current_node": above,
        **more,
    }


BOAT = talk(
    message("user", "Which varnish for a mast?"),
    message("assistant", "A spar varnish.", time=START + 5, metadata={"model_slug": "m-1"}),
)


EDITED: dict[str, Any] = {
    "id": "edited",
    "title": None,
    "create_time": None,
    "mapping": {
        "q": {"message": message("user", "Red or blue?"), "parent": None, "children": ["a", "b"]},
        "a": {"message": message("assistant", "Red.", time=START + 1), "parent": "q"},
        "b": {"message": message("assistant", "Blue.", time=START + 2), "parent": "q"},
        "c": {"message": message("user", "Why blue?", time=START + 3), "parent": "b"},
    },
    "current_node": "c",
}


def read(tmp_path: Path, *talks: Any, **options: Any) -> list[Item]:
    return list(chatgpt.read(put(tmp_path / "conversations.json", list(talks)), **options))


def one(tmp_path: Path, *messages: Any) -> list[Item]:
    return read(tmp_path, talk(*messages))
