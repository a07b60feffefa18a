"""Trace ids."""

from __future__ import annotations

import uuid

from mnemic.model.errors import InvalidInput
from mnemic.model.text import refuse_unstorable


def new_trace_id() -> str:
    """A new trace id: ``mt_`` and the 32 hexadecimal digits of a random UUID."""
    return f"mt_{uuid.uuid4().hex}"


def checked_trace_id(value: object) -> str:
    """`value` as something that a trace id can be, or `InvalidInput`."""
    if not isinstance(value, str):
        raise InvalidInput(f"a trace id is a string, not {type(value).__name__} {value!r}")
    refuse_unstorable("a trace id", value)
    return value
