"""Checks a draft and completes it from the principal: steps 1 and 3 of the road in.

What cannot be stored as it is is refused here, with a reason, before anything is touched.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from mnemic.encode.reminding import checked_reminder
from mnemic.model.errors import InvalidInput
from mnemic.model.fact import Fact, checked_fact
from mnemic.model.fence import without_recalled
from mnemic.model.ids import checked_trace_id
from mnemic.model.mind import NEUTRAL, Mood, mood_of
from mnemic.model.origin import Channel, Origin, Role, SourceType, allowed_source, origin_of
from mnemic.model.scope import Principal, Scope, checked_id
from mnemic.model.text import refuse_unstorable
from mnemic.model.times import Validity, parse_time
from mnemic.model.trace import Draft, TraceType, one_of
from mnemic.settings import Settings

RESERVED = frozenset(
    "brain_id scope scope_id scopeId user user_id thread thread_id persona persona_id organization "
    "organization_id trace_id trust filed_by recorded_at retired_at valid_from valid_to "
    "verified_at derived_from".split()
)
"""Metadata keys that would shadow what the brain itself keeps of a trace."""

MAX_LABEL_CHARS = 200
MAX_SOURCES = 256
MAX_FACTS = 64


@dataclass(frozen=True, slots=True)
class Resolved:
    """A draft that can be stored: every field checked, times in milliseconds.

    `content` is empty when all of the text was recalled from the brain itself.
    """

    content: str
    type: TraceType
    scope: Scope
    scope_id: str
    filed_by: str
    tags: tuple[str, ...]
    entities: tuple[str, ...]
    metadata: str
    speaker: str | None
    role: Role | None
    thread: str | None
    time: int
    validity: Validity
    source: SourceType
    channel: Channel
    origin: Origin
    strength: float | None
    replay: bool
    actor: str
    derived_from: tuple[str, ...] = ()
    source_id: str | None = None
    facts: tuple[Fact, ...] | None = None
    mood: Mood = NEUTRAL
    reminder: Mapping[str, Any] | None = None


def resolve(draft: Draft, principal: Principal, settings: Settings, now: int) -> Resolved:
    """Check a draft for this principal.

    Raises:
        InvalidInput: naming the field, its value and what to do.
    """
    scope = principal.default_scope() if draft.scope is None else _scope(draft.scope)
    scope_id = principal.scope_id(scope)
    if scope_id is None:
        raise InvalidInput(
            f"scope {scope.value!r} needs a {scope.value} id, and this principal has none; "
            f"bind it with {scope.value}=..."
        )
    thread = principal.thread if draft.thread is None else checked_id("thread", draft.thread)
    if scope is Scope.THREAD and thread != principal.thread:
        raise InvalidInput(
            f"thread {thread!r} is not the principal's thread {principal.thread!r}; "
            "a trace of scope 'thread' belongs to the thread it is bound to"
        )
    time = parse_time("time", draft.time, settings.timezone)
    time = now if time is None else time
    start = parse_time("valid_from", draft.valid_from, settings.timezone)
    end = parse_time("valid_to", draft.valid_to, settings.timezone)
    if start is None and (end is None or end > time):
        start = time
    role = None if draft.role is None else one_of(Role, "role", draft.role)
    source = allowed_source(one_of(SourceType, "source", draft.source), principal.channel)
    content = checked_content(draft.content, settings)
    return Resolved(
        content=content,
        type=one_of(TraceType, "type", draft.type),
        scope=scope,
        scope_id=scope_id,
        filed_by=principal.owner,
        tags=checked_labels("tags", draft.tags, settings),
        entities=checked_labels("entities", draft.entities, settings),
        metadata=checked_metadata(draft.metadata, settings),
        speaker=None if draft.speaker is None else checked_id("speaker", draft.speaker),
        role=role,
        thread=thread,
        time=time,
        validity=Validity(start, end),
        source=source,
        channel=principal.channel,
        origin=origin_of(source, role, principal.channel),
        strength=_strength(draft.strength),
        replay=bool(draft.replay),
        actor=principal.actor,
        derived_from=checked_sources(draft.derived_from),
        source_id=None if draft.source_id is None else checked_id("source_id", draft.source_id),
        facts=None if draft.facts is None else checked_facts(draft.facts),
        mood=NEUTRAL if draft.mood is None else mood_of(draft.mood),
        reminder=None if draft.reminder is None else checked_reminder(content, draft.reminder),
    )


def checked_sources(ids: object) -> tuple[str, ...]:
    """Ids of the traces that something rests on, without repeats."""
    if isinstance(ids, str | bytes) or not isinstance(ids, Iterable):
        raise InvalidInput(f"derived_from must be a list of trace ids, not {ids!r}")
    found = tuple(dict.fromkeys(checked_trace_id(one) for one in ids))
    if len(found) > MAX_SOURCES:
        raise InvalidInput(f"derived_from names {len(found)} traces, at most {MAX_SOURCES}")
    return found


def checked_facts(facts: object) -> tuple[Fact, ...]:
    """Facts as given: each a `Fact`, or a mapping with its fields."""
    if isinstance(facts, str | bytes | Mapping) or not isinstance(facts, Iterable):
        raise InvalidInput(f"facts must be a list of facts, not {facts!r}")
    found = tuple(dict.fromkeys(checked_fact(_fact(one)) for one in facts))
    if len(found) > MAX_FACTS:
        raise InvalidInput(f"{len(found)} facts are too many, at most {MAX_FACTS} are allowed")
    return found


def _fact(given: object) -> object:
    if not isinstance(given, Mapping):
        return given
    try:
        return Fact(**given)
    except TypeError as error:
        raise InvalidInput(
            f"a fact {dict(given)!r} needs subject, attribute, value and many, and may have "
            f"negated, shape, since, until: {error}"
        ) from error


def _scope(value: object) -> Scope:
    return one_of(Scope, "scope", value)


def _strength(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InvalidInput(f"strength {value!r} must be a number from 0 to 1")
    return float(value)


def checked_content(content: object, settings: Settings) -> str:
    """The text as it is stored: NFC, line ends as LF, without what the brain itself recalled."""
    if not isinstance(content, str):
        raise InvalidInput(f"content must be a string, not {type(content).__name__}")
    most = settings.encoding.max_content_chars
    if len(content) > most:
        raise InvalidInput(
            f"content has {len(content)} characters, at most {most} are stored as one trace; "
            "split it, or raise the setting encoding.max_content_chars"
        )
    refuse_unstorable("content", content)
    text = unicodedata.normalize("NFC", content.replace("\r\n", "\n").replace("\r", "\n"))
    if is_blank(text):
        raise InvalidInput(f"content {content[:40]!r} is blank; there is nothing to remember")
    kept = without_recalled(text)
    return "" if is_blank(kept) else kept


def is_blank(text: str) -> bool:
    """Whether a reader would see nothing: white space, controls and invisible marks only."""
    return all(c.isspace() or unicodedata.category(c) in ("Cc", "Cf", "Mn") for c in text)


def checked_labels(name: str, labels: object, settings: Settings) -> tuple[str, ...]:
    """Tags or entities: strings, in their order, without repeats."""
    if isinstance(labels, str | bytes) or not isinstance(labels, Iterable):
        raise InvalidInput(f"{name} must be a list of strings, not {labels!r}")
    found: dict[str, None] = {}
    for label in labels:
        if not isinstance(label, str) or is_blank(label):
            raise InvalidInput(f"{name} holds {label!r}; each must be a string that is not blank")
        if len(label) > MAX_LABEL_CHARS:
            raise InvalidInput(
                f"{name} holds one of {len(label)} characters, at most {MAX_LABEL_CHARS} are "
                f"allowed: {label[:40]!r}..."
            )
        refuse_unstorable(name, label)
        found[unicodedata.normalize("NFC", label.strip())] = None
    if len(found) > settings.encoding.max_labels:
        raise InvalidInput(
            f"{len(found)} {name} are too many, at most {settings.encoding.max_labels} are allowed"
        )
    return tuple(found)


def checked_metadata(metadata: object, settings: Settings) -> str:
    """The caller's own values as canonical JSON."""
    if not isinstance(metadata, Mapping):
        raise InvalidInput(f"metadata must be a mapping, not {type(metadata).__name__}")
    for key in metadata:
        if not isinstance(key, str):
            raise InvalidInput(f"metadata key {key!r} must be a string")
        if key in RESERVED:
            raise InvalidInput(
                f"metadata key {key!r} is reserved: the brain keeps it itself; use another name"
            )
    try:
        text = json.dumps(dict(metadata), ensure_ascii=False, allow_nan=False, sort_keys=True)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(f"metadata cannot be written as JSON: {error}") from error
    refuse_unstorable("metadata", text)
    most = settings.encoding.max_metadata_chars
    if len(text) > most:
        raise InvalidInput(
            f"metadata has {len(text)} characters as JSON, at most {most} are allowed; "
            "raise the setting encoding.max_metadata_chars"
        )
    return text
