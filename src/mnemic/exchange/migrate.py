"""Moves a brain into another store: batch by batch, resumable, and read back at the end.

It is built under another name beside its place and moved there when every table has been
compared with what it was made of. A run that was interrupted goes on where it stopped, as long as
the source is the same.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

from mnemic.encode.restore import BATCH, DamageError, Placed, add_entries, add_rows, batches, tables
from mnemic.encode.write import Progress
from mnemic.exchange.portable.snapshot import Snapshot
from mnemic.model.answer import Migrated
from mnemic.model.errors import InvalidInput, NotFound, StorageError
from mnemic.model.times import Clock, utc_now
from mnemic.settings import Settings
from mnemic.store import sqlite
from mnemic.store.brain import Brain
from mnemic.store.carried import TABLES, Selection
from mnemic.store.keys import NewKey, random_key

_STATE = "migrating"
_ENTRIES = "entries"


def migrate(
    source: str | Path,
    target: str | Path,
    *,
    brain: str = "main",
    settings: Settings | None = None,
    dry_run: bool = False,
    progress: Progress | None = None,
    clock: Clock = utc_now,
    new_key: NewKey = random_key,
) -> Migrated:
    """Move a brain; the source stays as it is.

    Args:
        source: where the brain is.
        target: where it is to be; nothing may be there.
        brain: which of the brains of the source.
        settings: of the new brain; None reads the environment.
        dry_run: count only.
        progress: is told how many rows of how many are done.
        clock: tells the present.
        new_key: makes the key that the new brain begins with, until those of the old one are there.

    Raises:
        NotFound: there is no brain at the source.
        InvalidInput: there is something at the target.
        StorageError: what was written is not what was read; the target is not there.
    """
    source, target = Path(source), Path(target)
    settings = settings or Settings()
    if not source.exists():
        raise NotFound(f"there is no brain at {str(source)!r}")
    if os.path.lexists(target):
        raise InvalidInput(f"{str(target)!r} is there already; name a new file")
    with _snapshot(source, brain, settings, clock, new_key) as snapshot:
        counts = {name: sum(1 for _ in rows) for name, rows in _parts(snapshot)}
        if dry_run:
            return Migrated(str(target), counts, verified=False)
        part = target.with_name(target.name + ".partial")
        part.parent.mkdir(parents=True, exist_ok=True)
        made = Brain.open(part, brain, settings, clock, new_key)
        try:
            try:
                _fill(made, snapshot, counts, progress)
            except DamageError as error:
                raise StorageError(f"{source} cannot be moved: {error}") from error
            _compare(made, snapshot, part)
            with made.write() as connection:
                made.drop_meta(connection, _STATE)
            sqlite.compact(made.engine)
            sqlite.as_one_file(made.engine)
        finally:
            made.close()
    if os.path.lexists(target):
        raise InvalidInput(f"{str(target)!r} has come there meanwhile; the brain is at {part}")
    part.rename(target)
    return Migrated(str(target), counts, verified=True)


@contextmanager
def _snapshot(
    source: Path, brain_id: str, settings: Settings, clock: Clock, new_key: NewKey
) -> Iterator[Snapshot]:
    brain = Brain.open(source, brain_id, settings, clock, new_key)
    try:
        with brain.read() as connection:
            yield Snapshot(connection, brain, Selection(withheld=True), vectors=True)
    finally:
        brain.close()


def _parts(snapshot: Snapshot) -> Iterator[tuple[str, Iterable[dict[str, Any]]]]:
    """Every table, and the entries of the index, as plain rows."""
    for table in TABLES:
        yield table.name, snapshot.rows(table)
    yield _ENTRIES, map(_plain, snapshot.entries())


def _plain(one: Placed) -> dict[str, Any]:
    row = asdict(one)
    row["scope"] = one.scope.value
    return row


def _fill(
    brain: Brain, snapshot: Snapshot, counts: dict[str, int], progress: Progress | None
) -> None:
    total = sum(counts.values())
    done = _resumed(brain, snapshot, counts)

    def wrote(connection: Any, name: str, more: int) -> None:
        done[name] = done.get(name, 0) + more
        state = {"of": _mark(snapshot, counts), "done": done}
        brain.set_meta(connection, _STATE, json.dumps(state))

    def tell() -> None:
        if progress is not None:
            progress(sum(done.values()), total, "migrate")

    for table in tables(snapshot, brain):
        rest = islice(snapshot.rows(table), done.get(table.name, 0), None)
        for batch in batches(rest, BATCH):
            with brain.write() as connection:
                add_rows(connection, brain, table, batch)
                wrote(connection, table.name, len(batch))
            tell()
    for batch in batches(islice(snapshot.entries(), done.get(_ENTRIES, 0), None), BATCH):
        with brain.write() as connection:
            add_entries(connection, brain, batch)
            wrote(connection, _ENTRIES, len(batch))
        tell()


def _mark(snapshot: Snapshot, counts: dict[str, int]) -> str:
    """What a run that is gone on with must have begun with."""
    last = None
    for row in snapshot.rows(TABLES[-1]):
        last = row["hash"]
    return json.dumps([snapshot.brain_id, counts, last])


def _resumed(brain: Brain, snapshot: Snapshot, counts: dict[str, int]) -> dict[str, int]:
    """How many rows of each part are there already."""
    with brain.read() as connection:
        noted = brain.meta(connection, _STATE)
    if noted is None:
        with brain.write() as connection:
            state = {"of": _mark(snapshot, counts), "done": {}}
            brain.set_meta(connection, _STATE, json.dumps(state))
        return {}
    state = json.loads(noted)
    if state["of"] != _mark(snapshot, counts):
        raise InvalidInput(
            f"{brain.path!r} is what is left of a migration of another brain, or of this one "
            "before it changed; remove it and begin again"
        )
    done: dict[str, int] = state["done"]
    return done


def _compare(brain: Brain, snapshot: Snapshot, part: Path) -> None:
    """Read everything back, and compare counts and digests table by table."""
    with brain.read() as connection:
        there = Snapshot(connection, brain, Selection(withheld=True), vectors=True)
        for (name, rows), (_, others) in zip(_parts(snapshot), _parts(there), strict=True):
            expected, found = _digest(rows), _digest(others)
            if expected != found:
                raise StorageError(
                    f"{part} does not hold what was read: {name} has {found[0]} rows and digest "
                    f"{found[1][:12]}, and {expected[0]} and {expected[1][:12]} were expected; "
                    "remove it and begin again"
                )


def _digest(rows: Iterable[dict[str, Any]]) -> tuple[int, str]:
    """How many rows there are, and SHA-256 over them in their order."""
    mark = hashlib.sha256()
    count = 0
    for row in rows:
        mark.update(json.dumps(row, sort_keys=True, default=_hex).encode())
        count += 1
    return count, mark.hexdigest()


def _hex(value: object) -> str:
    return value.hex() if isinstance(value, bytes) else str(value)
