"""Every table, once, for every database.

Each key begins with `brain_id`: a database may hold many brains, and the tables can be spread
over several machines by it. Times are integer milliseconds since 1970 UTC.

Three groups:

* what is remembered: `traces` (what never changes about a trace, and how often it was used),
  `trace_versions` (everything that can change, append-only), `trace_sources` (what it rests on),
  `trace_facts` (what it says, in comparable form) and `trace_links`;
* how it is found: `partitions`, `index_entries`, `trace_passages`, `trace_postings`,
  `trace_vectors`, and the segments that hold what is older as arrays:
  `trace_segments`, `segment_vectors`. All of it can be made again from the first group;
* how it is governed: `tombstones`, `review_items`, `ledger`, `freezes`, `audit_log`, `key_ring`;
  `erasing` names the traces whose versions may be deleted, and is empty between transactions.
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
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()


def brain_column() -> Column[str]:
    """The first column of every key."""
    return Column("brain_id", Text, nullable=False)


brain_meta = Table(
    "brain_meta",
    metadata,
    brain_column(),
    Column("key", Text, nullable=False),
    Column("value", Text, nullable=False),
    PrimaryKeyConstraint("brain_id", "key"),
    sqlite_with_rowid=False,
)

key_ring = Table(
    "key_ring",
    metadata,
    brain_column(),
    Column("version", Integer, nullable=False),
    Column("key", LargeBinary, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    PrimaryKeyConstraint("brain_id", "version"),
    sqlite_with_rowid=False,
)

partitions = Table(
    "partitions",
    metadata,
    brain_column(),
    Column("id", Integer, nullable=False),
    Column("scope", Text, nullable=False),
    Column("scope_id", Text, nullable=False),
    # Rises with every change of the partition's index, so that a process can catch up.
    Column("revision", BigInteger, nullable=False),
    # Rises when what was indexed before has changed: a process then reads it all again.
    Column("epoch", BigInteger, nullable=False),
    Column("entries", BigInteger, nullable=False),
    Column("passages", BigInteger, nullable=False),
    # Entries and passages below these numbers are in segments; the rest is the tail.
    Column("sealed_entries", BigInteger, nullable=False),
    Column("sealed", BigInteger, nullable=False),
    PrimaryKeyConstraint("brain_id", "id"),
    UniqueConstraint("brain_id", "scope", "scope_id"),
    sqlite_with_rowid=False,
)

traces = Table(
    "traces",
    metadata,
    brain_column(),
    Column("id", Text, nullable=False),
    Column("scope", Text, nullable=False),
    Column("scope_id", Text, nullable=False),
    Column("filed_by", Text, nullable=False),
    Column("type", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("speaker", Text),
    Column("role", Text),
    Column("thread", Text),
    Column("time", BigInteger, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("strength", Float, nullable=False),
    Column("retrieval_count", Integer, nullable=False),
    Column("last_accessed_at", BigInteger),
    # What else changes with time and use (model/mind.py); durations in milliseconds. Writers
    # always say; the defaults stand for traces of before there was a mind.
    Column("stability", Float, nullable=False, server_default="10368000000"),
    Column("importance", Float, nullable=False, server_default="0.5"),
    Column("valence", Float, nullable=False, server_default="0"),
    Column("arousal", Float, nullable=False, server_default="0"),
    Column("dominance", Float, nullable=False, server_default="0"),
    Column("reinforcement_interval", Float, nullable=False, server_default="86400000"),
    Column("next_reinforcement_at", BigInteger),
    # Since when it is set aside: still kept and found, behind what is not (consolidate/).
    Column("archived_at", BigInteger),
    # The version that holds the words, where the present one holds their gist.
    Column("verbatim_version", Integer),
    PrimaryKeyConstraint("brain_id", "id"),
    Index("ix_traces_listing", "brain_id", "scope", "scope_id", "time", "id"),
)

trace_versions = Table(
    "trace_versions",
    metadata,
    brain_column(),
    Column("trace_id", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("content", Text, nullable=False),
    # The version in which this content came in: what the index holds for it.
    Column("content_version", Integer, nullable=False),
    # Keyed digest of the content with its scope: finds the same text again.
    Column("digest", LargeBinary, nullable=False),
    Column("tags", Text, nullable=False),
    Column("entities", Text, nullable=False),
    Column("metadata", Text, nullable=False),
    Column("valid_from", BigInteger),
    Column("valid_to", BigInteger),
    Column("trust", Text, nullable=False),
    Column("recorded_at", BigInteger, nullable=False),
    Column("retired_at", BigInteger),
    Column("cause", Text, nullable=False),
    Column("reason", Text),
    # Who gave this content, through which channel (model/origin.py). Writers always say; the
    # defaults stand for versions that were written before there were channels.
    Column("channel", Text, nullable=False, server_default="sdk"),
    Column("origin", Text, nullable=False, server_default="person"),
    Column("verified_at", BigInteger),
    PrimaryKeyConstraint("brain_id", "trace_id", "version"),
    ForeignKeyConstraint(["brain_id", "trace_id"], ["traces.brain_id", "traces.id"]),
    Index("ix_trace_versions_digest", "brain_id", "digest"),
)

index_entries = Table(
    "index_entries",
    metadata,
    brain_column(),
    Column("partition", Integer, nullable=False),
    Column("seq", BigInteger, nullable=False),
    # None once the trace was erased: the number stays, and nothing of what it held.
    Column("trace_id", Text),
    Column("content_version", Integer, nullable=False),
    Column("first_passage", BigInteger, nullable=False),
    # The place in its thread: the first entry's number, kept through corrections.
    Column("position", BigInteger, nullable=False),
    Column("thread", Text),
    Column("speaker", Text),
    Column("role", Text),
    # Search words of what surrounds the text: date, speaker, tags, entities.
    Column("head", Text, nullable=False),
    Column("head_length", Integer, nullable=False),
    Column("since", BigInteger, nullable=False),
    Column("until", BigInteger),
    # The partition's revision at which this row last changed.
    Column("revision", BigInteger, nullable=False),
    Column("embedded", Integer, nullable=False),
    # The day of its time, from 1970-01-01, and what can be told of the text (index/text).
    Column("day", Integer, nullable=False, server_default="0"),
    Column("features", Integer, nullable=False, server_default="0"),
    PrimaryKeyConstraint("brain_id", "partition", "seq"),
    ForeignKeyConstraint(["brain_id", "partition"], ["partitions.brain_id", "partitions.id"]),
    ForeignKeyConstraint(["brain_id", "trace_id"], ["traces.brain_id", "traces.id"]),
    Index("ix_index_entries_revision", "brain_id", "partition", "revision"),
    Index("ix_index_entries_trace", "brain_id", "trace_id"),
    Index(
        "ix_index_entries_retired",
        "brain_id",
        "partition",
        "seq",
        sqlite_where=Column("until", BigInteger).is_not(None),
    ),
    Index(
        "ix_index_entries_unembedded",
        "brain_id",
        sqlite_where=Column("embedded", Integer) == 0,
    ),
    sqlite_with_rowid=False,
)

trace_passages = Table(
    "trace_passages",
    metadata,
    brain_column(),
    Column("partition", Integer, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("entry", BigInteger, nullable=False),
    # Characters of the content that the passage spans.
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("length", Integer, nullable=False),
    Column("words", Text, nullable=False),
    PrimaryKeyConstraint("brain_id", "partition", "seq"),
    sqlite_with_rowid=False,
)

trace_segments = Table(
    "trace_segments",
    metadata,
    brain_column(),
    Column("partition", Integer, nullable=False),
    # The first passage of the segment, which is also its key in `trace_postings`.
    Column("segment", BigInteger, nullable=False),
    Column("first_entry", BigInteger, nullable=False),
    Column("end_entry", BigInteger, nullable=False),
    # What `index_entries` and `trace_passages` say of it, as arrays (index/segments.py).
    Column("labels", Text, nullable=False),
    Column("entries", LargeBinary, nullable=False),
    Column("lengths", LargeBinary, nullable=False),
    PrimaryKeyConstraint("brain_id", "partition", "segment"),
)

segment_vectors = Table(
    "segment_vectors",
    metadata,
    brain_column(),
    Column("partition", Integer, nullable=False),
    Column("segment", BigInteger, nullable=False),
    Column("model", Text, nullable=False),
    Column("dimension", Integer, nullable=False),
    # How many vectors each entry has, as uint16, and all of them one after another.
    Column("counts", LargeBinary, nullable=False),
    Column("data", LargeBinary, nullable=False),
    PrimaryKeyConstraint("brain_id", "partition", "segment", "model"),
)

trace_postings = Table(
    "trace_postings",
    metadata,
    brain_column(),
    Column("partition", Integer, nullable=False),
    Column("term", Text, nullable=False),
    Column("segment", BigInteger, nullable=False),
    Column("data", LargeBinary, nullable=False),
    PrimaryKeyConstraint("brain_id", "partition", "term", "segment"),
    sqlite_with_rowid=False,
)

trace_vectors = Table(
    "trace_vectors",
    metadata,
    brain_column(),
    Column("partition", Integer, nullable=False),
    Column("entry", BigInteger, nullable=False),
    Column("model", Text, nullable=False),
    Column("dimension", Integer, nullable=False),
    # The first vector is the whole text's, the others its sentences'.
    Column("data", LargeBinary, nullable=False),
    # With the model in the key, new vectors can be made beside the old ones.
    PrimaryKeyConstraint("brain_id", "partition", "entry", "model"),
)

trace_sources = Table(
    "trace_sources",
    metadata,
    brain_column(),
    Column("trace_id", Text, nullable=False),
    # "trace": the id of a trace that it derives from; "source": a document, page or file.
    Column("kind", Text, nullable=False),
    Column("source", Text, nullable=False),
    PrimaryKeyConstraint("brain_id", "trace_id", "kind", "source"),
    ForeignKeyConstraint(["brain_id", "trace_id"], ["traces.brain_id", "traces.id"]),
    Index("ix_trace_sources_source", "brain_id", "kind", "source"),
    sqlite_with_rowid=False,
)

trace_facts = Table(
    "trace_facts",
    metadata,
    brain_column(),
    Column("trace_id", Text, nullable=False),
    Column("seq", Integer, nullable=False),
    # Scope, subject and attribute in comparable form: facts with one key can contradict.
    Column("key", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("attribute", Text, nullable=False),
    Column("value", Text, nullable=False),
    Column("many", Integer, nullable=False),
    Column("negated", Integer, nullable=False),
    Column("shape", Text, nullable=False),
    Column("valid_from", BigInteger),
    Column("valid_to", BigInteger),
    Column("recorded_at", BigInteger, nullable=False),
    Column("retired_at", BigInteger),
    PrimaryKeyConstraint("brain_id", "trace_id", "seq"),
    ForeignKeyConstraint(["brain_id", "trace_id"], ["traces.brain_id", "traces.id"]),
    Index("ix_trace_facts_key", "brain_id", "key"),
    sqlite_with_rowid=False,
)

trace_links = Table(
    "trace_links",
    metadata,
    brain_column(),
    Column("from_id", Text, nullable=False),
    Column("to_id", Text, nullable=False),
    # "supersedes", "contradicts".
    Column("kind", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("undone_at", BigInteger),
    PrimaryKeyConstraint("brain_id", "from_id", "to_id", "kind"),
    ForeignKeyConstraint(["brain_id", "from_id"], ["traces.brain_id", "traces.id"]),
    ForeignKeyConstraint(["brain_id", "to_id"], ["traces.brain_id", "traces.id"]),
    Index("ix_trace_links_to", "brain_id", "to_id"),
    sqlite_with_rowid=False,
)

tombstones = Table(
    "tombstones",
    metadata,
    brain_column(),
    # "value", "fact", "source" or "user".
    Column("kind", Text, nullable=False),
    # Keyed digests of whom it holds for, and of what is rejected; neither stands here itself.
    Column("place", LargeBinary, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    # The key of the ring that the digests were made with.
    Column("key_version", Integer, nullable=False),
    Column("cause", Text, nullable=False),
    # The trace whose value it was; an id only.
    Column("trace_id", Text),
    Column("created_at", BigInteger, nullable=False),
    Column("until", BigInteger),
    Column("lifted_at", BigInteger),
    PrimaryKeyConstraint("brain_id", "place", "kind", "digest"),
    ForeignKeyConstraint(["brain_id", "key_version"], ["key_ring.brain_id", "key_ring.version"]),
    sqlite_with_rowid=False,
)

review_items = Table(
    "review_items",
    metadata,
    brain_column(),
    Column("id", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("trace_id", Text, nullable=False),
    # The trace that it contradicts, or would replace.
    Column("other_id", Text),
    Column("scope", Text, nullable=False),
    Column("scope_id", Text, nullable=False),
    # Digest of the content that is to be judged: a decision is about this text and no other.
    Column("digest", LargeBinary, nullable=False),
    Column("signs", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("opened_at", BigInteger, nullable=False),
    Column("deferred_until", BigInteger),
    Column("decided_at", BigInteger),
    Column("reviewer", Text),
    Column("reason", Text),
    PrimaryKeyConstraint("brain_id", "id"),
    ForeignKeyConstraint(["brain_id", "trace_id"], ["traces.brain_id", "traces.id"]),
    ForeignKeyConstraint(["brain_id", "other_id"], ["traces.brain_id", "traces.id"]),
    Index("ix_review_items_trace", "brain_id", "trace_id"),
    Index("ix_review_items_other", "brain_id", "other_id"),
    Index("ix_review_items_state", "brain_id", "state", "scope", "scope_id"),
    sqlite_with_rowid=False,
)

ledger = Table(
    "ledger",
    metadata,
    brain_column(),
    Column("id", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("action", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("scope", Text, nullable=False),
    Column("scope_id", Text, nullable=False),
    Column("filed_by", Text, nullable=False),
    Column("trace_id", Text),
    # The version of the trace that the write made.
    Column("version", Integer),
    # "pending", "kept", "rejected" or "reverted".
    Column("status", Text, nullable=False),
    Column("reason", Text),
    # The entry that this one takes back.
    Column("reverts", BigInteger),
    PrimaryKeyConstraint("brain_id", "id"),
    Index("ix_ledger_trace", "brain_id", "trace_id"),
    sqlite_with_rowid=False,
)

freezes = Table(
    "freezes",
    metadata,
    brain_column(),
    # Both empty for the whole brain.
    Column("scope", Text, nullable=False),
    Column("scope_id", Text, nullable=False),
    # "frozen" or "suspended".
    Column("mode", Text, nullable=False),
    PrimaryKeyConstraint("brain_id", "scope", "scope_id"),
    sqlite_with_rowid=False,
)

erasing = Table(
    "erasing",
    metadata,
    brain_column(),
    Column("trace_id", Text, nullable=False),
    PrimaryKeyConstraint("brain_id", "trace_id"),
    sqlite_with_rowid=False,
)

audit_log = Table(
    "audit_log",
    metadata,
    brain_column(),
    Column("seq", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("actor", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("trace_id", Text),
    Column("outcome", Text, nullable=False),
    Column("reason", Text),
    Column("detail", Text, nullable=False),
    Column("hash", Text, nullable=False),
    PrimaryKeyConstraint("brain_id", "seq"),
    Index("ix_audit_log_trace", "brain_id", "trace_id"),
    sqlite_with_rowid=False,
)
