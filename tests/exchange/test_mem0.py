"""Mem0's export, with memories of our own."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from mnemic.errors import ImportFormatError
from mnemic.exchange.chats import mem0
from mnemic.exchange.common import Item
from mnemic.model.origin import Role, SourceType
from mnemic.model.trace import TraceType
from tests.exchange.chat_support import contents, drafts, errors, only, put, skipped, taken, zipped

MEMORY = {
    "id": "one",
    "memory": "Ines prefers the jib.",
    "user_id": "somebody else",
    "agent_id": "pilot",
    "hash": "x",
    "categories": ["sailing", "taste"],
    "metadata": {"harbour": "north", "scope": "public", "user_id": "mallory"},
    "created_at": "2025-02-01T10:00:00-08:00",
    "updated_at": "2025-02-02T10:00:00-08:00",
}


def read(tmp_path: Path, value: Any, **options: Any) -> list[Item]:
    return list(mem0.read(put(tmp_path / "export.json", value), **options))


def test_a_memory_becomes_a_draft(tmp_path: Path) -> None:
    draft = only(read(tmp_path, [MEMORY]))
    assert (draft.content, draft.type) == ("Ines prefers the jib.", TraceType.SEMANTIC)
    assert draft.tags == ("sailing", "taste")
    assert draft.time == datetime(2025, 2, 1, 18, tzinfo=UTC)
    assert draft.source is SourceType.AGENT_INFERENCE
    assert draft.source_id == "mem0:one"


def test_a_user_of_theirs_is_noted_and_never_a_scope(tmp_path: Path) -> None:
    draft = only(read(tmp_path, [MEMORY]))
    assert draft.scope is None
    assert draft.metadata == {
        "harbour": "north",
        "their_scope": "public",
        "their_user_id": "mallory",
        "imported_id": "one",
        "imported_updated_at": "2025-02-02T10:00:00-08:00",
        "their_user": "somebody else",
        "their_agent": "pilot",
    }
    assert taken(draft).scope_id == "ines"


@pytest.mark.parametrize("key", ["results", "memories", "items"])
def test_the_list_may_lie_in_an_object(tmp_path: Path, key: str) -> None:
    found = contents(read(tmp_path, {"count": 2, key: [MEMORY, MEMORY], "next": None}))
    assert found == ["Ines prefers the jib."] * 2


def test_who_spoke_and_until_when(tmp_path: Path) -> None:
    spoken = {"data": "I row.", "role": "user", "actor_id": "ines", "run_id": "r1"}
    draft = only(read(tmp_path, [{**spoken, "expiration_date": "2030-01-01"}], timezone="UTC"))
    assert (draft.role, draft.source) == (Role.USER, SourceType.USER_STATEMENT)
    assert (draft.speaker, draft.thread, draft.source_id) == ("ines", "r1", "mem0:r1")
    assert draft.valid_to == datetime(2030, 1, 1, tzinfo=UTC)


def test_relations_are_sentences(tmp_path: Path) -> None:
    edges = [
        {"source": "ines", "relationship": "sails_with", "target": "tomas"},
        {"source": "ines", "relation": "owns", "destination": "sloop"},
        {"source": "ines"},
        "odd",
    ]
    items = read(tmp_path, {"results": [], "relations": edges})
    assert contents(items) == ["ines sails with tomas", "ines owns sloop"]
    assert drafts(items)[0].entities == ("ines", "tomas")
    assert list(errors(items)) == ["relation 3", "relation 4"]


def test_broken_memories_are_told_and_the_rest_is_read(tmp_path: Path) -> None:
    items = read(
        tmp_path,
        [
            "odd",
            {"id": "x"},
            {"memory": 7},
            {"memory": " "},
            {"memory": "x", "created_at": "soon"},
            {"memory": "x", "role": "captain"},
            {"memory": "Read.", "categories": 7, "metadata": "odd", "user_id": ["u"]},
        ],
    )
    assert contents(items) == ["Read."]
    assert list(errors(items)) == [f"memory {n}" for n in (1, 2, 3, 5, 6)]
    assert skipped(items) == {"memory 4": "no text"}
    assert list(errors(read(tmp_path, {"users": [{"a": 1}], "count": 1}))) == ["users"]


def test_an_archive_and_a_folder_are_read(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    zipped(tmp_path / "a" / "x.zip", {"one.json": [MEMORY], "two.json": {"results": [MEMORY]}})
    assert len(drafts(mem0.read(tmp_path / "a" / "x.zip"))) == 2
    assert len(drafts(mem0.read(tmp_path / "a"))) == 2


def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('[{"memory": "x"}')
    with pytest.raises(ImportFormatError, match="cut short"):
        list(mem0.read(path))
