"""Chroma: a persistent client in this process, a collection a user."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

Embed = Callable[[list[str]], list[list[float]]]


def load() -> None:
    """Import Chroma."""
    importlib.import_module("chromadb")


def open_store(folder: str, _server: str, embed: Embed) -> Store:
    """The collections in a folder."""
    return Store(folder, embed)


class Store:
    """Vectors are given by the caller: of the texts when adding, of the question when asking."""

    def __init__(self, folder: str, embed: Embed) -> None:
        chromadb = importlib.import_module("chromadb")
        settings = importlib.import_module("chromadb.config").Settings(anonymized_telemetry=False)
        self._client = chromadb.PersistentClient(path=folder, settings=settings)
        self._embed = embed
        self._collections: dict[str, Any] = {}

    def _of(self, user: str) -> Any:
        if user not in self._collections:
            self._collections[user] = self._client.get_or_create_collection(
                user,
                embedding_function=None,
                # Wide enough that the graph misses next to nothing of an exact scan.
                configuration={"hnsw": {"space": "cosine", "ef_search": 200}},
            )
        return self._collections[user]

    def add(self, item: dict[str, Any]) -> str:
        """Add one text."""
        return self.add_many([item])[0]

    def add_many(self, items: list[dict[str, Any]]) -> list[str]:
        """Add a user's texts in one call."""
        texts = [item["text"] for item in items]
        ids = [str(item["id"]) for item in items]
        self._of(items[0]["user"]).add(ids=ids, documents=texts, embeddings=self._embed(texts))
        return ids

    def ask(self, user: str, question: str, limit: int) -> list[str]:
        """Ids of the nearest texts."""
        found = self._of(user).query(query_embeddings=self._embed([question]), n_results=limit)
        return list(found["ids"][0])

    def close(self) -> None:
        """Chroma writes as it goes; there is nothing to be closed."""
