"""What every import reader shares: the item it yields, and how a file is opened.

A reader never writes. It turns a path into `Item`s, one a message, and an item that cannot be
read says why instead of stopping the file. Only a file that cannot be read at all raises.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import sys
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import IO, Any, TypeGuard, TypeVar, cast

from mnemic.errors import ImportFormatError, InvalidInput
from mnemic.model.origin import Role, SourceType
from mnemic.model.scope import Scope
from mnemic.model.times import zone
from mnemic.model.trace import Draft, one_of

MAX_FILE_BYTES = 1 << 30
"""Largest file read whole, after decompression (1 GiB): also the guard against a zip bomb."""

MAX_LINE_BYTES = 16 << 20
"""Longest line of a file read line by line (16 MiB)."""

_PACKED_BYTES = 2_048
"""Read of a zstandard file at once: unpacked, 64 MiB at the very most."""

_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_GZIP_MAGIC = b"\x1f\x8b"
_UTF8_BOM = b"\xef\xbb\xbf"
_UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class NoteOf:
    """That an item is the note which an export wrote of a trace.

    Args:
        trace_id: the trace.
        edited: whether its text is not the one that was exported.
        exported: the hash of the text that was exported.
    """

    trace_id: str
    edited: bool
    exported: str


@dataclass(frozen=True, slots=True)
class Item:
    """One thing of a file: its place there, and what becomes of it.

    One of three: a draft to be stored, an error, or why it is no memory and passed over.

    Args:
        where: its place in the file.
        draft: what is to be stored.
        error: what was wrong with it.
        skipped: why it is no memory, as a short phrase, such as "tool output": those of a file
            are counted by it.
        note: of which trace it is the note; None for all that is no note of ours.
        home: the scope that the file says it belongs to, and its id in written form, empty where
            none is named.
    """

    where: str
    draft: Draft | None = None
    error: str | None = None
    skipped: str | None = None
    home: tuple[Scope, str] | None = None
    note: NoteOf | None = None


def open_bytes(path: str | Path) -> IO[bytes]:
    """The decompressed bytes of `path`; zstandard and gzip are recognised by their first bytes.

    Raises ImportFormatError when there is no such file, it is a folder, or it may not be read.
    """
    file = Path(path)
    try:
        if file.is_dir():
            raise ImportFormatError(f"{file} is a folder: give the file to read")
        raw = file.open("rb")
    except FileNotFoundError:
        raise ImportFormatError(f"no such file: {file}") from None
    except (OSError, ValueError) as exc:  # ValueError: a NUL in the path
        raise ImportFormatError(f"{str(file)!r} cannot be opened: {exc}") from exc
    magic = raw.read(4)
    raw.seek(0)
    if magic == _ZSTD_MAGIC:
        return _open_zstd(raw, file)
    if magic.startswith(_GZIP_MAGIC):
        raw.close()
        return cast("IO[bytes]", gzip.open(file, "rb"))
    return raw


def _open_zstd(raw: IO[bytes], file: Path) -> IO[bytes]:
    try:
        import zstandard
    except ImportError:
        raw.close()
        raise ImportFormatError(
            f"{file} is compressed with zstandard, which is not installed: "
            "pip install 'mnemic[bench]', or decompress the file first"
        ) from None
    return io.BufferedReader(_Frames(raw, zstandard.ZstdDecompressor().decompressobj))


class _Frames(io.RawIOBase):
    """The text of zstandard frames, one after the other.

    The package's own reader does not tell when the last one is cut short.

    Args:
        packed: the file; closed with this one.
        begin: makes the decompressor of a frame.
    """

    def __init__(self, packed: IO[bytes], begin: Callable[[], Any]) -> None:
        self._packed = packed
        self._begin = begin
        self._frame: Any = None
        self._text = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill `buffer` as far as there is text. Raises EOFError within a frame."""
        while not self._text:
            packed = self._packed.read(_PACKED_BYTES)
            if not packed:
                if self._frame is not None:
                    raise EOFError("the file ends within a zstandard frame")
                return 0
            self._text = memoryview(self._unpack(packed))
        size = min(len(buffer), len(self._text))
        buffer[:size] = self._text[:size]
        self._text = self._text[size:]
        return size

    def _unpack(self, packed: bytes) -> bytes:
        parts = []
        while packed:
            if self._frame is None:
                self._frame = self._begin()
            parts.append(self._frame.decompress(packed))
            packed = self._frame.unused_data
            if self._frame.eof:
                self._frame = None
        return b"".join(parts)

    def close(self) -> None:
        self._packed.close()
        super().close()


def guarded(file: str | Path, read: Callable[[], _T]) -> _T:
    """`read()`, with whatever a broken or truncated file raises told as ImportFormatError."""
    try:
        return read()
    except _broken() as exc:
        raise ImportFormatError(f"{file} cannot be read to its end: {exc}") from exc


def _broken() -> tuple[type[Exception], ...]:
    known: tuple[type[Exception], ...] = (OSError, EOFError, zlib.error)
    zstandard = sys.modules.get("zstandard")  # an optional package, loaded if it is in use
    return known if zstandard is None else (*known, zstandard.ZstdError)


def read_head(path: str | Path, size: int) -> tuple[str, bool]:
    """The first `size` bytes of the file as text, and whether that is all of it.

    A character cut in two at the end is left out.
    """
    with open_bytes(path) as stream:
        raw = guarded(path, lambda: stream.read(size + 1))
    whole = len(raw) <= size
    return _decode(raw[:size], path, whole=whole), whole


def open_text(path: str | Path, *, limit: int = MAX_FILE_BYTES) -> str:
    """The whole file as text: decompressed, UTF-8, without its byte order mark.

    Raises ImportFormatError above `limit` bytes and for what is not UTF-8.
    """
    with open_bytes(path) as stream:
        raw = guarded(path, lambda: stream.read(limit + 1))
    if len(raw) > limit:
        raise ImportFormatError(
            f"{path} holds more than {limit:,} bytes once decompressed: split it into parts"
        )
    return _decode(raw, path, whole=True)


def load_json(path: str | Path, *, limit: int = MAX_FILE_BYTES) -> Any:
    """The JSON value in the file. Raises ImportFormatError with the line and column at fault."""
    text = open_text(path, limit=limit)
    try:
        return json.loads(text)
    except json.JSONDecodeError as exc:
        raise ImportFormatError(
            f"{path} is not JSON: {exc.msg} at line {exc.lineno}, column {exc.colno}"
        ) from None
    except (ValueError, RecursionError) as exc:
        raise ImportFormatError(f"{path} cannot be read as JSON: {exc}") from None


def numbered_lines(path: str | Path) -> Iterator[tuple[int, bytes | None]]:
    """Lines of the file from 1 on, without their ends; None for one above MAX_LINE_BYTES."""
    with open_bytes(path) as stream:
        number = 0
        while line := guarded(path, lambda: stream.readline(MAX_LINE_BYTES + 1)):
            number += 1
            if number == 1:
                _refuse_utf16(line, path)
                line = line.removeprefix(_UTF8_BOM)
            if len(line) > MAX_LINE_BYTES and not line.endswith(b"\n"):
                _skip_line(path, stream)
                yield number, None
            else:
                yield number, line.rstrip(b"\r\n")


def _skip_line(path: str | Path, stream: IO[bytes]) -> None:
    while part := guarded(path, lambda: stream.readline(MAX_LINE_BYTES)):
        if part.endswith(b"\n"):
            return


def _refuse_utf16(raw: bytes, path: str | Path) -> None:
    if raw.startswith(_UTF16_BOMS):
        raise ImportFormatError(f"{path} is UTF-16 text: save it as UTF-8")


def _decode(raw: bytes, path: str | Path, *, whole: bool) -> str:
    _refuse_utf16(raw, path)
    raw = raw.removeprefix(_UTF8_BOM)
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as exc:
        if not whole and exc.start >= len(raw) - 3:  # the cut went through a character
            return raw[: exc.start].decode("utf-8")
        raise ImportFormatError(
            f"{path} is not UTF-8 text: byte {exc.start:,} is 0x{raw[exc.start]:02x}"
        ) from None


def json_object(raw: bytes | str) -> dict[str, Any]:
    """The JSON object in a text. Raises InvalidInput with what is wrong."""
    try:
        value = json.loads(raw if isinstance(raw, str) else raw.decode("utf-8"))
    except UnicodeDecodeError as exc:
        raise InvalidInput(f"not UTF-8 text: byte {exc.start} is 0x{raw[exc.start]:02x}") from None
    except json.JSONDecodeError as exc:
        raise InvalidInput(f"not JSON: {exc.msg} at column {exc.colno}") from None
    except (ValueError, RecursionError) as exc:
        raise InvalidInput(f"not readable as JSON: {exc}") from None
    if not isinstance(value, dict):
        raise InvalidInput(f"expected an object, not {shown(value)}")
    return value


def zone_of(timezone: str | None) -> tzinfo | None:
    """The zone of a name such as "Europe/Lisbon"; None stays None. Raises InvalidInput."""
    return None if timezone is None else zone(timezone)


_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def month_number(name: str) -> int:
    """1 to 12 for an English month, by its first three letters; 0 for another word."""
    key = name[:3].lower()
    return _MONTHS.index(key) + 1 if key in _MONTHS else 0


def moment(
    day: tuple[int, int, int], clock: tuple[int, int], zone: tzinfo | None
) -> datetime | None:
    """The writer's year, month, day, hour and minute in `zone` (None: UTC) as an instant in UTC.

    None when the calendar has no such day or the clock no such hour.
    """
    try:
        return datetime(*day, *clock, tzinfo=zone or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def source_of(role: Role | None) -> SourceType:
    """Where a message came from, by who spoke it.

    A system message in somebody's file is not our configuration, so it counts as external.
    """
    match role:
        case Role.ASSISTANT:
            return SourceType.AGENT_INFERENCE
        case Role.TOOL:
            return SourceType.TOOL_RESULT
        case Role.SYSTEM:
            return SourceType.EXTERNAL
        case _:
            return SourceType.USER_STATEMENT


def message(where: str, content: object, role: object, thread: str, time: datetime | None) -> Item:
    """The item of a message in a chat with an assistant, once its text and role are sound."""
    if not isinstance(content, str) or not content.strip():
        return Item(where, error=f"the turn has no text: {shown(content)}")
    try:
        spoken_by = one_of(Role, "role", role)
    except InvalidInput as exc:
        return Item(where, error=str(exc))
    draft = Draft(
        content,
        role=spoken_by,
        thread=thread,
        time=time,
        source=source_of(spoken_by),
        replay=True,
    )
    return Item(where, draft=draft)


def shown(value: object, width: int = 60) -> str:
    """A value for an error message: its repr, cut to `width` characters."""
    text = repr(value)
    return text if len(text) <= width else text[: width - 1] + "…"


def is_record(value: object) -> TypeGuard[dict[str, Any]]:
    """Whether a JSON value is an object."""
    return isinstance(value, dict)


_CLOCK = re.compile(r"\b(\d{1,2}):(\d{2})\s*([ap])\.?m\b", re.IGNORECASE)


def clock_12h(text: str) -> tuple[int, int]:
    """Hour and minute of "1:56 pm" in `text`; (0, 0) when it holds none."""
    found = _CLOCK.search(text)
    if not found:
        return 0, 0
    return int(found[1]) % 12 + (12 if found[3].lower() == "p" else 0), int(found[2])
