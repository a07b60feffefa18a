"""Names that facts are about, so that a fact can tie the two names that it is said of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mnemic.cognition.entities.named import Named
from mnemic.cognition.facts.attributes import attribute
from mnemic.cognition.facts.find import UNNAMED
from mnemic.model.fact import Fact
from mnemic.model.graph import EntityKind
from mnemic.model.normal_form import normal_form

_KINDS: Mapping[str, EntityKind] = {
    "name": EntityKind.PERSON,
    "lower_name": EntityKind.PERSON,
    "place": EntityKind.PLACE,
    "organisation": EntityKind.ORGANIZATION,
    "product": EntityKind.THING,
    "vehicle": EntityKind.THING,
}
"""Readers of values (`cognition/facts/values.py`) whose values are names."""


def named_in_facts(facts: Iterable[Fact], speaker: str | None) -> tuple[Named, ...]:
    """The names that facts say something of, and those that they give as values.

    A subject without a name of its own, as "ana's sister", is left out, and so is a value that
    names nothing, as a job or an age.

    Args:
        facts: of one text.
        speaker: who said it, the subject of "I", as it is written; None if nobody says.

    Returns:
        The names, their place in the text being unknown and given as 0.
    """
    found: dict[Named, None] = {}
    own = normal_form(speaker) if speaker else ""
    for fact in facts:
        subject = speaker if speaker and fact.subject == own else fact.subject
        if subject != UNNAMED and "'s " not in subject:
            found[Named(subject, EntityKind.PERSON, 0)] = None
        kinds = (_KINDS.get(kind) for kind in attribute(fact.attribute).kinds)
        kind = next((kind for kind in kinds if kind is not None), None)
        if kind is not None and not fact.negated:
            found[Named(fact.value, kind, 0)] = None
    return tuple(found)
