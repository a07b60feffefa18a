"""What a failure looks like from outside: one line on stderr, and an exit code that means it."""

from __future__ import annotations

import json
import sys
from enum import IntEnum

from mnemic.errors import EmbedderError, InvalidInput, MnemicError, StorageError


class Exit(IntEnum):
    """What the exit code of every command says."""

    OK = 0
    NO = 1
    USAGE = 2
    STORAGE = 3
    BUG = 70
    INTERRUPTED = 130


EXIT_HELP = (
    "Exit codes: 0 done; 1 no (refused, not found, not allowed, nothing readable, chain broken, "
    "something left by an erasure, or doctor found a problem); 2 wrong usage or an invalid value; "
    "3 the brain or its embedder cannot be used; 70 a bug in mnemic. Errors are one line on "
    'stderr; with --json that line is {"error": {"type", "message", "exit_code"}} and stdout '
    "stays empty."
)


def exit_code(error: BaseException) -> Exit:
    """The exit code of an error that reached the command line."""
    if isinstance(error, InvalidInput):
        return Exit.USAGE
    if isinstance(error, StorageError | EmbedderError):
        return Exit.STORAGE
    if isinstance(error, MnemicError):
        return Exit.NO
    return Exit.BUG


def report(kind: str, message: str, code: int, *, as_json: bool) -> None:
    """Write one line about a failure to stderr.

    Args:
        kind: the name of the error's class, for machines.
        message: what was wrong; line ends in it become spaces.
        code: the exit code that follows.
        as_json: write a JSON object in place of a sentence.
    """
    line = " ".join(message.split())
    if as_json:
        error = {"type": kind, "message": line, "exit_code": int(code)}
        print(json.dumps({"error": error}), file=sys.stderr)
    else:
        print(f"mnemic: {printable(line)}", file=sys.stderr)


def printable(text: str) -> str:
    """`text` with control characters made visible, so that stored text cannot drive a terminal.

    Line ends and tabs stay. Lone surrogates become U+FFFD, which every encoder can write.
    """
    return "".join(_shown(char) for char in text)


def _shown(char: str) -> str:
    code = ord(char)
    if char in "\n\t" or 0x20 <= code < 0x7F:
        return char
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if 0x80 <= code < 0xA0 or 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return char
