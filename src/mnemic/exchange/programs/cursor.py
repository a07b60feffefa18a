"""What Cursor keeps: its chats in the databases of the editor, transcripts, and rules.

A chat (a "composer") is a row with the order of its messages, and a row for each message (a
"bubble"); older versions kept the messages within, or all chats of a workspace in one value. The
agent writes a transcript besides, as text or JSON lines without times; what the database told
already is left out there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from mnemic.exchange.common import Item, shown
from mnemic.exchange.programs.copilot import user_folders
from mnemic.exchange.programs.cursor_database import NAME, chats
from mnemic.exchange.programs.cursor_text import turns
from mnemic.exchange.programs.fields import at, changed, instant, text_at
from mnemic.exchange.programs.found import Found, Kind, Skip
from mnemic.exchange.programs.lines import Record, records
from mnemic.exchange.programs.reading import Run, read_found
from mnemic.exchange.programs.streamed import elements
from mnemic.exchange.programs.text import cut, within
from mnemic.exchange.programs.turns import Seen, Session, mark, skips, split, turn
from mnemic.exchange.programs.vscode_chat import workspace
from mnemic.exchange.programs.walk import folders, holds, owner, walk
from mnemic.model.origin import Role

_EXPORT = re.compile(r'\A\s*\{\s*"conversations"')
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}
_QUERY = "user_query"
_WRAPPERS = dict.fromkeys(
    (
        "user_info",
        "system_reminder",
        "attached_files",
        "open_and_recently_viewed_files",
        "project_layout",
        "git_status",
        "rules",
        "agent_skills",
        "agent_transcripts",
        "additional_data",
        "timestamp",
    ),
    Skip.META,
)


def places(home: Path, project: Path | None, env: Mapping[str, str], platform: str) -> list[Path]:
    """Where it keeps things: the editor's folders, and its own in the home."""
    user = user_folders(home, env, platform, ("Cursor",))[0]
    found = [
        user / "globalStorage" / "state.vscdb",
        user / "workspaceStorage",
        home / ".cursor" / "projects",
    ]
    return found + ([project / ".cursor", project / ".cursorrules"] if project else [])


def find(place: Path) -> Iterator[Found]:
    """Databases, transcripts and rules of a place."""
    return walk(place, partial(_wanted, owner(place, ())))


def _wanted(project: str | None, path: Path, direct: bool) -> Found | None:
    if path.name == "state.vscdb":
        return Found(path, Kind.DATABASE, workspace(path.parent))
    if path.suffix == ".jsonl":
        agent = "subagents" in folders(path)
        return Found(path, Kind.AGENT if agent else Kind.SESSION, _project(path))
    if path.suffix == ".txt" and "agent-transcripts" in folders(path):
        return Found(path, Kind.SESSION, _project(path))
    if path.suffix == ".json" and direct and holds(path, _EXPORT):
        return Found(path, Kind.SESSION)
    rules = path.suffix == ".md" and "rules" in folders(path)
    if rules or path.suffix == ".mdc" or path.name == ".cursorrules":
        return Found(path, Kind.INSTRUCTIONS, project)
    return None


def _project(path: Path) -> str | None:
    """The folder of the project, as Cursor spells its path, above that of the transcripts."""
    names = [parent.name for parent in path.parents]
    above = names.index("agent-transcripts") + 1 if "agent-transcripts" in names else len(names)
    return names[above] if above < len(names) else None


def read(found: Found, *, timezone: str | None = None, seen: Seen | None = None) -> Iterator[Item]:
    """Items of a file; `seen` remembers across files what came up before."""
    readers = {Kind.DATABASE: chats, Kind.SESSION: _session, Kind.AGENT: _session}
    return read_found(NAME, found, readers, timezone, seen)


def _session(found: Found, run: Run) -> Iterator[Item]:
    if found.path.suffix == ".json":
        yield from _export(found, run)
        return
    agent = found.path.stem if found.kind is Kind.AGENT else None
    # A sub-agent's transcript lies in a folder of the session's.
    name = found.path.parents[1].name if agent else found.path.stem
    session = Session(NAME, name, project=found.project, agent=agent, time=changed(found.path))
    if found.path.suffix == ".txt":
        for item in turns(found, session, _cleaned):
            known = item.draft and mark(session.id, item.draft.content) in run.seen
            yield Item(item.where, skipped=Skip.REPEATED) if known else item
        return
    for line in records(found.path):
        if isinstance(line, Item):
            yield line
        else:
            yield from _turn(*line, session, run)


def _turn(where: str, record: Record, session: Session, run: Run) -> Iterator[Item]:
    if "role" not in record:
        yield Item(where, skipped=Skip.META)
        return
    role = _ROLES.get(str(record["role"]))
    content = at(record, "message", "content") if "message" in record else record.get("content")
    if role is None:
        yield Item(where, skipped=Skip.SYSTEM)
        return
    if content is None:
        yield Item(where, error=f"the message has no content: {shown(record)}")
        return
    if isinstance(content, str | list):
        text, others = split(content)
        if text.strip() and mark(session.id, _cleaned(text)[0].strip()) in run.seen:
            yield from skips(where, [*others, Skip.REPEATED])
            return
    time = instant(record.get("timestamp"), run.zone)
    clean = _cleaned if role is Role.USER else None
    yield from turn(where, session, role, content, clean=clean, time=time)


def _cleaned(text: str) -> tuple[str, Skip | None]:
    """What the user asked: it stands in an element of its own, with context around it."""
    asked = within(text, _QUERY)
    return cut(text, _WRAPPERS) if asked is None else (asked, None)


def _export(found: Found, run: Run) -> Iterator[Item]:
    """A file of conversations, each with a title and its messages, as other tools write it."""
    for number, chat in elements(found.path, "conversations"):
        where = f"{found.path}:conversation {number}"
        messages = at(chat, "messages")
        if not isinstance(messages, list):
            yield Item(where, error=f"it has no list of messages: {shown(chat)}")
            continue
        if not messages:
            yield Item(where, skipped=Skip.NO_TEXT)
        name = text_at(chat, "id") or f"{found.path.stem} {number}"
        session = Session(NAME, name, title=text_at(chat, "title"), time=changed(found.path))
        for place, message in enumerate(messages, 1):
            at_message = f"{where}:message {place}"
            if isinstance(message, dict):
                yield from _turn(at_message, message, session, run)
            else:
                yield Item(at_message, error=f"expected an object, not {shown(message)}")
