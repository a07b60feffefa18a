"""One run at a time, across threads and processes.

The lease is a line in `brain_meta` that the run renews with every batch. A run that died leaves
it behind, and it counts for nothing once it has not been renewed for long enough.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from sqlalchemy import Connection

from mnemic.model.errors import StorageError
from mnemic.store.brain import Brain

_KEY = "consolidating"


class LeaseLost(StorageError):
    """Another run has taken over; nothing more of this one is written."""


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to consolidate a brain.

    Args:
        token: of this run and no other.
    """

    token: str

    def renew(self, connection: Connection, brain: Brain, now: int) -> None:
        """Say that the run is alive.

        Raises:
            LeaseLost: another run took it for dead.
        """
        held = _held(connection, brain)
        if held is None or held[0] != self.token:
            raise LeaseLost("another consolidation has taken over this brain")
        if now > held[1]:
            _write(connection, brain, self.token, now)

    def release(self, connection: Connection, brain: Brain) -> None:
        """Let others consolidate."""
        held = _held(connection, brain)
        if held is not None and held[0] == self.token:
            brain.drop_meta(connection, _KEY)


def take(connection: Connection, brain: Brain, token: str, now: int) -> Lease | None:
    """The lease, or None while another run is alive."""
    held = _held(connection, brain)
    longest = brain.settings.mind.consolidation.lease_minutes * 60_000
    if held is not None and 0 <= now - held[1] < longest:
        return None
    _write(connection, brain, token, now)
    return Lease(token)


def _held(connection: Connection, brain: Brain) -> tuple[str, int] | None:
    noted = brain.meta(connection, _KEY)
    if noted is None:
        return None
    token, at = json.loads(noted)
    return token, at


def _write(connection: Connection, brain: Brain, token: str, now: int) -> None:
    brain.set_meta(connection, _KEY, json.dumps([token, now]))
