"""What a consolidation did: its steps, every trace it changed, and what it proposes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any


class RunState(StrEnum):
    """How far a consolidation came."""

    RUNNING = "running"
    DONE = "done"
    INTERRUPTED = "interrupted"
    UNDONE = "undone"


@dataclass(frozen=True, slots=True)
class Changed:
    """One trace that a consolidation changed, or would change.

    Args:
        step: the step that did it.
        trace_id: the trace.
        what: in a few words, without what the trace says.
    """

    step: str
    trace_id: str
    what: str


@dataclass(frozen=True, slots=True)
class StepReport:
    """What became of one step.

    Args:
        step: its name.
        changed: how much it changed: traces, or links between them.
        skipped: why it was not run; None if it was.
    """

    step: str
    changed: int
    skipped: str | None = None


@dataclass(frozen=True, slots=True)
class Consolidated:
    """What came of a consolidation.

    Args:
        run: its number, to undo it by; None for a dry run, and when nothing was run.
        state: "done", or "interrupted" when it was told to stop.
        dry_run: nothing was changed; `changes` are what each step would do on its own.
        started_at, ended_at: when, in UTC.
        steps: in the order in which they ran.
        changes: every trace that was changed.
        note: why nothing was run; None if something was.
    """

    run: int | None
    state: RunState
    dry_run: bool
    started_at: datetime
    ended_at: datetime
    steps: tuple[StepReport, ...]
    changes: tuple[Changed, ...]
    note: str | None = None

    @property
    def counts(self) -> Mapping[str, int]:
        """By step, how much it changed."""
        return {one.step: one.changed for one in self.steps if one.skipped is None}

    def as_dict(self) -> dict[str, Any]:
        """The same as plain values; times in ISO 8601."""
        plain = asdict(self)
        plain["state"] = self.state.value
        for name in ("started_at", "ended_at"):
            plain[name] = plain[name].isoformat()
        return plain


@dataclass(frozen=True, slots=True)
class Run:
    """One line of the log of consolidations. `counts` are by step."""

    run: int
    state: RunState
    started_at: datetime
    ended_at: datetime | None
    actor: str
    counts: Mapping[str, int]
