"""What aider keeps in the folder it runs in: its chat as Markdown, and the history of prompts.

In the chat `#### ` begins what the user typed and `> ` what aider itself printed; the rest is the
model's. aider ends such lines with two spaces, which tells them from headings and quotes in an
answer, unless something stripped the whole file. Its times are those of the clock on the wall.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from pathlib import Path

from mnemic.exchange.common import MAX_LINE_BYTES, Item, numbered_lines
from mnemic.exchange.programs.fields import changed, local
from mnemic.exchange.programs.found import Found, Kind, Skip
from mnemic.exchange.programs.reading import Run, read_found
from mnemic.exchange.programs.turns import Seen, Session, mark, said
from mnemic.exchange.programs.walk import holds, owner, walk
from mnemic.model.origin import Role

NAME = "aider"

_STARTED = re.compile(r"# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*$")
_CHAT = re.compile(r"^# aider chat started at \d", re.M)
_PROMPTED = re.compile(r"# (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?)\s*$")
_ASKING = re.compile(r"/(?:ask|code|architect|context)\s+", re.I)
_FIXING = "# Fix any errors below, if possible."
_INPUT = ".aider.input.history"
_FILES = {"AIDER_CHAT_HISTORY_FILE": ".aider.chat.history.md", "AIDER_INPUT_HISTORY_FILE": _INPUT}


def places(home: Path, project: Path | None, env: Mapping[str, str], platform: str) -> list[Path]:
    """The files of the project, or of the home when there is none; variables name others."""
    del platform  # the same everywhere
    base = home if project is None else project
    found = [Path(env.get(name, "").strip() or base / file) for name, file in _FILES.items()]
    return found + ([project / "CONVENTIONS.md"] if project else [])


def find(place: Path) -> Iterator[Found]:
    """Chats, histories of prompts and conventions of a place."""
    return walk(place, partial(_wanted, owner(place, ())))


def _wanted(project: str | None, path: Path, direct: bool) -> Found | None:
    if path.name == _INPUT:
        return Found(path, Kind.HISTORY, path.parent.name)
    if path.name == "CONVENTIONS.md":
        return Found(path, Kind.INSTRUCTIONS, project)
    chat = path.name.endswith(".aider.chat.history.md")
    if chat or (direct and path.suffix == ".md" and holds(path, _CHAT)):
        return Found(path, Kind.SESSION, path.parent.name)
    return None


def read(found: Found, *, timezone: str | None = None, seen: Seen | None = None) -> Iterator[Item]:
    """Items of a file; `seen` remembers across files what came up before."""
    readers = {Kind.SESSION: _chat, Kind.HISTORY: _prompts}
    return read_found(NAME, found, readers, timezone, seen)


@dataclass(slots=True)
class _Block:
    """Lines of one speaker that stand together.

    Args:
        role: who speaks; None for aider itself.
        line: the number of the first.
        lines: what is said.
    """

    role: Role | None
    line: int = 0
    lines: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Speakers:
    """Tells who a line is from, by what came before it in the session.

    Args:
        ended: whether lines end as aider ends them.
        answering: whether a user has typed something: before, all is aider's.
        printing: whether aider is within an output of several lines, which goes on without a
            sign and ends with the two spaces.
    """

    ended: bool
    answering: bool = False
    printing: bool = False

    def of(self, line: str, last: Role | None) -> tuple[Role | None, str]:
        """Who says a line, and what; `last` is who said the one before."""
        whole = not self.ended or line.endswith("  ")
        if whole and line.startswith("####") and not line.startswith("#####"):
            self.answering, self.printing = True, False
            return Role.USER, line[4:].removeprefix(" ").rstrip()
        quoted = line.startswith(">")
        if self.printing or (quoted and (whole or last is not Role.ASSISTANT)):
            self.printing = not whole
            return None, line[1:].strip() if quoted else line
        return (Role.ASSISTANT if self.answering else None), line


def _chat(found: Found, run: Run) -> Iterator[Item]:
    path, ended = found.path, _ends_with_spaces(found.path)
    session, block, speakers = _session(found, None, run), _Block(None), _Speakers(ended)
    for number, raw in numbered_lines(path):
        if raw is None:
            error = f"the line is longer than {MAX_LINE_BYTES:,} bytes"
            yield Item(f"{path}:line {number}", error=error)
            continue
        line = raw.decode("utf-8", "replace")
        if started := _STARTED.match(line):
            yield from _told(path, session, block, run)
            session, block = _session(found, started[1], run), _Block(None)
            speakers = _Speakers(ended)
            continue
        role, text = speakers.of(line, block.role if block.lines else None)
        if role is not block.role and (text.strip() or role is not Role.ASSISTANT):
            yield from _told(path, session, block, run)
            block = _Block(role)
        elif block.role is Role.USER and role is not Role.USER:
            yield from _told(path, session, block, run)  # a blank line: two inputs are two
            block = _Block(Role.ASSISTANT)
            continue
        block.line = block.line or (number if text.strip() else 0)
        block.lines.append(text)
    yield from _told(path, session, block, run)


def _session(found: Found, started: str | None, run: Run) -> Session:
    project = found.project or "chat"
    time = local(started, run.zone) if started else changed(found.path)
    return Session(NAME, f"{project} {started or 'before'}", project=found.project, time=time)


def _ends_with_spaces(path: Path) -> bool:
    """Whether the lines still end as aider ends them."""
    return any(
        raw is not None and raw.startswith(b"####") and raw.endswith(b"  ")
        for _, raw in numbered_lines(path)
    )


def _told(path: Path, session: Session, block: _Block, run: Run) -> Iterator[Item]:
    text = "\n".join(block.lines).strip()
    if not text:
        return
    where = f"{path}:line {block.line}"
    if block.role is None:
        yield Item(where, skipped=Skip.TOOL_OUTPUT)
    elif block.role is Role.ASSISTANT:
        yield said(where, session, Role.ASSISTANT, text)
    else:
        run.seen.add(mark(text))
        yield _typed(where, session, text)


def _typed(where: str, session: Session, text: str, time: datetime | None = None) -> Item:
    """What a user typed: a question put by a command is kept, another command is not."""
    text = _ASKING.sub("", text, count=1) if _ASKING.match(text) else text
    if text.startswith(_FIXING):  # sent by aider in the user's name
        return Item(where, skipped=Skip.TOOL_OUTPUT)
    if text.startswith(("/", "!")):
        return Item(where, skipped=Skip.COMMAND)
    return said(where, session, Role.USER, "" if text == "<blank>" else text, time=time)


def _prompts(found: Found, run: Run) -> Iterator[Item]:
    """Prompts, each after a comment with its time; those of a chat read before are known."""
    session = replace(_session(found, None, run), id=f"{found.project} prompts")
    time, first, lines = session.time, 0, list[str]()
    for number, raw in numbered_lines(found.path):
        line = (raw or b"").decode("utf-8", "replace")
        if line.startswith("+"):
            first, lines = first or number, [*lines, line[1:]]
            continue
        yield from _prompt(found.path, session, first, lines, time, run)
        first, lines = 0, []
        if told := _PROMPTED.match(line):
            time = local(told[1], run.zone)
    yield from _prompt(found.path, session, first, lines, time, run)


def _prompt(
    path: Path,
    session: Session,
    line: int,
    lines: list[str],
    time: datetime | None,
    run: Run,
) -> Iterator[Item]:
    text = "\n".join(lines).strip()
    where = f"{path}:line {line}"
    if text and mark(text) in run.seen:
        yield Item(where, skipped=Skip.REPEATED)
    elif lines:
        yield _typed(where, session, text, time)
