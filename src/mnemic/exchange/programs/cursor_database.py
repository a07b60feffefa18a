"""Read the chats in Cursor's databases: composers and bubbles, and the forms before them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mnemic.errors import InvalidInput
from mnemic.exchange.common import Item, json_object
from mnemic.exchange.programs.copilot import OLD_CHATS, old_chats
from mnemic.exchange.programs.database import Database, opened
from mnemic.exchange.programs.fields import at, changed, instant, list_at, project_of, text_at
from mnemic.exchange.programs.found import Found, Skip
from mnemic.exchange.programs.lines import Record
from mnemic.exchange.programs.reading import Run
from mnemic.exchange.programs.turns import SUMMARY, Session, is_first, mark, said, skips
from mnemic.model.origin import Role

NAME = "cursor"

_ROWS = "cursorDiskKV"
_COMPOSER, _BUBBLE = "composerData:", "bubbleId:"
_TABS, _COMPOSERS = "workbench.panel.aichat.view.aichat.chatdata", "composer.composerData"
_ROLES = {1: Role.USER, 2: Role.ASSISTANT, "user": Role.USER, "ai": Role.ASSISTANT}
_TOO_LONG = "the value is too long to be read"


def chats(found: Found, run: Run) -> Iterator[Item]:
    """The chats of a database, in whichever of its forms."""
    with opened(found.path) as held:
        for key, raw in held.values(_ROWS, _COMPOSER):
            where = f"{found.path}:{key}"
            composer = _object(where, raw)
            if isinstance(composer, Item):
                yield composer
            else:
                composer_id = key.removeprefix(_COMPOSER)
                yield from _composer(where, composer_id, composer, found, held, run)
        for key, name in ((_TABS, "tabs"), (_COMPOSERS, "allComposers")):
            yield from _within(found, key, name, held.value("ItemTable", key), run)
        raw = held.value("ItemTable", OLD_CHATS)
    yield from old_chats(NAME, found, raw, run)


def _object(where: str, raw: str | None) -> Record | Item:
    if raw is None:
        return Item(where, error=_TOO_LONG)
    if not raw:  # Cursor empties the rows of what was deleted
        return Item(where, skipped=Skip.NO_TEXT)
    try:
        return json_object(raw)
    except InvalidInput as exc:
        return Item(where, error=str(exc))


def _session(name: str, chat: Record, found: Found, run: Run) -> Session:
    created = chat.get("createdAt") or chat.get("lastSendTime")
    return Session(
        NAME,
        text_at(chat, "composerId") or text_at(chat, "tabId") or name,
        project=found.project or project_of(at(chat, "workspaceIdentifier", "uri", "path")),
        title=text_at(chat, "name") or text_at(chat, "chatTitle"),
        model=text_at(chat, "modelConfig", "modelName"),
        agent=text_at(chat, "subagentInfo", "subagentType"),
        time=instant(created, run.zone) or changed(found.path),
    )


def _composer(
    where: str, name: str, composer: Record, found: Found, held: Database, run: Run
) -> Iterator[Item]:
    session = _session(name, composer, found, run)
    prefix = f"{_BUBBLE}{name}:"
    rows = held.keys(_ROWS, prefix)
    heads = [text_at(head, "bubbleId") for head in list_at(composer, "fullConversationHeadersOnly")]
    order = [prefix + head for head in heads if head] or rows
    inline = _inline(composer)
    if not order and not inline:
        yield Item(where, skipped=Skip.NO_TEXT)
    for key in order:
        at_bubble = f"{found.path}:{key}"
        bubble: Any = inline.pop(key.removeprefix(prefix), None)
        if bubble is None:
            bubble = _object(at_bubble, held.value(_ROWS, key))
        if isinstance(bubble, Item):
            yield bubble
        else:
            yield from _bubble(at_bubble, session, bubble, run)
    for bubble in inline.values():
        yield from _bubble(where, session, bubble, run)
    # Bubbles that the chat no longer names were rewound, or belong to a draft.
    for key in sorted(set(rows) - set(order)):
        yield Item(f"{found.path}:{key}", skipped=Skip.TAKEN_BACK)
    if text := text_at(composer, "latestConversationSummary", "summary", "summary"):
        yield said(where, session, Role.ASSISTANT, text, tags=SUMMARY)


def _inline(composer: Record) -> dict[str, Any]:
    """The messages that a composer holds itself, by their ids."""
    held = composer.get("conversationMap")
    bubbles: dict[str, Any] = dict(held) if isinstance(held, dict) else {}
    for number, bubble in enumerate(list_at(composer, "conversation")):
        bubbles[text_at(bubble, "bubbleId") or f"#{number}"] = bubble
    return bubbles


def _within(found: Found, key: str, name: str, raw: str | None, run: Run) -> Iterator[Item]:
    """The chats that a workspace's database holds in one value; nothing for a blank one."""
    where = f"{found.path}:{key}"
    holder = _object(where, raw)
    if isinstance(holder, Item):
        if raw != "":
            yield holder
        return
    for number, chat in enumerate(list_at(holder, name), 1):
        at_chat = f"{where}:{number}"
        bubbles = list_at(chat, "bubbles") or list_at(chat, "conversation")
        if not bubbles:  # only the head of a chat that lies in the other database
            yield Item(at_chat, skipped=Skip.META)
            continue
        session = _session(f"chat {number}", chat, found, run)
        for bubble in bubbles:
            yield from _bubble(at_chat, session, bubble, run)


def _bubble(where: str, session: Session, bubble: Any, run: Run) -> Iterator[Item]:
    """The items of one message."""
    kind = at(bubble, "type")
    role = _ROLES.get(kind) if isinstance(kind, int | str) else None
    if role is None:
        yield Item(where, skipped=Skip.META)
        return
    name = text_at(bubble, "bubbleId")
    if name and not is_first(run.seen, session.id, "bubble", name):
        yield Item(where, skipped=Skip.REPEATED)
        return
    others = [Skip.THINKING] if text_at(bubble, "thinking", "text") else []
    if isinstance(bubble.get("toolFormerData"), dict):
        done = bubble["toolFormerData"].get("result") is not None
        others += [Skip.TOOL_CALL, Skip.TOOL_OUTPUT] if done else [Skip.TOOL_CALL]
    yield from skips(where, others)
    text = text_at(bubble, "text") or text_at(bubble, "rawText") or ""
    if text or not others:
        run.seen.add(mark(session.id, text.strip()))
        sent = bubble.get("createdAt") or at(bubble, "timingInfo", "clientStartTime")
        model = text_at(bubble, "modelInfo", "modelName") or text_at(bubble, "modelType")
        yield said(where, session, role, text, time=instant(sent, run.zone), model=model)
