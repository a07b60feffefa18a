"""Drafts from what callers hand over."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

from mnemic.model.errors import InvalidInput
from mnemic.model.trace import Draft

_FIELDS = tuple(field.name for field in fields(Draft))


def drafts_from(items: Iterable[Draft | Mapping[str, Any] | str]) -> list[Draft]:
    """A draft for each item: a draft itself, a mapping with a draft's fields, or plain text."""
    if isinstance(items, str | bytes | Mapping):
        raise InvalidInput(f"items must be several, not one {type(items).__name__}")
    if not isinstance(items, Iterable):
        raise InvalidInput(f"items must be a list of drafts or texts, not {items!r}")
    return [_draft(number, item) for number, item in enumerate(items)]


def _draft(number: int, item: object) -> Draft:
    if isinstance(item, Draft):
        return item
    if isinstance(item, str):
        return Draft(item)
    if not isinstance(item, Mapping):
        raise InvalidInput(
            f"item {number} must be a Draft, a mapping or a text, not {type(item).__name__}"
        )
    unknown = [key for key in item if key not in _FIELDS]
    if unknown:
        raise InvalidInput(
            f"item {number} has the unknown field {unknown[0]!r}; known are: {', '.join(_FIELDS)}"
        )
    if "content" not in item:
        raise InvalidInput(f"item {number} has no content")
    return Draft(**item)
