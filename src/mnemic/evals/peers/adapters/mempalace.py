"""MemPalace over its Chroma backend: a wing a user; search by vector and words together.

One text is filed by the function of its MCP tool, which is its documented way to write; many by
its collection, as its own miner does.
"""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import Any

_ROOM = "chat"


def load() -> None:
    """Import the tools and the searcher; the former read this process's arguments."""
    os.environ["MEMPALACE_EMBEDDING_MODEL"] = "openai-compat"
    arguments, sys.argv = sys.argv, sys.argv[:1]
    importlib.import_module("mempalace.mcp_server")
    sys.argv = arguments
    importlib.import_module("mempalace.searcher")


def open_store(folder: str, server: str, _embed: object) -> Store:
    """The palace in a folder."""
    os.environ["MEMPALACE_EMBEDDING_API_URL"] = server
    os.environ["MEMPALACE_EMBEDDING_API_MODEL"] = "minilm"
    os.environ["MEMPALACE_PALACE_PATH"] = folder
    return Store(folder)


class Store:
    """Drawers, each with the item's id as its source."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._tools = importlib.import_module("mempalace.mcp_server")
        self._searcher = importlib.import_module("mempalace.searcher")
        self._collection: Any = None

    def add(self, item: dict[str, Any]) -> str:
        """File one drawer."""
        told = self._tools.tool_add_drawer(
            wing=item["user"], room=_ROOM, content=item["text"], source_file=item["id"]
        )
        if not told.get("success"):
            raise RuntimeError(str(told))
        return str(item["id"])

    def add_many(self, items: list[dict[str, Any]]) -> list[str]:
        """Put a user's drawers into the collection."""
        if self._collection is None:
            palace = importlib.import_module("mempalace.palace")
            self._collection = palace.get_collection(self._folder, create=True)
        self._collection.upsert(
            ids=[item["id"] for item in items],
            documents=[item["text"] for item in items],
            metadatas=[_about(item) for item in items],
        )
        return [str(item["id"]) for item in items]

    def ask(self, user: str, question: str, limit: int) -> list[str]:
        """Sources of the best drawers."""
        found = self._searcher.search_memories(
            question,
            self._folder,
            wing=user,
            n_results=limit,
            candidate_strategy="union",
            lang="en",
        )
        if "error" in found:
            raise RuntimeError(str(found))
        return [Path(hit.get("source_path") or hit["source_file"]).name for hit in found["results"]]

    def close(self) -> None:
        """Its backend writes as it goes; there is nothing to be closed."""


def _about(item: dict[str, Any]) -> dict[str, Any]:
    return {
        "wing": item["user"],
        "room": _ROOM,
        "source_file": item["id"],
        "chunk_index": 0,
        "added_by": "bench",
        "filed_at": item["time"] or "",
    }
