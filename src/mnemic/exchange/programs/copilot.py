"""What GitHub Copilot keeps: its chats in VS Code, and the sessions of its command line.

VS Code keeps a chat as a file of its own, and long ago kept all of a workspace in one value of
its database. The command line writes the events of a session as JSON lines.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from mnemic.errors import ImportFormatError
from mnemic.exchange.common import Item, shown
from mnemic.exchange.programs.database import opened
from mnemic.exchange.programs.fields import changed, instant, list_at, project_of, text_at
from mnemic.exchange.programs.found import Found, Kind, Skip
from mnemic.exchange.programs.lines import Record, records
from mnemic.exchange.programs.reading import Run, read_found
from mnemic.exchange.programs.streamed import elements, scalars
from mnemic.exchange.programs.turns import SUMMARY, Seen, Session, is_first, said, skips
from mnemic.exchange.programs.vscode_chat import replayed, request, workspace
from mnemic.exchange.programs.walk import folders, holds, owner, walk
from mnemic.model.origin import Role

NAME = "copilot"
OLD_CHATS = "interactive.sessions"

_EDITIONS = ("Code", "Code - Insiders", "VSCodium")
_OWN = (".copilot", *(f"{edition}/User" for edition in _EDITIONS))
_STORES = ("chatSessions", "emptyWindowChatSessions")
_CHAT = re.compile(r'\A\s*\{\s*"(?:version|requests|sessionId|responderUsername|kind)"')
_EVENTS = {
    "tool.execution_start": Skip.TOOL_CALL,
    "tool.execution_complete": Skip.TOOL_OUTPUT,
    "tool.user_requested": Skip.TOOL_CALL,
    "assistant.reasoning": Skip.THINKING,
    "system.message": Skip.SYSTEM,
}


def user_folders(
    home: Path, env: Mapping[str, str], platform: str, names: tuple[str, ...]
) -> list[Path]:
    """Where VS Code and what is made from it keep the user's data."""
    if platform == "darwin":
        base = home / "Library" / "Application Support"
    elif platform.startswith("win"):
        base = Path(env.get("APPDATA", "").strip() or home / "AppData" / "Roaming")
    else:
        base = Path(env.get("XDG_CONFIG_HOME", "").strip() or home / ".config")
    return [base / name / "User" for name in names]


def places(home: Path, project: Path | None, env: Mapping[str, str], platform: str) -> list[Path]:
    """Where it keeps things: in VS Code's folders, and in its own; COPILOT_HOME names that."""
    found: list[Path] = []
    for user in user_folders(home, env, platform, _EDITIONS):
        found += [user / "workspaceStorage", user / "prompts"]
        found.append(user / "globalStorage" / "emptyWindowChatSessions")
    configured = env.get("COPILOT_HOME", "").strip()
    own = Path(configured) if configured else home / ".copilot"
    found += [own / "session-state", own / "copilot-instructions.md"]
    return found + ([project / ".github"] if project else [])


def find(place: Path) -> Iterator[Found]:
    """Chats, databases with old chats, sessions and instructions of a place."""
    return walk(place, partial(_wanted, owner(place, _OWN)))


def _wanted(project: str | None, path: Path, direct: bool) -> Found | None:
    above = folders(path)
    if path.name == "state.vscdb":
        return Found(path, Kind.DATABASE, workspace(path.parent))
    if path.suffix in (".json", ".jsonl"):
        if above[0] in _STORES:
            return Found(path, Kind.SESSION, workspace(path.parents[1]))
        if "session-state" in above[:2] or path.name == "events.jsonl":
            return Found(path, Kind.SESSION) if path.suffix == ".jsonl" else None
        return Found(path, Kind.SESSION) if direct and holds(path, _CHAT) else None
    if path.name == "copilot-instructions.md" or path.name.endswith(".instructions.md"):
        return Found(path, Kind.INSTRUCTIONS, project)
    return None


def read(found: Found, *, timezone: str | None = None, seen: Seen | None = None) -> Iterator[Item]:
    """Items of a file; `seen` remembers across files what came up before."""
    readers = {Kind.SESSION: _session, Kind.DATABASE: _database}
    return read_found(NAME, found, readers, timezone, seen)


def _session(found: Found, run: Run) -> Iterator[Item]:
    if found.path.suffix == ".json":
        session = _named(found, scalars(found.path, "requests"), run)
        for number, asked in elements(found.path, "requests"):
            yield from request(f"{found.path}:request {number}", session, asked, run)
    elif holds(found.path, re.compile(r'\A\s*\{\s*"kind"\s*:\s*\d')):
        yield from _log(found, run)
    else:
        yield from _events(found, run)


def _named(found: Found, head: Record, run: Run) -> Session:
    return Session(
        NAME,
        text_at(head, "sessionId") or found.path.stem,
        project=found.project,
        title=text_at(head, "customTitle"),
        time=instant(head.get("creationDate"), run.zone) or changed(found.path),
    )


def _log(found: Found, run: Run) -> Iterator[Item]:
    for chat in replayed(found.path):
        if isinstance(chat, Item):
            yield chat
            continue
        session = _named(found, chat, run)
        for number, asked in enumerate(list_at(chat, "requests"), 1):
            yield from request(f"{found.path}:request {number}", session, asked, run)


def _database(found: Found, run: Run) -> Iterator[Item]:
    """The chats that older versions kept in one value."""
    with opened(found.path) as held:
        raw = held.value("ItemTable", OLD_CHATS)
    yield from old_chats(NAME, found, raw, run)


def old_chats(program: str, found: Found, raw: str | None, run: Run) -> Iterator[Item]:
    """The items of that value; nothing for a blank one."""
    where = f"{found.path}:{OLD_CHATS}"
    if raw is None:
        yield Item(where, error="the value is too long to be read")
        return
    try:
        chats = json.loads(raw or "[]")
    except (ValueError, RecursionError) as exc:
        raise ImportFormatError(f"{where} is not JSON: {exc}") from None
    for number, chat in enumerate(chats if isinstance(chats, list) else [chats], 1):
        if not isinstance(chat, dict):
            yield Item(f"{where}:chat {number}", error=f"expected an object, not {shown(chat)}")
            continue
        session = replace(_named(found, chat, run), program=program)
        for place, asked in enumerate(list_at(chat, "requests"), 1):
            yield from request(f"{where}:chat {number}:request {place}", session, asked, run)


# --- command line ----------------------------------------------------------------------------


def _events(found: Found, run: Run) -> Iterator[Item]:
    path = found.path
    name = path.parent.name if path.name == "events.jsonl" else path.stem
    session = Session(NAME, name, time=changed(path))
    for line in records(path):
        if isinstance(line, Item):
            yield line
            continue
        where, event = line
        data = event.get("data")
        data = data if isinstance(data, dict) else {}
        session = _going_on(session, event, data, run)
        yield from _event(where, session, event, data, run)


def _going_on(session: Session, event: Record, data: Record, run: Run) -> Session:
    """The session with what an event tells of it."""
    told = data if str(event.get("type")).startswith("session.") else {}
    return replace(
        session,
        time=instant(event.get("timestamp"), run.zone) or session.time,
        id=text_at(told, "sessionId") or session.id,
        project=project_of(text_at(told, "context", "cwd")) or session.project,
        title=text_at(told, "title") or session.title,
        model=text_at(told, "newModel") or text_at(told, "selectedModel") or session.model,
        agent=text_at(data, "parentToolCallId"),
    )


def _event(where: str, session: Session, event: Record, data: Record, run: Run) -> Iterator[Item]:
    kind, name = str(event.get("type")), text_at(event, "id")
    if name and not is_first(run.seen, name):
        yield Item(where, skipped=Skip.REPEATED)
    elif kind == "user.message":
        yield said(where, session, Role.USER, text_at(data, "content") or "")
    elif kind == "assistant.message":
        calls = [Skip.TOOL_CALL for _ in list_at(data, "toolRequests")]
        yield from skips(where, calls)
        text = text_at(data, "content") or ""
        if text or not calls:
            yield said(where, session, Role.ASSISTANT, text, model=text_at(data, "model"))
    elif kind == "session.compaction_complete":
        text = text_at(data, "summaryContent") or ""
        yield said(where, session, Role.ASSISTANT, text, tags=SUMMARY)
    else:
        yield Item(where, skipped=_EVENTS.get(kind, Skip.META))
