"""A trace: one thing remembered, and the versions it went through."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, TypeVar

from mnemic.model.errors import InvalidInput
from mnemic.model.fact import Fact
from mnemic.model.mind import Emotion, Mood
from mnemic.model.origin import Channel, Origin, Role, SourceType
from mnemic.model.scope import Scope
from mnemic.model.times import TimeLike
from mnemic.model.trust import Trust


class TraceType(StrEnum):
    """What kind of memory a trace is."""

    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"
    PROSPECTIVE = "prospective"
    RELATIONAL = "relational"


_E = TypeVar("_E", bound=StrEnum)


def one_of(kind: type[_E], name: str, value: object) -> _E:
    """`value` as a member of `kind`, or `InvalidInput` that lists what is allowed."""
    try:
        return kind(str(value))
    except ValueError:
        allowed = ", ".join(member.value for member in kind)
        raise InvalidInput(f"{name} {value!r} is unknown; use one of: {allowed}") from None


@dataclass(frozen=True, slots=True)
class Draft:
    """What a writer hands to the brain. `encode` checks and completes it.

    Args:
        content: the text, in any script.
        type: the kind of memory.
        scope: the axis to file it under; None is the principal's default.
        tags: free labels.
        entities: names of people, places and things it is about.
        metadata: JSON values of the caller's own.
        speaker: the name of who said it, where there are several.
        role: who said it, seen from the agent.
        thread: the conversation it was part of; None is the principal's.
        time: when it was said or happened; None is now.
        valid_from: since when it is true; None is `time`.
        valid_to: until when it was true; None is still.
        source: where it comes from.
        strength: 0 to 1; None is what its appraisal gives, about ``mind.appraisal.base_strength``.
        reminder: when what is to be done is to be brought up; for `mind/reminders.py`.
        mood: of the agent as it takes this in; see `mood_of`. None is neutral.
        replay: read from a file that may have been read before: what is known already is
            left as it is.
        derived_from: ids of the traces that this one rests on.
        source_id: the document, page, file or conversation that it comes from.
        facts: what it says, in comparable form; None has the rules look for it.
    """

    content: str
    type: TraceType | str = TraceType.EPISODIC
    scope: Scope | str | None = None
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    speaker: str | None = None
    role: Role | str | None = None
    thread: str | None = None
    time: TimeLike | None = None
    valid_from: TimeLike | None = None
    valid_to: TimeLike | None = None
    source: SourceType | str = SourceType.USER_STATEMENT
    strength: float | None = None
    replay: bool = False
    derived_from: tuple[str, ...] = ()
    source_id: str | None = None
    facts: tuple[Fact, ...] | None = None
    mood: Mood | str | Mapping[str, float] | None = None
    reminder: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Trace:
    """One thing remembered, as a reader sees it. Times are aware and in UTC.

    `strength` is that of its encoding, which fades with `stability`: the time after which an
    unused trace has 1/e of it (`strength_at` of docs/mechanisms.md). What is `archived_at` some
    time stands behind what is not. One that `is_gist` was shortened; its history has the words.
    """

    id: str
    content: str
    type: TraceType
    scope: Scope
    scope_id: str
    tags: tuple[str, ...]
    entities: tuple[str, ...]
    metadata: Mapping[str, Any]
    speaker: str | None
    role: Role | None
    thread: str | None
    time: datetime
    valid_from: datetime | None
    valid_to: datetime | None
    recorded_at: datetime
    retired_at: datetime | None
    trust: Trust
    source: SourceType
    channel: Channel
    origin: Origin
    verified_at: datetime | None
    strength: float
    created_at: datetime
    last_accessed_at: datetime | None
    retrieval_count: int
    version: int
    stability: timedelta
    importance: float
    emotion: Emotion
    archived_at: datetime | None
    is_gist: bool


@dataclass(frozen=True, slots=True)
class Version:
    """One state of a trace: held by the brain from `recorded_at` until `retired_at`."""

    version: int
    content: str
    tags: tuple[str, ...]
    entities: tuple[str, ...]
    metadata: Mapping[str, Any]
    valid_from: datetime | None
    valid_to: datetime | None
    trust: Trust
    channel: Channel
    origin: Origin
    verified_at: datetime | None
    recorded_at: datetime
    retired_at: datetime | None
    cause: str
    reason: str | None
