"""BEAM's shape, with a conversation of our own."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from mnemic.errors import ImportFormatError
from mnemic.exchange.benchmarks import beam
from mnemic.model.origin import Role


def turn(number: int, role: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"id": number, "role": role, "content": content, **more}


DATA: dict[str, Any] = {
    "7": {
        "chat.json": [
            {
                "batch_number": 1,
                "time_anchor": None,
                "turns": [
                    [
                        turn(
                            0, "user", "Where do bees winter? ->-> 1,1", time_anchor="May-04-2025"
                        ),
                        turn(1, "assistant", "In a cluster ->-> in the hive."),
                    ],
                    [turn(2, "user", "And wasps?  ->->  12,9 ")],
                ],
            },
            {
                "batch_number": 2,
                "time_anchor": "June-01-2025",
                "turns": [
                    [turn(3, "user", "I saw a hornet.")],
                    [
                        turn(4, "user", "It is July now.", time_anchor="July-02-2025"),
                        turn(5, "user", " ->-> 3,3"),
                        turn(6, "user", None),
                        turn(7, "beekeeper", "Hm."),
                        "no turn",
                    ],
                    "no group",
                ],
            },
            {"batch_number": 3},
        ]
    },
    "8": {"topic.json": {}},
}


def test_turns_become_drafts() -> None:
    items = {item.where: item.draft for item in beam.parse(DATA) if item.draft}
    assert {where: draft.content for where, draft in items.items()} == {
        "7/0": "Where do bees winter?",
        "7/1": "In a cluster ->-> in the hive.",
        "7/2": "And wasps?",
        "7/3": "I saw a hornet.",
        "7/4": "It is July now.",
    }
    assert [draft.thread for draft in items.values()] == ["7/batch_1"] * 3 + ["7/batch_2"] * 2
    assert items["7/1"].role is Role.ASSISTANT


def test_a_date_holds_until_the_next() -> None:
    times = [item.draft.time for item in beam.parse(DATA) if item.draft]
    may, june, july = (
        datetime(2025, month, day, tzinfo=UTC) for month, day in ((5, 4), (6, 1), (7, 2))
    )
    assert times == [may, may, may, june, july]
    assert beam.parse_time("Brumaire-01-2025", None) is None
    assert beam.parse_time("February-30-2025", None) is None
    assert beam.parse_time(None, None) is None


def test_what_cannot_be_read_is_told() -> None:
    errors = {item.where: item.error for item in beam.parse(DATA) if item.error}
    assert list(errors) == ["7/5", "7/6", "7/7", "7/batch_2/2", "7/batch_2/3", "7/batch_3", "8"]
    assert "'beekeeper'" in (errors["7/7"] or "")
    assert "'chat.json'" in (errors["8"] or "")


def test_another_shape_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_text(json.dumps([DATA]))
    with pytest.raises(ImportFormatError, match="an object of conversations"):
        list(beam.read(path))
