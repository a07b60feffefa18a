"""Fills an empty brain with what another one held: every version, tombstone, clock and audit entry.

Nothing is judged anew: the rows are what they were, under the keys they were made with, and the
index is made again from them. All of it is one transaction. What does not fit together is
refused, and nothing of it stays: a trace without a standing version, a text that its digest does
not fit, an audit chain that is broken.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC
from itertools import islice
from typing import Any, Protocol

from sqlalchemy import Connection, Table, delete, func, select
from sqlalchemy.exc import IntegrityError

from mnemic.encode.embedding import record_model, recorded_model
from mnemic.encode.known import digests_of
from mnemic.encode.write import Progress
from mnemic.govern import audit
from mnemic.govern.audit import Chain, Note
from mnemic.index.analysis import analyse
from mnemic.index.write import Entry, Packed, Partition, end_entry
from mnemic.model.errors import ImportFormatError, InvalidInput
from mnemic.model.origin import Role
from mnemic.model.scope import Scope
from mnemic.model.times import Clock, from_ms, to_ms, zone
from mnemic.store import keys
from mnemic.store.brain import Brain
from mnemic.store.bulk import insert_rows
from mnemic.store.carried import TABLES, checked_row
from mnemic.store.schema import audit_log, key_ring
from mnemic.store.types import AnyRow
from mnemic.store.whole import contents, trace_count, unfit_versions

BATCH = 500


@dataclass(frozen=True, slots=True)
class Placed:
    """An entry of the index: which content of which trace, and its place.

    Args:
        scope, scope_id: whose partition it is in.
        trace_id: the trace.
        content_version: the version in which the content came in.
        position: its place in its thread.
        since, until: while the index found it, in milliseconds.
        vectors: its vectors, if they are carried.
    """

    scope: Scope
    scope_id: str
    trace_id: str
    content_version: int
    position: int
    since: int
    until: int | None
    vectors: Packed | None = None


class Carried(Protocol):
    """A brain as a file or another brain gives it. May be read several times."""

    brain_id: str

    def rows(self, table: Table) -> Iterable[dict[str, Any]]:
        """The rows of a table, `brain_id` left out or not, in any order."""
        ...

    def entries(self) -> Iterable[Placed]:
        """The entries of the index, partition by partition, in their order."""
        ...


def is_empty(connection: Connection, brain: Brain) -> bool:
    """Whether a brain has neither held nor been told anything yet."""
    for table in TABLES:
        if table is key_ring:
            continue
        rows = select(func.count()).select_from(table).where(table.c.brain_id == brain.id)
        if connection.execute(rows).scalar_one():
            return False
    return True


def restore(brain: Brain, clock: Clock, carried: Carried, progress: Progress | None = None) -> int:
    """Fill an empty brain; returns how many traces it has then.

    Raises:
        InvalidInput: the brain is not empty.
        ImportFormatError: what is carried is damaged; nothing was kept.
    """
    own_ring = brain.ring
    try:
        with brain.write() as connection:
            if not is_empty(connection, brain):
                raise InvalidInput(
                    f"brain {brain.path!r} holds something already; restore into a new one"
                )
            return _fill(connection, brain, clock, carried, progress or _silent)
    except BaseException as error:
        brain.ring = own_ring
        if isinstance(error, DamageError):
            raise ImportFormatError(f"it cannot be restored: {error}; nothing was kept") from error
        raise


class DamageError(Exception):
    """What is carried does not fit together."""


def _silent(_done: int, _total: int, _stage: str) -> None:
    pass


def _fill(
    connection: Connection, brain: Brain, clock: Clock, carried: Carried, progress: Progress
) -> int:
    same = carried.brain_id == brain.id
    for number, table in enumerate(tables(carried, brain)):
        progress(number, len(TABLES) + 1, "restore")
        empty = True
        for batch in batches(carried.rows(table), BATCH):
            add_rows(connection, brain, table, batch)
            empty = False
        if empty and table is key_ring:
            raise DamageError("it has no key ring")
    if unfit := connection.execute(unfit_versions(brain.id)).first():
        raise DamageError(f"trace {unfit.id!r} has not exactly one version that stands")
    for batch in batches(carried.entries(), BATCH):
        add_entries(connection, brain, batch)
    if same:
        report = audit.verify(connection, brain.id)
        if not report.ok:
            raise DamageError(f"its audit log is broken: {report.problems[0]}")
    else:
        _fork(connection, brain, clock, carried.brain_id)
    progress(len(TABLES) + 1, len(TABLES) + 1, "restore")
    return int(connection.execute(trace_count(brain.id)).scalar_one())


def tables(carried: Carried, brain: Brain) -> list[Table]:
    """The tables whose rows go into a brain.

    The hashes of an audit log are over the brain's id: a fork begins a log of its own.
    """
    same = carried.brain_id == brain.id
    return [table for table in TABLES if same or table is not audit_log]


def add_rows(
    connection: Connection, brain: Brain, table: Table, rows: Sequence[dict[str, Any]]
) -> None:
    """Put rows into a table, once each value of them has been looked at."""
    checked = [_checked(table, row, brain.id) for row in rows]
    if table is key_ring:
        if any(len(row["key"]) != keys.DIGEST_BYTES for row in checked):
            raise DamageError(f"a key is not {keys.DIGEST_BYTES} bytes long")
        # In place of the one that the new brain began with.
        connection.execute(delete(key_ring).where(key_ring.c.brain_id == brain.id))
    _insert(connection, table, checked)
    if table is key_ring:
        brain.ring = keys.load(connection, brain.id) or brain.ring


def _insert(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    try:
        insert_rows(table, connection, rows)
    except IntegrityError as error:
        raise DamageError(f"rows of {table.name} do not fit together: {error.orig}") from error


def _checked(table: Table, row: dict[str, Any], brain_id: str) -> dict[str, Any]:
    try:
        return checked_row(table, row, brain_id)
    except InvalidInput as error:
        raise DamageError(str(error)) from error


def _fork(connection: Connection, brain: Brain, clock: Clock, of: str) -> None:
    chain = Chain(connection, brain.id, to_ms(clock()))
    chain.append(Note("owner", "restore", "done", detail={"brain": of}))
    chain.flush()


def add_entries(connection: Connection, brain: Brain, entries: Sequence[Placed]) -> None:
    """Make the index anew for some entries, which follow those that were added before."""
    held = _held(connection, brain, entries)
    for run in _runs(entries):
        partition = Partition(connection, brain.id, run[0].scope, run[0].scope_id)
        _add(connection, brain, partition, run, held)


def _runs(batch: Sequence[Placed]) -> Iterator[list[Placed]]:
    """Entries of one partition that stand side by side."""
    run: list[Placed] = []
    for one in batch:
        if run and (run[0].scope, run[0].scope_id) != (one.scope, one.scope_id):
            yield run
            run = []
        run.append(one)
    if run:
        yield run


def _add(
    connection: Connection,
    brain: Brain,
    partition: Partition,
    run: Sequence[Placed],
    held: dict[tuple[str, int], AnyRow],
) -> None:
    first = partition.entries
    partition.add([_entry(brain, one, held) for one in run])
    for number, one in enumerate(run, first):
        if one.until is not None:
            end_entry(connection, brain.id, partition.id, number, one.until)
        if one.vectors is not None:
            _note_model(connection, brain, one.vectors)
    partition.save(brain.settings.index.segment_passages)


def _note_model(connection: Connection, brain: Brain, vectors: Packed) -> None:
    found = recorded_model(connection, brain)
    wanted = (vectors.model, vectors.dimension)
    if found is None:
        record_model(connection, brain, wanted)
    elif found != wanted:
        raise DamageError(f"its vectors are of two models, {found[0]!r} and {wanted[0]!r}")


def _held(
    connection: Connection, brain: Brain, batch: Sequence[Placed]
) -> dict[tuple[str, int], AnyRow]:
    """The contents of the traces of some entries, by trace and version."""
    ids = sorted({one.trace_id for one in batch})
    found = {(row.id, row.version): row for row in connection.execute(contents(brain.id, ids))}
    for row in found.values():
        # By whom it was said counts into the digest, so a text cannot be passed off as another's.
        marks = digests_of(
            brain, (row.scope, row.scope_id), row.filed_by, row.speaker or row.role, row.content
        )
        if row.digest not in marks:
            raise DamageError(f"version {row.version} of trace {row.id!r} does not fit its digest")
    return found


def _entry(brain: Brain, one: Placed, held: dict[tuple[str, int], AnyRow]) -> Entry:
    row = held.get((one.trace_id, one.content_version))
    if row is None or (row.scope, row.scope_id) != (one.scope.value, one.scope_id):
        raise DamageError(f"the index names a content of trace {one.trace_id!r} that is not there")
    settings = brain.settings
    analysis = analyse(
        row.content,
        time=from_ms(row.time),
        speaker=row.speaker,
        role=None if row.role is None else Role(row.role),
        tags=tuple(json.loads(row.tags)),
        entities=tuple(json.loads(row.entities)),
        settings=settings.index,
        zone=zone(settings.timezone) if settings.timezone else UTC,
    )
    return Entry(
        trace_id=one.trace_id,
        content_version=one.content_version,
        thread=row.thread,
        speaker=row.speaker,
        role=row.role,
        analysis=analysis,
        since=one.since,
        vectors=one.vectors,
        position=one.position,
    )


def batches(items: Iterable[Any], size: int) -> Iterator[list[Any]]:
    """Items in lists of at most `size`."""
    at = iter(items)
    while batch := list(islice(at, size)):
        yield batch
