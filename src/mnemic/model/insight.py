"""What can be seen of a mind: how traces stand, what changed them, what is in mind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from mnemic.model.trace import Trace


@dataclass(frozen=True, slots=True)
class Strength:
    """How a trace stands at an instant.

    Args:
        trace: the trace.
        now: its strength at that instant, 0 to 1.
        fades_at: when it falls below the strength at which it may be archived, left alone; None
            if it never does.
        due_at: when it is due to be reinforced; None before its first use.
    """

    trace: Trace
    now: float
    fades_at: datetime | None
    due_at: datetime | None


@dataclass(frozen=True, slots=True)
class MindChange:
    """One change of a trace that did not change what it says.

    Args:
        at: when.
        cause: why, such as "recall" or "reconsolidated".
        times: how many uses within the hour it stands for.
        before, after: the values that changed; durations and instants in milliseconds.
        run: the consolidation that made it; None for all else.
    """

    at: datetime
    cause: str
    times: int
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    run: int | None


@dataclass(frozen=True, slots=True)
class InMind:
    """One slot of a session's working memory.

    Args:
        trace: what is in mind.
        activation: 0 to 1.
        attention: its share of all activation.
        entered_at: when it came to mind.
        rehearsals: how often it was attended to again.
    """

    trace: Trace
    activation: float
    attention: float
    entered_at: datetime
    rehearsals: int


@dataclass(frozen=True, slots=True)
class Rehydrated:
    """The words of a memory that was cut down to its gist.

    Args:
        trace_id: the memory.
        content: what it said, whole.
        shortened_at: when it was cut down.
    """

    trace_id: str
    content: str
    shortened_at: datetime


@dataclass(frozen=True, slots=True)
class DriftProposal:
    """A change of personality that consolidation proposes; nothing changes until it is accepted.

    Args:
        number: to decide by.
        scope, scope_id: where it would hold.
        trait: which of the six.
        delta: the change.
        value: the trait with it, 0 to 1.
        reason: which pattern suggests it, in numbers.
        traces: how many memories with a feeling were looked at.
        opened_at: when it was proposed.
    """

    number: int
    scope: str
    scope_id: str
    trait: str
    delta: float
    value: float
    reason: str
    traces: int
    opened_at: datetime
