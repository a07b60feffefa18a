"""Traces and what was found, made by hand: packets need no brain."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from mnemic.context import Materials, assemble
from mnemic.model.answer import Hit, Why
from mnemic.model.mind import Emotion
from mnemic.model.origin import Channel, Origin, SourceType
from mnemic.model.packet import ContextPacket, Left, Partial, Reminder, Section, Style
from mnemic.model.scope import Scope
from mnemic.model.trace import Trace, TraceType
from mnemic.model.trust import Trust
from mnemic.settings import Context

DAY = datetime(2026, 6, 1, 12, tzinfo=UTC)
SHARES = Context()
PLENTY = 100_000


def trace(number: int, content: str, **given: Any) -> Trace:
    """A plain episode of a number's own id, or what is given."""
    fields: dict[str, Any] = {
        "type": TraceType.EPISODIC,
        "scope": Scope.USER,
        "scope_id": "ana",
        "tags": (),
        "entities": (),
        "metadata": {},
        "speaker": "Noor",
        "role": None,
        "thread": None,
        "time": DAY,
        "valid_from": DAY,
        "valid_to": None,
        "recorded_at": DAY,
        "retired_at": None,
        "trust": Trust.BELIEVED,
        "source": SourceType.USER_STATEMENT,
        "channel": Channel.SDK,
        "origin": Origin.PERSON,
        "verified_at": None,
        "strength": 0.5,
        "created_at": DAY,
        "last_accessed_at": None,
        "retrieval_count": 0,
        "version": 1,
        "stability": timedelta(days=30),
        "importance": 0.5,
        "emotion": Emotion(),
        "archived_at": None,
        "is_gist": False,
    }
    return Trace(id=id_of(number), content=content, **{**fields, **given})


def id_of(number: int) -> str:
    """The id of a trace by its number; numbers differ in what is cited of it."""
    return f"mt_{number:010x}{'0' * 22}"


def fact(number: int, content: str, **given: Any) -> Trace:
    """A plain fact."""
    return trace(number, content, type=TraceType.SEMANTIC, **given)


def hit(found: Trace, passage: str | None = None) -> Hit:
    """A trace that answers."""
    return Hit(1.0, found, Why({}, (), (), passage or found.content[:200], {}))


def reminder(of: Trace, **given: Any) -> Reminder:
    """To be done on the third of June at nine, or what is given."""
    due = datetime(2026, 6, 3, 9, tzinfo=UTC)
    fields: dict[str, Any] = {"at": due, "rule": None, "event": None, "cue": None, **given}
    return Reminder(of, "time_based", importance=0.5, fired=1, **fields)


def partial(number: int, **given: Any) -> Partial:
    """Half remembered, of forty days ago."""
    fields: dict[str, Any] = {"kind": "tip_of_tongue", "entities": (), "mood": None, **given}
    return Partial(id_of(number), 0.5, age_days=fields.pop("age_days", 40), **fields)


def packet_of(
    materials: Materials,
    budget: int = PLENTY,
    style: Style = Style.STRUCTURED,
    shares: Context = SHARES,
) -> ContextPacket:
    """The packet, in the plain style within a large budget."""
    return assemble(materials, budget, style, shares)


def of_hits(*found: Trace, **more: Any) -> Materials:
    """Materials whose hits are these."""
    return Materials([hit(one) for one in found], **more)


def places(packet: ContextPacket) -> list[tuple[int, str]]:
    """The number of each trace shown, and in which section."""
    return [(int(line.trace_id[3:13], 16), line.section.value) for line in packet.lines]


def why_not(packet: ContextPacket) -> dict[tuple[int, str], Left]:
    """Why each candidate that is not shown is not."""
    found = {(int(one.trace_id[3:13], 16), one.section.value): one.reason for one in packet.omitted}
    assert len(found) == len(packet.omitted)
    return found


def one_line_of(packet: ContextPacket, section: Section) -> str:
    """The only line of a section."""
    lines: Sequence[Any] = packet.of(section)
    assert len(lines) == 1
    return str(lines[0].text)
