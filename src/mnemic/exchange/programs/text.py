"""Keep the words of a message and leave out what a program put around or into them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from mnemic.exchange.programs.found import Skip

MAX_CODE_LINES = 40
"""Longest fenced block kept in a message; a longer one is a file, not something said."""

_FENCE = re.compile(r"\s*(?:[-*>]\s+)*(`{3,}|~{3,})")
_NOTE = re.compile(r"\[code, \d+ lines\]")


def folded(text: str) -> str:
    """The text with each long fenced block as a note of its length."""
    if "```" not in text and "~~~" not in text:
        return text
    kept: list[str] = []
    block: list[str] = []
    fence = ""
    for line in text.split("\n"):
        found = _FENCE.match(line)
        if not fence:
            fence, block = (found[1], [line]) if found else ("", [])
            if not fence:
                kept.append(line)
            continue
        block.append(line)
        if found and found[1].startswith(fence) and not line[found.end() :].strip(" \t`~"):
            kept += _shortened(block, closed=True)
            fence = ""
    return "\n".join(kept + (_shortened(block, closed=False) if fence else []))


def _shortened(block: list[str], *, closed: bool) -> list[str]:
    lines = len(block) - 1 - closed
    return block if lines <= MAX_CODE_LINES else [f"[code, {lines} lines]"]


def is_only_code(text: str) -> bool:
    """Whether nothing but notes of code that was left out remains."""
    return bool(_NOTE.search(text)) and not _NOTE.sub("", text).strip()


def cut(text: str, wrappers: Mapping[str, Skip]) -> tuple[str, Skip | None]:
    """The text without the elements of some names, and why the first of them is no memory.

    Only an element that is closed is cut: a name that a person writes about stays.
    """
    if "<" not in text:
        return text, None
    opened = re.compile(rf"<({'|'.join(map(re.escape, wrappers))})(?:\s[^<>]*)?>")
    kept: list[str] = []
    reason: Skip | None = None
    unclosed: set[str] = set()
    start = position = 0
    while found := opened.search(text, position):
        name = found[1]
        end = -1 if name in unclosed else text.find(f"</{name}>", found.end())
        if end < 0:
            unclosed.add(name)  # not looked for again: each name is searched to the end once
            position = found.end()
            continue
        kept.append(text[start : found.start()])
        start = position = end + len(name) + 3
        reason = reason or wrappers[name]
    kept.append(text[start:])
    return "".join(kept), reason


def within(text: str, name: str) -> str | None:
    """What stands in the elements of a name, or None where there is none."""
    parts = re.findall(rf"<{re.escape(name)}>((?:(?!<{re.escape(name)}>).)*?)</{name}>", text, re.S)
    return "\n\n".join(part.strip() for part in parts) if parts else None


def storable(text: str) -> str:
    """The text without what no database takes: NUL characters, and halves of characters."""
    text = text.replace("\0", "")
    try:
        text.encode()
    except UnicodeEncodeError:
        # Two halves that belong together become the character they are.
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
