"""Every setting, typed, with its default and unit.

Settings come from keyword arguments, else from the environment: ``MNEMIC_TIMEZONE=UTC``,
``MNEMIC_RETRIEVAL__VECTOR_WEIGHT=0.4``. A name that is no setting is refused.
"""

from __future__ import annotations

import os
from typing import Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_settings import BaseSettings, SettingsConfigDict, SettingsError

from mnemic.mind_settings import Mind
from mnemic.model.concern import Concern
from mnemic.model.errors import InvalidInput
from mnemic.model.origin import SourceType
from mnemic.model.policy import POLICIES, Capability, Policy, tightened
from mnemic.model.times import zone

_PREFIX = "MNEMIC_"
NOT_SETTINGS = frozenset({"MNEMIC_BRAIN", "MNEMIC_USER"})
"""Variables of the command line that share the prefix."""


class _Group(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Storage(_Group):
    """The database."""

    busy_timeout_ms: int = Field(default=60_000, ge=0, description="wait for another writer, ms")
    pool_size: int = Field(default=4, ge=1, description="connections kept open")
    cache_kib: int = Field(default=1_024, ge=64, description="page cache of a connection, KiB")


class Encoding(_Group):
    """The road in."""

    max_content_chars: int = Field(
        default=1_000_000, ge=1, le=1_000_000, description="longest text, characters"
    )
    max_metadata_chars: int = Field(default=20_000, ge=2, description="longest metadata, as JSON")
    max_labels: int = Field(
        default=64, ge=0, description="most tags, and most entities, of a trace"
    )
    # AgentOS's decay model: a retrieval raises the strength by 0.1, up to 1.
    reinforcement: float = Field(
        default=0.1, ge=0, le=1, description="gain in strength of a repeat"
    )
    batch_size: int = Field(default=256, ge=1, description="traces embedded and committed together")
    names_by: Literal["rules", "spacy"] = Field(
        default="rules", description="what finds names in texts; spacy needs the extra"
    )
    names_pipeline: str | None = Field(
        default=None, description="with spacy: an installed pipeline; None is the small English one"
    )


class Index(_Group):
    """Candidates. Changing `passage_words` changes what is written from then on."""

    passage_words: int = Field(default=64, ge=8, description="longest passage, words")
    # 64 words: mean recall@10 75.8 with whole turns, 78.0 with passages (docs/benchmarks.md).
    sentence_vectors: bool = Field(default=True, description="a vector for each sentence as well")
    sentences_apart: bool = Field(
        default=False, description="sentences embedded one by one: twice the time"
    )
    # LoCoMo recall@10 .823 with the text, .831 apart (docs/decisions/013-sentences-with-texts.md).
    max_sentences: int = Field(default=24, ge=1, description="most sentence vectors of a trace")
    segment_passages: int = Field(
        default=2_048, ge=2, le=32_768, description="passages of a segment"
    )
    exact_vectors: int = Field(
        default=40_000,
        ge=0,
        description="vectors of a partition searched exactly; above, 1-bit first",
    )
    rescored_vectors: int = Field(
        default=8_000, ge=1, description="vectors rescored after the 1-bit scan"
    )
    cached_entries: int = Field(
        default=1_000_000, ge=1, description="entries kept in memory, about"
    )
    cached_postings: int = Field(
        default=4_000_000, ge=0, description="postings of words kept in memory; 10 bytes each"
    )


class Retrieval(_Group):
    """The road out. The weights were chosen on the tuning halves that docs/benchmarks.md names."""

    previous_weight: float = Field(
        default=0.4, ge=0, le=1, description="words of the passage before"
    )
    previous_question_weight: float = Field(
        default=0.6, ge=0, le=1, description="the same when it ends with a question"
    )
    next_weight: float = Field(default=0.3, ge=0, le=1, description="words of the passage after")
    k1: float = Field(default=1.2, gt=0, description="BM25: saturation of a word's count")
    b: float = Field(default=0.75, ge=0, le=1, description="BM25: weight of a passage's length")
    thread_weight: float = Field(default=0.3, ge=0, description="BM25 of the whole thread")
    thread_reply_words: int = Field(
        default=60, ge=0, description="words of an assistant's turn that count for its thread"
    )
    near_words: int = Field(
        default=4, ge=0, description="near words looked for beside each word of the question"
    )
    near_weight: float = Field(
        default=0.3, ge=0, le=1, description="their weight, times how near they are; 0: none"
    )
    proximity_weight: float = Field(
        default=0.3, ge=0, description="words of the question that stand close together"
    )
    feedback_weight: float = Field(
        default=0.2, ge=0, le=1, description="words that the best texts share; 0: none"
    )
    feedback_texts: int = Field(default=5, ge=1, description="texts that such words come from")
    feedback_words: int = Field(default=8, ge=1, description="such words looked for")
    first_person_boost: float = Field(
        default=1.2, ge=1, description="people speaking of themselves, against other texts"
    )
    number_boost: float = Field(default=1.25, ge=1, description="a number, when one is asked for")
    date_boost: float = Field(default=1.4, ge=1, description="the days that the question names")
    assistant_weight: float = Field(
        default=0.35, ge=0, le=1, description="an assistant's turn, against what people said"
    )
    assistant_weight_asked: float = Field(
        default=0.8, ge=0, le=1, description="the same when the question is about its words"
    )
    unnamed_weight: float = Field(
        default=0.6, ge=0, le=1, description="a speaker who is not named when another one is"
    )
    sentence_share: float = Field(
        default=0.5, ge=0, le=1, description="best sentence, against whole text"
    )
    neighbour_share: float = Field(
        default=0.3, ge=0, le=1, description="vectors of the turns beside"
    )
    assistant_malus: float = Field(
        default=0.15, ge=0, le=1, description="cosine taken off such a turn"
    )
    assistant_malus_asked: float = Field(
        default=0.045, ge=0, le=1, description="the same when asked for"
    )
    unnamed_malus: float = Field(
        default=0.1, ge=0, le=1, description="cosine taken off such a speaker"
    )
    vector_weight: float = Field(default=0.5, ge=0, le=1, description="vectors, against words")
    vector_slot: int = Field(
        default=10, ge=0, description="place from which every second goes by vectors; 0: none"
    )
    vector_slot_weight: float = Field(
        default=0.75, ge=0, le=1, description="vectors, against words, for those places"
    )
    wording_weight: float = Field(
        default=0.5, ge=0, le=1, description="other wordings of the question, by an expander"
    )
    reranked: int = Field(default=50, ge=1, description="hits that a reranker is given")
    noise_cosine: float | None = Field(
        default=None,
        ge=-1,
        le=1,
        description="a text without the words is no answer below it; None: the model's own",
    )


class Context(_Group):
    """The context packet."""

    candidates: int = Field(default=40, ge=1, description="hits considered for a packet")
    standing: int = Field(default=4, ge=0, description="standing wishes offered besides; 0: none")
    standing_share: float = Field(
        default=0.1, ge=0, le=1, description="most of the budget that they take"
    )
    working_share: float = Field(
        default=0.15, ge=0, le=1, description="most for what the session has in mind; 0: none"
    )
    reminder_share: float = Field(
        default=0.05, ge=0, le=1, description="most for what is to be done now; 0: none"
    )
    related_share: float = Field(
        default=0.05, ge=0, le=1, description="most for the neighbours of hits; 0: none"
    )
    partial_share: float = Field(
        default=0.03, ge=0, le=1, description="most for what is half remembered; 0: none"
    )


class Review(_Group):
    """What waits for a person."""

    mode: Literal["default", "strict"] = Field(
        default="default",
        description="strict: every origin but a person's waits for a reviewer",
    )
    hold: tuple[Concern, ...] = Field(
        default=tuple(Concern), description="concerns about a text for which it waits"
    )
    expire_days: int = Field(
        default=90, ge=1, description="days after which what waits expires, unapproved"
    )


class Learning(_Group):
    """The learning ledger."""

    mode: Literal["on", "off", "suspended", "frozen"] = Field(
        default="on", description="frozen refuses writes; off and suspended keep no ledger"
    )
    find_facts: bool = Field(default=True, description="find facts in plain sentences by rules")


class SourcePolicy(_Group):
    """A tighter trust policy for one source type. What is left out stays as it is."""

    usable_for: tuple[Capability, ...] | None = Field(default=None, description="uses that remain")
    reverify_after_hours: float | None = Field(
        default=None, gt=0, description="hours until it has to be verified again"
    )


class TrustRules(_Group):
    """What traces may be used for."""

    policies: dict[SourceType, SourcePolicy] = Field(
        default_factory=dict, description="tighter policies, by source type"
    )

    def policy(self, source: SourceType) -> Policy:
        """The policy of a source: AgentOS's, tightened."""
        own = self.policies.get(source)
        if own is None:
            return POLICIES[source]
        return tightened(POLICIES[source], own.usable_for, own.reverify_after_hours)

    @model_validator(mode="after")
    def _tighter(self) -> TrustRules:
        for source in self.policies:
            self.policy(source)
        return self


class Settings(BaseSettings):
    """All settings of a brain.

    Raises:
        InvalidInput: an unknown name, or a value out of range.
    """

    model_config = SettingsConfigDict(
        env_prefix=_PREFIX, env_nested_delimiter="__", extra="forbid", frozen=True
    )

    timezone: str | None = Field(default=None, description="zone of times that name none")
    storage: Storage = Field(default_factory=Storage)
    encoding: Encoding = Field(default_factory=Encoding)
    index: Index = Field(default_factory=Index)
    retrieval: Retrieval = Field(default_factory=Retrieval)
    context: Context = Field(default_factory=Context)
    review: Review = Field(default_factory=Review)
    learning: Learning = Field(default_factory=Learning)
    trust: TrustRules = Field(default_factory=TrustRules)
    mind: Mind = Field(default_factory=Mind)

    def __init__(self, **values: Any) -> None:
        _refuse_unknown_variables(type(self).model_fields)
        try:
            super().__init__(**values)
        except SettingsError as error:
            raise InvalidInput(f"{error}; {error.__cause__}") from error
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            raise InvalidInput(
                f"setting {where!r} with value {first['input']!r}: {first['msg']}"
            ) from error

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, value: str | None) -> str | None:
        if value is not None:
            zone(value)
        return value


def _refuse_unknown_variables(fields: Any) -> None:
    for name in os.environ:
        if not name.upper().startswith(_PREFIX) or name.upper() in NOT_SETTINGS:
            continue
        group = name[len(_PREFIX) :].lower().split("__")[0]
        if group not in fields:
            raise InvalidInput(
                f"environment variable {name!r} is no setting; known are: "
                + ", ".join(_PREFIX + field.upper() for field in fields)
            )
