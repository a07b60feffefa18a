"""The row that says when a trace, which says what is to be done, is to be brought up.

It is written with the trace, in its transaction; what waits for what is checked by
`cognition/prospect/triggers.py` before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, delete

from mnemic.model.errors import InvalidInput
from mnemic.model.trace import one_of
from mnemic.store.bulk import insert_rows
from mnemic.store.mind_schema import prospective_items

_p = prospective_items.c

_FIELDS = frozenset("trigger at rule zone event cue threshold importance lasting tier".split())


def checked_reminder(content: str, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a draft is to be brought up by.

    Raises:
        InvalidInput: a field is unknown, or what it waits for is missing.
    """
    from mnemic.cognition.prospect.triggers import Intention, Trigger

    unknown = given.keys() - _FIELDS
    if unknown:
        raise InvalidInput(f"reminder field {min(unknown)!r} is unknown")
    values = {"trigger": Trigger.TIME, **given}
    values["trigger"] = one_of(Trigger, "trigger", values["trigger"])
    if not content:
        return {}  # all of it was recalled: the draft is refused for that
    intention = Intention(id="", content=content, **values)
    return {
        "trigger_type": intention.trigger.value,
        "trigger_at": intention.at,
        "timezone": intention.zone,
        "rule": intention.rule,
        "trigger_event": intention.event,
        "cue_text": intention.cue,
        "similarity_threshold": intention.threshold,
        "importance": intention.importance,
        "next_at": intention.next_at,
        "lasting": int(intention.lasting),
        "tier": intention.tier,
    }


def write_reminders(
    connection: Connection, brain_id: str, wanted: Mapping[str, Mapping[str, Any]], now: int
) -> None:
    """Write when each of some traces is to be brought up, in place of when it was to be."""
    if not wanted:
        return
    ids: Sequence[str] = list(wanted)
    connection.execute(
        delete(prospective_items).where(_p.brain_id == brain_id, _p.trace_id.in_(ids))
    )
    rows = [
        {
            "brain_id": brain_id,
            "trace_id": trace_id,
            **values,
            "fired": 0,
            "last_fired_at": None,
            "done_at": None,
            "created_at": now,
        }
        for trace_id, values in wanted.items()
    ]
    insert_rows(prospective_items, connection, rows)
