"""The context packet: what goes into a prompt, line by line, and what was left out and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from mnemic.model.trace import Trace


class Style(StrEnum):
    """How lines are written; the largest of three traits chooses where nobody says."""

    STRUCTURED = "structured"
    """Short, with kind and confidence (conscientiousness)."""
    NARRATIVE = "narrative"
    """Sentences, with what they are linked to (openness)."""
    EMOTIONAL = "emotional"
    """With what was felt (emotionality)."""


class Section(StrEnum):
    """The parts of a packet, in the order in which they stand."""

    WISHES = "wishes"
    """Standing rules and wishes of people."""
    WORKING = "working"
    """What the session has in mind."""
    FACTS = "facts"
    """What is known: everything that is no episode."""
    EPISODES = "episodes"
    """What was said and happened."""
    REMINDERS = "reminders"
    """What is to be done now."""
    RELATED = "related"
    """What the graph ties to the rest."""
    UNBIDDEN = "unbidden"
    """What came to mind by itself."""
    PARTIAL = "partial"
    """What is half remembered: that there is something, not what."""


HEADS: Mapping[Section, str] = {
    Section.WISHES: "Wishes:",
    Section.WORKING: "In mind:",
    Section.FACTS: "Facts:",
    Section.EPISODES: "Episodes:",
    Section.REMINDERS: "Reminders:",
    Section.RELATED: "Related:",
    Section.UNBIDDEN: "Unbidden:",
    Section.PARTIAL: "Half remembered:",
}
"""The line over each section: two to four tokens. No recalled text can stand on such a line."""


class Left(StrEnum):
    """Why a candidate is not in a packet."""

    BUDGET = "budget"
    """There was no room left for it."""
    DUPLICATE = "duplicate"
    """Another line says the same."""
    SHOWN = "shown"
    """It stands in another section."""
    ARCHIVED = "archived"
    """It is set aside, and what is not set aside filled the packet."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a packet, and the trace that it cites."""

    trace_id: str
    text: str
    section: Section


@dataclass(frozen=True, slots=True)
class Omitted:
    """A candidate that is not in a packet, where it would have stood, and why not."""

    trace_id: str
    section: Section
    reason: Left


@dataclass(frozen=True, slots=True)
class Reminder:
    """Something that is to be done.

    Args:
        trace: that says what.
        trigger: "time_based", "event_based" or "context_based".
        at: when it was or is to fire; None for what waits for no time.
        rule: how it recurs, as an RRULE; None for once.
        event: the event that it waits for; None for what waits for none.
        cue: what has to be spoken of; None likewise.
        importance: 0 to 1.
        fired: how often it has fired.
        done_at: since when nothing is left to do.
    """

    trace: Trace
    trigger: str
    at: datetime | None
    rule: str | None
    event: str | None
    cue: str | None
    importance: float
    fired: int
    done_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Partial:
    """A memory that did not quite come: what is known about it, not what it says.

    Args:
        trace_id: which one; to be asked for by its id.
        knowing: how strongly it is felt to be there, 0 to 1.
        kind: "high_confidence" or "tip_of_tongue".
        entities: up to three names that it is about.
        mood: what it carries; None for a neutral one.
        age_days: whole days since the brain got it.
    """

    trace_id: str
    knowing: float
    kind: str
    entities: tuple[str, ...]
    mood: str | None
    age_days: int


@dataclass(frozen=True, slots=True)
class ContextPacket:
    """Memories made ready for a prompt: fenced as data, citing ids, within a budget.

    Args:
        text: what goes into the prompt; empty when there is nothing to show.
        lines: each line with the trace that it cites, as they stand.
        tokens: the length of `text`, counted by the packaged tokenizer.
        omitted: every candidate that is not among the lines, with the reason. A trace that was
            a candidate for two sections is told of for each.
        style: how the lines are written.
    """

    text: str
    lines: tuple[Line, ...]
    tokens: int
    omitted: tuple[Omitted, ...] = ()
    style: Style = Style.STRUCTURED

    def of(self, section: Section | str) -> tuple[Line, ...]:
        """The lines of one section."""
        return tuple(line for line in self.lines if line.section == section)

    @property
    def ids(self) -> tuple[str, ...]:
        """The traces whose words are shown, as they stand: not what is half remembered."""
        return tuple(one.trace_id for one in self.lines if one.section is not Section.PARTIAL)

    @property
    def left_out(self) -> Mapping[str, int]:
        """How many traces are nowhere in the packet, by reason."""
        reasons = {one.trace_id: one.reason.value for one in self.omitted}
        for line in self.lines:
            reasons.pop(line.trace_id, None)
        return dict(Counter(reasons.values()))

    def __str__(self) -> str:
        return self.text
