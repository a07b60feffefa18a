"""What the brain answers with: receipts, hits, counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from mnemic.model.insight import MindChange
from mnemic.model.trace import Trace, Version


class Status(StrEnum):
    """What came of a write."""

    STORED = "stored"
    REINFORCED = "reinforced"
    CANDIDATE = "candidate"
    CORRECTED = "corrected"
    UPDATED = "updated"
    FORGOTTEN = "forgotten"
    RESTORED = "restored"
    REJECTED = "rejected"
    APPROVED = "approved"
    VERIFIED = "verified"
    MERGED = "merged"
    DEFERRED = "deferred"
    EXPIRED = "expired"
    WITHHELD = "withheld"
    REVERTED = "reverted"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Receipt:
    """What came of a write, why, and the audit entry that says so.

    Args:
        status: what was done.
        trace: the trace as it now stands; None when it was refused. A candidate is given to
            no reader until a reviewer has approved it.
        reason: a code for machines, such as ``rejected`` or ``recalled``.
        message: a sentence for people.
        audit_seq: the number of the audit entry; None when nothing changed.
        ledger_id: the number of the ledger entry; None when none was made.
    """

    status: Status
    trace: Trace | None
    reason: str | None
    message: str
    audit_seq: int | None
    ledger_id: int | None = None


@dataclass(frozen=True, slots=True)
class Merged:
    """What came of merging several traces.

    Args:
        survivor: the trace that stands for all of them; None when nothing was merged.
        forgotten: ids of the others, which are forgotten.
        receipt: what came of it: ``merged``, ``refused``, or ``candidate`` where a person should
            see the merged text first.
    """

    survivor: Trace | None
    forgotten: tuple[str, ...]
    receipt: Receipt


@dataclass(frozen=True, slots=True)
class ArmScore:
    """What one arm of the search made of a hit: its place in that arm's order, from 1."""

    rank: int
    score: float


class SearchMode(StrEnum):
    """Which arms search."""

    HYBRID = "hybrid"
    """Words and vectors, mixed."""
    LEXICAL = "lexical"
    """Words alone."""
    VECTOR = "vector"
    """Vectors alone."""


@dataclass(frozen=True, slots=True)
class Why:
    """The reason for a hit.

    Args:
        arms: for each arm that found it, its rank and score there.
        terms: the words of the question that it holds, as they were asked.
        related: stems that it holds of words near to those, or shared by the best answers.
        passage: the piece of the text that answers best.
        breakdown: what the final score is made of; the values add up to it.
    """

    arms: Mapping[str, ArmScore]
    terms: tuple[str, ...]
    related: tuple[str, ...]
    passage: str
    breakdown: Mapping[str, float]

    def __str__(self) -> str:
        arms = ", ".join(f"{name} #{arm.rank} ({arm.score:.2f})" for name, arm in self.arms.items())
        parts = " ".join(f"{name} {value:+z.2f}" for name, value in self.breakdown.items())
        words = f"; words: {', '.join(self.terms)}" if self.terms else ""
        words += f"; related: {', '.join(self.related)}" if self.related else ""
        return f"{arms}{words}; score: {parts}"


@dataclass(frozen=True, slots=True)
class Hit:
    """A trace that answers, how well (higher is better, within one recall), and why.

    `beside` are the traces before and after it in its thread, in their order, if asked for.
    """

    score: float
    trace: Trace
    why: Why
    beside: tuple[Trace, ...] = ()


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One line of the audit log. `detail` holds digests and codes, never content."""

    seq: int
    at: datetime
    actor: str
    action: str
    trace_id: str | None
    outcome: str
    reason: str | None
    detail: Mapping[str, Any]
    hash: str


@dataclass(frozen=True, slots=True)
class AuditReport:
    """The result of walking the audit chain from its first entry to its head."""

    ok: bool
    entries: int
    head: str
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class History:
    """All that happened to one trace, oldest first: its versions, the log, what use made of it."""

    trace_id: str
    versions: tuple[Version, ...]
    audit: tuple[AuditEntry, ...]
    changes: tuple[MindChange, ...] = ()


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts over what the caller may read."""

    traces: int
    threads: int
    by_type: Mapping[str, int]
    by_scope: Mapping[str, int]
    oldest: datetime | None
    newest: datetime | None

    def as_dict(self) -> dict[str, Any]:
        """The same as plain values; times in ISO 8601."""
        plain = asdict(self)
        for name in ("oldest", "newest"):
            plain[name] = plain[name].isoformat() if plain[name] else None
        return plain


@dataclass(frozen=True, slots=True)
class BrainStats:
    """Counts over a whole brain, for its owner: how much there is, not what.

    `embedded` counts the texts that have vectors, `bytes` the database without its log.
    """

    traces: int
    versions: int
    partitions: int
    passages: int
    embedded: int
    tombstones: int
    audit_entries: int
    bytes: int
    by_trust: Mapping[str, int]

    def as_dict(self) -> dict[str, Any]:
        """The same as plain values."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Health:
    """Whether the brain works as it should, and if not, what is missing.

    Args:
        ok: nothing is wrong.
        embedder: the model that makes vectors; None when there is none.
        degraded: recall works with words only, or some traces have no vector yet.
        problems: a sentence for each thing that is wrong.
        unembedded: traces that wait for a vector.
        schema: the revision of the tables.
        path: where the brain is.
    """

    ok: bool
    embedder: str | None
    degraded: bool
    problems: tuple[str, ...]
    unembedded: int
    schema: str
    path: str


@dataclass(frozen=True, slots=True)
class Unexported:
    """A trace that an export of notes left out, and why.

    Args:
        id: of the trace.
        field: what of it was at fault: "id", "scope", "type" or "file".
        problem: "name" (no safe name for a file), "link", "special" (no regular file stands
            there), "collision" (another trace's file has that name), or "error".
    """

    id: str
    field: str
    problem: str


@dataclass(frozen=True, slots=True)
class Exported:
    """What came of an export.

    Args:
        path: the file or the folder.
        format: in which it is written.
        traces: how many traces it holds.
        refused: those that were left out; empty but for notes.
    """

    path: str
    format: str
    traces: int
    refused: tuple[Unexported, ...] = ()


@dataclass(frozen=True, slots=True)
class Migrated:
    """What came of a migration.

    Args:
        path: where the brain is now.
        rows: how many rows each table has.
        verified: whether all of them were read back and are what they were.
    """

    path: str
    rows: Mapping[str, int]
    verified: bool


MOST_TOLD = 10_000
"""Errors, and items' traces, that an import names; beyond them it counts, so memory stays flat."""


@dataclass(frozen=True, slots=True)
class ImportResult:
    """What came of an import: one bad item never stops the rest.

    Args:
        imported: traces newly stored.
        held: traces newly stored, or known, that wait for a reviewer.
        skipped: items that were known already.
        refused: items that the brain would not take again, such as a rejected value.
        failed: items that could not be read or stored.
        errors: where, and what was wrong, of the first `MOST_TOLD` that failed.
        passed_over: what was seen and is no memory, such as "tool output", and how often.
        traces: for each of the first `MOST_TOLD` items that are one, in order, its trace id, or
            None.
    """

    imported: int
    held: int
    skipped: int
    refused: int
    failed: int
    errors: tuple[tuple[str, str], ...]
    passed_over: Mapping[str, int]
    traces: tuple[str | None, ...]

    @property
    def seen(self) -> int:
        """How many items there were in all."""
        known = self.imported + self.held + self.skipped + self.refused + self.failed
        return known + sum(self.passed_over.values())
