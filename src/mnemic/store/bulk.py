"""Rows into a table by the shortest way that there is for each database.

A statement is compiled once for a table and the columns that are given; SQLAlchemy's own way of
executing it takes longer than SQLite does to run it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Dialect, Table, bindparam, insert, update


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


def update_rows(
    table: Table,
    connection: Connection,
    keys: tuple[str, ...],
    rows: Sequence[Mapping[str, Any]],
) -> None:
    """Change rows of a table that are named by some of their columns.

    Args:
        table: whose columns hold plain values.
        connection: in the transaction.
        keys: the columns that name a row.
        rows: all with the columns of the first one: the keys, and what they are to hold.
    """
    if not rows:
        return
    statement, names = _updating(table, keys, tuple(rows[0]), connection.dialect)
    connection.exec_driver_sql(statement, [tuple([row[name] for name in names]) for row in rows])


@lru_cache(128)
def _updating(
    table: Table, keys: tuple[str, ...], columns: tuple[str, ...], dialect: Dialect
) -> tuple[str, tuple[str, ...]]:
    """The statement for these columns, and their names in the order of its parameters."""
    held: dict[str, Any] = {name: bindparam(f"new_{name}") for name in columns if name not in keys}
    query = update(table).values(held)
    for key in keys:
        query = query.where(table.c[key] == bindparam(f"of_{key}"))
    compiled = query.compile(dialect=dialect)
    assert compiled.positiontup is not None, "the driver takes parameters by position"
    return str(compiled), tuple(name.split("_", 1)[1] for name in compiled.positiontup)


@lru_cache(128)
def _compiled(
    table: Table, columns: tuple[str, ...], dialect: Dialect
) -> tuple[str, tuple[str, ...]]:
    """The statement for these columns, and their names in the order of its parameters."""
    compiled = insert(table).compile(dialect=dialect, column_keys=list(columns))
    assert compiled.positiontup is not None, "the driver takes parameters by position"
    return str(compiled), tuple(compiled.positiontup)
