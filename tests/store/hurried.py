"""Connections that do not wait for the disk, for tests that are not about it."""

from __future__ import annotations

import sqlite3
from functools import partial
from typing import Any

import pytest


class Hurried(sqlite3.Connection):
    """Leaves it to the operating system when what was committed reaches the disk."""

    def execute(self, sql: str, /, *given: Any) -> sqlite3.Cursor:
        return super().execute(sql.replace("synchronous = FULL", "synchronous = OFF"), *given)


def hurry(patch: pytest.MonkeyPatch) -> None:
    """Let all brains that are opened from now on hurry."""
    patch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=Hurried))
