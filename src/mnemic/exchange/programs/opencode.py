"""What opencode keeps: a database of sessions, messages and parts, or the same as JSON files.

The files are what it kept until early 2026; it took them over into the database and left them
where they were, so a message may stand in both. It comes once, from the database.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from mnemic.errors import ImportFormatError, InvalidInput
from mnemic.exchange.common import Item, json_object, open_text
from mnemic.exchange.programs.database import MAX_VALUE_BYTES, opened
from mnemic.exchange.programs.fields import at, changed, instant, list_at, project_of, text_at
from mnemic.exchange.programs.found import Found, Kind, Skip
from mnemic.exchange.programs.lines import Record
from mnemic.exchange.programs.reading import Run, read_found
from mnemic.exchange.programs.turns import SUMMARY, Seen, Session, is_first, said, skips
from mnemic.exchange.programs.walk import files_in, folders, owner, walk
from mnemic.model.origin import Role

NAME = "opencode"

_OWN = (".config/opencode",)
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}
_PARTS = {"reasoning": Skip.THINKING, "file": Skip.ATTACHMENT, "tool": Skip.TOOL_CALL}


def places(home: Path, project: Path | None, env: Mapping[str, str], platform: str) -> list[Path]:
    """Where it keeps things: the XDG folders, on every system."""
    del platform
    data = env.get("XDG_DATA_HOME", "").strip()
    config = env.get("XDG_CONFIG_HOME", "").strip()
    found = [
        (Path(data) if data else home / ".local" / "share") / "opencode",
        (Path(config) if config else home / ".config") / "opencode" / "AGENTS.md",
    ]
    return found + ([project / "AGENTS.md"] if project else [])


def find(place: Path) -> Iterator[Found]:
    """Databases, sessions and instructions of a place."""
    return walk(place, partial(_wanted, owner(place, _OWN)))


def _wanted(project: str | None, path: Path, _direct: bool) -> Found | None:
    if path.suffix == ".db" and path.name.startswith("opencode"):
        return Found(path, Kind.DATABASE)
    if path.suffix == ".json" and folders(path)[1] == "session":
        # Before there were projects, the folder beside those of the messages was "info".
        return None if path.parent.name in ("message", "part") else Found(path, Kind.SESSION)
    return Found(path, Kind.INSTRUCTIONS, project) if path.name == "AGENTS.md" else None


def read(found: Found, *, timezone: str | None = None, seen: Seen | None = None) -> Iterator[Item]:
    """Items of a file; `seen` remembers across files what came up before."""
    readers = {Kind.SESSION: _files, Kind.DATABASE: _database}
    return read_found(NAME, found, readers, timezone, seen)


def _named(record: Record, fallback: str, run: Run) -> Session:
    name = text_at(record, "id") or fallback
    parent = text_at(record, "parentID") or text_at(record, "parent_id")
    created = at(record, "time", "created") or record.get("time_created")
    return Session(
        NAME,
        parent or name,
        project=project_of(record.get("directory")),
        title=text_at(record, "title"),
        agent=name if parent else None,
        time=instant(created, run.zone),
    )


def _message(
    where: str, session: Session, message: Record, parts: list[Record], run: Run
) -> Iterator[Item]:
    """The items of a message from its record and those of its parts."""
    texts: list[str] = []
    others: list[Skip] = []
    for part in parts:
        kind, text = str(part.get("type")), part.get("text")
        if kind == "text" and isinstance(text, str) and not part.get("synthetic"):
            texts.append(text)
        else:
            others.append(_PARTS.get(kind, Skip.META))
            if kind == "tool" and at(part, "state", "output") is not None:
                others.append(Skip.TOOL_OUTPUT)
    yield from skips(where, others)
    role = _ROLES.get(str(message.get("role")))
    text = "\n".join(texts)
    if role is None:
        yield Item(where, skipped=Skip.SYSTEM)
    elif text.strip() or not others:
        yield said(
            where,
            session,
            role,
            text,
            time=instant(at(message, "time", "created") or message.get("time_created"), run.zone),
            model=text_at(message, "modelID") or text_at(message, "model", "modelID"),
            tags=SUMMARY if message.get("summary") is True and role is Role.ASSISTANT else (),
        )


# --- files -----------------------------------------------------------------------------------


def _files(found: Found, run: Run) -> Iterator[Item]:
    session = _named(_load(found.path), found.path.stem, run)
    name, storage = found.path.stem, found.path.parents[2]
    session = replace(session, time=session.time or changed(found.path))
    for folder in (storage / "message" / name, storage / "session" / "message" / name):
        for file in files_in(folder, ".json"):
            yield from _file(storage, session, file, run)


def _file(storage: Path, session: Session, file: Found, run: Run) -> Iterator[Item]:
    where = str(file.path)
    if file.skipped or file.error:
        yield Item(where, skipped=file.skipped, error=file.error)
        return
    try:
        message = _load(file.path)
    except ImportFormatError as exc:
        yield Item(where, error=str(exc))
        return
    name = text_at(message, "id") or file.path.stem
    if not is_first(run.seen, name):
        yield Item(where, skipped=Skip.REPEATED)
        return
    parts = [part for part in list_at(message, "parts") if isinstance(part, dict)]
    session_folder = storage / "session" / "part" / file.path.parent.name
    for folder in (storage / "part" / name, session_folder / name):
        for part in files_in(folder, ".json"):
            if part.skipped or part.error:
                yield Item(str(part.path), skipped=part.skipped, error=part.error)
                continue
            try:
                parts.append(_load(part.path))
            except ImportFormatError as exc:
                yield Item(str(part.path), error=str(exc))
    yield from _message(where, session, message, parts, run)


def _load(path: Path) -> Record:
    try:
        return json_object(open_text(path, limit=MAX_VALUE_BYTES))
    except InvalidInput as exc:
        raise ImportFormatError(f"{path} is {exc}") from None


# --- database --------------------------------------------------------------------------------


def _database(found: Found, run: Run) -> Iterator[Item]:
    with opened(found.path) as held:
        if missing := {"session", "message", "part"} - held.tables:
            raise ImportFormatError(
                f"{found.path} has no table {', '.join(sorted(missing))}: "
                "it is no database of opencode, or of a version not known here"
            )
        for row in held.connection.execute("SELECT * FROM session ORDER BY id"):
            session = _named(dict(row), str(row["id"]), run)
            yield from _messages(found.path, held.connection, session, str(row["id"]), run)


def _messages(
    path: Path, connection: sqlite3.Connection, session: Session, name: str, run: Run
) -> Iterator[Item]:
    query = "SELECT * FROM message WHERE session_id = ? ORDER BY id"
    for row in connection.execute(query, (name,)):
        where = f"{path}:message {row['id']}"
        if not is_first(run.seen, str(row["id"])):
            yield Item(where, skipped=Skip.REPEATED)
            continue
        parts: list[Record] = []
        rows = connection.execute(
            "SELECT id, data FROM part WHERE message_id = ? ORDER BY id", (row["id"],)
        )
        for part in rows:
            try:
                parts.append(json_object(str(part["data"])))
            except InvalidInput as exc:
                yield Item(f"{path}:part {part['id']}", error=str(exc))
        try:
            message = dict(row) | json_object(str(row["data"]))
        except InvalidInput as exc:
            yield Item(where, error=str(exc))
            continue
        yield from _message(where, session, message, parts, run)
