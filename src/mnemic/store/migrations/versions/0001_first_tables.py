"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_VERSION_COLUMNS = (
    "brain_id, trace_id, version, content, content_version, digest, tags, entities, metadata, "
    "valid_from, valid_to, trust, recorded_at, cause, reason"
)


def upgrade() -> None:
    _tables()
    _triggers()


def _triggers() -> None:
    """Make the log of audit entries and the versions append-only.

    A version's end is the one thing written later, once: when the next version is appended.
    """
    for table in ("audit_log", "trace_versions"):
        op.execute(
            f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} "
            f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
        )
    op.execute(
        "CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log "
        "BEGIN SELECT RAISE(ABORT, 'audit_log is append-only'); END"
    )
    op.execute(
        f"CREATE TRIGGER trace_versions_no_update BEFORE UPDATE OF {_VERSION_COLUMNS} "
        "ON trace_versions BEGIN SELECT RAISE(ABORT, 'trace_versions is append-only'); END"
    )
    op.execute(
        "CREATE TRIGGER trace_versions_one_end BEFORE UPDATE OF retired_at ON trace_versions "
        "WHEN OLD.retired_at IS NOT NULL OR NEW.retired_at IS NULL "
        "BEGIN SELECT RAISE(ABORT, 'trace_versions is append-only'); END"
    )


def _tables() -> None:
    op.create_table(
        "audit_log",
        sa.Column("brain_id", sa.Text(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("trace_id", sa.Text(), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("brain_id", "seq"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_audit_log_trace", "audit_log", ["brain_id", "trace_id"], unique=False)
    op.create_table(
        "brain_meta",
        sa.Column("brain_id", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("brain_id", "key"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "key_ring",
        sa.Column("brain_id", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("key", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("brain_id", "version"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "partitions",
        sa.Column("brain_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("scope_id", sa.Text(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("epoch", sa.BigInteger(), nullable=False),
        sa.Column("entries", sa.BigInteger(), nullable=False),
        sa.Column("passages", sa.BigInteger(), nullable=False),
        sa.Column("sealed_entries", sa.BigInteger(), nullable=False),
        sa.Column("sealed", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("brain_id", "id"),
        sa.UniqueConstraint("brain_id", "scope", "scope_id"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "segment_vectors",
        sa.Column("brain_id", sa.Text(), nullable=False),
        sa.Column("partition", sa.Integer(), nullable=False),
        sa.Column("segment", sa.BigInteger(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("dimension", sa.Integer(), nullable=False),
        sa.Column("counts", sa.LargeBinary(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("brain_id", "partition", "segment", "model"),
    )
    op.create_table(
        "tombstones",
        sa.Column("brain_id", sa.Text(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("scope_id", sa.Text(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("lifted_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("brain_id", "scope", "scope_id", "digest"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "trace_passages",
        sa.Column("brain_id", sa.Text(), nullable=False),
        sa.Column("partition", sa.Integer(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("entry", sa.BigInteger(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("brain_id", "partition", "seq"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "trace_postings",
        sa.Column("brain_id", sa.Text(), nullable=False),
        sa.Column("partition", sa.Integer(), nullable=False),
        sa.Column("term", sa.Text(), nullable=False),
        sa.Column("segment", sa.BigInteger(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("brain_id", "partition", "term", "segment"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "trace_segments",
        sa.Column("brain_id", sa.Text(), nullable=False),
        sa.Column("partition", sa.Integer(), nullable=False),
        sa.Column("segment", sa.BigInteger(), nullable=False),
        sa.Column("first_entry", sa.BigInteger(), nullable=False),
        sa.Column("end_entry", sa.BigInteger(), nullable=False),
        sa.Column("labels", sa.Text(), nullable=False),
        sa.Column("entries", sa.LargeBinary(), nullable=False),
        sa.Column("lengths", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("brain_id", "partition", "segment"),
    )
    op.create_table(
        "trace_vectors",
        sa.Column("brain_id", sa.Text(), nullable=False),
        sa.Column("partition", sa.Integer(), nullable=False),
        sa.Column("entry", sa.BigInteger(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("dimension", sa.Integer(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("brain_id", "partition", "entry", "model"),
    )
    op.create_table(
        "traces",
        sa.Column("brain_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("scope_id", sa.Text(), nullable=False),
        sa.Column("filed_by", sa.Text(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("speaker", sa.Text(), nullable=True),
        sa.Column("role", sa.Text(), nullable=True),
        sa.Column("thread", sa.Text(), nullable=True),
        sa.Column("time", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("strength", sa.Float(), nullable=False),
        sa.Column("retrieval_count", sa.Integer(), nullable=False),
        sa.Column("last_accessed_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("brain_id", "id"),
    )
    op.create_index(
        "ix_traces_listing", "traces", ["brain_id", "scope", "scope_id", "time", "id"], unique=False
    )
    op.create_table(
        "index_entries",
        sa.Column("brain_id", sa.Text(), nullable=False),
        sa.Column("partition", sa.Integer(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("trace_id", sa.Text(), nullable=False),
        sa.Column("content_version", sa.Integer(), nullable=False),
        sa.Column("first_passage", sa.BigInteger(), nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("thread", sa.Text(), nullable=True),
        sa.Column("speaker", sa.Text(), nullable=True),
        sa.Column("role", sa.Text(), nullable=True),
        sa.Column("head", sa.Text(), nullable=False),
        sa.Column("head_length", sa.Integer(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=True),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("embedded", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["brain_id", "partition"],
            ["partitions.brain_id", "partitions.id"],
        ),
        sa.ForeignKeyConstraint(
            ["brain_id", "trace_id"],
            ["traces.brain_id", "traces.id"],
        ),
        sa.PrimaryKeyConstraint("brain_id", "partition", "seq"),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_index_entries_retired",
        "index_entries",
        ["brain_id", "partition", "seq"],
        unique=False,
        sqlite_where=sa.text("until IS NOT NULL"),
    )
    op.create_index(
        "ix_index_entries_revision",
        "index_entries",
        ["brain_id", "partition", "revision"],
        unique=False,
    )
    op.create_index(
        "ix_index_entries_trace", "index_entries", ["brain_id", "trace_id"], unique=False
    )
    op.create_index(
        "ix_index_entries_unembedded",
        "index_entries",
        ["brain_id"],
        unique=False,
        sqlite_where=sa.text("embedded = 0"),
    )
    op.create_table(
        "trace_versions",
        sa.Column("brain_id", sa.Text(), nullable=False),
        sa.Column("trace_id", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("content_version", sa.Integer(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("tags", sa.Text(), nullable=False),
        sa.Column("entities", sa.Text(), nullable=False),
        sa.Column("metadata", sa.Text(), nullable=False),
        sa.Column("valid_from", sa.BigInteger(), nullable=True),
        sa.Column("valid_to", sa.BigInteger(), nullable=True),
        sa.Column("trust", sa.Text(), nullable=False),
        sa.Column("recorded_at", sa.BigInteger(), nullable=False),
        sa.Column("retired_at", sa.BigInteger(), nullable=True),
        sa.Column("cause", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["brain_id", "trace_id"],
            ["traces.brain_id", "traces.id"],
        ),
        sa.PrimaryKeyConstraint("brain_id", "trace_id", "version"),
    )
    op.create_index(
        "ix_trace_versions_digest", "trace_versions", ["brain_id", "digest"], unique=False
    )
