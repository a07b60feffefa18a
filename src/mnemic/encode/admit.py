"""Decides what may come in, and as what: steps 2 to 4 of the road in.

Every road leads through here: one write, a batch, a tool, an import, a merge, the correction of
a trace. What is refused says why; what a person should see first comes in as a candidate.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from mnemic.cognition.entities import Named
from mnemic.cognition.facts import find_facts
from mnemic.cognition.screen import screen
from mnemic.cognition.screen.labels import screen_label
from mnemic.encode.appraise import Appraised, appraised, named_in
from mnemic.encode.pieces import Parts, parts_of, strings_in
from mnemic.encode.relate import instant
from mnemic.encode.resolve import Resolved
from mnemic.govern import tombstones
from mnemic.govern.ledger import Mode, mode_of
from mnemic.govern.review import ItemKind
from mnemic.govern.tombstones import Kind, Place, Stone
from mnemic.model.concern import Finding
from mnemic.model.fact import Fact, Shape, fact_key
from mnemic.model.mind import Personality
from mnemic.model.normal_form import normal_form
from mnemic.model.origin import TRUSTED, Origin, Role, SourceType, least_trusted
from mnemic.model.scope import Caller, Reach, Scope, owner_of
from mnemic.model.trust import Authority, Trust
from mnemic.settings import Settings
from mnemic.store.brain import Brain
from mnemic.store.schema import trace_versions, traces
from mnemic.store.visible import visible

_Value = tuple[Kind, str]
"""What can have been rejected."""

_DOCUMENTS = (SourceType.RETRIEVED_DOCUMENT, SourceType.EXTERNAL)


@dataclass(frozen=True, slots=True)
class Read:
    """What can be told of a text before anything is locked.

    That is its concerns, its facts, what it is worth, and what it names (`encode/appraise.py`).

    `facts` are those to be held. `said` are all that can be told: a caller that gives facts of its
    own, or none, does not hide by it what the text says.
    """

    findings: tuple[Finding, ...]
    facts: tuple[Fact, ...]
    said: tuple[Fact, ...]
    appraised: Appraised
    names: tuple[Named, ...]


@dataclass(frozen=True, slots=True)
class Admission:
    """Whether a draft may come in: refused for a reason, held for some, or neither.

    `origin` is the least trusted among the draft's own and those of what it rests on.
    """

    origin: Origin
    refusal: str | None = None
    holds: tuple[ItemKind, ...] = ()
    signs: tuple[str, ...] = ()

    @property
    def trust(self) -> Trust:
        """The state in which it comes in."""
        return Trust.CANDIDATE if self.holds else Trust.BELIEVED


def read_text(draft: Resolved, settings: Settings, who: Personality | None = None) -> Read:
    """Screen a draft, find its facts, and appraise it, by a personality or that of the settings."""
    labels = (draft.speaker or "", draft.source_id or "", *draft.tags, *draft.entities)
    findings = dict.fromkeys(screen(draft.content))
    said = "\n".join(label for label in labels if label)
    if said:
        findings |= dict.fromkeys(screen_label(said))
    if draft.metadata != "{}":
        told_besides = "\n".join(strings_in(json.loads(draft.metadata)))
        findings |= dict.fromkeys(screen_label(told_besides))
    found = _found(draft) if settings.learning.find_facts else ()
    facts = found if draft.facts is None else draft.facts
    if draft.facts is None and draft.source in _DOCUMENTS:
        facts = ()  # what a document says is no fact about anybody yet
    held = tuple(_of_owner(fact, draft) for fact in facts)
    told = dict.fromkeys((*held, *(_of_owner(fact, draft) for fact in found)))
    worth, names = appraised(draft, settings, who), named_in(draft, held, settings)
    return Read(tuple(findings), held, tuple(told), worth, names)


def _of_owner(fact: Fact, draft: Resolved) -> Fact:
    """What is said of "the user" is said of the one whose memory it is."""
    if draft.filed_by and fact.subject in ("user", "the user"):
        return replace(fact, subject=normal_form(draft.filed_by))
    return fact


def _found(draft: Resolved) -> tuple[Fact, ...]:
    speaker = draft.speaker
    if speaker is None and draft.role not in (None, Role.USER):
        speaker = draft.role.value
    if speaker is None and draft.origin not in TRUSTED:
        speaker = draft.source.value  # "I" is whoever wrote it, not the one whose memory it is
    return find_facts(draft.content, speaker=speaker)


def fact_value(fact: Fact) -> str:
    """A fact as a tombstone takes it.

    What held until some day, and that something has ended, are other values than that it holds.
    """
    ended = fact.shape is Shape.RETRACTION
    time = "ended" if ended else "until" if fact.until is not None else ""
    return "\x1f".join((*fact_key(fact), "not" if fact.negated else "", time))


def _rejectable(fact: Fact, now: int) -> tuple[str, ...]:
    """The values under which a fact may have been rejected."""
    if fact.until is None or instant(fact.until, 1) <= now:
        return (fact_value(fact),)
    return (fact_value(fact), fact_value(replace(fact, until=None)))  # it holds at present too


def _own_scopes(reach: Reach) -> Reach:
    """The scopes of a caller's own, or the organization's, for a caller who is nobody else."""
    own = [pair for pair in reach if pair[0] is not Scope.ORGANIZATION]
    return Reach.of(own) if own else reach


class Gate:
    """What stands in the way of one caller's writes, within one transaction.

    Args:
        connection: holds the write lock.
        brain: where to.
        principal: who writes.
        now: the instant, in milliseconds.
        freezes: whether anything of the brain is frozen or suspended.
    """

    def __init__(
        self, connection: Connection, brain: Brain, principal: Caller, now: int, freezes: bool
    ) -> None:
        self._connection = connection
        self._brain = brain
        self._principal = principal
        self._now = now
        self._own = _own_scopes(principal.reach())
        self._freezes = freezes
        self.mode = self._mode(self._own)

    def mode_in(self, scope: Scope, scope_id: str) -> Mode:
        """Whether writes into a scope are taken: a frozen team stops no member's own memory."""
        if scope is not Scope.ORGANIZATION:
            return self.mode
        return self._mode(Reach.of([*self._own, (scope, scope_id)]))

    def _mode(self, reach: Reach) -> Mode:
        if not self._freezes:
            return Mode(self._brain.settings.learning.mode)
        return mode_of(self._connection, self._brain, reach)

    def place(self, scope: Scope, scope_id: str) -> Place:
        """Whose tombstones hold for a write into a scope."""
        own = ((Scope.USER.value, self._principal.owner),) if self._principal.owner else ()
        owners = dict.fromkeys((owner_of(scope, scope_id), *own))
        return Place(tuple(owners), tuple(self._principal.reach()))

    def admit(
        self, drafts: Sequence[Resolved], texts: Sequence[Read], own: str | None = None
    ) -> list[Admission]:
        """Judge drafts of one scope.

        `own` is a trace that may go back to what it said before it was corrected: whoever goes
        from B back to A has changed their mind twice, and that is no return of the wrong.
        """
        if not drafts:
            return []
        barred = self._barred(drafts[0].scope, drafts[0].scope_id)
        if barred is not None:
            return [Admission(draft.origin, barred) for draft in drafts]
        place = self.place(drafts[0].scope, drafts[0].scope_id)
        if not tombstones.any_stand(self._connection, self._brain, place, self._now):
            rejections = [_NOTHING] * len(drafts)
        else:
            rejections = self._rejections(place, drafts, texts, own)
        origins = self._origins(drafts)
        return [
            self._judged(*parts) for parts in zip(drafts, texts, rejections, origins, strict=True)
        ]

    def _barred(self, scope: Scope, scope_id: str) -> str | None:
        """Why the caller may not write here at all."""
        if self.mode_in(scope, scope_id) is Mode.FROZEN:
            return "frozen"
        if scope is Scope.ORGANIZATION and self._principal.authority is Authority.MACHINE:
            return "organization_scope"
        return None

    def _judged(
        self, draft: Resolved, text: Read, rejection: _Rejection, origin: Origin | None
    ) -> Admission:
        refusal = rejection.refusal or ("source" if origin is None else None)
        origin = draft.origin if origin is None else origin
        if refusal is not None or not draft.content:
            return Admission(origin, refusal)
        review = self._brain.settings.review
        findings = [one for one in text.findings if one.concern in review.hold]
        holds = [ItemKind(one.concern.value) for one in findings]
        if rejection.within:
            holds.append(ItemKind.REJECTED_WITHIN)
        if review.mode == "strict" and origin not in TRUSTED:
            holds.append(ItemKind.ORIGIN)
        if self._principal.authority is Authority.REVIEWER:
            holds = []  # who judges need not wait for a judgement
        signs = tuple(f"{one.concern}:{one.sign}" for one in findings)
        return Admission(origin, None, tuple(dict.fromkeys(holds)), signs)

    def _rejections(
        self,
        place: Place,
        drafts: Sequence[Resolved],
        texts: Sequence[Read],
        own: str | None,
    ) -> list[_Rejection]:
        """What of each draft has been rejected for the place."""
        if self._standing(place, Kind.USER, [""])[0] is not None:
            return [_Rejection("forgotten")] * len(drafts)
        parts = [parts_of(draft) for draft in drafts]
        asked = {
            Kind.VALUE: [value for part in parts for value in part.values],
            Kind.FACT: [
                value
                for text in texts
                for fact in text.said
                for value in _rejectable(fact, self._now)
            ],
            Kind.SOURCE: [draft.source_id for draft in drafts if draft.source_id],
        }
        found = {
            (kind, value): stone
            for kind, values in asked.items()
            for value, stone in zip(values, self._standing(place, kind, values, own), strict=True)
            if stone is not None
        }
        return [
            self._rejection(self._binding(found, draft), draft, part, text)
            for draft, part, text in zip(drafts, parts, texts, strict=True)
        ]

    def _binding(self, found: Mapping[_Value, Stone], draft: Resolved) -> Container[_Value]:
        """The values that are rejected for this draft: a machine's word binds no person."""
        person = self._principal.authority is not Authority.MACHINE and draft.origin in TRUSTED
        if not person:
            return found
        return {value for value, stone in found.items() if stone.binds_persons}

    def _rejection(
        self, found: Container[_Value], draft: Resolved, parts: Parts, text: Read
    ) -> _Rejection:
        def stands(kind: Kind, values: Iterable[str]) -> bool:
            return any((kind, value) in found for value in values)

        if draft.source_id and stands(Kind.SOURCE, [draft.source_id]):
            return _Rejection("source")
        if stands(Kind.VALUE, (parts.whole, *parts.carried)):
            return _Rejection("rejected")
        by_fact = any(stands(Kind.FACT, _rejectable(fact, self._now)) for fact in text.said)
        if by_fact and not parts.several:
            return _Rejection("rejected")
        # What else the text says is not lost: a person sees it first.
        return _Rejection(None, by_fact or stands(Kind.VALUE, parts.pieces))

    def _standing(
        self, place: Place, kind: Kind, values: Sequence[str], own: str | None = None
    ) -> list[Stone | None]:
        return tombstones.standing(
            self._connection, self._brain, place, kind, values, self._now, own
        )

    def _origins(self, drafts: Sequence[Resolved]) -> list[Origin | None]:
        """The origin of each with what it rests on; None when that is not to be had."""
        wanted = {one for draft in drafts for one in draft.derived_from}
        if not wanted:
            return [draft.origin for draft in drafts]
        query = visible(
            self._brain.id,
            self._principal.reach(),
            None,
            traces.c.id,
            trace_versions.c.origin,
            ids=sorted(wanted),
        )
        known = {row[0]: Origin(row[1]) for row in query.run(self._connection)}
        return [
            least_trusted([draft.origin, *(known[one] for one in draft.derived_from)])
            if known.keys() >= set(draft.derived_from)
            else None
            for draft in drafts
        ]


@dataclass(frozen=True, slots=True)
class _Rejection:
    """Why a draft is refused, or that a rejected sentence stands among others."""

    refusal: str | None = None
    within: bool = False


_NOTHING = _Rejection()


def reopened(draft: Resolved, origin: Origin) -> Resolved:
    """The draft with the origin that it has together with its sources."""
    return draft if origin is draft.origin else replace(draft, origin=origin)
