"""Take values out of records whose shape nobody promised, and read instants in any spelling."""

from __future__ import annotations

import math
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Any

_MILLISECONDS_FROM = 1e11
"""From here on a number is milliseconds since 1970; as seconds it would be the year 5138."""


def at(record: object, *keys: str) -> Any:
    """The value under a path of keys; None where there is none."""
    for key in keys:
        if not isinstance(record, dict):
            return None
        record = record.get(key)
    return record


def text_at(record: object, *keys: str) -> str | None:
    """The text under a path of keys; None for a blank one and for what is no text."""
    value = at(record, *keys)
    return value if isinstance(value, str) and value.strip() else None


def list_at(record: object, *keys: str) -> list[Any]:
    """The list under a path of keys; empty where there is none."""
    value = at(record, *keys)
    return value if isinstance(value, list) else []


def instant(value: object, zone: tzinfo | None = None) -> datetime | None:
    """An ISO 8601 text or a number since 1970 as an instant in UTC; None when it is neither.

    A text without an offset is read in `zone`, or else in UTC.
    """
    try:
        if isinstance(value, str):
            moment = datetime.fromisoformat(value.strip())
            moment = moment if moment.tzinfo else moment.replace(tzinfo=zone or UTC)
            return moment.astimezone(UTC)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        if not math.isfinite(value) or value <= 0:
            return None
        seconds = value / 1000 if value >= _MILLISECONDS_FROM else value
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def local(text: str, zone: tzinfo | None) -> datetime | None:
    """An instant written by the clock on the wall: in `zone`, or else in this machine's own."""
    try:
        moment = datetime.fromisoformat(text.strip())
        return (moment.replace(tzinfo=zone) if zone else moment).astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return None


def changed(path: Path) -> datetime | None:
    """When a file was written last: what it holds was said by then."""
    try:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except (OSError, ValueError, OverflowError):
        return None


def project_of(folder: object) -> str | None:
    """The name of a project from the path or the address of its folder, of any system."""
    if not isinstance(folder, str):
        return None
    name = folder.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
    return name.strip() or None
