"""Read files of JSON lines one record at a time; a line that is none becomes an error."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mnemic.errors import InvalidInput
from mnemic.exchange.common import MAX_LINE_BYTES, Item, numbered_lines, shown

Record = dict[str, Any]


def records(path: Path) -> Iterator[tuple[str, Record] | Item]:
    """The place and the object of each line that is not blank, or the error that it is."""
    for number, raw in numbered_lines(path):
        where = f"{path}:line {number}"
        if raw is None:
            yield Item(where, error=f"the line is longer than {MAX_LINE_BYTES:,} bytes")
        elif raw.strip():
            try:
                yield where, parsed(raw)
            except InvalidInput as exc:
                yield Item(where, error=str(exc))


def parsed(raw: bytes | str) -> Record:
    """The JSON object in a text. Raises InvalidInput with what is wrong."""
    try:
        value = json.loads(raw if isinstance(raw, str) else raw.decode("utf-8"))
    except UnicodeDecodeError as exc:
        raise InvalidInput(f"not UTF-8 text: byte {exc.start} is 0x{raw[exc.start]:02x}") from None
    except json.JSONDecodeError as exc:
        raise InvalidInput(f"not JSON: {exc.msg} at column {exc.colno}") from None
    except (ValueError, RecursionError) as exc:
        raise InvalidInput(f"not readable as JSON: {exc}") from None
    if not isinstance(value, dict):
        raise InvalidInput(f"expected an object, not {shown(value)}")
    return value
