"""Split the files that people keep for an assistant (CLAUDE.md, AGENTS.md, rules) into drafts.

A section of a heading is one draft, headed by it; a long one is split at its paragraphs, then at
its lines. A file of a project may have come with the project from anybody, so it counts as a
document; one that lies with the person's own settings is the person's word, and what an assistant
noted for itself is the assistant's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from mnemic.exchange.common import Item, open_text
from mnemic.exchange.programs.fields import changed
from mnemic.exchange.programs.found import Found, Kind, Skip
from mnemic.exchange.programs.text import folded, storable
from mnemic.exchange.programs.turns import clean_id
from mnemic.model.origin import SourceType
from mnemic.model.trace import Draft, TraceType

MAX_CHARS = 1_500
"""Longest draft of a section, its heading included."""

MAX_BYTES = 1 << 22
"""Largest file of instructions read (4 MiB); none that a person keeps comes near it."""

_HEADING = re.compile(r" {0,3}(#{1,6})\s+(.+?)\s*#*\s*$")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_FRONT = re.compile(r"---[ \t]*\n(.*?\n)?---[ \t]*(?:\n|\Z)", re.S)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with what stands under it, up to the next.

    Args:
        line: the number of its first line.
        path: its heading and those above it, from the highest; empty before the first.
        body: the text under it.
    """

    line: int
    path: tuple[str, ...]
    body: str


def read(program: str, found: Found) -> Iterator[Item]:
    """A draft for each section of the file, or for each part of a long one."""
    text = storable(folded(open_text(found.path, limit=MAX_BYTES).replace("\r\n", "\n")))
    time = changed(found.path)
    empty = True
    for section in sections(text):
        where = f"{found.path}:line {section.line}"
        for part in parts(section):
            empty = False
            yield Item(where, draft=_draft(program, found, section, part, time))
    if empty:
        yield Item(str(found.path), skipped=Skip.NO_TEXT)


def _draft(program: str, found: Found, section: Section, part: str, time: datetime | None) -> Draft:
    about = {
        "file": found.path.name,
        "heading": " / ".join(section.path)[:200],
        "project": found.project,
    }
    memory = found.kind is Kind.MEMORY
    return Draft(
        part,
        type=TraceType.PROCEDURAL,
        tags=("instructions", "memory") if memory else ("instructions",),
        metadata={key: value for key, value in about.items() if value},
        time=time,
        source=_source(found),
        source_id=f"{program}:{clean_id(str(found.path))}",
        replay=True,
    )


def _source(found: Found) -> SourceType:
    if found.kind is Kind.MEMORY:
        return SourceType.AGENT_INFERENCE
    return SourceType.RETRIEVED_DOCUMENT if found.project else SourceType.USER_STATEMENT


def sections(text: str) -> Iterator[Section]:
    """The sections of a Markdown text that hold something; its front matter is left out."""
    front = _FRONT.match(text)
    skipped = front.end() if front else 0
    path: tuple[tuple[int, str], ...] = ()
    first = number = text.count("\n", 0, skipped) + 1
    body: list[str] = []
    fence = ""
    for number, line in enumerate(text[skipped:].split("\n"), first):
        fenced = _FENCE.match(line)
        if fenced and (not fence or fenced[1].startswith(fence)):
            fence = "" if fence else fenced[1]
        heading = None if fence else _HEADING.match(line)
        if heading is None:
            body.append(line)
            continue
        yield from _section(first, path, body)
        depth = len(heading[1])
        path = (*(above for above in path if above[0] < depth), (depth, heading[2]))
        first, body = number, []
    yield from _section(first, path, body)


def _section(line: int, path: tuple[tuple[int, str], ...], body: list[str]) -> Iterator[Section]:
    text = "\n".join(body).strip("\n").rstrip()
    if text.strip():
        yield Section(line, tuple(name for _, name in path), text)


def parts(section: Section) -> Iterator[str]:
    """The section as texts of at most MAX_CHARS, each headed by the heading."""
    head = f"{section.path[-1][:200]}\n" if section.path else ""
    for part in _packed(section.body, MAX_CHARS - len(head), ("\n\n", "\n", " ")):
        yield head + part


def _packed(text: str, most: int, seams: tuple[str, ...]) -> Iterator[str]:
    """The text in pieces of at most `most` characters, cut at the widest seam that does."""
    text = text.strip("\n").rstrip()
    if len(text) <= most:
        if text:
            yield text
    elif not seams:
        yield from (text[at : at + most] for at in range(0, len(text), most))
    else:
        seam, finer = seams[0], seams[1:]
        piece = ""
        for part in text.split(seam):
            if piece and len(piece) + len(seam) + len(part) <= most:
                piece += seam + part
                continue
            yield from _packed(piece, most, finer)
            piece = part
        yield from _packed(piece, most, finer)
