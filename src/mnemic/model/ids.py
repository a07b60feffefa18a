"""Trace ids."""

from __future__ import annotations

import uuid


def new_trace_id() -> str:
    """A new trace id: ``mt_`` and the 32 hexadecimal digits of a random UUID."""
    return f"mt_{uuid.uuid4().hex}"
