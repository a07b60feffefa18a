"""What pi keeps: a session a file, as JSON lines; the first names it, the others are messages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from mnemic.exchange.common import Item
from mnemic.exchange.programs.fields import changed, instant, project_of, text_at
from mnemic.exchange.programs.found import Found, Kind, Skip
from mnemic.exchange.programs.lines import Record, records
from mnemic.exchange.programs.reading import Run, read_found
from mnemic.exchange.programs.turns import SUMMARY, Seen, Session, said, turn
from mnemic.exchange.programs.walk import holds, walk
from mnemic.model.origin import Role

NAME = "pi"

_HEAD = re.compile(r'\A\s*\{[^\n]*"type"\s*:\s*"session"')
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}
_SUMMARIES = ("compaction", "branch_summary")


def places(home: Path, project: Path | None, env: Mapping[str, str], platform: str) -> list[Path]:
    """Where it keeps sessions; PI_CODING_AGENT_DIR stands for the folder in the home."""
    del project, platform  # it is the same for every project, and everywhere
    configured = env.get("PI_CODING_AGENT_DIR", "").strip()
    base = Path(configured) if configured else home / ".pi" / "agent"
    return [base / "sessions"]


def find(place: Path) -> Iterator[Found]:
    """The sessions of a place."""
    return walk(place, _wanted)


def _wanted(path: Path, _direct: bool) -> Found | None:
    is_session = path.suffix == ".jsonl" and holds(path, _HEAD)
    return Found(path, Kind.SESSION) if is_session else None


def read(found: Found, *, timezone: str | None = None, seen: Seen | None = None) -> Iterator[Item]:
    """Items of a session, in its order."""
    return read_found(NAME, found, {Kind.SESSION: _session}, timezone, seen)


def _session(found: Found, run: Run) -> Iterator[Item]:
    session = Session(NAME, found.path.stem, time=changed(found.path))
    for line in records(found.path):
        if isinstance(line, Item):
            yield line
            continue
        where, record = line
        if record.get("type") == "session":
            name = text_at(record, "id") or session.id
            session = replace(session, id=name, project=project_of(record.get("cwd")))
            yield Item(where, skipped=Skip.META)
        else:
            # What carries no time was said when the one before it was.
            session = replace(session, time=_time(record, run) or session.time)
            yield from _entry(session, where, record)


def _time(record: Record, run: Run) -> datetime | None:
    message = record.get("message")
    inner = message.get("timestamp") if isinstance(message, dict) else None
    return instant(inner, run.zone) or instant(record.get("timestamp"), run.zone)


def _entry(session: Session, where: str, record: Record) -> Iterator[Item]:
    if record.get("type") in _SUMMARIES:
        text = text_at(record, "summary") or ""
        yield said(where, session, Role.ASSISTANT, text, tags=SUMMARY)
        return
    message = record.get("message")
    if record.get("type") != "message" or not isinstance(message, dict):
        yield Item(where, skipped=Skip.META)
        return
    role = _ROLES.get(str(message.get("role")))
    if role is None:
        tool = "tool" in str(message.get("role")).lower()
        yield Item(where, skipped=Skip.TOOL_OUTPUT if tool else Skip.SYSTEM)
        return
    model = text_at(message, "model")
    yield from turn(where, session, role, message.get("content"), model=model)
