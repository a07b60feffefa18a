"""Read a folder of Basic Memory's notes: Markdown with observations and relations in it.

An observation is a list line `- [category] text #tag (context)`, a relation one such as
`- part_of [[Another note]] (context)`. Each is a memory; so is the prose around them. Within a
code fence a line is what it looks like, and nothing more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mnemic.errors import ImportFormatError
from mnemic.exchange.chats.fields import (
    label_of,
    labels_of,
    pieces,
    present,
    readable_time,
    text_of,
)
from mnemic.exchange.chats.front_matter import split
from mnemic.exchange.chats.parts import Part, Wanted, each_part
from mnemic.exchange.common import Item, guarded, zone_of
from mnemic.model.origin import SourceType
from mnemic.model.times import TimeLike
from mnemic.model.trace import Draft, TraceType

FORMAT = "basic_memory"

MAX_NOTE_BYTES = 16 << 20
"""Longest note that is read."""

OBSERVATION = re.compile(r"\s*+[-*+]\s++\[(?P<category>[^\[\]()\n]{2,60})\]\s++(?P<text>.+)")
"""A category has two characters at least: one is the box of a task, ticked or not."""

RELATION = re.compile(
    r"\s*+[-*+]\s++(?P<kind>[^\[\]\n]{0,100}?)\s*+\[\[(?P<target>[^\[\]\n]++)\]\]\s*+"
    r"(?:\((?P<context>[^()\n]*+)\)\s*+)?"
)

_MARKDOWN = re.compile(r".*\.(md|markdown)", re.IGNORECASE | re.DOTALL)
_WANTED = Wanted(_MARKDOWN, _MARKDOWN, "note (.md)")
_TAG = re.compile(r"(?<!\S)#([^\s#.,;:!?()]+)")
_LINK = re.compile(r"\[\[([^\[\]|\n]+)(?:\|[^\[\]\n]*)?\]\]")
_FENCE = re.compile(r"\s*(```|~~~)")
_DATES = ("created_at", "created", "date", "updated_at", "updated", "modified")


@dataclass(frozen=True, slots=True)
class _Note:
    """What the memories of a note share."""

    name: str
    title: str
    permalink: str
    tags: tuple[str, ...]
    time: TimeLike | None


def read(path: str | Path, *, timezone: str | None = None) -> Iterator[Item]:
    """Items of the notes, by their names; `where` is "<note>:<line>", or "<note>" for its prose.

    Raises:
        ImportFormatError: there is no note, or the one file given cannot be read.
    """
    zone_of(timezone)

    def of_part(part: Part) -> Iterator[Item]:
        front, body, first_line = split(_text(part))
        yield from _items(_note(part.name, front, timezone), body, first_line)

    yield from each_part(path, _WANTED, of_part)


def _text(part: Part) -> str:
    with part.open() as stream:
        raw = guarded(part.told, lambda: stream.read(MAX_NOTE_BYTES + 1))
    if len(raw) > MAX_NOTE_BYTES:
        raise ImportFormatError(f"{part.told} has more than {MAX_NOTE_BYTES:,} bytes: split it")
    try:
        return raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise ImportFormatError(
            f"{part.told} is not UTF-8 text: byte {error.start:,} is 0x{raw[error.start]:02x}"
        ) from None


def _note(name: str, front: dict[str, Any], timezone: str | None) -> _Note:
    stem = name.rpartition("/")[2].rpartition(".")[0]
    tags = front.get("tags")
    listed = tags.split(",") if isinstance(tags, str) else tags
    times = (readable_time(front[key], timezone) for key in _DATES if key in front)
    return _Note(
        name=name,
        title=label_of(front.get("title")) or label_of(stem),
        permalink=label_of(front.get("permalink")) or label_of(name),
        tags=labels_of([text_of(tag).strip().lstrip("#") for tag in listed or ()]),
        time=next((time for time in times if time is not None), None),
    )


def _items(note: _Note, body: str, first_line: int) -> Iterator[Item]:
    prose: list[str] = []
    fenced = False
    for number, line in enumerate(body.split("\n"), first_line):
        if _FENCE.match(line):
            fenced = not fenced
        where = f"{note.name}:{number}"
        if not fenced and (found := OBSERVATION.fullmatch(line)):
            yield Item(where, draft=_observation(note, found["category"], found["text"]))
        elif not fenced and (found := RELATION.fullmatch(line)):
            yield Item(where, draft=_relation(note, found))
        else:
            prose.append(line)
    yield from _prose(note, "\n".join(prose))


def _observation(note: _Note, category: str, text: str) -> Draft:
    said, context = _apart(text.rstrip())
    tags = (category, *_TAG.findall(said), *note.tags)
    details = present(category=label_of(category), context=label_of(context))
    return _draft(note, said, labels_of(tags), (note.title, *_links(said)), details)


def _apart(text: str) -> tuple[str, str]:
    """An observation without the context in parentheses at its end, and the context."""
    start = text.rfind("(")
    if start <= 0 or not text.endswith(")") or ")" in text[start:-1]:
        return text, ""
    return text[:start].rstrip(), text[start + 1 : -1]


def _relation(note: _Note, found: re.Match[str]) -> Draft:
    kind = found["kind"].strip().strip('"') or "relates_to"
    target = found["target"].partition("|")[0].strip()
    text = f"{note.title} {kind.replace('_', ' ')} {target}"
    details = present(relation=label_of(kind), context=label_of(found["context"]))
    return _draft(note, text, ("relation", *note.tags), (note.title, target), details)


def _prose(note: _Note, text: str) -> Iterator[Item]:
    """The rest of the note, without headings that nothing is left under."""
    kept = _without_bare_headings(text)
    found = list(pieces(kept)) if kept else []
    for number, piece in enumerate(found, 1):
        part = number if len(found) > 1 else None
        draft = _draft(note, piece, note.tags, (note.title, *_links(piece)), present(part=part))
        yield Item(note.name if part is None else f"{note.name}/part {part}", draft=draft)
    if not found:
        yield Item(note.name, skipped="no text")


def _without_bare_headings(text: str) -> str:
    kept: list[str] = []
    below = False  # whether there is text below the heading that comes next, read from the end
    for line in reversed(text.split("\n")):
        is_heading = re.match(r"#{1,6}\s", line) is not None
        if is_heading and not below:
            continue
        below = (below or bool(line.strip())) and not is_heading
        kept.append(line)
    return "\n".join(reversed(kept)).strip()


def _links(text: str) -> list[str]:
    return [name.strip() for name in _LINK.findall(text)]


def _draft(
    note: _Note,
    text: str,
    tags: tuple[str, ...],
    entities: tuple[str, ...],
    details: dict[str, Any],
) -> Draft:
    # A model wrote most of such notes, and which of them nobody can tell.
    return Draft(
        text_of(text).strip(),
        type=TraceType.SEMANTIC,
        tags=labels_of(tags),
        entities=labels_of(entities),
        metadata=present(title=note.title, permalink=note.permalink) | details,
        time=note.time,
        source=SourceType.AGENT_INFERENCE,
        source_id=f"{FORMAT}:{note.permalink}",
        replay=True,
    )
