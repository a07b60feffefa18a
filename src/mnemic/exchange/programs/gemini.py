"""What Gemini CLI keeps: a chat a session, its log of prompts, and GEMINI.md.

A chat is one JSON object, or since 2026 JSON lines: a head, the messages, and changes to what
came before. There a message stands again each time it grows, so only its last state counts, and
what was rewound does not count at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from mnemic.exchange.common import Item, shown
from mnemic.exchange.programs.fields import changed, instant, list_at, text_at
from mnemic.exchange.programs.found import Found, Kind, Skip
from mnemic.exchange.programs.lines import Record, records
from mnemic.exchange.programs.reading import Run, read_found
from mnemic.exchange.programs.streamed import elements, scalars
from mnemic.exchange.programs.text import cut
from mnemic.exchange.programs.turns import Seen, Session, mark, said, skips
from mnemic.exchange.programs.walk import folders, head_of, holds, owner, walk
from mnemic.model.origin import Role

NAME = "gemini"

_OWN = (".gemini",)
_CHAT = re.compile(r'"sessionId"')
_HASH = re.compile(r"[0-9a-f]{64}")
_ROLES = {"user": Role.USER, "gemini": Role.ASSISTANT}
_WRAPPERS = {"session_context": Skip.SYSTEM, "hook_context": Skip.SYSTEM}
_REFERENCED = re.compile(
    r"^--- Content from referenced files ---$.*?(?:^--- End of content ---$|\Z)", re.M | re.S
)


def places(home: Path, project: Path | None, env: Mapping[str, str], platform: str) -> list[Path]:
    """Where it keeps things; GEMINI_CLI_HOME stands for the home."""
    del platform  # the same everywhere
    configured = env.get("GEMINI_CLI_HOME", "").strip()
    base = (Path(configured) if configured else home) / ".gemini"
    return [base / "tmp", base / "GEMINI.md", *([project / "GEMINI.md"] if project else [])]


def find(place: Path) -> Iterator[Found]:
    """Chats, logs of prompts, memories and instructions of a place."""
    return walk(place, partial(_wanted, owner(place, _OWN)))


def _wanted(project: str | None, path: Path, direct: bool) -> Found | None:
    above = folders(path)
    if path.name == "logs.json":
        return Found(path, Kind.HISTORY, _project(path.parent))
    if path.suffix in (".json", ".jsonl") and (direct or "chats" in above) and holds(path, _CHAT):
        # The chats of sub-agents lie in a folder named after the session.
        kind = Kind.AGENT if above[1] == "chats" else Kind.SESSION
        folder = path.parents[above.index("chats") + 1] if "chats" in above else None
        return Found(path, kind, _project(folder) if folder else None)
    if path.name == "GEMINI.md":
        return Found(path, Kind.INSTRUCTIONS, project)
    if path.suffix == ".md" and above[0] == "memory":
        return Found(path, Kind.MEMORY, _project(path.parents[1]))
    return None


def _project(folder: Path) -> str | None:
    """The project of a folder named after it, or after a hash of its path."""
    told = folder / ".project_root"
    head = head_of(told) if told.is_file() and not told.is_symlink() else None
    if head and head.strip():
        return Path(head.strip()).name
    return None if _HASH.fullmatch(folder.name) else folder.name


def read(found: Found, *, timezone: str | None = None, seen: Seen | None = None) -> Iterator[Item]:
    """Items of a file; `seen` remembers across files what came up before."""
    readers = {Kind.SESSION: _chat, Kind.AGENT: _chat, Kind.HISTORY: _log}
    return read_found(NAME, found, readers, timezone, seen)


def _chat(found: Found, run: Run) -> Iterator[Item]:
    if found.path.suffix == ".jsonl":
        yield from _changes(found, run)
        return
    session = _session(found, scalars(found.path, "messages"))
    for number, message in elements(found.path, "messages"):
        yield from _message(f"{found.path}:message {number}", session, message, run)


def _session(found: Found, head: Record) -> Session:
    name = text_at(head, "sessionId") or found.path.stem
    agent = found.kind is Kind.AGENT or head.get("kind") == "subagent"
    return Session(
        NAME,
        found.path.parent.name if found.kind is Kind.AGENT else name,
        project=found.project,
        title=text_at(head, "summary"),
        agent=name if agent else None,
        time=changed(found.path),
    )


def _changes(found: Found, run: Run) -> Iterator[Item]:
    head, standing = _last_states(found.path)
    session = _session(found, head)
    for line in records(found.path):
        if isinstance(line, Item):
            yield line
            continue
        where, record = line
        name, messages = record.get("id"), list_at(record, "$set", "messages")
        if isinstance(name, str):
            if standing.get(name) == where:
                yield from _message(where, session, record, run)
            else:
                gone = name not in standing
                yield Item(where, skipped=Skip.TAKEN_BACK if gone else Skip.REPEATED)
        elif messages:
            yield from _replaced(where, session, messages, standing, run)
        else:
            yield Item(where, skipped=Skip.META)


def _replaced(
    where: str, session: Session, messages: list[Any], standing: Mapping[str, str], run: Run
) -> Iterator[Item]:
    for message in messages:
        name = message.get("id") if isinstance(message, dict) else None
        if standing.get(str(name), where) == where:
            yield from _message(where, session, message, run)
        else:
            yield Item(where, skipped=Skip.REPEATED)


def _last_states(path: Path) -> tuple[Record, dict[str, str]]:
    """What the lines tell of the chat, and the place of the last state of each message."""
    head: Record = {}
    standing: dict[str, str] = {}
    for line in records(path):
        if isinstance(line, Item):
            continue
        where, record = line
        name, back, new = record.get("id"), record.get("$rewindTo"), record.get("$set")
        if isinstance(back, str):
            names = list(standing)
            kept = names[: names.index(back)] if back in standing else []
            standing = {one: standing[one] for one in kept}
        elif isinstance(name, str):
            standing[name] = where
        elif isinstance(new, dict):
            head |= {key: value for key, value in new.items() if key != "messages"}
            if replaced := list_at(new, "messages"):
                standing = {str(one.get("id")): where for one in replaced if isinstance(one, dict)}
        else:
            head |= record
    return head, standing


def _message(where: str, session: Session, message: Any, run: Run) -> Iterator[Item]:
    if not isinstance(message, dict):
        yield Item(where, error=f"expected an object, not {shown(message)}")
        return
    role = _ROLES.get(str(message.get("type")))
    if role is None:
        yield Item(where, skipped=Skip.SYSTEM)
        return
    others = [Skip.THINKING for _ in list_at(message, "thoughts")]
    for call in list_at(message, "toolCalls"):
        done = isinstance(call, dict) and call.get("result") is not None
        others += [Skip.TOOL_CALL, Skip.TOOL_OUTPUT] if done else [Skip.TOOL_CALL]
    # What was typed stands beside what was sent with the files that it refers to.
    text, parts = _text(message.get("displayContent") or message.get("content"))
    yield from skips(where, others + parts)
    if not text.strip() and others + parts:
        return
    yield _said(where, session, role, text, message, run)


def _said(where: str, session: Session, role: Role, text: str, message: Record, run: Run) -> Item:
    time = instant(message.get("timestamp"), run.zone)
    if role is Role.USER:
        text, reason = _cleaned(text)
        run.seen.add(mark(session.id, text.strip()))
        if not text.strip() and reason:
            return Item(where, skipped=reason)
    return said(where, session, role, text, time=time, model=text_at(message, "model"))


def _text(content: Any) -> tuple[str, list[Skip]]:
    """The text of a content: a text, a part, or a list of either."""
    texts: list[str] = []
    others: list[Skip] = []
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, str):
            texts.append(part)
        elif not isinstance(part, dict):
            others += [] if part is None else [Skip.META]
        elif isinstance(part.get("text"), str):
            texts.append(part["text"]) if not part.get("thought") else others.append(Skip.THINKING)
        elif "functionCall" in part:
            others.append(Skip.TOOL_CALL)
        else:
            others.append(Skip.TOOL_OUTPUT if "functionResponse" in part else Skip.ATTACHMENT)
    return "\n".join(texts), others


def _cleaned(text: str) -> tuple[str, Skip | None]:
    rest, reason = cut(text, _WRAPPERS)
    bare = _REFERENCED.sub("", rest)
    if bare.lstrip().startswith(("/", "!")) and "\n" not in bare.strip():
        return "", Skip.COMMAND
    return bare, reason or (Skip.FILE_DUMP if bare != rest else None)


def _log(found: Found, run: Run) -> Iterator[Item]:
    """Prompts of all sessions: those of a chat that was read before are known."""
    for number, entry in elements(found.path):
        where = f"{found.path}:entry {number}"
        if not isinstance(entry, dict):
            yield Item(where, error=f"expected an object, not {shown(entry)}")
            continue
        if entry.get("type") != "user":
            yield Item(where, skipped=Skip.META)
            continue
        name, text = text_at(entry, "sessionId") or "logs", text_at(entry, "message") or ""
        session = Session(NAME, name, project=found.project, time=changed(found.path))
        if mark(name, _cleaned(text)[0].strip()) in run.seen:
            yield Item(where, skipped=Skip.REPEATED)
        else:
            yield _said(where, session, Role.USER, text, entry, run)
