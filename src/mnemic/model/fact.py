"""A fact: what a sentence says of a subject, in a form that can be compared.

A fact is found in a text by rules, or given by a caller; a given one passes `checked_fact`. Its
key is for comparing only: what was said stays in the fact as it was said.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from mnemic.model.errors import InvalidInput
from mnemic.model.normal_form import normal_form
from mnemic.model.text import refuse_unstorable

MAX_SUBJECT_CHARS = 256
MAX_VALUE_CHARS = 512

_ATTRIBUTE = re.compile(r"[a-z][a-z0-9_]{0,63}")
_DAY = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?", re.ASCII)
_LEADING = re.compile(r"(?:(?:the|an?) |(?:city|town|village) of )+(?=\w)")
"""Words before a name that are no part of it."""


class Shape(StrEnum):
    """How a sentence says it."""

    ASSERTION = "assertion"
    RETRACTION = "retraction"
    """Ends the value, and gives no other: "I no longer live in Lisbon"."""
    CORRECTION = "correction"
    """Gives the value against another: "it is Porto, not Lisbon"."""
    PARTIAL = "partial"
    """Holds at times or with exceptions only."""
    BOUNDED = "bounded"
    """Holds since or until a date that the sentence names."""


@dataclass(frozen=True, slots=True)
class Fact:
    """Subject, attribute and value.

    Args:
        subject: whom or what it is about, as a normal form: "ana", "ana's sister".
        attribute: what is said of it: "lives_in".
        value: as it was said: "Lisbon".
        many: the attribute holds several values at once, as "speaks" does.
        negated: it is said not to be so. In a retraction it tells what is ended: "I no longer
            hate tea" is a negated retraction of liking tea.
        shape: how it is said.
        since: from when on, as "2019", "2019-05" or "2019-05-01".
        until: until when, written alike; that year, month or day included.
    """

    subject: str
    attribute: str
    value: str
    many: bool
    negated: bool = False
    shape: Shape = Shape.ASSERTION
    since: str | None = None
    until: str | None = None


def checked_fact(fact: object) -> Fact:
    """A caller's fact, fit to be stored and compared.

    Args:
        fact: what the caller gave.

    Returns:
        The fact with its subject in normal form and its value trimmed.

    Raises:
        InvalidInput: a field is blank, too long, or of no use; the message names it.
    """
    if not isinstance(fact, Fact):
        raise InvalidInput(f"a fact must be a Fact, not {type(fact).__name__} {fact!r}")
    subject = normal_form(_text("subject", fact.subject, MAX_SUBJECT_CHARS))
    if not subject:
        raise InvalidInput(f"fact.subject {fact.subject!r} holds nothing that can be seen")
    _text("subject", subject, MAX_SUBJECT_CHARS)  # a normal form may be longer than its text
    for name in ("many", "negated"):
        if not isinstance(getattr(fact, name), bool):
            raise InvalidInput(f"fact.{name} must be True or False, not {getattr(fact, name)!r}")
    since, until = _day("since", fact.since), _day("until", fact.until)
    if since is not None and until is not None and until[: len(since)] < since[: len(until)]:
        raise InvalidInput(f"fact.until {until!r} lies before fact.since {since!r}; swap them")
    return replace(
        fact,
        subject=subject,
        attribute=_attribute(fact.attribute),
        value=_text("value", fact.value, MAX_VALUE_CHARS),
        shape=_shape(fact.shape),
    )


def fact_key(fact: Fact) -> tuple[str, str, str]:
    """Subject, attribute and value so that two spellings of one fact have one key.

    Names are not guessed at: "ana" and "anna" stay two.

    Args:
        fact: any fact.

    Returns:
        The subject and the value in normal form, the value without an article before it.
    """
    value = normal_form(fact.value)
    return normal_form(fact.subject), fact.attribute, _LEADING.sub("", value, count=1)


def _attribute(value: object) -> str:
    if isinstance(value, str) and _ATTRIBUTE.fullmatch(value):
        return value
    shown = value[:80] if isinstance(value, str) else value
    raise InvalidInput(
        f"fact.attribute {shown!r} must be 1 to 64 lower-case letters, digits and underscores, "
        "the first a letter: 'lives_in'"
    )


def _shape(value: object) -> Shape:
    try:
        return Shape(str(value))
    except ValueError:
        allowed = ", ".join(shape.value for shape in Shape)
        raise InvalidInput(f"fact.shape {value!r} is unknown; use one of: {allowed}") from None


def _text(name: str, value: object, most: int) -> str:
    if not isinstance(value, str):
        raise InvalidInput(f"fact.{name} must be a string, not {type(value).__name__} {value!r}")
    refuse_unstorable(f"fact.{name}", value)
    stripped = value.strip()
    if not stripped:
        raise InvalidInput(f"fact.{name} is blank; say what the fact is about, or leave it out")
    if len(stripped) > most:
        raise InvalidInput(
            f"fact.{name} has {len(stripped)} characters, at most {most} are allowed: "
            f"{stripped[:40]!r}..."
        )
    return stripped


def _day(name: str, value: object) -> str | None:
    """A year, a month or a day of the calendar, as it is written in a fact."""
    if value is None:
        return None
    if isinstance(value, str) and _DAY.fullmatch(value):
        try:
            date.fromisoformat(value + "-01-01"[: 10 - len(value)])
        except ValueError:
            pass
        else:
            return value
    raise InvalidInput(f"fact.{name} {value!r} must be '2019', '2019-05' or '2019-05-01'")
