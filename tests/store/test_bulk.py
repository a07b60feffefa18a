"""Many rows at once, by the driver's own way."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from mnemic import Memory
from mnemic.errors import StorageError
from mnemic.store.bulk import insert_rows
from mnemic.store.schema import brain_meta


def test_rows_go_in_whatever_the_order_of_their_columns(memory: Memory) -> None:
    brain = memory._rooms.brain
    rows = [{"value": str(n), "brain_id": brain.id, "key": f"k{n}"} for n in range(3)]
    with brain.write() as connection:
        insert_rows(brain_meta, connection, rows[:1])
        insert_rows(brain_meta, connection, [dict(reversed(row.items())) for row in rows[1:]])
        insert_rows(brain_meta, connection, [])
    with brain.read() as connection:
        query = select(brain_meta).where(brain_meta.c.key.startswith("k", autoescape=True))
        held = {row.key: row.value for row in connection.execute(query)}
    assert held == {"k0": "0", "k1": "1", "k2": "2"}


def test_a_row_that_does_not_fit_is_an_error_and_nothing_is_kept(memory: Memory) -> None:
    brain = memory._rooms.brain
    row = {"brain_id": brain.id, "key": "k", "value": "1"}
    with pytest.raises(StorageError, match="UNIQUE"), brain.write() as connection:
        insert_rows(brain_meta, connection, [row, row])
    with brain.read() as connection:
        assert brain.meta(connection, "k") is None
