"""Rows into a table by the shortest way that there is for each database.

A statement is compiled once for a table and the columns that are given; SQLAlchemy's own way of
executing it takes longer than SQLite does to run it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Dialect, Table, insert


def insert_rows(table: Table, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Put rows into a table; all of them have the columns of the first one.

    Args:
        table: whose columns hold plain values: texts, numbers, bytes.
        connection: in the transaction.
        rows: none is nothing to do.
    """
    if not rows:
        return
    statement, names = _compiled(table, tuple(rows[0]), connection.dialect)
    connection.exec_driver_sql(statement, [tuple([row[name] for name in names]) for row in rows])


@lru_cache(128)
def _compiled(
    table: Table, columns: tuple[str, ...], dialect: Dialect
) -> tuple[str, tuple[str, ...]]:
    """The statement for these columns, and their names in the order of its parameters."""
    compiled = insert(table).compile(dialect=dialect, column_keys=list(columns))
    assert compiled.positiontup is not None, "the driver takes parameters by position"
    return str(compiled), tuple(compiled.positiontup)
