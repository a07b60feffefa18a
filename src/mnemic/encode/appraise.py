"""What a text is worth, and what it names: step 6 of the road in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from mnemic.cognition.appraisal import appraise
from mnemic.cognition.encoding import Encoded, encode
from mnemic.cognition.entities import Named, find_entities
from mnemic.cognition.rules import rules_of
from mnemic.encode.resolve import Resolved
from mnemic.model.graph import EntityKind
from mnemic.model.mind import Emotion
from mnemic.settings import Settings

_HOUR = 3_600_000
_PLAIN_IMPORTANCE = 0.5


@dataclass(frozen=True, slots=True)
class Appraised:
    """What a text is worth as it comes in.

    Args:
        encoded: its strength, stability, importance and feeling.
        interval: how long after its first use it is due to be reinforced, in milliseconds.
    """

    encoded: Encoded
    interval: float


def appraised(draft: Resolved, settings: Settings) -> Appraised:
    """Appraise a draft; a strength that is given stays as it is, and stability goes by it."""
    mind = settings.mind
    interval = mind.decay.interval_hours * _HOUR
    if not mind.works(mind.appraisal):
        return Appraised(_plain(draft, settings), interval)
    rules = rules_of(mind)
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


def named_in(draft: Resolved) -> tuple[Named, ...]:
    """Whom and what a draft names: its entities, as given, and those found in its text."""
    given = (Named(label, EntityKind.THING, 0) for label in draft.entities)
    found = find_entities(draft.content)
    known: Mapping[str, Named] = {one.label: one for one in found}
    return (*(known.get(one.label, one) for one in given), *found)
