"""The front matter of a note: as much of YAML as notes use, and nothing that could run.

Keys with a plain value, a list in brackets, or a list of lines with a dash. Values stay texts.
"""

from __future__ import annotations

import re
from typing import Any

_KEY = re.compile(r"([A-Za-z_][\w -]*):(?:\s+(.*))?")
_ENTRY = re.compile(r"\s*-\s+(.*)")
_CLOSING = re.compile(r"(?:---|\.\.\.)\s*")


def split(text: str) -> tuple[dict[str, Any], str, int]:
    """The front matter, the body, and the number of the line that the body begins on.

    A text without front matter, or whose front matter is never closed, is all body.
    """
    lines = text.split("\n")
    if lines[0].rstrip() != "---":
        return {}, text, 1
    for end, line in enumerate(lines[1:], 1):
        if _CLOSING.fullmatch(line):
            return _values(lines[1:end]), "\n".join(lines[end + 1 :]), end + 2
    return {}, text, 1


def _values(lines: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    open_key = ""
    for line in lines:
        if key := _KEY.fullmatch(line):
            value = (key[2] or "").strip()
            open_key = "" if value else key[1].strip()
            found[key[1].strip()] = _value(value)
        elif open_key and (entry := _ENTRY.fullmatch(line)):
            if not isinstance(found[open_key], list):
                found[open_key] = []
            found[open_key].append(_plain(entry[1]))
    return found


def _value(text: str) -> str | list[str]:
    if text.startswith("[") and text.endswith("]"):
        return [_plain(part) for part in text[1:-1].split(",") if part.strip()]
    return _plain(text)


def _plain(text: str) -> str:
    """A value without the quotes around it."""
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    return text
