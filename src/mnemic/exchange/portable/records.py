"""Rows of AgentOS's tables, and of our own exports, as items to be imported beside what is there.

The files of both have the same rows (`document.py`). What a row holds that a draft has no place
for is kept in its metadata under `agentos`. What is withheld or forgotten there is passed over.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mnemic.encode.resolve import RESERVED
from mnemic.exchange.common import Item, NoteOf, is_record, shown
from mnemic.exchange.notes.note import hash_of
from mnemic.model.errors import InvalidInput
from mnemic.model.origin import Role, SourceType
from mnemic.model.scope import Scope, written_id
from mnemic.model.times import from_ms
from mnemic.model.trace import Draft, TraceType, one_of
from mnemic.model.trust import READABLE

_KNOWN = frozenset(
    "scopeId scope_id entities content_hash import_hash mnemic provenance agentos".split()
)
"""Keys of a row's metadata that are read, or made anew, and not kept as they are."""

_KEPT = ("last_accessed", "retrieval_count", "emotions")

_MOST = 1 << 60


@dataclass(slots=True)
class Graph:
    """Nodes and edges of a file, as far as they say what a trace names.

    Args:
        labels: of each node that stands for no trace.
        named: by trace, the labels of the nodes that its own node leads to.
    """

    labels: dict[str, str] = field(default_factory=dict)
    named: dict[str, list[str]] = field(default_factory=dict)

    def node(self, row: Mapping[str, Any]) -> None:
        """Take in a row of `knowledge_nodes`."""
        of, label = row.get("id"), row.get("label")
        if isinstance(of, str) and isinstance(label, str) and row.get("type") != "memory_graph":
            self.labels[of] = label

    def edge(self, row: Mapping[str, Any]) -> None:
        """Take in a row of `knowledge_edges`; its nodes came before it."""
        source, target = str(row.get("source_id")), str(row.get("target_id"))
        for trace, node in ((source, target), (target, source)):
            label = self.labels.get(node)
            if label is not None and trace not in self.labels:
                self.named.setdefault(trace.removeprefix("trace:"), []).append(label)


def trace_item(row: Mapping[str, Any], where: str, graph: Graph, *, encoded: bool) -> Item:
    """The item of a row of `memory_traces`.

    Args:
        row: the row, JSON columns as text.
        where: its place, for messages.
        graph: what the file's graph says of traces.
        encoded: whether scope ids are in the written form already.
    """
    if row.get("deleted") not in (0, None, False):
        return Item(where, skipped="forgotten there")
    try:
        metadata = _object(row.get("metadata"), "metadata")
        own = metadata.get("mnemic")
        own = own if is_record(own) else {}
        if own.get("trust", READABLE[0]) not in READABLE:
            return Item(where, skipped="withheld there")
        draft = _draft(row, metadata, own, graph)
        home = _home(row, metadata, encoded=encoded)
    except InvalidInput as error:
        return Item(where, error=str(error))
    note = NoteOf(str(row.get("id")), False, hash_of(draft.content)) if own else None
    return Item(where, draft=draft, home=home, note=note)


def _draft(
    row: Mapping[str, Any], metadata: dict[str, Any], own: dict[str, Any], graph: Graph
) -> Draft:
    entities = [one for one in _list(metadata.get("entities")) if isinstance(one, str)]
    named = graph.named.get(str(row.get("id")), [])
    kept = {name: value for name, value in metadata.items() if name not in _KNOWN | RESERVED}
    left = {name: row[name] for name in _KEPT if row.get(name) not in (None, 0, "{}", "")}
    # Names that the brain keeps for itself are theirs there.
    left |= {name: metadata[name] for name in sorted(RESERVED - _KNOWN) if name in metadata}
    if isinstance(row.get("id"), str):
        left["id"] = row["id"]
    if left:
        kept["agentos"] = left
    time = _instant(row.get("created_at"), "created_at")
    return Draft(
        _text(row, "content"),
        type=one_of(TraceType, "type", row.get("type") or "episodic"),
        tags=tuple(str(one) for one in _list(_parsed(row.get("tags"), "tags"))),
        entities=tuple(dict.fromkeys([*entities, *named])),
        metadata=kept,
        speaker=_maybe_text(own, "speaker"),
        role=None if own.get("role") is None else one_of(Role, "role", own["role"]),
        thread=_maybe_text(own, "thread"),
        time=None if time is None else from_ms(time),
        valid_from=_moment(own, "valid_from"),
        valid_to=_moment(own, "valid_to"),
        source=_source(metadata, own),
        strength=_strength(row.get("strength")),
        replay=True,
    )


def _source(metadata: Mapping[str, Any], own: Mapping[str, Any]) -> SourceType:
    provenance = metadata.get("provenance")
    given = own.get("source")
    if given is None and is_record(provenance):
        given = provenance.get("sourceType")
    if given is None and isinstance(metadata.get("document_id"), str):
        return SourceType.RETRIEVED_DOCUMENT
    return SourceType.USER_STATEMENT if given is None else one_of(SourceType, "source", given)


def _home(
    row: Mapping[str, Any], metadata: Mapping[str, Any], *, encoded: bool
) -> tuple[Scope, str]:
    scope = one_of(Scope, "scope", row.get("scope") or "user")
    given = metadata.get("scopeId")
    scope_id = given if isinstance(given, str) and given else row.get("scope_id") or ""
    if not isinstance(scope_id, str):
        raise InvalidInput(f"scope_id {shown(scope_id)} is no text")
    return scope, scope_id if encoded else written_id(scope, scope_id)


def chunk_item(row: Mapping[str, Any], where: str, path: str | None) -> Item:
    """The item of a row of `document_chunks`; one that became a trace is that trace's."""
    if row.get("trace_id"):
        return Item(where, skipped="text of a trace")
    content = row.get("content")
    if not isinstance(content, str) or not content.strip():
        return Item(where, skipped="no text")
    document = str(row.get("document_id") or "")
    return Item(
        where,
        draft=Draft(
            content,
            type=TraceType.SEMANTIC,
            source=SourceType.RETRIEVED_DOCUMENT,
            source_id=f"document:{path or document}"[:200],
            metadata={"document": path or document},
            replay=True,
        ),
    )


def message_item(row: Mapping[str, Any], where: str) -> Item:
    """The item of a row of `messages`; one that became a trace is that trace's."""
    metadata = _loose(row.get("metadata"))
    if isinstance(metadata.get("trace_id"), str):
        return Item(where, skipped="text of a trace")
    content, role = row.get("content"), row.get("role")
    if role not in (Role.USER.value, Role.ASSISTANT.value):
        return Item(where, skipped=f"{'tool output' if role == 'tool' else 'system message'}")
    if not isinstance(content, str) or not content.strip():
        return Item(where, skipped="no text")
    try:
        time = _instant(row.get("created_at"), "created_at")
    except InvalidInput as error:
        return Item(where, error=str(error))
    spoken_by = Role(str(role))
    user = spoken_by is Role.USER
    thread = str(row.get("conversation_id") or "") or None
    return Item(
        where,
        draft=Draft(
            content,
            role=spoken_by,
            thread=thread,
            time=None if time is None else from_ms(time),
            source=SourceType.USER_STATEMENT if user else SourceType.AGENT_INFERENCE,
            replay=True,
        ),
    )


def fact_item(row: Mapping[str, Any], where: str, graph: Graph) -> Item:
    """The item of an edge between two things that are no traces: "Alice works at Acme"."""
    ends = [graph.labels.get(str(row.get(name))) for name in ("source_id", "target_id")]
    kind = row.get("type")
    if ends[0] is None or ends[1] is None or not isinstance(kind, str):
        return Item(where, skipped="link of a trace")
    mark = hashlib.sha256(json.dumps([*ends, kind]).encode()).hexdigest()[:16]
    return Item(
        where,
        draft=Draft(
            f"{ends[0]} {kind.replace('_', ' ')} {ends[1]}",
            type=TraceType.RELATIONAL,
            entities=tuple(dict.fromkeys(str(end) for end in ends)),
            metadata={"agentos": {"edge": kind, "id": str(row.get("id") or mark)}},
            source=SourceType.FACT_GRAPH,
            replay=True,
        ),
    )


def _text(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    if not isinstance(value, str):
        raise InvalidInput(f"{name} {shown(value)} is no text")
    return value


def _maybe_text(row: Mapping[str, Any], name: str) -> str | None:
    return None if row.get(name) is None else _text(row, name)


def _moment(row: Mapping[str, Any], name: str) -> Any:
    at = _instant(row.get(name), name)
    return None if at is None else from_ms(at)


def _instant(value: object, name: str) -> int | None:
    """Milliseconds, as AgentOS writes them; text is taken too, since CSV has nothing else."""
    if value is None or value == "":
        return None
    if isinstance(value, str) and value.strip().lstrip("-").isdigit():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > _MOST:
        raise InvalidInput(f"{name} {shown(value)} is no number of milliseconds")
    try:
        from_ms(int(value))
    except (ValueError, OverflowError, OSError):
        raise InvalidInput(f"{name} {shown(value)} is in no year that there is") from None
    return int(value)


def _strength(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        raise InvalidInput(f"strength {shown(value)} is no number")
    return min(1.0, max(0.0, float(value)))


def _parsed(value: object, name: str) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value) if value.strip() else None
    except (ValueError, RecursionError):
        raise InvalidInput(f"{name} {shown(value)} is not JSON") from None


def _object(value: object, name: str) -> dict[str, Any]:
    found = _parsed(value, name)
    if found is None:
        return {}
    if not is_record(found):
        raise InvalidInput(f"{name} {shown(value)} is no JSON object")
    return found


def _loose(value: object) -> dict[str, Any]:
    try:
        return _object(value, "metadata")
    except InvalidInput:
        return {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
