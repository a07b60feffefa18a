"""The lines that a packet can be made of: what each says, what it costs, and what it repeats.

A trace that is found twice is offered for each section that it was found for; which of them it
gets is settled where lines are packed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from mnemic.context.materials import Materials
from mnemic.context.style import kind, line, named, partial_line
from mnemic.index.embed.count import count_tokens
from mnemic.index.text.features import standing
from mnemic.model.answer import Hit
from mnemic.model.graph import EdgeKind
from mnemic.model.normal_form import normal_form
from mnemic.model.packet import Reminder, Section, Style
from mnemic.model.trace import Trace, TraceType

_WHOLE_CHARS = 600
"""A hit up to this length is shown whole, a longer one by the passage that answers."""

_IN_MIND_CHARS = 300
_ASIDE_CHARS = 150
"""What was not asked for is cut: what the session has in mind, and the rest (AgentOS)."""

_COMPARED_CHARS = 1_000
"""Of longer texts the marks count as well: a normal form takes its time."""

_MOST_DATES = 3

_TIES = {
    EdgeKind.CO_ACTIVATED: "recalled together",
    EdgeKind.SHARED_ENTITY: "about the same",
    EdgeKind.TEMPORAL_SEQUENCE: "at the same time",
    EdgeKind.SAME_TOPIC: "on the same topic",
    EdgeKind.CAUSED_BY: "cause or effect",
    EdgeKind.SUPERSEDES: "newer or older",
    EdgeKind.CONTRADICTS: "in contradiction",
    EdgeKind.DERIVED_FROM: "source or conclusion",
    EdgeKind.SCHEMA_INSTANCE: "of the same kind",
}

Words = tuple[str, ...]
"""What is said and by whom: two lines of the same words are one too many."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A line that can be shown.

    Args:
        trace_id: what it cites.
        section: where it would stand.
        text: the line.
        words: what another line must not repeat.
        late: it is set aside, so that it waits until the rest has its room.
        cost: its tokens.
    """

    trace_id: str
    section: Section
    text: str
    words: Words
    late: bool = False
    cost: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "cost", cost_of(self.text))


@dataclass(frozen=True, slots=True)
class Offers:
    """All that can be shown: `hits` in their order, facts and episodes together, the rest apart."""

    hits: Sequence[Offer]
    sides: Mapping[Section, Sequence[Offer]]

    def every(self) -> Iterable[Offer]:
        """All of them, a trace once for each section."""
        yield from self.hits
        for several in self.sides.values():
            yield from several


def cost_of(text: str) -> int:
    """The tokens of a line, its end included: they add up to those of the lines together."""
    return count_tokens(f"{text}\n")


def offered(materials: Materials, style: Style) -> Offers:
    """The lines for what was found."""
    return _Writer(materials, style).offers()


class _Writer:
    """Writes the lines of a packet in one style."""

    def __init__(self, materials: Materials, style: Style) -> None:
        self._found = materials
        self._style = style
        self._passages = {hit.trace.id: hit.why.passage for hit in materials.hits}
        self._words = {trace.id: _words(trace) for trace in materials.traces()}
        self._dates = _dates(materials.traces(), self._words)

    def offers(self) -> Offers:
        found = self._found
        working = sorted(found.working, key=lambda one: -one[1])
        sides = {
            Section.WISHES: [self._wish(hit) for hit in found.wishes],
            Section.WORKING: [self._in_mind(trace) for trace, _ in working],
            Section.REMINDERS: [self._reminder(one) for one in found.reminders],
            Section.RELATED: [self._related(trace, tie) for trace, tie in found.related],
            Section.UNBIDDEN: [self._unbidden(found.unbidden)] if found.unbidden else [],
            Section.PARTIAL: [
                Offer(
                    one.trace_id, Section.PARTIAL, partial_line(one, self._style), (one.trace_id,)
                )
                for one in found.partial
            ],
        }
        hits = _once(self._hit(hit) for hit in found.hits)
        return Offers(hits, {section: _once(several) for section, several in sides.items()})

    def _hit(self, hit: Hit) -> Offer:
        episodic = hit.trace.type is TraceType.EPISODIC
        section = Section.EPISODES if episodic else Section.FACTS
        return self._offer(section, hit.trace, _of_hit(hit.trace, hit.why.passage))

    def _wish(self, hit: Hit) -> Offer:
        """A line for what holds whatever is asked: the sentences that say so."""
        text = standing(hit.trace.content)
        text = text if len(text) <= _WHOLE_CHARS else hit.why.passage
        return self._offer(Section.WISHES, hit.trace, text, "standing")

    def _in_mind(self, trace: Trace) -> Offer:
        passage = self._passages.get(trace.id)
        text = _cut(trace, _IN_MIND_CHARS) if passage is None else _of_hit(trace, passage)
        return self._offer(Section.WORKING, trace, text)

    def _related(self, trace: Trace, tie: str) -> Offer:
        mark = "related" + (f", {by}" if (by := _tied(tie)) else "")
        return self._offer(Section.RELATED, trace, _cut(trace, _ASIDE_CHARS), mark)

    def _unbidden(self, trace: Trace) -> Offer:
        return self._offer(Section.UNBIDDEN, trace, _cut(trace, _ASIDE_CHARS), "unbidden")

    def _reminder(self, one: Reminder) -> Offer:
        """Two that say the same are two, when they are for two hours."""
        trace, marks = one.trace, _due(one)
        written = line(trace, _cut(trace, _IN_MIND_CHARS), marks, self._style)
        return Offer(trace.id, Section.REMINDERS, written, (*self._words[trace.id], *marks))

    def _offer(self, section: Section, trace: Trace, text: str, *marks: str) -> Offer:
        words = self._words[trace.id]
        other = [day for day in self._dates[words] if day != f"{trace.time:%Y-%m-%d}"]
        also = [f"also {', '.join(other[-_MOST_DATES:])}"] if other else []
        written = line(trace, text, [*marks, *kind(trace, self._style), *also], self._style)
        waits = section not in (Section.WISHES, Section.UNBIDDEN)
        late = waits and trace.archived_at is not None
        return Offer(trace.id, section, written, words, late)


def _once(offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """The first offer of each trace."""
    found: dict[str, Offer] = {}
    for one in offers:
        found.setdefault(one.trace_id, one)
    return tuple(found.values())


def _words(trace: Trace) -> Words:
    """What a trace says, case and marks aside, and who says it: "I live in Rome" is two facts."""
    text = " ".join(trace.content.split())
    who = trace.speaker or (trace.role.value if trace.role else "")
    same = normal_form(text) if len(text) <= _COMPARED_CHARS else text.casefold()
    return (same, who.casefold())


def _dates(traces: Iterable[Trace], words: Mapping[str, Words]) -> Mapping[Words, Sequence[str]]:
    """The days on which episodes of the same words were: one line tells of them all."""
    days: dict[Words, set[str]] = defaultdict(set)
    for trace in traces:
        if trace.type is TraceType.EPISODIC:
            days[words[trace.id]].add(f"{trace.time:%Y-%m-%d}")
    return defaultdict(list, {key: sorted(value) for key, value in days.items()})


def _tied(tie: str) -> str:
    """By what something is related, as far as it is known."""
    if tie in _TIES:
        return _TIES[EdgeKind(tie)]
    name = named(tie)
    return f"through {name}" if name not in ("", "related") else ""


def _due(one: Reminder) -> list[str]:
    """When it is to be done, and whether again."""
    marks = [f"due {one.at:%Y-%m-%d %H:%M} {one.at:%Z}".strip()] if one.at else []
    marks += [f"upon {named(one.event)}"] if one.event else []
    marks += [f"when it is about {named(one.cue)}"] if one.cue else []
    return [*(marks or ["to be done"]), *(["recurring"] if one.rule else [])]


def _of_hit(trace: Trace, passage: str) -> str:
    return trace.content if len(trace.content) <= _WHOLE_CHARS else passage


def _cut(trace: Trace, most: int) -> str:
    """The beginning of what a trace says, up to the end of a word."""
    text = trace.content
    if len(text) <= most:
        return text
    head = text[: most + 1]
    end = max(head.rfind(" "), head.rfind("\n"))
    return f"{text[: end if end > most // 2 else most].rstrip()} [...]"
