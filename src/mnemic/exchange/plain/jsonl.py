"""Read a chat kept as JSON Lines: one object a message.

Keys: `content` (needed), `role`, `speaker`, `time`, `thread`, and for lines that know more about
themselves `type`, `tags`, `entities`, `metadata`, `valid_from`, `valid_to`. Times are ISO 8601.
A bad line is reported with its number and never stops the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from mnemic.errors import InvalidInput
from mnemic.exchange.common import (
    MAX_LINE_BYTES,
    Item,
    json_object,
    numbered_lines,
    shown,
    source_of,
    zone_of,
)
from mnemic.model.origin import Role
from mnemic.model.times import maybe_from_ms, parse_time
from mnemic.model.trace import Draft, TraceType

KEYS = (
    "content",
    "role",
    "speaker",
    "time",
    "thread",
    "type",
    "tags",
    "entities",
    "metadata",
    "valid_from",
    "valid_to",
)

_E = TypeVar("_E", bound=StrEnum)


def read(path: str | Path, *, timezone: str | None = None) -> Iterator[Item]:
    """Items of the file in its order; `where` is "line 7".

    A time without an offset is read in `timezone`; without one it is left as it is, and the
    brain's own zone setting decides (or refuses).
    """
    zone_of(timezone)  # refused before the first line, not once for each
    for number, raw in numbered_lines(path):
        where = f"line {number}"
        if raw is None:
            yield Item(where, error=f"the line is longer than {MAX_LINE_BYTES:,} bytes")
        elif raw.strip():
            try:
                yield Item(where, draft=_draft(json_object(raw), timezone))
            except InvalidInput as exc:
                yield Item(where, error=str(exc))


def _draft(line: dict[str, Any], timezone: str | None) -> Draft:
    if unknown := [key for key in line if key not in KEYS]:
        raise InvalidInput(
            f"unknown key {', '.join(shown(key) for key in unknown)}: use {', '.join(KEYS)}"
        )
    if "content" not in line:
        raise InvalidInput("the key 'content' is missing")
    content = _text(line, "content")
    if content is None or not content.strip():
        raise InvalidInput(f"content is blank: {shown(line['content'])}")
    role = _choice(line, "role", Role)
    return Draft(
        content,
        type=_choice(line, "type", TraceType) or TraceType.EPISODIC,
        tags=_texts(line, "tags"),
        entities=_texts(line, "entities"),
        metadata=_object(line, "metadata"),
        speaker=_text(line, "speaker"),
        role=role,
        thread=_text(line, "thread"),
        time=_time(line, "time", timezone),
        valid_from=_time(line, "valid_from", timezone),
        valid_to=_time(line, "valid_to", timezone),
        source=source_of(role),
        replay=True,
    )


def _text(line: dict[str, Any], key: str) -> str | None:
    value = line.get(key)
    if value is not None and not isinstance(value, str):
        raise InvalidInput(f"{key} must be text, not {shown(value)}")
    return value


def _texts(line: dict[str, Any], key: str) -> tuple[str, ...]:
    value = line.get(key)
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
        raise InvalidInput(f"{key} must be a list of texts, not {shown(value)}")
    return tuple(value)


def _object(line: dict[str, Any], key: str) -> dict[str, Any]:
    value = line.get(key)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise InvalidInput(f"{key} must be an object, not {shown(value)}")
    return value


def _choice(line: dict[str, Any], key: str, kind: type[_E]) -> _E | None:
    value = line.get(key)
    if value is None:
        return None
    try:
        return kind(value)
    except ValueError:
        names = ", ".join(member.value for member in kind)
        raise InvalidInput(f"unknown {key} {shown(value)}: use one of {names}") from None


def _time(line: dict[str, Any], key: str, timezone: str | None) -> datetime | str | None:
    text = _text(line, key)
    if text is None:
        return None
    ms = parse_time(key, text, timezone or "UTC")  # refuses here what is no time in any zone
    return text if timezone is None else maybe_from_ms(ms)
