"""Read what Mem0 exports: the memories as its platform or `get_all()` gives them.

A list of memories, or an object with them under "results" or "memories", and sometimes the
relations of its graph beside them. Its memories were written by a model, so they count as what an
agent inferred, unless one says that the user spoke. A user named in a record is kept as
`their_user` and never decides whose memory it becomes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mnemic.errors import InvalidInput
from mnemic.exchange.chats.fields import (
    foreign,
    id_of,
    label_of,
    labels_of,
    present,
    text_of,
    time_of,
)
from mnemic.exchange.chats.parts import ANY_JSON, Part, Wanted, each_part
from mnemic.exchange.common import Item, is_record, shown, source_of, zone_of
from mnemic.exchange.json_stream import elements
from mnemic.model.origin import Role, SourceType
from mnemic.model.trace import Draft, TraceType, one_of

FORMAT = "mem0"

LISTS = ("results", "memories", "items")
"""The keys that memories may lie under."""

_TEXTS = ("memory", "data", "text", "content")
_RELATIONS = "relations"
_WANTED = Wanted(ANY_JSON, ANY_JSON, "JSON file")


def read(path: str | Path, *, timezone: str | None = None) -> Iterator[Item]:
    """Items of the export, in its order; `where` is "memory 7" or "relation 2".

    Raises:
        ImportFormatError: the file as a whole cannot be read.
    """
    zone_of(timezone)

    def of_part(part: Part) -> Iterator[Item]:
        with part.open() as stream:
            yield from _file(elements(stream, part.told), timezone)

    yield from each_part(path, _WANTED, of_part)


def _file(members: Iterator[tuple[str | None, Any]], timezone: str | None) -> Iterator[Item]:
    memories = relations = 0
    for key, value in members:
        if key is None or key in LISTS:
            memories += 1
            yield _told(f"memory {memories}", value, timezone)
        elif key == _RELATIONS:
            relations += 1
            yield _relation(f"relation {relations}", value)
        elif is_record(value) or isinstance(value, list):
            yield Item(
                label_of(key) or "member", error=f"it is no list of memories: {shown(value)}"
            )


def _told(where: str, record: object, timezone: str | None) -> Item:
    if not is_record(record):
        return Item(where, error=f"a memory must be an object, not {shown(record)}")
    text = next((record[key] for key in _TEXTS if isinstance(record.get(key), str)), None)
    if text is None:
        return Item(where, error=f"it has no text under 'memory': {shown(record)}")
    if not text.strip():
        return Item(where, skipped="no text")
    try:
        return Item(where, draft=_draft(text_of(text).strip(), record, timezone))
    except InvalidInput as error:
        return Item(where, error=str(error))


def _draft(text: str, record: dict[str, Any], timezone: str | None) -> Draft:
    role = None if record.get("role") is None else one_of(Role, "role", record["role"])
    run = label_of(record.get("run_id"))
    return Draft(
        text,
        type=TraceType.SEMANTIC,
        tags=labels_of(record.get("categories") or ()),
        role=role,
        speaker=label_of(record.get("actor_id")) or None,
        thread=run or None,
        time=time_of(record.get("created_at"), timezone, name="created_at"),
        valid_to=time_of(record.get("expiration_date"), timezone, name="expiration_date"),
        source=SourceType.AGENT_INFERENCE if role is None else source_of(role),
        source_id=f"{FORMAT}:{run or id_of(record, 'id', 'hash')}",
        replay=True,
        metadata={
            **foreign(record.get("metadata")),
            **present(
                imported_id=label_of(record.get("id")),
                imported_updated_at=label_of(record.get("updated_at")),
                their_user=label_of(record.get("user_id")),
                their_agent=label_of(record.get("agent_id")),
                their_app=label_of(record.get("app_id")),
            ),
        },
    )


def _relation(where: str, record: object) -> Item:
    """An edge of the graph, as the sentence that it stands for."""
    if not is_record(record):
        return Item(where, error=f"a relation must be an object, not {shown(record)}")
    subject = label_of(record.get("source"))
    verb = label_of(record.get("relationship")) or label_of(record.get("relation"))
    target = label_of(record.get("target")) or label_of(record.get("destination"))
    if not (subject and verb and target):
        return Item(where, error=f"it needs source, relationship and target: {shown(record)}")
    draft = Draft(
        f"{subject} {verb.replace('_', ' ')} {target}",
        type=TraceType.SEMANTIC,
        tags=("relation",),
        entities=labels_of([subject, target]),
        source=SourceType.FACT_GRAPH,
        source_id=f"{FORMAT}:relations",
        replay=True,
    )
    return Item(where, draft=draft)
