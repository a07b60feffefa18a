"""What stands where in a sentence that may ask for something: its words, and the event in it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mnemic.cognition.prospect.asking import Asking
from mnemic.cognition.prospect.reading import Told
from mnemic.cognition.prospect.words import Folded

SHORTENED = "".join(rf"(?<!\b(?i:{word})\.)" for word in "dr mr ms mrs st sr sra prof dra".split())
"""Finds nothing after a shortened word, whose full stop ends no sentence."""

_END = re.compile(rf"[.!?;…]{SHORTENED}(?=\s|\Z)|\n")
_MARKS = re.compile(r"[\s,:;!¿¡–—-]*")
COMMA = re.compile(r"\s*[,:;–—]\s*")
_EDGES = re.compile(r"\A[\s,:;.!?…–—-]+|(?:[\s,:;.!?…–—-]|\bplease\b)+\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Line:
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
        """It in small letters without accents: what the patterns read."""
        return self.read.text

    def said(self, start: int, end: int) -> str:
        """The words of a stretch, without the marks around them."""
        if start >= end:
            return ""
        first, last = self.read.span(start, end)
        words = " ".join(self.text[first:last].split())
        return _EDGES.sub("", words.replace(" ,", ","))


@dataclass(frozen=True, slots=True)
class Event:
    """An event that is told.

    Args:
        start: where the word stands that begins it: "when".
        clause: where the words stand that tell it.
        lasting: whether it may come again and again.
    """

    start: int
    clause: tuple[int, int]
    lasting: bool


def event_in(low: str, asking: Asking, start: int, end: int) -> Event | None:
    """The event that stands within a request, at its start or at its end."""
    begins = event_begins(low, asking, start, end)
    if begins is None:
        return None
    stop = end
    if begins.start() == start:
        ends = [found.start() for found in COMMA.finditer(low, begins.end(), end)]
        ends += [found.start() for found in asking.splitters.finditer(low, begins.end(), end)]
        stop = min(ends, default=end)
    lasting = asking.each.match(low, begins.start()) is not None
    return Event(begins.start(), (begins.end(), stop), lasting)


def event_begins(low: str, asking: Asking, start: int, end: int) -> re.Match[str] | None:
    """The first words that begin an event."""
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
    last = clause[-1].strip(",.!?")
    return match.start() == start or asking.indirect.fullmatch(last) is None


def is_idle(line: Line, asking: Asking, event: Event) -> bool:
    """Whether an event is none, as in "if you want"."""
    clause = line.low[slice(*event.clause)].strip(" ,.!?")
    return asking.idle_events.fullmatch(clause) is not None


def skip(low: str, at: int) -> int:
    """The place after the marks that stand here."""
    found = _MARKS.match(low, at)
    return at if found is None else found.end()


def end_of(low: str, at: int) -> int:
    """Where the sentence ends that stands here."""
    found = _END.search(low, at)
    return len(low) if found is None else found.start()
