"""Read a large JSON file element by element, without holding it.

Memory grows with the largest element, not with the file: the window over the text is doubled
while an element is cut off at its end, so an element is parsed twice over at the most, and what
was read is dropped. Strict where `json.loads` is lax: no NaN, no Infinity, nothing but UTF-8.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from typing import IO, Any, NoReturn

from mnemic.errors import ImportFormatError
from mnemic.exchange.common import guarded

CHUNK = 1 << 16
"""Bytes read at once, at the least."""

MAX_ELEMENT = 256 << 20
"""Longest element, in characters."""

_SPACE = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"[-+.eE0-9]*")
_NEAR_THE_END = 16
"""An error further from the end than a cut word, number or escape is long is a real one."""


def elements(
    stream: IO[bytes], name: str, *, chunk: int = CHUNK, limit: int = MAX_ELEMENT
) -> Iterator[tuple[str | None, Any]]:
    """The elements of the one JSON array or object in a stream, as they are read.

    Of an array each element, as (None, element). Of an object each member, as (key, value); a
    member whose value is an array gives each element of it, as (key, element).

    Args:
        stream: the bytes, UTF-8 with or without a byte order mark. It is not closed.
        name: what the errors call it.
        chunk: bytes read at once, at the least.
        limit: characters of the longest element that is read.

    Raises:
        ImportFormatError: it is no JSON array or object, is cut short, is not UTF-8, is nested
            too deeply, goes on after its end, or an element is longer than the limit.
    """
    window = _Window(stream, name, chunk, limit)
    match window.peek():
        case "[":
            for value in _array(window):
                yield None, value
        case "{":
            yield from _object(window)
        case "":
            raise ImportFormatError(f"{name} is empty: there is nothing to read")
        case _:
            window.fail("a JSON array or object is expected")
    if window.peek():
        window.fail("text after the end of the JSON value")


def _array(window: _Window) -> Iterator[Any]:
    window.skip()
    if window.peek() == "]":
        window.skip()
        return
    while True:
        yield window.value()
        if window.ends_with("]"):
            return


def _object(window: _Window) -> Iterator[tuple[str, Any]]:
    window.skip()
    if window.peek() == "}":
        window.skip()
        return
    while True:
        key = _key(window)
        if window.peek() == "[":
            for value in _array(window):
                yield key, value
        else:
            yield key, window.value()
        if window.ends_with("}"):
            return


def _key(window: _Window) -> str:
    if window.peek() != '"':
        window.fail("a key in quotes is expected")
    key = window.value()
    if window.peek() != ":":
        window.fail("':' is expected after a key")
    window.skip()
    return str(key)


class _Window:
    """The part of the text that is held: what is read and not yet used, and a little before it.

    Args:
        stream: the bytes.
        name: what the errors call it.
        chunk: bytes read at once, at the least.
        limit: characters of the longest element.
    """

    def __init__(self, stream: IO[bytes], name: str, chunk: int, limit: int) -> None:
        self._stream = stream
        self._name = name
        self._chunk = chunk
        self._limit = limit
        self._utf8 = codecs.getincrementaldecoder("utf-8")()
        self._json = json.JSONDecoder(parse_constant=_no_number)
        self._text = ""
        self._at = 0
        self._dropped = 0
        self._bytes = 0
        self._begun = False
        self._ended = False

    def peek(self) -> str:
        """The next character that is not white space; empty at the end."""
        while True:
            found = _SPACE.match(self._text, self._at)
            self._at = found.end() if found else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def skip(self) -> None:
        """Go past the character that was peeked at."""
        self._at += 1

    def ends_with(self, closing: str) -> bool:
        """Go past the `closing` bracket (True) or past a comma (False)."""
        found = self.peek()
        if found not in {closing, ","}:
            self.fail(f"',' or '{closing}' is expected")
        self.skip()
        return found == closing

    def value(self) -> Any:
        """The JSON value that is next, of which as much is read as it takes."""
        self.peek()
        while True:
            try:
                value, end = self._json.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                if not (self._may_be_cut(error) and self._more()):
                    self.fail(error.msg, error.pos)
            except RecursionError:
                self.fail("it is nested too deeply")
            except ValueError as error:
                self.fail(str(error))
            else:
                if not self._may_go_on(value) or not self._more():
                    self._at = end
                    return value

    def fail(self, problem: str, at: int | None = None) -> NoReturn:
        """Raise ImportFormatError with the place: the next character, or the one given."""
        place = self._at if at is None else at
        if self._ended and (place >= len(self._text) or problem.startswith("Unterminated")):
            problem = f"it is cut short ({problem})"
        raise ImportFormatError(
            f"{self._name} is not JSON: {problem}, at character {self._dropped + place:,}"
        ) from None

    def _may_be_cut(self, error: json.JSONDecodeError) -> bool:
        near = len(self._text) - _NEAR_THE_END
        return error.pos >= near or error.msg.startswith("Unterminated")

    def _may_go_on(self, value: Any) -> bool:
        """Whether more text could make another value of this one, which ends where we do."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        found = _NUMBER.match(self._text, self._at)
        return found is not None and found.end() == len(self._text)

    def _more(self) -> bool:
        """Read about as much again as is unused; False when there is no more."""
        if self._ended:
            return False
        unused = len(self._text) - self._at
        if unused > self._limit:
            self.fail(f"an element is longer than {self._limit:,} characters")
        raw = self._read(max(self._chunk, min(unused, self._limit + 1 - unused)))
        self._ended = not raw
        text = self._decode(raw)
        if text and not self._begun:
            text = text.removeprefix("\ufeff")
            self._begun = True
        self._bytes += len(raw)
        self._dropped += self._at
        self._text = self._text[self._at :] + text
        self._at = 0
        return not self._ended

    def _read(self, size: int) -> bytes:
        return guarded(self._name, lambda: self._stream.read(size))

    def _decode(self, raw: bytes) -> str:
        pending = len(self._utf8.getstate()[0])
        try:
            return self._utf8.decode(raw, final=not raw)
        except UnicodeDecodeError as error:
            place = self._bytes - pending + error.start
            wrong = error.object[error.start]
        raise ImportFormatError(f"{self._name} is not UTF-8 text: byte {place:,} is 0x{wrong:02x}")


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")
