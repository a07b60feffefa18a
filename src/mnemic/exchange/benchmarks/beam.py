"""Read BEAM's file: an object of conversations, each a list of batches of dated turns.

Tavakoli et al. 2025, "Beyond a Million Tokens: Benchmarking and Enhancing Long-Term Memory in
LLMs". Each conversation holds its turns under `chat.json`. A batch is a session. A date
("March-15-2024") stands on the turn where it begins, and holds until the next one; user turns
end with a mark of the generator (" ->-> 3,28") that nobody said, and that is cut off.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any

from mnemic.errors import ImportFormatError
from mnemic.exchange.common import (
    Item,
    is_record,
    load_json,
    message,
    moment,
    month_number,
    shown,
    zone_of,
)

CHAT = "chat.json"

_DATE = re.compile(r"([A-Za-z]+)-(\d{1,2})-(\d{4})")
_MARK = re.compile(r"\s*->->\s*[\d,]+\s*\Z")


def read(path: str | Path, *, timezone: str | None = None) -> Iterator[Item]:
    """Items of every conversation in order; `where` is "<conversation>/<turn id>"."""
    yield from parse(load_json(path), timezone=timezone)


def parse(data: Any, *, timezone: str | None = None) -> Iterator[Item]:
    """Items of an already loaded file. Raises ImportFormatError when it has another shape."""
    zone = zone_of(timezone)
    if not is_record(data):
        raise ImportFormatError(f"BEAM's file is an object of conversations, not {shown(data)}")
    for name, conversation in data.items():
        if is_record(conversation) and isinstance(conversation.get(CHAT), list):
            for number, batch in enumerate(conversation[CHAT], 1):
                yield from _batch(name, f"{name}/batch_{number}", batch, zone)
        else:
            yield Item(name, error=f"the conversation has no list {CHAT!r}")


def _batch(name: str, thread: str, batch: object, zone: tzinfo | None) -> Iterator[Item]:
    groups = batch.get("turns") if is_record(batch) else None
    if not is_record(batch) or not isinstance(groups, list):
        yield Item(thread, error=f"a batch must hold a list 'turns': {shown(batch)}")
        return
    time = parse_time(batch.get("time_anchor"), zone)
    for place, group in enumerate(groups, 1):
        if not isinstance(group, list):
            yield Item(f"{thread}/{place}", error=f"turns come in lists, not {shown(group)}")
            continue
        for turn in group:
            if not is_record(turn):
                error = f"a turn must be an object, not {shown(turn)}"
                yield Item(f"{thread}/{place}", error=error)
                continue
            time = parse_time(turn.get("time_anchor"), zone) or time
            content = turn.get("content")
            said = _MARK.sub("", content) if isinstance(content, str) else content
            yield message(f"{name}/{turn.get('id')}", said, turn.get("role"), thread, time)


def parse_time(text: object, zone: tzinfo | None) -> datetime | None:
    """Midnight of "March-15-2024" as an aware UTC datetime; None when it cannot be read."""
    found = _DATE.match(text) if isinstance(text, str) else None
    if found is None:
        return None
    return moment((int(found[3]), month_number(found[1]), int(found[2])), (0, 0), zone)
