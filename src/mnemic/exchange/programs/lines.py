"""Read files of JSON lines one record at a time; a line that is none becomes an error."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mnemic.errors import InvalidInput
from mnemic.exchange.common import MAX_LINE_BYTES, Item, json_object, numbered_lines

Record = dict[str, Any]


def records(path: Path) -> Iterator[tuple[str, Record] | Item]:
    """The place and the object of each line that is not blank, or the error that it is."""
    for number, raw in numbered_lines(path):
        where = f"{path}:line {number}"
        if raw is None:
            yield Item(where, error=f"the line is longer than {MAX_LINE_BYTES:,} bytes")
        elif raw.strip():
            try:
                yield where, json_object(raw)
            except InvalidInput as exc:
                yield Item(where, error=str(exc))
