"""Takes a file, an archive or a folder into a brain: restored whole, or item by item.

What an owner brings into an empty brain from an export of the owner's is restored as it was,
every version of it. All else is remembered anew: what the file says is true goes down the same
road as anything that is said, and what is known, forgotten or rejected here stays so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from mnemic.encode.restore import Carried, is_empty, restore
from mnemic.encode.write import Progress, Writer
from mnemic.exchange.archives import checked_path
from mnemic.exchange.common import Item
from mnemic.exchange.detect import detect, reader
from mnemic.exchange.home import EveryHome, Homes, OneHome
from mnemic.exchange.importer import import_items, preview
from mnemic.exchange.rejections import reject_here
from mnemic.govern.tombstones import PORTABLE
from mnemic.model.answer import ImportResult
from mnemic.model.errors import ImportFormatError, InvalidInput
from mnemic.model.scope import Principal
from mnemic.store.carried import Selection, checked_row
from mnemic.store.keys import DIGEST_BYTES, NewKey
from mnemic.store.schema import key_ring, tombstones


@dataclass(frozen=True, slots=True)
class Import:
    """What is to be taken in.

    Args:
        path: the file, archive or folder.
        format: its format, or "auto".
        timezone: of times in it that name none.
        principal: whose memory it becomes; None is those whom the file names.
        branches: of a chat that was edited, every branch and not the last one alone.
        dry_run: only count.
    """

    path: Path
    format: str = "auto"
    timezone: str | None = None
    principal: Principal | None = None
    branches: bool = False
    dry_run: bool = False


def take_in(
    writer: Writer, new_key: NewKey, asked: Import, progress: Progress | None = None
) -> ImportResult:
    """Import what is asked for; see `Memory.import_from`."""
    path = checked_path(asked.path)  # a pipe would be waited for, whatever the format
    name = detect(path) if asked.format == "auto" else asked.format
    read = reader(name)
    if asked.branches and name != "chatgpt":
        raise InvalidInput(f"branches are those of a ChatGPT export, and {asked.path} is {name}")
    with _own(writer, new_key, asked.path, name) as carried:
        if carried is None:
            extra = {"branches": True} if asked.branches else {}
            items = partial(read, asked.path, timezone=asked.timezone, **extra)
            return _import(writer, items, asked, progress)
        if asked.principal is None and not asked.dry_run and _fresh(writer):
            count = restore(writer.brain, writer.clock, carried, progress)
            return ImportResult(count, 0, 0, 0, 0, (), {}, ())
        if asked.principal is None and not asked.dry_run:
            # First of all, so that nothing comes in that was rejected there.
            reject_here(writer.brain, writer.clock, _rejections(carried, asked.path))
        return _import(writer, partial(_items, asked.path, name, carried), asked, progress)


def _import(
    writer: Writer,
    items: Callable[[], Iterable[Item]],
    asked: Import,
    progress: Progress | None,
) -> ImportResult:
    homes: Homes = EveryHome() if asked.principal is None else OneHome(asked.principal)
    if asked.dry_run:
        return preview(items, homes)
    return import_items(writer, items, homes, progress)


def _fresh(writer: Writer) -> bool:
    with writer.brain.read() as connection:
        return is_empty(connection, writer.brain)


@contextmanager
def _own(writer: Writer, new_key: NewKey, path: Path, name: str) -> Iterator[Carried | None]:
    """What the file carries of a brain of mnemic's; None for a file of any other kind."""
    if name == "json":
        from mnemic.exchange.portable.reading import Document, own_part

        part = own_part(path)
        yield None if part is None else Document(path, str(part.get("brain_id")))
    elif name == "sqlite":
        from mnemic.exchange.portable.database import is_own, opened_copy
        from mnemic.exchange.portable.snapshot import Snapshot

        if not is_own(path):
            yield None
            return
        settings = writer.brain.settings
        with (
            opened_copy(path, settings, writer.clock, new_key) as brain,
            brain.read() as connection,
        ):
            yield Snapshot(connection, brain, Selection(withheld=True), vectors=True)
    else:
        yield None


def _rejections(carried: Carried, path: Path) -> dict[str, Any]:
    """The keys and the standing tombstones of a brain, as `govern.tombstones` takes them in."""
    try:
        keys = [checked_row(key_ring, row, "") for row in carried.rows(key_ring)]
        stones = [checked_row(tombstones, row, "") for row in carried.rows(tombstones)]
    except InvalidInput as error:
        raise ImportFormatError(f"{path} is damaged: {error}") from error
    numbers = {row["version"] for row in keys if len(row["key"]) == DIGEST_BYTES}
    for stone in stones:
        sound = all(len(stone[name]) == DIGEST_BYTES for name in ("place", "digest"))
        if not sound or stone["key_version"] not in numbers:
            raise ImportFormatError(f"{path} is damaged: a tombstone fits none of its keys")
    return {
        "keys": [(row["version"], row["key"]) for row in keys],
        "tombstones": [
            {name: stone[name] for name in PORTABLE}
            for stone in stones
            if stone["lifted_at"] is None
        ],
    }


def _items(path: Path, name: str, carried: Carried) -> Iterator[Item]:
    """The traces of an export of ours, as AgentOS's document has them."""
    if name == "json":
        from mnemic.exchange.portable.source import read_json

        yield from read_json(path)
        return
    from mnemic.exchange.portable.document import trace_row
    from mnemic.exchange.portable.records import Graph, trace_item
    from mnemic.exchange.portable.snapshot import Snapshot

    assert isinstance(carried, Snapshot)
    for number, row in enumerate(carried.traces(), 1):
        yield trace_item(
            trace_row(carried.brain_id, row, {}), f"trace {number}", Graph(), encoded=True
        )
