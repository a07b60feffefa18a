"""Tables of what makes memory governed: sources, facts, review, ledger, erasure."""

from __future__ import annotations

import hashlib
import hmac

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_VERSION_COLUMNS = (
    "brain_id, trace_id, version, content, content_version, digest, tags, entities, metadata, "
    "valid_from, valid_to, trust, channel, origin, verified_at, recorded_at, cause, reason"
)

_ORIGIN = """
UPDATE trace_versions SET origin = (
    SELECT CASE
        WHEN t.source IN ('external', 'retrieved_document') THEN 'document'
        WHEN t.role = 'tool' OR t.source IN ('tool_result', 'observation', 'external_api')
            THEN 'tool'
        WHEN t.role IN ('assistant', 'system') OR t.source IN (
            'agent_inference', 'reflection', 'fact_graph', 'typed_network', 'memory_summary'
        ) THEN 'assistant'
        ELSE 'person' END
    FROM traces t WHERE t.brain_id = trace_versions.brain_id AND t.id = trace_versions.trace_id
)
"""


def upgrade() -> None:
    _new_tables()
    _index_entries()
    _tombstones()
    _versions()


def _versions() -> None:
    """Say of every version who gave it; what is there already came through the SDK."""
    op.execute("DROP TRIGGER trace_versions_no_update")
    op.execute("DROP TRIGGER trace_versions_no_delete")
    op.add_column(
        "trace_versions", sa.Column("channel", sa.Text(), nullable=False, server_default="sdk")
    )
    op.add_column(
        "trace_versions", sa.Column("origin", sa.Text(), nullable=False, server_default="person")
    )
    op.add_column("trace_versions", sa.Column("verified_at", sa.BigInteger(), nullable=True))
    op.execute(_ORIGIN)
    _filed_by()
    op.execute(
        f"CREATE TRIGGER trace_versions_no_update BEFORE UPDATE OF {_VERSION_COLUMNS} "
        "ON trace_versions BEGIN SELECT RAISE(ABORT, 'trace_versions is append-only'); END"
    )
    # Erasure is the one exception: it names the traces first.
    op.execute(
        "CREATE TRIGGER trace_versions_no_delete BEFORE DELETE ON trace_versions "
        "WHEN NOT EXISTS (SELECT 1 FROM erasing e "
        "WHERE e.brain_id = OLD.brain_id AND e.trace_id = OLD.trace_id) "
        "BEGIN SELECT RAISE(ABORT, 'trace_versions is append-only'); END"
    )


def _filed_by() -> None:
    """Write users in the form that scope ids have, here as well, with the digests made of it."""
    connection = op.get_bind()
    keys = _keys(connection)
    rows = connection.execute(
        sa.text(
            "SELECT t.brain_id, t.id, t.scope, t.scope_id, t.filed_by, t.speaker, t.role, "
            "v.version, v.content FROM traces t JOIN trace_versions v "
            "ON v.brain_id = t.brain_id AND v.trace_id = t.id "
            "WHERE t.filed_by GLOB '*[%:/]*'"
        )
    ).all()
    for row in rows:
        filed_by = row.filed_by.replace("%", "%25").replace("/", "%2F").replace(":", "%3A")
        who = row.speaker or row.role or ""
        mark = _digest(
            keys[row.brain_id][1],
            *("text", row.scope, row.scope_id, filed_by, who, row.content.strip()),
        )
        of = {"brain": row.brain_id, "id": row.id}
        connection.execute(
            sa.text(
                "UPDATE trace_versions SET digest = :mark "
                "WHERE brain_id = :brain AND trace_id = :id AND version = :version"
            ),
            {**of, "mark": mark, "version": row.version},
        )
        connection.execute(
            sa.text("UPDATE traces SET filed_by = :filed_by WHERE brain_id = :brain AND id = :id"),
            {**of, "filed_by": filed_by},
        )


def _keys(connection: sa.Connection) -> dict[str, tuple[int, bytes]]:
    """The newest key of each brain, and its version."""
    rows = connection.execute(sa.text("SELECT * FROM key_ring ORDER BY version"))
    return {row.brain_id: (row.version, row.key) for row in rows}


def _index_entries() -> None:
    """Let an entry be without its trace. SQLite cannot change a column; the table is copied."""
    for name in ("retired", "revision", "trace", "unembedded"):
        op.drop_index(f"ix_index_entries_{name}", "index_entries")
    op.rename_table("index_entries", "index_entries_before")
    op.create_table(
        "index_entries",
        sa.Column("brain_id", sa.Text(), nullable=False),
        sa.Column("partition", sa.Integer(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("trace_id", sa.Text(), nullable=True),
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
            ["brain_id", "partition"], ["partitions.brain_id", "partitions.id"]
        ),
        sa.ForeignKeyConstraint(["brain_id", "trace_id"], ["traces.brain_id", "traces.id"]),
        sa.PrimaryKeyConstraint("brain_id", "partition", "seq"),
        sqlite_with_rowid=False,
    )
    op.execute("INSERT INTO index_entries SELECT * FROM index_entries_before")
    op.drop_table("index_entries_before")
    op.create_index(
        "ix_index_entries_retired",
        "index_entries",
        ["brain_id", "partition", "seq"],
        sqlite_where=sa.text("until IS NOT NULL"),
    )
    op.create_index(
        "ix_index_entries_revision", "index_entries", ["brain_id", "partition", "revision"]
    )
    op.create_index("ix_index_entries_trace", "index_entries", ["brain_id", "trace_id"])
    op.create_index(
        "ix_index_entries_unembedded",
        "index_entries",
        ["brain_id"],
        sqlite_where=sa.text("embedded = 0"),
    )


def _tombstones() -> None:
    """Take the scope out of the clear: a tombstone says whom it holds for by a digest."""
    connection = op.get_bind()
    keys = _keys(connection)
    rows = connection.execute(sa.text("SELECT * FROM tombstones")).all()
    op.drop_table("tombstones")
    table = op.create_table(
        "tombstones",
        sa.Column("brain_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("place", sa.LargeBinary(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("key_version", sa.Integer(), nullable=False),
        sa.Column("cause", sa.Text(), nullable=False),
        sa.Column("trace_id", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=True),
        sa.Column("lifted_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["brain_id", "key_version"], ["key_ring.brain_id", "key_ring.version"]
        ),
        sa.PrimaryKeyConstraint("brain_id", "place", "kind", "digest"),
        sqlite_with_rowid=False,
    )
    # Their values are not known: they stay as they were made, marked as of the first form.
    moved = [
        {
            "brain_id": row.brain_id,
            "kind": "value",
            "place": _digest(keys[row.brain_id][1], "place", *_place(row.scope, row.scope_id)),
            "digest": row.digest,
            "key_version": keys[row.brain_id][0],
            "cause": "rejected",
            "trace_id": None,
            "created_at": row.created_at,
            "until": None,
            "lifted_at": row.lifted_at,
        }
        for row in rows
    ]
    if moved:
        op.bulk_insert(table, moved)


def _place(scope: str, scope_id: str) -> tuple[str, str]:
    """Whom a scope belongs to: its user, where it has one."""
    owner = {
        "user": scope_id,
        "thread": scope_id.rpartition("//")[0],
        "persona": scope_id.partition("::")[0],
    }.get(scope)
    return ("user", owner) if owner else (scope, scope_id)


def _digest(key: bytes, *parts: str) -> bytes:
    mac = hmac.new(key, digestmod=hashlib.sha256)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        mac.update(len(data).to_bytes(8, "big"))
        mac.update(data)
    return mac.digest()


def _new_tables() -> None:
    op.create_table(
        "erasing",
        sa.Column("brain_id", sa.Text(), nullable=False),
        sa.Column("trace_id", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("brain_id", "trace_id"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "freezes",
        sa.Column("brain_id", sa.Text(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("scope_id", sa.Text(), nullable=False),
        sa.Column("mode", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("brain_id", "scope", "scope_id"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "ledger",
        sa.Column("brain_id", sa.Text(), nullable=False),
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("scope_id", sa.Text(), nullable=False),
        sa.Column("filed_by", sa.Text(), nullable=False),
        sa.Column("trace_id", sa.Text(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=True),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("reverts", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("brain_id", "id"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_ledger_trace", "ledger", ["brain_id", "trace_id"], unique=False)
    op.create_table(
        "review_items",
        sa.Column("brain_id", sa.Text(), nullable=False),
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("trace_id", sa.Text(), nullable=False),
        sa.Column("other_id", sa.Text(), nullable=True),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("scope_id", sa.Text(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("signs", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("opened_at", sa.BigInteger(), nullable=False),
        sa.Column("deferred_until", sa.BigInteger(), nullable=True),
        sa.Column("decided_at", sa.BigInteger(), nullable=True),
        sa.Column("reviewer", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["brain_id", "other_id"],
            ["traces.brain_id", "traces.id"],
        ),
        sa.ForeignKeyConstraint(
            ["brain_id", "trace_id"],
            ["traces.brain_id", "traces.id"],
        ),
        sa.PrimaryKeyConstraint("brain_id", "id"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_review_items_other", "review_items", ["brain_id", "other_id"], unique=False)
    op.create_index(
        "ix_review_items_state",
        "review_items",
        ["brain_id", "state", "scope", "scope_id"],
        unique=False,
    )
    op.create_index("ix_review_items_trace", "review_items", ["brain_id", "trace_id"], unique=False)
    op.create_table(
        "trace_facts",
        sa.Column("brain_id", sa.Text(), nullable=False),
        sa.Column("trace_id", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("attribute", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("many", sa.Integer(), nullable=False),
        sa.Column("negated", sa.Integer(), nullable=False),
        sa.Column("shape", sa.Text(), nullable=False),
        sa.Column("valid_from", sa.BigInteger(), nullable=True),
        sa.Column("valid_to", sa.BigInteger(), nullable=True),
        sa.Column("recorded_at", sa.BigInteger(), nullable=False),
        sa.Column("retired_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["brain_id", "trace_id"],
            ["traces.brain_id", "traces.id"],
        ),
        sa.PrimaryKeyConstraint("brain_id", "trace_id", "seq"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_trace_facts_key", "trace_facts", ["brain_id", "key"], unique=False)
    op.create_table(
        "trace_links",
        sa.Column("brain_id", sa.Text(), nullable=False),
        sa.Column("from_id", sa.Text(), nullable=False),
        sa.Column("to_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("undone_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["brain_id", "from_id"],
            ["traces.brain_id", "traces.id"],
        ),
        sa.ForeignKeyConstraint(
            ["brain_id", "to_id"],
            ["traces.brain_id", "traces.id"],
        ),
        sa.PrimaryKeyConstraint("brain_id", "from_id", "to_id", "kind"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_trace_links_to", "trace_links", ["brain_id", "to_id"], unique=False)
    op.create_table(
        "trace_sources",
        sa.Column("brain_id", sa.Text(), nullable=False),
        sa.Column("trace_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["brain_id", "trace_id"],
            ["traces.brain_id", "traces.id"],
        ),
        sa.PrimaryKeyConstraint("brain_id", "trace_id", "kind", "source"),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_trace_sources_source", "trace_sources", ["brain_id", "kind", "source"], unique=False
    )
