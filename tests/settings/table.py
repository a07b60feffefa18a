"""Every setting but those of the mind, with another value and who sees the difference."""

from __future__ import annotations

from typing import Any

from tests.settings import answers, roads
from tests.settings.answers import ASKED, COUNTING, DATED, EVERY, NAMING
from tests.settings.brains import Observer

BY_BITS = {"index": {"exact_vectors": 0}}
ONE_HIT = {"context": {"candidates": 1}}
TABLE: dict[str, tuple[object, Observer, dict[str, Any]]] = {
    "timezone": ("America/New_York", roads.when, {}),
    "storage.busy_timeout_ms": (0, roads.waiting, {}),
    "storage.pool_size": (2, roads.connections, {}),
    "storage.cache_kib": (64, roads.page_cache, {}),
    "encoding.max_content_chars": (10, roads.remembering(content="eleven chars"), {}),
    "encoding.max_metadata_chars": (
        9,
        roads.remembering(content="x", metadata={"key": "long"}),
        {},
    ),
    "encoding.max_labels": (1, roads.remembering(content="x", tags=["a", "b"]), {}),
    "encoding.reinforcement": (0.3, roads.strengths, {}),
    "encoding.batch_size": (2, roads.batches, {}),
    "encoding.names_by": ("spacy", roads.named, {"encoding": {"names_pipeline": "no_such_one"}}),
    "encoding.names_pipeline": ("no_such_one", roads.piped, {"encoding": {"names_by": "spacy"}}),
    "index.passage_words": (8, roads.passage, {}),
    "index.sentence_vectors": (False, roads.nearness, {}),
    "index.sentences_apart": (True, roads.asked_together, {}),
    "index.max_sentences": (1, roads.nearness, {}),
    "index.segment_passages": (2, roads.segments, {}),
    "index.exact_vectors": (0, roads.near_ones, {}),
    "index.rescored_vectors": (1, roads.near_ones, BY_BITS),
    "index.cached_entries": (1, roads.rereading, {}),
    "index.cached_postings": (0, roads.asking_again, {"index": {"segment_passages": 2}}),
    "retrieval.wording_weight": (0.1, answers.reworded, {}),
    "retrieval.reranked": (1, answers.reranked, {}),
    "retrieval.vector_slot": (2, answers.interleaved, {}),
    "retrieval.vector_slot_weight": (0.0, answers.interleaved, {"retrieval": {"vector_slot": 2}}),
    "context.candidates": (2, answers.considered, {}),
    "context.standing": (0, answers.offering, {}),
    "context.standing_share": (0.0, answers.offering, {}),
    "context.working_share": (0.01, answers.section("working"), ONE_HIT),
    "context.reminder_share": (0.01, answers.section("reminders"), ONE_HIT),
    "context.related_share": (0.01, answers.section("related"), ONE_HIT),
    "context.partial_share": (0.01, answers.section("partial"), ONE_HIT),
    "review.mode": ("strict", roads.remembering(content="x", source="tool_result"), {}),
    "review.hold": (["instruction"], roads.remembering(content=roads.SECRET), {}),
    "review.expire_days": (7, roads.swept, {}),
    "learning.mode": ("frozen", roads.remembering(content="x"), {}),
    "learning.find_facts": (False, roads.facts_found, {}),
    "trust.policies": ({"user_statement": {"usable_for": []}}, roads.profiled, {}),
}

WEIGHTS: dict[str, tuple[float, set[str]]] = {
    "previous_weight": (0.1, EVERY),
    "previous_question_weight": (0.1, EVERY),
    "near_words": (0, EVERY),
    "near_weight": (0.0, EVERY),
    "proximity_weight": (2.0, EVERY),
    "feedback_weight": (0.0, EVERY),
    "feedback_texts": (1, EVERY),
    "feedback_words": (1, EVERY),
    "first_person_boost": (2.0, EVERY),
    "number_boost": (2.0, {COUNTING}),
    "date_boost": (2.0, {DATED}),
    "next_weight": (0.1, EVERY),
    "k1": (2.0, EVERY),
    "b": (0.1, EVERY),
    "thread_weight": (2.0, EVERY),
    "thread_reply_words": (0, EVERY),
    "assistant_weight": (0.9, EVERY - {ASKED}),
    "assistant_weight_asked": (0.1, {ASKED}),
    "unnamed_weight": (0.1, {NAMING}),
    "sentence_share": (0.9, EVERY),
    "neighbour_share": (0.9, EVERY),
    "assistant_malus": (0.9, EVERY - {ASKED}),
    "assistant_malus_asked": (0.9, {ASKED}),
    "unnamed_malus": (0.9, {NAMING}),
    "vector_weight": (0.9, EVERY),
    "noise_cosine": (0.9, EVERY - {DATED}),
}
"""Each weight, another value, and the questions whose answers it moves: those and no others."""
