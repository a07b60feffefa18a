"""Wall clocks: what a clock on the wall of a zone shows, and the instant at which it does.

What people plan they plan by the wall: nine o'clock stays nine o'clock when the clocks change. An
hour that a change leaves out is read by the clock that held before it, so that half past one,
where one becomes two, is half past two; of an hour that comes twice the first is meant. So does
RFC 5545 (section 3.3.5).
"""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo


def instant(wall: datetime, zone: tzinfo) -> datetime:
    """The instant at which a clock in `zone` shows `wall`, which has no zone of its own."""
    return wall.replace(tzinfo=zone, fold=0).astimezone(UTC).astimezone(zone)


def on_wall(moment: datetime, zone: tzinfo) -> datetime:
    """What a clock in `zone` shows at an instant."""
    return moment.astimezone(zone).replace(tzinfo=None, fold=0)
