"""All text that a brain's file holds by right, so that a search can tell it from what is left over.

That is what its traces say, the names and notes that govern them, and the brain's own words: names
of tables, codes, spelled dates. A file may hold several brains; the texts of all are there by
right. Of the audit log only what has the form of a code counts: a sentence in it is a leak.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum

from sqlalchemy import Connection, Select, select

from mnemic.encode.embedding import recorded_model
from mnemic.govern.ledger import Mode, Verdict
from mnemic.govern.review import ItemKind, ItemState
from mnemic.govern.tombstones import Cause, Kind
from mnemic.model.answer import Status
from mnemic.model.fact import Shape
from mnemic.model.origin import Channel, Origin, Role, SourceType
from mnemic.model.scope import Scope
from mnemic.model.trace import TraceType
from mnemic.model.trust import Event, Trust
from mnemic.store import sqlite
from mnemic.store.brain import Brain
from mnemic.store.schema import (
    audit_log,
    freezes,
    index_entries,
    ledger,
    partitions,
    review_items,
    trace_facts,
    trace_sources,
)
from mnemic.store.visible import every_text

_a, _z, _e, _l, _p = audit_log.c, freezes.c, index_entries.c, ledger.c, partitions.c
_i, _f, _s = review_items.c, trace_facts.c, trace_sources.c

_NAMES: tuple[Select[*tuple[str, ...]], ...] = (
    select(_p.scope_id),
    select(_z.scope_id),
    select(_e.head).where(_e.trace_id.is_not(None)).distinct(),
    select(_s.source).distinct(),
    select(_f.key, _f.subject, _f.attribute, _f.value),
    select(_i.scope_id, _i.reviewer, _i.reason, _i.signs).distinct(),
    select(_l.scope_id, _l.filed_by, _l.actor).distinct(),
    select(_a.actor).distinct(),
    select(_a.trace_id).distinct(),
)
"""What stands beside the versions of traces."""

_CODES = select(_a.action, _a.outcome, _a.reason, _a.detail, _a.hash).distinct()
_CODE = re.compile(r"[a-z_]{1,32}|[0-9a-f]{64}")
_CODE_WITHIN = re.compile(rf'"({_CODE.pattern})"')

_OWN: tuple[type[StrEnum], ...] = (
    *(Cause, Channel, Event, ItemKind, ItemState, Kind, Mode, Origin, Role, Scope, Shape),
    *(SourceType, Status, TraceType, Trust, Verdict),
)
_OTHERS = "remember reopened superseded"
"""Causes of versions that are no events."""


def rightful(brain: Brain) -> Iterator[str]:
    """All text that a brain's file holds by right, in pieces; some of it several times."""
    yield " ".join(member.value for own in _OWN for member in own)
    yield _OTHERS
    with brain.read() as connection:
        yield from sqlite.definitions(connection)
        yield from _codes(connection)
        model = recorded_model(connection, brain)
        yield model[0] if model else ""
        for query in (*_NAMES, every_text()):
            for row in connection.execute(query):
                yield "\0".join(part for part in row if part)


def _codes(connection: Connection) -> Iterable[str]:
    """What the audit log says in codes; digests are written as codes too."""
    for row in connection.execute(_CODES):
        plain = (row.action, row.outcome, row.reason or "", row.hash)
        found = [part for part in plain if _CODE.fullmatch(part)]
        yield "\0".join([*found, *_CODE_WITHIN.findall(row.detail)])
