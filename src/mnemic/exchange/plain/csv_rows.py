"""Read memories from a CSV file: one a row, named by a header row with the column `content`.

Quotes as in RFC 4180, so a quoted field may hold line ends and, doubled, quotes. The delimiter is
the comma, semicolon or tab that the header is written with. The file is streamed. A row that
cannot be used is told and the rest goes on; a quote that is never closed is told with its line,
and reading goes on with the line after it, so that one stray quote does not swallow the file.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from mnemic.errors import ImportFormatError, InvalidInput
from mnemic.exchange.chats.parts import Part, Wanted, each_part
from mnemic.exchange.common import Item, guarded, shown, zone_of
from mnemic.exchange.plain.csv_memory import draft_of, home_of, is_forgotten, named

MAX_FIELD_BYTES = 16 << 20
"""Longest row that is read, with all its lines; and so the longest field."""

CONTENT = "content"

_NAMES = re.compile(r".*\.(csv|tsv)", re.IGNORECASE | re.DOTALL)
_WANTED = Wanted(_NAMES, _NAMES, "table (.csv)")
_DELIMITERS = (",", ";", "\t")
_TO_QUOTE = re.compile('[^"]*+(?:""[^"]*+)*+')
_BOM = b"\xef\xbb\xbf"


@dataclass(slots=True)
class _Row:
    """A row while it is read: the fields that are complete, and the one in quotes that is not."""

    fields: list[str] = field(default_factory=list)
    quoted: list[str] | None = None


def read(path: str | Path, *, timezone: str | None = None) -> Iterator[Item]:
    """Items of the file in its order; `where` is "line 7", the line that the row begins on.

    Of an archive or a folder with such files `where` is "<file>:line 7".

    Raises:
        ImportFormatError: the header has no `content`, or the file cannot be read or is not
            UTF-8.
    """
    zone_of(timezone)

    def of_part(part: Part) -> Iterator[Item]:
        before = "" if part.told == str(Path(path)) else f"{part.name}:"
        with part.open() as stream:
            lines = _Lines(stream, part.told)
            header, delimiter = _header(lines, part.told)
            for number, row in _rows(lines, delimiter):
                where = f"{before}line {number}"
                if isinstance(row, str):
                    yield Item(where, error=row)
                else:
                    yield _item(where, header, row, timezone)

    yield from each_part(path, _WANTED, of_part)


def header_of(line: str) -> tuple[tuple[str, ...], str] | None:
    """The columns that a first line names, and its delimiter; None when none is `content`."""
    found = []
    for delimiter in _DELIMITERS:
        row = _Row()
        if _feed(row, line, delimiter) is None and row.quoted is None:
            names = tuple(named(name) for name in row.fields)
            if CONTENT in names:
                found.append((names, delimiter))
    return max(found, key=lambda one: len(one[0]), default=None)


def _header(lines: _Lines, name: str) -> tuple[tuple[str, ...], str]:
    found = None
    for _, line in lines:
        if line is not None and line.strip():
            found = header_of(line)
            break
    if found is None:
        raise ImportFormatError(
            f"{name} has no header row with a column 'content', parted by comma, semicolon or tab"
        )
    names = found[0]
    if twice := {one for one in names if one and names.count(one) > 1}:
        raise ImportFormatError(f"{name} names the column {shown(min(twice))} twice in its header")
    return found


def _item(where: str, header: tuple[str, ...], row: list[str], timezone: str | None) -> Item:
    if len(row) != len(header):
        return Item(where, error=f"the row has {len(row)} fields and the header {len(header)}")
    cells = {name: cell for name, cell in zip(header, row, strict=True) if name}
    try:
        if is_forgotten(cells):
            return Item(where, skipped="forgotten there")
        return Item(where, draft=draft_of(cells, timezone), home=home_of(cells))
    except InvalidInput as error:
        return Item(where, error=str(error))


def _rows(lines: _Lines, delimiter: str) -> Iterator[tuple[int, list[str] | str]]:
    """The rows with the line that each begins on; a text for one that cannot be read."""
    for number, line in lines:
        if line is None:
            yield number, f"the line is longer than {MAX_FIELD_BYTES:,} bytes"
        elif line:
            yield number, _row(line, lines, delimiter)


def _row(line: str, lines: _Lines, delimiter: str) -> list[str] | str:
    """The fields of the row that begins with a line, or what is wrong with it."""
    row = _Row()
    taken: list[str | None] = []
    size = len(line)
    problem = _feed(row, line, delimiter)
    while problem is None and row.quoted is not None:
        following = next(lines, None)
        if following is not None:
            taken.append(following[1])
            size += len(following[1] or "")
        if following is None or following[1] is None or size > MAX_FIELD_BYTES:
            lines.give_back(taken)
            return "a quote that begins on this line is never closed; the next line is a new row"
        problem = _feed(row, following[1], delimiter)
    return problem or row.fields


def _feed(row: _Row, line: str, delimiter: str) -> str | None:
    """Add a line to a row. Returns what is wrong with it, if anything is."""
    at = 0
    while True:
        if row.quoted is None and line.startswith('"', at):
            row.quoted = []
            at += 1
        if row.quoted is None:
            end = line.find(delimiter, at)
            end = len(line) if end < 0 else end
            row.fields.append(line[at:end])
        else:
            end = _closing(row, row.quoted, line, at)
        if row.quoted is not None or end == len(line):
            return None
        if line[end] != delimiter:
            return f"there is text after the closing quote: {shown(line[end : end + 20])}"
        at = end + 1


def _closing(row: _Row, quoted: list[str], line: str, at: int) -> int:
    """The place after the quote that closes the field, or the end of a line that does not."""
    found = _TO_QUOTE.match(line, at)
    end = found.end() if found else at
    quoted.append(line[at:end].replace('""', '"'))
    if end == len(line):
        return end
    row.fields.append("\n".join(quoted))
    row.quoted = None
    return end + 1


class _Lines:
    """The lines of a file with their numbers, without their ends; None for one that is too long.

    Lines that turned out not to belong to a row can be given back, to be read again.
    """

    def __init__(self, stream: IO[bytes], name: str) -> None:
        self._stream = stream
        self._name = name
        self._number = 0
        self._offset = 0
        self._again: deque[str | None] = deque()

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> tuple[int, str | None]:
        line = self._again.popleft() if self._again else self._read()
        self._number += 1
        return self._number, line

    def give_back(self, lines: list[str | None]) -> None:
        """Have the last lines that were read come again."""
        self._again.extendleft(reversed(lines))
        self._number -= len(lines)

    def _read(self) -> str | None:
        raw = self._part()
        if not raw:
            raise StopIteration
        start = self._offset
        self._offset += len(raw)
        if len(raw) > MAX_FIELD_BYTES and not raw.endswith(b"\n"):
            self._skip()
            return None
        if start == 0 and raw.startswith(_BOM):
            start, raw = len(_BOM), raw[len(_BOM) :]
        return self._decoded(raw, start).removesuffix("\n").removesuffix("\r")

    def _skip(self) -> None:
        while raw := self._part():
            self._offset += len(raw)
            if raw.endswith(b"\n"):
                return

    def _part(self) -> bytes:
        return guarded(self._name, lambda: self._stream.readline(MAX_FIELD_BYTES + 1))

    def _decoded(self, raw: bytes, start: int) -> str:
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError as error:
            place = start + error.start
            wrong = raw[error.start]
        raise ImportFormatError(f"{self._name} is not UTF-8 text: byte {place:,} is 0x{wrong:02x}")
