"""Every setting of the mind, with another value, who sees the difference, and what of it moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.settings import minds_asleep as asleep
from tests.settings import minds_in as taken_in
from tests.settings import minds_out as given_out
from tests.settings.brains import Open, Parts


@dataclass(frozen=True, slots=True)
class Row:
    """How a setting is proven.

    Args:
        value: another one than it has.
        observe: sees several things, each by its name.
        moves: the names of those that are other with this value; all the rest must stay.
        base: settings that let it be seen.
    """

    value: object
    observe: Callable[[Open], Parts]
    moves: set[str]
    base: Mapping[str, Any] = field(default_factory=dict)


WORTH = {"strength", "stability", "importance"}
EVERY_WORTH = WORTH | taken_in.TEXTS.keys()
ONE_HIT = {"context": {"candidates": 1}}


def mind(**groups: Mapping[str, Any]) -> Mapping[str, Any]:
    """Settings of the mind as a base."""
    return {"mind": groups}


OWN = {
    "enabled": Row(False, taken_in.practised, {"strength", "stability", "due", "later"}),
    "preset": Row("agentos", taken_in.worth, {*EVERY_WORTH, "feeling"}),
}

PERSONALITY = {
    "honesty": Row(1.0, taken_in.worth, {*WORTH, "ethical"}),
    "emotionality": Row(1.0, taken_in.worth, {*WORTH, "emotional", "shocking"}),
    "extraversion": Row(1.0, taken_in.worth, {*WORTH, "social"}),
    "agreeableness": Row(1.0, taken_in.worth, {*WORTH, "cooperative"}),
    "conscientiousness": Row(1.0, taken_in.worth, {*WORTH, "procedural"}),
    "openness": Row(1.0, taken_in.worth, {*WORTH, "new"}),
}

APPRAISAL = {
    "enabled": Row(False, taken_in.worth, {*EVERY_WORTH, "feeling"}),
    "base_strength": Row(0.2, taken_in.worth, EVERY_WORTH),
    "base_stability_hours": Row(100.0, taken_in.worth, EVERY_WORTH - {"strength", "importance"}),
    "content_arousal": Row(0.0, taken_in.worth, {*WORTH, "shocking", "feeling"}),
    "flashbulb_threshold": Row(0.95, taken_in.worth, {*WORTH, "shocking"}),
    "flashbulb_strength": Row(1.1, taken_in.worth, {*WORTH, "shocking"}),
    "flashbulb_stability": Row(2.0, taken_in.worth, {"stability", "shocking"}),
}

DECAY = {
    "enabled": Row(False, taken_in.practised, {"strength", "stability", "due", "later"}),
    "gain": Row(0.2, taken_in.practised, {"strength", "stability", "later"}),
    "growth": Row(3.0, taken_in.practised, {"stability", "later"}),
    "difficulty": Row(1.0, taken_in.practised, {"stability", "later"}),
    "diminishing": Row(0.5, taken_in.practised, {"stability", "later"}),
    "emotion": Row(1.0, taken_in.practised, {"stability", "later"}),
    "most_stability_days": Row(200.0, taken_in.practised, {"stability", "later"}),
    "interval_hours": Row(5.0, taken_in.practised, {"due"}),
    "ignored_strength": Row(0.5, taken_in.ignored, {"strength"}),
    "ignored_stability": Row(0.2, taken_in.ignored, {"stability"}),
    "interference_similarity": Row(0.5, taken_in.resembling, {"old", "new"}),
}

RANKING = {
    "strength_weight": Row(0.9, given_out.ranked, {"aside", "weak", "strong", "glad"}),
    "congruence_weight": Row(0.5, given_out.ranked, {"glad"}),
    "recency_weight": Row(0.5, given_out.ranked, {"weak", "strong", "glad"}),
    "recency_half_life_hours": Row(
        200.0,
        given_out.ranked,
        {"weak", "strong", "glad"},
        mind(ranking={"recency_weight": 0.5}),
    ),
    "importance_weight": Row(0.5, given_out.ranked, {"aside", "weak", "strong", "glad"}),
    "archived_malus": Row(3.0, given_out.ranked, {"aside"}),
}

FADELESS = mind(decay={"enabled": False})
RECONSOLIDATION = {
    "enabled": Row(False, taken_in.coloured, {"once", "often"}, FADELESS),
    "rate": Row(0.1, taken_in.coloured, {"once"}, FADELESS),
    "most": Row(0.2, taken_in.coloured, {"often"}, FADELESS),
    "immune_strength": Row(1.0, taken_in.coloured, {"strong"}, FADELESS),
    "in_neutral_mood": Row(True, taken_in.coloured, {"in no mood"}, FADELESS),
}

FORGETTING = {
    "enabled": Row(False, given_out.held_down, {"very like", "like"}),
    "similarity": Row(0.2, given_out.held_down, {"unlike"}),
    "factor": Row(0.5, given_out.held_down, {"very like", "like"}),
    "most": Row(1, given_out.held_down, {"like"}),
}

INVOLUNTARY = {
    "enabled": Row(False, given_out.unbidden, {"old"}, ONE_HIT),
    "probability": Row(0.0, given_out.unbidden, {"old"}, ONE_HIT),
    "min_age_days": Row(5.0, given_out.unbidden, {"young"}, ONE_HIT),
    "min_strength": Row(0.05, given_out.unbidden, {"weak"}, ONE_HIT),
}

KNOWING = {
    "enabled": Row(False, given_out.half_known, {"nearest", "near", "fairly near"}, ONE_HIT),
    "threshold": Row(0.6, given_out.half_known, {"fairly near"}, ONE_HIT),
    "most": Row(1, given_out.half_known, {"near", "fairly near"}, ONE_HIT),
}

GISTING = mind(gist={"enabled": True})
GIST = {
    "enabled": Row(True, asleep.gists, {"idle", "used once", "words", "strength"}),
    "min_age_days": Row(10.0, asleep.gists, {"young", "words"}, GISTING),
    "max_uses": Row(1, asleep.gists, {"used once", "words", "strength"}, GISTING),
    "below_strength": Row(0.99, asleep.gists, {"strong", "strength"}, GISTING),
    "factor": Row(0.5, asleep.gists, {"strength"}, GISTING),
    "most_words": Row(20, asleep.gists, {"words"}, GISTING),
    "most": Row(1, asleep.gists, {"used once", "words", "strength"}, GISTING),
}

SCHEMA = {
    "enabled": Row(False, taken_in.schemas, {"fits", "fits little", "strange"}),
    "similarity": Row(0.99, taken_in.schemas, {"fits"}),
    "fits": Row(0.5, taken_in.schemas, {"fits"}),
    "strange": Row(1.0, taken_in.schemas, {"fits little", "strange"}),
    "members": Row(3, taken_in.schemas, {"fits little"}),
}

THREE_TIES = mind(spreading={"depth": 3})
THREE_SEEDS = mind(spreading={"weight": 0.5, "seeds": 3})
SPREADING = {
    "enabled": Row(False, given_out.tied, {"together", "lately"}),
    "seeds": Row(1, given_out.lifted, {"of the third"}, THREE_SEEDS),
    "weight": Row(0.2, given_out.lifted, {"of the first", "of the third"}, THREE_SEEDS),
    "decay": Row(0.8, given_out.activated, {"near", "middle", "far"}, THREE_TIES),
    "least": Row(0.1, given_out.activated, {"far"}, THREE_TIES),
    "depth": Row(3, given_out.activated, {"far"}),
    "most": Row(2, given_out.activated, {"middle", "far"}, THREE_TIES),
    "fan": Row(0.0, given_out.activated, {"near", "middle", "far"}, THREE_TIES),
    "co_activation": Row(0.5, given_out.tied, {"together"}),
}

SOURCE_DECAY = {
    "enabled": Row(False, asleep.inferred, {"guessed"}),
    "interval_days": Row(50.0, asleep.inferred, {"guessed"}),
}

REGULATION = {
    "enabled": Row(False, asleep.calmed, {"gravest", "grave"}),
    "rate": Row(0.5, asleep.calmed, {"gravest", "grave"}),
    "valence": Row(0.3, asleep.calmed, {"sad"}),
    "arousal": Row(0.99, asleep.calmed, {"gravest", "grave"}),
    "most": Row(1, asleep.calmed, {"grave"}),
}

DRIFTING = mind(drift={"enabled": True})
DRIFT = {
    "enabled": Row(True, asleep.drifting, {"first", "how far"}),
    "min_traces": Row(30, asleep.drifting, {"first", "how far"}, DRIFTING),
    "max_delta": Row(0.01, asleep.drifting, {"how far"}, DRIFTING),
    "every": Row(1, asleep.drifting, {"second"}, DRIFTING),
}

WORKING = {
    "enabled": Row(False, given_out.in_mind, {"how many", "again", "rehearsed", "left alone"}),
    "capacity": Row(3, given_out.in_mind, {"how many"}),
    "activation": Row(0.5, given_out.in_mind, {"how many", "again", "rehearsed", "left alone"}),
    "refocus": Row(0.1, given_out.in_mind, {"again"}),
    "rehearsal": Row(0.05, given_out.in_mind, {"rehearsed"}),
    "decay": Row(0.05, given_out.in_mind, {"how many", "rehearsed", "left alone", "first"}),
    "evict": Row(0.3, given_out.in_mind, {"how many"}),
    "persist": Row(True, given_out.in_mind, {"elsewhere"}),
}

DERIVING = mind(consolidation={"derive": True})
CONSOLIDATION = {
    "batch": Row(2, asleep.batches, {"transactions"}),
    "archive": Row(False, asleep.set_aside, {"weak"}),
    "archive_strength": Row(0.3, asleep.set_aside, {"middling"}),
    "archive_intensity": Row(0.9, asleep.set_aside, {"moving"}),
    "archive_days": Row(60.0, asleep.set_aside, {"used lately"}),
    "archive_facts": Row(True, asleep.set_aside, {"fact"}),
    "archived": Row("hidden", given_out.ranked, {"aside"}),
    "merge_similarity": Row(0.99, asleep.merged, {"left"}),
    "derive": Row(True, asleep.derived, {"Marta", "Oskar"}),
    "cluster": Row(3, asleep.derived, {"Ruth"}, DERIVING),
    "most_derived": Row(1, asleep.derived, {"Oskar"}, DERIVING),
    "compact_days": Row(2.0, asleep.compacted, {"young"}),
    "compact_uses": Row(2, asleep.compacted, {"twice"}),
    "replay_hours": Row(48.0, given_out.tied, {"some time ago"}),
    "lease_minutes": Row(60.0, asleep.abandoned, {"first", "second"}),
}

_GROUPS = {
    "personality": PERSONALITY,
    "appraisal": APPRAISAL,
    "decay": DECAY,
    "ranking": RANKING,
    "reconsolidation": RECONSOLIDATION,
    "forgetting": FORGETTING,
    "involuntary": INVOLUNTARY,
    "knowing": KNOWING,
    "gist": GIST,
    "schema_encoding": SCHEMA,
    "spreading": SPREADING,
    "source_decay": SOURCE_DECAY,
    "regulation": REGULATION,
    "drift": DRIFT,
    "working": WORKING,
    "consolidation": CONSOLIDATION,
}

MIND: Mapping[str, Row] = {
    **{f"mind.{name}": row for name, row in OWN.items()},
    **{
        f"mind.{group}.{name}": row for group, rows in _GROUPS.items() for name, row in rows.items()
    },
}
