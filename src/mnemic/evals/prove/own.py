"""The part of the proof that runs on a brain that is in use: it reads, and cannot write.

The file is opened read-only, so that no look at it can change it; that its bytes are as before is
one of the checks. Readers are asked by words, without a model, for every scope that the brain
has.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, func, select, text

from mnemic.errors import NotFound
from mnemic.evals.prove.readonly import opened
from mnemic.govern import audit
from mnemic.govern.tombstones import Cause, Kind
from mnemic.index.cache import IndexCache
from mnemic.maintain.erasure import is_open
from mnemic.model.errors import StorageError
from mnemic.model.scope import Reach, Scope
from mnemic.model.times import Clocks, to_ms, utc_now
from mnemic.model.trace import Trace
from mnemic.model.trust import READABLE, SEARCHED, Trust
from mnemic.retrieve import listing
from mnemic.retrieve.filters import Filters
from mnemic.retrieve.recall import Asked, search
from mnemic.store.brain import Brain
from mnemic.store.schema import (
    audit_log,
    erasing,
    index_entries,
    partitions,
    tombstones,
    trace_versions,
)
from mnemic.store.visible import TRACE_COLUMNS, every_version, filed, to_trace, visible

_CHUNK = 500
_MOST_ASKED = 300
"""Withheld traces for whose words the readers are asked; all are looked up by their ids."""

_EVERYTHING = 1_000_000_000
_QUESTION_CHARS = 300
_ID = re.compile(r"mt_[0-9a-z]+")

_MUST_BE = {
    "audit_log_no_update",
    "audit_log_no_delete",
    "trace_versions_no_update",
    "trace_versions_no_delete",
    "trace_versions_one_end",
}
"""The triggers that keep two tables append-only."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check of a brain in use found.

    Args:
        id: of the check.
        says: its claim, in one line.
        ok: whether it holds.
        looked_at: how many rows or questions it looked at.
        message: what does not hold; ids and codes, no content.
    """

    id: str
    says: str
    ok: bool
    looked_at: int
    message: str


Check = Callable[["Reading"], tuple[int, list[str]]]


@dataclass(frozen=True, slots=True)
class Reading:
    """A brain that is only read, and one snapshot of it."""

    brain: Brain
    connection: Connection

    def reaches(self) -> Iterator[Reach]:
        """Each scope that the brain has, by itself."""
        query = select(partitions.c.scope, partitions.c.scope_id).where(
            partitions.c.brain_id == self.brain.id
        )
        for scope, scope_id in self.connection.execute(query).all():
            yield Reach.of([(Scope(scope), scope_id)])

    def ids(self) -> list[str]:
        """The ids of all traces."""
        return [row.id for row in self.connection.execute(filed(self.brain.id))]


def examine(path: Path, brain_id: str) -> list[Finding]:
    """Check a brain without a write.

    Raises:
        NotFound: there is no file, or no such brain in it.
        NotABrain: the file is something else.
        BrainTooNew: a newer mnemic has written it.
        StorageError: it cannot be read, or its tables are of an older revision.
    """
    before = _bytes_of(path)
    findings = []
    with opened(path, brain_id) as brain:
        for name, says, check in _CHECKS:
            looked_at, wrong = _looked(brain, check)
            findings.append(Finding(f"own.{name}", says, not wrong, looked_at, _several(wrong)))
    after = _bytes_of(path)
    message = "" if before == after else "the file has changed; was somebody else writing to it?"
    says = "Its bytes are as they were before this proof."
    findings.append(Finding("own.untouched", says, not message, after[0], message))
    return findings


def _looked(brain: Brain, check: Check) -> tuple[int, list[str]]:
    with brain.read() as connection:
        try:
            return check(Reading(brain, connection))
        except (ValueError, LookupError, TypeError) as error:
            # What stands in a row is nothing that this library writes.
            return 0, [f"it cannot be read: {type(error).__name__}"]


def _several(wrong: Sequence[str]) -> str:
    more = f", and {len(wrong) - 3} more" if len(wrong) > 3 else ""
    return "; ".join(wrong[:3]) + more


_DIGEST = """
import hashlib, os, sys
digest, size = hashlib.sha256(), 0
for name in (sys.argv[1], sys.argv[1] + "-wal"):
    if os.path.exists(name):
        with open(name, "rb") as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
                size += len(block)
print(size, digest.hexdigest())
"""


def _bytes_of(path: Path) -> tuple[int, str]:
    """How long the file and its log are, and a digest of both.

    A process of its own reads them: closing a database file lets go of all the locks that the
    process holds on it, and others may be at work on this brain.
    """
    command = [sys.executable, "-I", "-S", "-c", _DIGEST, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise StorageError(f"brain {str(path)!r} cannot be read to its end: {done.stderr[-200:]}")
    size, digest = done.stdout.split()
    return int(size), digest


# --- the checks ----------------------------------------------------------------------------------


def _chain(it: Reading) -> tuple[int, list[str]]:
    report = audit.verify(it.connection, it.brain.id)
    return report.entries, list(report.problems)


def _append_only(it: Reading) -> tuple[int, list[str]]:
    rows = it.connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'trigger'"))
    there = {row[0] for row in rows}
    return len(_MUST_BE), [f"the trigger {name} is missing" for name in sorted(_MUST_BE - there)]


def _withheld(it: Reading) -> tuple[int, list[str]]:
    wrong: list[str] = []
    looked_at = 0
    now = to_ms(utc_now())
    others = tuple(state for state in Trust if state not in READABLE)
    cache = IndexCache(it.brain.id, it.brain.settings)
    for reach in it.reaches():
        query = visible(it.brain.id, reach, None, *TRACE_COLUMNS, states=others)
        traces = [to_trace(row) for row in query.run(it.connection)]
        filters = Filters(reach, Clocks(now))
        wrong += _given_anyway(it.brain, filters, traces)
        for trace in traces[: max(0, _MOST_ASKED - looked_at)]:
            asked = trace.content[:_QUESTION_CHARS]
            hits = search(it.brain, cache, None, Asked(asked), filters, 20).hits
            ids = {hit.trace.id for hit in hits if hit.trace.trust not in READABLE}
            wrong += [f"recall gives {one}, which is withheld" for one in ids]
        looked_at += len(traces)
    return looked_at, wrong


def _given_anyway(brain: Brain, filters: Filters, traces: Sequence[Trace]) -> list[str]:
    """The withheld traces that a reader which asks no question gives."""
    withheld = {trace.id for trace in traces}
    listed = listing.listed(brain, filters, _EVERYTHING, 0)
    facts = listing.facts(brain, filters, None, None)
    wrong = [f"list gives {one.id}" for one in listed if one.id in withheld]
    wrong += [f"facts gives {one.trace_id}" for one in facts if one.trace_id in withheld]
    if listing.count(brain, filters) != len(listed):
        wrong.append("count and list differ")
    for trace in traces:
        try:
            listing.show(brain, filters, trace.id, any_time=True)
        except NotFound:
            continue
        wrong.append(f"show gives {trace.id}")
    return wrong


def _index(it: Reading) -> tuple[int, list[str]]:
    entries = index_entries.c
    query = select(entries.trace_id).where(
        entries.brain_id == it.brain.id, entries.trace_id.is_not(None), entries.until.is_(None)
    )
    found = [row[0] for row in it.connection.execute(query)]
    living: set[str] = set()
    for reach in it.reaches():
        held = visible(it.brain.id, reach, None, TRACE_COLUMNS[0], states=SEARCHED)
        living |= {row[0] for row in held.run(it.connection)}
    wrong = [
        f"{one} is searched and stands in no state that is" for one in found if one not in living
    ]
    return len(found), wrong


def _chains(it: Reading) -> tuple[int, list[str]]:
    v = trace_versions.c
    wrong: list[str] = []
    looked_at = 0
    ids = it.ids()
    for at in range(0, len(ids), _CHUNK):
        part = ids[at : at + _CHUNK]
        query = every_version(it.brain.id, part).with_only_columns(
            v.trace_id, v.version, v.recorded_at, v.retired_at
        )
        chains: dict[str, list[Any]] = {one: [] for one in part}
        for row in it.connection.execute(query):
            chains[row.trace_id].append(row)
            looked_at += 1
        wrong += [f"{one}: {what}" for one, rows in chains.items() if (what := _broken(rows))]
    return looked_at, wrong


def _broken(rows: Sequence[Any]) -> str:
    """What is wrong with the versions of one trace, in their order."""
    if not rows or [row.version for row in rows] != list(range(1, len(rows) + 1)):
        return "versions are missing"
    for one, two in pairwise(rows):
        if one.retired_at != two.recorded_at:
            return f"version {one.version} does not end where the next begins"
    return "" if rows[-1].retired_at is None else "it has no present version"


def _audited(it: Reading) -> tuple[int, list[str]]:
    query = select(audit_log.c.trace_id).where(
        audit_log.c.brain_id == it.brain.id, audit_log.c.trace_id.is_not(None)
    )
    told = {row[0] for row in it.connection.execute(query)}
    ids = it.ids()
    return len(ids), [f"{one} has no audit entry" for one in ids if one not in told]


def _tombstones(it: Reading) -> tuple[int, list[str]]:
    rows = it.connection.execute(
        select(tombstones).where(tombstones.c.brain_id == it.brain.id)
    ).all()
    wrong = []
    for row in rows:
        plain = row.trace_id is None or _ID.fullmatch(row.trace_id)
        digests = len(row.place) == len(row.digest) == 32
        if not (plain and digests and row.kind in list(Kind) and row.cause in list(Cause)):
            wrong.append("a tombstone holds something else than digests and codes")
    return len(rows), wrong


def _erasures(it: Reading) -> tuple[int, list[str]]:
    wrong = []
    if is_open(it.connection, it.brain):
        wrong.append("an erasure is open: call Memory.compact()")
    marked = select(func.count()).where(erasing.c.brain_id == it.brain.id)
    if it.connection.execute(marked).scalar_one():
        wrong.append("traces are named as being erased")
    return 1, wrong


_CHECKS: tuple[tuple[str, str, Check], ...] = (
    ("audit_chain", "Its audit chain verifies from the first entry to its head.", _chain),
    ("append_only", "Versions and audit entries are append-only in the database.", _append_only),
    ("withheld", "No withheld trace is given by any reader of any scope.", _withheld),
    ("index", "All that is searched is readable, or waits for a person.", _index),
    ("versions", "The versions of every trace have no gap and no overlap.", _chains),
    ("audited", "Every trace has its audit entry.", _audited),
    ("tombstones", "Its tombstones hold digests and codes, no content.", _tombstones),
    ("erasures", "No erasure is open.", _erasures),
)
