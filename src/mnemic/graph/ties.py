"""Ties between traces that grow with use: one edge that stands for each pair and kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlalchemy import Connection, bindparam, select

from mnemic.model.graph import UNDIRECTED, EdgeKind
from mnemic.store.bulk import insert_rows, update_rows
from mnemic.store.mind_schema import edges

_e = edges.c
_CHUNK = 400

Pair = tuple[str, str]


def tie(
    connection: Connection,
    brain_id: str,
    place: tuple[str, str],
    pairs: Sequence[Pair],
    kind: EdgeKind,
    weigh: Callable[[float | None], float],
    now: int,
    run: int | None = None,
) -> int:
    """Tie pairs of traces of one scope id, or change the weight of what ties them.

    Args:
        connection: holds the write lock.
        brain_id: whose traces.
        place: scope and scope id of both ends of every pair.
        pairs: the ends; of a kind without direction in either order.
        kind: of the ties.
        weigh: gives the weight, from 0 to 1, from the one there was; None is no tie yet.
        now: the instant, in milliseconds.
        run: the consolidation that does it.

    Returns:
        How many ties are new, or weigh otherwise.
    """
    wanted = list(dict.fromkeys(_ordered(pair, kind) for pair in pairs if pair[0] != pair[1]))
    held = _held(connection, brain_id, wanted, kind)
    new = []
    changed = []
    for pair in wanted:
        before, at = held.get(pair, (None, now))
        weight = weigh(before)
        if before is None:
            new.append(_row(brain_id, place, pair, kind, weight, now, run))
        elif weight != before:
            row = {"from_id": pair[0], "to_id": pair[1], "recorded_at": at, "weight": weight}
            changed.append(row)
    of_all = {"brain_id": brain_id, "kind": kind.value}
    update_rows(edges, connection, _KEY, [{**of_all, **one} for one in changed])
    insert_rows(edges, connection, new)
    return len(new) + len(changed)


def _ordered(pair: Pair, kind: EdgeKind) -> Pair:
    return (min(pair), max(pair)) if kind in UNDIRECTED else pair


def _row(
    brain_id: str,
    place: tuple[str, str],
    pair: Pair,
    kind: EdgeKind,
    weight: float,
    now: int,
    run: int | None,
) -> dict[str, object]:
    return {
        "brain_id": brain_id,
        "from_id": pair[0],
        "to_id": pair[1],
        "kind": kind.value,
        "recorded_at": now,
        "scope": place[0],
        "scope_id": place[1],
        "weight": weight,
        "valid_from": None,
        "valid_to": None,
        "retired_at": None,
        "run": run,
    }


def _held(
    connection: Connection, brain_id: str, pairs: Sequence[Pair], kind: EdgeKind
) -> dict[Pair, tuple[float, int]]:
    """The weight of each pair that is tied already, and since when it is."""
    wanted = set(pairs)
    found: dict[Pair, tuple[float, int]] = {}
    starts = sorted({pair[0] for pair in pairs})
    for at in range(0, len(starts), _CHUNK):
        values = {"of_brain": brain_id, "of_kind": kind.value, "ids": starts[at : at + _CHUNK]}
        for row in connection.execute(_FROM, values):
            if (row.from_id, row.to_id) in wanted:
                found[row.from_id, row.to_id] = (row.weight, row.recorded_at)
    return found


_STANDING = (
    (_e.brain_id == bindparam("of_brain"))
    & (_e.kind == bindparam("of_kind"))
    & _e.retired_at.is_(None)
)
_FROM = select(_e.from_id, _e.to_id, _e.weight, _e.recorded_at).where(
    _STANDING, _e.from_id.in_(bindparam("ids", expanding=True))
)

_KEY = ("brain_id", "from_id", "to_id", "kind", "recorded_at")
