"""The fields of a foreign record, brought into the shape that a draft takes.

A foreign file may hold anything anywhere. What cannot be used is left out here only where nothing
is lost by it: a title, a model's name. Texts and times that cannot be used are told.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from mnemic.encode.resolve import MAX_LABEL_CHARS, RESERVED
from mnemic.errors import InvalidInput
from mnemic.exchange.common import shown
from mnemic.model.scope import MAX_ID_CHARS
from mnemic.model.times import maybe_from_ms, parse_time

MAX_DOCUMENT_CHARS = 100_000
"""Longest text that is one draft; a longer document is split at its paragraphs."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECONDS_FROM = 100_000_000_000
"""Numbers from here on are milliseconds: as seconds they would lie after the year 5138."""

_NUMBER = re.compile(r"[-+]?[0-9]{9,}(?:\.[0-9]*)?")
"""A number that a text may hold: a shorter one would be a day or a year, not seconds."""

_UNSTORABLE = re.compile("[\ud800-\udfff]")
_CONTROLS = re.compile("[\x00-\x1f\x7f]+")
_MAX_NAMES = 50


def text_of(value: object) -> str:
    """A text as it can be stored; empty for what is no text.

    A lone half of a character, which these exports hold where they were cut, becomes the
    replacement character, and a NUL is left out: neither can be stored.
    """
    if not isinstance(value, str):
        return ""
    return _UNSTORABLE.sub("\ufffd", value).replace("\0", "")


def label_of(value: object, width: int = MAX_LABEL_CHARS) -> str:
    """A short text on one line: a title, a name, a tag. Empty for what is none."""
    return _CONTROLS.sub(" ", text_of(value)).strip()[:width].rstrip()


def labels_of(values: object, most: int = _MAX_NAMES) -> tuple[str, ...]:
    """The short texts of a list, or the one text that stands for a list of one."""
    if isinstance(values, str):
        values = [values]
    found = (label_of(value) for value in values) if isinstance(values, Iterable) else ()
    return tuple(dict.fromkeys(label for label in found if label))[:most]


def id_of(record: Mapping[str, Any], *keys: str) -> str:
    """The first id among the keys of a record, or else one made from its plain values.

    The made one is the same each time that the file is read, so that what was read twice is
    known to be. Lists do not count for it: those of a conversation grow.
    """
    for key in keys:
        value = record.get(key)
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        if isinstance(value, str) and 0 < len(value.strip()) <= MAX_ID_CHARS // 2:
            return label_of(value)
    plain = {key: value for key, value in record.items() if not isinstance(value, list | dict)}
    text = json.dumps(plain or list(record), sort_keys=True)
    return "unnamed-" + hashlib.sha256(text.encode("ascii")).hexdigest()[:16]


def time_of(value: object, timezone: str | None, *, name: str = "time") -> datetime | str | None:
    """The instant of a number of seconds or milliseconds, or of a text with either or ISO 8601.

    A text without an offset is read in `timezone`; without one it is handed on as it is, and the
    brain's own zone setting decides.

    Raises:
        InvalidInput: it is none of these, or lies outside the calendar.
    """
    if value is None or value == "":
        return None
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        value = float(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _of_number(value, name)
    if not isinstance(value, str):
        raise InvalidInput(f"{name} must be a number or a text, not {shown(value)}")
    ms = parse_time(name, value, timezone or "UTC")
    has_zone = timezone is not None or _zoned(value)
    return maybe_from_ms(ms) if has_zone else value


def _zoned(text: str) -> bool:
    stripped = text.strip()
    return len(stripped) > 10 and datetime.fromisoformat(stripped).tzinfo is not None


def _of_number(value: float, name: str) -> datetime:
    try:
        seconds = value / 1000 if abs(value) >= _MILLISECONDS_FROM else value
        return _EPOCH + timedelta(seconds=seconds)
    except (OverflowError, ValueError):
        raise InvalidInput(f"{name} {value!r} lies outside the calendar") from None


def readable_time(value: object, timezone: str | None) -> datetime | str | None:
    """`time_of`, with None for what cannot be read: for records that are dated otherwise too."""
    try:
        return time_of(value, timezone)
    except InvalidInput:
        return None


def foreign(metadata: object) -> dict[str, Any]:
    """Another program's metadata, with `their_` before the keys that the brain keeps itself."""
    if not isinstance(metadata, Mapping):
        return {}
    return {f"their_{key}" if key in RESERVED else key: value for key, value in metadata.items()}


def present(**values: object) -> dict[str, Any]:
    """The values that say something: without None, "", () and []."""
    return {key: value for key, value in values.items() if value not in (None, "", (), [], {})}


def pieces(text: str, most: int = MAX_DOCUMENT_CHARS) -> Iterator[str]:
    """A long text in pieces of at most `most` characters, cut between paragraphs where it can be.

    Nothing but white space at the cuts is left out.
    """
    at = 0
    while at < len(text):
        end = _cut(text, at, most)
        piece = text[at:end].strip()
        if piece:
            yield piece
        at = end


def _cut(text: str, at: int, most: int) -> int:
    """Where a piece that begins at `at` ends."""
    if len(text) - at <= most:
        return len(text)
    for mark in ("\n\n", "\n", " "):
        found = text.rfind(mark, at + 1, at + most)
        if found > at + most // 4:  # an earlier one would make crumbs
            return found
    return at + most
