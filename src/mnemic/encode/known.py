"""Looks up texts that a scope holds already: steps 4 and 5 of the road in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from mnemic.encode.resolve import Resolved
from mnemic.govern import tombstones
from mnemic.model.scope import Reach
from mnemic.model.times import to_ms
from mnemic.model.trace import TraceType, Trust
from mnemic.store.brain import Brain
from mnemic.store.keys import digest
from mnemic.store.schema import trace_versions
from mnemic.store.types import AnyRow
from mnemic.store.visible import TRACE_COLUMNS, visible

_DIGEST = trace_versions.c.digest
_CHUNK = 500
"""Digests looked up at once."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a scope holds of a text: the live trace of it, or a reason to refuse it."""

    live: AnyRow | None = None
    refusal: str | None = None


def text_digest(brain: Brain, draft: Resolved) -> bytes:
    """Finds the same text again: in one scope, filed by one user, said by one speaker."""
    who = draft.speaker or (draft.role.value if draft.role else "")
    text = draft.content.strip()
    return digest(brain.key, "text", draft.scope.value, draft.scope_id, draft.filed_by, who, text)


def look_up(
    connection: Connection, brain: Brain, drafts: Sequence[Resolved], digests: Sequence[bytes]
) -> list[Finding]:
    """For each draft, what is known of its text. All belong to one scope."""
    if not drafts:
        return []
    scope, scope_id = drafts[0].scope, drafts[0].scope_id
    contents = [draft.content for draft in drafts]
    rejected = tombstones.rejected(connection, brain, scope, scope_id, contents)
    rows = _same_texts(connection, brain, Reach.of([(scope, scope_id)]), digests)
    findings = []
    for draft, mark, is_rejected in zip(drafts, digests, rejected, strict=True):
        same = rows.get(mark, [])
        live = next((row for row in same if _is_live(row) and is_same(draft, row)), None)
        if is_rejected:
            findings.append(Finding(refusal="rejected"))
        elif live is not None:
            findings.append(Finding(live=live))
        elif any(not _is_live(row) for row in same):
            findings.append(Finding(refusal="forgotten"))
        else:
            findings.append(Finding())
    return findings


def is_same(draft: Resolved, row: AnyRow) -> bool:
    """Whether a trace of the same text is the same memory.

    A fact is the same wherever it is said. An episode is not: the same words in another
    conversation are another event, with another date. What was true until some time and is true
    again from a later one is another memory too.
    """
    if _begins_after(draft, row.valid_from, row.valid_to):
        return False
    if draft.type is not TraceType.EPISODIC:
        return True
    return draft.thread is None or row.thread is None or bool(draft.thread == row.thread)


def _begins_after(
    draft: Resolved, since: int | datetime | None, until: int | datetime | None
) -> bool:
    """Whether the draft is true only from when another, of this validity, had ended."""
    start = draft.validity.start
    if until is None or start is None:
        return False
    return start >= _ms(until) and (since is None or start != _ms(since))


def _ms(moment: int | datetime) -> int:
    return to_ms(moment) if isinstance(moment, datetime) else moment


def _is_live(row: AnyRow) -> bool:
    return bool(row.trust not in (Trust.FORGOTTEN.value, Trust.REJECTED.value))


def _same_texts(
    connection: Connection, brain: Brain, reach: Reach, digests: Sequence[bytes]
) -> dict[bytes, list[AnyRow]]:
    found: dict[bytes, list[AnyRow]] = {}
    for at in range(0, len(digests), _CHUNK):
        part = list(dict.fromkeys(digests[at : at + _CHUNK]))
        query = visible(
            brain.id, reach, None, *TRACE_COLUMNS, _DIGEST, states=tuple(Trust), digests=part
        )
        for row in query.run(connection):
            found.setdefault(row.digest, []).append(row)
    for rows in found.values():
        rows.sort(key=lambda row: str(row.id))
    return found
