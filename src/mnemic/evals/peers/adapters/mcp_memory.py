"""mcp-memory-service over sqlite-vec by its storage class: a database a user.

It searches by vectors and by words and fuses the two by reciprocal rank. Its search by words ranks
over the whole database before the partition is looked at, so a database a user serves it best.
Refusing what is "semantically similar" to a text already stored is off.
"""

from __future__ import annotations

import asyncio
import importlib
import os
from pathlib import Path
from typing import Any

_STORAGE = "mcp_memory_service.storage.sqlite_vec"


def load() -> None:
    """Import the storage, which reads its settings on the way."""
    os.environ["MCP_HYBRID_FUSION_METHOD"] = "rrf"
    os.environ["MCP_MEMORY_STORAGE_BACKEND"] = "sqlite_vec"
    importlib.import_module(_STORAGE)


def open_store(folder: str, server: str, _embed: object) -> Store:
    """The databases in a folder."""
    os.environ["MCP_EXTERNAL_EMBEDDING_URL"] = f"{server}/embeddings"
    os.environ["MCP_EXTERNAL_EMBEDDING_MODEL"] = "minilm"
    return Store(Path(folder))


class Store:
    """Drives the asynchronous storage from one event loop."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._loop = asyncio.new_event_loop()
        self._memory = importlib.import_module("mcp_memory_service.models.memory").Memory
        self._hash: Any = importlib.import_module(
            "mcp_memory_service.utils.hashing"
        ).generate_content_hash
        self._storages: dict[str, Any] = {}

    def _of(self, user: str) -> Any:
        if user not in self._storages:
            storage = importlib.import_module(_STORAGE).SqliteVecMemoryStorage(
                str(self._folder / f"{user}.db")
            )
            self._loop.run_until_complete(storage.initialize())
            self._storages[user] = storage
        return self._storages[user]

    def _made(self, item: dict[str, Any]) -> Any:
        text = item["text"]
        return self._memory(
            content=text, content_hash=self._hash(text), tags=[], metadata={"time": item["time"]}
        )

    def add(self, item: dict[str, Any]) -> str | None:
        """Store one memory."""
        made = self._made(item)
        stored, _ = self._loop.run_until_complete(
            self._of(item["user"]).store(made, skip_semantic_dedup=True)
        )
        return made.content_hash if stored else None

    def add_many(self, items: list[dict[str, Any]]) -> list[str | None]:
        """Store a user's memories in one batch."""
        made = [self._made(item) for item in items]
        stored = self._loop.run_until_complete(self._of(items[0]["user"]).store_batch(made))
        return [
            one.content_hash if done else None for one, (done, _) in zip(made, stored, strict=True)
        ]

    def ask(self, user: str, question: str, limit: int) -> list[str]:
        """Hashes of the best memories."""
        found = self._loop.run_until_complete(
            self._of(user).retrieve_hybrid(question, n_results=limit)
        )
        return [str(one.memory.content_hash) for one in found]

    def close(self) -> None:
        """Close the databases."""
        for storage in self._storages.values():
            self._loop.run_until_complete(storage.close())
