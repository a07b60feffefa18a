"""The settings of the mind: one group a mechanism, each with its own switch.

The defaults are for an assistant that is used for years: with them no fact becomes unfindable by
age alone. ``preset="agentos"`` puts AgentOS's constants in their place; what is given beside it
still counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator


class _Group(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Mechanism(_Group):
    enabled: bool = Field(default=True, description="whether it works at all")


class PersonalitySettings(_Group):
    """The six traits of HEXACO (Ashton & Lee 2007), 0 to 1; .5 is neutral."""

    honesty: float = Field(default=0.5, ge=0, le=1, description="honesty and humility")
    emotionality: float = Field(default=0.5, ge=0, le=1, description="emotionality")
    extraversion: float = Field(default=0.5, ge=0, le=1, description="extraversion")
    agreeableness: float = Field(default=0.5, ge=0, le=1, description="agreeableness")
    conscientiousness: float = Field(default=0.5, ge=0, le=1, description="conscientiousness")
    openness: float = Field(default=0.5, ge=0, le=1, description="openness to experience")


class Appraisal(_Mechanism):
    """What a text is worth when it comes in; off gives every text the same."""

    base_strength: float = Field(
        default=0.5, ge=0, le=1, description="strength of a plain text in a neutral mood"
    )
    base_stability_hours: float = Field(
        default=720, gt=0, description="stability of a text of no strength, hours"
    )
    # AgentOS takes arousal from the mood alone, so a calm agent never has a flashbulb memory.
    content_arousal: float = Field(
        default=1.0, ge=0, le=1, description="how much the arousal of the text counts"
    )
    flashbulb_threshold: float = Field(
        default=0.8, gt=0, le=1, description="emotional intensity from which a text is burnt in"
    )
    flashbulb_strength: float = Field(default=2, ge=1, description="times its strength")
    flashbulb_stability: float = Field(default=5, ge=1, description="times its stability")


class Decay(_Mechanism):
    """How a trace fades and grows. Off: neither time nor use changes its strength."""

    gain: float = Field(default=0.1, ge=0, le=1, description="strength that a recall adds")
    growth: float = Field(default=1.5, ge=1, description="stability after an easy recall, times")
    difficulty: float = Field(default=2, ge=0, description="more of it, the more it had faded")
    diminishing: float = Field(default=0.1, ge=0, description="less of it with every earlier use")
    emotion: float = Field(default=0.3, ge=0, description="more of it by emotional intensity")
    most_stability_days: float = Field(
        default=3_650, gt=0, description="stability grows no further, days"
    )
    interval_hours: float = Field(
        default=24, gt=0, description="first interval until it is due again; doubles"
    )
    ignored_strength: float = Field(
        default=0.9, gt=0, le=1, description="strength left to what was recalled and ignored, times"
    )
    ignored_stability: float = Field(default=0.5, gt=0, le=1, description="the same of stability")
    interference_similarity: float = Field(
        default=0.7, ge=0, lt=1, description="cosine from which traces interfere"
    )


class Ranking(_Group):
    """What the mind adds to a score, in standard deviations; `retrieval` has the rest."""

    strength_weight: float = Field(
        default=0.1, ge=0, description="most that present strength moves a score, either way: half"
    )
    congruence_weight: float = Field(
        default=0.1, ge=0, description="most that a mood lifts what carries the same feeling"
    )
    recency_weight: float = Field(default=0, ge=0, description="most that recent use lifts a score")
    recency_half_life_hours: float = Field(
        default=24, gt=0, description="time after which recency is 1/e, hours"
    )
    importance_weight: float = Field(
        default=0, ge=0, description="most that importance moves a score, either way: half"
    )
    archived_malus: float = Field(
        default=1.0, ge=0, description="taken off the score of what is archived"
    )


class Reconsolidation(_Mechanism):
    """A trace that is recalled in a mood takes some of it (Nader, Schafe & Le Doux 2000)."""

    rate: float = Field(default=0.05, ge=0, le=1, description="share of the way to the mood")
    most: float = Field(default=0.4, ge=0, description="drift of a trace in all")
    immune_strength: float = Field(default=0.9, ge=0, le=1, description="from here it holds still")
    in_neutral_mood: bool = Field(default=False, description="a neutral mood draws too")


class Forgetting(_Mechanism):
    """Recalling some weakens what competes (Anderson, Bjork & Bjork 1994)."""

    similarity: float = Field(default=0.7, ge=0, le=1, description="cosine that makes a competitor")
    factor: float = Field(default=0.12, ge=0, le=0.7, description="stability that it loses, share")
    most: int = Field(default=5, ge=0, description="competitors a recall")


class Involuntary(_Mechanism):
    """What comes to mind unbidden (Berntsen 2009), as one line of a context packet."""

    probability: float = Field(default=0.08, ge=0, le=1, description="of each packet")
    min_age_days: float = Field(default=14, ge=0, description="youngest that comes, days")
    min_strength: float = Field(default=0.15, ge=0, le=1, description="weakest that comes")


class Knowing(_Mechanism):
    """Feeling of knowing (Hart 1965; Nelson & Narens 1990), in context packets."""

    threshold: float = Field(
        default=0.3, ge=0, le=1, description="similarity from which it is felt"
    )
    most: int = Field(default=3, ge=0, description="such memories named in a packet")


class Gist(_Mechanism):
    """Old episodes keep their gist; the words stay in the history (Reyna & Brainerd 1995).

    Off unless asked for: a sentence that a gist leaves out is not found by its words any more.
    """

    enabled: bool = Field(default=False, description="whether it works at all")
    min_age_days: float = Field(default=60, ge=0, description="youngest that is shortened, days")
    max_uses: int = Field(default=2, ge=0, description="recalled less often than this")
    below_strength: float = Field(default=0.9, ge=0, le=1, description="weaker than this")
    factor: float = Field(default=0.8, gt=0, le=1, description="strength that is left, times")
    most_words: int = Field(default=50, ge=5, description="longest gist, words")
    most: int = Field(default=20, ge=0, description="shortened a scope and consolidation")


class Schema(_Mechanism):
    """What fits what is known is encoded weaker, what does not stronger (Ghosh & Gilboa 2014)."""

    similarity: float = Field(default=0.75, ge=0, le=1, description="cosine to a schema that fits")
    fits: float = Field(default=0.85, gt=0, le=1, description="strength of what fits, times")
    strange: float = Field(default=1.3, ge=1, description="strength of what fits none, times")
    members: int = Field(default=5, ge=2, description="traces about one thing that make a schema")


class Spreading(_Mechanism):
    """Activation spreads along the graph (Anderson 1983)."""

    seeds: int = Field(default=5, ge=1, description="hits that it starts from")
    decay: float = Field(default=0.5, ge=0, le=1, description="left after each edge, times")
    least: float = Field(default=0.02, gt=0, le=1, description="activation that is dropped below")
    depth: int = Field(default=2, ge=1, description="edges from a seed")
    most: int = Field(default=20, ge=1, description="activated traces")
    fan: float = Field(default=0.5, ge=0, description="exponent by which a node's degree divides")
    weight: float = Field(
        default=0.0, ge=0, description="most that it lifts a hit; 0: context only"
    )
    co_activation: float = Field(default=0.1, ge=0, le=1, description="edge gain of recalled pairs")


class SourceDecay(_Mechanism):
    """What was inferred fades sooner than what was told (Johnson, Hashtroudi & Lindsay 1993)."""

    interval_days: float = Field(default=30, gt=0, description="how often stability is multiplied")


class Regulation(_Mechanism):
    """The most upsetting is reappraised (Gross 1998)."""

    rate: float = Field(default=0.15, ge=0, le=1, description="share that valence and arousal lose")
    valence: float = Field(default=0.8, ge=0, le=1, description="farther from 0 than this")
    arousal: float = Field(default=0.6, ge=0, le=1, description="above this")
    most: int = Field(default=10, ge=0, description="reappraised a scope and consolidation")


class Drift(_Mechanism):
    """Proposes changes of personality, which a person accepts or declines."""

    enabled: bool = Field(default=False, description="whether it works at all")
    min_traces: int = Field(default=10, ge=1, description="traces with a feeling that it needs")
    max_delta: float = Field(
        default=0.05, gt=0, le=1, description="most that a trait moves at once"
    )
    every: int = Field(default=5, ge=1, description="consolidations from one analysis to the next")


class Working(_Mechanism):
    """Working memory: what a session has in mind (Baddeley & Hitch 1974; Miller 1956)."""

    capacity: int = Field(default=7, ge=1, description="slots of a neutral personality")
    activation: float = Field(default=0.8, gt=0, le=1, description="of what enters")
    refocus: float = Field(default=0.2, ge=0, le=1, description="gain of what is recalled again")
    rehearsal: float = Field(default=0.15, ge=0, le=1, description="gain of a rehearsal")
    decay: float = Field(default=0.1, ge=0, le=1, description="loss with each recall")
    evict: float = Field(default=0.15, ge=0, le=1, description="below this a slot is given up")
    persist: bool = Field(default=False, description="survives a restart")


class Consolidation(_Group):
    """The sleep of a brain."""

    batch: int = Field(default=500, ge=1, description="traces a transaction")
    archive: bool = Field(default=True, description="set aside what is weak, unemotional and old")
    archive_strength: float = Field(default=0.05, ge=0, le=1, description="weaker than this")
    archive_intensity: float = Field(default=0.3, ge=0, le=1, description="less moving than this")
    archive_days: float = Field(default=180, ge=0, description="unused for so long, days")
    archive_facts: bool = Field(default=False, description="also what is a fact or holds one")
    archived: Literal["behind", "hidden"] = Field(
        default="behind", description="behind: still found, after the rest; hidden: when asked for"
    )
    merge_similarity: float = Field(
        default=0.95, gt=0, le=1, description="cosine of texts with the same words that are merged"
    )
    derive: bool = Field(default=False, description="write what several traces have in common")
    cluster: int = Field(default=5, ge=2, description="traces about one thing that give an insight")
    most_derived: int = Field(default=5, ge=0, description="insights a scope and consolidation")
    compact_days: float = Field(
        default=7, ge=0, description="episodes become knowledge after, days"
    )
    compact_uses: int = Field(default=3, ge=0, description="if recalled so often")
    replay_hours: float = Field(default=24, gt=0, description="how far back links are replayed")
    lease_minutes: float = Field(
        default=10, gt=0, description="a run that gave no sign for so long is taken for dead"
    )


class Mind(_Group):
    """Everything of the mind; `enabled=False` switches all mechanisms off at once."""

    enabled: bool = Field(default=True, description="whether there is a mind at all")
    preset: Literal["default", "agentos"] = Field(
        default="default", description="whose constants stand where none are given"
    )
    personality: PersonalitySettings = Field(default_factory=PersonalitySettings)
    appraisal: Appraisal = Field(default_factory=Appraisal)
    decay: Decay = Field(default_factory=Decay)
    ranking: Ranking = Field(default_factory=Ranking)
    reconsolidation: Reconsolidation = Field(default_factory=Reconsolidation)
    forgetting: Forgetting = Field(default_factory=Forgetting)
    involuntary: Involuntary = Field(default_factory=Involuntary)
    knowing: Knowing = Field(default_factory=Knowing)
    gist: Gist = Field(default_factory=Gist)
    schema_encoding: Schema = Field(default_factory=Schema)
    spreading: Spreading = Field(default_factory=Spreading)
    source_decay: SourceDecay = Field(default_factory=SourceDecay)
    regulation: Regulation = Field(default_factory=Regulation)
    drift: Drift = Field(default_factory=Drift)
    working: Working = Field(default_factory=Working)
    consolidation: Consolidation = Field(default_factory=Consolidation)

    @model_validator(mode="before")
    @classmethod
    def _preset(cls, given: Any) -> Any:
        if not isinstance(given, Mapping) or given.get("preset") != "agentos":
            return given
        whole = dict(given)
        for group, values in AGENTOS.items():
            own = whole.get(group, {})
            if isinstance(own, Mapping):
                whole[group] = {**values, **own}
        return whole

    def works(self, mechanism: _Mechanism) -> bool:
        """Whether a mechanism is switched on, and the mind with it."""
        return self.enabled and mechanism.enabled


AGENTOS: Mapping[str, Mapping[str, Any]] = {
    "appraisal": {"base_strength": 0.2875, "base_stability_hours": 1, "content_arousal": 0.0},
    "decay": {"interval_hours": 1},
    "ranking": {
        "strength_weight": 0.25,
        "congruence_weight": 0.15,
        "recency_weight": 0.1,
        "importance_weight": 0.05,
    },
    "reconsolidation": {"immune_strength": 1, "in_neutral_mood": True},
    "forgetting": {"similarity": 0},
    "gist": {"enabled": True, "most_words": 30},
    "spreading": {"weight": 0.1, "least": 0.1, "fan": 0, "depth": 3},
    "source_decay": {"interval_days": 1 / 24},
    "consolidation": {"archive_days": 0, "archive_facts": True, "archived": "hidden"},
    "drift": {"every": 1},
}
"""AgentOS's constants, where the defaults are others (its scores weigh vectors from 0 to 1, ours
standard deviations: the weights are the same shares of the spread)."""
