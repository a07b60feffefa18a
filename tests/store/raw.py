"""Looks into a brain's file past the library, as any other program could."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from mnemic import Memory


@contextmanager
def raw(brain: Memory | Path) -> Iterator[sqlite3.Connection]:
    """A connection of its own; what is done on it is kept."""
    path = brain.health().path if isinstance(brain, Memory) else brain
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        yield connection


@contextmanager
def tampering(brain: Memory | Path) -> Iterator[sqlite3.Connection]:
    """The same, with the triggers gone that keep the tables append-only."""
    with raw(brain) as connection:
        names = [
            row[0]
            for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        ]
        for name in names:
            connection.execute(f"DROP TRIGGER {name}")
        yield connection


def tables(connection: sqlite3.Connection) -> list[str]:
    """The names of all tables."""
    rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    return [row[0] for row in rows]


def contents(brain: Memory | Path) -> dict[str, list[Any]]:
    """Every row of every table: equal before and after means that nothing was written."""
    with raw(brain) as connection:
        return {
            name: sorted(connection.execute(f'SELECT * FROM "{name}"').fetchall(), key=repr)
            for name in tables(connection)
        }


def half_written(brain: Memory | Path) -> list[str]:
    """What does not fit together: of a trace, its version, entry, passages and audit entry."""
    checks = {
        "a trace without a version": """
            SELECT id FROM traces t WHERE NOT EXISTS (SELECT 1 FROM trace_versions v
            WHERE v.brain_id = t.brain_id AND v.trace_id = t.id)""",
        "a trace without an index entry": """
            SELECT id FROM traces t WHERE NOT EXISTS (SELECT 1 FROM index_entries e
            WHERE e.brain_id = t.brain_id AND e.trace_id = t.id)""",
        "an entry without passages": """
            SELECT trace_id FROM index_entries e WHERE NOT EXISTS (SELECT 1 FROM trace_passages p
            WHERE p.brain_id = e.brain_id AND p.partition = e.partition AND p.entry = e.seq)""",
        "a trace without an audit entry": """
            SELECT id FROM traces t WHERE NOT EXISTS (SELECT 1 FROM audit_log a
            WHERE a.brain_id = t.brain_id AND a.trace_id = t.id
            AND a.outcome IN ('stored', 'candidate'))""",
        "an audit entry of a trace that is neither there nor erased": """
            SELECT trace_id FROM audit_log a WHERE a.outcome = 'stored' AND NOT EXISTS
            (SELECT 1 FROM traces t WHERE t.brain_id = a.brain_id AND t.id = a.trace_id)
            AND NOT EXISTS (SELECT 1 FROM audit_log b WHERE b.brain_id = a.brain_id
            AND b.trace_id = a.trace_id AND b.outcome = 'erased')""",
        "an entry marked as embedded without vectors": """
            SELECT trace_id FROM index_entries e WHERE e.embedded = 1 AND NOT EXISTS
            (SELECT 1 FROM trace_vectors v WHERE v.brain_id = e.brain_id
            AND v.partition = e.partition AND v.entry = e.seq) AND NOT EXISTS
            (SELECT 1 FROM trace_segments g JOIN segment_vectors b ON b.brain_id = g.brain_id
            AND b.partition = g.partition AND b.segment = g.segment WHERE g.brain_id = e.brain_id
            AND g.partition = e.partition AND g.first_entry <= e.seq AND g.end_entry > e.seq)""",
        "an entry searched of a trace that is withheld, or the other way round": """
            SELECT e.trace_id FROM index_entries e JOIN trace_versions v ON v.brain_id = e.brain_id
            AND v.trace_id = e.trace_id AND v.content_version = e.content_version
            AND v.retired_at IS NULL WHERE (e.until IS NULL) <> (v.trust IN
            ('believed', 'verified', 'candidate', 'disputed'))""",
        "a partition that does not count its entries": """
            SELECT s.id FROM partitions s WHERE s.entries <> (SELECT count(*) FROM index_entries e
            WHERE e.brain_id = s.brain_id AND e.partition = s.id)""",
    }
    with raw(brain) as connection:
        return [
            f"{what}: {row[0]}"
            for what, query in checks.items()
            for row in connection.execute(query)
        ]
