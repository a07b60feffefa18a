"""Erasure: what is erased is gone, from the past as well, and leaves a receipt.

What rested on it alone goes with it; what has other support left loses this one and returns to
review; and so on to a fixpoint. The values keep tombstones, as keyed digests, so that the same
text is not learned again from the chat or the document it came from.

`TABLES` says of every table that names a trace what erasure does to it; a test compares it with
the schema, so that no table to come can be forgotten.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sqlalchemy import Column, ColumnElement, Table, and_, delete, func, insert, or_, select, update

from mnemic.encode.admit import fact_value
from mnemic.encode.deed import Deed
from mnemic.encode.relate import to_fact
from mnemic.encode.revise.case import find, move, told
from mnemic.encode.revise.follow import dependants
from mnemic.govern import tombstones
from mnemic.govern.audit import Note
from mnemic.govern.review import ItemKind
from mnemic.govern.tombstones import Cause, Kind
from mnemic.graph.erase import drop_orphans, nodes_of
from mnemic.index.erase import erase_entries
from mnemic.model.answer import Status
from mnemic.model.scope import Reach, Scope, owner_of
from mnemic.model.trust import READABLE, Authority, Event
from mnemic.store.mind_schema import (
    consolidation_log,
    edges,
    mentions,
    mind_changes,
    prospective_items,
    retrieval_feedback,
    schemas,
    working_slots,
)
from mnemic.store.schema import (
    erasing,
    freezes,
    index_entries,
    ledger,
    review_items,
    trace_facts,
    trace_links,
    trace_sources,
    trace_versions,
    traces,
)
from mnemic.store.types import AnyRow
from mnemic.store.visible import every_version, facts_of, filed, from_sources

_CHUNK = 500

_t = traces.c

_NAMES_A_TRACE: tuple[tuple[Table, str], ...] = (
    (review_items, "trace_id"),
    (trace_links, "from_id"),
    (trace_links, "to_id"),
    (trace_facts, "trace_id"),
    (trace_sources, "trace_id"),
    (ledger, "trace_id"),
    (mind_changes, "trace_id"),
    (retrieval_feedback, "trace_id"),
    (mentions, "trace_id"),
    (edges, "from_id"),
    (edges, "to_id"),
    (working_slots, "trace_id"),
    (prospective_items, "trace_id"),
    (trace_versions, "trace_id"),
)
"""Rows that go with the trace that they name, in the order of foreign keys."""

TABLES: dict[str, str] = {
    "traces": "deleted",
    "trace_versions": "deleted",
    "trace_facts": "deleted",
    "trace_sources": "deleted, whether it names the trace or rests on it",
    "trace_links": "deleted",
    "edges": "deleted",
    "review_items": "deleted; one that names it as the other trace loses the name",
    "ledger": "deleted",
    "mind_changes": "deleted",
    "retrieval_feedback": "deleted",
    "mentions": "deleted; a node that no trace mentions any more goes with them",
    "schemas": "deleted, or loses the name of the trace that says it",
    "working_slots": "deleted",
    "prospective_items": "deleted",
    "index_entries": "emptied, with all that the index holds of it (index/erase.py)",
    "audit_log": "kept: ids, codes and keyed digests, no content",
    "tombstones": "kept: keyed digests, no content",
    "erasing": "names the trace while it is being erased",
}
"""What erasure does to each table that names a trace."""


@dataclass(slots=True)
class Gone:
    """What was erased, and the texts of it, to be looked for afterwards.

    `texts` is all that the traces carried, `said` what each said, in which scope. Neither ever
    leaves the process.
    """

    erased: list[str] = field(default_factory=list)
    returned: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)
    said: list[tuple[tuple[Scope, str], str]] = field(default_factory=list)
    scopes: list[tuple[Scope, str]] = field(default_factory=list)
    seq: int = 0

    def add(self, table: str, rows: int) -> None:
        """Count rows that were taken out."""
        if rows:
            self.counts[table] = self.counts.get(table, 0) + rows


def of_user(owner: str) -> ColumnElement[bool]:
    """Traces that a user filed, or that lie in a scope of that user's."""
    return or_(_t.filed_by == owner, _in_scopes_of(owner, _t.scope, _t.scope_id))


def _in_scopes_of(owner: str, scope: Column[str], scope_id: Column[str]) -> ColumnElement[bool]:
    """Rows that lie in a scope of a user's, by their columns of scope and scope id."""

    def begins(text: str) -> ColumnElement[bool]:
        return func.substr(scope_id, 1, len(text)) == text

    # Three slashes: a thread of nobody, in a namespace that is called as the user is.
    in_thread = begins(f"{owner}//") & ~begins(f"{owner}///")
    return or_(
        and_(scope == Scope.USER.value, scope_id == owner),
        and_(scope == Scope.THREAD.value, in_thread),
        and_(scope == Scope.PERSONA.value, begins(f"{owner}::")),
    )


def of_thread(owner: str, thread: str) -> ColumnElement[bool]:
    """Traces that a user filed in one conversation."""
    return and_(_t.filed_by == owner, _t.thread == thread)


def of_trace(trace_id: str) -> ColumnElement[bool]:
    """One trace."""
    return _t.id == trace_id


def targets(deed: Deed, condition: ColumnElement[bool]) -> list[AnyRow]:
    """The traces that a condition means."""
    return list(deed.connection.execute(filed(deed.brain.id, condition)))


def source_targets(deed: Deed, source: str, reach: Reach | None) -> list[AnyRow]:
    """The traces that came from a source, within a reach or anywhere."""
    rows = deed.connection.execute(from_sources(deed.brain.id, source))
    return [row for row in rows if reach is None or (Scope(row.scope), row.scope_id) in reach]


def erase(deed: Deed, target: str, rows: Sequence[AnyRow]) -> Gone:
    """Erase traces and what rested on them alone, within one transaction."""
    gone = Gone(scopes=list(dict.fromkeys((Scope(r.scope), r.scope_id) for r in rows)))
    gone.erased, losing = _cascade(deed, [row.id for row in rows])
    texts = _texts(deed, gone)
    _entomb(deed, texts, gone.erased, by_filer=target in ("user", "thread"))
    _mark(deed, gone.erased)
    _delete(deed, gone)
    gone.returned = _lose_support(deed, losing)
    deed.connection.execute(delete(erasing).where(erasing.c.brain_id == deed.brain.id))
    detail = {"target": target, "traces": len(gone.erased), "returned": len(gone.returned)}
    gone.seq = deed.chain.append(Note(deed.principal.actor, "erase", "erased", None, None, detail))
    for trace_id in gone.erased:
        deed.chain.append(Note(deed.principal.actor, "erase", "erased", trace_id))
    return gone


def _cascade(deed: Deed, ids: Sequence[str]) -> tuple[list[str], list[AnyRow]]:
    """Every id that goes, and the rows of what only loses a support."""
    going = dict.fromkeys(ids)
    losing: dict[str, AnyRow] = {}
    front = list(going)
    while front:
        fallen = []
        for row in dependants(deed, front):
            if row.id in going:
                continue
            if _other_support(deed, row.id, going):
                losing[row.id] = row
            else:
                losing.pop(row.id, None)
                going[row.id] = None
                fallen.append(row.id)
        front = fallen
    return list(going), list(losing.values())


def _other_support(deed: Deed, trace_id: str, going: dict[str, None]) -> bool:
    """Whether a trace rests on anything besides what goes."""
    query = select(trace_sources.c.kind, trace_sources.c.source).where(
        trace_sources.c.brain_id == deed.brain.id, trace_sources.c.trace_id == trace_id
    )
    return any(
        kind != "trace" or source not in going for kind, source in deed.connection.execute(query)
    )


_T = TypeVar("_T")


def chunks(several: Sequence[_T]) -> Iterable[Sequence[_T]]:
    """As many at once as one statement takes."""
    return (several[at : at + _CHUNK] for at in range(0, len(several), _CHUNK))


def _texts(deed: Deed, gone: Gone) -> list[AnyRow]:
    """All that the traces ever said."""
    rows: list[AnyRow] = []
    carried: dict[str, None] = {}
    for part in chunks(gone.erased):
        rows += deed.connection.execute(every_version(deed.brain.id, part)).all()
        carried |= dict.fromkeys(_beside(deed, part))
    said = dict.fromkeys(((Scope(row.scope), row.scope_id), row.content) for row in rows)
    for row in rows:
        labels = [*json.loads(row.tags), *json.loads(row.entities)]
        metadata = row.metadata if row.metadata != "{}" else ""
        carried |= dict.fromkeys((row.content, metadata, row.reason or "", *labels))
    gone.said = list(said)
    gone.texts = [text for text in carried if text]
    gone.scopes = list(dict.fromkeys([*gone.scopes, *(place for place, _ in said)]))
    return rows


def _beside(deed: Deed, ids: Sequence[str]) -> Iterable[str]:
    """What is kept of traces beside their versions: names, sources, facts, reasons."""
    sources = trace_sources.c
    for table, columns in (
        (index_entries, ("thread", "speaker")),
        (trace_sources, ("source",)),
        (trace_facts, ("subject", "value")),
        (review_items, ("reason",)),
        (prospective_items, ("trigger_event", "cue_text")),
    ):
        query = select(*(table.c[name] for name in columns)).where(
            table.c.brain_id == deed.brain.id, table.c.trace_id.in_(ids)
        )
        if table is trace_sources:
            query = query.where(sources.kind == "source")
        for row in deed.connection.execute(query):
            yield from (part for part in row if part)
    yield from (node.label for node in nodes_of(deed.connection, deed.brain.id, ids))


def _entomb(deed: Deed, rows: Sequence[AnyRow], ids: Sequence[str], *, by_filer: bool) -> None:
    """What was erased is not learned again from where it came from.

    When a user is erased, others of an organization may still say the same: what the user filed
    there has its tombstone with the user (`by_filer`).
    """

    def owner_for(row: AnyRow) -> tuple[str, str]:
        if by_filer and row.filed_by:
            return Scope.USER.value, row.filed_by
        return owner_of(Scope(row.scope), row.scope_id)

    values: dict[tuple[str, str], dict[str, None]] = {}
    for row in rows:
        owner = owner_for(row)
        values.setdefault(owner, {})[row.content] = None
    for owner, several in values.items():
        _put(deed, owner, Kind.VALUE, several)
    facts: dict[tuple[str, str], dict[str, None]] = {}
    for part in chunks(ids):
        for row in deed.connection.execute(facts_of(deed.brain.id, part)):
            owner = owner_for(row)
            facts.setdefault(owner, {})[fact_value(to_fact(row))] = None
    for owner, several in facts.items():
        _put(deed, owner, Kind.FACT, several)


def _put(deed: Deed, owner: tuple[str, str], kind: Kind, values: Iterable[str]) -> None:
    tombstones.put(deed.connection, deed.brain, owner, kind, values, Cause.ERASED, at=deed.now)


def _mark(deed: Deed, ids: Sequence[str]) -> None:
    """Name the traces whose versions may be deleted; the database refuses all others."""
    rows = [{"brain_id": deed.brain.id, "trace_id": trace_id} for trace_id in ids]
    if rows:
        deed.connection.execute(insert(erasing), rows)


def _delete(deed: Deed, gone: Gone) -> None:
    brain_id, run = deed.brain.id, deed.connection.execute
    for name, rows in _counts(erase_entries(deed.connection, brain_id, gone.erased)).items():
        gone.add(name, rows)
    _unlog(deed, gone.erased)
    named = [_nodes(deed, part) for part in chunks(gone.erased)]
    for at, part in enumerate(chunks(gone.erased)):
        others = review_items.c.other_id
        run(
            update(review_items)
            .where(review_items.c.brain_id == brain_id, others.in_(part))
            .values(other_id=None)
        )
        _unname(deed, part)
        supports = trace_sources.c
        result = run(
            delete(trace_sources).where(
                supports.brain_id == brain_id,
                supports.kind == "trace",
                supports.source.in_(part),
            )
        )
        gone.add("trace_sources", result.rowcount)
        for table, column in _NAMES_A_TRACE:
            result = run(
                delete(table).where(table.c.brain_id == brain_id, table.c[column].in_(part))
            )
            gone.add(table.name, result.rowcount)
        gone.add("nodes", drop_orphans(deed.connection, brain_id, named[at]))
        result = run(delete(traces).where(_t.brain_id == brain_id, _t.id.in_(part)))
        gone.add("traces", result.rowcount)


def _nodes(deed: Deed, ids: Sequence[str]) -> list[str]:
    """The nodes of the graph that traces mention, which may be nobody's once they are gone."""
    return [node.id for node in nodes_of(deed.connection, deed.brain.id, ids)]


def _unname(deed: Deed, ids: Sequence[str]) -> None:
    """A schema that a trace has said is said by none."""
    named = (schemas.c.brain_id == deed.brain.id) & schemas.c.trace_id.in_(ids)
    deed.connection.execute(update(schemas).where(named).values(trace_id=None))


def _unlog(deed: Deed, ids: Sequence[str]) -> None:
    """What consolidations did to erased traces cannot be undone any more, and is not told."""
    log, gone = consolidation_log.c, set(ids)
    query = select(log.id, log.deeds).where(log.brain_id == deed.brain.id, log.deeds != "[]")
    for number, text in deed.connection.execute(query).all():
        deeds = json.loads(text)
        left = [one for one in deeds if gone.isdisjoint((one["id"], *one.get("others", ())))]
        if len(left) < len(deeds):
            deed.connection.execute(
                update(consolidation_log)
                .where(log.brain_id == deed.brain.id, log.id == number)
                .values(deeds=json.dumps(left))
            )


def _counts(index: Any) -> dict[str, int]:
    return {
        "index_entries": index.entries,
        "trace_passages": index.passages,
        "trace_postings": index.postings,
        "trace_vectors": index.vectors,
    }


def _lose_support(deed: Deed, rows: Sequence[AnyRow]) -> list[str]:
    """What rested on it and on something else is asked about again."""
    returned = []
    for row in rows:
        case = find(deed, Reach.of([(Scope(row.scope), row.scope_id)]), row.id)
        if case.trust in READABLE:
            version = move(case, Event.SEND_BACK, None, authority=Authority.BRAIN)
            code = ItemKind.SUPPORT_LOST.value
            told(case, version, Status.WITHHELD, Event.SEND_BACK.value, code=code)
            deed.queue.open(ItemKind.SUPPORT_LOST, row.id, case.pair, case.row.digest)
        returned.append(row.id)
    return returned


def bar_user(deed: Deed, owner: str) -> None:
    """Take nothing more from a user who was forgotten, until a reviewer readmits them.

    Their name goes as well from where it stands beside no trace: freezes, and refused writes.
    """
    _put(deed, (Scope.USER.value, owner), Kind.USER, [""])
    frozen, line = freezes.c, ledger.c
    deed.connection.execute(
        delete(freezes).where(
            frozen.brain_id == deed.brain.id, _in_scopes_of(owner, frozen.scope, frozen.scope_id)
        )
    )
    deed.connection.execute(
        delete(ledger).where(
            line.brain_id == deed.brain.id,
            or_(line.filed_by == owner, _in_scopes_of(owner, line.scope, line.scope_id)),
        )
    )


Condition = Callable[[Deed], list[AnyRow]]
"""Finds what is to be erased."""
