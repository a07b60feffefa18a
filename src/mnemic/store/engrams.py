"""What changes about traces with time and use: read and written for the mind, without content.

Every change but a plain count is kept with its cause, what it was before and what after
(`mind_changes`): it can be shown, and undone. Uses of one trace within an hour are one change.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, bindparam, func, select, tuple_

from mnemic.model.mind import Emotion, Engram
from mnemic.model.trust import READABLE
from mnemic.store.bulk import insert_rows, update_rows
from mnemic.store.mind_schema import mind_changes
from mnemic.store.schema import trace_versions, traces
from mnemic.store.types import AnyRow, AnySelect

_t, _v, _m = traces.c, trace_versions.c, mind_changes.c
_HOUR = 3_600_000
_CHUNK = 500


class Cause(StrEnum):
    """What changes a trace without changing what it says."""

    RECALL = "recall"
    REPEATED = "repeated"
    REWORDED = "reworded"
    COMPETED = "competed"
    RECONSOLIDATED = "reconsolidated"
    USED = "used"
    IGNORED = "ignored"
    INTERFERED = "interfered"
    REINFORCED = "reinforced"
    SOURCE_DECAY = "source_decay"
    REGULATED = "regulated"
    COMPACTED = "compacted"
    MERGED = "merged"
    ARCHIVED = "archived"
    REHYDRATED = "rehydrated"
    GIST = "gist"
    UNDONE = "undone"


COLUMNS = (
    _t.id,
    _t.scope,
    _t.scope_id,
    _t.type,
    _t.source,
    _t.thread,
    _t.time,
    _t.strength,
    _t.stability,
    _t.importance,
    _t.valence,
    _t.arousal,
    _t.dominance,
    _t.retrieval_count,
    _t.last_accessed_at,
    _t.created_at,
    _t.reinforcement_interval,
    _t.next_reinforcement_at,
    _t.archived_at,
    _t.verbatim_version,
)
"""What is read of a trace: nothing that it says."""

CHANGING = frozenset(
    "type strength stability importance valence arousal dominance retrieval_count "
    "last_accessed_at reinforcement_interval next_reinforcement_at archived_at "
    "verbatim_version".split()
)
"""Columns that a change may name."""


@dataclass(frozen=True, slots=True)
class Change:
    """One trace changes: the columns before and after, and why."""

    trace_id: str
    cause: Cause
    before: Mapping[str, Any]
    after: Mapping[str, Any]


def engram(row: AnyRow) -> Engram:
    """The engram of a row with `COLUMNS`."""
    return Engram(
        strength=row.strength,
        stability=row.stability,
        importance=row.importance,
        emotion=Emotion(row.valence, row.arousal, row.dominance),
        uses=row.retrieval_count,
        used_at=row.last_accessed_at,
        created_at=row.created_at,
        interval=row.reinforcement_interval,
        due_at=row.next_reinforcement_at,
    )


def columns_of(one: Engram) -> dict[str, Any]:
    """The columns that an engram is made of."""
    return {
        "strength": one.strength,
        "stability": one.stability,
        "importance": one.importance,
        "valence": one.emotion.valence,
        "arousal": one.emotion.arousal,
        "dominance": one.emotion.dominance,
        "retrieval_count": one.uses,
        "last_accessed_at": one.used_at,
        "reinforcement_interval": one.interval,
        "next_reinforcement_at": one.due_at,
    }


class Sheet:
    """Traces under change, one step after another, and what the steps were.

    Args:
        rows: with `COLUMNS`, by id.
    """

    def __init__(self, rows: Mapping[str, AnyRow]) -> None:
        self.rows = rows
        self.changes: list[Change] = []
        self._now: dict[str, dict[str, Any]] = {}

    def __contains__(self, trace_id: str) -> bool:
        return trace_id in self.rows

    def engram(self, trace_id: str) -> Engram:
        """A trace as the steps so far have left it."""
        row = self.rows[trace_id]
        held = self._now.get(trace_id)
        if held is None:
            return engram(row)
        return Engram(
            strength=held["strength"],
            stability=held["stability"],
            importance=held["importance"],
            emotion=Emotion(held["valence"], held["arousal"], held["dominance"]),
            uses=held["retrieval_count"],
            used_at=held["last_accessed_at"],
            created_at=row.created_at,
            interval=held["reinforcement_interval"],
            due_at=held["next_reinforcement_at"],
        )

    def columns(self, trace_id: str) -> Mapping[str, Any]:
        """The columns that can change, as the steps so far have left them."""
        held = self._now.get(trace_id)
        if held is not None:
            return held
        row = self.rows[trace_id]._mapping
        return {name: row[name] for name in CHANGING}

    def put(self, trace_id: str, cause: Cause, after: Engram) -> bool:
        """A step: what it differs in is a change; tells whether there is one."""
        return self.set(trace_id, cause, **columns_of(after))

    def set(self, trace_id: str, cause: Cause, **columns: Any) -> bool:
        """A step on single columns; tells whether it changes any."""
        held = self.columns(trace_id)
        differs = {name: value for name, value in columns.items() if held[name] != value}
        if not differs:
            return False
        self.changes.append(
            Change(trace_id, cause, {name: held[name] for name in differs}, differs)
        )
        self._now[trace_id] = {**held, **differs}
        return True


def engrams(connection: Connection, brain_id: str, ids: Iterable[str]) -> dict[str, AnyRow]:
    """The rows of these traces that are believed, by id."""
    wanted = list(dict.fromkeys(ids))
    found: dict[str, AnyRow] = {}
    for at in range(0, len(wanted), _CHUNK):
        values = {"of_brain": brain_id, "ids": wanted[at : at + _CHUNK]}
        found |= {row.id: row for row in connection.execute(_SOME, values)}
    return found


def put(
    connection: Connection, brain_id: str, trace_id: str, cause: Cause, now: int, **columns: Any
) -> None:
    """Change single columns of one trace, in whatever state it is."""
    query = select(*COLUMNS).where(_t.brain_id == brain_id, _t.id == trace_id)
    sheet = Sheet({row.id: row for row in connection.execute(query)})
    if trace_id in sheet and sheet.set(trace_id, cause, **columns):
        save(connection, brain_id, sheet.changes, now)


Cursor = tuple[int, str]
"""Time and id of the last trace of a page."""

FIRST: Cursor = (-(1 << 62), "")
"""Before the first trace of all."""


def sweep(
    connection: Connection, brain_id: str, place: tuple[str, str], after: Cursor, most: int
) -> list[AnyRow]:
    """The next traces of a scope that are believed, by time and id, after the one named."""
    values = {
        "of_brain": brain_id,
        "of_scope": place[0],
        "of_scope_id": place[1],
        "after_time": after[0],
        "after_id": after[1],
        "most": most,
    }
    return list(connection.execute(_NEXT, values))


_is_believed = (
    select(_v.trace_id)
    .where(
        _v.brain_id == _t.brain_id,
        _v.trace_id == _t.id,
        _v.retired_at.is_(None),
        _v.trust.in_([state.value for state in READABLE]),
    )
    .exists()
)
"""Asked of each trace by its key: joined, SQLite walks all versions for every page."""

_BELIEVED: AnySelect = select(*COLUMNS).where(_t.brain_id == bindparam("of_brain"), _is_believed)
_SOME = _BELIEVED.where(_t.id.in_(bindparam("ids", expanding=True)))
# Along the index of the listing, so that a page costs as much as it holds.
_NEXT = (
    _BELIEVED.where(
        _t.scope == bindparam("of_scope"),
        _t.scope_id == bindparam("of_scope_id"),
        tuple_(_t.time, _t.id) > tuple_(bindparam("after_time"), bindparam("after_id")),
    )
    .order_by(_t.time, _t.id)
    .limit(bindparam("most"))
)


def save(
    connection: Connection,
    brain_id: str,
    changes: Sequence[Change],
    now: int,
    run: int | None = None,
) -> None:
    """Write changes of traces, each with its cause.

    Args:
        connection: holds the write lock.
        brain_id: whose traces.
        changes: several of one trace count one after another.
        now: the instant, in milliseconds.
        run: the consolidation that they are part of.
    """
    by_columns: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for one in changes:
        names = tuple(sorted(one.after))
        assert CHANGING.issuperset(names)
        row = {"brain_id": brain_id, "id": one.trace_id, **one.after}
        by_columns.setdefault(names, []).append(row)
    for rows in by_columns.values():
        update_rows(traces, connection, ("brain_id", "id"), rows)
    _log(connection, brain_id, changes, now, run)


def _log(
    connection: Connection, brain_id: str, changes: Sequence[Change], now: int, run: int | None
) -> None:
    last = _last(connection, brain_id, [one.trace_id for one in changes])
    new: list[dict[str, Any]] = []
    longer: list[dict[str, Any]] = []
    for one in changes:
        held = last.get(one.trace_id)
        if held is not None and _goes_on(held, one, now):
            held = _extended(held, one)
            longer.append({name: held[name] for name in ("trace_id", "seq", *_EXTENDED)})
            last[one.trace_id] = held
            continue
        row = {
            "brain_id": brain_id,
            "trace_id": one.trace_id,
            "seq": 1 if held is None else held["seq"] + 1,
            "at": now,
            "cause": one.cause.value,
            "run": run,
            "times": 1,
            "before": json.dumps(dict(one.before)),
            "after": json.dumps(dict(one.after)),
        }
        new.append(row)
        last[one.trace_id] = {**row, "new": True}
    insert_rows(mind_changes, connection, new)
    key = ("brain_id", "trace_id", "seq")
    update_rows(mind_changes, connection, key, [{"brain_id": brain_id, **row} for row in longer])


_EXTENDED = ("times", "before", "after")


def _goes_on(held: Mapping[str, Any], one: Change, now: int) -> bool:
    """Whether a use belongs to the change that the last one made."""
    return (
        one.cause is Cause.RECALL
        and held["cause"] == Cause.RECALL.value
        and not held.get("new")
        and now - held["at"] < _HOUR
    )


def _extended(held: Mapping[str, Any], one: Change) -> dict[str, Any]:
    """A change that stands for one use more."""
    return {
        **held,
        "times": held["times"] + 1,
        "before": json.dumps({**one.before, **json.loads(held["before"])}),
        "after": json.dumps({**json.loads(held["after"]), **one.after}),
    }


def _last(connection: Connection, brain_id: str, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The last change of each of these traces."""
    found: dict[str, dict[str, Any]] = {}
    wanted = list(dict.fromkeys(ids))
    for at in range(0, len(wanted), _CHUNK):
        values = {"of_brain": brain_id, "ids": wanted[at : at + _CHUNK]}
        for row in connection.execute(_LAST, values):
            found[row.trace_id] = dict(row._mapping)
    return found


_later = mind_changes.alias()
_LAST = select(mind_changes).where(
    _m.brain_id == bindparam("of_brain"),
    _m.trace_id.in_(bindparam("ids", expanding=True)),
    _m.seq
    == select(func.max(_later.c.seq))
    .where(_later.c.brain_id == _m.brain_id, _later.c.trace_id == _m.trace_id)
    .scalar_subquery(),
)


def changes_of(connection: Connection, brain_id: str, trace_id: str) -> list[AnyRow]:
    """Every change of a trace, oldest first."""
    query = select(mind_changes).where(_m.brain_id == brain_id, _m.trace_id == trace_id)
    return list(connection.execute(query.order_by(_m.seq)))


def moves(connection: Connection, brain_id: str, ids: Iterable[str], cause: Cause) -> list[AnyRow]:
    """The changes of some traces that had this cause."""
    found: list[AnyRow] = []
    wanted = list(dict.fromkeys(ids))
    for at in range(0, len(wanted), _CHUNK):
        query = select(mind_changes).where(
            _m.brain_id == brain_id,
            _m.trace_id.in_(wanted[at : at + _CHUNK]),
            _m.cause == cause.value,
        )
        found += connection.execute(query)
    return found


def changed_since(connection: Connection, brain_id: str, at: int) -> dict[str, dict[str, Any]]:
    """What the columns of traces that changed later held at an instant, by trace."""
    query = (
        select(_m.trace_id, _m.before)
        .where(_m.brain_id == brain_id, _m.at > at)
        .order_by(_m.trace_id, _m.seq.desc())
    )
    found: dict[str, dict[str, Any]] = {}
    for trace_id, before in connection.execute(query):
        found[trace_id] = {**found.get(trace_id, {}), **json.loads(before)}
    return found


def changes_in(connection: Connection, brain_id: str, run: int) -> list[AnyRow]:
    """Every change that a consolidation made, the last first."""
    query = select(mind_changes).where(_m.brain_id == brain_id, _m.run == run)
    return list(connection.execute(query.order_by(_m.trace_id, _m.seq.desc())))
