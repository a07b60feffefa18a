"""Every system is given the same texts, under names that tell nothing."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from mnemic.evals.datasets import hashed
from mnemic.evals.peers.material import read, spoken


def test_items_and_questions(locomo: Path) -> None:
    material = read(locomo, None, None)
    assert list(material.items) == [hashed("boat"), hashed("bees")]
    first = material.items[hashed("boat")][0]
    assert first == {
        "id": hashed("boat/D1:1"),
        "user": hashed("boat"),
        "text": "9:30 am on 4 March, 2025 | Ines: I sold the old dinghy to a baker.",
        "content": "I sold the old dinghy to a baker.",
        "speaker": "Ines",
        "session": hashed("boat/session_1"),
        "time": "2025-03-04T09:30:00+00:00",
    }
    photo = material.items[hashed("boat")][-1]
    assert photo["text"] == (  # its session has no date
        "Ines: Look what I found. [photo: a brass compass in a drawer]"
    )
    assert photo["time"] is None
    assert material.size == 8
    asked = {question.text: question for question in material.questions}
    assert asked["Who bought the dinghy?"].gold == {hashed("boat/D1:1")}
    assert asked["Who bought the dinghy?"].user == hashed("boat")
    assert len(asked) == 4


def test_parts(locomo: Path) -> None:
    assert read(locomo, 1, None).size == 6
    assert len(read(locomo, None, 1).questions) == 2


@pytest.mark.parametrize(
    ("hour", "said"),
    [
        (0, "12:05 am on 8 May, 2023"),
        (11, "11:05 am on 8 May, 2023"),
        (12, "12:05 pm on 8 May, 2023"),
        (13, "1:05 pm on 8 May, 2023"),
    ],
)
def test_times_as_the_file_writes_them(hour: int, said: str) -> None:
    assert spoken(datetime(2023, 5, 8, hour, 5, tzinfo=UTC)) == said
