"""Read one list of a JSON file element by element, so that a long session needs little memory.

Only the element at hand is held. A value that does not end within `MAX_VALUE_CHARS` is refused,
and so is a file that stops being JSON; what was read before that stands.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from mnemic.errors import ImportFormatError
from mnemic.exchange.common import guarded, open_bytes

MAX_VALUE_CHARS = 1 << 26
"""Longest single value, in characters (64 Mi)."""

_CHUNK = 1 << 16
_SPACE = " \t\r\n"
_ENDS = frozenset(" \t\r\n,:]}")
_SCALAR = (str, int, float, bool)


def elements(path: Path, key: str | None = None) -> Iterator[tuple[int, Any]]:
    """The elements of the list under `key` of the file's object, counted from 1.

    Without a key, of the list that the file is. Raises ImportFormatError.
    """
    number = 0
    for name, value in _members(path, key):
        if name is None:
            number += 1
            yield number, value


def scalars(path: Path, key: str) -> dict[str, Any]:
    """The texts and numbers of the file's object beside the list under `key`."""
    return {
        name: value
        for name, value in _members(path, key)
        if name is not None and isinstance(value, _SCALAR)
    }


def _members(path: Path, key: str | None) -> Iterator[tuple[str | None, Any]]:
    with open_bytes(path) as stream:
        window = _Window(path, stream)
        if key is None:
            yield from ((None, value) for value in window.array())
        else:
            yield from window.object(key)
        if window.next():
            raise window.broken("the file goes on after its end")


class _Window:
    """The part of a file that is looked at, and what is left of it to read."""

    def __init__(self, path: Path, stream: IO[bytes]) -> None:
        self._path = path
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._json = json.JSONDecoder()
        self._text = ""
        self._at = 0
        self._before = 0
        self._ended = False

    def object(self, key: str) -> Iterator[tuple[str | None, Any]]:
        """Name and value of each member; those of the list under `key` without a name."""
        self._take("{")
        while self.next() != "}":
            name = self._value()
            if not isinstance(name, str):
                raise self.broken("a member has no name")
            self._take(":")
            if name == key and self.next() == "[":
                yield from ((None, value) for value in self.array())
            else:
                yield name, self._value()
            if self.next() != "}":
                self._take(",")
        self._take("}")

    def array(self) -> Iterator[Any]:
        """The elements of the list that stands here."""
        self._take("[")
        while self.next() != "]":
            yield self._value()
            if self.next() != "]":
                self._take(",")
        self._take("]")

    def next(self) -> str:
        """The next character that is no space; nothing at the end."""
        while True:
            while self._at < len(self._text):
                if self._text[self._at] not in _SPACE:
                    return self._text[self._at]
                self._at += 1
            if not self._more(_CHUNK):
                return ""

    def broken(self, why: str) -> ImportFormatError:
        return ImportFormatError(
            f"{self._path} is not JSON: {why} at character {self._before + self._at + 1:,}"
        )

    def _take(self, char: str) -> None:
        if self.next() != char:
            raise self.broken(f"expected {char!r}")
        self._at += 1

    def _value(self) -> Any:
        self.next()
        size = _CHUNK
        while True:
            try:
                value, end = self._json.raw_decode(self._text, self._at)
                length = end - self._at
                # A number cut in two can look like a shorter one: "1.5e" of "1.5e3".
                if self._text[end : end + 1] in _ENDS or not self._more(size):
                    self._at += length
                    return value
            except RecursionError:
                raise self.broken("a value is nested too deeply") from None
            except ValueError as exc:
                if len(self._text) - self._at > MAX_VALUE_CHARS:
                    raise self.broken("a value does not end") from None
                if not self._more(size):
                    raise self.broken(getattr(exc, "msg", str(exc))) from None
            size *= 2  # each try costs what was read: doubling keeps the sum of them small

    def _more(self, size: int) -> bool:
        """Read on; False at the end of the file. What lies behind is let go."""
        if self._ended:
            return False
        raw = guarded(self._path, lambda: self._stream.read(size))
        self._ended = not raw
        try:
            text = self._decoder.decode(raw, final=self._ended)
        except UnicodeDecodeError as exc:
            raise ImportFormatError(f"{self._path} is not UTF-8 text: {exc.reason}") from None
        self._before += self._at
        self._text, self._at = self._text[self._at :] + text, 0
        return not self._ended
