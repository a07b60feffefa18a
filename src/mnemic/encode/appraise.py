"""What a text is worth, and what it names: step 6 of the road in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from mnemic.cognition.appraisal import appraise
from mnemic.cognition.encoding import Encoded, encode
from mnemic.cognition.entities import Named, find_entities, named_in_facts
from mnemic.cognition.rules import rules_of
from mnemic.encode.resolve import Resolved
from mnemic.model.fact import Fact
from mnemic.model.graph import EntityKind
from mnemic.model.mind import Emotion, Personality
from mnemic.settings import Settings

_HOUR = 3_600_000
_PLAIN_IMPORTANCE = 0.5


@lru_cache(4)
def finder_of(by: str, pipeline: str | None) -> Callable[[str], tuple[Named, ...]]:
    """What finds names in texts, as the settings say."""
    if by == "rules":
        return find_entities
    from mnemic.graph.spacy_finder import MODEL, SpacyFinder

    return SpacyFinder(pipeline or MODEL)


@dataclass(frozen=True, slots=True)
class Appraised:
    """What a text is worth as it comes in.

    Args:
        encoded: its strength, stability, importance and feeling.
        interval: how long after its first use it is due to be reinforced, in milliseconds.
    """

    encoded: Encoded
    interval: float


def appraised(draft: Resolved, settings: Settings, who: Personality | None = None) -> Appraised:
    """Appraise a draft; a strength that is given stays as it is, and stability goes by it."""
    mind = settings.mind
    interval = mind.decay.interval_hours * _HOUR
    if not mind.works(mind.appraisal):
        return Appraised(_plain(draft, settings), interval)
    rules = rules_of(mind, who)
    found = appraise(draft.content)
    encoded = encode(found, draft.mood, rules.personality, rules.encoding)
    if draft.strength is not None:
        given = draft.strength
        factor = 1 + rules.encoding.stability_of_strength * given
        encoded = replace(encoded, strength=given, stability=rules.encoding.base_stability * factor)
    return Appraised(encoded, interval)


def _plain(draft: Resolved, settings: Settings) -> Encoded:
    """Every text alike."""
    chosen = settings.mind.appraisal
    strength = chosen.base_strength if draft.strength is None else draft.strength
    model = rules_of(settings.mind).encoding
    stability = model.base_stability * (1 + model.stability_of_strength * strength)
    return Encoded(strength, stability, _PLAIN_IMPORTANCE, Emotion(), flashbulb=False)


def named_in(draft: Resolved, facts: Sequence[Fact], settings: Settings) -> tuple[Named, ...]:
    """Whom and what a draft names: its entities, as given, those in its text, and in its facts."""
    given = (Named(label, EntityKind.THING, 0) for label in draft.entities)
    chosen = settings.encoding
    found = finder_of(chosen.names_by, chosen.names_pipeline)(draft.content)
    known: Mapping[str, Named] = {one.label: one for one in found}
    said = named_in_facts(facts, draft.speaker) if facts else ()
    return (*(known.get(one.label, one) for one in given), *found, *said)
