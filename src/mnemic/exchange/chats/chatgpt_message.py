"""What one message of a ChatGPT export becomes: a memory, or why it is none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from mnemic.errors import InvalidInput
from mnemic.exchange.chats.chatgpt_marks import readable
from mnemic.exchange.chats.fields import label_of, labels_of, present, text_of
from mnemic.exchange.common import Item, is_record, shown, source_of
from mnemic.model.origin import Role, SourceType
from mnemic.model.trace import Draft, TraceType, one_of

FORMAT = "chatgpt"

_THINKING = frozenset({"thoughts", "reasoning_recap"})
_OF_TOOLS = frozenset({"execution_output", "tether_browsing_display", "sonic_webpage"})
_HIDDEN = "is_visually_hidden_from_conversation"


@dataclass(frozen=True, slots=True)
class Conversation:
    """What the messages of a conversation share."""

    id: str
    title: str
    model: str
    gizmo: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where a message stands, when it was sent, and whether on a branch that was left."""

    where: str
    time: datetime | str | None
    other_branch: bool


@dataclass(frozen=True, slots=True)
class _Kind:
    """How a text is filed."""

    role: Role
    source: SourceType
    type: TraceType = TraceType.EPISODIC
    tags: tuple[str, ...] = ()


_INSTRUCTIONS = _Kind(
    Role.USER, SourceType.USER_STATEMENT, TraceType.SEMANTIC, ("custom instructions",)
)
_SAVED = _Kind(Role.ASSISTANT, SourceType.AGENT_INFERENCE, TraceType.SEMANTIC, ("saved memory",))


def item_of(message: object, talk: Conversation, place: Place) -> Item:
    """The item of a message."""
    if not is_record(message) or not is_record(message.get("author") or {}):
        return Item(place.where, error=f"a message must be an object, not {shown(message)}")
    content = message.get("content")
    if isinstance(content, str):
        content = {"parts": [content]}
        message = {**message, "content": content}
    if not is_record(content):
        return Item(place.where, error=f"the message has no content: {shown(content)}")
    found = _kind(message, content)
    if isinstance(found, Item):
        return Item(place.where, error=found.error, skipped=found.skipped)
    return _draft(message, _text(message, content, found), found, talk, place)


def _kind(message: dict[str, Any], content: dict[str, Any]) -> _Kind | Item:
    """How the message is filed, or an item that says why it is not; its place is filled in."""
    form, to = text_of(content.get("content_type")), text_of(message.get("recipient"))
    role, details = text_of((message.get("author") or {}).get("role")), _details(message)
    if form == "user_editable_context" or is_record(details.get("user_context_message_data")):
        return _INSTRUCTIONS
    if form == "model_editable_context" or (to == "bio" and role == Role.ASSISTANT):
        return _SAVED
    if reason := _skipped(form, role, to, hidden=bool(details.get(_HIDDEN))):
        return Item("", skipped=reason)
    try:
        spoken_by = one_of(Role, "role", role)
    except InvalidInput as error:
        return Item("", error=str(error))
    if form == "tether_quote":  # a page or a file that was quoted: not the words of the speaker
        return _Kind(spoken_by, SourceType.RETRIEVED_DOCUMENT)
    return _Kind(spoken_by, source_of(spoken_by))


def _skipped(form: str, role: str, to: str, *, hidden: bool) -> str | None:
    """Why a message is no memory, if it is none."""
    if form in _THINKING:
        return "thinking"
    if role == Role.SYSTEM or form == "system_error":
        return "system message"
    if role == Role.TOOL or form in _OF_TOOLS:
        return "tool output"
    if hidden:
        return "hidden"
    return None if to in {"", "all"} else "tool call"


def _draft(
    message: dict[str, Any], text: str, kind: _Kind, talk: Conversation, place: Place
) -> Item:
    content = message["content"]
    attachments = labels_of(_attachments(message, content))
    if not text.strip():
        return Item(place.where, skipped="attachment" if attachments else "no text")
    draft = Draft(
        text.strip(),
        type=kind.type,
        tags=kind.tags,
        role=kind.role,
        thread=talk.id,
        time=place.time,
        source=kind.source,
        source_id=f"{FORMAT}:{talk.id}",
        replay=True,
        metadata=present(
            title=talk.title,
            model=label_of(_details(message).get("model_slug")) or _model(kind, talk),
            gizmo=talk.gizmo,
            attachments=list(attachments),
            branch="another" if place.other_branch else None,
        ),
    )
    return Item(place.where, draft=draft)


def _model(kind: _Kind, talk: Conversation) -> str:
    return talk.model if kind.role is Role.ASSISTANT else ""


def _details(message: dict[str, Any]) -> dict[str, Any]:
    details = message.get("metadata")
    return details if is_record(details) else {}


def _text(message: dict[str, Any], content: dict[str, Any], kind: _Kind) -> str:
    if kind is _INSTRUCTIONS:
        return _instructions(message, content)
    if context := text_of(content.get("model_set_context")):
        return context
    parts = content.get("parts")
    if isinstance(parts, list):
        return readable("\n".join(_texts(parts)))
    title = label_of(content.get("title"))
    text = text_of(content.get("text")) or text_of(content.get("result"))
    return f"{title}\n{text}" if title and text else text


def _instructions(message: dict[str, Any], content: dict[str, Any]) -> str:
    """What the user wrote: bare from the details, or else with the words put around it."""
    bare = _details(message).get("user_context_message_data")
    given = bare if is_record(bare) else {}
    texts = [text_of(given.get(key)) for key in ("about_user_message", "about_model_message")]
    if not any(text.strip() for text in texts):
        texts = [text_of(content.get(key)) for key in ("user_profile", "user_instructions")]
        texts.extend(_texts(content.get("parts") or ()))
    return "\n\n".join(text.strip() for text in texts if text.strip())


def _texts(parts: object) -> Iterator[str]:
    """The texts among the parts of a message: its strings, and what was said aloud."""
    for part in parts if isinstance(parts, list) else ():
        text = text_of(part.get("text") if is_record(part) else part)
        if text.strip():
            yield text


def _attachments(message: dict[str, Any], content: dict[str, Any]) -> Iterable[str]:
    """The names of files that came with a message, and the addresses of its images and sound."""
    given = _details(message).get("attachments")
    for one in given if isinstance(given, list) else ():
        if is_record(one):
            yield label_of(one.get("name")) or label_of(one.get("id"))
    parts = content.get("parts")
    for part in parts if isinstance(parts, list) else ():
        if is_record(part) and not text_of(part.get("text")):
            yield label_of(part.get("asset_pointer")) or label_of(part.get("content_type"))
