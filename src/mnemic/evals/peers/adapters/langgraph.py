"""LangGraph's SqliteStore with its vector index, a namespace a user."""

from __future__ import annotations

import importlib
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

Embed = Callable[[list[str]], list[list[float]]]

_DIMENSION = 384


def load() -> None:
    """Import the store."""
    importlib.import_module("langgraph.store.sqlite")


def open_store(folder: str, _server: str, embed: Embed) -> Store:
    """The store in a folder."""
    return Store(Path(folder) / "store.db", embed)


class Store:
    """A value a text, and nothing else: the store embeds whole values, so dates would blur them."""

    def __init__(self, path: Path, embed: Embed) -> None:
        self._base = importlib.import_module("langgraph.store.base")
        self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        index = {"dims": _DIMENSION, "embed": embed, "fields": ["text"]}
        self._store = importlib.import_module("langgraph.store.sqlite").SqliteStore(
            self._db, index=index
        )
        self._store.setup()

    def add(self, item: dict[str, Any]) -> str:
        """Put one value."""
        self._store.put((item["user"],), item["id"], {"text": item["text"]})
        return str(item["id"])

    def add_many(self, items: list[dict[str, Any]]) -> list[str]:
        """Put a user's values in one batch."""
        puts = [
            self._base.PutOp((item["user"],), item["id"], {"text": item["text"]}) for item in items
        ]
        self._store.batch(puts)
        return [str(item["id"]) for item in items]

    def ask(self, user: str, question: str, limit: int) -> list[str]:
        """Keys of the nearest values."""
        return [
            str(found.key) for found in self._store.search((user,), query=question, limit=limit)
        ]

    def close(self) -> None:
        """Close the database."""
        self._db.close()
