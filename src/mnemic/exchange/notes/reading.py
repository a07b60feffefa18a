"""Reads folders of Markdown notes: our own exports, Obsidian vaults, any notes.

A note becomes one trace; one that an export of ours wrote is known again as that trace's own.
Nothing outside the folder is read: links are not followed. Pipes and devices are passed over.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from mnemic.exchange.common import Item, NoteOf, open_text, shown
from mnemic.exchange.notes.note import (
    Cut,
    Note,
    below,
    hash_of,
    links_in,
    tags_in,
    taken_apart,
    without_embeds,
)
from mnemic.model.errors import ImportFormatError, InvalidInput
from mnemic.model.origin import Role, SourceType
from mnemic.model.scope import Scope, written_id
from mnemic.model.times import from_ms
from mnemic.model.trace import Draft, TraceType

MAX_NOTE_BYTES = 16 << 20

_E = TypeVar("_E", bound=StrEnum)

_SUFFIXES = (".md", ".markdown")


def read_markdown(path: str | Path, *, timezone: str | None = None) -> Iterator[Item]:
    """Items of a folder of notes, or of one note; `where` is the note's place in the folder."""
    return _read(Path(path), timezone, obsidian=False)


def read_obsidian(path: str | Path, *, timezone: str | None = None) -> Iterator[Item]:
    """The same of an Obsidian vault: tags in the text are tags, and links name entities."""
    return _read(Path(path), timezone, obsidian=True)


def _read(root: Path, timezone: str | None, *, obsidian: bool) -> Iterator[Item]:
    del timezone  # times in front matter are milliseconds, or name their zone
    found = False
    for file, problem in _notes(root):
        found = True
        where = file.name if file == root else file.relative_to(root).as_posix()
        if problem is not None:
            yield Item(where, skipped=problem)
            continue
        try:
            text = open_text(file, limit=MAX_NOTE_BYTES)
        except ImportFormatError as error:
            yield Item(where, error=str(error))
            continue
        yield _item(taken_apart(text), where, obsidian=obsidian)
    if not found:
        raise ImportFormatError(f"{root} holds no Markdown notes")


def _notes(root: Path) -> Iterator[tuple[Path, str | None]]:
    """The notes below a folder, and what cannot be read as one, with the reason."""
    if not root.is_dir():
        yield root, None
        return
    for where, folders, names in os.walk(root):
        # Folders with a dot in front hold settings and what was thrown away.
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            file = Path(where, name)
            if name.startswith(".") or file.suffix.lower() not in _SUFFIXES:
                continue
            mode = file.lstat().st_mode
            if stat.S_ISLNK(mode):
                yield file, "link"
            elif not stat.S_ISREG(mode):
                yield file, "no regular file"
            else:
                yield file, None


def _item(note: Note, where: str, *, obsidian: bool) -> Item:
    head = note.head
    if not note.body.strip():
        return Item(where, skipped="no text")
    if "trust" in head:
        return Item(where, skipped="withheld there")
    try:
        of, body, tags, links = _parts(note, obsidian=obsidian)
        if not body.strip():
            return Item(where, skipped="no text")
        draft = _draft(head, body.strip(), tags, links, where)
        return Item(where, draft=draft, home=_home(head), note=of)
    except InvalidInput as error:
        return Item(where, error=str(error))


def _parts(note: Note, *, obsidian: bool) -> tuple[NoteOf | None, str, list[str], list[str]]:
    """Of which trace the note is, its text, and the tags and links that stand below or in it."""
    trace_id, mark = note.head.get("id"), note.head.get("contentHash")
    cuts = below(note.body) if obsidian else [Cut(note.body)]
    if isinstance(trace_id, str) and isinstance(mark, str):
        same = next((cut for cut in cuts if hash_of(cut.text) == mark), None)
        cut = cuts[-1] if same is None else same
        return NoteOf(trace_id, same is None, mark), cut.text, list(cut.tags), list(cut.links)
    if obsidian:
        body = without_embeds(note.body)
        return None, body, tags_in(body), links_in(body)
    return None, note.body, [], []


def _draft(
    head: Mapping[str, Any], body: str, tags: list[str], links: list[str], where: str
) -> Draft:
    given = head.get("tags")
    if not isinstance(given, list):
        given = given.replace(",", " ").split() if isinstance(given, str) else []
    metadata: dict[str, Any] = {"note": where}
    if "contentHash" not in head:
        title = head.get("title")
        metadata |= {"title": str(title)} if isinstance(title, str) else {}
    time = _instant(head.get("createdAt", head.get("created")), "createdAt")
    return Draft(
        body,
        type=_one_of(head, "type", TraceType) or TraceType.EPISODIC,
        tags=tuple(dict.fromkeys([*(_tag(one) for one in given if one), *tags])),
        entities=tuple(links),
        metadata=metadata,
        speaker=_text(head, "speaker"),
        role=_one_of(head, "role", Role),
        thread=_text(head, "thread"),
        time=time,
        valid_from=_instant(head.get("validFrom"), "validFrom"),
        valid_to=_instant(head.get("validTo"), "validTo"),
        source=_one_of(head, "source", SourceType) or SourceType.USER_STATEMENT,
        strength=_strength(head.get("strength")),
        replay=True,
    )


def _one_of(head: Mapping[str, Any], field: str, kind: type[_E]) -> _E | None:
    """A field of the front matter, where it has one of the values that it has here.

    A vault's notes have a `type` of their own, such as "book".
    """
    value = head.get(field)
    return kind(value) if value in [one.value for one in kind] else None


def _tag(value: object) -> str:
    return str(value).lstrip("#").strip()


def _text(head: Mapping[str, Any], name: str) -> str | None:
    value = head.get(name)
    return value if isinstance(value, str) else None


def _strength(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= 1 else None


def _home(head: Mapping[str, Any]) -> tuple[Scope, str] | None:
    scope, scope_id = _one_of(head, "scope", Scope), head.get("scopeId")
    if scope is None:
        return None
    if not isinstance(scope_id, str):
        return scope, ""
    encoded = head.get("scopeIdForm") == "encoded"
    return scope, scope_id if encoded else written_id(scope, scope_id)


def _instant(value: object, name: str) -> datetime | None:
    """A time of the front matter: milliseconds, or what YAML reads as a date."""
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=UTC)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return from_ms(int(value))
    except (ValueError, OverflowError, OSError):
        raise InvalidInput(f"{name} {shown(value)} is in no year that there is") from None
