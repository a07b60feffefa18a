"""Tell the format of a file from what is in it, and read it.

Only as much is decoded as the first record needs, so a file of some hundred megabytes is
recognised at once.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

from mnemic.errors import ImportFormatError
from mnemic.exchange import beam, jsonl, locomo, longmemeval
from mnemic.exchange.common import MAX_FILE_BYTES, Item, is_record, read_head

_FIRST_LOOK = 1 << 20
_LINES_LOOKED_AT = 50


class Reader(Protocol):
    """A reader of one format: items of a file, in its order, with nothing written."""

    def __call__(self, path: str | Path, *, timezone: str | None = None) -> Iterator[Item]:
        """The items; raises ImportFormatError when the file as a whole cannot be read."""
        ...


READERS: dict[str, Reader] = {
    "jsonl": jsonl.read,
    "locomo": locomo.read,
    "longmemeval": longmemeval.read,
    "beam": beam.read,
}


def read(path: str | Path, format: str = "auto", timezone: str | None = None) -> Iterator[Item]:
    """Items of `path` in the named format, or in the one it is found to have.

    `timezone` is the zone of times that carry none. Raises ImportFormatError for an unknown
    format name and for a file that cannot be read.
    """
    name = detect(path) if format == "auto" else format
    if name not in READERS:
        raise ImportFormatError(f"unknown format {name!r}: use auto, {', '.join(READERS)}")
    return READERS[name](path, timezone=timezone)


def detect(path: str | Path) -> str:
    """The name of the file's format (a key of READERS). Raises ImportFormatError."""
    size = _FIRST_LOOK
    while True:
        head, whole = read_head(path, size)
        if not head.strip():
            if not whole:
                raise _unknown(path)
            raise ImportFormatError(f"{path} is empty: there is nothing to read")
        name = _of_first_record(head) or _of_lines(head)
        if name:
            return name
        if whole or size >= MAX_FILE_BYTES:
            raise _unknown(path)
        size *= 4


def _unknown(path: str | Path) -> ImportFormatError:
    return ImportFormatError(
        f"the format of {path} is not known: it must be one of {', '.join(READERS)}; "
        "name it if it is one of them"
    )


def _of_first_record(head: str) -> str | None:
    """Format of a file that is one JSON array or object, by its first member."""
    text = head.lstrip()
    first = _first_member(text)
    if not is_record(first):
        return None
    if text[0] == "{":
        return "beam" if beam.CHAT in first else None
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
    lines = (line for line in head.split("\n") if line.strip())
    for _, line in zip(range(_LINES_LOOKED_AT), lines, strict=False):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if is_record(value) and "content" in value:
            return "jsonl"
    return None
