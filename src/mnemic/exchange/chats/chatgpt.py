"""Read ChatGPT's export: conversations.json, its numbered parts, one conversation, or the archive.

A conversation is a tree: `mapping` holds its messages by id, each with its parent, and
`current_node` names the last one that was on the screen. What was edited or answered anew lies on
another branch. What the assistant saved of the user ("bio"), and the user's custom instructions,
become memories of their own. What a message says is the business of `chatgpt_message`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from mnemic.exchange.chats.branches import active_line, whole_tree
from mnemic.exchange.chats.chatgpt_message import Conversation, Place, item_of
from mnemic.exchange.chats.fields import id_of, label_of, readable_time
from mnemic.exchange.chats.parts import ANY_JSON, Part, Wanted, each_part, records
from mnemic.exchange.common import Item, is_record, shown, zone_of

MARKER = "mapping"
"""The key that every conversation has."""

_WANTED = Wanted(
    re.compile(r"conversations([-_ ]?\(?[0-9]+\)?)?\.json", re.IGNORECASE),
    ANY_JSON,
    "conversations.json",
)


@dataclass(frozen=True, slots=True)
class _Node:
    """A message where it stands in the tree; a root has none."""

    parent: str | None
    message: Any
    place: str


def read(
    path: str | Path, *, timezone: str | None = None, branches: bool = False
) -> Iterator[Item]:
    """Items of the file, archive or folder, in order; `where` is "<conversation>/<message>".

    Args:
        path: conversations.json or one of its parts, a single conversation, the archive as it
            was downloaded, or a folder of these.
        timezone: the zone of times that carry none.
        branches: read every branch of a conversation, each message once, instead of the one that
            was last on the screen.

    Raises:
        ImportFormatError: the file as a whole cannot be read.
    """
    zone_of(timezone)

    def of_part(part: Part) -> Iterator[Item]:
        for number, record in enumerate(records(part, MARKER), 1):
            if is_record(record) and is_record(record.get(MARKER)):
                yield from _conversation(record, timezone, branches)
            else:
                yield Item(f"{part.name}/{number}", error=_no_conversation(record))

    yield from each_part(path, _WANTED, of_part)


def _no_conversation(record: object) -> str:
    return f"a conversation must be an object with a 'mapping', not {shown(record)}"


def _conversation(record: dict[str, Any], timezone: str | None, branches: bool) -> Iterator[Item]:
    nodes = _nodes(record[MARKER])
    parents = {key: node.parent for key, node in nodes.items()}
    current = record.get("current_node")
    line, others = active_line(
        parents, current if isinstance(current, str) else None, _times(nodes)
    )
    talk = Conversation(
        id=id_of(record, "conversation_id", "id"),
        title=label_of(record.get("title")),
        model=label_of(record.get("default_model_slug")),
        gizmo=label_of(record.get("gizmo_id")),
    )
    begun = readable_time(record.get("create_time"), timezone)
    if branches:
        off_line = frozenset(others)
        order = whole_tree(parents)
        yield from _items(order, nodes, talk, begun, timezone, off_line)
        return
    yield from _items(line, nodes, talk, begun, timezone, frozenset())
    for key in others:
        if nodes[key].message is not None:
            yield Item(f"{talk.id}/{nodes[key].place}", skipped="another branch")


def _items(
    keys: list[str],
    nodes: Mapping[str, _Node],
    talk: Conversation,
    begun: datetime | str | None,
    timezone: str | None,
    off_line: frozenset[str],
) -> Iterator[Item]:
    """Items of messages in order. One without a time has that of the one before it."""
    last = begun
    for key in keys:
        node = nodes[key]
        if node.message is None:
            continue
        if is_record(node.message):
            last = readable_time(node.message.get("create_time"), timezone) or last
        place = Place(f"{talk.id}/{node.place}", last, other_branch=key in off_line)
        yield item_of(node.message, talk, place)


def _nodes(mapping: dict[str, Any]) -> dict[str, _Node]:
    """The nodes by their key; a parent is taken from the children's lists where it is missing."""
    above: dict[str, str] = {}
    for key, node in mapping.items():
        children = node.get("children") if is_record(node) else None
        for child in children if isinstance(children, list) else ():
            if isinstance(child, str):
                above.setdefault(child, key)
    return {key: _node(key, node, above.get(key)) for key, node in mapping.items()}


def _node(key: str, node: object, above: str | None) -> _Node:
    place = label_of(key) or "unnamed"
    if not is_record(node):
        return _Node(above, node, place)
    parent = node.get("parent")
    return _Node(parent if isinstance(parent, str) else above, node.get("message"), place)


def _times(nodes: Mapping[str, _Node]) -> dict[str, float]:
    found: dict[str, float] = {}
    for key, node in nodes.items():
        time = node.message.get("create_time") if is_record(node.message) else None
        moment = readable_time(time, "UTC")
        if isinstance(moment, datetime):
            found[key] = moment.timestamp()
    return found
