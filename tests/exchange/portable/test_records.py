"""Exports of AgentOS's, and ours read beside what is there: no row is lost without a word."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from mnemic import BoundMemory, Memory, Origin, Scope, TraceType
from mnemic.errors import ImportFormatError
from mnemic.exchange.detect import detect
from tests.conftest import FixedClock, Opener

MAY = 1_777_636_800_000


def trace(id: str, content: str, **fields: Any) -> dict[str, Any]:
    row = {
        "brain_id": "brain",
        "id": id,
        "type": "semantic",
        "scope": "user",
        "content": content,
        "embedding": None,
        "strength": 0.87,
        "created_at": MAY,
        "last_accessed": MAY + 5,
        "retrieval_count": 3,
        "tags": '["home", "sea"]',
        "emotions": '{"valence": 0.4}',
        "metadata": '{"mood": "calm", "trust": "high"}',
        "deleted": 0,
        "scope_id": "ana",
    }
    metadata = fields.pop("metadata", None)
    if metadata is not None:
        row["metadata"] = json.dumps(metadata)
    return {**row, **fields}


def node(id: str, label: str, type: str = "concept") -> dict[str, Any]:
    return {"id": id, "type": type, "label": label, "properties": "{}"}


def edge(id: str, source: str, target: str, type: str = "related_to") -> dict[str, Any]:
    return {"id": id, "source_id": source, "target_id": target, "type": type, "metadata": "{}"}


def document(**parts: Any) -> dict[str, Any]:
    return {
        "meta": {"schema_version": "3", "exported_at": "1"},
        "traces": [
            trace("mt_a", "The ferry leaves at nine", metadata={"entities": ["Ferry"]}),
            trace("mt_b", "The lighthouse is red", type="episodic"),
            trace("mt_gone", "The pier was green", deleted=1),
        ],
        "nodes": [
            node("n1", "Harbour"),
            node("n2", "Pilot boat"),
            node("mt_a", "The ferry leaves", "memory_graph"),
        ],
        "edges": [edge("e1", "mt_a", "n1"), edge("e2", "n2", "n1", "located_in")],
        "documents": [{"id": "d1", "path": "/notes/tides.md", "title": "Tides"}],
        "chunks": [
            {"id": "c1", "document_id": "d1", "trace_id": "mt_a", "content": "a trace's"},
            {"id": "c2", "document_id": "d1", "trace_id": None, "content": "High tide at noon"},
            {"id": "c3", "document_id": "d1", "trace_id": None, "content": "  "},
        ],
        "images": [{"id": "i1"}],
        "conversations": [{"id": "cv1", "title": "Harbour talk"}],
        "messages": [
            {"id": "m1", "conversation_id": "cv1", "role": "user", "content": "Is it open?",
             "created_at": MAY, "metadata": "{}"},
            {"id": "m2", "conversation_id": "cv1", "role": "tool", "content": "{}",
             "created_at": MAY, "metadata": "{}"},
        ],
        **parts,
    }  # fmt: skip


_COLUMNS = {
    "traces": "memory_traces",
    "nodes": "knowledge_nodes",
    "edges": "knowledge_edges",
    "documents": "documents",
    "chunks": "document_chunks",
    "messages": "messages",
}


def as_json(folder: Path, parts: dict[str, Any]) -> Path:
    path = folder / "agentos.json"
    path.write_text(json.dumps(parts))
    return path


def as_sqlite(folder: Path, parts: dict[str, Any]) -> Path:
    path = folder / "agentos.sqlite"
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE brain_meta (brain_id, key, value)")
    for key, value in parts["meta"].items():
        connection.execute("INSERT INTO brain_meta VALUES ('brain', ?, ?)", (key, value))
    for key, table in _COLUMNS.items():
        names = list(parts[key][0])
        connection.execute(f"CREATE TABLE {table} ({', '.join(names)})")
        marks = ", ".join("?" * len(names))
        rows = [tuple(row.get(name) for name in names) for row in parts[key]]
        connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
    connection.commit()
    connection.close()
    return path


WRITERS = {"json": as_json, "sqlite": as_sqlite}


@pytest.mark.parametrize("kind", WRITERS)
def test_every_row_comes_in_or_is_told(
    memory: Memory, ana: BoundMemory, tmp_path: Path, kind: str
) -> None:
    path = WRITERS[kind](tmp_path, document())
    assert detect(path) == kind
    result = memory.import_from(path, bind=ana)
    assert (result.imported, result.failed) == (5, 0)
    passed = {"forgotten there": 1, "link of a trace": 1, "text of a trace": 1, "no text": 1,
              "tool output": 1}  # fmt: skip
    if kind == "json":
        passed |= {"image": 1, "title of a conversation": 1}
    assert result.passed_over == passed
    held = {trace.content: trace for trace in ana.list()}
    assert set(held) == {
        "The ferry leaves at nine",
        "The lighthouse is red",
        "Pilot boat located in Harbour",
        "High tide at noon",
        "Is it open?",
    }
    ferry = held["The ferry leaves at nine"]
    assert (ferry.type, ferry.scope, ferry.tags) == (
        TraceType.SEMANTIC, Scope.USER, ("home", "sea")
    )  # fmt: skip
    assert ferry.entities == ("Ferry", "Harbour")
    assert (ferry.strength, ferry.time.timestamp() * 1000) == (0.87, MAY)
    assert held["The lighthouse is red"].metadata == {
        "mood": "calm",
        "agentos": {
            "id": "mt_b",
            "last_accessed": MAY + 5,
            "retrieval_count": 3,
            "emotions": '{"valence": 0.4}',
            "trust": "high",
        },
    }
    assert held["Is it open?"].thread == "cv1"
    assert held["High tide at noon"].origin is not Origin.PERSON
    again = memory.import_from(path, bind=ana)
    assert (again.imported, again.skipped) == (0, 5)


@pytest.mark.parametrize("kind", WRITERS)
def test_a_file_files_nothing_outside_the_importers_scopes(
    memory: Memory, ana: BoundMemory, bob: BoundMemory, tmp_path: Path, kind: str
) -> None:
    rows = [
        trace("mt_a", "ana's own"),
        trace("mt_b", "for bob", scope_id="bob"),
        trace("mt_c", "for bob by metadata", metadata={"scopeId": "bob"}),
        trace("mt_d", "for everyone", scope="organization", scope_id="acme"),
        trace("mt_e", "for nobody", scope_id=""),
        trace("mt_f", "for a thread", scope="thread", scope_id="ana//monday"),
        trace("mt_g", "for another thread", scope="thread", scope_id="ana//friday"),
    ]
    none = {"nodes": [node("n", "x")], "edges": [edge("e", "n", "n2")]}
    none |= {"chunks": [{"id": "c", "content": " "}], "messages": [{"id": "m", "role": "tool"}]}
    path = WRITERS[kind](tmp_path, document(traces=rows, **none))
    result = memory.import_from(path, bind=ana)
    assert {trace.content for trace in ana.list()} >= {"ana's own", "for nobody", "for a thread"}
    assert bob.list() == []
    assert memory.stats().partitions == 2
    assert len(result.errors) == 4
    assert all("this import files what belongs to" in message for _, message in result.errors)
    # The control: for the owner of the brain the same file reaches those whom it names.
    result = memory.import_from(path)
    assert (result.imported, result.refused) == (3, 1)  # no file speaks for an organization
    assert {trace.content for trace in bob.list()} == {"for bob", "for bob by metadata"}


def test_plain_ids_are_written_and_written_ones_are_taken_as_they_are(
    open_brain: Opener, tmp_path: Path
) -> None:
    memory = open_brain("plain.db")
    rows = [trace("mt_a", "plain", scope_id="team/ana")]
    memory.import_from(as_json(tmp_path, document(traces=rows)))
    assert memory.bind(user="team/ana").count() == 1
    memory = open_brain("written.db")
    meta = {"scope_id_form": "encoded"}
    memory.import_from(as_json(tmp_path, document(meta=meta, traces=rows)))
    assert memory.bind(user="ana", namespace="team").count() == 1


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("content", 7, "content 7 is no text"),
        ("content", " ", "blank"),
        ("type", "dream", "dream"),
        ("scope", "galaxy", "galaxy"),
        ("metadata", "[1]", "no JSON object"),
        ("metadata", "{", "is not JSON"),
        ("created_at", 1 << 80, "created_at"),
        ("created_at", "soon", "created_at 'soon'"),
        ("strength", "strong", "strength 'strong'"),
    ],
)
def test_one_bad_row_does_not_stop_the_rest(
    memory: Memory, ana: BoundMemory, tmp_path: Path, field: str, value: Any, message: str
) -> None:
    bad = {**trace("mt_bad", "bad"), field: value}
    rows = [trace("mt_a", "first"), bad, trace("mt_c", "last")]
    result = memory.import_from(as_json(tmp_path, document(traces=rows)), bind=ana)
    [(where, told)] = result.errors
    assert where == "traces 2"
    assert message in told
    assert {"first", "last"} <= {trace.content for trace in ana.list()}


def test_a_database_of_several_brains_is_refused(
    memory: Memory, ana: BoundMemory, tmp_path: Path
) -> None:
    rows = [trace("mt_a", "one"), trace("mt_b", "two", brain_id="other")]
    with pytest.raises(ImportFormatError, match="holds 2 brains"):
        memory.import_from(as_sqlite(tmp_path, document(traces=rows)), bind=ana)
    assert ana.count() == 0


def test_what_was_forgotten_here_does_not_come_back(
    memory: Memory, ana: BoundMemory, tmp_path: Path
) -> None:
    path = as_json(tmp_path, document())
    memory.import_from(path, bind=ana)
    [ferry] = [one for one in ana.list() if "ferry" in one.content]
    ana.forget(ferry.id)
    result = memory.import_from(path, bind=ana)
    assert (result.imported, result.refused) == (0, 1)


def test_our_document_has_the_rows_of_agentos(
    memory: Memory, ana: BoundMemory, clock: FixedClock, tmp_path: Path
) -> None:
    ana.remember(
        "The ferry leaves at nine", type="semantic", tags=["sea"], entities=["Ferry"],
        metadata={"mood": "calm"}, role="user", time=clock.now,
    )  # fmt: skip
    memory.export(tmp_path / "brain.json", bind=ana, embeddings=True)
    data = json.loads((tmp_path / "brain.json").read_text())
    assert list(data) == (
        "meta traces nodes edges documents chunks images conversations messages".split()
    )
    [row] = data["traces"]
    assert set(row) == set(trace("x", "y"))
    assert json.loads(row["tags"]) == ["sea"]
    metadata = json.loads(row["metadata"])
    assert (metadata["mood"], metadata["scopeId"], metadata["entities"]) == (
        "calm", "ana", ["Ferry"]
    )  # fmt: skip
    assert len(row["embedding"]) > 100
    assert [one["label"] for one in data["nodes"]] == ["The ferry leaves at nine", "Ferry"]
    assert [one["type"] for one in data["edges"]] == ["related_to"]
    assert [one["content"] for one in data["messages"]] == ["The ferry leaves at nine"]
    memory.export(tmp_path / "short.json", bind=ana, conversations=False)
    assert "messages" not in json.loads((tmp_path / "short.json").read_text())
