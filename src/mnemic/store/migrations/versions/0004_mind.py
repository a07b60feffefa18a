"""Tables of the mind: what changes with time and use, the graph, what is to be done, the runs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _columns()
    _use()
    _graph()
    _work()


def _columns() -> None:
    op.add_column(
        "traces", sa.Column("stability", sa.Float(), server_default="10368000000", nullable=False)
    )
    op.add_column(
        "traces", sa.Column("importance", sa.Float(), server_default="0.5", nullable=False)
    )
    op.add_column("traces", sa.Column("valence", sa.Float(), server_default="0", nullable=False))
    op.add_column("traces", sa.Column("arousal", sa.Float(), server_default="0", nullable=False))
    op.add_column("traces", sa.Column("dominance", sa.Float(), server_default="0", nullable=False))
    op.add_column(
        "traces",
        sa.Column("reinforcement_interval", sa.Float(), server_default="86400000", nullable=False),
    )
    op.add_column("traces", sa.Column("next_reinforcement_at", sa.BigInteger(), nullable=True))
    op.add_column("traces", sa.Column("archived_at", sa.BigInteger(), nullable=True))
    op.add_column("traces", sa.Column("verbatim_version", sa.Integer(), nullable=True))


def _use() -> None:
    op.create_table(
        "mind_changes",
        sa.Column("brain_id", sa.Text(), nullable=False),
        sa.Column("trace_id", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("cause", sa.Text(), nullable=False),
        sa.Column("run", sa.BigInteger(), nullable=True),
        sa.Column("times", sa.Integer(), nullable=False),
        sa.Column("before", sa.Text(), nullable=False),
        sa.Column("after", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["brain_id", "trace_id"],
            ["traces.brain_id", "traces.id"],
        ),
        sa.PrimaryKeyConstraint("brain_id", "trace_id", "seq"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_mind_changes_run", "mind_changes", ["brain_id", "run"], unique=False)
    op.create_table(
        "retrieval_feedback",
        sa.Column("brain_id", sa.Text(), nullable=False),
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("trace_id", sa.Text(), nullable=False),
        sa.Column("signal", sa.Text(), nullable=False),
        sa.Column("asked", sa.LargeBinary(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("consumed_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["brain_id", "trace_id"],
            ["traces.brain_id", "traces.id"],
        ),
        sa.PrimaryKeyConstraint("brain_id", "id"),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_retrieval_feedback_trace", "retrieval_feedback", ["brain_id", "trace_id"], unique=False
    )
    op.create_table(
        "working_slots",
        sa.Column("brain_id", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("session", sa.Text(), nullable=False),
        sa.Column("trace_id", sa.Text(), nullable=False),
        sa.Column("activation", sa.Float(), nullable=False),
        sa.Column("entered_at", sa.BigInteger(), nullable=False),
        sa.Column("rehearsals", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["brain_id", "trace_id"],
            ["traces.brain_id", "traces.id"],
        ),
        sa.PrimaryKeyConstraint("brain_id", "owner", "session", "trace_id"),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_working_slots_trace", "working_slots", ["brain_id", "trace_id"], unique=False
    )


def _graph() -> None:
    op.create_table(
        "nodes",
        sa.Column("brain_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("scope_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("brain_id", "id"),
        sa.UniqueConstraint("brain_id", "scope", "scope_id", "key"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "node_merges",
        sa.Column("brain_id", sa.Text(), nullable=False),
        sa.Column("node_id", sa.Text(), nullable=False),
        sa.Column("into_id", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("undone_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["brain_id", "into_id"],
            ["nodes.brain_id", "nodes.id"],
        ),
        sa.ForeignKeyConstraint(
            ["brain_id", "node_id"],
            ["nodes.brain_id", "nodes.id"],
        ),
        sa.PrimaryKeyConstraint("brain_id", "node_id", "at"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_node_merges_into", "node_merges", ["brain_id", "into_id"], unique=False)
    op.create_table(
        "mentions",
        sa.Column("brain_id", sa.Text(), nullable=False),
        sa.Column("trace_id", sa.Text(), nullable=False),
        sa.Column("node_id", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["brain_id", "node_id"],
            ["nodes.brain_id", "nodes.id"],
        ),
        sa.ForeignKeyConstraint(
            ["brain_id", "trace_id"],
            ["traces.brain_id", "traces.id"],
        ),
        sa.PrimaryKeyConstraint("brain_id", "trace_id", "node_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_mentions_node", "mentions", ["brain_id", "node_id"], unique=False)
    op.create_table(
        "edges",
        sa.Column("brain_id", sa.Text(), nullable=False),
        sa.Column("from_id", sa.Text(), nullable=False),
        sa.Column("to_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("recorded_at", sa.BigInteger(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("scope_id", sa.Text(), nullable=False),
        sa.Column("weight", sa.Float(), nullable=False),
        sa.Column("valid_from", sa.BigInteger(), nullable=True),
        sa.Column("valid_to", sa.BigInteger(), nullable=True),
        sa.Column("retired_at", sa.BigInteger(), nullable=True),
        sa.Column("run", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("brain_id", "from_id", "to_id", "kind", "recorded_at"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_edges_scope", "edges", ["brain_id", "scope", "scope_id"], unique=False)
    op.create_index("ix_edges_to", "edges", ["brain_id", "to_id"], unique=False)
    op.create_table(
        "schemas",
        sa.Column("brain_id", sa.Text(), nullable=False),
        sa.Column("node_id", sa.Text(), nullable=False),
        sa.Column("trace_id", sa.Text(), nullable=True),
        sa.Column("members", sa.Integer(), nullable=False),
        sa.Column("model", sa.Text(), nullable=True),
        sa.Column("centroid", sa.LargeBinary(), nullable=True),
        sa.Column("made_of", sa.LargeBinary(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["brain_id", "node_id"],
            ["nodes.brain_id", "nodes.id"],
        ),
        sa.ForeignKeyConstraint(
            ["brain_id", "trace_id"],
            ["traces.brain_id", "traces.id"],
        ),
        sa.PrimaryKeyConstraint("brain_id", "node_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_schemas_trace", "schemas", ["brain_id", "trace_id"], unique=False)


def _work() -> None:
    op.create_table(
        "prospective_items",
        sa.Column("brain_id", sa.Text(), nullable=False),
        sa.Column("trace_id", sa.Text(), nullable=False),
        sa.Column("trigger_type", sa.Text(), nullable=False),
        sa.Column("trigger_at", sa.BigInteger(), nullable=True),
        sa.Column("timezone", sa.Text(), nullable=False),
        sa.Column("rule", sa.Text(), nullable=True),
        sa.Column("trigger_event", sa.Text(), nullable=True),
        sa.Column("cue_text", sa.Text(), nullable=True),
        sa.Column("similarity_threshold", sa.Float(), nullable=False),
        sa.Column("importance", sa.Float(), nullable=False),
        sa.Column("lasting", sa.Integer(), nullable=False),
        sa.Column("tier", sa.Integer(), nullable=True),
        sa.Column("next_at", sa.BigInteger(), nullable=True),
        sa.Column("fired", sa.Integer(), nullable=False),
        sa.Column("last_fired_at", sa.BigInteger(), nullable=True),
        sa.Column("done_at", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["brain_id", "trace_id"],
            ["traces.brain_id", "traces.id"],
        ),
        sa.PrimaryKeyConstraint("brain_id", "trace_id"),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_prospective_items_next", "prospective_items", ["brain_id", "next_at"], unique=False
    )
    op.create_table(
        "consolidation_log",
        sa.Column("brain_id", sa.Text(), nullable=False),
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("counts", sa.Text(), nullable=False),
        sa.Column("deeds", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("brain_id", "id"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "persona_proposals",
        sa.Column("brain_id", sa.Text(), nullable=False),
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("scope_id", sa.Text(), nullable=False),
        sa.Column("trait", sa.Text(), nullable=False),
        sa.Column("delta", sa.Float(), nullable=False),
        sa.Column("value", sa.Float(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("traces", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("opened_at", sa.BigInteger(), nullable=False),
        sa.Column("decided_at", sa.BigInteger(), nullable=True),
        sa.Column("reviewer", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("brain_id", "id"),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_persona_proposals_scope",
        "persona_proposals",
        ["brain_id", "scope", "scope_id"],
        unique=False,
    )
