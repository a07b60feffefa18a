"""Changing what is remembered: each change is a new version, nothing is overwritten."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, insert, update

from mnemic.encode.embedding import note_model
from mnemic.encode.known import text_digest
from mnemic.encode.resolve import Resolved, checked_content
from mnemic.encode.rows import analysed
from mnemic.encode.write import MESSAGES, Writer
from mnemic.govern import tombstones
from mnemic.govern.audit import Chain, Note
from mnemic.index.write import Entry, Packed, Partition
from mnemic.model.answer import Receipt, Status
from mnemic.model.errors import InvalidInput, NotFound
from mnemic.model.ids import checked_trace_id
from mnemic.model.scope import Principal, Scope
from mnemic.model.text import refuse_unstorable
from mnemic.model.times import UNCHANGED, TimeLike, Unchanged, Validity, parse_time, to_ms
from mnemic.model.trace import Role, Trust
from mnemic.store.schema import trace_versions, traces
from mnemic.store.types import AnyRow
from mnemic.store.visible import TRACE_COLUMNS, to_trace, visible

WRONG = "wrong"
"""The reason to forget a trace that makes its value a rejected one."""

MAX_REASON_CHARS = 1_000

_v = trace_versions.c
_EXTRA = (_v.digest, traces.c.filed_by)


@dataclass(frozen=True, slots=True)
class Change:
    """One change of one trace, within its transaction."""

    connection: Connection
    chain: Chain
    principal: Principal
    row: AnyRow
    now: int


def correct(
    writer: Writer,
    principal: Principal,
    trace_id: str,
    content: str | None,
    *,
    reason: str,
    valid_from: TimeLike | Unchanged | None = UNCHANGED,
    valid_to: TimeLike | Unchanged | None = UNCHANGED,
) -> Receipt:
    """Put right what a trace says, or since when; the value that was wrong stays rejected."""
    settings = writer.brain.settings
    reason = _checked_reason(reason)
    new = None if content is None else checked_content(content, settings)
    bounds = {
        name: parse_time(name, value, settings.timezone)
        for name, value in (("valid_from", valid_from), ("valid_to", valid_to))
        if not isinstance(value, Unchanged)
    }
    if new is None and not bounds:
        raise InvalidInput("nothing to correct: give new content, valid_from or valid_to")
    with writer.brain.read() as connection:
        row = _find(connection, writer, principal, trace_id, (Trust.BELIEVED,))
    if new == "":
        return _refused(writer, principal, trace_id, "recalled")
    draft = _draft(row, new or row.content, bounds, principal)
    vectors = writer.vectors.make([analysed(draft, settings)]) if new is not None else [None]
    with writer.brain.write() as connection:
        change = _begin(connection, writer, principal, trace_id, (Trust.BELIEVED,))
        if new is not None:
            note_model(connection, writer.brain, writer.vectors.model)
        # Somebody may have changed the other date while the vectors were made.
        draft = replace(draft, validity=_validity(change.row, bounds))
        return _corrected(writer, change, draft, new is not None, vectors[0], reason)


def forget(
    writer: Writer, principal: Principal, trace_id: str, *, reason: str | None = None
) -> Receipt:
    """Take a trace out of every reader's sight; with the reason "wrong", reject its value."""
    reason = None if reason is None else _checked_reason(reason)
    trust = Trust.REJECTED if reason == WRONG else Trust.FORGOTTEN
    with writer.brain.write() as connection:
        change = _begin(connection, writer, principal, trace_id, (Trust.BELIEVED,))
        row = change.row
        partition = Partition(connection, writer.brain.id, *_place(row))
        partition.retire(trace_id, change.now)
        partition.save(writer.brain.settings.index.segment_passages)
        if trust is Trust.REJECTED:
            _reject(writer, change, row.content)
        return _versioned(
            writer, change, Status.FORGOTTEN, "forget", reason, {"trust": trust.value}
        )


def restore(writer: Writer, principal: Principal, trace_id: str, *, reason: str) -> Receipt:
    """Bring back a trace that was forgotten or rejected, and lift its value's tombstone."""
    reason = _checked_reason(reason)
    with writer.brain.write() as connection:
        states = (Trust.FORGOTTEN, Trust.REJECTED)
        change = _begin(connection, writer, principal, trace_id, states)
        row = change.row
        partition = Partition(connection, writer.brain.id, *_place(row))
        partition.reinstate(trace_id, row.content_version)
        partition.save(writer.brain.settings.index.segment_passages)
        _lift(writer, change, row.content)
        return _versioned(
            writer, change, Status.RESTORED, "restore", reason, {"trust": Trust.BELIEVED.value}
        )


def _checked_reason(reason: object) -> str:
    if not isinstance(reason, str) or not reason.strip():
        raise InvalidInput(f"reason {reason!r} must be a text that says why")
    if len(reason) > MAX_REASON_CHARS:
        raise InvalidInput(f"reason has {len(reason)} characters, at most {MAX_REASON_CHARS}")
    refuse_unstorable("reason", reason)
    return reason


def _place(row: AnyRow) -> tuple[Scope, str]:
    return Scope(row.scope), row.scope_id


def _find(
    connection: Connection,
    writer: Writer,
    principal: Principal,
    trace_id: str,
    states: tuple[Trust, ...],
) -> AnyRow:
    row = (
        visible(
            writer.brain.id,
            principal.reach(),
            None,
            *TRACE_COLUMNS,
            *_EXTRA,
            states=states,
            ids=[checked_trace_id(trace_id)],
        )
        .run(connection)
        .first()
    )
    if row is None:
        raise NotFound(f"no trace {trace_id!r} within reach")
    return row


def _begin(
    connection: Connection,
    writer: Writer,
    principal: Principal,
    trace_id: str,
    states: tuple[Trust, ...],
) -> Change:
    row = _find(connection, writer, principal, trace_id, states)
    # A clock that was set back must not give a version an end before its start.
    now = max(to_ms(writer.clock()), row.recorded_at)
    return Change(connection, Chain(connection, writer.brain.id, now), principal, row, now)


def _draft(
    row: AnyRow, content: str, bounds: dict[str, int | None], principal: Principal
) -> Resolved:
    """The trace as it will stand, in the form that the road in works on."""
    trace = to_trace(row)
    return Resolved(
        content=content,
        type=trace.type,
        scope=trace.scope,
        scope_id=trace.scope_id,
        filed_by=row.filed_by,
        tags=trace.tags,
        entities=trace.entities,
        metadata=row.metadata,
        speaker=trace.speaker,
        role=None if trace.role is None else Role(trace.role),
        thread=trace.thread,
        time=row.time,
        validity=_validity(row, bounds),
        source=trace.source,
        strength=trace.strength,
        replay=False,
        actor=principal.actor,
    )


def _validity(row: AnyRow, bounds: Mapping[str, int | None]) -> Validity:
    return Validity(bounds.get("valid_from", row.valid_from), bounds.get("valid_to", row.valid_to))


def _corrected(
    writer: Writer,
    change: Change,
    draft: Resolved,
    reworded: bool,
    vectors: Packed | None,
    reason: str,
) -> Receipt:
    row = change.row
    changes: dict[str, Any] = {
        "valid_from": draft.validity.start,
        "valid_to": draft.validity.end,
    }
    if reworded and draft.content != row.content:
        # Saying the old value again on purpose is a change of mind, not a return of the wrong.
        _lift(writer, change, draft.content)
        if tombstones.normalise(draft.content) != tombstones.normalise(row.content):
            _reject(writer, change, row.content)
        changes |= {
            "content": draft.content,
            "content_version": row.version + 1,
            "digest": text_digest(writer.brain, draft),
        }
        partition = Partition(change.connection, writer.brain.id, *_place(row))
        position = partition.retire(row.id, change.now)
        entry = Entry(
            trace_id=row.id,
            content_version=row.version + 1,
            thread=row.thread,
            speaker=row.speaker,
            role=row.role,
            analysis=analysed(draft, writer.brain.settings),
            since=change.now,
            vectors=vectors,
            position=position,
        )
        partition.add([entry])
        partition.save(writer.brain.settings.index.segment_passages)
    return _versioned(writer, change, Status.CORRECTED, "correct", reason, changes)


def _reject(writer: Writer, change: Change, value: str) -> None:
    place = _place(change.row)
    tombstones.reject(change.connection, writer.brain, *place, value, at=change.now)


def _lift(writer: Writer, change: Change, value: str) -> None:
    place = _place(change.row)
    if tombstones.lift(change.connection, writer.brain, *place, value, at=change.now):
        change.chain.append(Note(change.principal.actor, "lift", "lifted", trace_id=change.row.id))


def _versioned(
    writer: Writer,
    change: Change,
    status: Status,
    cause: str,
    reason: str | None,
    changes: dict[str, Any],
) -> Receipt:
    """Retire the present version, append the next one, and say so in the audit log."""
    row, connection = change.row, change.connection
    key = (_v.brain_id == writer.brain.id) & (_v.trace_id == row.id)
    connection.execute(
        update(trace_versions).where(key, _v.version == row.version).values(retired_at=change.now)
    )
    version = {
        "brain_id": writer.brain.id,
        "trace_id": row.id,
        "version": row.version + 1,
        **{
            name: getattr(row, name)
            for name in (
                "content content_version digest tags entities metadata valid_from valid_to trust"
            ).split()
        },
        "recorded_at": change.now,
        "retired_at": None,
        "cause": cause,
        "reason": reason,
        **changes,
    }
    connection.execute(insert(trace_versions).values(version))
    seq = change.chain.append(
        Note(
            change.principal.actor,
            cause,
            status.value,
            trace_id=row.id,
            # Free words may quote what was wrong; the log holds no content.
            reason=reason if reason == WRONG else None,
            detail={"version": version["version"], "text": version["digest"].hex()},
        )
    )
    change.chain.flush()
    query = visible(
        writer.brain.id,
        change.principal.reach(),
        None,
        *TRACE_COLUMNS,
        states=tuple(Trust),
        ids=[row.id],
    )
    trace = to_trace(query.run(connection).one())
    return Receipt(status, trace, None, status.value, seq)


def _refused(writer: Writer, principal: Principal, trace_id: str, reason: str) -> Receipt:
    with writer.brain.write() as connection:
        chain = Chain(connection, writer.brain.id, to_ms(writer.clock()))
        seq = chain.append(
            Note(principal.actor, "correct", "refused", trace_id=trace_id, reason=reason)
        )
        chain.flush()
    return Receipt(Status.REFUSED, None, reason, MESSAGES[reason], seq)
