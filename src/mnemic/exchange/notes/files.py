"""Files that an export of notes may write: safe names, and nothing outside its folder.

Folders below the export's own are made one name at a time and opened without following a link,
and a file is written only when it is a regular one with one name: what stands in its place may
have been put there to have something else overwritten.
"""

from __future__ import annotations

import os
import stat
import unicodedata
from contextlib import suppress
from pathlib import Path

MAX_NAME_BYTES = 200

_FORBIDDEN = frozenset('/\\:"*<>?|')
_BY_FOLDER = os.open in os.supports_dir_fd and os.mkdir in os.supports_dir_fd
"""Whether names can be opened below a folder that is open; on Windows they cannot."""


class Unwritable(Exception):
    """A file that is left out; its text is the problem's name."""


def is_safe(name: str) -> bool:
    """Whether a name may be that of a file or a folder, on every system."""
    return (
        bool(name)
        and not _FORBIDDEN.intersection(name)
        and not any(unicodedata.category(c).startswith("C") for c in name)
        and name[0] not in ". "
        and name[-1] not in ". "
        and len(name.encode("utf-8", "surrogatepass")) <= MAX_NAME_BYTES
    )


def folded(name: str) -> str:
    """The name as systems see it that tell neither case nor Unicode forms apart.

    A letter whose other case is several letters stays: "ß" and "ss" are two names.
    """
    plain = unicodedata.normalize("NFD", name)
    single = "".join(f if len(f := c.casefold()) == 1 else c for c in plain)
    return unicodedata.normalize("NFD", single)


class Folder:
    """The folder of an export, open while it is written.

    Args:
        path: of the folder; made if it is not there, followed if it is a link.
    """

    def __init__(self, path: Path) -> None:
        path.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._open: dict[tuple[str, ...], int] = {}
        if _BY_FOLDER:
            self._open[()] = os.open(path, os.O_RDONLY | os.O_DIRECTORY)

    def close(self) -> None:
        """Let go of it."""
        for number in self._open.values():
            os.close(number)
        self._open.clear()

    def write(self, folders: tuple[str, ...], name: str, text: str) -> None:
        """Write a file below the folder, in place of an earlier one of that name.

        Raises:
            Unwritable: a link or no regular file stands in its place.
            OSError: it cannot be written for another reason.
        """
        number = self._opened(folders, name)
        try:
            found = os.fstat(number)
            if not stat.S_ISREG(found.st_mode):
                raise Unwritable("special")
            if found.st_nlink != 1:
                raise Unwritable("link")
            os.ftruncate(number, 0)
            with os.fdopen(os.dup(number), "wb") as file:
                file.write(text.encode("utf-8"))
        finally:
            os.close(number)

    def _opened(self, folders: tuple[str, ...], name: str) -> int:
        # Without waiting: a pipe that nobody reads must not hold the export up.
        flags = os.O_WRONLY | os.O_CREAT | getattr(os, "O_NONBLOCK", 0)
        flags |= getattr(os, "O_NOFOLLOW", 0)
        try:
            if _BY_FOLDER:
                return os.open(name, flags, 0o600, dir_fd=self._folder(folders))
            return os.open(self._plain(folders) / name, flags, 0o600)
        except OSError as error:
            raise _problem(error, self._path.joinpath(*folders, name)) from error

    def _folder(self, folders: tuple[str, ...]) -> int:
        if folders not in self._open:
            above = self._folder(folders[:-1])
            with suppress(FileExistsError):
                os.mkdir(folders[-1], dir_fd=above)
            flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
            try:
                self._open[folders] = os.open(folders[-1], flags, dir_fd=above)
            except OSError as error:
                raise _problem(error, self._path.joinpath(*folders)) from error
        return self._open[folders]

    def _plain(self, folders: tuple[str, ...]) -> Path:
        path = self._path
        for name in folders:
            path /= name
            path.mkdir(exist_ok=True)
            if path.is_symlink():
                raise Unwritable("link")
        return path


def _problem(error: OSError, path: Path) -> Exception:
    """What stands in the place of a file or a folder that cannot be opened."""
    try:
        mode = path.lstat().st_mode
    except OSError:
        return error
    if stat.S_ISLNK(mode):
        return Unwritable("link")
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        return Unwritable("special")
    if stat.S_ISDIR(mode) and isinstance(error, IsADirectoryError):
        return Unwritable("special")
    if stat.S_ISREG(mode) and isinstance(error, NotADirectoryError):
        return Unwritable("special")
    return error
