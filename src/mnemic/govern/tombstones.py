"""Tombstones: a value that was rejected stays rejected.

A tombstone is keyed on the normalised value and its scope, not on a row: the same value under
another id, in another case, spacing or Unicode form, after a re-import or a restart, is the same
value. Only a keyed digest of it is kept, never the value.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from sqlalchemy import ColumnElement, Connection, and_, bindparam, func, insert, select, update

from mnemic.model.scope import Scope
from mnemic.model.text import without_invisible
from mnemic.store.brain import Brain
from mnemic.store.keys import digest
from mnemic.store.schema import tombstones

_columns = tombstones.c
_STANDING = select(_columns.digest).where(
    _columns.brain_id == bindparam("of_brain"),
    _columns.scope == bindparam("of_scope"),
    _columns.scope_id == bindparam("of_scope_id"),
    _columns.lifted_at.is_(None),
)
_ANY = _STANDING.limit(1)


def normalise(value: str) -> str:
    """The form in which values are compared: NFKC, case-folded, visible, single-spaced."""
    folded = unicodedata.normalize("NFKC", without_invisible(value)).casefold()
    # Case folding can undo NFKC, so it is normalised once more (Unicode, section 3.13).
    return " ".join(unicodedata.normalize("NFKC", folded).split())


def value_digest(brain: Brain, scope: Scope, scope_id: str, value: str) -> bytes:
    """What a tombstone holds of a value: 32 bytes."""
    return digest(brain.key, "tombstone", scope.value, scope_id, normalise(value))


def rejected(
    connection: Connection, brain: Brain, scope: Scope, scope_id: str, values: Sequence[str]
) -> list[bool]:
    """For each value, whether it is rejected in this scope."""
    place = {"of_brain": brain.id, "of_scope": scope.value, "of_scope_id": scope_id}
    # Most scopes have no tombstone: then one look-up serves the whole batch.
    if connection.execute(_ANY, place).first() is None:
        return [False] * len(values)
    digests = [value_digest(brain, scope, scope_id, value) for value in values]
    found: set[bytes] = set()
    for at in range(0, len(digests), 500):
        query = _STANDING.where(_columns.digest.in_(digests[at : at + 500]))
        found |= {row[0] for row in connection.execute(query, place)}
    return [mark in found for mark in digests]


def reject(
    connection: Connection,
    brain: Brain,
    scope: Scope,
    scope_id: str,
    value: str,
    *,
    at: int,
) -> None:
    """Write the tombstone of a value; one that was lifted before stands again."""
    mark = value_digest(brain, scope, scope_id, value)
    where = _key(brain, scope, scope_id, mark)
    changes = {"created_at": at, "lifted_at": None}
    if connection.execute(update(tombstones).where(where).values(**changes)).rowcount == 0:
        connection.execute(
            insert(tombstones).values(
                brain_id=brain.id,
                scope=scope.value,
                scope_id=scope_id,
                digest=mark,
                **changes,
            )
        )


def lift(
    connection: Connection, brain: Brain, scope: Scope, scope_id: str, value: str, *, at: int
) -> bool:
    """Let a value in again; tells whether there was a tombstone to lift."""
    mark = value_digest(brain, scope, scope_id, value)
    where = and_(_key(brain, scope, scope_id, mark), _columns.lifted_at.is_(None))
    result = connection.execute(update(tombstones).where(where).values(lifted_at=at))
    return result.rowcount > 0


def count(connection: Connection, brain: Brain) -> int:
    """How many tombstones stand."""
    query = select(func.count()).where(_columns.brain_id == brain.id, _columns.lifted_at.is_(None))
    return int(connection.execute(query).scalar_one())


def _key(brain: Brain, scope: Scope, scope_id: str, mark: bytes) -> ColumnElement[bool]:
    return and_(
        _columns.brain_id == brain.id,
        _columns.scope == scope.value,
        _columns.scope_id == scope_id,
        _columns.digest == mark,
    )
