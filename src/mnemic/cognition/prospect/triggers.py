"""What is to be done later, and whether now is the time.

An intention waits for one of three things: a time, an event, or talk of a matter. An event brings
an intention to mind by itself; a time has to be watched for, which people are worse at (Einstein &
McDaniel 1990). A program watches the clock without effort, so here the three differ only in what
they wait for.

What comes again is due once for all the times that were missed, and one that is held back, for its
tier, is not used up by that.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from mnemic.cognition.prospect.recurrence import checked_rule, next_after
from mnemic.model.errors import InvalidInput
from mnemic.model.times import from_ms, to_ms, zone

_WORD = re.compile(r"\w+")


class Trigger(StrEnum):
    """What an intention waits for."""

    TIME = "time_based"
    EVENT = "event_based"
    CONTEXT = "context_based"


@dataclass(frozen=True, slots=True)
class Waiting:
    """The constants of waiting.

    Args:
        rest: milliseconds for which an intention that talk of a matter brings up again and again
            is left alone after it was; our choice, one hour: that is about one conversation.
    """

    rest: int = 3_600_000


WAITING = Waiting()


@dataclass(frozen=True, slots=True)
class Intention:
    """What an agent has to remember to do. Instants are milliseconds since 1970 UTC.

    Args:
        id: its name.
        content: what is to be done.
        trigger: what it waits for.
        at: of a time, the first instant at which it is due.
        rule: of a time that comes again, its RRULE; None for once.
        zone: by whose clocks the rule is meant, as an IANA name.
        event: of an event, its name or the words that tell it.
        cue: of talk of a matter, its words.
        threshold: the cosine from which talk is about the cue; AgentOS's .7.
        importance: 0 to 1.
        lasting: whether an event or a cue brings it up each time; else only the first.
        fired: how often it was brought up.
        last_fired: when it was last.
        next_at: of a time, when it is due next: at first, `at`; None when it never is again.
        tier: how confidential it is: it is held back from whoever may read less; None is for all.

    Raises:
        InvalidInput: what it waits for is missing, or a value is out of its range.
    """

    id: str
    content: str
    trigger: Trigger
    at: int | None = None
    rule: str | None = None
    zone: str = "UTC"
    event: str | None = None
    cue: str | None = None
    threshold: float = 0.7
    importance: float = 0.5
    lasting: bool = False
    fired: int = 0
    last_fired: int | None = None
    next_at: int | None = None
    tier: int | None = None

    def __post_init__(self) -> None:
        if not self.content.strip():
            raise InvalidInput("an intention needs content: what is to be done")
        needed = {Trigger.TIME: "at", Trigger.EVENT: "event", Trigger.CONTEXT: "cue"}
        missing = needed[self.trigger]
        value = getattr(self, missing)
        if value is None or (isinstance(value, str) and not _WORD.search(value)):
            raise InvalidInput(f"an intention that is {self.trigger} needs {missing!r}")
        if self.rule is not None:
            if self.trigger is not Trigger.TIME:
                raise InvalidInput(f"rule {self.rule!r} needs the trigger {Trigger.TIME}")
            checked_rule(self.rule)
        if self.trigger is Trigger.TIME and self.fired == 0 and self.next_at is None:
            object.__setattr__(self, "next_at", self.at)
        zone(self.zone)
        for name in ("threshold", "importance"):
            if not 0 <= getattr(self, name) <= 1:
                raise InvalidInput(f"{name} {getattr(self, name)!r} must be from 0 to 1")

    @property
    def is_done(self) -> bool:
        """Whether it will never be due again."""
        if self.trigger is Trigger.TIME:
            return self.next_at is None
        return self.fired > 0 and not self.lasting


def is_due(
    intention: Intention,
    now: int,
    events: Collection[str] = (),
    similarity: float | None = None,
    query: str | None = None,
    most_tier: int | None = None,
    waiting: Waiting = WAITING,
) -> bool:
    """Whether now is the time to do it.

    Args:
        intention: what is to be done.
        now: milliseconds since 1970 UTC.
        events: names of what has just happened, or words that tell it.
        similarity: the cosine of what is being talked about and the cue; None without vectors.
        query: what is being talked about.
        most_tier: the highest tier that the reader may see; None is all.
        waiting: the constants.
    """
    if most_tier is not None and intention.tier is not None and intention.tier > most_tier:
        return False
    if intention.is_done:
        return False
    match intention.trigger:
        case Trigger.TIME:
            return intention.next_at is not None and intention.next_at <= now
        case Trigger.EVENT:
            return any(tells(event, intention.event or "") for event in events)
        case Trigger.CONTEXT:
            rested = intention.last_fired is None or now - intention.last_fired >= waiting.rest
            return rested and _is_about(intention, similarity, query)


def _is_about(intention: Intention, similarity: float | None, query: str | None) -> bool:
    if similarity is not None and similarity >= intention.threshold:
        return True
    return query is not None and tells(query, intention.cue or "")


def tells(text: str, phrase: str) -> bool:
    """Whether a text is a phrase, or holds all its words; upper and lower case are the same."""
    words = _words(phrase)
    return bool(words) and words <= _words(text)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def after_firing(intention: Intention, now: int) -> Intention:
    """The intention once it was brought up.

    What comes again moves to its next instant after now, however many were missed.
    """
    fired = replace(intention, fired=intention.fired + 1, last_fired=now, next_at=None)
    if intention.rule is None or intention.at is None:
        return fired
    found = next_after(intention.rule, from_ms(intention.at), from_ms(now), zone(intention.zone))
    return fired if found is None else replace(fired, next_at=to_ms(found))


def by_importance(intentions: Iterable[Intention]) -> list[Intention]:
    """The most important first; of equals the one that was due first."""
    return sorted(intentions, key=_rank)


def _rank(intention: Intention) -> tuple[float, float, str]:
    due = intention.next_at
    return -intention.importance, float("inf") if due is None else due, intention.id
