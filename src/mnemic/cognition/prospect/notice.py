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

from mnemic.cognition.prospect.asking import Asking, askings
from mnemic.cognition.prospect.reading import LONGEST, Told, told
from mnemic.cognition.prospect.triggers import Trigger
from mnemic.cognition.prospect.words import Folded, folded

_SHORTENED = "".join(rf"(?<!\b(?i:{word})\.)" for word in "dr mr ms mrs st sr sra prof dra".split())
_SENTENCE = re.compile(rf"(?<=[.!?…]){_SHORTENED}\s+(?=[^\W\da-z_]|[\"“«¿¡(])|\n+")
_END = re.compile(rf"[.!?;…]{_SHORTENED}(?=\s|\Z)|\n")
_MARKS = re.compile(r"[\s,:;!–—-]*")
_COMMA = re.compile(r"\s*[,:;–—]\s*")
_EDGES = re.compile(r"\A[\s,:;.!?…–—-]+|(?:[\s,:;.!?…–—-]|\bplease\b)+\Z", re.IGNORECASE)


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


@dataclass(frozen=True, slots=True)
class _Line:
    """A sentence without the time that it tells.

    Args:
        text: what is left of it.
        read: the same, folded.
        time: the time; None if it tells none.
    """

    text: str
    read: Folded
    time: Told | None

    @property
    def low(self) -> str:
        return self.read.text

    def said(self, start: int, end: int) -> str:
        """The words of a stretch, without the marks around them."""
        if start >= end:
            return ""
        first, last = self.read.span(start, end)
        return _EDGES.sub("", " ".join(self.text[first:last].split()))


@dataclass(frozen=True, slots=True)
class _Event:
    """An event that is told: where its clause stands, and whether it may come again and again."""

    start: int
    clause: tuple[int, int]
    lasting: bool


def intended(text: str) -> Noticed | None:
    """The first thing that somebody says is to be done later.

    Args:
        text: a sentence or a message; what comes after its first 2,000 characters is not read.

    Returns:
        None if nothing is said to be done, or not plainly.
    """
    for sentence in _SENTENCE.split(text[:LONGEST]):
        times = told(sentence)
        for asking in askings():
            line = _without_time(sentence, times[0] if times else None, asking)
            if found := _read(line, asking):
                return replace(found, sentence=sentence.strip())
    return None


def _without_time(sentence: str, time: Told | None, asking: Asking) -> _Line:
    text = sentence
    for start, end in sorted(time.spans if time else (), reverse=True):
        text = f"{_without_lead(text[:start], asking)} {text[end:]}"
    return _Line(text, folded(text), time)


def _without_lead(before: str, asking: Asking) -> str:
    """Without the word that belongs to what follows: "by" tomorrow."""
    read = folded(before)
    for found in asking.leads.finditer(read.text):
        if not read.text[found.end() :].strip():
            return before[: read.places[found.start()]]
    return before


def _read(line: _Line, asking: Asking) -> Noticed | None:
    """The request that stands at the start, or after words that may stand before one."""
    at = _skip(line.low, 0)
    while True:
        for reader in (_asked, _at_event, _told_to_say, _duty):
            if found := reader(line, asking, at):
                return found
        opener = asking.openers.match(line.low, at)
        if opener is None:
            return None
        at = _skip(line.low, opener.end())


def _asked(line: _Line, asking: Asking, at: int, event: _Event | None = None) -> Noticed | None:
    """Remind me (of it) ..."""
    ask = asking.asks.match(line.low, at)
    if ask is None:
        return None
    start = _skip(line.low, ask.end())
    while filler := asking.fillers.match(line.low, start):
        start = _skip(line.low, filler.end())
    end = _end(line.low, start)
    if asking.questions.match(line.low, start):
        return None
    if event is None:
        event = _event(line.low, asking, start, end)
        if event is not None and event.start == start:
            start = _skip(line.low, event.clause[1])
        elif event is not None:
            end = event.start
    marker = asking.markers.match(line.low, start)
    if marker is None:
        return None
    more = event is not None or line.time is not None
    if not more and asking.needs_more.match(line.low, start):
        return None
    return _noticed(line, asking, (_skip(line.low, marker.end()), end), event)


def _at_event(line: _Line, asking: Asking, at: int) -> Noticed | None:
    """When this happens, do that."""
    begins = _begins(line.low, asking, at)
    if begins is None or begins.start() != at:
        return None
    end = _end(line.low, at)
    for clause_end, start in _splits(line.low, asking, begins.end(), end):
        clause = (begins.end(), clause_end)
        event = _Event(at, clause, asking.each.match(line.low, at) is not None)
        if found := _asked(line, asking, start, event):
            return found
        if asking.idle_events.fullmatch(line.low[clause[0] : clause[1]].strip()) is None:
            return _noticed(line, asking, (start, end), event)
    return None


def _splits(low: str, asking: Asking, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where an event may end and a request begin: at a comma, or at a word that is a request."""
    for comma in _COMMA.finditer(low, start, end):
        at = comma.end()
        while opener := asking.openers.match(low, at):
            at = _skip(low, opener.end())
        if any(words.match(low, at) for words in (asking.asks, asking.tellings, asking.verbs)):
            yield comma.start(), at
    for words in (asking.asks, asking.tellings):
        for found in words.finditer(low, start, end):
            before = low[start : found.start()].split()
            if len(before) >= 2 and asking.not_before_verb.fullmatch(before[-1]) is None:
                yield found.start(), found.start()


def _told_to_say(line: _Line, asking: Asking, at: int) -> Noticed | None:
    """Tell somebody something when this happens."""
    if asking.tellings.match(line.low, at) is None:
        return None
    event = _event(line.low, asking, at, _end(line.low, at))
    if event is None or event.start == at or asking.afters.match(line.low, event.start):
        return None
    if asking.idle_events.fullmatch(line.low[event.clause[0] : event.clause[1]].strip()):
        return None
    return _noticed(line, asking, (at, event.start), event)


def _duty(line: _Line, asking: Asking, at: int) -> Noticed | None:
    """I have to do this by then: a day must be told, and what comes again is a habit."""
    duty = asking.duties.match(line.low, at)
    if duty is None or line.time is None or line.time.of("rule") or not line.time.of("day"):
        return None
    start = _skip(line.low, duty.end())
    if asking.idle.match(line.low, start):
        return None
    return _noticed(line, asking, (start, _end(line.low, start)), None)


def _event(low: str, asking: Asking, start: int, end: int) -> _Event | None:
    """The event that stands within a request, at its start or at its end."""
    begins = _begins(low, asking, start, end)
    if begins is None:
        return None
    stop = end
    if begins.start() == start:
        ends = [found.start() for found in _COMMA.finditer(low, begins.end(), end)]
        ends += [found.start() for found in asking.splitters.finditer(low, begins.end(), end)]
        stop = min(ends, default=end)
    lasting = asking.each.match(low, begins.start()) is not None
    return _Event(begins.start(), (begins.end(), stop), lasting)


def _begins(low: str, asking: Asking, start: int, end: int | None = None) -> re.Match[str] | None:
    """The first words that begin an event."""
    end = len(low) if end is None else end
    found = [
        match
        for words in (asking.each, asking.whens, asking.afters)
        for match in words.finditer(low, start, end)
        if _is_event(low, asking, match, start, end)
    ]
    return min(found, key=lambda match: (match.start(), -match.end()), default=None)


def _is_event(low: str, asking: Asking, match: re.Match[str], start: int, end: int) -> bool:
    clause = low[match.end() : end].split()
    least = 1 if asking.afters.match(low, match.start()) else 2
    if len(clause) < least:
        return False
    if any(
        found.end() == match.end() for found in asking.not_whens.finditer(low, start, match.end())
    ):
        return False
    in_question = match.start() > start and asking.indirect.fullmatch(clause[-1].strip(",.!?"))
    return in_question is None or in_question is False


def _noticed(
    line: _Line, asking: Asking, content: tuple[int, int], event: _Event | None
) -> Noticed | None:
    said = line.said(*content)
    if not re.search(r"\w", said):
        return None
    if event is None:
        if line.time is not None:
            return Noticed(Trigger.TIME, said, None, None, lasting=False, sentence="")
        return Noticed(Trigger.CONTEXT, said, None, said, lasting=False, sentence="")
    start, end = event.clause
    start = _skip(line.low, start)
    clause = line.said(start, end)
    about = asking.abouts.fullmatch(line.low[start:end].strip(" ,.!?"))
    if about is None:
        return Noticed(Trigger.EVENT, said, clause, None, event.lasting, "")
    cue = next(name for name, value in about.groupdict().items() if value)
    place = start + about.start(cue)
    cue = line.said(place, place + len(about[cue]))
    return Noticed(Trigger.CONTEXT, said, None, cue, event.lasting, "")


def _skip(low: str, at: int) -> int:
    found = _MARKS.match(low, at)
    return at if found is None else found.end()


def _end(low: str, at: int) -> int:
    found = _END.search(low, at)
    return len(low) if found is None else found.start()
