"""Read the plain text that Cursor's agent wrote of its sessions before it wrote JSON lines.

A line `user:` or `assistant:` begins a turn. Within an answer `[Thinking]` marks one line, and
`[Tool call]` and `[Tool result]` all up to the next mark or turn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from mnemic.exchange.common import MAX_LINE_BYTES, Item, numbered_lines
from mnemic.exchange.programs.found import Found, Skip
from mnemic.exchange.programs.turns import Clean, Session, said
from mnemic.model.origin import Role

_TURN = re.compile(r"(user|assistant|A):\s*$")
_MARK = re.compile(r"\[(Thinking|Tool call|Tool result)\]")
_SKIPS = {
    "Thinking": Skip.THINKING,
    "Tool call": Skip.TOOL_CALL,
    "Tool result": Skip.TOOL_OUTPUT,
}


@dataclass(slots=True)
class _Part:
    """Lines of one kind that stand together.

    Args:
        role: who speaks.
        skip: why it is no memory.
        line: the number of the first line.
        lines: the text.
    """

    role: Role
    skip: Skip | None = None
    line: int = 0
    lines: list[str] = field(default_factory=list)


def turns(found: Found, session: Session, clean: Clean) -> Iterator[Item]:
    """The items of a transcript; `clean` takes out of a user's text what Cursor put there."""
    part: _Part | None = None
    for number, raw in numbered_lines(found.path):
        where = f"{found.path}:line {number}"
        if raw is None:
            yield Item(where, error=f"the line is longer than {MAX_LINE_BYTES:,} bytes")
            continue
        line = raw.decode("utf-8", "replace")
        begun = _begun(line, part, number)
        if begun is not None:
            yield from _told(found, session, part, clean)
            part = begun
        elif part is not None:
            if part.skip is Skip.THINKING:
                yield from _told(found, session, part, clean)
                part = _Part(Role.ASSISTANT, line=number)
            part.lines.append(line)
        elif line.strip():
            yield Item(where, error="it stands before the first turn")
    yield from _told(found, session, part, clean)


def _begun(line: str, part: _Part | None, number: int) -> _Part | None:
    """The part that a line begins, or None when it goes on with the one before."""
    if turn := _TURN.match(line):
        return _Part(Role.USER if turn[1] == "user" else Role.ASSISTANT, line=number)
    marked = _MARK.match(line)
    if marked and part is not None and part.role is Role.ASSISTANT:
        return _Part(Role.ASSISTANT, _SKIPS[marked[1]], number, [line])
    return None


def _told(found: Found, session: Session, part: _Part | None, clean: Clean) -> Iterator[Item]:
    text = "\n".join(part.lines).strip() if part else ""
    if part is None or not text:
        return
    where = f"{found.path}:line {part.line}"
    if part.skip is not None:
        yield Item(where, skipped=part.skip)
        return
    rest, reason = clean(text) if part.role is Role.USER else (text, None)
    if reason and not rest.strip():
        yield Item(where, skipped=reason)
    else:
        yield said(where, session, part.role, rest)
