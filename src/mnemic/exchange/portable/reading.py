"""Reads mnemic's JSON export back as the brain it was; whatever else is in the file is left."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import LargeBinary, Table

from mnemic.encode.restore import Placed
from mnemic.exchange.common import is_record, open_bytes, shown
from mnemic.exchange.json_stream import elements
from mnemic.exchange.portable.document import FORMAT
from mnemic.index.write import Packed
from mnemic.model.errors import ImportFormatError
from mnemic.model.scope import Scope
from mnemic.store.carried import TABLES

_LARGEST_DIMENSION = 1 << 16


def own_part(path: Path) -> dict[str, Any] | None:
    """What the file says of mnemic's own tables; None where it has none.

    Raises:
        ImportFormatError: a newer mnemic has written them.
    """
    for key, value in _members(path):
        if key == "mnemic" and is_record(value):
            if not isinstance(value.get("format"), int) or value["format"] > FORMAT:
                raise ImportFormatError(
                    f"{path} is of format {shown(value.get('format'))}, and this mnemic reads up "
                    f"to {FORMAT}; upgrade mnemic to read it"
                )
            return value
    return None


def _members(path: Path) -> Iterator[tuple[str | None, Any]]:
    with open_bytes(path) as stream:
        yield from elements(stream, str(path))


_ORDER = {f"mnemic_{table.name}": at for at, table in enumerate(TABLES)} | {
    "mnemic_entries": len(TABLES)
}
"""In which order the parts stand in the file, and are asked for."""


class Document:
    """The brain that a JSON export holds, to be read once, part by part, a row at a time.

    Args:
        path: of the file.
        brain_id: the brain it was, as its own part says.
    """

    def __init__(self, path: Path, brain_id: str) -> None:
        self._path = path
        self.brain_id = brain_id
        self._members = _members(path)
        self._next: tuple[str, Any] | None = None
        self._furthest = 0

    def rows(self, table: Table) -> Iterable[dict[str, Any]]:
        """The rows of a table."""
        key = f"mnemic_{table.name}"
        binary = [column.name for column in table.columns if isinstance(column.type, LargeBinary)]
        for number, row in enumerate(self._of(key)):
            for name in binary:
                row[name] = self._bytes(row.get(name), f"{key} {number}: {name}")
            yield row

    def entries(self) -> Iterable[Placed]:
        """The entries of the index."""
        for number, row in enumerate(self._of("mnemic_entries")):
            yield self._entry(row, f"mnemic_entries {number}")

    def _of(self, key: str) -> Iterator[dict[str, Any]]:
        """The rows of one part; what stands before it is passed by, for good."""
        while (found := self._peek()) is not None:
            name, value = found
            if _ORDER[name] > _ORDER[key]:
                return
            self._next = None
            if _ORDER[name] < _ORDER[key]:
                continue  # a part that was not asked for
            if not is_record(value):
                raise ImportFormatError(f"{self._path}: {key} holds {shown(value)}, no object")
            yield value

    def _peek(self) -> tuple[str, Any] | None:
        """The next row of mnemic's own parts."""
        while self._next is None:
            try:
                key, value = next(self._members)
            except StopIteration:
                return None
            if key is not None and key in _ORDER:
                if _ORDER[key] < self._furthest:
                    raise ImportFormatError(f"{self._path}: {key} stands behind what follows it")
                self._furthest = _ORDER[key]
                self._next = key, value
        return self._next

    def _bytes(self, value: object, where: str) -> bytes:
        try:
            return bytes.fromhex(value if isinstance(value, str) else "?")
        except ValueError:
            raise ImportFormatError(
                f"{self._path}: {where} {shown(value)} is not hexadecimal"
            ) from None

    def _entry(self, row: dict[str, Any], where: str) -> Placed:
        numbers = ("content_version", "position", "since")
        whole = all(_is_whole(row.get(name)) for name in numbers)
        texts = all(isinstance(row.get(name), str) for name in ("scope", "scope_id", "trace_id"))
        until = row.get("until")
        if not (whole and texts and (until is None or _is_whole(until))):
            raise ImportFormatError(f"{self._path}: {where} is no entry: {shown(row)}")
        if row["scope"] not in set(Scope):
            raise ImportFormatError(
                f"{self._path}: {where}: scope {shown(row['scope'])} is unknown"
            )
        return Placed(
            scope=Scope(row["scope"]),
            scope_id=row["scope_id"],
            trace_id=row["trace_id"],
            content_version=row["content_version"],
            position=row["position"],
            since=row["since"],
            until=until,
            vectors=self._packed(row, where) if "vectors" in row else None,
        )

    def _packed(self, row: dict[str, Any], where: str) -> Packed:
        model, dimension, text = row.get("model"), row.get("dimension"), row["vectors"]
        if not isinstance(model, str) or not isinstance(dimension, int):
            raise ImportFormatError(f"{self._path}: {where} names no model of its vectors")
        try:
            data = base64.b64decode(text, validate=True)
        except (TypeError, ValueError):
            data = b""
        if not 0 < dimension <= _LARGEST_DIMENSION or not data or len(data) % (dimension + 4):
            raise ImportFormatError(
                f"{self._path}: {where} holds no vectors of {dimension} dimensions"
            )
        return Packed(model, dimension, data)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 62
