"""A brain as one caller has it: what it may write and read, and nothing else."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from mnemic.bound.graph import BoundGraph
from mnemic.bound.mind import BoundMind
from mnemic.bound.prompt import Wanted, packet
from mnemic.bound.reminders import BoundReminders
from mnemic.bound.rooms import Rooms
from mnemic.encode.drafts import drafts_from
from mnemic.encode.revise import change
from mnemic.encode.revise import update as renewal
from mnemic.encode.write import Progress
from mnemic.maintain.erasure import erase_own
from mnemic.mind.working import session_of
from mnemic.model.answer import History, Hit, Merged, Receipt, SearchMode, Stats
from mnemic.model.errors import EmbedderError, InvalidInput
from mnemic.model.fact import Fact
from mnemic.model.governance import Certificate, HeldFact
from mnemic.model.mind import Mood, mood_of
from mnemic.model.origin import Role, SourceType
from mnemic.model.packet import ContextPacket, Style
from mnemic.model.policy import Capability
from mnemic.model.scope import Principal, Scope
from mnemic.model.times import UNCHANGED, TimeLike, Unchanged, to_ms
from mnemic.model.trace import Draft, Trace, TraceType, one_of
from mnemic.model.trust import Trust
from mnemic.retrieve import listing
from mnemic.retrieve.filters import Filters, checked, checked_limit, checked_mode
from mnemic.retrieve.nearby import NOTHING, Nearby
from mnemic.retrieve.operators import read_operators
from mnemic.retrieve.plug import reranked, wordings
from mnemic.retrieve.recall import Answers, Asked, search
from mnemic.retrieve.use import Use

Kind = TraceType | str
Axis = Scope | str
Labels = str | Iterable[str]
States = Trust | str | Iterable[Trust | str]
Uses = Capability | str | Iterable[Capability | str]
Feeling = Mood | str | Mapping[str, float] | None
"""The agent's mood: a `Mood`, a name of `MOODS`, its axes; None is neutral."""


class BoundMemory:
    """A brain as one caller has it. Made by `Memory.bind`."""

    def __init__(self, rooms: Rooms, principal: Principal) -> None:
        self._rooms = rooms
        self.principal = principal
        self.mind = BoundMind(rooms, principal)
        self.reminders = BoundReminders(rooms, principal)
        self.graph = BoundGraph(rooms, principal)

    def remember(
        self,
        content: str,
        *,
        type: Kind = TraceType.EPISODIC,
        scope: Axis | None = None,
        tags: Sequence[str] = (),
        entities: Sequence[str] = (),
        metadata: Mapping[str, Any] | None = None,
        speaker: str | None = None,
        role: Role | str | None = None,
        thread: str | None = None,
        time: TimeLike | None = None,
        valid_from: TimeLike | None = None,
        valid_to: TimeLike | None = None,
        source: SourceType | str = SourceType.USER_STATEMENT,
        strength: float | None = None,
        derived_from: Sequence[str] = (),
        source_id: str | None = None,
        facts: Iterable[Fact | Mapping[str, Any]] | None = None,
        mood: Feeling = None,
    ) -> Receipt:
        """Remember one thing; see `Draft` for the arguments. What is receipted is durable.

        Raises:
            InvalidInput: nothing was stored; the message says what was wrong.
        """
        draft = Draft(
            content,
            type=type,
            scope=scope,
            tags=tags,  # type: ignore[arg-type]
            entities=entities,  # type: ignore[arg-type]
            metadata=metadata if metadata is not None else {},
            speaker=speaker,
            role=role,
            thread=thread,
            time=time,
            valid_from=valid_from,
            valid_to=valid_to,
            source=source,
            strength=strength,
            derived_from=derived_from,  # type: ignore[arg-type]
            source_id=source_id,
            facts=facts,  # type: ignore[arg-type]
            mood=mood,
        )
        return self._rooms.writer.write([draft], self.principal)[0]

    def remember_many(
        self,
        items: Iterable[Draft | Mapping[str, Any] | str],
        *,
        progress: Progress | None = None,
    ) -> list[Receipt]:
        """Remember many things in order, embedded and committed in batches.

        Args:
            items: drafts, or mappings with a draft's fields, or plain texts.
            progress: is told how many are done, of how many.

        Returns:
            a receipt for each item.

        Raises:
            InvalidInput: an item cannot be stored; none of them was.
        """
        return self._rooms.writer.write(drafts_from(items), self.principal, progress)

    def recall(
        self,
        query: str,
        *,
        limit: int = 10,
        mode: SearchMode | str = SearchMode.HYBRID,
        type: Kind | Iterable[Kind] | None = None,
        scope: Axis | None = None,
        tags: Labels | None = None,
        entities: Labels | None = None,
        before: TimeLike | None = None,
        after: TimeLike | None = None,
        min_strength: float | None = None,
        thread: str | None = None,
        as_of: TimeLike | None = None,
        known_at: TimeLike | None = None,
        asked_at: TimeLike | None = None,
        trust: States | None = None,
        usable_for: Uses | None = None,
        operators: bool = False,
        beside: int = 0,
        archived: bool | None = None,
        mood: Feeling = None,
        touch: bool = True,
    ) -> list[Hit]:
        """The traces that answer a question, best first.

        Args:
            query: the question, in any words.
            limit: most hits; what is no answer is not given to fill it.
            mode: "hybrid", "lexical" (words alone) or "vector".
            type: a kind of memory, or several.
            scope: one axis; None is all that the principal may read.
            tags: one or several; all of them are carried.
            entities: one or several; all of them are carried.
            before: said or happened before this.
            after: said or happened at this or after.
            min_strength: at least this strong, 0 to 1.
            thread: from this conversation only.
            as_of: what was true at this instant; None is `known_at`, or now.
            known_at: what the brain held at this instant; None is now.
            asked_at: when the question is asked, for "last week" in it; None is `as_of`, or now.
            trust: the states to give, such as "candidate"; None is what is believed or verified.
            usable_for: only what may be used for all of these (`Capability`).
            operators: read `"a phrase"`, `+must`, `-not`, `this OR that` and `begin*` in the
                query; without it they are text.
            beside: give so many traces before and after each hit in its thread with it.
            archived: only what is set aside, or only what is not; None is as the settings say.
            mood: of the agent: it lifts what carries the same feeling, and colours what it recalls.
            touch: count this as a use of the hits.
        """
        checked_limit("limit", limit)
        checked_limit("beside", beside, least=0)
        filters = self._filters(
            type=type,
            scope=scope,
            tags=tags,
            entities=entities,
            before=before,
            after=after,
            min_strength=min_strength,
            thread=thread,
            as_of=as_of,
            known_at=known_at,
            asked_at=asked_at,
            trust=trust,
            usable_for=usable_for,
            archived=archived,
        )
        question, read = checked_query(query), None
        if operators:
            read = read_operators(question)
            question = read.question
        feeling = mood_of(mood)
        asked = Asked(question, checked_mode(mode), operators=read, beside=beside, mood=feeling)
        answers = self._answers(asked, filters, limit)
        if touch:
            self._use([hit.trace.id for hit in answers.hits], feeling, answers.behind)
        return answers.hits

    def _use(self, ids: Sequence[str], mood: Mood, behind: Nearby) -> None:
        """Note that traces were recalled, and what stood right behind them."""
        rivals = tuple((one.trace.id, one.similarity) for one in behind.behind)
        now = to_ms(self._rooms.clock())
        self._rooms.touches.add(Use(tuple(ids), now, mood, rivals))
        self._rooms.sessions.recalled(session_of(self.principal), ids, now)

    def _answers(self, asked: Asked, filters: Filters, limit: int) -> Answers:
        """Words and vectors; words alone, as `health` then tells, where the embedder fails."""
        rooms = self._rooms
        brain, cache, queries = rooms.brain, rooms.cache, rooms.queries
        if asked.mode is SearchMode.VECTOR and queries is None:
            raise InvalidInput(
                "mode 'vector' needs an embedder, and the brain was opened without one; use "
                "mode 'lexical', or open it with one"
            )
        asked = replace(asked, wordings=wordings(rooms.expander, asked.question))
        most = limit
        if rooms.reranker is not None:
            most = max(limit, brain.settings.retrieval.reranked)
        try:
            answers = search(brain, cache, queries, asked, filters, most)
        except EmbedderError as error:
            if asked.mode is SearchMode.VECTOR:
                raise
            rooms.writer.vectors.failed(error, "recalled by words only")
            answers = search(brain, cache, None, asked, filters, most)
        hits = reranked(rooms.reranker, asked.question, answers.hits, limit)
        return replace(answers, hits=hits)

    def context(
        self,
        query: str,
        *,
        budget_tokens: int = 800,
        type: Kind | Iterable[Kind] | None = None,
        scope: Axis | None = None,
        tags: Labels | None = None,
        entities: Labels | None = None,
        before: TimeLike | None = None,
        after: TimeLike | None = None,
        min_strength: float | None = None,
        thread: str | None = None,
        as_of: TimeLike | None = None,
        known_at: TimeLike | None = None,
        usable_for: Uses | None = None,
        archived: bool | None = None,
        style: Style | str | None = None,
        mood: Feeling = None,
        touch: bool = True,
    ) -> ContextPacket:
        """What to put into a prompt about `query`: ranked, within the budget, fenced as data.

        What answers comes with what the session has in mind, what is to be done now, what the
        graph ties to it, what comes to mind unbidden, and what is half remembered. Rules and
        wishes that people said to hold from then on ("always ...", "I prefer ...") are offered
        whatever the query is. `packet.omitted` has the reason for everything left out.

        Args:
            query: what the prompt is about.
            budget_tokens: most tokens, counted by the packaged tokenizer.
            type, scope, tags, entities, before, after, min_strength, thread: as in `recall`.
            as_of, known_at, usable_for, archived, mood: as in `recall`.
            style: "structured", "narrative" or "emotional"; None goes by the personality.
            touch: count this as a use of what is shown, and reminders as brought up.
        """
        checked_limit("budget_tokens", budget_tokens)
        filters = self._filters(
            type=type,
            scope=scope,
            tags=tags,
            entities=entities,
            before=before,
            after=after,
            min_strength=min_strength,
            thread=thread,
            as_of=as_of,
            known_at=known_at,
            usable_for=usable_for,
            archived=archived,
        )
        manner = None if style is None else one_of(Style, "style", style)
        # A task is no question: "plan her weekend" is far from all that helps with it.
        chosen = self._rooms.brain.settings.context
        feeling = mood_of(mood)
        asked = Asked(checked_query(query), far=True, standing=chosen.standing, mood=feeling)
        found = self._answers(asked, filters, chosen.candidates)
        wanted = Wanted(query, budget_tokens, manner, touch)
        made = packet(self._rooms, self.principal, wanted, filters, found)
        if touch:
            # What merely came along is not strengthened by it.
            asked_for = {hit.trace.id for hit in (*found.hits, *found.standing)}
            self._use([one for one in made.ids if one in asked_for], feeling, NOTHING)
        return made

    def show(
        self,
        trace_id: str,
        *,
        as_of: TimeLike | None = None,
        known_at: TimeLike | None = None,
        trust: States | None = None,
    ) -> Trace:
        """One trace, whether it is true at present or not, unless `as_of` asks for that.

        Raises:
            NotFound: there is none of this id within reach, or it is withheld.
        """
        filters = self._filters(as_of=as_of, known_at=known_at, trust=trust)
        any_time = as_of is None
        return listing.show(self._rooms.brain, filters, self._whole(trace_id), any_time=any_time)

    def list(
        self,
        *,
        limit: int = 50,
        offset: int = 0,
        type: Kind | Iterable[Kind] | None = None,
        scope: Axis | None = None,
        tags: Labels | None = None,
        entities: Labels | None = None,
        before: TimeLike | None = None,
        after: TimeLike | None = None,
        min_strength: float | None = None,
        thread: str | None = None,
        as_of: TimeLike | None = None,
        known_at: TimeLike | None = None,
        trust: States | None = None,
        usable_for: Uses | None = None,
        archived: bool | None = None,
    ) -> builtins.list[Trace]:
        """Traces by their time, newest first; the filters are those of `recall`."""
        checked_limit("limit", limit)
        checked_limit("offset", offset, least=0)
        filters = self._filters(
            type=type,
            scope=scope,
            tags=tags,
            entities=entities,
            before=before,
            after=after,
            min_strength=min_strength,
            thread=thread,
            as_of=as_of,
            known_at=known_at,
            trust=trust,
            usable_for=usable_for,
            archived=archived,
        )
        return listing.listed(self._rooms.brain, filters, limit, offset)

    def count(
        self,
        *,
        type: Kind | Iterable[Kind] | None = None,
        scope: Axis | None = None,
        tags: Labels | None = None,
        entities: Labels | None = None,
        before: TimeLike | None = None,
        after: TimeLike | None = None,
        min_strength: float | None = None,
        thread: str | None = None,
        as_of: TimeLike | None = None,
        known_at: TimeLike | None = None,
        trust: States | None = None,
        usable_for: Uses | None = None,
        archived: bool | None = None,
    ) -> int:
        """How many traces there are; the filters are those of `recall`."""
        filters = self._filters(
            type=type,
            scope=scope,
            tags=tags,
            entities=entities,
            before=before,
            after=after,
            min_strength=min_strength,
            thread=thread,
            as_of=as_of,
            known_at=known_at,
            trust=trust,
            usable_for=usable_for,
            archived=archived,
        )
        return listing.count(self._rooms.brain, filters)

    def correct(
        self,
        trace_id: str,
        content: str | None = None,
        *,
        reason: str,
        valid_from: TimeLike | Unchanged | None = UNCHANGED,
        valid_to: TimeLike | Unchanged | None = UNCHANGED,
        expect: int | None = None,
    ) -> Receipt:
        """Put right what a trace says, or since when it is true. The old value stays rejected.

        Args:
            trace_id: which trace.
            content: what is right; None when only a date was wrong.
            reason: why.
            valid_from: since when it is true; None opens it.
            valid_to: until when it was true; None opens it.
            expect: the version that was read; if the trace has another by now, the receipt is
                refused with ``conflict``.

        Raises:
            NotFound: there is none of this id within reach.
        """
        return change.correct(
            self._rooms.writer,
            self.principal,
            self._whole(trace_id),
            content,
            reason=reason,
            valid_from=valid_from,
            valid_to=valid_to,
            expect=expect,
        )

    def update(
        self,
        trace_id: str,
        *,
        content: str | None = None,
        tags: Iterable[str] | None = None,
        entities: Iterable[str] | None = None,
        reason: str | None = None,
        expect: int | None = None,
    ) -> Receipt:
        """Bring a trace up to date: other words or labels. What it said before is not rejected.

        Args:
            trace_id: which trace.
            content: what it says from now on; None leaves it.
            tags, entities: its labels from now on; None leaves them.
            reason: why.
            expect: as in `correct`.

        Raises:
            NotFound: there is none of this id within reach.
        """
        return renewal.update(
            self._rooms.writer,
            self.principal,
            self._whole(trace_id),
            content=content,
            tags=tags,
            entities=entities,
            reason=reason,
            expect=expect,
        )

    def merge(
        self, trace_ids: Iterable[str], *, content: str | None = None, reason: str | None = None
    ) -> Merged:
        """Make one trace of several of a scope: the one recalled most often, the first of equals.

        It takes the tags of all of them and their counts together; the others are forgotten, and
        a person can restore them.

        Args:
            trace_ids: which; those that are not within reach are left out.
            content: what it says; None joins what they say, in the order of `trace_ids`.
            reason: why.

        Raises:
            NotFound: fewer than two of them are within reach.
        """
        whole = [self._whole(one) for one in trace_ids]
        writer = self._rooms.writer
        return renewal.merge(writer, self.principal, whole, content=content, reason=reason)

    def forget(
        self, trace_id: str, *, reason: str | None = None, expect: int | None = None
    ) -> Receipt:
        """Take a trace out of sight. With the reason "wrong" its value is rejected in its scope.

        Raises:
            NotFound: there is none of this id within reach.
        """
        return change.forget(
            self._rooms.writer, self.principal, self._whole(trace_id), reason=reason, expect=expect
        )

    def restore(self, trace_id: str, *, reason: str) -> Receipt:
        """Bring back a trace that was forgotten. A rejected one takes a reviewer.

        Raises:
            NotFound: no trace of this id within reach was forgotten.
            NotAllowed: it was rejected, or this is the channel of an agent or a tool.
        """
        whole = self._whole(trace_id)
        return change.restore(self._rooms.writer, self.principal, whole, reason=reason)

    def erase(self, trace_id: str) -> Certificate:
        """Take one trace out for good, as `Memory.erase` does. Not for an agent or a tool.

        Raises:
            NotFound: there is none of this id within reach.
            NotAllowed: another user filed it, or this is the channel of a machine.
        """
        rooms = self._rooms
        rooms.touches.flush()
        if rooms.queries is not None:
            rooms.queries.clear()
        rooms.sessions.clear()
        whole = self._whole(trace_id)
        return erase_own(rooms.brain, rooms.cache, rooms.clock, self.principal, whole)

    def history(self, trace_id: str) -> History:
        """Every version of a trace and every audit entry about it, oldest first.

        Raises:
            NotFound: there is none of this id within reach.
        """
        reach = self.principal.reach()
        return listing.history(self._rooms.brain, reach, self._whole(trace_id))

    def facts(
        self,
        *,
        subject: str | None = None,
        attribute: str | None = None,
        scope: Axis | None = None,
        as_of: TimeLike | None = None,
        known_at: TimeLike | None = None,
        usable_for: Uses | None = None,
    ) -> builtins.list[HeldFact]:
        """What is known as subject, attribute and value, true at `as_of`, as held at `known_at`.

        Args:
            subject: whom or what it is about, such as "ana".
            attribute: such as "lives_in".
            scope: one axis; None is all that the principal may read.
            as_of, known_at, usable_for: as in `recall`.
        """
        filters = self._filters(scope=scope, as_of=as_of, known_at=known_at, usable_for=usable_for)
        return listing.facts(self._rooms.brain, filters, subject, attribute)

    def stats(self, *, as_of: TimeLike | None = None, known_at: TimeLike | None = None) -> Stats:
        """Counts over what the principal may read."""
        return listing.statistics(self._rooms.brain, self._filters(as_of=as_of, known_at=known_at))

    def _whole(self, trace_id: str) -> str:
        """The id meant by one as a prompt cites it."""
        return listing.whole_id(self._rooms.brain, self.principal.reach(), trace_id)

    def _filters(self, **given: Any) -> Filters:
        rooms = self._rooms
        return checked(self.principal, rooms.brain.settings, rooms.clock, **given)


def checked_query(query: object) -> str:
    """A question that can be asked."""
    if not isinstance(query, str) or not query.strip():
        raise InvalidInput(f"query {query!r} must be a text that is not blank")
    return query
