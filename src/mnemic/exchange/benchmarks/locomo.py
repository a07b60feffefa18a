"""Read LoCoMo's file: a list of dialogues between two people, in dated sessions.

Maharana et al. 2024, "Evaluating Very Long-Term Conversational Memory of LLM Agents". Sessions
are the lists `session_<n>` of `conversation`, dated by `session_<n>_date_time` in the speakers'
words ("1:56 pm on 8 May, 2023"). A turn that shared a photo has the caption put to its text.
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
    clock_12h,
    is_record,
    load_json,
    moment,
    month_number,
    shown,
    source_of,
    zone_of,
)
from mnemic.model.trace import Draft

_SESSION = re.compile(r"session_(\d+)")
_DAY = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)?\s+([A-Za-z]+),?\s+(\d{4})\b")


def read(path: str | Path, *, timezone: str | None = None) -> Iterator[Item]:
    """Items of every dialogue in order; `where` is "<sample id>/<dialogue turn id>"."""
    yield from parse(load_json(path), timezone=timezone)


def parse(data: Any, *, timezone: str | None = None) -> Iterator[Item]:
    """Items of an already loaded file. Raises ImportFormatError when it has another shape."""
    zone = zone_of(timezone)
    if not isinstance(data, list):
        raise ImportFormatError(f"LoCoMo's file is a list of dialogues, not {shown(data)}")
    for number, dialogue in enumerate(data, 1):
        if is_record(dialogue) and is_record(dialogue.get("conversation")):
            yield from _dialogue(sample_id(dialogue, number), dialogue["conversation"], zone)
        else:
            yield Item(f"dialogue {number}", error="it has no 'conversation' object")


def sample_id(dialogue: dict[str, Any], number: int) -> str:
    """The name of a dialogue, or its place in the file when it has none."""
    return str(dialogue.get("sample_id") or f"dialogue-{number}")


def _dialogue(name: str, conversation: dict[str, Any], zone: tzinfo | None) -> Iterator[Item]:
    numbers = sorted(
        int(found[1])
        for key, value in conversation.items()
        if (found := _SESSION.fullmatch(key)) and isinstance(value, list)
    )
    for number in numbers:
        time = parse_time(conversation.get(f"session_{number}_date_time"), zone)
        for place, turn in enumerate(conversation[f"session_{number}"], 1):
            if not is_record(turn):
                where = f"{name}/session_{number}/{place}"
                yield Item(where, error=f"a turn must be an object, not {shown(turn)}")
                continue
            where = f"{name}/{turn.get('dia_id') or f'D{number}:{place}'}"
            yield _item(where, turn, f"{name}/session_{number}", time)


def _item(where: str, turn: dict[str, Any], thread: str, time: datetime | None) -> Item:
    text, speaker = turn.get("text"), turn.get("speaker")
    if not isinstance(text, str | None):
        return Item(where, error=f"text must be text, not {shown(text)}")
    if not isinstance(speaker, str) or not speaker.strip():
        return Item(where, error=f"the turn has no speaker: {shown(speaker)}")
    content = text or ""
    if caption := turn.get("blip_caption"):
        content += f" [photo: {caption}]"
    if not content.strip():
        return Item(where, error=f"the turn has no text: {shown(text)}")
    draft = Draft(
        content.strip(),
        speaker=speaker,
        thread=thread,
        time=time,
        source=source_of(None),
        replay=True,
    )
    return Item(where, draft=draft)


def parse_time(text: object, zone: tzinfo | None) -> datetime | None:
    """An aware UTC datetime from "1:56 pm on 8 May, 2023"; None when it cannot be read."""
    found = _DAY.search(text) if isinstance(text, str) else None
    if found is None:
        return None
    day = (int(found[3]), month_number(found[2]), int(found[1]))
    return moment(day, clock_12h(str(text)), zone)
