"""LongMemEval's shape, with sessions of our own."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from mnemic.errors import ImportFormatError
from mnemic.exchange.benchmarks import longmemeval
from mnemic.model.origin import Role, SourceType


def record(**changes: Any) -> dict[str, Any]:
    return {
        "question_id": "q1",
        "haystack_session_ids": ["answer_a", "b"],
        "haystack_dates": ["2024/05/06 (Mon) 21:15", "someday"],
        "haystack_sessions": [
            [
                {"role": "user", "content": "My fern is called Otto.", "has_answer": True},
                {"role": "assistant", "content": "Otto sounds like a good fern."},
            ],
            [{"role": "user", "content": "How hot is a sauna?"}],
        ],
    } | changes


def test_turns_become_drafts() -> None:
    items = list(longmemeval.parse([record()]))
    assert [item.where for item in items] == ["answer_a/0", "answer_a/1", "b/0"]
    first, reply, other = (item.draft for item in items)
    assert first is not None
    assert reply is not None
    assert other is not None
    assert (first.role, first.source) == (Role.USER, SourceType.USER_STATEMENT)
    assert (reply.role, reply.source) == (Role.ASSISTANT, SourceType.AGENT_INFERENCE)
    assert first.time == datetime(2024, 5, 6, 21, 15, tzinfo=UTC)
    assert other.time is None
    assert first.thread == "answer_a"
    assert first.replay
    assert first.speaker is None


def test_ids_that_tell_the_answer_are_only_ever_threads() -> None:
    for item in longmemeval.parse([record()]):
        assert item.draft is not None
        assert "answer_" not in item.draft.content
        assert not item.draft.tags
        assert not item.draft.entities
        assert not item.draft.metadata


def test_a_session_is_read_once() -> None:
    again = record(question_id="q2", haystack_dates=["2025/01/01 (Wed) 00:00", "2025/01/02"])
    items = list(longmemeval.parse([record(), again]))
    assert len(items) == 3
    assert items[0].draft is not None
    assert items[0].draft.time == datetime(2024, 5, 6, 21, 15, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2023/04/10 (Mon) 23:07", datetime(2023, 4, 10, 23, 7, tzinfo=UTC)),
        ("2023/04/10", datetime(2023, 4, 10, tzinfo=UTC)),
        ("2023/02/30 (Thu) 10:00", None),
        ("2023/13/01", None),
        ("", None),
        (None, None),
    ],
)
def test_dates(text: object, time: datetime | None) -> None:
    assert longmemeval.parse_time(text, None) == time


def test_the_zone_of_the_writer() -> None:
    (first, *_) = longmemeval.parse([record()], timezone="Asia/Tokyo")
    assert first.draft is not None
    assert first.draft.time == datetime(2024, 5, 6, 12, 15, tzinfo=UTC)


def test_bad_turns_and_sessions_are_told() -> None:
    turns = [
        {"role": "user", "content": None},
        {"role": "user", "content": "  "},
        {"role": "oracle", "content": "Yes."},
        {"role": ["user"], "content": "Yes."},
        "Yes.",
        {"role": "user", "content": "No."},
    ]
    items = list(longmemeval.parse([record(haystack_sessions=[turns, {"turns": []}])]))
    assert [item.where for item in items if item.error] == [
        "answer_a/0",
        "answer_a/1",
        "answer_a/2",
        "answer_a/3",
        "answer_a/4",
        "b",
    ]
    assert "'oracle'" in (items[2].error or "")
    assert items[5].draft is not None


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("a question", "must be an object"),
        ({"haystack_session_ids": []}, "haystack_dates must be a list, not None"),
        (record(haystack_dates=["2024/05/06"]), r"differ in length: \[2, 1, 2\]"),
    ],
)
def test_a_bad_question_does_not_stop_the_next(bad: Any, message: str) -> None:
    problem, *rest = longmemeval.parse([bad, record()])
    assert problem.where == "question 1"
    assert len(rest) == 3
    with pytest.raises(AssertionError, match=message):
        raise AssertionError(problem.error)


def test_another_shape_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_text(json.dumps(record()))
    with pytest.raises(ImportFormatError, match="a list of questions"):
        list(longmemeval.read(path))
