"""One trace under change within one transaction, and the ways in which it can go on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from mnemic.encode.admit import fact_value
from mnemic.encode.deed import Deed
from mnemic.encode.ending import WHOLE, links_of, undo_link
from mnemic.encode.relate import to_fact
from mnemic.encode.revise.versions import append_version, reindex
from mnemic.govern import review, tombstones
from mnemic.govern.audit import Note
from mnemic.govern.ledger import Entry, Verdict
from mnemic.govern.tombstones import Cause, Kind
from mnemic.model.answer import Receipt, Status
from mnemic.model.errors import InvalidInput, NotFound
from mnemic.model.fact import Fact
from mnemic.model.ids import checked_trace_id
from mnemic.model.origin import Origin, SourceType, is_below, origin_of
from mnemic.model.scope import Reach, Scope, owner_of
from mnemic.model.text import refuse_unstorable
from mnemic.model.trace import Trace
from mnemic.model.trust import Authority, Event, Trust, moved
from mnemic.store.schema import trace_facts
from mnemic.store.types import AnyRow
from mnemic.store.visible import TRACE_COLUMNS, to_trace, versions_of, visible

WRONG = "wrong"
"""The reason to forget a trace that makes its value a rejected one."""

MAX_REASON_CHARS = 1_000

_f = trace_facts.c


def checked_reason(reason: object) -> str:
    """Why something is done, in words."""
    if not isinstance(reason, str) or not reason.strip():
        raise InvalidInput(f"reason {reason!r} must be a text that says why")
    if len(reason) > MAX_REASON_CHARS:
        raise InvalidInput(f"reason has {len(reason)} characters, at most {MAX_REASON_CHARS}")
    refuse_unstorable("reason", reason)
    return reason


@dataclass(frozen=True, slots=True)
class Case:
    """A trace as it stands, to be changed by a deed.

    Args:
        deed: the transaction.
        reach: where the trace was looked for.
        row: the trace, with `WHOLE` columns.
        now: the instant of the change, never before the version that it ends.
    """

    deed: Deed
    reach: Reach
    row: AnyRow
    now: int

    @property
    def trust(self) -> Trust:
        """The state that it is in."""
        return Trust(self.row.trust)

    @property
    def place(self) -> tuple[Scope, str]:
        """Its scope."""
        return Scope(self.row.scope), self.row.scope_id

    @property
    def pair(self) -> tuple[str, str]:
        """The same as plain text."""
        return self.row.scope, self.row.scope_id

    def trace(self) -> Trace:
        """The trace as a reader sees it."""
        return to_trace(self.row)

    @property
    def is_others(self) -> bool:
        """Whether another user has filed it, who alone may change it."""
        principal, filed_by = self.deed.principal, self.row.filed_by
        if principal.authority is Authority.REVIEWER:
            return False
        return bool(filed_by) and filed_by != principal.owner

    @property
    def is_above(self) -> bool:
        """Whether what it says is more trusted than a machine that is about to change it."""
        principal = self.deed.principal
        if principal.authority is not Authority.MACHINE:
            return False
        said = origin_of(SourceType.USER_STATEMENT, None, principal.channel)
        return is_below(said, Origin(self.row.origin))


def find(deed: Deed, reach: Reach, trace_id: str, states: Iterable[Trust] = tuple(Trust)) -> Case:
    """The case of a trace within reach.

    Raises:
        NotFound: there is none of this id in one of these states.
    """
    query = visible(
        deed.brain.id,
        reach,
        None,
        *WHOLE,
        states=tuple(states),
        ids=[checked_trace_id(trace_id)],
    )
    row = query.run(deed.connection).first()
    if row is None:
        raise NotFound(f"no trace {trace_id!r} within reach")
    # A clock that was set back must not give a version an end before its start.
    return Case(deed, reach, row, max(deed.now, row.recorded_at))


def move(
    case: Case,
    event: Event,
    reason: str | None,
    *,
    authority: Authority | None = None,
    changes: dict[str, Any] | None = None,
    then: Event | None = None,
) -> dict[str, Any]:
    """Move a trace to the state that an event leads to; returns its new version.

    `then` is what the brain itself makes of that at once.

    Raises:
        NotAllowed: the authority may not, or the trace is in no such state.
    """
    deed = case.deed
    by = deed.principal.authority if authority is None else authority
    after = moved(case.trust, event, by)
    if then is not None:
        after = moved(after, then, Authority.BRAIN)
    changed = {"trust": after.value, **(changes or {})}
    version = append_version(
        deed.connection, deed.brain, case.row, case.now, event.value, reason, changed
    )
    reindex(deed.connection, deed.brain, case.row, after, case.now)
    return version


def told(
    case: Case,
    version: dict[str, Any],
    status: Status,
    action: str,
    *,
    code: str | None = None,
    verdict: Verdict = Verdict.KEPT,
) -> Receipt:
    """Write a change into the audit log and the ledger; the receipt for it.

    `code` is a reason code. Free words may quote what was wrong, and the log holds no content.
    """
    deed, row = case.deed, case.row
    detail = {
        "version": version["version"],
        "text": version["digest"].hex(),
        "trust": version["trust"],
    }
    seq = deed.chain.append(Note(deed.principal.actor, action, status.value, row.id, code, detail))
    number = deed.ledger.append(
        Entry(
            action=action,
            actor=deed.principal.actor,
            scope=row.scope,
            scope_id=row.scope_id,
            filed_by=row.filed_by,
            status=verdict,
            trace_id=row.id,
            version=version["version"],
            reason=code,
        )
    )
    query = visible(
        deed.brain.id, case.reach, None, *TRACE_COLUMNS, states=tuple(Trust), ids=[row.id]
    )
    trace = to_trace(query.run(deed.connection).one())
    return Receipt(status, trace, code, status.value, seq, number)


def standing_facts(case: Case) -> list[Fact]:
    """What a trace says, in comparable form."""
    query = select(trace_facts).where(
        _f.brain_id == case.deed.brain.id,
        _f.trace_id == case.row.id,
        _f.retired_at.is_(None),
    )
    return [to_fact(row) for row in case.deed.connection.execute(query)]


def words_of(case: Case) -> str:
    """What a trace says, or said before it was cut down to its gist."""
    row = case.row
    text: str = row.content
    if row.verbatim_version is None:
        return text
    rows = versions_of(case.deed.brain.id, Reach.of([case.place]), row.id).run(case.deed.connection)
    text = next(one.content for one in rows if one.version == row.verbatim_version)
    return text


def reject_value(
    case: Case,
    cause: Cause,
    until: int | None = None,
    *,
    also: Iterable[Fact] = (),
    but: Iterable[Fact] = (),
) -> None:
    """Write the tombstones of what a trace says: its text and its facts, with some or but some.

    What a machine rejects is rejected for machines.
    """
    deed = case.deed
    if deed.principal.authority is Authority.MACHINE:
        cause = Cause.DISOWNED
    owner = owner_of(*case.place)
    kept = {fact_value(fact) for fact in but}
    facts = (fact_value(fact) for fact in (*standing_facts(case), *also))
    values = {
        Kind.VALUE: list(dict.fromkeys((case.row.content, words_of(case)))),
        Kind.FACT: [value for value in facts if value not in kept],
    }
    for kind, several in values.items():
        tombstones.put(
            deed.connection,
            deed.brain,
            owner,
            kind,
            several,
            cause,
            at=case.now,
            trace_id=case.row.id,
            until=until,
        )


def lift_value(case: Case, content: str, facts: Iterable[Fact], *, own: bool = False) -> bool:
    """Let a text and its facts in again; tells whether anything stood in their way.

    With `own`, only what corrections of this very trace have rejected.
    """
    deed = case.deed
    place = deed.gate.place(*case.place)
    wanted = [(Kind.VALUE, content), *((Kind.FACT, fact_value(fact)) for fact in facts)]
    lifted = [
        tombstones.lift(
            deed.connection,
            deed.brain,
            place,
            kind,
            value,
            at=case.now,
            corrected_by=case.row.id if own else None,
        )
        for kind, value in wanted
    ]
    if any(lifted):
        deed.chain.append(Note(deed.principal.actor, "lift", "lifted", case.row.id))
    return any(lifted)


def close_items(case: Case) -> None:
    """Nothing about the trace waits for a person any more."""
    deed = case.deed
    review.close_for(
        deed.connection, deed.brain.id, case.row.id, at=case.now, by=deed.principal.actor
    )


def undo_links(case: Case, from_id: str) -> int:
    """Undo what `from_id` says of a trace; a value that it had ended is open again."""
    found = [one for one in links_of(case.deed, case.row.id) if one.from_id == from_id]
    for one in found:
        undo_link(case.deed, case.reach, one)
        case.deed.chain.append(
            Note(case.deed.principal.actor, "undo", "undone", case.row.id, None, {"by": from_id})
        )
    return len(found)
