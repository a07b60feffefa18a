"""Recognise exports of other programs by how they begin, in a file, an archive or a folder.

Two programs call their file conversations.json, so a name decides nothing. Of JSON only the keys
of the first records are looked at, as far as a limited beginning shows them: a first record of
many megabytes need not be decoded for it.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import IO

from mnemic.errors import ImportFormatError
from mnemic.exchange.archives import checked_path, is_zip, opened
from mnemic.exchange.common import guarded, open_bytes

HEAD_BYTES = 1 << 18
"""How much of a file is looked at."""

MAX_FILES = 200
"""How many files of an archive or a folder are looked at."""

MAX_NAMES = 20_000
"""How many names of a folder are gone through to choose them."""

_SUFFIXES = ((".zip", ".af", ".json"), (".md", ".markdown"), (".csv", ".tsv"))
"""By what they say: a chat export may hold tables and notes that somebody sent."""

# A string that is cut off counts as one: or else each quote in it would be tried as a beginning.
_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)|[{}\[\]:,]', re.DOTALL)
_DEPTH = 4
_RECORDS = ((), ("[]",), ("conversations", "[]"))
_CLAUDE_KEYS = ("chat_messages", "prompt_template", "conversations_memory", "project_memories")
_MEM0_LISTS = ((), ("results",), ("memories",))
_MEM0_OTHERS = ("id", "user_id", "agent_id", "run_id", "hash", "created_at", "categories")
_ZEP_KEYS = (
    ("facts", "[]", "fact"),
    ("edges", "[]", "fact"),
    ("entity_edges", "[]", "fact"),
    ("edges", "[]", "source_node_uuid"),
    ("messages", "[]", "role_type"),
    ("sessions", "[]", "session_id"),
    ("threads", "[]", "thread_id"),
    ("episodes", "[]", "episode_body"),
    ("[]", "fact"),
    ("[]", "role_type"),
    ("[]", "source_node_uuid"),
)
_LETTA_KEYS = ("agent_type", "block_ids", "core_memory", "memory_blocks", "in_context_message_ids")

Keys = frozenset[tuple[str, ...]]
"""The keys of a JSON text, each with those above it; "[]" stands for any element of an array."""


def kind_of(path: str | Path) -> str | None:
    """The format of an export, or None for what is none that is known here.

    One of chatgpt, claude_ai, letta, mem0, zep, basic_memory and csv.

    Raises:
        ImportFormatError: there is nothing at the path, or it cannot be read.
    """
    file = checked_path(path)
    if file.is_dir():
        return _of_folder(file)
    return _of_file(file)


def _of_file(file: Path) -> str | None:
    if is_zip(file):
        return _of_zip(file)
    with open_bytes(file) as stream:
        raw = guarded(file, lambda: stream.read(HEAD_BYTES))
    return kind_of_text(raw)


def _of_zip(file: Path) -> str | None:
    with opened(file) as archive:
        return _first(_of_entry(archive.open(name)) for name in _candidates(archive.names))


def _of_entry(stream: IO[bytes]) -> str | None:
    with stream:
        return kind_of_text(stream.read(HEAD_BYTES))


def _of_folder(folder: Path) -> str | None:
    names = (str(Path(where, name)) for where, _, found in os.walk(folder) for name in found)
    files = (Path(name) for name in _candidates(islice(names, MAX_NAMES)))
    return _first(_or_none(one) for one in files if one.is_file() and not one.is_symlink())


def _or_none(file: Path) -> str | None:
    """The kind of one file among others: a broken one says nothing of the rest."""
    try:
        return _of_file(file)
    except ImportFormatError:
        return None


def _candidates(names: Iterable[str]) -> list[str]:
    """The names to look at, the most telling first."""
    ranked = ((_rank(name), name) for name in names)
    return [name for rank, name in sorted(ranked) if rank < len(_SUFFIXES)][:MAX_FILES]


def _rank(name: str) -> int:
    ends = enumerate(_SUFFIXES)
    return next((rank for rank, end in ends if name.lower().endswith(end)), len(_SUFFIXES))


def _first(kinds: Iterable[str | None]) -> str | None:
    return next((kind for kind in kinds if kind is not None), None)


def kind_of_text(raw: bytes) -> str | None:
    """The format of a text by its beginning, which may be cut off anywhere."""
    text = raw.decode("utf-8-sig", "ignore").lstrip()
    if text.startswith('"'):  # some tools write an agent file as JSON within a JSON text
        text = _unquoted(text)
    if text.startswith(("{", "[")):
        return _of_keys(keys_of(text))
    if _is_csv(text.partition("\n")[0].removesuffix("\r")):
        return "csv"
    return "basic_memory" if _is_note(text) else None


def _unquoted(text: str) -> str:
    """The text within a JSON text, which may be cut off within an escape."""
    for cut in range(7):
        try:
            value = json.loads(text[: len(text) - cut].removesuffix('"') + '"')
        except ValueError:
            continue
        return str(value)
    return ""


def keys_of(text: str) -> Keys:
    """The keys down to a few levels, as far as the text goes."""
    found: set[tuple[str, ...]] = set()
    path: list[str] = []
    last = ""
    for token in (match[0] for match in _TOKEN.finditer(text)):
        if token[0] == '"':
            last = token[1:-1]
        elif token == ":" and path and path[-1] != "[]":
            path[-1] = last
            if len(path) <= _DEPTH:
                found.add(tuple(path))
        elif token == "{":
            path.append("")
        elif token == "[":
            path.append("[]")
        elif token in "}]" and path:
            path.pop()
        if not path:  # the first value of the text has ended
            break
    return frozenset(found)


def _of_keys(keys: Keys) -> str | None:
    if _is_record_with(keys, "mapping"):
        return "chatgpt"
    if any(_is_record_with(keys, name) for name in _CLAUDE_KEYS):
        return "claude_ai"
    if _is_record_with(keys, "docs") and _is_record_with(keys, "is_private"):
        return "claude_ai"
    if any(_under(keys, ("agents", "[]"), key) or (key,) in keys for key in _LETTA_KEYS):
        return "letta"
    if any(key in keys for key in _ZEP_KEYS):
        return "zep"
    return "mem0" if _is_mem0(keys) else None


def _is_record_with(keys: Keys, name: str) -> bool:
    """Whether a record has the key: one alone, one of an array, or one of "conversations"."""
    return any(_under(keys, above, name) for above in _RECORDS)


def _under(keys: Keys, above: tuple[str, ...], name: str) -> bool:
    return (*above, name) in keys


def _is_mem0(keys: Keys) -> bool:
    for above in _MEM0_LISTS:
        record = (*above, "[]")
        if _under(keys, record, "memory"):
            return any(_under(keys, record, other) for other in _MEM0_OTHERS)
    return False


# The readers are loaded when a file could be theirs: this module is loaded at every start.


def _is_csv(line: str) -> bool:
    from mnemic.exchange.plain.csv_rows import header_of

    return header_of(line) is not None


def _is_note(text: str) -> bool:
    """Whether it is a note as Basic Memory writes it, and not just any Markdown."""
    from mnemic.exchange.chats.basic_memory import OBSERVATION, RELATION
    from mnemic.exchange.chats.front_matter import split

    front, body, _ = split(text.replace("\r\n", "\n"))
    lines = body.split("\n")
    observed = any(OBSERVATION.fullmatch(line) for line in lines)
    related = any(RELATION.fullmatch(line) for line in lines)
    return (observed and related) or ("permalink" in front and (observed or related))
