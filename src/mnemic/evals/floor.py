"""The floor: the least that the same work costs with bare parts, to measure ourselves against."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnemic.index.text.language import language
from mnemic.index.vectors import dots, nearest_by_bits
from mnemic.model.trace import Draft

Floats = NDArray[np.float32]
_WORD = re.compile(r"\w+")


class BareFts:
    """SQLite's FTS5 over the same passages in the same columns, and nothing else."""

    def __init__(self, file: Path, turns: Sequence[Draft]) -> None:
        self._connection = sqlite3.connect(file)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute(
            "CREATE VIRTUAL TABLE passages USING fts5"
            "(own, prev, next, date, who, content='', tokenize='porter unicode61')"
        )
        self._connection.executemany(
            "INSERT INTO passages (rowid, own, prev, next, date, who) VALUES (?, ?, ?, ?, ?, ?)",
            (_row(turns, at) for at in range(len(turns))),
        )
        self._connection.commit()

    def search(self, question: str, limit: int) -> list[tuple[int, float]]:
        """The best rows by BM25, the question's words joined by OR."""
        words = [w for w in _WORD.findall(question.lower()) if w not in language().stop]
        match = " OR ".join(f'"{word}"' for word in dict.fromkeys(words))
        return self._connection.execute(
            "SELECT rowid, bm25(passages, 1, .4, .3, 1, 1) AS score FROM passages "
            "WHERE passages MATCH ? ORDER BY score LIMIT ?",
            (match, limit),
        ).fetchall()

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()


def _row(turns: Sequence[Draft], at: int) -> tuple[Any, ...]:
    def beside(other: int) -> str:
        inside = 0 <= other < len(turns) and turns[other].thread == turns[at].thread
        return turns[other].content if inside else ""

    turn = turns[at]
    date = f"{turn.time:%d %B %Y %A}"
    return at + 1, turn.content, beside(at - 1), beside(at + 1), date, turn.speaker


class BareScan:
    """A numpy scan of the same vectors: exact, or by bits with the nearest scored again."""

    def __init__(self, vectors: Floats, exact: bool, rescored: int) -> None:
        self._rescored = rescored
        self._exact = vectors if exact else None
        if not exact:
            scale = np.abs(vectors).max(axis=1) / 127
            self._scale = scale
            self._bytes = np.rint(vectors / scale[:, None]).astype(np.int8)
            self._centre = vectors.mean(axis=0)
            bits = np.packbits(vectors > self._centre, axis=1).view(np.uint64)
            self._bits = np.ascontiguousarray(bits.T)

    def search(self, query: Floats, limit: int) -> NDArray[np.int64]:
        """The `limit` nearest rows, best first."""
        if self._exact is not None:
            # In one thread: a second one spins on when it is done, and slows what is timed next.
            scores = dots(self._exact, query)
            near = np.argpartition(-scores, limit)[:limit]
            return near[np.argsort(-scores[near])]
        near = nearest_by_bits(self._bits, query - self._centre, self._rescored)
        scores = (self._bytes[near].astype(np.float32) @ query) * self._scale[near]
        order = np.argsort(-scores)[:limit]
        return near[order]


class BareInsert:
    """Writes rows that a brain has written into tables of the same shape, and nothing else."""

    TABLES = (
        "traces",
        "trace_versions",
        "index_entries",
        "trace_passages",
        "trace_vectors",
        "audit_log",
    )

    def __init__(self, source: Path, target: Path) -> None:
        self._source = sqlite3.connect(source)
        self._target = sqlite3.connect(target, isolation_level=None)
        for pragma in ("foreign_keys = ON", "secure_delete = ON", "synchronous = FULL"):
            self._target.execute(f"PRAGMA {pragma}")
        for table in ("partitions",):
            for row in self._source.execute(f"SELECT * FROM {table}"):
                self._target.execute(_insert(table, row), row)
        self._statements = {
            table: _insert(table, self._source.execute(f"SELECT * FROM {table}").fetchone())
            for table in self.TABLES
        }

    def groups(self) -> list[list[tuple[str, list[Any]]]]:
        """The rows of each trace of the source, table by table, oldest trace first."""
        key = {"traces": "id"}
        ids = [r[0] for r in self._source.execute("SELECT id FROM traces ORDER BY rowid")]
        entry = "SELECT seq FROM index_entries WHERE trace_id = ?"
        found = []
        for trace_id in ids:
            rows = []
            for table in self.TABLES:
                where = f"{key.get(table, 'trace_id')} = ?"
                if table in ("trace_passages", "trace_vectors"):
                    where = f"entry = ({entry})"
                query = f"SELECT * FROM {table} WHERE {where}"  # names are constants above
                rows.append((table, self._source.execute(query, (trace_id,)).fetchall()))
            found.append(rows)
        return found

    def insert(self, group: Sequence[tuple[str, list[Any]]]) -> None:
        """One durable transaction with the rows of one trace."""
        self._target.execute("BEGIN IMMEDIATE")
        for table, rows in group:
            self._target.executemany(self._statements[table], rows)
        self._target.execute("COMMIT")

    def close(self) -> None:
        """Let go of both files."""
        self._source.close()
        self._target.close()


def _insert(table: str, row: Sequence[Any]) -> str:
    return f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})"
