"""What one message of a Claude.ai export becomes: a memory, and the blocks that are none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from mnemic.exchange.chats.fields import label_of, labels_of, present, text_of
from mnemic.exchange.common import Item, is_record, shown, source_of
from mnemic.model.origin import Role
from mnemic.model.times import TimeLike
from mnemic.model.trace import Draft

FORMAT = "claude_ai"

_ROLES = {
    "human": Role.USER,
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
}
_SKIPPED = {
    "thinking": "thinking",
    "redacted_thinking": "thinking",
    "image": "attachment",
    "document": "attachment",
}


@dataclass(frozen=True, slots=True)
class Conversation:
    """What the messages of a conversation share."""

    id: str
    title: str
    model: str


def items_of(
    message: dict[str, Any], where: str, talk: Conversation, time: TimeLike | None
) -> Iterator[Item]:
    """The item of a message, then those of its blocks and attachments that are no memory."""
    blocks = message.get("content")
    yield _spoken(message, blocks if isinstance(blocks, list) else [], where, talk, time)
    for number, block in enumerate(blocks if isinstance(blocks, list) else [], 1):
        kind = text_of(block.get("type")) if is_record(block) else ""
        if reason := _skipped(kind):
            yield Item(f"{where}/block {number}", skipped=reason)
    attachments = message.get("attachments")
    for number, one in enumerate(attachments if isinstance(attachments, list) else [], 1):
        if is_record(one) and one.get("extracted_content"):
            yield Item(f"{where}/attachment {number}", skipped="attachment")


def _spoken(
    message: dict[str, Any],
    blocks: list[Any],
    where: str,
    talk: Conversation,
    time: TimeLike | None,
) -> Item:
    sender = message.get("sender")
    role = _ROLES.get(sender) if isinstance(sender, str) else None
    if role is None:
        return Item(where, error=f"sender must be 'human' or 'assistant', not {shown(sender)}")
    text = _text(message, blocks)
    names = labels_of(_names(message))
    if not text.strip():
        return Item(where, skipped="attachment" if names else "no text")
    metadata = present(
        title=talk.title,
        model=talk.model if role is Role.ASSISTANT else "",
        attachments=list(names),
    )
    draft = Draft(
        text.strip(),
        role=role,
        thread=talk.id,
        time=time,
        source=source_of(role),
        source_id=f"{FORMAT}:{talk.id}",
        replay=True,
        metadata=metadata,
    )
    return Item(where, draft=draft)


def _text(message: dict[str, Any], blocks: list[Any]) -> str:
    """The text blocks; or else the bare text, which also stands for blocks that are no text."""
    said = (text_of(_said(one) if is_record(one) else one).strip() for one in blocks)
    text = "\n\n".join(one for one in said if one)
    return text or text_of(message.get("text")) or text_of(message.get("content"))


def _said(block: dict[str, Any]) -> object:
    return None if _skipped(text_of(block.get("type"))) else block.get("text")


def _skipped(kind: str) -> str | None:
    """Why a kind of block is no memory; None for text, and for kinds that are not known."""
    if kind.endswith(("tool_use", "tool_result")):
        return "tool output"
    return _SKIPPED.get(kind)


def _names(message: dict[str, Any]) -> Iterator[str]:
    for key in ("attachments", "files", "files_v2"):
        given = message.get(key)
        for one in given if isinstance(given, list) else ():
            if is_record(one):
                yield label_of(one.get("file_name")) or label_of(one.get("file_uuid"))
