"""Read the entries of a zip archive that a stranger may have packed.

Nothing is ever written to disk. An archive whose entries could climb out of a folder, are links,
are encrypted or share a name is refused as a whole, before any of it is read. How much an entry
unpacks to is counted on the bytes as they come, since the header can claim what it likes.
"""

from __future__ import annotations

import io
import lzma
import re
import stat
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from mnemic.errors import ImportFormatError
from mnemic.exchange.common import shown

MAX_MEMBER_BYTES = 4 << 30
"""Most that one entry may unpack to."""

MAX_TOTAL_BYTES = 8 << 30
"""Most that all that is read of an archive may unpack to."""

_MAGIC = (b"PK\x03\x04", b"PK\x05\x06")
_DRIVE = re.compile(r"[A-Za-z]:")
_ENCRYPTED = 0x1
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    NotImplementedError,  # a way of packing that Python does not know
    ValueError,
)


def checked_path(path: str | Path) -> Path:
    """The path, if there is a file or a folder at it.

    A pipe or a device is refused before it is opened: opening one can wait for ever.

    Raises:
        ImportFormatError: there is nothing, or neither a file nor a folder.
    """
    file = Path(path)
    try:
        mode = file.stat().st_mode
    except FileNotFoundError:
        raise ImportFormatError(f"no such file: {file}") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise ImportFormatError(f"{str(file)!r} cannot be opened: {error}") from error
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise ImportFormatError(f"{file} is a pipe or a device: give a file or a folder")
    return file


def is_zip(path: str | Path) -> bool:
    """Whether there is a file that begins as a zip archive does, whatever its name."""
    file = Path(path)
    try:
        if not file.is_file():  # not opened: a pipe would wait for its writer
            return False
        with file.open("rb") as stream:
            return stream.read(4) in _MAGIC
    except (OSError, ValueError):
        return False


def members(path: str | Path) -> tuple[str, ...]:
    """The names of the files in an archive, in its order.

    Raises:
        ImportFormatError: it cannot be read, or an entry of it is refused.
    """
    with opened(path) as archive:
        return archive.names


@contextmanager
def opened(
    path: str | Path, *, each: int | None = None, total: int | None = None
) -> Iterator[Archive]:
    """An archive to read from, closed at the end.

    Args:
        path: the file.
        each: bytes that one entry may unpack to; None is `MAX_MEMBER_BYTES`.
        total: bytes that all the reads together may unpack to; None is `MAX_TOTAL_BYTES`.

    Raises:
        ImportFormatError: it cannot be read, or an entry of it is refused.
    """
    file = checked_path(path)
    try:
        packed = zipfile.ZipFile(file)
    except _BROKEN as error:
        raise ImportFormatError(f"{file} cannot be read as a zip archive: {error}") from error
    with packed:
        most = MAX_MEMBER_BYTES if each is None else each
        yield Archive(file, packed, most, MAX_TOTAL_BYTES if total is None else total)


class Archive:
    """An open archive whose entries have all been looked at; see `opened`."""

    def __init__(self, file: Path, packed: zipfile.ZipFile, each: int, total: int) -> None:
        self._file = file
        self._packed = packed
        self._each = each
        self._left = total
        self._entries = {info.filename: info for info in _checked(file, packed.infolist())}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the files, in the order of the archive; folders are left out."""
        return tuple(self._entries)

    def open(self, name: str) -> IO[bytes]:
        """The bytes of an entry, unpacked as they are read.

        Raises:
            ImportFormatError: at once or while reading, when the entry is broken or is larger
                than is allowed.
        """
        where = f"{self._file}/{name}"
        try:
            raw = self._packed.open(self._entries[name])
        except (*_BROKEN, RuntimeError) as error:
            raise ImportFormatError(f"{where} cannot be read: {error}") from error
        return io.BufferedReader(_Bounded(raw, where, self._each, self._take))

    def _take(self, size: int) -> None:
        self._left -= size
        if self._left < 0:
            raise ImportFormatError(
                f"{self._file} unpacks to more than is read: split it into parts"
            )


class _Bounded(io.RawIOBase):
    """An entry that stops with an error when more comes out of it than is allowed."""

    def __init__(self, raw: IO[bytes], where: str, most: int, take: Callable[[int], None]) -> None:
        self._raw = raw
        self._where = where
        self._most = most
        self._left = most
        self._take = take

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill `buffer` as far as there are bytes."""
        try:
            data = self._raw.read(len(buffer))
        except _BROKEN as error:
            raise ImportFormatError(f"{self._where} cannot be read to its end: {error}") from error
        self._left -= len(data)
        if self._left < 0:
            raise ImportFormatError(
                f"{self._where} unpacks to more than {self._most:,} bytes: split it into parts"
            )
        self._take(len(data))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._raw.close()
        super().close()


def _checked(file: Path, entries: list[zipfile.ZipInfo]) -> list[zipfile.ZipInfo]:
    """The entries that are files, once all of them have been looked at."""
    for entry in entries:
        if problem := _problem(entry):
            raise ImportFormatError(f"{file} is refused: {shown(entry.orig_filename)} {problem}")
    found = [entry for entry in entries if not entry.is_dir()]
    name, times = Counter(entry.filename for entry in found).most_common(1)[0] if found else ("", 0)
    if times > 1:
        raise ImportFormatError(f"{file} is refused: {shown(name)} is in it {times} times")
    return found


def _problem(entry: zipfile.ZipInfo) -> str | None:
    """What is wrong with an entry, going by the name as it was written."""
    name = entry.orig_filename
    if not name or "\0" in name:
        return "is no name"
    if "\\" in name:
        return "has a backslash in its name"
    if name.startswith("/") or _DRIVE.match(name):
        return "has an absolute name"
    if ".." in name.split("/"):
        return "climbs out of the archive"
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in {0, stat.S_IFREG, stat.S_IFDIR}:
        return "is a link or a device"
    if entry.flag_bits & _ENCRYPTED:
        return "is encrypted: unpack it with its password first"
    return None
