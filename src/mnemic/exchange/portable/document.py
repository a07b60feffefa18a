"""The JSON export: AgentOS's document, and behind it all that only mnemic knows.

The first keys are AgentOS's, rows as its tables have them, so that it can read the file: `meta`,
`traces`, `nodes`, `edges`, `documents`, `chunks`, `images`, `conversations`, `messages`. After
them an owner's export has a key for each table of mnemic's (`mnemic_trace_versions` and so on),
from which an empty brain is filled as it was. It holds the secret keys of the brain's digests,
without which its tombstones could not hold: keep it as you keep the brain.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from mnemic.encode.restore import BATCH, Placed, batches
from mnemic.exchange.portable.snapshot import Snapshot
from mnemic.index.vectors import unpack
from mnemic.index.write import Packed
from mnemic.model.trust import READABLE, Trust
from mnemic.store.carried import TABLES
from mnemic.store.types import AnyRow

FORMAT = 1
"""Of the part that is mnemic's; raised when an older mnemic could no longer read it."""

Write = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Options:
    """What a JSON export holds besides the traces.

    Args:
        embeddings: the vectors, in base64; the file grows several times over.
        conversations: conversations and their messages as AgentOS has them.
        whole: mnemic's own tables, for an owner.
    """

    embeddings: bool = False
    conversations: bool = True
    whole: bool = False


def write_document(snapshot: Snapshot, options: Options, head: dict[str, str], write: Write) -> int:
    """Write the document of a snapshot; returns how many traces are in it.

    Args:
        snapshot: what is written.
        options: how much of it.
        head: what `meta` says.
        write: takes the text, piece by piece.
    """
    write('{\n"meta": ' + _text(head))
    count = _list(write, "traces", _traces(snapshot, options))
    for name, rows in _rest(snapshot, options):
        _list(write, name, rows)
    if options.whole:
        write(',\n"mnemic": ' + _text({"format": FORMAT, "brain_id": snapshot.brain_id}))
        for table in TABLES:
            _list(write, f"mnemic_{table.name}", map(_plain, snapshot.rows(table)))
        _list(write, "mnemic_entries", map(_entry, snapshot.entries()))
    write("\n}\n")
    return count


def _list(write: Write, name: str, rows: Iterable[dict[str, Any]]) -> int:
    write(f',\n"{name}": [')
    count = 0
    for row in rows:
        write(("," if count else "") + "\n" + _text(row))
        count += 1
    write("]" if not count else "\n]")
    return count


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """A row of a table as JSON: bytes in hexadecimal."""
    return {name: value.hex() if isinstance(value, bytes) else value for name, value in row.items()}


def _entry(one: Placed) -> dict[str, Any]:
    row: dict[str, Any] = {
        "scope": one.scope.value,
        "scope_id": one.scope_id,
        "trace_id": one.trace_id,
        "content_version": one.content_version,
        "position": one.position,
        "since": one.since,
        "until": one.until,
    }
    if one.vectors is not None:
        row |= {
            "model": one.vectors.model,
            "dimension": one.vectors.dimension,
            "vectors": base64.b64encode(one.vectors.data).decode("ascii"),
        }
    return row


def _traces(snapshot: Snapshot, options: Options) -> Iterator[dict[str, Any]]:
    for batch in batches(snapshot.traces(), BATCH):
        embeddings: dict[str, str] = {}
        if options.embeddings:
            found = snapshot.vectors_of([row.id for row in batch])
            embeddings = {trace_id: _embedding(packed) for trace_id, packed in found.items()}
        for row in batch:
            yield trace_row(snapshot.brain_id, row, embeddings)


def _embedding(packed: Packed) -> str:
    """The vector of the whole text, as AgentOS keeps it: float32, little-endian; in base64."""
    vector = unpack(packed.data, packed.dimension)[0]
    return base64.b64encode(vector.astype("<f4").tobytes()).decode("ascii")


def trace_row(brain_id: str, row: AnyRow, embeddings: dict[str, str]) -> dict[str, Any]:
    """A trace as a row of AgentOS's `memory_traces`."""
    return {
        "brain_id": brain_id,
        "id": row.id,
        "type": row.type,
        "scope": row.scope,
        "content": row.content,
        "embedding": embeddings.get(row.id),
        "strength": row.strength,
        "created_at": row.time,
        "last_accessed": row.last_accessed_at,
        "retrieval_count": row.retrieval_count,
        "tags": row.tags,
        "emotions": "{}",
        "metadata": _text(_metadata(row)),
        "deleted": int(Trust(row.trust) not in READABLE),
        "scope_id": row.scope_id,
    }


def _metadata(row: AnyRow) -> dict[str, Any]:
    """A trace's own values, those that AgentOS knows, and under `mnemic` those it does not."""
    own = {
        "thread": row.thread,
        "speaker": row.speaker,
        "role": row.role,
        "source": row.source,
        "trust": row.trust,
        "origin": row.origin,
        "channel": row.channel,
        "valid_from": row.valid_from,
        "valid_to": row.valid_to,
        "recorded_at": row.recorded_at,
        "version": row.version,
    }
    return {
        **json.loads(row.metadata),
        "scopeId": row.scope_id,
        "entities": json.loads(row.entities),
        "content_hash": hashlib.sha256(row.content.encode("utf-8")).hexdigest(),
        "mnemic": {name: value for name, value in own.items() if value is not None},
    }


def _rest(snapshot: Snapshot, options: Options) -> Iterator[tuple[str, Iterable[dict[str, Any]]]]:
    """The other tables of AgentOS's: entities and links as a graph, threads as conversations."""
    yield "nodes", _nodes(snapshot)
    yield "edges", _edges(snapshot)
    for name in ("documents", "chunks", "images"):
        yield name, ()
    if options.conversations:
        yield "conversations", _conversations(snapshot)
        yield "messages", _messages(snapshot)


def _nodes(snapshot: Snapshot) -> Iterator[dict[str, Any]]:
    """A node for each trace that names somebody, and for each whom it names."""
    named: dict[str, int] = {}
    for row in snapshot.traces():
        entities = json.loads(row.entities)
        if not entities:
            continue
        yield _node(snapshot.brain_id, row.id, "memory_graph", row.content[:200], row.time)
        for entity in entities:
            if entity not in named:
                named[entity] = row.time
                yield _node(snapshot.brain_id, entity_id(entity), "concept", entity, row.time)


def _node(brain_id: str, id: str, type: str, label: str, at: int) -> dict[str, Any]:
    return {
        "brain_id": brain_id,
        "id": id,
        "type": type,
        "label": label,
        "properties": "{}",
        "embedding": None,
        "confidence": 1.0,
        "source": "{}",
        "created_at": at,
    }


def entity_id(label: str) -> str:
    """The id of the node of an entity."""
    return "kn_" + hashlib.sha256(f"{label}::concept".encode()).hexdigest()[:32]


def _edges(snapshot: Snapshot) -> Iterator[dict[str, Any]]:
    for row in snapshot.traces():
        for entity in dict.fromkeys(json.loads(row.entities)):
            target = entity_id(entity)
            mark = hashlib.sha256(f"{row.id}::{target}::related_to".encode()).hexdigest()[:32]
            yield {
                "brain_id": snapshot.brain_id,
                "id": f"ke_{mark}",
                "source_id": row.id,
                "target_id": target,
                "type": "related_to",
                "weight": 1.0,
                "bidirectional": 0,
                "metadata": "{}",
                "created_at": row.time,
            }


def _conversations(snapshot: Snapshot) -> Iterator[dict[str, Any]]:
    spans: dict[tuple[str, str], tuple[int, int]] = {}
    for row in snapshot.traces():
        if row.thread is not None:
            key = (row.filed_by, row.thread)
            first, last = spans.get(key, (row.time, row.time))
            spans[key] = (min(first, row.time), max(last, row.time))
    for (filed_by, thread), (first, last) in sorted(spans.items()):
        yield {
            "brain_id": snapshot.brain_id,
            "id": conversation_id(filed_by, thread),
            "title": thread,
            "created_at": first,
            "updated_at": last,
            "metadata": _text({"thread": thread, "user": filed_by}),
        }


def conversation_id(filed_by: str, thread: str) -> str:
    """The id of a thread's row; two users' threads of one name are two conversations."""
    return "cv_" + hashlib.sha256(f"{filed_by}\n{thread}".encode()).hexdigest()[:32]


def _messages(snapshot: Snapshot) -> Iterator[dict[str, Any]]:
    for row in snapshot.traces():
        if row.thread is not None and row.role is not None:
            yield {
                "brain_id": snapshot.brain_id,
                "id": f"msg_{row.id}",
                "conversation_id": conversation_id(row.filed_by, row.thread),
                "role": row.role,
                "content": row.content,
                "created_at": row.time,
                "metadata": _text({"trace_id": row.id}),
            }
