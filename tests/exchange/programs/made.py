"""Makes the files that the tests read, and sorts what comes of them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from mnemic.exchange.common import Item
from mnemic.exchange.programs.registry import PROGRAMS
from mnemic.model.trace import Draft


def lines(path: Path, *records: Any) -> Path:
    """A file of JSON lines; a text stands as it is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    told = [one if isinstance(one, str) else json.dumps(one) for one in records]
    path.write_text("".join(f"{one}\n" for one in told), "utf-8")
    return path


def whole(path: Path, value: Any) -> Path:
    """A file of one JSON value, or of a text."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value, indent=1), "utf-8")
    return path


def items(program: str, *places: Path, timezone: str | None = "UTC") -> list[Item]:
    """All items of a program at some places, each with its one meaning."""
    from mnemic.exchange.programs.registry import read_program

    found = list(read_program(program, places, timezone))
    for item in found:
        assert [item.draft, item.error, item.skipped].count(None) == 2, item
    return found


def drafts(found: Iterable[Item]) -> list[Draft]:
    return [item.draft for item in found if item.draft is not None]


def contents(found: Iterable[Item]) -> list[str]:
    return [draft.content for draft in drafts(found)]


def reasons(found: Iterable[Item]) -> dict[str, int]:
    return dict(Counter(str(item.skipped) for item in found if item.skipped is not None))


def errors(found: Iterable[Item]) -> list[str]:
    return [f"{item.where}: {item.error}" for item in found if item.error is not None]


def kinds(program: str, place: Path) -> Iterator[tuple[str, str]]:
    """Name and kind of each file that a program finds."""
    for one in PROGRAMS[program].find(place):
        yield one.path.name, str(one.kind)


def snapshot(folder: Path) -> dict[str, bytes]:
    """The bytes of every regular file below a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }
