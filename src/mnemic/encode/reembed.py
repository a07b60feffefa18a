"""Makes vectors anew: with another model, or for texts that have none yet.

New vectors are made beside the old ones and the brain changes over in one transaction at the
end: until then it answers as before, and an interrupted run goes on where it stopped.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from mnemic.encode.embedding import Vectors, record_model, recorded_model
from mnemic.encode.write import Progress
from mnemic.govern.audit import Chain, Note
from mnemic.index.analysis import Analysis, analyse
from mnemic.index.husks import chunks
from mnemic.index.segments import gather_vectors
from mnemic.index.write import Packed
from mnemic.model.errors import EmbedderError, EmbedderMismatch
from mnemic.model.origin import Role
from mnemic.model.times import Clock, from_ms, to_ms, zone
from mnemic.store.brain import Brain
from mnemic.store.schema import (
    index_entries,
    partitions,
    segment_vectors,
    trace_segments,
    trace_vectors,
)
from mnemic.store.types import AnyRow
from mnemic.store.visible import indexed_contents

_e, _v, _g, _b = index_entries.c, trace_vectors.c, trace_segments.c, segment_vectors.c


def reembed(
    brain: Brain,
    vectors: Vectors,
    clock: Clock,
    actor: str,
    progress: Progress | None = None,
    *,
    told: bool = True,
) -> int:
    """Give every indexed text a vector of this model; returns how many were made.

    `told` says whether it is an act of its own, of which the audit log tells, or the end of a
    restore, after which the log is the one that was restored.

    Raises:
        EmbedderError: there is no model, or it failed; what was made so far is kept.
        EmbedderMismatch: the brain's own model has this name, and another dimension.
    """
    model = vectors.model
    if model is None:
        raise EmbedderError("there is no embedder to make vectors with; open the brain with one")
    _make_room(brain, model)
    done = 0
    total = _missing_count(brain, model[0])
    while batch := _missing(brain, model[0], brain.settings.encoding.batch_size):
        packed = vectors.make([_analysed(brain, row) for row in batch])
        if vectors.problem is not None:
            raise EmbedderError(f"{vectors.problem}; {done} of {total} texts have new vectors")
        done += _add(brain, batch, packed)
        if progress is not None:
            progress(done, total, "reembed")
    _change_over(brain, model, clock, actor if told else None, done)
    return done


def _add(brain: Brain, batch: Sequence[AnyRow], packed: Sequence[Packed | None]) -> int:
    """Write the vectors of a batch; returns of how many texts.

    What was erased while they were made is left out.
    """
    with brain.write() as connection:
        there = _still_there(connection, brain, batch)
        rows = [
            {
                "brain_id": brain.id,
                "partition": row.partition,
                "entry": row.seq,
                "model": made.model,
                "dimension": made.dimension,
                "data": made.data,
            }
            for row, made in zip(batch, packed, strict=True)
            if made is not None and (row.partition, row.seq, row.trace_id) in there
        ]
        if rows:
            connection.execute(insert(trace_vectors), rows)
    return len(rows)


def _still_there(
    connection: Connection, brain: Brain, batch: Sequence[AnyRow]
) -> set[tuple[int, int, str]]:
    """The places of the index in which these traces are now."""
    query = select(_e.partition, _e.seq, _e.trace_id).where(_e.brain_id == brain.id)
    return {
        (row.partition, row.seq, row.trace_id)
        for part in chunks([row.trace_id for row in batch])
        for row in connection.execute(query.where(_e.trace_id.in_(part)))
    }


def _make_room(brain: Brain, model: tuple[str, int]) -> None:
    """Drop what an interrupted run left of a model of this name and another dimension."""
    name, dimension = model
    with brain.write() as connection:
        found = recorded_model(connection, brain)
        if found is not None and found[0] == name and found[1] != dimension:
            raise EmbedderMismatch(
                f"the brain's vectors are of {name!r} with {found[1]} dimensions, and those of "
                f"{name!r} with {dimension} would stand in their place; give the new embedder "
                "a name of its own"
            )
        connection.execute(
            delete(trace_vectors).where(
                _v.brain_id == brain.id, _v.model == name, _v.dimension != dimension
            )
        )


def _has_vector(brain: Brain, model: str) -> Any:
    """Whether an entry has vectors of this model: in a row of its own, or in a block."""
    row = select(_v.entry).where(
        _v.brain_id == brain.id,
        _v.partition == _e.partition,
        _v.entry == _e.seq,
        _v.model == model,
    )
    block = select(_b.segment).where(
        _b.brain_id == brain.id,
        _b.partition == _e.partition,
        _b.model == model,
        _g.brain_id == brain.id,
        _g.partition == _e.partition,
        _g.segment == _b.segment,
        _g.first_entry <= _e.seq,
        _g.end_entry > _e.seq,
    )
    return row.exists() | block.exists()


def _missing_count(brain: Brain, model: str) -> int:
    query = select(func.count()).select_from(index_entries)
    query = query.where(
        _e.brain_id == brain.id, _e.trace_id.is_not(None), ~_has_vector(brain, model)
    )
    with brain.read() as connection:
        return int(connection.execute(query).scalar_one())


def _missing(brain: Brain, model: str, most: int) -> Sequence[AnyRow]:
    query = indexed_contents(brain.id).where(~_has_vector(brain, model)).limit(most)
    with brain.read() as connection:
        return connection.execute(query).all()


def _analysed(brain: Brain, row: AnyRow) -> Analysis:
    settings = brain.settings
    return analyse(
        row.content,
        time=from_ms(row.time),
        speaker=row.speaker,
        role=None if row.role is None else Role(row.role),
        tags=(),
        entities=(),
        settings=settings.index,
        zone=zone(settings.timezone) if settings.timezone else UTC,
    )


def _change_over(
    brain: Brain, model: tuple[str, int], clock: Clock, actor: str | None, made: int
) -> None:
    with brain.write() as connection:
        before = recorded_model(connection, brain)
        for table in (trace_vectors, segment_vectors):
            connection.execute(
                delete(table).where(table.c.brain_id == brain.id, table.c.model != model[0])
            )
        _gather(connection, brain, model[0])
        _mark(connection, brain, model[0])
        record_model(connection, brain, model)
        if actor is None:
            return
        chain = Chain(connection, brain.id, to_ms(clock()))
        detail = {"from": before[0] if before else None, "to": model[0], "made": made}
        chain.append(Note(actor, "reembed", "done", detail=detail))
        chain.flush()


def _gather(connection: Connection, brain: Brain, model: str) -> None:
    """Put the vectors of the segments into blocks."""
    query = select(_g.partition, _g.segment, _g.first_entry, _g.end_entry).where(
        _g.brain_id == brain.id
    )
    for row in connection.execute(query).all():
        entries = (row.first_entry, row.end_entry)
        gather_vectors(connection, brain.id, row.partition, row.segment, entries, model)


def _mark(connection: Connection, brain: Brain, model: str) -> None:
    """Say which entries have vectors now, and that images of the index are out of date."""
    has = _has_vector(brain, model)
    for condition, embedded in ((has, 1), (~has, 0)):
        connection.execute(
            update(index_entries)
            .where(
                _e.brain_id == brain.id,
                _e.trace_id.is_not(None),
                _e.embedded != embedded,
                condition,
            )
            .values(embedded=embedded)
        )
    connection.execute(
        update(partitions)
        .where(partitions.c.brain_id == brain.id)
        .values(epoch=partitions.c.epoch + 1)
    )
