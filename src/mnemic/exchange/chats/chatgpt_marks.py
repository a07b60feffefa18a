"""The marks within an answer that the ChatGPT app turns into footnotes, cards and links.

They stand in the private use area, as mark, name, fields and end. Nobody can read them, so what
they show is put in their place: the name of a thing, the title of a list. A reference alone shows
nothing.
"""

from __future__ import annotations

import json
import re

_MARK = re.compile("\ue200([a-z_]+)\ue202([^\ue200\ue201]*)\ue201|[\ue203\ue204]")
_BARE = frozenset({"cite", "filecite", "memcite", "image_group", "genui"})
_REFERENCE = re.compile(r"(?:turn\d+\w+|search\d+|[+-]?\d+)")


def readable(text: str) -> str:
    """The text with what its marks show in their place."""
    return _MARK.sub(_shown, text) if max(text, default="") >= "\ue200" else text


def _shown(mark: re.Match[str]) -> str:
    name, fields = mark[1], mark[2]
    if name is None or name in _BARE:
        return ""
    if name == "entity":
        return _entity(fields)
    return ", ".join(part for part in fields.split("\ue202") if not _REFERENCE.fullmatch(part))


def _entity(payload: str) -> str:
    """The name out of `["city", "Lisbon", ...]`, or the bare name that older marks have."""
    try:
        value = json.loads(payload)
    except (ValueError, RecursionError):
        return payload
    if isinstance(value, list) and len(value) > 1 and isinstance(value[1], str):
        return value[1]
    return payload
