"""Make items of what was said: one draft a message, and a reason for each part that is none."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from mnemic.exchange.common import Item, shown, source_of
from mnemic.exchange.programs.found import Skip
from mnemic.exchange.programs.text import folded, is_only_code, storable
from mnemic.model.origin import Role
from mnemic.model.trace import Draft

SUMMARY = ("summary",)
"""The tag of what an assistant wrote to sum up a conversation."""

Clean = Callable[[str], tuple[str, Skip | None]]
"""Leaves out what a program put into a text; the reason counts when nothing is left."""

Seen = set[bytes]
"""Marks of messages that came up before, in this file or in another of the same program."""

_MAX_ID = 160

_SKIPS = {
    "thinking": Skip.THINKING,
    "redacted_thinking": Skip.THINKING,
    "reasoning": Skip.THINKING,
    "tool_use": Skip.TOOL_CALL,
    "server_tool_use": Skip.TOOL_CALL,
    "mcp_tool_use": Skip.TOOL_CALL,
    "toolCall": Skip.TOOL_CALL,
    "image": Skip.ATTACHMENT,
    "input_image": Skip.ATTACHMENT,
    "document": Skip.ATTACHMENT,
    "file": Skip.ATTACHMENT,
    "input_file": Skip.ATTACHMENT,
}
_TEXTS = ("text", "input_text", "output_text")


@dataclass(frozen=True, slots=True)
class Session:
    """A conversation, as far as it is known.

    Args:
        program: the name of the program.
        id: the program's own name of the conversation.
        project: the folder worked in.
        title: what the conversation is called.
        model: the model that answers.
        agent: the sub-agent whose conversation it is; its user is the assistant.
        time: what a message has that carries no time of its own.
    """

    program: str
    id: str
    project: str | None = None
    title: str | None = None
    model: str | None = None
    agent: str | None = None
    time: datetime | None = None


def said(
    where: str,
    session: Session,
    role: Role,
    text: str,
    *,
    time: datetime | None = None,
    model: str | None = None,
    tags: tuple[str, ...] = (),
) -> Item:
    """The item of a message: a draft, or why nothing of it is worth one."""
    content = storable(folded(text)).strip()
    if not content:
        return Item(where, skipped=Skip.NO_TEXT)
    if is_only_code(content):
        return Item(where, skipped=Skip.FILE_DUMP)
    role = Role.ASSISTANT if session.agent else role
    named = clean_id(session.id)
    draft = Draft(
        content,
        role=role,
        thread=named,
        time=time or session.time,
        source=source_of(role),
        replay=True,
        source_id=f"{session.program}:{named}",
        tags=tags,
        metadata=_about(session, model),
    )
    return Item(where, draft=draft)


def _about(session: Session, model: str | None) -> dict[str, str]:
    told = {
        "project": session.project,
        "title": session.title,
        "model": model or session.model,
        "agent": session.agent,
    }
    return {key: storable(value)[:_MAX_ID] for key, value in told.items() if value}


def clean_id(name: str) -> str:
    """A name as an id: without control characters, and not longer than one may be."""
    kept = "".join(c for c in storable(name) if c.isprintable()).strip()
    if len(kept) <= _MAX_ID:
        return kept or "unnamed"
    return f"{kept[: _MAX_ID - 25]}-{mark(name).hex()}"


def turn(
    where: str,
    session: Session,
    role: Role,
    content: object,
    *,
    clean: Clean | None = None,
    time: datetime | None = None,
    model: str | None = None,
    tags: tuple[str, ...] = (),
) -> Iterator[Item]:
    """The items of a message whose content is a text, or a list of blocks."""
    if not isinstance(content, str | list | None):
        yield Item(where, error=f"content must be text or a list of blocks, not {shown(content)}")
        return
    text, others = split(content)
    yield from skips(where, others)
    if not text.strip() and others:
        return
    rest, reason = clean(text) if clean else (text, None)
    if reason and not rest.strip():
        yield Item(where, skipped=reason)
    else:
        yield said(where, session, role, rest, time=time, model=model, tags=tags)


def split(content: str | list[Any] | None) -> tuple[str, list[Skip]]:
    """The text of a content, and why each other block of it is no memory."""
    if not isinstance(content, list):
        return content or "", []
    texts: list[str] = []
    others: list[Skip] = []
    for block in content:
        kind = block.get("type") if isinstance(block, dict) else None
        if isinstance(block, str):
            texts.append(block)
        elif kind in _TEXTS and isinstance(block.get("text"), str):
            texts.append(block["text"])
        else:
            others.append(_skip_of(kind))
    return "\n".join(texts), others


def _skip_of(kind: object) -> Skip:
    if isinstance(kind, str) and kind.endswith("tool_result"):
        return Skip.TOOL_OUTPUT
    return _SKIPS.get(kind, Skip.META) if isinstance(kind, str) else Skip.META


def skips(where: str, reasons: list[Skip]) -> Iterator[Item]:
    """An item for each reason."""
    for reason in reasons:
        yield Item(where, skipped=reason)


def mark(*parts: str) -> bytes:
    """What stands for a message among those that came up before."""
    joined = "\x1f".join(parts).encode("utf-8", "replace")
    return hashlib.blake2b(joined, digest_size=12).digest()


def is_first(seen: Seen, *parts: str) -> bool:
    """Whether this comes up for the first time; from now on it has."""
    one = mark(*parts)
    if one in seen:
        return False
    seen.add(one)
    return True
