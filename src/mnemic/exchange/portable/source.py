"""Reads AgentOS's JSON and SQLite exports, and ours, record by record, to be imported as items."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mnemic.exchange.common import Item, is_record, open_bytes, shown
from mnemic.exchange.json_stream import elements
from mnemic.exchange.portable.database import copied
from mnemic.exchange.portable.records import (
    Graph,
    chunk_item,
    fact_item,
    message_item,
    trace_item,
)
from mnemic.model.errors import ImportFormatError

_TABLES = {
    "traces": "memory_traces",
    "nodes": "knowledge_nodes",
    "edges": "knowledge_edges",
    "documents": "documents",
    "chunks": "document_chunks",
    "messages": "messages",
}
"""Keys of the JSON document, and the tables whose rows they hold."""

_PASSED = {"images": "image", "conversations": "title of a conversation"}


def read_json(path: str | Path, *, timezone: str | None = None) -> Iterator[Item]:
    """Items of a JSON export of AgentOS's or of ours; times in it name their zone."""
    del timezone
    graph, encoded = Graph(), False
    paths: dict[str, str] = {}
    found = False
    for key, row in _members(path):
        if key == "meta" and is_record(row):
            encoded = row.get("scope_id_form") == "encoded"
        elif key == "traces":
            found = True
        elif is_record(row):
            _learn(str(key), row, graph, paths)
    if not found and not _has_traces(path):
        raise ImportFormatError(f"{path} holds no list 'traces': it is no export of a memory")
    counts: dict[str, int] = {}
    for key, row in _members(path):
        if key in _TABLES or key in _PASSED:
            counts[key] = counts.get(key, 0) + 1
            item = _item(key, row, f"{key} {counts[key]}", graph, paths, encoded=encoded)
            if item is not None:
                yield item


def _members(path: str | Path) -> Iterator[tuple[str | None, Any]]:
    with open_bytes(path) as stream:
        yield from elements(stream, str(path))


def _has_traces(path: str | Path) -> bool:
    """Whether there is a list `traces`, if an empty one: it gives no element."""
    with open_bytes(path) as stream:
        head = stream.read(1 << 20)
    return b'"traces"' in head


def _learn(key: str, row: dict[str, Any], graph: Graph, paths: dict[str, str]) -> None:
    """What has to be known before the first trace is read."""
    if key == "nodes":
        graph.node(row)
    elif key == "edges":
        graph.edge(row)
    elif key == "documents" and isinstance(row.get("path"), str):
        paths[str(row.get("id"))] = row["path"]


def _item(
    key: str,
    row: Any,
    where: str,
    graph: Graph,
    paths: dict[str, str],
    *,
    encoded: bool,
) -> Item | None:
    """The item of a row; None for rows that are read before, with all that they say."""
    if key in _PASSED:
        return Item(where, skipped=_PASSED[key])
    if not is_record(row):
        return Item(where, error=f"{shown(row)} is no object")
    match key:
        case "traces":
            return trace_item(row, where, graph, encoded=encoded)
        case "edges":
            return fact_item(row, where, graph)
        case "chunks":
            return chunk_item(row, where, paths.get(str(row.get("document_id"))))
        case "messages":
            return message_item(row, where)
        case _:
            return None


def read_sqlite(path: str | Path, *, timezone: str | None = None) -> Iterator[Item]:
    """Items of a SQLite file of AgentOS's: of the one brain that it holds."""
    del timezone
    with _opened(Path(path)) as connection:
        encoded = _form(connection) == "encoded"
        graph: Graph = Graph()
        paths: dict[str, str] = {}
        for key in ("nodes", "edges", "documents"):
            for row in _rows(connection, _TABLES[key]):
                _learn(key, row, graph, paths)
        for key, table in _TABLES.items():
            for number, row in enumerate(_rows(connection, table), 1):
                item = _item(key, row, f"{table} {number}", graph, paths, encoded=encoded)
                if item is not None:
                    yield item


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A copy of the file, once it has been seen to be whole and to hold one brain."""
    with tempfile.TemporaryDirectory(prefix="mnemic-") as folder:
        copy = Path(folder) / "copy.db"
        copied(path, copy)
        connection = sqlite3.connect(f"{copy.as_uri()}?mode=ro", uri=True)
        connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
        try:
            _check(path, connection)
            yield connection
        except sqlite3.Error as error:
            raise ImportFormatError(f"{path} is damaged: {error}") from error
        finally:
            connection.close()


def _check(path: Path, connection: sqlite3.Connection) -> None:
    [whole] = connection.execute("PRAGMA quick_check(1)").fetchone()
    if whole != "ok":
        raise ImportFormatError(f"{path} is damaged: {whole}")
    columns = {row[1] for row in connection.execute("PRAGMA table_info(memory_traces)")}
    missing = {"id", "content"} - columns
    if missing:
        raise ImportFormatError(
            f"{path} has no table memory_traces with {' and '.join(sorted(missing))}: it is no "
            "brain of AgentOS's"
        )
    if "brain_id" in columns:
        ids = [row[0] for row in connection.execute("SELECT DISTINCT brain_id FROM memory_traces")]
        if len(ids) > 1:
            names = ", ".join(map(repr, sorted(map(str, ids))[:5]))
            raise ImportFormatError(f"{path} holds {len(ids)} brains ({names}); export them singly")


def _form(connection: sqlite3.Connection) -> str | None:
    try:
        row = connection.execute(
            "SELECT value FROM brain_meta WHERE key = 'scope_id_form'"
        ).fetchone()
    except sqlite3.OperationalError:
        return None  # a file from before there was such a table
    return None if row is None else str(row[0])


def _rows(connection: sqlite3.Connection, table: str) -> Iterator[dict[str, Any]]:
    if not connection.execute(f"PRAGMA table_info({table})").fetchall():
        return
    cursor = connection.execute(f"SELECT * FROM {table} ORDER BY rowid")
    names = [column[0] for column in cursor.description]
    for row in cursor:
        yield dict(zip(names, row, strict=True))
