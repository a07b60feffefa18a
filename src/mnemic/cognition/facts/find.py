"""Facts in plain sentences, found by rules.

A fact is found only where a clause begins with its subject and says a value plainly. A question,
a condition, a wish, a plan, a guess, a quote and what others are said to have said give none, and
so does "he", "she", "they" or "it": a fact missed is found another time, a wrong one is believed.
"""

from __future__ import annotations

from dataclasses import replace

from mnemic.cognition.facts.attributes import anchor_words, table
from mnemic.cognition.facts.owned import (
    appositives,
    favourite_of,
    having,
    is_favourite,
    owned,
    relation_at,
)
from mnemic.cognition.facts.predicates import Helpers, Subject, predicate
from mnemic.cognition.facts.say import Manner, Reading, say, tail_end
from mnemic.cognition.facts.sentences import MOST_CHARS, Sentence, read_sentences
from mnemic.cognition.facts.spans import capitals, may_end
from mnemic.cognition.facts.things import appointment, thing
from mnemic.cognition.facts.values import take
from mnemic.cognition.facts.words import words
from mnemic.model.fact import MAX_SUBJECT_CHARS, Fact
from mnemic.model.normal_form import normal_form

UNNAMED = "user"
"""The subject of "I" when nobody says who speaks."""

_NO_NAMES = frozenset[str]()
_CONJUNCTIONS = frozenset("and but because so since as although though while plus".split())


def find_facts(text: str, *, speaker: str | None) -> tuple[Fact, ...]:
    """The facts that a text says plainly, in the order in which they stand, each once.

    Only the first 20,000 characters and 100 sentences are read.

    Args:
        text: what was said, in any language; facts are found in English.
        speaker: who said it, the subject of "I"; None is "user".
    """
    start = _start(text)
    anchors = anchor_words(start)
    if not table().anchors.stand_in(anchors) or words().frames.stand_in(anchors):
        return ()
    name = (normal_form(speaker) if speaker else "") or UNNAMED
    found: dict[Fact, None] = {}
    for sentence in read_sentences(start):
        for fact in _in_sentence(sentence, name):
            subject = normal_form(fact.subject)
            if len(subject) <= MAX_SUBJECT_CHARS:
                found[replace(fact, subject=subject)] = None
    return tuple(found)


def _start(text: str) -> str:
    """The text, or as many of its sentences as fit: half a sentence may say half a name."""
    if len(text) <= MOST_CHARS:
        return text
    start = text[:MOST_CHARS]
    return start[: max(start.rfind(mark) for mark in ("\n", ". ", "! ", "? ")) + 1]


def _in_sentence(sentence: Sentence, speaker: str) -> list[Fact]:
    lists = words()
    if not lists.hedges.isdisjoint(sentence.low) or lists.hedge_phrases.stand_in(sentence.low):
        return []
    reading = Reading(sentence, speaker)
    at = 0
    while at < len(sentence):
        stop = _clause(reading, _opened(reading, at))
        if stop is not None:
            reading.head = tail_end(sentence, stop)
        at = _next_clause(sentence, max(at + 1, stop or 0))
        if not lists.guards.isdisjoint(sentence.low[:at]):
            break
    appositives(reading)
    return reading.facts


def _opened(reading: Reading, at: int) -> int:
    """Where a clause begins behind its opening words, which may correct or take back."""
    lists, low = words(), reading.sentence.low
    reading.corrects = reading.ends = False
    while at < len(low):
        for length in (6, 5, 4, 3, 2, 1):
            phrase = tuple(low[at : at + length])
            if phrase in lists.forgets:
                reading.ends = True
            elif phrase in lists.corrections:
                reading.corrects = True
            elif phrase not in lists.openers:
                continue
            at += length
            break
        else:
            break
    reading.start = at
    return at


def _next_clause(sentence: Sentence, at: int) -> int:
    """Where the next clause may begin, from a place on: after a mark, a conjunction or a year."""
    while at < len(sentence):
        before = sentence.low[at - 1]
        if sentence.end[at - 1] or before in _CONJUNCTIONS:
            return at
        if before[0].isdigit() and sentence.low[at] in ("i", "we"):
            return at
        at += 1
    return at


def _clause(reading: Reading, at: int) -> int | None:
    """Note what a clause says that begins at a place; gives where the last value ends."""
    sentence = reading.sentence
    if at >= len(sentence) - 1:
        return None
    word = sentence.low[at]
    if word in ("i", "we"):
        return _first_person(reading, at, we=word == "we")
    if word in ("my", "our"):
        stop = owned(reading, reading.speaker, at + 1)
        return thing(reading, reading.speaker, at + 1) if stop is None else stop
    if word == "the":
        return thing(reading, None, at + 1)
    stop = _said_of_speaker(reading, at)
    if stop is None and sentence.is_capital(at):
        stop = _third_person(reading, at)
    return thing(reading, None, at) if stop is None else stop


def _first_person(reading: Reading, at: int, *, we: bool) -> int | None:
    low = reading.sentence.low
    after = at + 1
    if low[after : after + 1] == ["also"]:
        after += 1
    got = after
    while low[got : got + 1] in (["have"], ["got"], ["adopted"], ["just"]):
        got += 1
    if got > after:
        for read in (having, appointment):
            stop = read(reading, reading.speaker, got)
            if stop is not None:
                return stop
    introduced = None if we else _introduced(reading, at)
    if introduced is not None:
        return introduced
    return predicate(reading, Subject(reading.speaker, True, we), after, Helpers())


def _introduced(reading: Reading, at: int) -> int | None:
    """Note a name after a greeting: "Hi, I'm Ana"."""
    low = reading.sentence.low
    if low[0] not in ("hi", "hello", "hey") or at > 2 or low[at + 1 : at + 2] != ["am"]:
        return None
    of = table().nouns["name"][0].attribute
    taken = take("name", reading.sentence, at + 2)
    if taken is None or taken[0].endswith("ing"):
        return None
    return say(reading, reading.speaker, of, at + 2, Manner())


def _said_of_speaker(reading: Reading, at: int) -> int | None:
    """Note "Eva is my sister", "Blue is my favourite colour"."""
    sentence, low = reading.sentence, reading.sentence.low
    for verb in range(at + 1, min(at + 6, len(low) - 2)):
        if sentence.end[verb - 1]:
            return None
        if low[verb] == "is" and low[verb + 1] == "my":
            of_what = _favourite_of if is_favourite(sentence, verb + 2) else _relation_of
            return of_what(reading, at, verb)
    return None


def _favourite_of(reading: Reading, at: int, verb: int) -> int | None:
    sentence = reading.sentence
    start = stop = verb + 3
    while stop < len(sentence) and (stop == start or not may_end(sentence, stop)):
        stop += 1
    of = favourite_of(sentence, start, stop)
    taken = take("favourite", sentence, at)
    if of is None or taken is None or taken[1] != verb:
        return None
    say(reading, reading.speaker, of, at, Manner())
    return stop


def _relation_of(reading: Reading, at: int, verb: int) -> int | None:
    sentence = reading.sentence
    relation = relation_at(sentence, verb + 2)
    if relation is None or relation.owns or not may_end(sentence, relation.stop):
        return None
    taken = take("name", sentence, at)
    if taken is None or taken[1] != verb or sentence.low[at] in words().not_subjects:
        return None
    say(reading, reading.speaker, relation.attribute, at, Manner())
    return relation.stop


def _third_person(reading: Reading, at: int) -> int | None:
    """Note what is said of somebody by name: "Ana lives in", "Ana's phone is"."""
    sentence = reading.sentence
    stop = capitals(sentence, at, _NO_NAMES, 3)
    lists = words()
    first = sentence.low[at].removesuffix("'s")
    if stop == at or first in lists.not_subjects or first in lists.not_names:
        return None
    if first in lists.relations:
        return None  # "Grandma" is somebody's
    for end in range(at + 1, stop + 1):
        if sentence.low[end - 1].endswith("'s") and end < len(sentence):
            return _of_owner(reading, at, end)
    if sentence.end[stop - 1]:
        return None
    name = normal_form(" ".join(sentence.core[at:stop]))
    return predicate(reading, Subject(name, False), stop, Helpers())


def _of_owner(reading: Reading, at: int, end: int) -> int | None:
    """Note what is said of something of Ana's, or of Ana: "Ana's allergic to nuts"."""
    sentence = reading.sentence
    name = normal_form(" ".join(sentence.core[at:end]).removesuffix("'s"))
    stop = owned(reading, name, end)
    if stop is None:
        stop = predicate(reading, Subject(name, False), end, Helpers(be=True, short=True))
    return thing(reading, name, end) if stop is None else stop
