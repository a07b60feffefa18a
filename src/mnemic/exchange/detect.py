"""Tell the format of a file from what is in it, and read it.

Only as much is decoded as the first record needs, so a file of some hundred megabytes is
recognised at once.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from mnemic.errors import ImportFormatError
from mnemic.exchange.archives import checked_path, is_zip
from mnemic.exchange.common import (
    MAX_FILE_BYTES,
    Item,
    guarded,
    is_record,
    open_bytes,
    read_head,
)
from mnemic.exchange.kinds import keys_of, kind_of
from mnemic.exchange.sources import PROGRAM_NAMES, program_of, read_program

_FIRST_LOOK = 1 << 20
_BEAM_CHAT = "chat.json"
_LINES_LOOKED_AT = 50


class Reader(Protocol):
    """A reader of one format: items of a file, in its order, with nothing written."""

    def __call__(self, path: str | Path, *, timezone: str | None = None) -> Iterator[Item]:
        """The items; raises ImportFormatError when the file as a whole cannot be read."""
        ...


FORMATS: dict[str, tuple[str, str]] = {
    "jsonl": ("mnemic.exchange.plain.jsonl", "read"),
    "json": ("mnemic.exchange.portable.source", "read_json"),
    "sqlite": ("mnemic.exchange.portable.source", "read_sqlite"),
    "markdown": ("mnemic.exchange.notes.reading", "read_markdown"),
    "obsidian": ("mnemic.exchange.notes.reading", "read_obsidian"),
    "csv": ("mnemic.exchange.plain.csv_rows", "read"),
    "chatgpt": ("mnemic.exchange.chats.chatgpt", "read"),
    "claude_ai": ("mnemic.exchange.chats.claude_ai", "read"),
    "letta": ("mnemic.exchange.chats.letta", "read"),
    "mem0": ("mnemic.exchange.chats.mem0", "read"),
    "zep": ("mnemic.exchange.chats.zep", "read"),
    "basic_memory": ("mnemic.exchange.chats.basic_memory", "read"),
    "locomo": ("mnemic.exchange.benchmarks.locomo", "read"),
    "longmemeval": ("mnemic.exchange.benchmarks.longmemeval", "read"),
    "beam": ("mnemic.exchange.benchmarks.beam", "read"),
}
"""Where each format's reader is; it is loaded when a file is of that format."""

_SUFFIXES = {".csv": "csv", ".tsv": "csv", ".md": "markdown", ".markdown": "markdown"}
"""What a file is by its name where its beginning does not tell."""

_SQLITE = b"SQLite format 3\0"


def reader(name: str) -> Reader:
    """The reader of a format, or of a program's files. Raises ImportFormatError for others."""
    if name in PROGRAM_NAMES:
        return partial(_read_program, name)
    if name not in FORMATS:
        raise ImportFormatError(f"unknown format {name!r}: use auto, {', '.join(FORMATS)}")
    module, function = FORMATS[name]
    found: Reader = getattr(import_module(module), function)
    return found


def _read_program(name: str, path: str | Path, *, timezone: str | None = None) -> Iterator[Item]:
    return read_program(name, [Path(path)], timezone)


def read(path: str | Path, format: str = "auto", timezone: str | None = None) -> Iterator[Item]:
    """Items of `path` in the named format, or in the one it is found to have.

    `timezone` is the zone of times that carry none. Raises ImportFormatError for an unknown
    format name and for a file that cannot be read.
    """
    return reader(detect(path) if format == "auto" else format)(path, timezone=timezone)


def detect(path: str | Path) -> str:
    """The name of the format of a file, an archive or a folder (a key of FORMATS).

    Raises:
        ImportFormatError: it is of none of them, or cannot be read.
    """
    file = checked_path(path)
    if file.is_dir():
        return _of_folder(file)
    if is_zip(file):
        name = kind_of(file)
        if name is None:
            raise _unknown(path)
        return name
    with open_bytes(file) as stream:
        if guarded(file, lambda: stream.read(len(_SQLITE))) == _SQLITE:
            return program_of(file) or "sqlite"
    try:
        return _of_text(path)
    except ImportFormatError:
        found = program_of(file) or _SUFFIXES.get(file.suffix.lower())
        if found is None:
            raise
        return found


def _of_folder(folder: Path) -> str:
    """A folder holds a chat export, or notes: of Obsidian's where its settings are there."""
    if (folder / ".obsidian").is_dir():
        return "obsidian"
    name = kind_of(folder)
    if name is not None and name != "csv":
        return name
    program = program_of(folder)
    if program is not None:
        return program
    if next(folder.rglob("*.md"), None) is None:
        raise _unknown(folder)
    return "markdown"


def _of_text(path: str | Path) -> str:
    size = _FIRST_LOOK
    while True:
        head, whole = read_head(path, size)
        if not head.strip():
            if not whole:
                raise _unknown(path)
            raise ImportFormatError(f"{path} is empty: there is nothing to read")
        name = _of_first_record(head) or _of_document(head) or kind_of(path) or _of_lines(head)
        if name:
            return name
        if whole or size >= MAX_FILE_BYTES:
            raise _unknown(path)
        size *= 4


def _of_document(head: str) -> str | None:
    """The name "json" for an object whose members are those of AgentOS's export, or ours."""
    text = head.lstrip()
    if text.startswith("{") and re.search(r'"traces"\s*:\s*\[', text):
        keys = keys_of(text)
        if ("traces",) in keys or ("meta",) in keys:
            return "json"
    return None


def _unknown(path: str | Path) -> ImportFormatError:
    return ImportFormatError(
        f"the format of {path} is not known: it must be one of {', '.join(FORMATS)}; "
        "name it if it is one of them, or name the program whose file it is: "
        f"{', '.join(PROGRAM_NAMES)}"
    )


def _of_first_record(head: str) -> str | None:
    """Format of a file that is one JSON array or object, by its first member."""
    text = head.lstrip()
    first = _first_member(text)
    if not is_record(first):
        return None
    if text[0] == "{":
        return "beam" if _BEAM_CHAT in first else None
    if "haystack_sessions" in first:
        return "longmemeval"
    return "locomo" if is_record(first.get("conversation")) else None


def _first_member(text: str) -> Any:
    """First element of an array, or first value of an object; None when it is not all there."""
    decoder = json.JSONDecoder()
    try:
        if text[0] == "[":
            return decoder.raw_decode(text, _past_space(text, 1))[0]
        if text[0] == "{":
            _, end = decoder.raw_decode(text, _past_space(text, 1))
            colon = _past_space(text, end)
            return decoder.raw_decode(text, _past_space(text, colon + 1))[0]
    except (ValueError, RecursionError):  # cut short, or no JSON
        return None
    return None


def _past_space(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _of_lines(head: str) -> str | None:
    """The name "jsonl" when one of the first lines is a message; a bad line before it may stand."""
    if head.lstrip().split("\n", 1)[0].strip() in ("{", "["):
        return None  # one value, written over several lines
    lines = (line for line in head.split("\n") if line.strip())
    for _, line in zip(range(_LINES_LOOKED_AT), lines, strict=False):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if is_record(value) and "content" in value:
            return "jsonl"
    return None
