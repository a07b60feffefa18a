"""txtai: a hybrid index (BM25 and dense, its own equal weights) with content, one a user."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

Embed = Callable[[list[str]], list[list[float]]]

_QUERY = "select id, score from txtai where similar(:question, 1000)"
"""With a wide pool of candidates: by itself it would fuse two lists of only ten."""


def load() -> None:
    """Import txtai."""
    importlib.import_module("txtai")


def open_store(folder: str, _server: str, embed: Embed) -> Store:
    """The indexes in a folder."""
    return Store(Path(folder), embed)


class Store:
    """Nothing of txtai is on the disk before `save`, so each call that adds ends with one."""

    def __init__(self, folder: Path, embed: Embed) -> None:
        self._txtai = importlib.import_module("txtai")
        self._folder = folder
        numpy = importlib.import_module("numpy")

        def transform(texts: list[str]) -> Any:
            return numpy.asarray(embed(list(texts)), numpy.float32)

        self._settings = {
            "method": "external",
            "transform": transform,
            "content": True,
            "hybrid": True,
        }
        self._indexes: dict[str, Any] = {}

    def _of(self, user: str) -> Any:
        if user not in self._indexes:
            index = self._txtai.Embeddings(self._settings)
            if (self._folder / user).exists():
                index.load(str(self._folder / user), config=self._settings)
            self._indexes[user] = index
        return self._indexes[user]

    def add(self, item: dict[str, Any]) -> str:
        """Add one text and save."""
        return self.add_many([item])[0]

    def add_many(self, items: list[dict[str, Any]]) -> list[str]:
        """Add a user's texts and save."""
        index = self._of(items[0]["user"])
        index.upsert([(item["id"], item["text"], None) for item in items])
        index.save(str(self._folder / items[0]["user"]))
        return [str(item["id"]) for item in items]

    def ask(self, user: str, question: str, limit: int) -> list[str]:
        """Ids of the best texts."""
        found = self._of(user).search(_QUERY, limit, parameters={"question": question})
        return [str(one["id"]) for one in found]

    def close(self) -> None:
        """Close the indexes."""
        for index in self._indexes.values():
            index.close()
