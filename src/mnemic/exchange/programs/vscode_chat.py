"""Read the chats that VS Code keeps for its assistants, as one object or as a log of changes.

A chat is a list of requests, each with what the user typed and the parts of the answer. In the
log (`.jsonl`, since 2026) the first line is the whole chat and each further one sets, extends or
deletes a part of it; of that only what becomes memory is held while it is replayed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from mnemic.errors import ImportFormatError
from mnemic.exchange.common import Item, load_json, shown
from mnemic.exchange.programs.fields import at, instant, list_at, project_of, text_at
from mnemic.exchange.programs.found import Skip
from mnemic.exchange.programs.lines import Record, records
from mnemic.exchange.programs.reading import Run
from mnemic.exchange.programs.turns import Session, is_first, said, skips
from mnemic.model.origin import Role

_KEPT = ("requestId", "message", "response", "timestamp", "modelId")
_HEAD = ("sessionId", "customTitle", "creationDate")
_INITIAL, _SET, _PUSH, _DELETE = range(4)
_CALLS = ("toolInvocation", "toolInvocationSerialized", "prepareToolInvocation")
_EDITS = ("textEditGroup", "notebookEditGroup", "codeblockUri", "workspaceEdit")


def workspace(folder: Path) -> str | None:
    """The project that a folder of VS Code's workspace storage belongs to."""
    try:
        told = load_json(folder / "workspace.json", limit=1 << 20)
    except ImportFormatError:
        return None
    address = text_at(told, "folder") or text_at(told, "workspace")
    return project_of(unquote(address).removesuffix(".code-workspace")) if address else None


def request(where: str, session: Session, asked: Any, run: Run) -> Iterator[Item]:
    """The items of one request: what was typed, and the answer as one message."""
    if not isinstance(asked, dict):
        yield Item(where, error=f"expected an object, not {shown(asked)}")
        return
    name = text_at(asked, "requestId")
    if name and not is_first(run.seen, session.id, name):
        yield Item(where, skipped=Skip.REPEATED)
        return
    time = instant(asked.get("timestamp"), run.zone)
    message = asked.get("message")
    text = message if isinstance(message, str) else text_at(message, "text") or ""
    if text.lstrip().startswith("/") and len(text.split()) == 1:
        yield Item(where, skipped=Skip.COMMAND)
    else:
        yield said(where, session, Role.USER, text, time=time)
    answer, others = _answer(list_at(asked, "response"))
    yield from skips(where, others)
    if answer.strip():
        model = text_at(asked, "modelId")
        yield said(where, session, Role.ASSISTANT, answer, time=time, model=model)
    elif not others:
        yield Item(where, skipped=Skip.NO_TEXT)


def _answer(parts: list[Any]) -> tuple[str, list[Skip]]:
    """The prose of an answer; pieces of it follow each other without a break of their own."""
    texts: list[str] = []
    others: list[Skip] = []
    for part in parts:
        kind = str(part.get("kind") or "markdownContent") if isinstance(part, dict) else ""
        if kind == "markdownContent":
            texts.append(_markdown(part))
        elif kind == "inlineReference":
            texts.append(_reference(part))
        elif kind == "thinking":
            others.append(Skip.THINKING)
        elif kind in _CALLS:
            others.append(Skip.TOOL_CALL)
        else:
            others.append(Skip.FILE_DUMP if kind in _EDITS else Skip.META)
    return "".join(texts), others


def _markdown(part: Record) -> str:
    content = part.get("content", part.get("value"))
    value = content if isinstance(content, str) else at(content, "value")
    return value if isinstance(value, str) else ""


def _reference(part: Record) -> str:
    target = part.get("inlineReference")
    name = text_at(part, "name") or text_at(target, "name")
    path = text_at(target, "path") or text_at(target, "uri", "path")
    return f"`{name or project_of(path) or 'a file'}`"


def replayed(path: Path) -> Iterator[Record | Item]:
    """The chat that a log of changes leads to, after an error for each line that fails."""
    chat: Record = {}
    for line in records(path):
        if isinstance(line, Item):
            yield line
            continue
        where, entry = line
        if entry.get("kind") == _INITIAL:
            chat = _chat(entry.get("v"))
            continue
        try:
            _apply(chat, entry)
        except (LookupError, TypeError, ValueError) as exc:
            yield Item(where, error=f"the change does not fit the chat: {shown(str(exc))}")
    yield chat


def _chat(value: Any) -> Record:
    chat: Record = {key: at(value, key) for key in _HEAD}
    chat["requests"] = [_request(one) for one in list_at(value, "requests")]
    return chat


def _request(value: Any) -> Record:
    return {key: _pruned(key, at(value, key)) for key in _KEPT}


def _pruned(key: object, value: Any) -> Any:
    """A value without what no message is made of."""
    if key == "response" and isinstance(value, list):
        return [_part(one) for one in value]
    return {"text": text_at(value, "text")} if key == "message" else value


def _part(value: Any) -> Any:
    """A part of an answer: one that is no prose keeps its place and its kind."""
    kind = at(value, "kind")
    prose = kind in (None, "markdownContent", "inlineReference")
    return value if prose else {"kind": kind}


def _apply(chat: Record, entry: Record) -> None:
    keys, value, kind = list_at(entry, "k"), entry.get("v"), entry.get("kind")
    if kind not in (_SET, _PUSH, _DELETE):
        raise ValueError(f"unknown kind {kind!r}")
    if not keys or keys[0] not in (*_HEAD, "requests"):
        return
    if keys[0] == "requests":
        if _is_pruned(chat, keys):
            return
        depth = len(keys) + (kind == _PUSH)
        value = _shaped(keys, depth, value, pushed=kind == _PUSH)
    target: Any = chat
    for key in keys[:-1]:
        target = target[key]
    if kind == _PUSH:
        items = target[keys[-1]]
        del items[entry.get("i", len(items)) :]
        items.extend(value or [])
    elif isinstance(target, list) and keys[-1] == len(target):
        target.append(value)
    else:
        target[keys[-1]] = None if kind == _DELETE else value


def _is_pruned(chat: Record, keys: list[Any]) -> bool:
    """Whether a change is of something that is not held."""
    if len(keys) <= 2:
        return False
    if keys[2] == "response" and len(keys) > 4:
        part = chat["requests"][keys[1]]["response"][keys[3]]
        return _part(part) is not part
    return keys[2] not in _KEPT or (keys[2] == "message" and keys[3:] not in ([], ["text"]))


def _shaped(keys: list[Any], depth: int, value: Any, *, pushed: bool) -> Any:
    """A value that goes under `requests`, pruned as the place wants it."""
    make = {1: _chat_requests, 2: _request, 4: _part}.get(depth)
    if depth == 3:
        return _pruned(keys[2], value)
    if make is None or (depth == 4 and keys[2] != "response"):
        return value
    return [make(one) for one in value or []] if pushed else make(value)


def _chat_requests(value: Any) -> list[Record]:
    return [_request(one) for one in value or []]
