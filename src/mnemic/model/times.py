"""Instants: aware datetimes outside, integer milliseconds since 1970 UTC inside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from enum import Enum
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from mnemic.model.errors import InvalidInput

TimeLike = datetime | date | str
"""An aware datetime, a date, or an ISO 8601 string of either."""


class Unchanged(Enum):
    """The type of `UNCHANGED`."""

    UNCHANGED = "unchanged"


UNCHANGED = Unchanged.UNCHANGED
"""Stands for a date that a correction leaves as it is; None would open it."""

Clock = Callable[[], datetime]
"""Returns the present as an aware datetime."""

FOREVER = 1 << 62
"""Milliseconds later than any instant; stands for an open end in comparisons."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


def utc_now() -> datetime:
    """The system's clock."""
    return datetime.now(UTC)


def to_ms(moment: datetime) -> int:
    """Milliseconds since 1970 UTC of an aware datetime, rounded down."""
    return (moment - _EPOCH) // _MILLISECOND


def from_ms(ms: int) -> datetime:
    """The aware UTC datetime of a number of milliseconds since 1970."""
    return _EPOCH + timedelta(milliseconds=ms)


def maybe_from_ms(ms: int | None) -> datetime | None:
    """`from_ms`, with None for an open end."""
    return None if ms is None else from_ms(ms)


def zone(name: str) -> tzinfo:
    """The time zone of an IANA name such as ``Europe/Lisbon``."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise InvalidInput(
            f"timezone {name!r} is unknown; give an IANA name such as 'UTC' or 'Europe/Lisbon'"
        ) from error


def parse_time(name: str, value: TimeLike | None, timezone: str | None) -> int | None:
    """The instant that the argument `name` gives, in milliseconds; None stays None.

    A date is its first moment, in `timezone` or else in UTC. A datetime without a zone is
    refused unless `timezone` says which one is meant: an hour invented is a date invented.
    """
    if value is None:
        return None
    if isinstance(value, str):
        value = _from_iso(name, value)
    if isinstance(value, datetime):
        if value.tzinfo is None or value.utcoffset() is None:
            if timezone is None:
                raise InvalidInput(
                    f"{name} {value.isoformat()!r} has no time zone; give an offset such as "
                    "'+00:00', or set the setting 'timezone'"
                )
            value = value.replace(tzinfo=zone(timezone))
    elif isinstance(value, date):
        where = zone(timezone) if timezone else UTC
        value = datetime(value.year, value.month, value.day, tzinfo=where)
    else:
        raise InvalidInput(
            f"{name} must be a datetime, a date or an ISO 8601 string, "
            f"not {type(value).__name__} {value!r}"
        )
    try:
        ms = to_ms(value)
        # It must be readable again, in UTC and in the zone that dates are spelled in.
        from_ms(ms).astimezone(zone(timezone) if timezone else UTC)
        return ms
    except OverflowError as error:
        raise InvalidInput(f"{name} {value.isoformat()!r} lies outside the calendar") from error


def _from_iso(name: str, text: str) -> datetime | date:
    stripped = text.strip()
    try:
        return date.fromisoformat(stripped) if len(stripped) <= 10 else _datetime(stripped)
    except ValueError as error:
        raise InvalidInput(
            f"{name} {text!r} is no ISO 8601 date or time; "
            "write it as '2026-05-01' or '2026-05-01T14:30:00+01:00'"
        ) from error


def _datetime(text: str) -> datetime:
    return datetime.fromisoformat(text)


@dataclass(frozen=True, slots=True)
class Clocks:
    """The two clocks of a read, in milliseconds.

    Args:
        as_of: what was true in the world at this instant.
        known_at: what the brain held at this instant; None is the present.
    """

    as_of: int
    known_at: int | None = None


@dataclass(frozen=True, slots=True)
class Validity:
    """When something was true in the world: from its start until before its end.

    A start or an end of None is open: true for as long as is known.
    """

    start: int | None
    end: int | None

    def __post_init__(self) -> None:
        if self.start is not None and self.end is not None and self.end < self.start:
            raise InvalidInput(
                f"valid_to {from_ms(self.end).isoformat()} lies before "
                f"valid_from {from_ms(self.start).isoformat()}; swap them or leave one out"
            )
