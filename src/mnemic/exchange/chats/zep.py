"""Read what Zep and its open part, Graphiti, export: sessions with messages, and the graph.

The keys are those of its API: sessions (or threads), messages, facts, edges, nodes and episodes,
each a list, in one object or alone. A fact carries since when and until when it was true. Facts
and summaries were written by a model from what was said, and are filed as such.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mnemic.errors import InvalidInput
from mnemic.exchange.chats.fields import id_of, label_of, labels_of, text_of
from mnemic.exchange.chats.parts import ANY_JSON, Part, Wanted, each_part
from mnemic.exchange.chats.zep_records import Session, episode, fact, message, node
from mnemic.exchange.common import Item, is_record, shown, zone_of
from mnemic.exchange.json_stream import elements

_KINDS = {
    "sessions": "session",
    "threads": "session",
    "messages": "message",
    "facts": "fact",
    "relevant_facts": "fact",
    "edges": "fact",
    "entity_edges": "fact",
    "nodes": "node",
    "entities": "node",
    "entity_nodes": "node",
    "episodes": "episode",
    "episodic_nodes": "episode",
}
_WANTED = Wanted(ANY_JSON, ANY_JSON, "JSON file")


@dataclass(frozen=True, slots=True)
class _Export:
    """What the records of a file are read with."""

    names: Mapping[str, str]
    timezone: str | None


def read(path: str | Path, *, timezone: str | None = None) -> Iterator[Item]:
    """Items of the export, in its order; `where` is such as "session s1/message 2" or "fact 7".

    Raises:
        ImportFormatError: the file as a whole cannot be read.
    """
    zone_of(timezone)

    def of_part(part: Part) -> Iterator[Item]:
        export = _Export(_names(part), timezone)
        with part.open() as stream:
            yield from _file(elements(stream, part.told), export)

    yield from each_part(path, _WANTED, of_part)


def kind_of_record(record: object) -> str | None:
    """Which kind of record this is, by its keys; None for one that is none of Zep's."""
    if not is_record(record):
        return None
    if "fact" in record:
        return "fact"
    if "content" in record and ("role_type" in record or "role" in record):
        return "message"
    if "content" in record or "episode_body" in record:
        return "episode"
    if "session_id" in record or "thread_id" in record:
        return "session"
    return "node" if "summary" in record and "name" in record else None


def _names(part: Part) -> dict[str, str]:
    """The names of the nodes by their id. They may come after the edges: the file is read twice."""
    found: dict[str, str] = {}
    with part.open() as stream:
        for key, value in elements(stream, part.told):
            is_node = key is not None and _KINDS.get(key) == "node"
            if is_node and is_record(value) and isinstance(value.get("uuid"), str):
                found[value["uuid"]] = label_of(value.get("name"))
    return found


def _file(members: Iterator[tuple[str | None, Any]], export: _Export) -> Iterator[Item]:
    alone: dict[str, Any] = {}
    counts: dict[str, int] = {}
    home = Session("", "")
    for key, value in members:
        kind = _KINDS.get(key) if key is not None else kind_of_record(value)
        if kind is not None:
            counts[kind] = counts.get(kind, 0) + 1
            yield from _item(kind, value, str(counts[kind]), home, export)
        elif key is None or is_record(value) or isinstance(value, list):
            yield Item(
                label_of(key) or "record", error=f"it is nothing that Zep exports: {shown(value)}"
            )
        else:
            alone[key] = value
            home = _session(alone) if "session_id" in alone or "thread_id" in alone else home


def _item(kind: str, value: object, place: str, home: Session, export: _Export) -> Iterator[Item]:
    where = f"{home.id and f'session {home.id}/'}{kind} {place}"
    if isinstance(value, str) and kind == "fact":
        value = {"fact": value}  # the older API has bare sentences
    if not is_record(value):
        yield Item(where, error=f"a {kind} must be an object, not {shown(value)}")
        return
    try:
        match kind:
            case "session":
                yield from _whole_session(value, export)
            case "message":
                yield message(value, where, home, export.timezone)
            case "fact":
                yield fact(value, where, home, _ends(value, export), export.timezone)
            case "node":
                yield node(value, where, export.timezone)
            case _:
                yield episode(value, where, home, export.timezone)
    except InvalidInput as error:
        yield Item(where, error=str(error))


def _session(record: Mapping[str, Any]) -> Session:
    return Session(
        id_of(record, "session_id", "thread_id", "uuid"), label_of(record.get("user_id"))
    )


def _whole_session(record: dict[str, Any], export: _Export) -> Iterator[Item]:
    home = _session(record)
    for key, values in record.items():
        kind = _KINDS.get(key)
        if kind is None or kind == "session" or not isinstance(values, list):
            continue
        for number, value in enumerate(values, 1):
            yield from _item(kind, value, str(number), home, export)
    summary = record.get("summary")
    text = text_of(summary.get("content")) if is_record(summary) else text_of(summary)
    if text.strip():
        summed = {"name": "", "summary": text, "created_at": record.get("created_at")}
        yield node(summed, f"session {home.id}/summary", export.timezone, home)


def _ends(record: Mapping[str, Any], export: _Export) -> tuple[str, ...]:
    """The names of the two things that a fact connects."""
    found = []
    for end in ("source", "target"):
        named = label_of(record.get(f"{end}_node_name"))
        key = record.get(f"{end}_node_uuid")
        found.append(named or (export.names.get(key, "") if isinstance(key, str) else ""))
    return labels_of(found)
