"""Trace ids."""

from __future__ import annotations

import re
import uuid

from mnemic.model.errors import InvalidInput
from mnemic.model.text import refuse_unstorable

_SHORT_DIGITS = 10
"""Digits in a short id: among a million traces, one in a million shares its first ten."""

_WHOLE = re.compile(r"mt_[0-9a-f]{32}")
_BEGINNING = re.compile(r"mt_[0-9a-f]{8,31}")


def new_trace_id() -> str:
    """A new trace id: ``mt_`` and the 32 hexadecimal digits of a random UUID."""
    return f"mt_{uuid.uuid4().hex}"


def checked_trace_id(value: object) -> str:
    """`value` as something that a trace id can be, or `InvalidInput`."""
    if not isinstance(value, str):
        raise InvalidInput(f"a trace id is a string, not {type(value).__name__} {value!r}")
    refuse_unstorable("a trace id", value)
    return value


def shortened(trace_id: str) -> str:
    """An id with its first digits only, as a prompt cites it; one of another form as it is."""
    return trace_id[: len("mt_") + _SHORT_DIGITS] if _WHOLE.fullmatch(trace_id) else trace_id


def is_shortened(value: object) -> bool:
    """Whether this is the beginning of an id, eight digits at least, and no whole one."""
    return isinstance(value, str) and _BEGINNING.fullmatch(value) is not None
