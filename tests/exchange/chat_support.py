"""What the tests of the chat readers share."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from mnemic.encode.resolve import Resolved, resolve
from mnemic.exchange.common import Item
from mnemic.model.origin import Channel
from mnemic.model.scope import Principal
from mnemic.model.trace import Draft
from mnemic.settings import Settings

READER = Principal(user="ines", channel=Channel.IMPORT)
NOW = 1_800_000_000_000


def put(path: Path, value: object) -> Path:
    """A JSON file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def zipped(path: Path, entries: Mapping[str, object]) -> Path:
    """An archive; what is no text or bytes is put into it as JSON."""
    path.write_bytes(zip_bytes(entries))
    return path


def zip_bytes(entries: Mapping[str, object]) -> bytes:
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, value in entries.items():
            data = value if isinstance(value, str | bytes) else json.dumps(value)
            archive.writestr(name, data)
    return raw.getvalue()


def drafts(items: Iterable[Item]) -> list[Draft]:
    """The drafts among the items, each of which the brain would take as it is."""
    found = [item.draft for item in items if item.draft is not None]
    for draft in found:
        taken(draft)
        assert draft.replay
    return found


def taken(draft: Draft) -> Resolved:
    """The draft as the brain completes it; InvalidInput when it refuses."""
    return resolve(draft, READER, Settings(), NOW)


def contents(items: Iterable[Item]) -> list[str]:
    return [draft.content for draft in drafts(items)]


def skipped(items: Iterable[Item]) -> dict[str, str]:
    return {item.where: item.skipped for item in items if item.skipped is not None}


def errors(items: Iterable[Item]) -> dict[str, str]:
    return {item.where: item.error for item in items if item.error is not None}


def only(items: Iterable[Item]) -> Any:
    """The one draft among the items."""
    (found,) = drafts(items)
    return found
