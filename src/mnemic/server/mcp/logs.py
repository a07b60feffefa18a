"""What a server says to whoever runs it: on stderr, one line for what is no bug."""

from __future__ import annotations

import logging
import sys

from anyio import BrokenResourceError, ClosedResourceError
from starlette.requests import ClientDisconnect

FAREWELLS = (ClientDisconnect, BrokenResourceError, ClosedResourceError, BrokenPipeError)
"""What a client that goes away in the middle of something raises here."""

_OWN = "mnemic"


def log_to_stderr() -> None:
    """Write log lines to stderr, unless the program has its own way with them already."""
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(_without_farewells)
    logging.basicConfig(level=logging.WARNING, format="mnemic: %(message)s", handlers=[handler])
    logging.getLogger(_OWN).setLevel(logging.INFO)


def _without_farewells(record: logging.LogRecord) -> bool:
    """Leave out where in the code a client went away: it is no fault of the code."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, BaseExceptionGroup):
        _, error = error.split(FAREWELLS)  # what is left, if anything is, is a fault
        record.exc_info = record.exc_info if error else None
    elif isinstance(error, FAREWELLS):
        record.exc_info = None
    return True
