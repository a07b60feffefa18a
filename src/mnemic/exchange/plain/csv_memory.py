"""What one row of a CSV file becomes, by the names of its columns.

The names are those that AgentOS exports: id, type, scope, scope_id, content, strength, created_at,
tags, metadata, deleted. How often and when a memory was last read there is kept in the metadata
under `agentos`, as for its other exports; so is any other column, under its own name.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NoReturn

from mnemic.errors import InvalidInput
from mnemic.exchange.chats.fields import foreign, label_of, labels_of, text_of, time_of
from mnemic.exchange.common import shown
from mnemic.model.scope import Scope, written_id
from mnemic.model.trace import Draft, TraceType, one_of

FORMAT = "csv"

_SAME = {"createdat": "created_at", "lastaccessed": "last_accessed", "scopeid": "scope_id"}
_YES = frozenset({"1", "true", "yes", "t", "y"})
_NO = frozenset({"", "0", "false", "no", "f", "n", "null"})
_KNOWN = frozenset(
    "id type scope scope_id content strength created_at last_accessed retrieval_count "
    "tags metadata deleted".split()
)


def named(header: str) -> str:
    """The name of a column as it is compared: in small letters, old spellings made one."""
    name = header.strip().casefold()
    return _SAME.get(name, name)


def is_forgotten(cells: Mapping[str, str]) -> bool:
    """Whether the row says that it was deleted. Raises InvalidInput for neither yes nor no."""
    given = cells.get("deleted", "").strip().casefold()
    if given in _YES:
        return True
    if given in _NO:
        return False
    raise InvalidInput(f"deleted {shown(given)} is neither true nor false")


def draft_of(cells: Mapping[str, str], timezone: str | None) -> Draft:
    """The draft of a row that was not deleted.

    Raises:
        InvalidInput: naming the cell, its value and what to do.
    """
    content = text_of(cells["content"])
    if not content.strip():
        raise InvalidInput(f"content is blank: {shown(content)}")
    key = label_of(cells.get("id"))
    kind = cells.get("type", "").strip().casefold()
    return Draft(
        content,
        type=one_of(TraceType, "type", kind) if kind else TraceType.EPISODIC,
        tags=_tags(cells.get("tags", "")),
        strength=_strength(cells.get("strength", "")),
        time=time_of(cells.get("created_at", "").strip(), timezone, name="created_at"),
        source_id=f"{FORMAT}:{key}" if key else None,
        replay=True,
        metadata=_metadata(cells) | _used_there(cells) | ({"imported_id": key} if key else {}),
    )


def home_of(cells: Mapping[str, str]) -> tuple[Scope, str] | None:
    """The scope that a row names, and its id in written form; None where it names neither.

    An id in the metadata goes before the one of the column, as AgentOS reads them.
    """
    kind, owner = label_of(cells.get("scope")), label_of(cells.get("scope_id"))
    text = cells.get("metadata", "").strip()
    value = _json("metadata", text) if text else None
    if isinstance(value, dict) and isinstance(value.get("scopeId"), str) and value["scopeId"]:
        owner = value["scopeId"]
    if not kind and not owner:
        return None
    scope = one_of(Scope, "scope", kind.casefold() or Scope.USER.value)
    return scope, written_id(scope, owner)


def _tags(cell: str) -> tuple[str, ...]:
    text = cell.strip()
    if text.startswith("["):
        value = _json("tags", text)
        if not isinstance(value, list) or not all(isinstance(tag, str) for tag in value):
            raise InvalidInput(f"tags {shown(text)} must be a list of texts")
        return labels_of(value, most=len(value))
    parts = text.split("|" if "|" in text else ",")
    return labels_of(parts, most=len(parts))


def _strength(cell: str) -> float | None:
    text = cell.strip()
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise InvalidInput(f"strength {shown(text)} must be a number from 0 to 1")
    return value


def _metadata(cells: Mapping[str, str]) -> dict[str, Any]:
    others = {name: text_of(cell) for name, cell in cells.items() if name not in _KNOWN and cell}
    text = cells.get("metadata", "").strip()
    if not text:
        return foreign(others)
    value = _json("metadata", text)
    if not isinstance(value, dict):
        raise InvalidInput(f"metadata {shown(text)} must be a JSON object")
    value = {name: one for name, one in value.items() if name != "scopeId"}
    return foreign(others) | foreign(value)


def _used_there(cells: Mapping[str, str]) -> dict[str, Any]:
    names = ("last_accessed", "retrieval_count")
    used = {name: text_of(cells[name]).strip() for name in names if cells.get(name, "").strip()}
    return {"agentos": used} if used else {}


def _json(name: str, text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise InvalidInput(
            f"{name} {shown(text)} is not JSON: {error.msg} at column {error.colno}"
        ) from None
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{name} {shown(text)} cannot be read as JSON: {error}") from None


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")
