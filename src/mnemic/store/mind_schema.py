"""Tables of the mind: what changes with time and use, the graph, what is to be done, the runs.

All of them hang on traces, or on a scope: nothing here crosses from one scope id to another.
Durations and instants are milliseconds. Change them together with a new revision in
``migrations/versions``.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
)

from mnemic.store.schema import brain_column, metadata


def _of_trace(column: str = "trace_id") -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["brain_id", column], ["traces.brain_id", "traces.id"])


mind_changes = Table(
    "mind_changes",
    metadata,
    brain_column(),
    Column("trace_id", Text, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    # What changed it: "recall", "competed", "gist", ... (cognition/causes.py).
    Column("cause", Text, nullable=False),
    # The consolidation that did it; None for all else.
    Column("run", BigInteger),
    # How many uses within the hour this row stands for; 1 for all other causes.
    Column("times", Integer, nullable=False),
    # The columns of `traces` that changed, as JSON.
    Column("before", Text, nullable=False),
    Column("after", Text, nullable=False),
    PrimaryKeyConstraint("brain_id", "trace_id", "seq"),
    _of_trace(),
    Index("ix_mind_changes_run", "brain_id", "run"),
    sqlite_with_rowid=False,
)

retrieval_feedback = Table(
    "retrieval_feedback",
    metadata,
    brain_column(),
    Column("id", BigInteger, nullable=False),
    Column("trace_id", Text, nullable=False),
    # "used" or "ignored".
    Column("signal", Text, nullable=False),
    # Keyed digest of the question; the question itself is not kept.
    Column("asked", LargeBinary),
    Column("created_at", BigInteger, nullable=False),
    # When it took effect: each does so once.
    Column("consumed_at", BigInteger),
    PrimaryKeyConstraint("brain_id", "id"),
    _of_trace(),
    Index("ix_retrieval_feedback_trace", "brain_id", "trace_id"),
    sqlite_with_rowid=False,
)

nodes = Table(
    "nodes",
    metadata,
    brain_column(),
    Column("id", Text, nullable=False),
    Column("scope", Text, nullable=False),
    Column("scope_id", Text, nullable=False),
    # "person", "place", "organization", "thing", ... (model/graph.py).
    Column("kind", Text, nullable=False),
    Column("label", Text, nullable=False),
    # The label in comparable form: one node a name within a scope id.
    Column("key", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    PrimaryKeyConstraint("brain_id", "id"),
    UniqueConstraint("brain_id", "scope", "scope_id", "key"),
    sqlite_with_rowid=False,
)

node_merges = Table(
    "node_merges",
    metadata,
    brain_column(),
    Column("node_id", Text, nullable=False),
    Column("into_id", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("undone_at", BigInteger),
    PrimaryKeyConstraint("brain_id", "node_id", "at"),
    ForeignKeyConstraint(["brain_id", "node_id"], ["nodes.brain_id", "nodes.id"]),
    ForeignKeyConstraint(["brain_id", "into_id"], ["nodes.brain_id", "nodes.id"]),
    Index("ix_node_merges_into", "brain_id", "into_id"),
    sqlite_with_rowid=False,
)

mentions = Table(
    "mentions",
    metadata,
    brain_column(),
    Column("trace_id", Text, nullable=False),
    Column("node_id", Text, nullable=False),
    PrimaryKeyConstraint("brain_id", "trace_id", "node_id"),
    _of_trace(),
    ForeignKeyConstraint(["brain_id", "node_id"], ["nodes.brain_id", "nodes.id"]),
    Index("ix_mentions_node", "brain_id", "node_id"),
    sqlite_with_rowid=False,
)

edges = Table(
    "edges",
    metadata,
    brain_column(),
    # Ids of traces or of nodes, of one scope id.
    Column("from_id", Text, nullable=False),
    Column("to_id", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("recorded_at", BigInteger, nullable=False),
    Column("scope", Text, nullable=False),
    Column("scope_id", Text, nullable=False),
    Column("weight", Float, nullable=False),
    Column("valid_from", BigInteger),
    Column("valid_to", BigInteger),
    Column("retired_at", BigInteger),
    # The consolidation that made it; None for all else.
    Column("run", BigInteger),
    PrimaryKeyConstraint("brain_id", "from_id", "to_id", "kind", "recorded_at"),
    Index("ix_edges_to", "brain_id", "to_id"),
    Index("ix_edges_scope", "brain_id", "scope", "scope_id"),
    sqlite_with_rowid=False,
)

schemas = Table(
    "schemas",
    metadata,
    brain_column(),
    # What its members are about.
    Column("node_id", Text, nullable=False),
    # The trace that says what they have in common; None where none was written.
    Column("trace_id", Text),
    Column("members", Integer, nullable=False),
    # Of the model, little-endian float32, of length 1; None without an embedder.
    Column("model", Text),
    Column("centroid", LargeBinary),
    # Keyed digest of which traces it was made of.
    Column("made_of", LargeBinary, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    PrimaryKeyConstraint("brain_id", "node_id"),
    ForeignKeyConstraint(["brain_id", "node_id"], ["nodes.brain_id", "nodes.id"]),
    _of_trace(),
    Index("ix_schemas_trace", "brain_id", "trace_id"),
    sqlite_with_rowid=False,
)

working_slots = Table(
    "working_slots",
    metadata,
    brain_column(),
    # Whose session it is, and which.
    Column("owner", Text, nullable=False),
    Column("session", Text, nullable=False),
    Column("trace_id", Text, nullable=False),
    Column("activation", Float, nullable=False),
    Column("entered_at", BigInteger, nullable=False),
    Column("rehearsals", Integer, nullable=False),
    PrimaryKeyConstraint("brain_id", "owner", "session", "trace_id"),
    _of_trace(),
    Index("ix_working_slots_trace", "brain_id", "trace_id"),
    sqlite_with_rowid=False,
)

prospective_items = Table(
    "prospective_items",
    metadata,
    brain_column(),
    # The trace, of type prospective, that says what is to be done.
    Column("trace_id", Text, nullable=False),
    # "time_based", "event_based" or "context_based".
    Column("trigger_type", Text, nullable=False),
    Column("trigger_at", BigInteger),
    Column("timezone", Text, nullable=False),
    # An RRULE; None for what is to be done once.
    Column("rule", Text),
    Column("trigger_event", Text),
    Column("cue_text", Text),
    Column("similarity_threshold", Float, nullable=False),
    Column("importance", Float, nullable=False),
    # Whether an event or a cue brings it up each time; 0 for the first time only.
    Column("lasting", Integer, nullable=False),
    # Withheld from those who ask for less (AgentOS's tierRank); None for everybody.
    Column("tier", Integer),
    # When it fires next; None for what waits for no time.
    Column("next_at", BigInteger),
    Column("fired", Integer, nullable=False),
    Column("last_fired_at", BigInteger),
    # Since when nothing is left to do.
    Column("done_at", BigInteger),
    Column("created_at", BigInteger, nullable=False),
    PrimaryKeyConstraint("brain_id", "trace_id"),
    _of_trace(),
    Index("ix_prospective_items_next", "brain_id", "next_at"),
    sqlite_with_rowid=False,
)

consolidation_log = Table(
    "consolidation_log",
    metadata,
    brain_column(),
    Column("id", BigInteger, nullable=False),
    Column("started_at", BigInteger, nullable=False),
    Column("ended_at", BigInteger),
    # "running", "done", "interrupted" or "undone".
    Column("state", Text, nullable=False),
    Column("actor", Text, nullable=False),
    # What each step did, as JSON: counts, no content.
    Column("counts", Text, nullable=False),
    # What is undone otherwise than by `mind_changes`, as JSON: codes and ids, no content.
    Column("deeds", Text, nullable=False),
    PrimaryKeyConstraint("brain_id", "id"),
    sqlite_with_rowid=False,
)

persona_proposals = Table(
    "persona_proposals",
    metadata,
    brain_column(),
    Column("id", BigInteger, nullable=False),
    Column("scope", Text, nullable=False),
    Column("scope_id", Text, nullable=False),
    Column("trait", Text, nullable=False),
    Column("delta", Float, nullable=False),
    Column("value", Float, nullable=False),
    # Codes and numbers, no content.
    Column("reason", Text, nullable=False),
    Column("traces", Integer, nullable=False),
    # "open", "accepted" or "declined".
    Column("state", Text, nullable=False),
    Column("opened_at", BigInteger, nullable=False),
    Column("decided_at", BigInteger),
    Column("reviewer", Text),
    PrimaryKeyConstraint("brain_id", "id"),
    Index("ix_persona_proposals_scope", "brain_id", "scope", "scope_id"),
    sqlite_with_rowid=False,
)
