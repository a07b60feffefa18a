"""How two facts stand to each other.

A pure function of the two facts. What it cannot tell: whether two people of one name are one
person, and what the present is. So a fact with an end ("until 2019") never replaces one without
any date, which speaks of the present; and only one that holds on does.
"""

from __future__ import annotations

from enum import StrEnum

from mnemic.cognition.facts.attributes import attribute
from mnemic.cognition.facts.forms import Match, match, read_value
from mnemic.model.fact import Fact, Shape, fact_key


class Relation(StrEnum):
    """What a new fact does to an old one."""

    SAME = "same"
    """It says the same again, perhaps with less."""
    REPLACES = "replaces"
    """It gives another value where there is one only."""
    CONTRADICTS = "contradicts"
    """It denies what the old one says, or says what the old one denies."""
    RETRACTS = "retracts"
    """It ends the value, and gives no other."""
    NARROWS = "narrows"
    """It says it more exactly, or limits it: in part, in time, with an exception."""
    COMPATIBLE = "compatible"
    """Both hold."""
    UNRELATED = "unrelated"
    """They are not about one attribute of one subject."""


def compare(old: Fact, new: Fact) -> Relation:
    """How a new fact stands to an old one.

    Args:
        old: what was held so far.
        new: what was said later.

    Returns:
        What the new fact does to the old one.
    """
    if fact_key(old)[0] != fact_key(new)[0] or _attribute(old) != _attribute(new):
        return Relation.UNRELATED
    matched = match(old.value, new.value)
    many = old.many or new.many
    same_side = _denies(old) == _denies(new)
    if new.shape is Shape.RETRACTION:
        return _retracting(old, matched, many, same_side)
    if old.shape is Shape.RETRACTION:
        true_again = same_side and matched is Match.SAME and new.until is None
        return Relation.REPLACES if true_again else Relation.COMPATIBLE
    if matched is not Match.OTHER and _apart(old, new):
        return Relation.COMPATIBLE
    if not same_side:
        return _opposed(new, matched)
    if matched is Match.OTHER:
        return _with_another(old, new, many)
    return _alike(old, new, matched, many)


def _attribute(fact: Fact) -> str:
    return attribute(fact.attribute).opposite or fact.attribute


def _denies(fact: Fact) -> bool:
    """Whether it denies the attribute: "dislikes" denies "likes"."""
    return fact.negated != (attribute(fact.attribute).opposite is not None)


def _retracting(old: Fact, matched: Match, many: bool, same_side: bool) -> Relation:
    if not same_side or matched is Match.OTHER:
        return Relation.COMPATIBLE
    if old.shape is Shape.RETRACTION:
        return Relation.SAME
    if old.until is not None:
        return Relation.COMPATIBLE  # it had an end already
    if many and matched is Match.NARROWER:
        return Relation.NARROWS  # no green tea any more, but tea
    return Relation.RETRACTS


def _opposed(new: Fact, matched: Match) -> Relation:
    """One says it, the other denies it."""
    if matched is Match.OTHER:
        return Relation.COMPATIBLE
    if matched is Match.SAME:
        return Relation.NARROWS if new.shape is Shape.PARTIAL else Relation.CONTRADICTS
    if matched is Match.NARROWER:
        return Relation.NARROWS  # an exception
    return Relation.CONTRADICTS if _denies(new) else Relation.COMPATIBLE


def _with_another(old: Fact, new: Fact, many: bool) -> Relation:
    """Both say it, or both deny it, of different values."""
    if many:
        return _by_sides(old, new)
    if _denies(new) or _apart(old, new) or old.shape is Shape.PARTIAL:
        return Relation.COMPATIBLE
    return Relation.NARROWS if new.shape is Shape.PARTIAL else Relation.REPLACES


def _alike(old: Fact, new: Fact, matched: Match, many: bool) -> Relation:
    """Both say it, or both deny it, of values that are the same or one within the other."""
    if matched is not Match.SAME and many and not _placed(old, new):
        return Relation.COMPATIBLE
    limited = new.shape is Shape.PARTIAL and old.shape is not Shape.PARTIAL
    ended = new.until is not None and old.until is None
    if limited or ended or matched is Match.NARROWER:
        return Relation.NARROWS
    return Relation.SAME


def _placed(old: Fact, new: Fact) -> bool:
    """Whether one is the other with what it lies in: "Lisbon", "Lisbon, Portugal"."""
    first, second = read_value(old.value), read_value(new.value)
    lengths = len(first.parts), len(second.parts)
    return max(first.commas, second.commas) == min(lengths)


def _by_sides(old: Fact, new: Fact) -> Relation:
    """Two preferences: "tea over coffee" is turned round by "coffee over tea"."""
    first, second = _sides(old.value), _sides(new.value)
    if first is None or second is None:
        return Relation.COMPATIBLE
    if first == second:
        return Relation.SAME
    return Relation.REPLACES if first == second[::-1] else Relation.COMPATIBLE


def _sides(value: str) -> tuple[str, ...] | None:
    parts = read_value(value).parts
    for word in ("over", "to"):
        if word in parts[1:-1]:
            at = parts.index(word)
            return " ".join(parts[:at]), " ".join(parts[at + 1 :])
    return None


def _apart(old: Fact, new: Fact) -> bool:
    """Whether two facts hold at different times."""
    bounds = (old.since, old.until, new.since, new.until)
    if old.until is None and new.until is None:
        return False
    if bounds[:2] == (None, None) or bounds[2:] == (None, None):
        return True  # one has an end, the other speaks of the present
    if bounds[:2] == bounds[2:]:
        return False
    return _before(old.until, new.since) or _before(new.until, old.since)


def _before(until: str | None, since: str | None) -> bool:
    """Whether what ended in a year can end before what began in it: 2019 and 2019-05."""
    if until is None or since is None:
        return False
    return since[: len(until)] >= until[: len(since)]
