"""Read Letta's agent file (.af): the blocks of its memory, its archive, its files, its messages.

What the agent may do is in the file too: tools with their code, servers, variables with secrets.
None of it is ever looked at. Older files hold one agent, newer ones lists of agents and blocks.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from mnemic.errors import ImportFormatError
from mnemic.exchange.chats.fields import (
    id_of,
    label_of,
    labels_of,
    pieces,
    present,
    readable_time,
    text_of,
)
from mnemic.exchange.chats.letta_message import FORMAT, Agent, items_of
from mnemic.exchange.chats.parts import ANY_JSON, MAX_GATHERED, Part, Wanted, each_part
from mnemic.exchange.common import Item, guarded, is_record, shown, zone_of
from mnemic.exchange.json_stream import MAX_ELEMENT, elements
from mnemic.model.origin import SourceType
from mnemic.model.times import TimeLike
from mnemic.model.trace import Draft, TraceType

_WANTED = Wanted(re.compile(r".*\.af", re.IGNORECASE | re.DOTALL), ANY_JSON, "agent file (.af)")
_BLOCKS = ("blocks", "core_memory", "memory_blocks")
_PASSAGES = ("archival_memory", "archival_passages", "passages")
_READ = ("agents", "files", "messages", *_BLOCKS, *_PASSAGES)


def read(path: str | Path, *, timezone: str | None = None) -> Iterator[Item]:
    """Items of the agent file, in its order; `where` is "<agent>/<message>" or "block <label>".

    Raises:
        ImportFormatError: the file as a whole cannot be read, or holds no agent.
    """
    zone_of(timezone)

    def of_part(part: Part) -> Iterator[Item]:
        with part.open() as stream:
            yield from _file(_members(stream, part.told), part.told, timezone)

    yield from each_part(path, _WANTED, of_part)


def _members(stream: IO[bytes], name: str) -> Iterator[tuple[str | None, Any]]:
    """The members of the file; some tools write it as JSON within a JSON text."""
    start = stream.peek(16) if isinstance(stream, io.BufferedReader) else b""
    if start.lstrip(b" \t\r\n\xef\xbb\xbf").startswith(b'"'):
        inner = _unquoted(stream, name)
        return elements(io.BytesIO(inner.encode("utf-8", "surrogatepass")), name)
    return elements(stream, name)


def _unquoted(stream: IO[bytes], name: str) -> str:
    raw = guarded(name, lambda: stream.read(MAX_ELEMENT + 1))
    if len(raw) > MAX_ELEMENT:
        raise ImportFormatError(f"{name} is one text of more than {MAX_ELEMENT:,} bytes")
    try:
        text = json.loads(raw.decode("utf-8-sig"))
    except ValueError as error:
        raise ImportFormatError(f"{name} is not JSON: {error}") from None
    return text if isinstance(text, str) else ""


def _file(
    members: Iterator[tuple[str | None, Any]], name: str, timezone: str | None
) -> Iterator[Item]:
    """The agents are held until the end: which of them a block belongs to comes after it."""
    held: dict[str, list[Any]] = {key: [] for key in _READ}
    alone: dict[str, Any] = {}
    for number, (key, value) in enumerate(members):
        if number == MAX_GATHERED:
            raise ImportFormatError(f"{name} has too many elements for one agent file")
        if key in held:
            held[key].append(value)
        elif key is not None and not isinstance(value, list | dict):
            alone[key] = value
    if not (held["agents"] or any(held[key] for key in _BLOCKS) or held["messages"]):
        raise ImportFormatError(f"{name} holds no agent: it has no 'agents' and no blocks")
    if held["messages"] or held["core_memory"]:  # the older form: the file is the agent
        agents = [alone | held]
    else:
        agents = held["agents"]
        yield from _memory(held, _owner(agents), timezone)
    for number, agent in enumerate(agents, 1):
        if is_record(agent):
            yield from _agent(agent, timezone)
        else:
            yield Item(f"agent {number}", error=f"an agent must be an object, not {shown(agent)}")


def _owner(agents: list[Any]) -> str:
    """The one agent whose memory this is, or the file where there are several."""
    names = [_name(agent) for agent in agents if is_record(agent)]
    return names[0] if len(names) == 1 else "shared"


def _name(agent: dict[str, Any]) -> str:
    return id_of(agent, "name", "id")


def _agent(record: dict[str, Any], timezone: str | None) -> Iterator[Item]:
    name = _name(record)
    yield from _memory(record, name, timezone)
    agent = Agent(name, text_of(record.get("agent_type")))
    messages = record.get("messages")
    for number, message in enumerate(messages if isinstance(messages, list) else (), 1):
        yield from items_of(message, number, agent, timezone)


def _memory(record: dict[str, Any], agent: str, timezone: str | None) -> Iterator[Item]:
    """The blocks, the archive and the files that a record holds, whatever they are called."""
    for key in _BLOCKS:
        for number, block in enumerate(_list(record, key), 1):
            yield from _block(block, number, agent, timezone)
    for key in _PASSAGES:
        for number, passage in enumerate(_list(record, key), 1):
            yield from _passage(passage, number, agent, timezone)
    for number, file in enumerate(_list(record, "files"), 1):
        yield from _document(file, number, agent, timezone)


def _list(record: dict[str, Any], key: str) -> list[Any]:
    value = record.get(key)
    return value if isinstance(value, list) else []


def _block(block: Any, number: int, agent: str, timezone: str | None) -> Iterator[Item]:
    if not is_record(block):
        yield Item(f"{agent}/block {number}", error=f"a block must be an object: {shown(block)}")
        return
    label = label_of(block.get("label")) or str(number)
    tags = labels_of([label])
    time = readable_time(block.get("updated_at") or block.get("created_at"), timezone)
    details = present(description=label_of(block.get("description"), 500))
    text = text_of(block.get("value"))
    source = SourceType.AGENT_INFERENCE
    yield from _filed(text, f"{agent}/block {label}", agent, source, tags, details, time)


def _passage(passage: Any, number: int, agent: str, timezone: str | None) -> Iterator[Item]:
    where = f"{agent}/passage {number}"
    if not is_record(passage):
        yield Item(where, error=f"a passage must be an object, not {shown(passage)}")
        return
    tags = ("archival", *labels_of(passage.get("tags") or ()))
    time = readable_time(passage.get("created_at"), timezone)
    text = text_of(passage.get("text")) or text_of(passage.get("content"))
    yield from _filed(text, where, agent, SourceType.AGENT_INFERENCE, tags, {}, time)


def _document(file: Any, number: int, agent: str, timezone: str | None) -> Iterator[Item]:
    where = f"{agent}/file {number}"
    if not is_record(file):
        yield Item(where, error=f"a file must be an object, not {shown(file)}")
        return
    time = readable_time(file.get("created_at"), timezone)
    details = present(file=label_of(file.get("file_name")) or label_of(file.get("name")))
    text, source = text_of(file.get("content")), SourceType.RETRIEVED_DOCUMENT
    yield from _filed(text, where, agent, source, ("document",), details, time)


def _filed(
    text: str,
    where: str,
    agent: str,
    source: SourceType,
    tags: tuple[str, ...],
    details: dict[str, Any],
    time: TimeLike | None,
) -> Iterator[Item]:
    found = list(pieces(text))
    for number, piece in enumerate(found, 1):
        part = number if len(found) > 1 else None
        draft = Draft(
            piece,
            type=TraceType.SEMANTIC,
            tags=tags,
            metadata={**details, **present(part=part)},
            time=time,
            source=source,
            source_id=f"{FORMAT}:{agent}",
            replay=True,
        )
        yield Item(where if part is None else f"{where}/part {part}", draft=draft)
    if not found:
        yield Item(where, skipped="no text")
