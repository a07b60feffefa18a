"""What one message of an agent file becomes.

The older kinds of agent speak through a tool, `send_message`, and what they write beside it is
thought, not said; and what reaches them is wrapped in JSON with its type. Both are unpacked here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from mnemic.errors import InvalidInput
from mnemic.exchange.chats.fields import label_of, present, text_of, time_of
from mnemic.exchange.common import Item, is_record, shown, source_of
from mnemic.model.origin import Role
from mnemic.model.times import TimeLike
from mnemic.model.trace import Draft, one_of

FORMAT = "letta"

_SPEAKS_PLAINLY = "letta_v1_agent"
_SPEECH = "send_message"
_SKIPPED_ROLES = {
    "system": "system message",
    "tool": "tool output",
    "function": "tool output",
    "approval": "tool output",
}
_SKIPPED_PARTS = {
    "tool_return": "tool output",
    "image": "attachment",
}


@dataclass(frozen=True, slots=True)
class Agent:
    """Whose messages they are, and of which kind it is."""

    name: str
    kind: str


def items_of(message: object, number: int, agent: Agent, timezone: str | None) -> Iterator[Item]:
    """The items of a message: what was said, and what of it is no memory."""
    where = f"{agent.name}/{number}"
    if not is_record(message):
        yield Item(where, error=f"a message must be an object, not {shown(message)}")
        return
    where = f"{agent.name}/{label_of(message.get('id')) or number}"
    role = text_of(message.get("role"))
    if reason := _SKIPPED_ROLES.get(role):
        yield Item(where, skipped=reason)
        return
    try:
        spoken_by = one_of(Role, "role", role)
        time = time_of(message.get("created_at"), timezone)
    except InvalidInput as error:
        yield Item(where, error=str(error))
        return
    for text, reason in _texts(message, spoken_by, agent):
        if reason is not None:
            yield Item(where, skipped=reason)
        else:
            yield Item(where, draft=_draft(text, message, spoken_by, agent, time))


def _texts(message: dict[str, Any], role: Role, agent: Agent) -> Iterator[tuple[str, str | None]]:
    """Each text of a message, with why it is no memory if it is none. At least one."""
    calls = [call for call in _list(message, "tool_calls") if is_record(call)]
    spoken = [text for call in calls if (text := _speech(call)).strip()]
    text, parts = _content(message)
    if role is Role.USER:
        text, reason = _unwrapped(text)
    else:
        aside = calls and (spoken or agent.kind != _SPEAKS_PLAINLY)
        reason = "thinking" if aside else None
    if text.strip():
        yield text.strip(), reason
    for said in spoken:
        yield said.strip(), None
    yield from (("", reason) for reason in parts)
    if len(calls) > len(spoken):
        yield "", "tool call"
    if not (text.strip() or spoken or parts or calls):
        yield "", "no text"


def _content(message: dict[str, Any]) -> tuple[str, list[str]]:
    """The text of the content, and why each of its other parts is no memory."""
    content = message.get("content")
    if not isinstance(content, list):
        return text_of(content) or text_of(message.get("text")), []
    texts, others = [], []
    for part in content:
        kind = text_of(part.get("type")) if is_record(part) else "text"
        if "reasoning" in kind or kind == "thinking":
            others.append("thinking")
        elif kind in _SKIPPED_PARTS:
            others.append(_SKIPPED_PARTS[kind])
        else:
            texts.append(text_of(part.get("text") if is_record(part) else part))
    return "\n".join(text for text in texts if text.strip()), others


def _unwrapped(text: str) -> tuple[str, str | None]:
    """A user's words out of the JSON around them; other kinds of it are events of the system."""
    if not text.lstrip().startswith("{"):
        return text, None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text, None
    if not is_record(value) or not isinstance(value.get("type"), str):
        return text, None
    if value["type"] == "user_message" and isinstance(value.get("message"), str):
        return text_of(value["message"]), None
    return text, "system message"


def _speech(call: dict[str, Any]) -> str:
    function = call.get("function")
    if not is_record(function) or function.get("name") != _SPEECH:
        return ""
    given = function.get("arguments")
    try:
        arguments = json.loads(given) if isinstance(given, str) else given
    except (ValueError, RecursionError):
        return ""
    return text_of(arguments.get("message")) if is_record(arguments) else ""


def _list(record: dict[str, Any], key: str) -> list[Any]:
    value = record.get(key)
    return value if isinstance(value, list) else []


def _draft(
    text: str, message: dict[str, Any], role: Role, agent: Agent, time: TimeLike | None
) -> Draft:
    model = message.get("model") if role is Role.ASSISTANT else None
    return Draft(
        text,
        role=role,
        speaker=label_of(message.get("name")) or None,
        thread=agent.name,
        time=time,
        source=source_of(role),
        source_id=f"{FORMAT}:{agent.name}",
        replay=True,
        metadata=present(model=label_of(model), agent=agent.name),
    )
