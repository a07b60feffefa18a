"""What governs a memory, as it is shown: review items, ledger entries, facts, certificates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from mnemic.model.scope import Scope
from mnemic.model.trace import Trace


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """Something that waits for a person.

    Args:
        id: its number.
        kind: why it waits (`govern.review.ItemKind`).
        state: how far its judgement has come (`govern.review.ItemState`).
        trace: what is to be judged, as it stands.
        other: the trace that it contradicts, or would replace.
        digest: of the content, as hex: a judgement binds to it.
        signs: what was found, by the names of the rules.
        opened_at: since when it waits.
        deferred_until: not before then.
        decided_at, reviewer, reason: of the judgement.
    """

    id: int
    kind: str
    state: str
    trace: Trace
    other: Trace | None
    digest: str
    signs: tuple[str, ...]
    opened_at: datetime
    deferred_until: datetime | None
    decided_at: datetime | None
    reviewer: str | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One line of the learning ledger: what was given to learn, and what came of it."""

    id: int
    at: datetime
    action: str
    actor: str
    scope: Scope
    scope_id: str
    trace_id: str | None
    version: int | None
    status: str
    reason: str | None
    reverts: int | None


@dataclass(frozen=True, slots=True)
class HeldFact:
    """A fact that the brain holds, since when it is true, and the trace that says so."""

    trace_id: str
    subject: str
    attribute: str
    value: str
    many: bool
    negated: bool
    valid_from: datetime | None
    valid_to: datetime | None


@dataclass(frozen=True, slots=True)
class Residue:
    """What a sweep found of a text that was erased.

    Args:
        where: the file and the offset, or the reader.
        shared: the same words stand in a trace that was not erased, which accounts for them.
    """

    where: str
    shared: bool


@dataclass(frozen=True, slots=True)
class Certificate:
    """What an erasure took out, and what a search for it found afterwards.

    Args:
        target: what was asked for: "trace", "user", "thread" or "source".
        at: when.
        erased: ids of the traces that are gone.
        returned: ids of the traces that lost a support and wait for a reviewer.
        counts: rows taken out, by table.
        audit_seq, audit_hash: the entry of the audit log that says so.
        compacted: the file was rewritten, so that no free page holds anything.
        searched: how many pieces of the erased texts were looked for, in how many bytes.
        residues: where something of them was found.
        ok: nothing of them is left that no other trace accounts for.
    """

    target: str
    at: datetime
    erased: tuple[str, ...]
    returned: tuple[str, ...]
    counts: Mapping[str, int]
    audit_seq: int
    audit_hash: str
    compacted: bool
    searched: Mapping[str, int]
    residues: tuple[Residue, ...]
    ok: bool

    def as_dict(self) -> dict[str, Any]:
        """The same as plain values; times in ISO 8601."""
        return {**asdict(self), "at": self.at.isoformat()}
