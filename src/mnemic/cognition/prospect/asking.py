"""The words by which people say what is to be kept in mind, as data of each language.

``data/README.md`` tells what each key of the files in ``data/notice`` holds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from itertools import count
from typing import Any

from mnemic.cognition.prospect.words import LANGUAGES, bare

Words = re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Asking:
    """What the words of one language look like, all of them in small letters without accents.

    Args:
        signs: one of these stands in each sentence that is read further.
        openers: what may stand before a request: "please", "can you".
        joins: what stands between a sentence and one that follows it: ", and".
        asks: a request to be reminded.
        weak_asks: the same, where without a time or an event it is advice: "don't forget".
        fillers: words after a request that say nothing.
        markers: what stands before that which is to be done: "to", "about".
        needs_more: those of them that, without a time or an event, ask for an answer now.
        questions: words after a request that make it a question.
        whens: what begins an event.
        each: what begins an event that may come again and again.
        afters: what begins an event that may be one word: "after lunch".
        not_whens: words, up to one that begins an event, after which it begins none.
        indirect: how an indirect question ends: "ask her when the meeting is".
        splitters: what ends an event that stands before what is to be done, besides a comma.
        abouts: an event that is talk of a matter.
        duties: how people say what they have to do.
        idle: what people say they have to do and do at once: "say", "admit".
        tellings: what an agent is told to do by speaking.
        verbs: what else it is told to do.
        not_before_verb: words after which such a word is no request.
        idle_events: events that are none: "you want".
        yours: how an event of the listener's begins, at which an answer is asked for.
        answers: a request for an answer: "tell me".
        tails: what is no more part of what is to be done: "so that".
        leads: words that belong to the time after them.
    """

    signs: Words
    openers: Words
    joins: Words
    asks: Words
    weak_asks: Words
    fillers: Words
    markers: Words
    needs_more: Words
    questions: Words
    whens: Words
    each: Words
    afters: Words
    not_whens: Words
    indirect: Words
    splitters: Words
    abouts: Words
    duties: Words
    idle: Words
    tellings: Words
    verbs: Words
    not_before_verb: Words
    idle_events: Words
    yours: Words
    answers: Words
    tails: Words
    leads: Words


@cache
def askings() -> tuple[Asking, ...]:
    """Those of all languages, English first."""
    folder = files("mnemic.cognition.prospect") / "data" / "notice"
    return tuple(
        read_asking(json.loads((folder / f"{code}.json").read_text("utf-8"))) for code in LANGUAGES
    )


def read_asking(data: Mapping[str, Any]) -> Asking:
    """The value of a file. A list that it leaves out finds nothing.

    Raises:
        ValueError: it has a key that nothing reads.
    """
    names = [field.name for field in fields(Asking)]
    if unknown := data.keys() - set(names):
        raise ValueError(f"unknown keys {sorted(unknown)}; use {names}")
    return Asking(**{name: _words(data.get(name, ())) for name in names})


def _words(several: str | Sequence[str]) -> Words:
    """A pattern that finds one of several words or phrases, whole; "" finds the next word."""
    each = [several] if isinstance(several, str) else list(several)
    either = "|".join(bare(one) for one in each if one)
    if not either:
        return re.compile(r"(?!)")
    names = count()  # one name cannot stand for two groups
    either = re.sub(r"\?P<cue>", lambda _: f"?P<cue{next(names)}>", either)
    start = "" if either.startswith(",") else r"(?<!\w)"
    found = rf"{start}(?:{_spaced(either)})(?:(?!\w)|(?<='))"
    return re.compile(rf"{found}|(?<!\w)(?=\w)" if "" in each else found)


def _spaced(pattern: str) -> str:
    """Any white space for each space."""
    return pattern.replace(" ?", r"\s*").replace(" ", r"\s+")
