"""What Codex keeps: a rollout a session, as JSON lines, and its history of prompts.

A rollout holds most messages twice, as what the model saw and as what was shown; whichever comes
second is left out. Older rollouts have the bare records without their envelope.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from mnemic.exchange.common import Item, shown
from mnemic.exchange.programs.fields import at, changed, instant, project_of, text_at
from mnemic.exchange.programs.found import Found, Kind, Skip
from mnemic.exchange.programs.lines import Record, records
from mnemic.exchange.programs.reading import Run, read_found
from mnemic.exchange.programs.streamed import elements
from mnemic.exchange.programs.text import cut
from mnemic.exchange.programs.turns import SUMMARY, Seen, Session, mark, said, skips, split, turn
from mnemic.exchange.programs.walk import folders, holds, owner, walk
from mnemic.model.origin import Role

NAME = "codex"

_OWN = (".codex",)
_FILES = ("AGENTS.md", "AGENTS.override.md")
_EXPORT = re.compile(r'\A\s*\{\s*"(?:session|items)"')
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}
_SHOWN = {"user_message": Role.USER, "agent_message": Role.ASSISTANT}

_WRAPPERS = {
    "user_instructions": Skip.SYSTEM,
    "INSTRUCTIONS": Skip.SYSTEM,
    "environment_context": Skip.SYSTEM,
    "permissions instructions": Skip.SYSTEM,
    "collaboration_mode": Skip.SYSTEM,
    "model_switch": Skip.SYSTEM,
    "turn_aborted": Skip.SYSTEM,
    "skill": Skip.SYSTEM,
    "subagent_notification": Skip.SYSTEM,
    "user_shell_command": Skip.COMMAND,
}
_AGENTS_HEAD = re.compile(r"^# AGENTS\.md instructions for .*$", re.M)
_REQUEST = re.compile(r"^## My request for Codex:[ \t]*\n", re.M)


def places(home: Path, project: Path | None, env: Mapping[str, str], platform: str) -> list[Path]:
    """Where it keeps things; CODEX_HOME stands for the folder in the home."""
    del platform  # the same everywhere
    configured = env.get("CODEX_HOME", "").strip()
    base = Path(configured) if configured else home / ".codex"
    names = ("sessions", "archived_sessions", *_FILES, "memories", "history.jsonl")
    found = [base / name for name in names]
    return found + ([project / name for name in _FILES] if project else [])


def find(place: Path) -> Iterator[Found]:
    """Rollouts, the history, memories and instructions of a place."""
    return walk(place, partial(_wanted, owner(place, _OWN)))


def _wanted(project: str | None, path: Path, _direct: bool) -> Found | None:
    if path.name == "history.jsonl":
        return Found(path, Kind.HISTORY)
    if path.suffix == ".jsonl" or path.name.endswith(".jsonl.zst"):
        return Found(path, Kind.SESSION)
    if path.suffix == ".json" and holds(path, _EXPORT):
        return Found(path, Kind.SESSION)
    if path.name in _FILES:
        return Found(path, Kind.INSTRUCTIONS, project)
    if path.suffix == ".md" and "memories" in folders(path):
        return Found(path, Kind.MEMORY)
    return None


def read(found: Found, *, timezone: str | None = None, seen: Seen | None = None) -> Iterator[Item]:
    """Items of a file; `seen` remembers across files what came up before."""
    readers = {Kind.SESSION: _session, Kind.HISTORY: _history}
    return read_found(NAME, found, readers, timezone, seen)


@dataclass(slots=True)
class _Rollout:
    """A rollout as far as it was read.

    Args:
        session: what is known of it; the first head counts, a later one is its parent's.
        run: the reading it is part of.
        named: whether a head has told its name.
        counts: how often each message came up, in either of the two accounts.
    """

    session: Session
    run: Run
    named: bool = False
    counts: tuple[Counter[bytes], Counter[bytes]] = field(
        default_factory=lambda: (Counter(), Counter())
    )

    def came_up(self, role: Role, text: str, account: int) -> bool:
        """Whether the other account has told this already."""
        rest, _ = _cleaned(text)
        one = mark(role, rest.strip())
        self.run.seen.add(mark(self.session.id, role, rest.strip()))
        self.counts[account][one] += 1
        return self.counts[account][one] <= self.counts[1 - account][one]


def _session(found: Found, run: Run) -> Iterator[Item]:
    named = re.sub(r"\.jsonl?(\.zst)?$", "", found.path.name)
    rollout = _Rollout(Session(NAME, named, time=changed(found.path)), run)
    for line in _records(found.path):
        if isinstance(line, Item):
            yield line
        else:
            yield from _record(rollout, *line)


def _records(path: Path) -> Iterator[tuple[str, Record] | Item]:
    if path.suffix != ".json":
        yield from records(path)
        return
    for number, record in elements(path, "items"):
        where = f"{path}:message {number}"
        wrong = Item(where, error=f"expected an object, not {shown(record)}")
        yield (where, record) if isinstance(record, dict) else wrong


def _record(rollout: _Rollout, where: str, record: Record) -> Iterator[Item]:
    kind, payload = record.get("type"), record.get("payload")
    time = instant(record.get("timestamp"), rollout.run.zone)
    rollout.session = replace(rollout.session, time=time or rollout.session.time)
    if not isinstance(payload, dict):
        kind, payload = "response_item" if kind else "session_meta", record
    if kind == "response_item":
        yield from _seen_by_model(rollout, where, payload)
    elif kind == "event_msg":
        yield from _shown(rollout, where, payload)
    elif kind == "compacted":
        text = text_at(payload, "message") or ""
        yield said(where, rollout.session, Role.ASSISTANT, text, tags=SUMMARY)
    else:
        _learn(rollout, kind, payload)
        yield Item(where, skipped=Skip.META)


def _learn(rollout: _Rollout, kind: object, payload: Record) -> None:
    project = project_of(payload.get("cwd")) or rollout.session.project
    model = text_at(payload, "model") or rollout.session.model
    rollout.session = replace(rollout.session, project=project, model=model)
    name = text_at(payload, "id")
    if kind == "session_meta" and name and not rollout.named:
        rollout.named = True
        agent = at(payload, "source", "subagent")
        rollout.session = replace(
            rollout.session, id=name, agent=_agent_name(agent) if agent else None
        )


def _agent_name(agent: Any) -> str:
    """A sub-agent is told as a word, or as an object of one kind with a role within."""
    return agent if isinstance(agent, str) else text_at(agent, "role") or "sub-agent"


def _seen_by_model(rollout: _Rollout, where: str, item: Record) -> Iterator[Item]:
    kind = str(item.get("type"))
    if kind == "message":
        role = _ROLES.get(str(item.get("role")))
        if role is None:
            yield Item(where, skipped=Skip.SYSTEM)
            return
        content = item.get("content")
        text, others = split(content) if isinstance(content, str | list) else ("", [])
        if text.strip() and rollout.came_up(role, text, 0):
            yield from skips(where, [*others, Skip.REPEATED])
        else:
            clean = _cleaned if role is Role.USER else None
            yield from turn(where, rollout.session, role, content, clean=clean)
    elif kind == "reasoning":
        yield Item(where, skipped=Skip.THINKING)
    elif kind.endswith("_output"):
        yield Item(where, skipped=Skip.TOOL_OUTPUT)
    else:
        yield Item(where, skipped=Skip.TOOL_CALL if kind.endswith("_call") else Skip.META)


def _shown(rollout: _Rollout, where: str, event: Record) -> Iterator[Item]:
    kind = str(event.get("type"))
    role, text = _SHOWN.get(kind), event.get("message")
    if role is not None and isinstance(text, str) and text.strip():
        if rollout.came_up(role, text, 1):
            yield Item(where, skipped=Skip.REPEATED)
        else:
            clean = _cleaned if role is Role.USER else None
            yield from turn(where, rollout.session, role, text, clean=clean)
    elif "reasoning" in kind:
        yield Item(where, skipped=Skip.THINKING)
    elif kind.endswith(("_end", "_output_delta")):
        yield Item(where, skipped=Skip.TOOL_OUTPUT)
    else:
        yield Item(where, skipped=Skip.TOOL_CALL if kind.endswith("_begin") else Skip.META)


def _cleaned(text: str) -> tuple[str, Skip | None]:
    rest, reason = cut(text, _WRAPPERS)
    bare = _AGENTS_HEAD.sub("", rest) if reason else rest
    asked = _REQUEST.search(bare)  # before it stands what the editor shows
    return (bare[asked.end() :], Skip.META) if asked else (bare, reason)


def _history(found: Found, run: Run) -> Iterator[Item]:
    """Prompts of all sessions: those of a session that was read before are known."""
    for line in records(found.path):
        if isinstance(line, Item):
            yield line
            continue
        where, record = line
        text, name = text_at(record, "text") or "", text_at(record, "session_id") or "history"
        rest, reason = _cleaned(text)
        session = Session(NAME, name, time=changed(found.path))
        if mark(name, Role.USER, rest.strip()) in run.seen:
            yield Item(where, skipped=Skip.REPEATED)
        elif reason and not rest.strip():
            yield Item(where, skipped=reason)
        else:
            time = instant(record.get("ts"), run.zone)
            yield said(where, session, Role.USER, rest, time=time)
