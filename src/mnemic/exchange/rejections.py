"""What was rejected, carried from one brain to another: tombstones and the keys they need.

The file holds no value, and still it is secret: whoever has its keys can try values against its
digests. It is written for its owner alone.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select

from mnemic.encode.deed import begin
from mnemic.encode.revise.case import find, move, told
from mnemic.encode.revise.follow import follow
from mnemic.govern import tombstones
from mnemic.govern.audit import Chain, Note
from mnemic.govern.review import ItemKind
from mnemic.govern.tombstones import Cause, Kind
from mnemic.model.answer import Status
from mnemic.model.errors import ImportFormatError, InvalidInput, StorageError
from mnemic.model.scope import Judge, Reach, Scope, owner_of
from mnemic.model.times import Clock, to_ms
from mnemic.model.trust import SEARCHED, Authority, Event
from mnemic.store.brain import Brain
from mnemic.store.schema import partitions, trace_versions, traces
from mnemic.store.visible import visible

_FORMAT = "mnemic-rejections"
_MOST_BYTES = 1 << 30
_BYTES = {"place": 32, "digest": 32}


def write_rejections(brain: Brain, path: Path) -> int:
    """Write what stands rejected into a new file; returns how many tombstones.

    Raises:
        InvalidInput: there is something at the path already.
        StorageError: it cannot be written.
    """
    with brain.read() as connection:
        data = tombstones.dumped(connection, brain)
    text = json.dumps({"format": _FORMAT, "version": 1, **data}, indent=1)
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(text)
    except FileExistsError as error:
        raise InvalidInput(f"{str(path)!r} is there already; name a new file") from error
    except OSError as error:
        raise StorageError(f"{str(path)!r} cannot be written: {error}") from error
    return len(data["tombstones"])


def read_rejections(brain: Brain, clock: Clock, path: Path) -> int:
    """Reject here what a file says is rejected; returns how many tombstones are new.

    What is believed here of it is put away, and a reviewer is asked.

    Raises:
        ImportFormatError: it is no such file; nothing was taken from it.
    """
    return reject_here(brain, clock, _checked(_parsed(path), path))


def reject_here(brain: Brain, clock: Clock, data: Mapping[str, Any]) -> int:
    """Take in checked keys and tombstones; what is believed here of it is put away."""
    with brain.write() as connection:
        now = to_ms(clock())
        made = tombstones.take_in(connection, brain, data, now)
        away = sum(_put_away(connection, brain, place, now) for place in _scopes(connection, brain))
        chain = Chain(connection, brain.id, now)
        detail = {"tombstones": made, "traces": away}
        chain.append(Note("owner", "import_rejections", "done", detail=detail))
        chain.flush()
    return made


def _scopes(connection: Connection, brain: Brain) -> list[tuple[Scope, str]]:
    query = select(partitions.c.scope, partitions.c.scope_id).where(
        partitions.c.brain_id == brain.id
    )
    return [(Scope(scope), scope_id) for scope, scope_id in connection.execute(query)]


def _put_away(connection: Connection, brain: Brain, place: tuple[Scope, str], now: int) -> int:
    """Withhold what is believed here and was rejected there, until a reviewer has seen it."""
    reach = Reach.of([place])
    deed = begin(connection, brain, Judge("import", reach), now)
    query = visible(brain.id, reach, None, traces.c.id, trace_versions.c.content, states=SEARCHED)
    rows = query.run(connection).all()
    of = tombstones.Place((owner_of(*place),), (place,))
    values = [row.content for row in rows]
    stones = tombstones.standing(connection, brain, of, Kind.VALUE, values, now)
    found = [row.id for row, stone in zip(rows, stones, strict=True) if stone is not None]
    for trace_id in found:
        case = find(deed, reach, trace_id)
        version = move(case, Event.QUARANTINE, None, authority=Authority.BRAIN)
        told(case, version, Status.WITHHELD, "quarantine", code="rejected")
        deed.queue.open(ItemKind.REJECTED_WITHIN, trace_id, case.pair, case.row.digest)
    follow(deed, found)
    deed.flush()
    return len(found)


def _parsed(path: Path) -> Any:
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise ImportFormatError(f"{str(path)!r} is larger than a gibibyte")
        return json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ImportFormatError(f"{str(path)!r} cannot be read: {error}") from error
    except (ValueError, RecursionError) as error:
        raise ImportFormatError(f"{str(path)!r} is no JSON: {error}") from error


def _checked(data: Any, path: Path) -> dict[str, Any]:
    """The keys and tombstones of a file, every field looked at."""
    if not isinstance(data, dict) or data.get("format") != _FORMAT or data.get("version") != 1:
        raise ImportFormatError(f"{str(path)!r} holds no rejections of mnemic's, version 1")
    try:
        keys = {int(number): bytes.fromhex(key) for number, key in data["keys"].items()}
        if not all(len(key) == 32 for key in keys.values()):
            raise ValueError("a key is not 32 bytes long")
        stones = [_stone(stone, keys) for stone in data["tombstones"]]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ImportFormatError(f"{str(path)!r} is damaged: {error!r}") from error
    return {"keys": list(keys.items()), "tombstones": stones}


def _stone(stone: Mapping[str, Any], keys: Mapping[int, bytes]) -> dict[str, Any]:
    row: dict[str, Any] = {name: bytes.fromhex(stone[name]) for name in _BYTES}
    if any(len(row[name]) != length for name, length in _BYTES.items()):
        raise ValueError("a digest is not 32 bytes long")
    row["kind"] = Kind(stone["kind"]).value
    row["cause"] = Cause(stone["cause"]).value
    for name in ("key_version", "created_at"):
        row[name] = _whole(stone[name])
    row["until"] = None if stone["until"] is None else _whole(stone["until"])
    row["trace_id"] = None if stone["trace_id"] is None else str(stone["trace_id"])
    if row["key_version"] not in keys:
        raise ValueError(f"key {row['key_version']} is missing")
    return row


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= 1 << 62:
        raise ValueError(f"{value!r} is no whole number that can be stored")
    return value
