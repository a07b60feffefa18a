"""A baseline: plain FTS5 with porter stems, any of the question's words but stop words."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path
from typing import Any

_WORD = re.compile(r"\w+")
_STOP = frozenset(
    """
    a about after all also am an and any are as at be because been before but by can could did do
    does for from had has have he her his how i if in into is it its just me more most my no not of
    on or our out over she should so some such than that the their them then there these they this
    to too up us was we were what when where which while who whom whose why will with would you your
    """.split()
)


def load() -> None:
    """Nothing: SQLite comes with Python."""


def open_store(folder: str, _server: str, _embed: object) -> Store:
    """The store in a folder."""
    return Store(Path(folder) / "fts5.db")


class Store:
    """One table, a row an item."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path)
        self._db.execute(
            "CREATE VIRTUAL TABLE IF NOT EXISTS items USING fts5("
            "text, owner UNINDEXED, name UNINDEXED, tokenize = 'porter unicode61')"
        )

    def add(self, item: dict[str, Any]) -> str:
        """Store one item, durably."""
        return self.add_many([item])[0]

    def add_many(self, items: list[dict[str, Any]]) -> list[str]:
        """Store items in one transaction."""
        with self._db:
            self._db.executemany("INSERT INTO items VALUES (:text, :user, :id)", items)
        return [str(item["id"]) for item in items]

    def ask(self, user: str, question: str, limit: int) -> list[str]:
        """Names of the items that share words with the question, best first."""
        words = [word for word in _WORD.findall(question.lower()) if word not in _STOP]
        if not words:
            return []
        rows = self._db.execute(
            "SELECT name FROM items WHERE items MATCH ? AND owner = ? ORDER BY rank LIMIT ?",
            (" OR ".join(f'"{word}"' for word in words), user, limit),
        )
        return [str(row[0]) for row in rows]

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()
