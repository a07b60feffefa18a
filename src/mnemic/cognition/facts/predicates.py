"""What a clause says of a person: the helping verbs, the phrase, and the value after it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mnemic.cognition.facts.attributes import Attribute, Form, Use, attribute, found_at, table
from mnemic.cognition.facts.say import Manner, Reading, say, tail_end, take_any
from mnemic.cognition.facts.sentences import Sentence
from mnemic.cognition.facts.words import words

_MOST_HELPERS = 7


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom a clause is about.

    Args:
        name: as facts name it.
        base: its verbs take the base form, as those of "I" and "we" do.
        we: it is said of the speaker and others.
    """

    name: str
    base: bool
    we: bool = False


@dataclass(frozen=True, slots=True)
class Helpers:
    """The helping verbs and adverbs read before a phrase; `short` is an 's that may be "is"."""

    be: bool = False
    past: bool = False
    have: bool = False
    do: bool = False
    used: bool = False
    negated: bool = False
    ended: bool = False
    only: bool = False
    always: bool = False
    short: bool = False


def predicate(reading: Reading, subject: Subject, at: int, helpers: Helpers) -> int | None:
    """Note what is said of a subject from a place on; gives where it ends, or None."""
    low = reading.sentence.low
    for _ in range(_MOST_HELPERS):
        stop = _by_phrase(reading, subject, at, helpers)
        if stop is None and helpers.be:
            stop = _direct(reading, subject, at, helpers)
        if stop is not None:
            return _further(reading, subject, stop, helpers)
        read = _helper(low, at, helpers)
        if read is None:
            return None
        helpers, at = read
    return None


def _further(reading: Reading, subject: Subject, stop: int, helpers: Helpers) -> int:
    """What a clause goes on to say of the same subject: "... and work at Acme"."""
    low = reading.sentence.low
    at = tail_end(reading.sentence, stop)
    if low[at : at + 1] in (["and"], ["but"]) and not helpers.negated and not helpers.ended:
        # "I am 28 and living in Porto": the "am" holds on. A denial does not.
        kept = Helpers(be=helpers.be and not helpers.past)
        return predicate(reading, subject, at + 1, kept) or stop
    return stop


def _by_phrase(reading: Reading, subject: Subject, at: int, helpers: Helpers) -> int | None:
    for use, after in found_at(table().verbs, reading.sentence.low, at):
        if not _agrees(use, subject, helpers) or (subject.we and not use.attribute.we):
            continue
        stop = say(reading, subject.name, use.attribute, after, _manner(use, helpers))
        if stop is not None:
            return _workplace(reading, subject, use, stop, helpers)
    return None


def _workplace(reading: Reading, subject: Subject, use: Use, stop: int, helpers: Helpers) -> int:
    """The employer that follows a job: "a nurse at Acme"."""
    low = reading.sentence.low
    if use.attribute.name not in ("works_as", "works_in") or stop >= len(low):
        return stop
    if low[stop] not in ("at", "for", "with", "of"):
        return stop
    learns = low[stop - 1] == "student"
    at_work = Use((low[stop],), attribute("studies_at" if learns else "works_at"), use.form)
    further = say(reading, subject.name, at_work.attribute, stop + 1, _manner(at_work, helpers))
    return stop if further is None else further


def _direct(reading: Reading, subject: Subject, at: int, helpers: Helpers) -> int | None:
    """What stands after "be" with nothing between: an age, a job, a nationality."""
    following = reading.sentence.low[at : at + 6]
    if subject.we or not following:
        return None
    counted = any(word[0].isdigit() for word in following[:2])  # "32", "a 32-year-old nurse"
    if not counted and table().direct_words.isdisjoint(following):
        return None
    for one in table().direct:
        if subject.base and subject.name != reading.speaker and one.name in ("age", "height"):
            continue  # "my kids are 5 and 7"
        use = Use((), one, Form.STATE)
        if helpers.short and not _ends(one, reading.sentence, at):
            continue
        stop = say(reading, subject.name, one, at, _manner(use, helpers))
        if stop is not None:
            return _workplace(reading, subject, use, stop, helpers)
    return None


def _ends(one: Attribute, sentence: Sentence, at: int) -> bool:
    """Whether a value ends its clause: "Ana's Portuguese" may go on as a language of hers."""
    taken = take_any(one, sentence, at)
    return taken is not None and (taken[1] == len(sentence) or bool(sentence.end[taken[1] - 1]))


def _agrees(use: Use, subject: Subject, helpers: Helpers) -> bool:
    """Whether a verb's form goes with the subject and with the helping verbs before it."""
    bare = not (helpers.be or helpers.have or helpers.do)
    if use.form is Form.BASE:
        return (bare and (subject.base or helpers.used)) or (helpers.do and not helpers.be)
    if use.form is Form.THIRD:
        return bare and not subject.base and not helpers.used
    if use.form is Form.PAST:
        return bare and not helpers.used
    if use.form is Form.PARTICIPLE:
        return helpers.have and not helpers.be and not helpers.negated
    if use.form is Form.STATE:
        return helpers.be
    plain = not (helpers.be or helpers.do or helpers.used or helpers.negated or helpers.ended)
    return plain


def _manner(use: Use, helpers: Helpers) -> Manner:
    past = helpers.past or use.form is Form.PAST
    plain_date = {Form.BEGAN: "since", Form.ENDED: "until"}.get(use.form, "none")
    return Manner(
        denied=helpers.negated,
        against=use.against,
        ended=helpers.ended or use.form is Form.ENDED,
        only=helpers.only,
        plain_date="both" if past else plain_date,
        past=past and not helpers.ended,
        lasting=(use.form is Form.PARTICIPLE or helpers.have)
        and use.form not in (Form.BEGAN, Form.ENDED)
        and not helpers.always
        and bool(use.phrase),
        phrase=use.phrase,
    )


_BE = frozenset("am is are was were been".split())
_SET: dict[str, str] = {
    "have": "have", "has": "have", "do": "do", "does": "do", "not": "negated", "never": "negated",
    "only": "only", "always": "always",
}  # fmt: skip
"""What each word switches on in `Helpers`."""


def _helper(low: list[str], at: int, helpers: Helpers) -> tuple[Helpers, int] | None:
    """The helping verb or adverb at a place, and what follows it."""
    if at >= len(low):
        return None
    word, two = low[at], low[at : at + 2]
    if two == ["no", "longer"]:
        return replace(helpers, ended=True), at + 2
    if two == ["used", "to"]:
        return replace(helpers, ended=True, used=True), at + 2
    if word in _BE or (word == "be" and helpers.used):
        return replace(helpers, be=True, past=word in ("was", "were")), at + 1
    if word in _SET:
        return replace(helpers, **{_SET[word]: True}), at + 1
    return (helpers, at + 1) if word in words().adverbs else None
