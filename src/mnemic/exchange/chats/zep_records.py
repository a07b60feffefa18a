"""What one record of a Zep export becomes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mnemic.exchange.chats.fields import (
    foreign,
    id_of,
    label_of,
    labels_of,
    present,
    text_of,
    time_of,
)
from mnemic.exchange.common import Item, shown, source_of
from mnemic.model.origin import Role, SourceType
from mnemic.model.trace import Draft, TraceType

FORMAT = "zep"

_ROLES = {
    "user": Role.USER,
    "human": Role.USER,
    "assistant": Role.ASSISTANT,
    "ai": Role.ASSISTANT,
}
_SKIPPED_ROLES = {
    "system": "system message",
    "tool": "tool output",
    "function": "tool output",
}


@dataclass(frozen=True, slots=True)
class Session:
    """The conversation that a record belongs to; an id of "" stands for none."""

    id: str
    user: str


def message(record: Mapping[str, Any], where: str, home: Session, timezone: str | None) -> Item:
    """The item of a message. Its role is the sender's kind, or else the sender's name."""
    said = text_of(record.get("content")).strip()
    names = [text_of(record.get(key)) for key in ("role_type", "role")]
    role = next((_ROLES[name.lower()] for name in names if name.lower() in _ROLES), None)
    for name in names:
        if role is None and name.lower() in _SKIPPED_ROLES:
            return Item(where, skipped=_SKIPPED_ROLES[name.lower()])
    if not said:
        return Item(where, skipped="no text")
    own = "" if names[1].lower() in _ROLES else names[1]
    thread = home.id or label_of(record.get("session_id")) or label_of(record.get("thread_id"))
    draft = Draft(
        said,
        role=role,
        speaker=label_of(record.get("name")) or label_of(own) or None,
        thread=thread or None,
        time=time_of(record.get("created_at"), timezone, name="created_at"),
        source=source_of(role),
        source_id=f"{FORMAT}:{thread or id_of(record, 'uuid')}",
        replay=True,
        metadata=_details(record, home),
    )
    return Item(where, draft=draft)


def fact(
    record: Mapping[str, Any],
    where: str,
    home: Session,
    ends: tuple[str, ...],
    timezone: str | None,
) -> Item:
    """The item of a fact. One that its graph has dropped is over, if not before, then with that."""
    text = record.get("fact")
    if not isinstance(text, str):
        return Item(where, error=f"fact must be a text, not {shown(text)}")
    if not text.strip():
        return Item(where, skipped="no text")
    until = record.get("invalid_at") or record.get("expired_at")
    draft = Draft(
        text_of(text).strip(),
        type=TraceType.SEMANTIC,
        tags=labels_of([record.get("name")]),
        entities=ends,
        thread=home.id or None,
        time=time_of(record.get("created_at"), timezone, name="created_at"),
        valid_from=time_of(record.get("valid_at"), timezone, name="valid_at"),
        valid_to=time_of(until, timezone, name="invalid_at"),
        source=SourceType.FACT_GRAPH,
        source_id=f"{FORMAT}:{home.id or _group(record)}",
        replay=True,
        metadata=_details(record, home),
    )
    return Item(where, draft=draft)


def node(
    record: Mapping[str, Any],
    where: str,
    timezone: str | None,
    home: Session | None = None,
) -> Item:
    """The item of a thing in the graph: what its summary says of it."""
    name, summary = label_of(record.get("name")), text_of(record.get("summary")).strip()
    if not summary:
        return Item(where, skipped="no text")
    labels = [label for label in labels_of(record.get("labels") or ()) if label != "Entity"]
    session = home or Session("", "")
    draft = Draft(
        f"{name}: {summary}" if name and name not in summary else summary,
        type=TraceType.SEMANTIC,
        tags=tuple(labels),
        entities=labels_of([name]),
        thread=session.id or None,
        time=time_of(record.get("created_at"), timezone, name="created_at"),
        source=SourceType.MEMORY_SUMMARY,
        source_id=f"{FORMAT}:{session.id or _group(record)}",
        replay=True,
        metadata=_details(record, session),
    )
    return Item(where, draft=draft)


def episode(record: Mapping[str, Any], where: str, home: Session, timezone: str | None) -> Item:
    """The item of what the graph was built from: a message, or a text or data from elsewhere."""
    text = text_of(record.get("content")) or text_of(record.get("episode_body"))
    if not text.strip():
        return Item(where, skipped="no text")
    kind = text_of(record.get("role_type")).lower()
    if reason := _SKIPPED_ROLES.get(kind):
        return Item(where, skipped=reason)
    role = _ROLES.get(kind)
    when = record.get("valid_at") or record.get("reference_time") or record.get("created_at")
    thread = home.id or label_of(record.get("session_id")) or label_of(record.get("thread_id"))
    draft = Draft(
        text.strip(),
        role=role,
        speaker=label_of(record.get("role")) or None,
        thread=thread or None,
        time=time_of(when, timezone, name="valid_at"),
        source=SourceType.EXTERNAL if role is None else source_of(role),
        source_id=f"{FORMAT}:{thread or _group(record)}",
        replay=True,
        metadata=_details(record, home)
        | present(source_description=label_of(record.get("source_description"))),
    )
    return Item(where, draft=draft)


def _group(record: Mapping[str, Any]) -> str:
    return label_of(record.get("group_id")) or label_of(record.get("graph_id")) or "graph"


def _details(record: Mapping[str, Any], home: Session) -> dict[str, Any]:
    own = foreign(record.get("metadata")) | foreign(record.get("attributes"))
    return own | present(
        imported_id=label_of(record.get("uuid")) or label_of(record.get("uuid_")),
        their_user=home.user or label_of(record.get("user_id")),
        their_group=label_of(record.get("group_id")),
        expired_at=label_of(record.get("expired_at")),
    )
