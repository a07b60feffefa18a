"""LoCoMo's shape, with a dialogue of our own."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from mnemic.errors import ImportFormatError
from mnemic.exchange.benchmarks import locomo
from mnemic.model.origin import SourceType
from mnemic.model.trace import TraceType

DIALOGUE: dict[str, Any] = {
    "qa": [],
    "sample_id": "boat-1",
    "conversation": {
        "speaker_a": "Ines",
        "speaker_b": "Tomas",
        "session_10_date_time": "12:10 am on 2 January, 2025",
        "session_10": [{"speaker": "Tomas", "dia_id": "D10:1", "text": "The mast is up."}],
        "session_2": [
            {"speaker": "Ines", "dia_id": "D2:1", "text": "  I bought varnish.  "},
            {
                "speaker": "Tomas",
                "dia_id": "D2:2",
                "text": "Look at the hull!",
                "blip_caption": "a red hull on trestles",
                "img_url": ["x"],
            },
            {"speaker": "Tomas", "dia_id": "D2:3", "text": None, "blip_caption": "a dry dock"},
            {"speaker": "Ines", "dia_id": "D2:4", "text": None},
            {"speaker": "Ines", "dia_id": "D2:5", "text": " "},
            {"speaker": "Ines", "dia_id": "D2:6", "text": ["a"]},
            {"speaker": None, "dia_id": "D2:7", "text": "Who am I?"},
            "not a turn",
            {"speaker": "Ines", "text": "No id here."},
        ],
        "session_3_date_time": "2:00 pm on 3 January, 2025",
        "session_4": "not a list",
    },
}


def by_place(data: Any, **options: Any) -> dict[str, Any]:
    return {item.where: item for item in locomo.parse(data, **options)}


def test_turns_become_drafts_in_order_of_session() -> None:
    items = list(locomo.parse([DIALOGUE]))
    drafts = [item.draft for item in items if item.draft]
    assert [draft.content for draft in drafts] == [
        "I bought varnish.",
        "Look at the hull! [photo: a red hull on trestles]",
        "[photo: a dry dock]",
        "No id here.",
        "The mast is up.",
    ]
    first, last = drafts[0], drafts[-1]
    assert (first.speaker, first.role, first.thread) == ("Ines", None, "boat-1/session_2")
    assert (first.type, first.source) == (TraceType.EPISODIC, SourceType.USER_STATEMENT)
    assert first.replay
    assert first.time is None
    assert last.time == datetime(2025, 1, 2, 0, 10, tzinfo=UTC)
    assert items[-1].where == "boat-1/D10:1"


def test_turns_that_cannot_be_read_are_told_one_by_one() -> None:
    items = by_place([DIALOGUE])
    errors = {where: item.error for where, item in items.items() if item.error}
    assert list(errors) == [
        "boat-1/D2:4",
        "boat-1/D2:5",
        "boat-1/D2:6",
        "boat-1/D2:7",
        "boat-1/session_2/8",
    ]
    assert "no text: None" in errors["boat-1/D2:4"]
    assert "['a']" in errors["boat-1/D2:6"]
    assert "no speaker" in errors["boat-1/D2:7"]
    assert items["boat-1/D2:9"].draft.content == "No id here."


def test_times_are_in_the_zone_that_is_given() -> None:
    items = by_place([DIALOGUE], timezone="America/New_York")
    assert items["boat-1/D10:1"].draft.time == datetime(2025, 1, 2, 5, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("1:56 pm on 8 May, 2023", datetime(2023, 5, 8, 13, 56, tzinfo=UTC)),
        ("on 21st March 2024", datetime(2024, 3, 21, tzinfo=UTC)),
        ("9:00 am on 31 June, 2023", None),
        ("9:00 am on 3 Thermidor, 2023", None),
        ("", None),
        (None, None),
        (17, None),
    ],
)
def test_dates_as_people_write_them(text: object, time: datetime | None) -> None:
    assert locomo.parse_time(text, None) == time


def test_dialogues_without_a_name_or_a_conversation() -> None:
    nameless = {"conversation": {"session_1": [{"speaker": "Ines", "text": "Hello there."}]}}
    items = list(locomo.parse([{"qa": []}, 3, nameless]))
    assert [item.where for item in items] == ["dialogue 1", "dialogue 2", "dialogue-3/D1:1"]
    assert items[0].error == items[1].error == "it has no 'conversation' object"


def test_another_shape_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_text(json.dumps({"conversation": {}}))
    with pytest.raises(ImportFormatError, match="a list of dialogues"):
        list(locomo.read(path))
