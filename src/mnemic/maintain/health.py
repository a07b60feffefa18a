"""Whether a brain works as it should, and how much it holds."""

from __future__ import annotations

from sqlalchemy import Connection, func, select

from mnemic.encode.embedding import Vectors, recorded_model
from mnemic.govern import audit, tombstones
from mnemic.index.embed.choose import Choice
from mnemic.maintain.erasure import is_open
from mnemic.model.answer import BrainStats, Health
from mnemic.store import sqlite
from mnemic.store.brain import Brain
from mnemic.store.schema import index_entries, partitions
from mnemic.store.visible import census, version_count


def examine(brain: Brain, choice: Choice, vectors: Vectors, thorough: bool) -> Health:
    """Look for what is wrong; `thorough` reads the whole file and walks the audit chain."""
    problems: list[str] = []
    with brain.read() as connection:
        waiting = _unembedded(connection, brain)
        model = recorded_model(connection, brain)
        if is_open(connection, brain):
            problems.append(
                "the bytes of an erasure may still be in the file; close other users of it and "
                "run `mnemic compact`"
            )
        if thorough:
            structure = sqlite.integrity(connection)
            if structure != "ok":
                problems.append(f"the file is damaged: {structure}; restore it from a backup")
            problems += audit.verify(connection, brain.id).problems
    if choice.problem is not None:
        problems.append(f"words only: {choice.problem}")
    if vectors.problem is not None:
        problems.append(vectors.problem)
    if choice.embedder is not None and model is not None and model != vectors.model:
        problems.append(f"the brain has changed over to {model[0]!r}; open it with that embedder")
    if waiting and choice.embedder is not None:
        problems.append(f"{waiting} texts have no vector yet; run `mnemic reembed`")
    embedder = choice.embedder
    return Health(
        ok=not problems,
        embedder=None if embedder is None else embedder.name,
        degraded=embedder is None or waiting > 0 or vectors.problem is not None,
        problems=tuple(problems),
        unembedded=waiting,
        schema=brain.schema,
        path=brain.path,
    )


def brain_stats(brain: Brain) -> BrainStats:
    """Counts over the whole brain."""
    with brain.read() as connection:
        by_trust = {row[0]: row[1] for row in connection.execute(census(brain.id))}
        of_partitions = select(func.count(), func.sum(partitions.c.passages)).where(
            partitions.c.brain_id == brain.id
        )
        scopes, passages = connection.execute(of_partitions).one()
        embedded = select(func.count()).where(
            index_entries.c.brain_id == brain.id, index_entries.c.embedded == 1
        )
        return BrainStats(
            traces=sum(by_trust.values()),
            versions=int(connection.execute(version_count(brain.id)).scalar_one()),
            partitions=scopes,
            passages=passages or 0,
            embedded=int(connection.execute(embedded).scalar_one()),
            tombstones=tombstones.count(connection, brain),
            audit_entries=audit.count(connection, brain.id),
            bytes=sqlite.size(connection),
            by_trust=by_trust,
        )


def _unembedded(connection: Connection, brain: Brain) -> int:
    query = select(func.count()).where(
        index_entries.c.brain_id == brain.id, index_entries.c.embedded == 0
    )
    return int(connection.execute(query).scalar_one())
