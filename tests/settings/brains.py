"""What an observer of a setting is, and what observers share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mnemic import BoundMemory, Memory, Trace
from mnemic.errors import MnemicError

Open = Callable[..., Memory]
"""Opens a new brain with the settings that are looked at; `file=` opens one again."""

Parts = Mapping[str, Any]
"""What an observer saw, by what of."""

Observer = Callable[[Open], Any]
"""Lives through something with a brain, and tells what it saw."""


def outcome(action: Callable[[], object]) -> object:
    """What came of it, or the kind of its refusal."""
    try:
        return action()
    except MnemicError as error:
        return type(error).__name__


def stored(who: BoundMemory, content: str, **given: Any) -> Trace:
    """The trace of something remembered."""
    trace = who.remember(content, **given).trace
    assert trace is not None
    return trace


def wait(memory: Memory, **step: float) -> None:
    """Let time pass: `timedelta(**step)`."""
    memory._clock.advance(**step)  # type: ignore[attr-defined]
