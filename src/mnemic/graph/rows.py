"""Statements for many rows by the driver's own way, in the words of each database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from sqlalchemy import Column, Connection, Dialect, Insert, Table, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql.dml import ReturningInsert
from sqlalchemy.sql.selectable import SelectBase

ASKED_AT_ONCE = 500
"""Values in one IN list."""

_T = TypeVar("_T")


def chunks(values: Sequence[_T]) -> Iterator[Sequence[_T]]:
    """As many values as one query takes, then the next, and so on."""
    for at in range(0, len(values), ASKED_AT_ONCE):
        yield values[at : at + ASKED_AT_ONCE]


def insert_new(table: Table, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Put rows into a table, those left out of which one of the same key is there already.

    Args:
        table: whose columns hold plain values.
        connection: in the transaction.
        rows: all with the columns of the first one; none is nothing to do.
    """
    if rows:
        _run(connection, _new_rows(table, tuple(rows[0]), connection.dialect), rows)


def insert_found(
    table: Table,
    columns: tuple[str, ...],
    found: SelectBase,
    connection: Connection,
    values: Sequence[Mapping[str, Any]],
) -> None:
    """Put into a table what a SELECT finds, once for each set of its parameters.

    Args:
        table: whose columns hold plain values.
        columns: which the SELECT gives, in its order.
        found: built once: it is compiled once.
        connection: in the transaction.
        values: of the parameters; what is there already is left as it is.
    """
    if values:
        _run(connection, _found_rows(table, columns, found, connection.dialect), values)


def starts_of(
    connection: Connection,
    brain_id: str,
    start: Column[str],
    end: Column[str],
    ids: Sequence[str],
) -> list[str]:
    """The starts of the rows that end at some ids; the index of ends alone is read for it.

    Asked for more columns at once, SQLite walks the whole brain: it takes that index only where
    nothing else is wanted. With start and end, the rows are then found by their key.

    Args:
        connection: to read from.
        brain_id: of which brain.
        start, end: columns of one table; the end leads an index.
        ids: of ends, as many as one query takes.
    """
    of_brain = start.table.c.brain_id == brain_id
    found = connection.execute(select(start).where(of_brain, end.in_(ids))).scalars()
    return sorted(set(found))


_Compiled = tuple[str, tuple[str, ...] | None]


def _run(connection: Connection, compiled: _Compiled, rows: Sequence[Mapping[str, Any]]) -> None:
    statement, names = compiled
    given = rows if names is None else [tuple([row[name] for name in names]) for row in rows]
    connection.exec_driver_sql(statement, given)


def _insert(table: Table, dialect: Dialect) -> sqlite.Insert | postgresql.Insert:
    if dialect.name == "postgresql":
        return postgresql.insert(table)
    return sqlite.insert(table)


@lru_cache(32)
def _new_rows(table: Table, columns: tuple[str, ...], dialect: Dialect) -> _Compiled:
    statement = _insert(table, dialect).on_conflict_do_nothing()
    return _compiled(statement, dialect, list(columns))


@lru_cache(32)
def _found_rows(
    table: Table, columns: tuple[str, ...], found: SelectBase, dialect: Dialect
) -> _Compiled:
    statement = _insert(table, dialect).from_select(list(columns), found)
    assert isinstance(statement, sqlite.Insert | postgresql.Insert)
    return _compiled(statement.on_conflict_do_nothing(), dialect, None)


def _compiled(
    statement: Insert | ReturningInsert[Any], dialect: Dialect, columns: list[str] | None
) -> _Compiled:
    """The statement, and the names of its parameters in their order where it has one."""
    compiled = statement.compile(dialect=dialect, column_keys=columns)
    names = compiled.positiontup
    return str(compiled), None if names is None else tuple(names)
