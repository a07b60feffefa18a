"""mnemic itself, by its public names, as a user runs it: the model in its own process."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any


def load() -> None:
    """Import mnemic, whose names are loaded when they are first asked for."""
    mnemic = importlib.import_module("mnemic")
    assert mnemic.Memory
    assert mnemic.Draft


def open_store(folder: str, _server: str, _embed: object) -> Store:
    """The brain in a folder."""
    return Store(Path(folder) / "brain.db")


class Store:
    """One brain, a user a dialogue."""

    def __init__(self, path: Path) -> None:
        self._mnemic = importlib.import_module("mnemic")
        self._memory = self._mnemic.Memory.open(path)

    def add(self, item: dict[str, Any]) -> str | None:
        """Remember one turn."""
        bound = self._memory.bind(user=item["user"])
        receipt = bound.remember(
            item["content"], speaker=item["speaker"], thread=item["session"], time=item["time"]
        )
        return _name(receipt)

    def add_many(self, items: list[dict[str, Any]]) -> list[str | None]:
        """Remember a dialogue's turns."""
        drafts = [
            self._mnemic.Draft(
                item["content"],
                speaker=item["speaker"],
                thread=item["session"],
                time=item["time"],
                replay=True,
            )
            for item in items
        ]
        receipts = self._memory.bind(user=items[0]["user"]).remember_many(drafts)
        return [_name(receipt) for receipt in receipts]

    def ask(self, user: str, question: str, limit: int) -> list[str]:
        """Recall without a trace of having been asked."""
        hits = self._memory.bind(user=user).recall(question, limit=limit, touch=False)
        return [str(hit.trace.id) for hit in hits]

    def close(self) -> None:
        """Close the brain."""
        self._memory.close()


def _name(receipt: Any) -> str | None:
    return None if receipt.trace is None else str(receipt.trace.id)
