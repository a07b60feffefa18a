"""Looks up texts that a scope holds already: steps 4 and 5 of the road in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from mnemic.encode.resolve import Resolved
from mnemic.model.origin import Origin, is_below
from mnemic.model.scope import Reach
from mnemic.model.times import to_ms
from mnemic.model.trace import TraceType
from mnemic.model.trust import SEARCHED, Trust
from mnemic.store.brain import Brain
from mnemic.store.schema import trace_versions
from mnemic.store.types import AnyRow
from mnemic.store.visible import TRACE_COLUMNS, visible

_LIVE = frozenset(trust.value for trust in SEARCHED)
_DIGEST = trace_versions.c.digest
_CHUNK = 500
"""Digests looked up at once."""


@dataclass(frozen=True, slots=True)
class Known:
    """What a scope holds of a text: the live trace of it, or a reason to refuse it."""

    live: AnyRow | None = None
    refusal: str | None = None


_REFUSALS = {
    Trust.FORGOTTEN.value: "forgotten",
    Trust.QUARANTINED.value: "quarantined",
    Trust.SUPERSEDED.value: "superseded",
}
"""Why a text that is there in such a state is not taken again. An expired one may be; whether a
rejected one may is up to its tombstone, which can end or be lifted."""


def text_digests(brain: Brain, draft: Resolved) -> list[bytes]:
    """Find the same text again: in one scope, filed by one user, said by one speaker.

    One for each key of the brain, the newest first.
    """
    role = draft.role.value if draft.role else None
    place = (draft.scope.value, draft.scope_id)
    return digests_of(brain, place, draft.filed_by, draft.speaker or role, draft.content)


def digests_of(
    brain: Brain, place: tuple[str, str], filed_by: str, who: str | None, content: str
) -> list[bytes]:
    """The same of a text in a scope, filed by a user, said by a speaker."""
    return brain.ring.digests("text", *place, filed_by, who or "", content.strip())


def look_up(
    connection: Connection,
    brain: Brain,
    drafts: Sequence[Resolved],
    digests: Sequence[Sequence[bytes]],
) -> list[Known]:
    """For each draft, what is known of its text. All belong to one scope."""
    if not drafts:
        return []
    reach = Reach.of([(drafts[0].scope, drafts[0].scope_id)])
    every = [mark for several in digests for mark in several]
    rows = _same_texts(connection, brain, reach, every)
    found = []
    for draft, marks in zip(drafts, digests, strict=True):
        same = [row for mark in marks for row in rows.get(mark, [])]
        live = next((row for row in same if _is_live(row) and is_same(draft, row)), None)
        refusals = [_REFUSALS[row.trust] for row in same if _refuses(draft, row)]
        if live is not None:
            found.append(Known(live=live))
        else:
            found.append(Known(refusal=refusals[0] if refusals else None))
    return found


def _refuses(draft: Resolved, row: AnyRow) -> bool:
    """Whether a text that is put away keeps a draft out.

    That an agent's or a tool's words were forgotten does not keep a person from saying the same.
    """
    forgotten = row.trust == Trust.FORGOTTEN.value
    return row.trust in _REFUSALS and not (forgotten and is_below(Origin(row.origin), draft.origin))


def is_same(draft: Resolved, row: AnyRow) -> bool:
    """Whether a trace of the same text is the same memory.

    A fact is the same wherever it is said. An episode is not: the same words in another
    conversation are another event, with another date. What was true until some time and is true
    again from a later one is another memory too, and so is what a more trusted one says.
    """
    if is_below(Origin(row.origin), draft.origin):
        return False
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
    return row.trust in _LIVE


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
