"""Tombstones: a value that was rejected stays rejected.

A tombstone is keyed on the normal form of a value and on whom it holds for, not on a row: the
same value under another id, in another thread, case, spacing or script, after a re-import or a
restart, is the same value. What is kept is a keyed digest; neither the value nor the name of the
user stands in the table.

There are four kinds: a *value* is a text, a *fact* is a subject with an attribute and a value, a
*source* is a document or file from which nothing more is taken, and a *user* was forgotten whole.

A look-up tries every key of the ring and every normal form there has been: neither a new key nor
a new table of look-alikes lets a value back in.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, and_, bindparam, func, insert, or_, select, update

from mnemic.model.normal_form import normal_form, variants
from mnemic.model.scope import Scope
from mnemic.model.text import without_invisible
from mnemic.store import keys
from mnemic.store.brain import Brain
from mnemic.store.keys import digest
from mnemic.store.schema import tombstones

_CHUNK = 500

_c = tombstones.c
_STANDS = and_(
    _c.brain_id == bindparam("of_brain"),
    _c.place.in_(bindparam("places", expanding=True)),
    _c.lifted_at.is_(None),
    or_(_c.until.is_(None), _c.until > bindparam("now")),
)
_ANY = select(_c.kind).where(_STANDS).limit(1)
_FIND = select(_c.digest, _c.cause, _c.trace_id).where(
    _STANDS, _c.digest.in_(bindparam("digests", expanding=True))
)


class Kind(StrEnum):
    """What a tombstone rejects."""

    VALUE = "value"
    FACT = "fact"
    SOURCE = "source"
    USER = "user"


_SPELLED = (Kind.VALUE, Kind.SOURCE)
"""Kinds whose spelling a writer chooses; the others are made by us."""


class Cause(StrEnum):
    """Why there is a tombstone, from the weakest to the strongest."""

    DISOWNED = "disowned"
    """A machine has rejected or corrected it: that binds machines, and no person."""
    CORRECTED = "corrected"
    REJECTED = "rejected"
    ERASED = "erased"


_RANK = {cause: rank for rank, cause in enumerate(Cause)}


Owner = tuple[str, str]
"""Whom a tombstone holds for: `model.scope.owner_of` of a scope."""


@dataclass(frozen=True, slots=True)
class Place:
    """For whom a write is looked up: whom its scope belongs to, and the writer's own user.

    `scopes` are the scopes of the caller, in which tombstones of the first form were filed.
    """

    owners: tuple[Owner, ...]
    scopes: tuple[tuple[Scope, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Stone:
    """A tombstone that stands: why, and whose value it was."""

    cause: Cause
    trace_id: str | None

    @property
    def binds_persons(self) -> bool:
        """Whether a person's own words are refused for it."""
        return self.cause is not Cause.DISOWNED

    def is_correction_of(self, trace_id: str | None) -> bool:
        """Whether it was left by a correction of this very trace."""
        return self.cause is Cause.CORRECTED and self.trace_id == trace_id is not None


def _first_form(value: str) -> str:
    """The normal form of brains of revision 0001."""
    folded = unicodedata.normalize("NFKC", without_invisible(value)).casefold()
    # Case folding can undo NFKC, so it is normalised once more (Unicode, section 3.13).
    return " ".join(unicodedata.normalize("NFKC", folded).split())


def _places(brain: Brain, owners: Iterable[Owner]) -> list[bytes]:
    return [mark for owner in owners for mark in brain.ring.digests("place", *owner)]


def any_stand(connection: Connection, brain: Brain, place: Place, now: int) -> bool:
    """Whether anything at all is rejected for a place: most writes end here."""
    values = {"of_brain": brain.id, "places": _places(brain, place.owners), "now": now}
    return connection.execute(_ANY, values).first() is not None


def standing(
    connection: Connection,
    brain: Brain,
    place: Place,
    kind: Kind,
    values: Sequence[str],
    now: int,
    own: str | None = None,
) -> list[Stone | None]:
    """For each value, the tombstone that stands in its way, the strongest of several.

    Those that corrections of the trace `own` have left stand in its own way no more; what anybody
    else has rejected still does, under whichever key or form.
    """
    if not values:
        return []
    marks = [_marks(brain, place, kind, value) for value in values]
    wanted = list(dict.fromkeys(mark for several in marks for mark in several))
    asked = {"of_brain": brain.id, "places": _places(brain, place.owners), "now": now}
    found: dict[bytes, Stone] = {}
    for at in range(0, len(wanted), _CHUNK):
        rows = connection.execute(_FIND, {**asked, "digests": wanted[at : at + _CHUNK]})
        stones = ((row[0], Stone(Cause(row[1]), row[2])) for row in rows)
        found |= {mark: stone for mark, stone in stones if not stone.is_correction_of(own)}
    return [_strongest([found[m] for m in several if m in found]) for several in marks]


def _strongest(stones: Sequence[Stone]) -> Stone | None:
    return max(stones, key=lambda stone: _RANK[stone.cause], default=None)


def _marks(brain: Brain, place: Place, kind: Kind, value: str) -> list[bytes]:
    """The digests under which a value can have been rejected for a place."""
    forms: Sequence[str] = (value,)
    if kind in _SPELLED:
        forms = variants(value) if kind is Kind.VALUE else (normal_form(value),)
    marks = [
        mark
        for owner in place.owners
        for form in forms
        for mark in brain.ring.digests("tombstone", kind.value, *owner, form)
    ]
    if kind is Kind.VALUE:
        first = _first_form(value)
        for scope, scope_id in place.scopes:
            marks += brain.ring.digests("tombstone", scope.value, scope_id, first)
    return marks


def _mark(brain: Brain, owner: Owner, kind: Kind, value: str) -> bytes:
    form = normal_form(value) if kind in _SPELLED else value
    return digest(brain.ring.newest, "tombstone", kind.value, *owner, form)


def put(
    connection: Connection,
    brain: Brain,
    owner: Owner,
    kind: Kind,
    values: Iterable[str],
    cause: Cause,
    *,
    at: int,
    trace_id: str | None = None,
    until: int | None = None,
) -> int:
    """Write tombstones; one that was lifted before stands again. Returns how many are new.

    One without an end never gets one, and of two causes that meet, the stronger stays.
    """
    place = digest(brain.ring.newest, "place", *owner)
    made = 0
    for mark in dict.fromkeys(_mark(brain, owner, kind, value) for value in values):
        key = {"brain_id": brain.id, "place": place, "kind": kind.value, "digest": mark}
        fresh = {
            "cause": cause.value,
            "trace_id": trace_id,
            "created_at": at,
            "until": until,
            "lifted_at": None,
        }
        known = connection.execute(select(tombstones).where(_is(key))).first()
        if known is None:
            row = {**key, **fresh, "key_version": brain.ring.version}
            connection.execute(insert(tombstones).values(row))
            made += 1
        else:
            changes = _stronger(known._asdict(), fresh, at)
            connection.execute(update(tombstones).where(_is(key)).values(changes))
    return made


def _is(key: Mapping[str, Any]) -> Any:
    return and_(*(tombstones.c[name] == value for name, value in key.items()))


def _stronger(known: Mapping[str, Any], fresh: dict[str, Any], at: int) -> dict[str, Any]:
    """What a tombstone becomes when its value is rejected once more."""
    if known["lifted_at"] is not None or (known["until"] is not None and known["until"] <= at):
        return fresh
    ends = (known["until"], fresh["until"])
    until = None if None in ends else max(ends)
    if _RANK[Cause(known["cause"])] >= _RANK[Cause(fresh["cause"])]:
        return {"until": until}
    return {**fresh, "until": until}


def lift(
    connection: Connection,
    brain: Brain,
    place: Place,
    kind: Kind,
    value: str,
    *,
    at: int,
    corrected_by: str | None = None,
) -> bool:
    """Let a value in again, whichever key and form it was rejected under; tells whether it was.

    With `corrected_by`, only what a correction of that trace has rejected.
    """
    where = and_(
        _c.brain_id == brain.id,
        _c.place.in_(_places(brain, place.owners)),
        _c.kind == kind.value,
        _c.digest.in_(_marks(brain, place, kind, value)),
        _c.lifted_at.is_(None),
    )
    if corrected_by is not None:
        where &= and_(_c.cause == Cause.CORRECTED.value, _c.trace_id == corrected_by)
    return connection.execute(update(tombstones).where(where).values(lifted_at=at)).rowcount > 0


def lift_all(connection: Connection, brain: Brain, owner: Owner, *, at: int) -> int:
    """Let in again all that is rejected for an owner; returns how many tombstones that were."""
    where = and_(
        _c.brain_id == brain.id, _c.place.in_(_places(brain, [owner])), _c.lifted_at.is_(None)
    )
    return connection.execute(update(tombstones).where(where).values(lifted_at=at)).rowcount


def count(connection: Connection, brain: Brain) -> int:
    """How many tombstones have not been lifted."""
    query = select(func.count()).where(_c.brain_id == brain.id, _c.lifted_at.is_(None))
    return int(connection.execute(query).scalar_one())


def dumped(connection: Connection, brain: Brain) -> dict[str, Any]:
    """All tombstones that stand, with the keys of their digests, as plain values.

    The keys are secret: whoever holds them can try values against the digests.
    """
    query = select(*(_c[name] for name in PORTABLE)).where(
        _c.brain_id == brain.id, _c.lifted_at.is_(None)
    )
    stones = [row._asdict() for row in connection.execute(query.order_by(_c.digest))]
    return {
        "keys": {str(version): key.hex() for version, key in brain.ring.keys},
        "tombstones": [
            {name: v.hex() if isinstance(v, bytes) else v for name, v in stone.items()}
            for stone in stones
        ],
    }


PORTABLE = tuple("kind place digest key_version cause trace_id created_at until".split())
"""What of a tombstone is carried to another brain."""


def take_in(connection: Connection, brain: Brain, data: Mapping[str, Any], at: int) -> int:
    """Let what another brain, or this one earlier, has rejected be rejected here as well.

    Nothing is lifted by it, and one that a reviewer has lifted here since stays lifted.

    Args:
        connection: holds the write lock.
        brain: into which.
        data: what `dumped` gave, checked by the caller.
        at: the instant, in milliseconds.

    Returns:
        how many tombstones are new.
    """
    versions = {number: _version_of(connection, brain, key, at) for number, key in data["keys"]}
    made = 0
    for stone in data["tombstones"]:
        row = {**stone, "key_version": versions[stone["key_version"]]}
        key = {"brain_id": brain.id, **{name: row[name] for name in ("kind", "place", "digest")}}
        known = connection.execute(select(tombstones).where(_is(key))).first()
        if known is None:
            connection.execute(insert(tombstones).values({**row, **key, "lifted_at": None}))
            made += 1
        elif known.lifted_at is None or known.lifted_at < row["created_at"]:
            fresh = {name: row[name] for name in ("cause", "trace_id", "created_at", "until")}
            changes = _stronger(known._asdict(), {**fresh, "lifted_at": None}, at)
            connection.execute(update(tombstones).where(_is(key)).values(changes))
    return made


def _version_of(connection: Connection, brain: Brain, key: bytes, at: int) -> int:
    """The number of a key on the ring; one that is not there yet is put behind the newest."""
    for number, known in brain.ring.keys:
        if known == key:
            return number
    brain.ring = keys.add_older(connection, brain.id, at, key)
    return next(number for number, known in brain.ring.keys if known == key)
