"""What a newer fact does to an older one: its interval closes, and a link says by which."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any

from sqlalchemy import func, insert, select, update

from mnemic.encode.deed import Deed
from mnemic.encode.relate import Clash, Close, closes_whole_trace
from mnemic.encode.revise.versions import append_version
from mnemic.govern.audit import Note
from mnemic.govern.review import ItemKind
from mnemic.model.scope import Reach
from mnemic.model.trust import READABLE, Authority, Event, Trust, moved
from mnemic.store.schema import trace_facts, trace_links, trace_versions, traces
from mnemic.store.types import AnyRow
from mnemic.store.visible import TRACE_COLUMNS, versions_of, visible

_f, _l = trace_facts.c, trace_links.c

WHOLE = (*TRACE_COLUMNS, trace_versions.c.digest, traces.c.filed_by)
"""All that a new version needs to know of the one before it."""


def whole_row(deed: Deed, reach: Reach, trace_id: str) -> AnyRow | None:
    """A trace in whatever state, with `WHOLE` columns."""
    query = visible(deed.brain.id, reach, None, *WHOLE, states=tuple(Trust), ids=[trace_id])
    return query.run(deed.connection).first()


def reopen(deed: Deed, reach: Reach, trace_id: str) -> None:
    """What a trace had ended is open again, since the trace says so no more."""
    for one in links_of(deed, trace_id):
        if one.from_id == trace_id:
            undo_link(deed, reach, one)


def end_facts(deed: Deed, close: Close, by: str) -> None:
    """End a fact, and its trace where that says nothing else, since `by` says something newer."""
    old = close.old
    replace_fact(deed, old, {"valid_to": close.at})
    row = whole_row(deed, deed.principal.reach(), old.trace_id)
    if row is not None and closes_whole_trace(old, _standing_facts(deed, old.trace_id)):
        set_end(deed, row, close.at, "superseded")
    link(deed, by, old.trace_id, "supersedes")
    deed.chain.append(Note(deed.principal.actor, "close", "closed", old.trace_id, None, {"by": by}))


def set_end(deed: Deed, row: AnyRow, end: int | None, cause: str) -> None:
    """A version of a trace that is true until another instant."""
    if end is None or row.valid_from is None or end >= row.valid_from:
        now = max(deed.now, row.recorded_at)
        after = moved(Trust(row.trust), Event.DATE, Authority.BRAIN)
        changes = {"valid_to": end, "trust": after.value}
        append_version(deed.connection, deed.brain, row, now, cause, None, changes)


def replace_fact(deed: Deed, old: AnyRow, changes: dict[str, Any]) -> None:
    """The brain holds a fact otherwise from now on."""
    key = (_f.brain_id == deed.brain.id) & (_f.trace_id == old.trace_id)
    deed.connection.execute(
        update(trace_facts).where(key, _f.seq == old.seq).values(retired_at=deed.now)
    )
    last = deed.connection.execute(select(func.max(_f.seq)).where(key)).scalar_one()
    row = {column.name: getattr(old, column.name) for column in trace_facts.c}
    row |= {"seq": last + 1, "recorded_at": deed.now, "retired_at": None, **changes}
    deed.connection.execute(insert(trace_facts).values(row))


def _standing_facts(deed: Deed, trace_id: str) -> int:
    query = select(func.count()).where(
        _f.brain_id == deed.brain.id, _f.trace_id == trace_id, _f.retired_at.is_(None)
    )
    return int(deed.connection.execute(query).scalar_one())


def link(deed: Deed, from_id: str, to_id: str, kind: str) -> None:
    """Say how two traces stand to each other."""
    key = {"brain_id": deed.brain.id, "from_id": from_id, "to_id": to_id, "kind": kind}
    where = [trace_links.c[name] == value for name, value in key.items()]
    known = deed.connection.execute(
        update(trace_links).where(*where).values(undone_at=None, created_at=deed.now)
    )
    if known.rowcount == 0:
        deed.connection.execute(
            insert(trace_links).values(**key, created_at=deed.now, undone_at=None)
        )


def ask_about(
    deed: Deed,
    trace_id: str,
    place: tuple[str, str],
    digest: bytes,
    clashes: Iterable[Clash],
    judged: Container[str] = (),
) -> None:
    """Let a person say which of two is right; those `judged` have just been judged."""
    for old_id, clash in {clash.old_id: clash for clash in clashes}.items():
        if old_id in judged:
            continue
        link(deed, trace_id, old_id, "contradicts")
        signs = (clash.relation.value,)
        kind = ItemKind.CONTRADICTION
        deed.queue.open(kind, trace_id, place, digest, other_id=old_id, signs=signs)


def links_of(deed: Deed, trace_id: str) -> list[AnyRow]:
    """The links of a trace that have not been undone."""
    where = (_l.from_id == trace_id) | (_l.to_id == trace_id)
    query = select(trace_links).where(_l.brain_id == deed.brain.id, _l.undone_at.is_(None), where)
    return list(deed.connection.execute(query))


def undo_link(deed: Deed, reach: Reach, one: AnyRow) -> None:
    """Take back what a link says; a value that it had ended is open again."""
    key = [_l[name] == getattr(one, name) for name in ("brain_id", "from_id", "to_id", "kind")]
    deed.connection.execute(update(trace_links).where(*key).values(undone_at=deed.now))
    if one.kind != "supersedes":
        return
    row = whole_row(deed, reach, one.to_id)
    if row is None:
        return
    facts = select(trace_facts).where(
        _f.brain_id == deed.brain.id,
        _f.trace_id == one.to_id,
        _f.retired_at.is_(None),
        _f.valid_to.is_not(None),
        _f.recorded_at == one.created_at,
    )
    for old in deed.connection.execute(facts).all():
        replace_fact(deed, old, {"valid_to": _end_before(deed, old)})
    if row.valid_to is not None and Trust(row.trust) in READABLE:
        set_end(deed, row, _trace_end_before(deed, reach, row), "reopened")


def _end_before(deed: Deed, old: AnyRow) -> int | None:
    """The end that a fact had before the one that it has."""
    same = [_f[name] == getattr(old, name) for name in ("brain_id", "trace_id", "key", "value")]
    query = select(_f.valid_to).where(*same, _f.retired_at == old.recorded_at)
    row = deed.connection.execute(query.order_by(_f.seq.desc()).limit(1)).first()
    return None if row is None else row[0]


def _trace_end_before(deed: Deed, reach: Reach, row: AnyRow) -> int | None:
    """The end that a trace had before it was superseded, whatever else has changed since."""
    ends = None
    for version in versions_of(deed.brain.id, reach, row.id).run(deed.connection):
        if version.cause == "superseded" and version.valid_to == row.valid_to:
            return ends
        ends = version.valid_to
    return None
