"""A person who judges what is remembered: the queue, the decisions, the ledger.

A reviewer is made by whoever holds the brain (`Memory.reviewer`), for one caller's scopes or for
all of them. No channel that an agent, a tool, an import or a client can be bound to becomes one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

from sqlalchemy import Connection

from mnemic.encode.deed import Deed, begin
from mnemic.encode.refusal import denials
from mnemic.encode.resolve import checked_content
from mnemic.encode.revise import judge, revert
from mnemic.encode.revise import persona as personas
from mnemic.encode.revise.case import Case, checked_reason, close_items, find, undo_links
from mnemic.encode.revise.change import draft_of, validity_of
from mnemic.encode.rows import analysed
from mnemic.encode.write import Writer
from mnemic.govern import ledger, review, tombstones
from mnemic.govern.audit import Note
from mnemic.govern.review import ItemKind
from mnemic.govern.tombstones import Cause, Kind
from mnemic.model.answer import Receipt
from mnemic.model.errors import InvalidInput, NotFound
from mnemic.model.governance import LedgerEntry, ReviewItem
from mnemic.model.insight import DriftProposal
from mnemic.model.scope import Judge, Principal, Reach, Scope, checked_id, owner_of
from mnemic.model.times import TimeLike, from_ms, maybe_from_ms, parse_time, to_ms
from mnemic.model.trace import one_of
from mnemic.model.trust import SEARCHED, Trust
from mnemic.retrieve.filters import checked_limit
from mnemic.store import persona
from mnemic.store.types import AnyRow
from mnemic.store.visible import TRACE_COLUMNS, place_of, to_trace, visible

_DAY_MS = 86_400_000


class Reviewer:
    """Judges what waits in a brain, and what stands in it. Made by `Memory.reviewer`.

    Each decision takes a reason, is a version of the trace, and stands in the audit log under
    the reviewer's name.
    """

    def __init__(self, writer: Writer, name: str, principal: Principal | None) -> None:
        self._writer = writer
        self._brain = writer.brain
        self.name = checked_id("reviewer", name)
        self._principal = principal

    # --- the queue -------------------------------------------------------------------------

    def queue(
        self, *, limit: int = 50, kind: str | None = None, deferred: bool = False
    ) -> list[ReviewItem]:
        """What waits for a person, the oldest first.

        Args:
            limit: most items.
            kind: only these, such as ``instruction`` or ``contradiction``.
            deferred: those that were put off as well.
        """
        checked_limit("limit", limit)
        asked = None if kind is None else one_of(ItemKind, "kind", kind).value
        with self._brain.read() as connection:
            rows = review.waiting(
                connection,
                self._brain.id,
                self._pairs(),
                now=self._now(),
                limit=limit,
                kind=asked,
                deferred=deferred,
            )
            return [self._item(connection, row) for row in rows]

    def item(self, number: int) -> ReviewItem:
        """One item, settled or not.

        Raises:
            NotFound: there is none of this number that this reviewer may see.
        """
        with self._brain.read() as connection:
            return self._item(connection, self._row(connection, number))

    def _item(self, connection: Connection, row: AnyRow) -> ReviewItem:
        reach = Reach.of([(Scope(row.scope), row.scope_id)])
        wanted = [one for one in (row.trace_id, row.other_id) if one is not None]
        query = visible(
            self._brain.id, reach, None, *TRACE_COLUMNS, states=tuple(Trust), ids=wanted
        )
        found = {trace.id: trace for trace in map(to_trace, query.run(connection))}
        return ReviewItem(
            id=row.id,
            kind=row.kind,
            state=row.state,
            trace=found[row.trace_id],
            other=found.get(row.other_id),
            digest=row.digest.hex(),
            signs=review.signs_of(row),
            opened_at=from_ms(row.opened_at),
            deferred_until=maybe_from_ms(row.deferred_until),
            decided_at=maybe_from_ms(row.decided_at),
            reviewer=row.reviewer,
            reason=row.reason,
        )

    def approve(
        self, number: int, *, reason: str, digest: str | None = None, both: bool = False
    ) -> Receipt:
        """Believe what an item asks about.

        Args:
            number: of the item.
            reason: why.
            digest: of the text that was looked at; when given, it must still be that one.
            both: what it contradicts is true as well, and does not give way.

        Raises:
            NotAllowed: its value was rejected; a tombstone has to be lifted first.
            InvalidInput: the item is settled, or the text has changed: it is asked about anew.
        """
        return self._judge(number, reason, digest, lambda one: judge.approve(one, both))

    def reject(
        self,
        number: int,
        *,
        reason: str,
        digest: str | None = None,
        until: TimeLike | None = None,
    ) -> Receipt:
        """Reject what an item asks about: its value has a tombstone, for good or until a day."""
        end = self._end(until)
        return self._judge(number, reason, digest, lambda one: judge.reject(one, end))

    def edit(self, number: int, content: str, *, reason: str, digest: str | None = None) -> Receipt:
        """Believe other words in place of those that an item asks about."""
        text = checked_content(content, self._brain.settings)
        if not text:
            raise InvalidInput("the edited text was recalled from this brain; write your own")
        with self._brain.read() as connection:
            row = self._row(connection, number)
            case = self._case(connection, row.trace_id)
        draft = draft_of(case.row, text, validity_of(case.row, {}), case.deed.principal)
        vectors = self._writer.vectors.make([analysed(draft, self._brain.settings)])[0]
        return self._judge(number, reason, digest, lambda one: judge.edit(one, text, vectors))

    def merge(self, number: int, into: str, *, reason: str, digest: str | None = None) -> Receipt:
        """Let another trace stand for the one that an item asks about; tags are joined."""

        def decide(one: judge.Judgement) -> Receipt:
            return judge.merge(one, find(one.deed, one.deed.principal.reach(), into))

        return self._judge(number, reason, digest, decide)

    def defer(
        self, number: int, *, until: TimeLike, reason: str, digest: str | None = None
    ) -> ReviewItem:
        """Ask again at an instant that lies ahead; it stays withheld until then."""
        reason = checked_reason(reason)
        end = self._end(until)
        if end is None:
            raise InvalidInput("until must name the day on which to ask again; got None")
        with self._brain.write() as connection:
            row = self._row(connection, number)
            deed = self._deed(connection, row.trace_id)
            judge.check_open(row, digest)
            review.defer(
                connection,
                self._brain.id,
                number,
                until=end,
                reviewer=deed.principal.actor,
                reason=reason,
            )
            deed.chain.append(Note(deed.principal.actor, "defer", "deferred", row.trace_id))
            deed.flush()
            return self._item(connection, self._row(connection, number))

    def sweep(self) -> int:
        """Expire what has waited longer than the setting `review.expire_days`; returns how many.

        What expires is withheld as it was; nothing is approved by waiting.
        """
        oldest = self._now() - self._brain.settings.review.expire_days * _DAY_MS
        done = 0
        with self._brain.write() as connection:
            rows = review.waiting(
                connection, self._brain.id, self._pairs(), now=self._now(), limit=10_000
            )
            for row in rows:
                if row.opened_at < oldest:
                    deed = self._deed(connection, row.trace_id)
                    judge.expire(deed, row)
                    deed.flush()
                    done += 1
        return done

    # --- what stands -----------------------------------------------------------------------

    def verify(self, trace_id: str, *, reason: str) -> Receipt:
        """Say that a trace was checked; `reason` names by what. Its window begins anew."""
        return self._decide(
            trace_id, reason, lambda case, why: judge.verify(self._writer, case, why)
        )

    def quarantine(self, trace_id: str, *, reason: str) -> Receipt:
        """Withhold a trace, and what rests on it alone, without rejecting its value."""
        return self._decide(trace_id, reason, judge.quarantine)

    def reject_trace(self, trace_id: str, *, reason: str, until: TimeLike | None = None) -> Receipt:
        """Reject a trace and its value, for good or until a day."""
        end = self._end(until)

        def decide(case: Case, why: str) -> Receipt:
            close_items(case)
            return judge.reject_case(case, why, end)

        return self._decide(trace_id, reason, decide)

    def lift(self, trace_id: str, *, reason: str) -> Receipt:
        """Let a trace that was put away, and its value, back in, whatever state it is in."""
        return self._decide(trace_id, reason, lambda case, why: judge.lift(self._writer, case, why))

    def reject_source(
        self, source_id: str, *, bind: Principal, reason: str, until: TimeLike | None = None
    ) -> int:
        """Take nothing more from a document, page or file, for one caller; put away what came.

        Returns:
            how many traces were put away.
        """
        return self._source(checked_id("source_id", source_id), bind, reason, self._end(until))

    def readmit(self, principal: Principal, *, reason: str) -> int:
        """Let a user who was forgotten in again, and lift all that was rejected for them.

        Returns:
            how many tombstones were lifted.
        """
        checked_reason(reason)
        scope = principal.default_scope()
        scope_id = principal.scope_id(scope)
        assert scope_id is not None
        self._check_reach(scope, scope_id)
        with self._brain.write() as connection:
            deed = begin(connection, self._brain, self._as(Reach.of([])), self._now())
            owner = owner_of(scope, scope_id)
            lifted = tombstones.lift_all(connection, self._brain, owner, at=deed.now)
            detail = {"tombstones": lifted}
            deed.chain.append(Note(deed.principal.actor, "readmit", "lifted", None, None, detail))
            deed.flush()
        return lifted

    # --- the ledger ------------------------------------------------------------------------

    def ledger(self, *, limit: int = 100, trace_id: str | None = None) -> list[LedgerEntry]:
        """The newest entries of the learning ledger, oldest first."""
        checked_limit("limit", limit)
        with self._brain.read() as connection:
            rows = ledger.read(
                connection, self._brain.id, self._pairs(), limit=limit, trace_id=trace_id
            )
        return [_entry(row) for row in rows]

    def revert(self, number: int, *, reason: str) -> Receipt:
        """Take back what a ledger entry says was learned; the reversal is an entry itself.

        Raises:
            NotFound: there is no such entry that this reviewer may see.
            InvalidInput: it was not kept, or was taken back before, or something newer came.
        """
        why = checked_reason(reason)
        with self._brain.write() as connection:
            found = _checked_number("ledger entry", number)
            entry = ledger.find(connection, self._brain.id, found)
            if entry is None or entry.trace_id is None or not self._sees(entry):
                raise NotFound(f"no ledger entry {number!r} within reach")
            case = self._case(connection, entry.trace_id)
            receipt = revert.revert(self._writer, case, entry, why)
            case.deed.flush()
        return receipt

    def undo_link(self, from_id: str, to_id: str, *, reason: str) -> int:
        """Take back that one trace supersedes or contradicts another: what it ended is open.

        Returns:
            how many links were undone.
        """
        checked_reason(reason)
        with self._brain.write() as connection:
            case = self._case(connection, to_id)
            undone = undo_links(case, from_id)
            case.deed.flush()
        return undone

    def drift(self) -> list[DriftProposal]:
        """Changes of personality that wait for a decision (docs/mechanisms.md)."""
        with self._brain.read() as connection:
            rows = persona.proposals(connection, self._brain.id, self._reach())
        return [personas.told(row) for row in rows]

    def accept_drift(self, number: int) -> DriftProposal:
        """Let a proposed change of personality hold in its scope from now on.

        Raises:
            NotFound: none of this number waits.
        """
        return self._drift(number, personas.ACCEPTED)

    def decline_drift(self, number: int) -> DriftProposal:
        """Leave the personality as it is; what was felt so far is not proposed again.

        Raises:
            NotFound: none of this number waits.
        """
        return self._drift(number, personas.DECLINED)

    def _drift(self, number: int, state: str) -> DriftProposal:
        with self._brain.write() as connection:
            caller = self._as(Reach.of([]))
            deed = begin(connection, self._brain, caller, self._now())
            found = personas.decide(deed, self._reach(), number, state)
            deed.flush()
        return found

    def _reach(self) -> Reach | None:
        return None if self._principal is None else self._principal.reach()

    # --- within ----------------------------------------------------------------------------

    def _denials(self, action: str) -> AbstractContextManager[None]:
        return denials(self._brain, self._as(Reach.of([])), self._writer.clock, action)

    def _now(self) -> int:
        return to_ms(self._writer.clock())

    def _pairs(self) -> Sequence[tuple[str, str]] | None:
        if self._principal is None:
            return None
        return [(scope.value, scope_id) for scope, scope_id in self._principal.reach()]

    def _sees(self, row: AnyRow) -> bool:
        pairs = self._pairs()
        return pairs is None or (row.scope, row.scope_id) in pairs

    def waiting(self) -> int:
        """How many items wait for a person, those that were put off included."""
        with self._brain.read() as connection:
            return review.count_waiting(connection, self._brain.id, self._pairs())

    def _check_reach(self, scope: Scope, scope_id: str) -> None:
        if self._principal is not None and (scope, scope_id) not in self._principal.reach():
            raise NotFound("that caller is not within this reviewer's reach")

    def _row(self, connection: Connection, number: int) -> AnyRow:
        row = review.find(connection, self._brain.id, _checked_number("review item", number))
        if row is None or not self._sees(row):
            raise NotFound(f"no review item {number!r} within reach")
        return row

    def _as(self, reach: Reach) -> Judge:
        return Judge(self.name, reach)

    def _deed(self, connection: Connection, trace_id: str) -> Deed:
        row = connection.execute(place_of(self._brain.id, trace_id)).first()
        if row is None or not self._sees(row):
            raise NotFound(f"no trace {trace_id!r} within reach")
        reach = Reach.of([(Scope(row.scope), row.scope_id)])
        return begin(connection, self._brain, self._as(reach), self._now())

    def _case(self, connection: Connection, trace_id: str) -> Case:
        deed = self._deed(connection, trace_id)
        return find(deed, deed.principal.reach(), trace_id)

    def _end(self, until: TimeLike | None) -> int | None:
        end = parse_time("until", until, self._brain.settings.timezone)
        if end is not None and end <= self._now():
            raise InvalidInput(f"until {until!r} lies in the past; leave it out, or name a day")
        return end

    def _judge(
        self,
        number: int,
        reason: str,
        digest: str | None,
        decide: Callable[[judge.Judgement], Receipt],
    ) -> Receipt:
        why = checked_reason(reason)
        with self._denials("review"), self._brain.write() as connection:
            row = self._row(connection, number)
            deed = self._deed(connection, row.trace_id)
            judge.check_open(row, digest)
            one = judge.judged(self._writer, deed, row, why)
            receipt = None if one is None else decide(one)
            deed.flush()
        if receipt is None:
            raise InvalidInput(
                f"what review item {number} asked about says something else by now; nothing was "
                "decided, and the new text is in the queue"
            )
        return receipt

    def _decide(
        self, trace_id: str, reason: str, decide: Callable[[Case, str], Receipt]
    ) -> Receipt:
        why = checked_reason(reason)
        with self._denials("review"), self._brain.write() as connection:
            case = self._case(connection, trace_id)
            receipt = decide(case, why)
            case.deed.flush()
        return receipt

    def _source(self, source: str, bind: Principal, reason: str, until: int | None) -> int:
        why = checked_reason(reason)
        reach = bind.reach()
        for scope, scope_id in reach:
            self._check_reach(scope, scope_id)
        with self._brain.write() as connection:
            deed = begin(connection, self._brain, self._as(reach), self._now())
            owners = dict.fromkeys(owner_of(scope, scope_id) for scope, scope_id in reach)
            for owner in owners:
                tombstones.put(
                    connection,
                    self._brain,
                    owner,
                    Kind.SOURCE,
                    [source],
                    Cause.REJECTED,
                    at=deed.now,
                    until=until,
                )
            ids = judge.from_source(deed, source)
            for trace_id in ids:
                case = find(deed, reach, trace_id)
                if case.trust in SEARCHED:  # or it rested on another of them, and has followed it
                    judge.quarantine(case, why)
            detail = {"traces": len(ids)}
            deed.chain.append(
                Note(deed.principal.actor, "reject_source", "rejected", None, None, detail)
            )
            deed.flush()
        return len(ids)


def _checked_number(what: str, number: object) -> int:
    if isinstance(number, bool) or not isinstance(number, int):
        raise InvalidInput(f"a {what} is named by its number, not by {number!r}")
    if not 0 < number < 1 << 63:
        raise NotFound(f"no {what} {number!r} within reach")
    return number


def _entry(row: AnyRow) -> LedgerEntry:
    return LedgerEntry(
        id=row.id,
        at=from_ms(row.at),
        action=row.action,
        actor=row.actor,
        scope=Scope(row.scope),
        scope_id=row.scope_id,
        trace_id=row.trace_id,
        version=row.version,
        status=row.status,
        reason=row.reason,
        reverts=row.reverts,
    )
