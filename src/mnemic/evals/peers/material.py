"""What every system is given: the same items, under hashed names, and the same questions.

Peers take a text, "date | speaker: text"; an item also has its parts, for systems whose API takes
them apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from mnemic.evals import datasets
from mnemic.evals.datasets import Question, Store, Turn, hashed


@dataclass(frozen=True, slots=True)
class Asked:
    """A question: whose memory it is asked of, and the ids of the items that answer it."""

    user: str
    text: str
    category: str
    gold: frozenset[str]


@dataclass(frozen=True, slots=True)
class Material:
    """Items by user, in order; the questions; and what the file holds besides, with counts."""

    items: Mapping[str, tuple[dict[str, Any], ...]]
    questions: tuple[Asked, ...]
    dropped: Mapping[str, int]

    @property
    def size(self) -> int:
        """How many items there are."""
        return sum(len(items) for items in self.items.values())


def read(path: str | Path, dialogues: int | None, questions: int | None) -> Material:
    """The material of a LoCoMo file.

    Args:
        path: of the file, plain or packed.
        dialogues: only the first so many.
        questions: only the first so many of each dialogue.

    Raises:
        ImportFormatError: the file is not LoCoMo's.
    """
    dataset = datasets.load_locomo(path)
    stores = dataset.stores[:dialogues]
    return Material(
        items={store.name: tuple(_item(store, turn) for turn in store.turns) for store in stores},
        questions=tuple(
            _asked(store, question) for store in stores for question in store.questions[:questions]
        ),
        dropped=dataset.dropped,
    )


def _item(store: Store, turn: Turn) -> dict[str, Any]:
    draft = turn.draft
    time = draft.time if isinstance(draft.time, datetime) else None
    date = f"{spoken(time)} | " if time else ""
    return {
        "id": hashed(turn.key),
        "user": store.name,
        "text": f"{date}{draft.speaker}: {draft.content}",
        "content": draft.content,
        "speaker": draft.speaker,
        "session": turn.session,
        "time": time.isoformat() if time else None,
    }


def _asked(store: Store, question: Question) -> Asked:
    gold = frozenset(hashed(key) for key in question.gold)
    return Asked(store.name, question.text, question.category, gold)


def spoken(time: datetime) -> str:
    """A time as the file writes it: "1:56 pm on 8 May, 2023"."""
    half = "am" if time.hour < 12 else "pm"
    return f"{time.hour % 12 or 12}:{time:%M} {half} on {time.day} {time:%B, %Y}"
