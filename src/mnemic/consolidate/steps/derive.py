"""What several memories are about becomes a schema, and, if wanted, an insight of its own.

A schema is the middle of the vectors of the memories that mention one thing: new ones are
encoded by how they fit it (`cognition/mechanisms/schema.py`). An insight is a trace that says
what they have in common; it derives from them, and goes with them when they are erased. Without
a language model it is made of their own sentences.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
from sqlalchemy import Connection, delete, func, insert, select

from mnemic.cognition.mechanisms.schema import centroid_of
from mnemic.consolidate.bed import Bed, Place
from mnemic.consolidate.insight import MOST_WORDS, insight
from mnemic.consolidate.summarize import summarized
from mnemic.consolidate.vectors import vectors_of
from mnemic.encode.revise import update as renewal
from mnemic.model.errors import NotAllowed, NotFound
from mnemic.model.origin import SourceType
from mnemic.model.trace import Draft, TraceType
from mnemic.model.trust import READABLE
from mnemic.store.mind_schema import mentions, nodes, schemas
from mnemic.store.schema import trace_versions, traces
from mnemic.store.types import AnyRow
from mnemic.store.visible import visible

NAME = "derive"
TAGS = ("derived", "insight")

_t, _v, _n, _m, _s = traces.c, trace_versions.c, nodes.c, mentions.c, schemas.c

_MOST_MEMBERS = 200
"""Members of a cluster that are looked at, the newest."""


@dataclass(frozen=True, slots=True)
class _Cluster:
    """Memories that mention one thing."""

    node: AnyRow
    members: tuple[AnyRow, ...]

    def made_of(self, *, schema: bool, insight: bool) -> bytes:
        """These members, and what was made of them: whoever wants more looks at them again."""
        said = [f"{row.id} {row.version}" for row in self.members]
        return hashlib.sha256("\n".join([*said, f"{schema} {insight}"]).encode()).digest()


def run(bed: Bed, place: Place) -> None:
    """Bring the schemas of a place up to date, and write its insights."""
    written = 0
    for node in _hubs(bed, place):
        with bed.brain.read() as connection:
            cluster = _cluster(bed, connection, place, node)
            if cluster is None:
                continue
            schema, wants = _is_schema(bed, cluster), _wants_insight(bed, cluster, written)
            held = _held(bed, connection, node)
            done = () if held is None else (held.made_of,)
            if cluster.made_of(schema=schema, insight=True) in done:
                continue
            if not wants and cluster.made_of(schema=schema, insight=False) in done:
                continue
            found = vectors_of(bed, connection, place, [row.id for row in cluster.members])
        trace_id = held.trace_id if held is not None else None
        if wants:
            trace_id = _write(bed, place, cluster, trace_id)
            written += trace_id is not None
        made_of = cluster.made_of(schema=schema, insight=wants)
        centroid = centroid_of(found.values()) if schema else None
        with bed.batch() as connection:
            _keep(bed, connection, cluster, made_of, trace_id, centroid)
        bed.count(NAME)


def _is_schema(bed: Bed, cluster: _Cluster) -> bool:
    mind = bed.mind
    return mind.works(mind.schema_encoding) and len(cluster.members) >= mind.schema_encoding.members


def _wants_insight(bed: Bed, cluster: _Cluster, written: int) -> bool:
    rules = bed.mind.consolidation
    return rules.derive and len(cluster.members) >= rules.cluster and written < rules.most_derived


def _least(bed: Bed) -> int:
    """The fewest memories about one thing that make a schema, or an insight if those are wanted."""
    mind = bed.mind
    several = [mind.schema_encoding.members] if mind.works(mind.schema_encoding) else []
    several += [mind.consolidation.cluster] if mind.consolidation.derive else []
    return min(several)


def _hubs(bed: Bed, place: Place) -> list[AnyRow]:
    """The things of a place that enough memories mention, those mentioned most first."""
    least = _least(bed)
    query = (
        select(_n.id, _n.label, func.count().label("size"))
        .join(mentions, (_m.brain_id == _n.brain_id) & (_m.node_id == _n.id))
        .where(
            _n.brain_id == bed.brain.id,
            _n.scope == place.scope.value,
            _n.scope_id == place.scope_id,
        )
        .group_by(_n.id, _n.label)
        .having(func.count() >= least)
        .order_by(func.count().desc(), _n.id)
    )
    with bed.brain.read() as connection:
        return list(connection.execute(query))


def _cluster(bed: Bed, connection: Connection, place: Place, node: AnyRow) -> _Cluster | None:
    ids = connection.execute(
        select(_m.trace_id).where(_m.brain_id == bed.brain.id, _m.node_id == node.id)
    ).scalars()
    members: list[AnyRow] = []
    several = list(ids)
    for at in range(0, len(several), 500):
        query = visible(
            bed.brain.id,
            place.reach,
            None,
            *(_t.id, _t.time, _t.source, _v.content, _v.version),
            states=READABLE,
            ids=several[at : at + 500],
        )
        members += query.run(connection)
    own = SourceType.REFLECTION.value
    members = [row for row in members if row.source != own]  # no insight about insights
    members = sorted(members, key=lambda row: (row.time, row.id))[-_MOST_MEMBERS:]
    return _Cluster(node, tuple(members)) if len(members) >= _least(bed) else None


def _held(bed: Bed, connection: Connection, node: AnyRow) -> AnyRow | None:
    query = select(schemas).where(_s.brain_id == bed.brain.id, _s.node_id == node.id)
    return connection.execute(query).first()


def _write(bed: Bed, place: Place, cluster: _Cluster, held: str | None) -> str | None:
    """Write what the members have in common, or bring it up to date; the trace that says it."""
    text = insight(cluster.node.label, [(row.time, row.content) for row in cluster.members])
    if not bed.dry:
        texts = [row.content for row in cluster.members]
        own = text
        text = summarized(bed.sleeper.summarizer, texts, cluster.node.label, MOST_WORDS, own)
    if bed.dry:
        bed.note(NAME, held or cluster.node.id, f"would say what {len(cluster.members)} share")
        return held
    if held is not None:
        try:
            renewal.update(
                bed.writer, place.principal, held, content=text, reason="its sources have grown"
            )
        except (NotFound, NotAllowed):
            return held  # a person put it away: it is not written again
        bed.note(NAME, held, f"brought up to date: {len(cluster.members)} sources")
        return held
    draft = Draft(
        text,
        type=TraceType.SEMANTIC,
        scope=place.scope,
        tags=TAGS,
        entities=(cluster.node.label,),
        source=SourceType.REFLECTION,
        derived_from=tuple(row.id for row in cluster.members),
    )
    receipt = bed.writer.write([draft], place.principal)[0]
    if receipt.trace is None:
        return None
    bed.deeds.append(
        {
            "kind": NAME,
            **place.as_dict(),
            "id": receipt.trace.id,
        }
    )
    bed.note(NAME, receipt.trace.id, f"says what {len(cluster.members)} memories share")
    return receipt.trace.id


def _keep(
    bed: Bed,
    connection: Connection,
    cluster: _Cluster,
    made_of: bytes,
    trace_id: str | None,
    centroid: np.ndarray[tuple[int], np.dtype[np.float32]] | None,
) -> None:
    key = (_s.brain_id == bed.brain.id) & (_s.node_id == cluster.node.id)
    connection.execute(delete(schemas).where(key))
    model = bed.writer.vectors.model
    connection.execute(
        insert(schemas).values(
            brain_id=bed.brain.id,
            node_id=cluster.node.id,
            trace_id=trace_id,
            members=len(cluster.members),
            model=None if model is None or centroid is None else model[0],
            centroid=None if centroid is None else centroid.astype("<f4").tobytes(),
            made_of=made_of,
            updated_at=bed.now,
        )
    )
