"""Whether somebody says what is to be done later: "when Marta calls, ask her about the invoice".

Precise rather than greedy: a sentence counts if it asks to be reminded, if it says what the
speaker has to do by a day, or if it tells the agent to do something at an event. A plain statement
with a date in it is none. What is said to wait for is one of the three triggers of prospective
memory: an event and talk of a matter are cues from outside, a time is none (Einstein & McDaniel
1990).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from mnemic.cognition.prospect.asking import Asking, askings
from mnemic.cognition.prospect.events import (
    COMMA,
    SHORTENED,
    Event,
    Line,
    end_of,
    event_begins,
    event_in,
    is_idle,
    skip,
)
from mnemic.cognition.prospect.reading import LONGEST, Told, told
from mnemic.cognition.prospect.triggers import Trigger
from mnemic.cognition.prospect.words import Folded, folded

_SENTENCE = re.compile(rf"(?<=[.!?…]){SHORTENED}\s+(?=[^\W\da-z_]|[\"“«¿¡(])|\n+")
_MOST_CLAUSES = 8
_LONGEST_EVENT = 10
"""Words of an event that stands before a comma."""


@dataclass(frozen=True, slots=True)
class Noticed:
    """Something that is to be done later.

    Args:
        trigger: what it waits for.
        content: what is to be done.
        event: of an event, the words that tell it.
        cue: of talk of a matter, its words; those of the content where nothing else is told.
        lasting: whether it is to be done each time.
        sentence: the sentence that says so: `find_when` reads the time in it.
    """

    trigger: Trigger
    content: str
    event: str | None
    cue: str | None
    lasting: bool
    sentence: str


def intended(text: str) -> Noticed | None:
    """The first thing that somebody says is to be done later.

    Args:
        text: a sentence or a message; what comes after its first 2,000 characters is not read.

    Returns:
        None if nothing is said to be done, or not plainly.
    """
    for sentence in _SENTENCE.split(text[:LONGEST]):
        read = folded(sentence)
        for asking in askings():
            if asking.signs.search(read.text):
                for clause in _clauses(sentence, read, asking):
                    if found := _in_clause(clause, asking):
                        return found
    return None


def _clauses(sentence: str, read: Folded, asking: Asking) -> Iterator[str]:
    """The sentence, and what is left of it after a comma and a word that joins: ", so"."""
    yield sentence
    for found in islice(asking.joins.finditer(read.text), _MOST_CLAUSES):
        yield sentence[read.places[found.end() - 1] + 1 :]


def _in_clause(clause: str, asking: Asking) -> Noticed | None:
    times = told(clause)
    line = _without_time(clause, times[0] if times else None, asking)
    found = _read(line, asking)
    return None if found is None else replace(found, sentence=clause.strip())


def _without_time(sentence: str, time: Told | None, asking: Asking) -> Line:
    text = sentence
    for start, end in sorted(time.spans if time else (), reverse=True):
        text = f"{_without_lead(text[:start], asking)} {text[end:]}"
    return Line(text, folded(text), time)


def _without_lead(before: str, asking: Asking) -> str:
    """Without the word that belongs to what follows: "by" tomorrow."""
    read = folded(before)
    for found in asking.leads.finditer(read.text):
        if not read.text[found.end() :].strip():
            return before[: read.places[found.start()]]
    return before


def _read(line: Line, asking: Asking) -> Noticed | None:
    """The request that stands at the start, or after words that may stand before one."""
    at = skip(line.low, 0)
    while True:
        for reader in (_asked, _at_event, _told_to_say, _duty):
            if found := reader(line, asking, at):
                return found
        opener = asking.openers.match(line.low, at)
        if opener is None:
            return None
        at = skip(line.low, opener.end())


def _asked(line: Line, asking: Asking, at: int, event: Event | None = None) -> Noticed | None:
    """Remind me (of it) ..."""
    ask = asking.asks.match(line.low, at) or asking.weak_asks.match(line.low, at)
    if ask is None:
        return None
    start = skip(line.low, ask.end())
    while filler := asking.fillers.match(line.low, start):
        start = skip(line.low, filler.end())
    end = end_of(line.low, start)
    if asking.questions.match(line.low, start):
        return None
    if event is None:
        event = event_in(line.low, asking, start, end)
        if event is not None and event.start == start:
            start = skip(line.low, event.clause[1])
        elif event is not None:
            end = event.start
    marker = asking.markers.match(line.low, start)
    if marker is None or not _is_asked(line, asking, ask, marker, event):
        return None
    return _noticed(line, asking, (skip(line.low, marker.end()), end), event)


def _is_asked(
    line: Line, asking: Asking, ask: re.Match[str], marker: re.Match[str], event: Event | None
) -> bool:
    """Whether it is a request for later, and neither for an answer now nor advice."""
    weak = asking.asks.match(line.low, ask.start()) is None
    if weak and event is not None:
        return not is_idle(line, asking, event)
    if weak or asking.needs_more.match(line.low, marker.start()):
        return event is not None or line.time is not None
    return True


def _at_event(line: Line, asking: Asking, at: int) -> Noticed | None:
    """When this happens, do that."""
    end = end_of(line.low, at)
    begins = event_begins(line.low, asking, at, end)
    if begins is None or begins.start() != at:
        return None
    for clause_end, start in _splits(line.low, asking, begins.end(), end):
        event = Event(at, (begins.end(), clause_end), asking.each.match(line.low, at) is not None)
        if found := _asked(line, asking, start, event):
            return found
        if not is_idle(line, asking, event) and _is_told(line, asking, start, event):
            return _noticed(line, asking, (start, end), event)
    return None


def _splits(low: str, asking: Asking, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where an event may end and a request begin: at a comma, or at a word that is a request."""
    for comma in COMMA.finditer(low, start, end):
        at = comma.end()
        while opener := asking.openers.match(low, at):
            at = skip(low, opener.end())
        if len(low[start : comma.start()].split()) <= _LONGEST_EVENT:
            yield comma.start(), at
    for words in (asking.asks, asking.tellings):
        for found in words.finditer(low, start, end):
            before = low[start : found.start()]
            last = before.split()[-1:]
            if "," not in before and last and not asking.not_before_verb.fullmatch(last[0]):
                yield found.start(), found.start()


def _told_to_say(line: Line, asking: Asking, at: int) -> Noticed | None:
    """Tell somebody something when this happens."""
    low = line.low
    if asking.tellings.match(low, at) is None or asking.answers.match(low, at):
        return None
    event = event_in(low, asking, at, end_of(low, at))
    if event is None or asking.afters.match(low, event.start) or is_idle(line, asking, event):
        return None
    return _noticed(line, asking, (at, event.start), event)


def _is_told(line: Line, asking: Asking, at: int, event: Event) -> bool:
    """Whether the agent is told to do something, and not just to answer."""
    low = line.low
    if asking.yours.match(low, skip(low, event.clause[0])):
        return asking.tellings.match(low, at) is not None and not asking.answers.match(low, at)
    return any(words.match(low, at) for words in (asking.tellings, asking.verbs))


def _duty(line: Line, asking: Asking, at: int) -> Noticed | None:
    """I have to do this by then: a day must be told, and what comes again is a habit."""
    duty = asking.duties.match(line.low, at)
    if duty is None or line.time is None or line.time.of("rule") or not line.time.of("day"):
        return None
    start = skip(line.low, duty.end())
    if asking.idle.match(line.low, start):
        return None
    return _noticed(line, asking, (start, end_of(line.low, start)), None)


def _noticed(
    line: Line, asking: Asking, content: tuple[int, int], event: Event | None
) -> Noticed | None:
    tail = asking.tails.search(line.low, *content)
    said = line.said(content[0], tail.start() if tail else content[1])
    if not re.search(r"\w", said):
        return None
    if event is None:
        if line.time is not None:
            return Noticed(Trigger.TIME, said, None, None, lasting=False, sentence="")
        return Noticed(Trigger.CONTEXT, said, None, said, lasting=False, sentence="")
    start, end = event.clause
    start = skip(line.low, start)
    clause = line.said(start, end)
    about = asking.abouts.fullmatch(line.low[start:end].strip(" ,.!?"))
    if about is None:
        return Noticed(Trigger.EVENT, said, clause, None, event.lasting, "")
    cue = next(name for name, value in about.groupdict().items() if value)
    place = start + about.start(cue)
    cue = line.said(place, place + len(about[cue]))
    return Noticed(Trigger.CONTEXT, said, None, cue, event.lasting, "")
