"""Read LongMemEval's file: questions, each with a haystack of dated sessions.

Wu et al. 2024, "LongMemEval: Benchmarking Chat Assistants on Long-Term Interactive Memory". The
same session may stand in several haystacks: it is read once, with the date it has where it is
met first. The id of a session says whether it is evidence, so it only ever becomes a thread.
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
    shown,
    zone_of,
)

_TIME = re.compile(r"(\d{4})/(\d{1,2})/(\d{1,2})(?:\D*?(\d{1,2}):(\d{2}))?")
_HAYSTACK = ("haystack_session_ids", "haystack_dates", "haystack_sessions")


def read(path: str | Path, *, timezone: str | None = None) -> Iterator[Item]:
    """Items of every session, once; `where` is "<session id>/<turn number from 0>"."""
    yield from parse(load_json(path), timezone=timezone)


def parse(data: Any, *, timezone: str | None = None) -> Iterator[Item]:
    """Items of an already loaded file. Raises ImportFormatError when it has another shape."""
    zone = zone_of(timezone)
    if not isinstance(data, list):
        raise ImportFormatError(f"LongMemEval's file is a list of questions, not {shown(data)}")
    seen: set[str] = set()
    for number, record in enumerate(data, 1):
        problem = haystack_problem(record)
        if problem:
            yield Item(f"question {number}", error=problem)
            continue
        for name, date, turns in zip(*(record[key] for key in _HAYSTACK), strict=True):
            if str(name) not in seen:
                seen.add(str(name))
                yield from _session(str(name), parse_time(date, zone), turns)


def haystack_problem(record: object) -> str | None:
    """What keeps a question's haystack from being read; None when it is sound."""
    if not is_record(record):
        return f"a question must be an object, not {shown(record)}"
    for key in _HAYSTACK:
        if not isinstance(record.get(key), list):
            return f"{key} must be a list, not {shown(record.get(key))}"
    lengths = [len(record[key]) for key in _HAYSTACK]
    if len(set(lengths)) > 1:
        return f"{', '.join(_HAYSTACK)} differ in length: {lengths}"
    return None


def _session(name: str, time: datetime | None, turns: object) -> Iterator[Item]:
    if not isinstance(turns, list):
        yield Item(name, error=f"a session must be a list of turns, not {shown(turns)}")
        return
    for number, turn in enumerate(turns):
        where = f"{name}/{number}"
        if is_record(turn):
            yield message(where, turn.get("content"), turn.get("role"), name, time)
        else:
            yield Item(where, error=f"a turn must be an object, not {shown(turn)}")


def parse_time(text: object, zone: tzinfo | None) -> datetime | None:
    """An aware UTC datetime from "2023/04/10 (Mon) 23:07"; None when it cannot be read."""
    found = _TIME.search(text) if isinstance(text, str) else None
    if found is None:
        return None
    year, month, day, hour, minute = (int(part or 0) for part in found.groups())
    return moment((year, month, day), (hour, minute), zone)
