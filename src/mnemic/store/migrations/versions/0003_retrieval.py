"""The day and the features of what is indexed.

A text that was indexed before has its day, and no features: it ranks as it did.
"""

from __future__ import annotations

import numpy as np
import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_DAY = 86_400_000

_OLD = [
    ("position", "<i4"),
    ("since", "<i8"),
    ("thread", "<i4"),
    ("speaker", "<i4"),
    ("head", "<u2"),
    ("passages", "<u2"),
    ("assistant", "?"),
]
_NEW = [*_OLD, ("day", "<i4"), ("features", "u1")]


def upgrade() -> None:
    for name in ("day", "features"):
        column = sa.Column(name, sa.Integer(), nullable=False, server_default="0")
        op.add_column("index_entries", column)
    # Rounded down, before 1970 as well.
    op.execute(
        f"UPDATE index_entries SET day = (SELECT (t.time - ((t.time % {_DAY}) + {_DAY}) % {_DAY}) "
        f"/ {_DAY} FROM traces t WHERE t.brain_id = index_entries.brain_id "
        "AND t.id = index_entries.trace_id) WHERE trace_id IS NOT NULL"
    )
    _segments()


def _segments() -> None:
    """The same in the arrays of segments."""
    connection = op.get_bind()
    key = "brain_id = :brain_id AND partition = :partition"
    rows = connection.execute(
        sa.text("SELECT brain_id, partition, segment, first_entry, end_entry FROM trace_segments")
    ).mappings()
    for row in rows.all():
        of_segment = dict(row)
        old = connection.execute(
            sa.text(f"SELECT entries FROM trace_segments WHERE {key} AND segment = :segment"),
            of_segment,
        ).scalar_one()
        days = connection.execute(
            sa.text(
                f"SELECT day FROM index_entries WHERE {key} AND seq >= :first_entry "
                "AND seq < :end_entry ORDER BY seq"
            ),
            of_segment,
        ).scalars()
        connection.execute(
            sa.text(
                f"UPDATE trace_segments SET entries = :data WHERE {key} AND segment = :segment"
            ),
            {**of_segment, "data": _widened(old, list(days))},
        )


def _widened(old: bytes, days: list[int]) -> bytes:
    before = np.frombuffer(old, np.dtype(_OLD))
    table = np.zeros(len(before), np.dtype(_NEW))
    for name, _ in _OLD:
        table[name] = before[name]
    table["day"] = days
    return table.tobytes()
