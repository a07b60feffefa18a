"""Read Claude.ai's export: conversations.json, projects.json, memories.json, or the archive.

What a record is, is told by its keys and not by the name of its file, since the export has been
split in several ways over time. A message is a list of blocks, of which the text is what was said;
older ones have a bare text. Documents of a project are not the words of the user.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from mnemic.exchange.chats.branches import active_line
from mnemic.exchange.chats.claude_message import FORMAT, Conversation, items_of
from mnemic.exchange.chats.fields import id_of, label_of, pieces, present, readable_time, text_of
from mnemic.exchange.chats.parts import ANY_JSON, Part, Wanted, each_part, records
from mnemic.exchange.common import Item, is_record, shown, zone_of
from mnemic.model.origin import Role, SourceType
from mnemic.model.times import TimeLike
from mnemic.model.trace import Draft, TraceType

MARKER = "chat_messages"
"""The key that every conversation has."""

_WANTED = Wanted(ANY_JSON, ANY_JSON, "JSON file")
_LISTS = (MARKER, "docs")
_ACCOUNT = frozenset({"email_address", "full_name", "verified_phone_number"})


def read(path: str | Path, *, timezone: str | None = None) -> Iterator[Item]:
    """Items of the file, archive or folder, in order; `where` is "<conversation>/<message>".

    Args:
        path: conversations.json, a single conversation, projects.json, memories.json, the archive
            as it was downloaded, or a folder of these.
        timezone: the zone of times that carry none.

    Raises:
        ImportFormatError: the file as a whole cannot be read.
    """
    zone_of(timezone)

    def of_part(part: Part) -> Iterator[Item]:
        for number, record in enumerate(records(part, MARKER, _LISTS), 1):
            where = f"{part.name}/{number}"
            yield from _record(record, where, timezone)

    yield from each_part(path, _WANTED, of_part)


def _record(record: object, where: str, timezone: str | None) -> Iterator[Item]:
    if not is_record(record):
        yield Item(where, error=f"a record must be an object, not {shown(record)}")
    elif isinstance(record.get(MARKER), list):
        yield from _conversation(record, timezone)
    elif "conversations_memory" in record or "project_memories" in record:
        yield from _memories(record, where)
    elif "docs" in record or "prompt_template" in record:
        yield from _project(record, where, timezone)
    elif _ACCOUNT & record.keys():
        yield Item(where, skipped="account data")
    else:
        yield Item(where, error=f"it is no conversation, project or memory: {shown(record)}")


def _conversation(record: dict[str, Any], timezone: str | None) -> Iterator[Item]:
    talk = Conversation(
        id=id_of(record, "uuid", "id"),
        title=label_of(record.get("name")),
        model=label_of(record.get("model")),
    )
    last: TimeLike | None = readable_time(record.get("created_at"), timezone)
    messages = record[MARKER]
    off_line = _off_line(messages, record.get("current_leaf_message_uuid"))
    for number, message in enumerate(messages, 1):
        if not is_record(message):
            where = f"{talk.id}/{number}"
            yield Item(where, error=f"a message must be an object, not {shown(message)}")
            continue
        where = f"{talk.id}/{label_of(message.get('uuid')) or number}"
        last = readable_time(message.get("created_at"), timezone) or last
        if number in off_line:
            yield Item(where, skipped="another branch")
        else:
            yield from items_of(message, where, talk, last)


def _off_line(messages: list[Any], leaf: object) -> frozenset[int]:
    """The numbers of the messages on a branch that was left, where the export tells of any."""
    keys = {
        message["uuid"]: number
        for number, message in enumerate(messages, 1)
        if is_record(message) and isinstance(message.get("uuid"), str)
    }
    if not isinstance(leaf, str) or leaf not in keys:
        return frozenset()
    above = {key: messages[number - 1].get("parent_message_uuid") for key, number in keys.items()}
    parents = {key: value if isinstance(value, str) else None for key, value in above.items()}
    _, others = active_line(parents, leaf, {})
    return frozenset(keys[key] for key in others)


def _memories(record: dict[str, Any], where: str) -> Iterator[Item]:
    """What the assistant keeps of the user: of all conversations, and of each project."""
    given = {"conversations": record.get("conversations_memory")}
    projects = record.get("project_memories")
    given.update(projects if is_record(projects) else {})
    for name, text in given.items():
        label = label_of(name, 100)
        draft = _semantic("saved memory", Role.ASSISTANT, SourceType.AGENT_INFERENCE, label)
        yield from _texts(text, f"{where}/{label}", draft, "")
    if files := record.get("memory_files"):
        yield Item(f"{where}/memory_files", error=f"this form is not known: {shown(files)}")


def _project(record: dict[str, Any], where: str, timezone: str | None) -> Iterator[Item]:
    name, key = label_of(record.get("name")), id_of(record, "uuid", "id")
    time = readable_time(record.get("created_at"), timezone)
    asked = _semantic("custom instructions", Role.USER, SourceType.USER_STATEMENT, key)
    about = _semantic("project", Role.USER, SourceType.USER_STATEMENT, key)
    document = _semantic("document", None, SourceType.RETRIEVED_DOCUMENT, key)
    yield from _texts(record.get("description"), f"{where}/description", about, name, time)
    yield from _texts(record.get("prompt_template"), f"{where}/instructions", asked, name, time)
    docs = record.get("docs")
    for number, doc in enumerate(docs if isinstance(docs, list) else (), 1):
        place = f"{where}/document {number}"
        if not is_record(doc):
            yield Item(place, error=f"a document must be an object, not {shown(doc)}")
            continue
        file = label_of(doc.get("filename") or doc.get("file_name"))
        dated = readable_time(doc.get("created_at"), timezone) or time
        if text_of(doc.get("content")).strip():
            yield from _texts(doc["content"], place, document, name, dated, file)
        else:
            yield Item(place, skipped="attachment")


def _semantic(tag: str, role: Role | None, source: SourceType, key: str) -> Draft:
    """A draft to be filled in, of the record with this id."""
    return Draft(
        "",
        type=TraceType.SEMANTIC,
        tags=(tag,),
        role=role,
        source=source,
        source_id=f"{FORMAT}:{key}",
        replay=True,
    )


def _texts(
    text: object,
    where: str,
    draft: Draft,
    title: str,
    time: TimeLike | None = None,
    file: str = "",
) -> Iterator[Item]:
    """The items of a text: one, or several where it is longer than a draft should be."""
    if text is None:
        return
    if not isinstance(text, str):
        yield Item(where, error=f"a text is expected, not {shown(text)}")
        return
    found = list(pieces(text_of(text)))
    for number, piece in enumerate(found, 1):
        part = number if len(found) > 1 else None
        metadata = present(title=title, file=file, part=part)
        place = where if part is None else f"{where}/part {part}"
        yield Item(place, draft=replace(draft, content=piece, time=time, metadata=metadata))
    if not found:
        yield Item(where, skipped="no text")
