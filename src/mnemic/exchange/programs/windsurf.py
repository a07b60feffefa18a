"""What Windsurf keeps and lets be read: rules and memories of its user.

Its conversations and the memories it makes by itself lie in encrypted files; each is told as such.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from mnemic.exchange.common import Item
from mnemic.exchange.programs.found import Found, Kind, Skip
from mnemic.exchange.programs.reading import read_found
from mnemic.exchange.programs.turns import Seen
from mnemic.exchange.programs.walk import folders, owner, walk

NAME = "windsurf"

_OWN = (".codeium/windsurf", ".codeium/windsurf-next", ".codeium/windsurf-insiders")


def places(home: Path, project: Path | None, env: Mapping[str, str], platform: str) -> list[Path]:
    """Where it keeps things: the same folder of the home everywhere."""
    del env, platform
    found = [home / folder / name for folder in _OWN for name in ("memories", "cascade")]
    return found + ([project / ".windsurf", project / ".windsurfrules"] if project else [])


def find(place: Path) -> Iterator[Found]:
    """Rules of a place, and the encrypted files beside them."""
    return walk(place, partial(_wanted, owner(place, _OWN)))


def _wanted(project: str | None, path: Path, _direct: bool) -> Found | None:
    if path.suffix == ".pb":
        return Found(path, Kind.SESSION, skipped=Skip.ENCRYPTED)
    rules = path.suffix == ".md" and {"rules", "memories"} & set(folders(path))
    if rules or path.name in (".windsurfrules", "global_rules.md"):
        return Found(path, Kind.INSTRUCTIONS, project)
    return None


def read(found: Found, *, timezone: str | None = None, seen: Seen | None = None) -> Iterator[Item]:
    """Items of a file; nothing of it can come up twice."""
    return read_found(NAME, found, {}, timezone, seen)
