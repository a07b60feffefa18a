"""What of a brain is carried from one file to another, and what each value of it must look like.

All tables but those of the index, which is made again from them (`encode/restore.py`), and
`erasing`, which is empty. A row that comes from a file is looked at value by value before it
goes into a table, since a table of SQLite takes anything.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import BigInteger, Column, Float, Integer, LargeBinary, Table, Text

from mnemic.model.errors import InvalidInput
from mnemic.model.origin import Channel, Origin, Role, SourceType
from mnemic.model.scope import Reach, Scope
from mnemic.model.text import refuse_unstorable
from mnemic.model.trace import TraceType
from mnemic.model.trust import Trust
from mnemic.store import mind_schema, schema

TABLES: tuple[Table, ...] = (
    schema.key_ring,
    schema.freezes,
    schema.traces,
    schema.trace_versions,
    schema.trace_sources,
    schema.trace_facts,
    schema.trace_links,
    schema.tombstones,
    schema.review_items,
    schema.ledger,
    mind_schema.mind_changes,
    mind_schema.retrieval_feedback,
    mind_schema.nodes,
    mind_schema.node_merges,
    mind_schema.mentions,
    mind_schema.edges,
    mind_schema.schemas,
    mind_schema.working_slots,
    mind_schema.prospective_items,
    mind_schema.consolidation_log,
    mind_schema.persona_proposals,
    schema.audit_log,
)
"""In an order in which each row's references are there before it."""

_CODES = {
    "scope": Scope,
    "type": TraceType,
    "source": SourceType,
    "role": Role,
    "trust": Trust,
    "channel": Channel,
    "origin": Origin,
}
"""Columns that hold the code of one of these; `source` in `traces` alone."""

_JSON = {
    "tags": list,
    "entities": list,
    "metadata": dict,
    "detail": dict,
    "before": dict,
    "after": dict,
    "counts": dict,
    "deeds": list,
}

_LARGEST = 1 << 63

BORN = {
    "traces": "created_at",
    "trace_versions": "recorded_at",
    "trace_facts": "recorded_at",
    "trace_links": "created_at",
    "tombstones": "created_at",
    "review_items": "opened_at",
    "ledger": "at",
    "audit_log": "at",
    "mind_changes": "at",
    "retrieval_feedback": "created_at",
    "nodes": "created_at",
    "node_merges": "at",
    "edges": "recorded_at",
    "schemas": "updated_at",
    "working_slots": "entered_at",
    "prospective_items": "created_at",
    "consolidation_log": "started_at",
    "persona_proposals": "opened_at",
}
"""Since when each row is there, where that is told."""

_ENDS = {
    "trace_versions": ("retired_at",),
    "trace_facts": ("retired_at",),
    "trace_links": ("undone_at",),
    "tombstones": ("lifted_at",),
    "retrieval_feedback": ("consumed_at",),
    "node_merges": ("undone_at",),
    "edges": ("retired_at",),
    "prospective_items": ("done_at",),
    "consolidation_log": ("ended_at",),
    "traces": ("archived_at",),
}


@dataclass(frozen=True, slots=True)
class Selection:
    """Which part of a brain is carried.

    Args:
        reach: only traces of these scopes; None is all.
        withheld: traces that no reader is given as well.
        known_at: as the brain was at this instant, in milliseconds; None is the present.
    """

    reach: Reach | None = None
    withheld: bool = False
    known_at: int | None = None


def as_it_was(table: str, row: dict[str, Any], known_at: int | None) -> dict[str, Any]:
    """A row as it was at an instant: what ended later had not ended yet."""
    if known_at is None:
        return row
    for name in _ENDS.get(table, ()):
        if row[name] is not None and row[name] > known_at:
            row[name] = None
    decided = row.get("decided_at")
    if decided is not None and decided > known_at:
        row |= {"state": "open", "decided_at": None, "reviewer": None}
        if table == "review_items":
            row["reason"] = None
    return row


def checked_row(table: Table, given: Mapping[str, Any], brain_id: str) -> dict[str, Any]:
    """A row as it may go into a table of a brain.

    Raises:
        InvalidInput: naming the column and the value.
    """
    names = {column.name for column in table.columns}
    unknown = given.keys() - names
    if unknown:
        raise InvalidInput(f"{table.name} has no column {min(unknown)!r}")
    row = {}
    for column in table.columns:
        value = brain_id if column.name == "brain_id" else given.get(column.name, _before(column))
        row[column.name] = _value(table.name, column, value)
    return row


def _before(column: Column[Any]) -> float | int | None:
    """What a column that a file of an older version lacks holds for the rows of that time."""
    given = column.server_default
    if given is None or isinstance(column.type, Text):
        return None
    number = float(getattr(given, "arg", 0))
    return number if isinstance(column.type, Float) else int(number)


def _value(table: str, column: Column[Any], value: Any) -> Any:
    where = f"{table}.{column.name}"
    if value is None:
        if not column.nullable:
            raise InvalidInput(f"{where} is missing")
        return None
    if isinstance(column.type, Integer | BigInteger):
        if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= _LARGEST:
            raise InvalidInput(f"{where} {value!r} is no whole number that can be stored")
    elif isinstance(column.type, Float):
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise InvalidInput(f"{where} {value!r} is no number")
        if not math.isfinite(value):
            raise InvalidInput(f"{where} {value!r} is not finite")
        return float(value)
    elif isinstance(column.type, LargeBinary):
        if not isinstance(value, bytes):
            raise InvalidInput(f"{where} {value!r} is not bytes")
    else:
        _check_text(table, column.name, value)
    return value


def _check_text(table: str, name: str, value: Any) -> None:
    if not isinstance(value, str):
        raise InvalidInput(f"{table}.{name} {value!r} is no text")
    refuse_unstorable(f"{table}.{name}", value)
    codes = _CODES.get(name)
    if name == "source" and table != "traces":
        codes = None
    # A freeze of the whole brain names no scope.
    if codes is not None and not (table == "freezes" and value == ""):
        try:
            codes(value)
        except ValueError:
            raise InvalidInput(f"{table}.{name} {value!r} is unknown") from None
    if name in _JSON:
        try:
            held = json.loads(value)
        except (ValueError, RecursionError):
            held = None
        if not isinstance(held, _JSON[name]):
            raise InvalidInput(f"{table}.{name} {value[:60]!r} is no JSON {_JSON[name].__name__}")
