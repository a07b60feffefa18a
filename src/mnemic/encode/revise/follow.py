"""What derives from a trace follows it: nothing outlives what it rests on.

When a trace is rejected, forgotten or erased, what rested on it alone is put away, and what has
other support left returns to review; and so on, until nothing more follows.
"""

from __future__ import annotations

from collections.abc import Iterable

from mnemic.encode.deed import Deed
from mnemic.encode.known import digests_of
from mnemic.encode.revise.case import Case, close_items, find, move, told
from mnemic.govern.review import ItemKind
from mnemic.model.answer import Status
from mnemic.model.scope import Reach, Scope
from mnemic.model.trust import READABLE, SEARCHED, Authority, Event, Trust, sources_of
from mnemic.store.schema import traces
from mnemic.store.types import AnyRow
from mnemic.store.visible import resting_on, supports, visible

_CHUNK = 500


def follow(deed: Deed, trace_ids: Iterable[str]) -> list[str]:
    """Move all that rested on some traces; returns the ids of what was moved."""
    front, done = list(trace_ids), []
    while front:
        rows = dependants(deed, front)
        front = []
        for row in rows:
            case = _case(deed, row)
            if case.trust not in SEARCHED:
                continue
            if _move_on(case, has_support(deed, case.row.id)):
                done.append(case.row.id)
                front.append(case.row.id)
    return done


def reject_twins(case: Case, reason: str | None) -> list[str]:
    """Reject the traces that say what has just been rejected word for word, by the same speaker.

    They are in other conversations, or of another origin. Returns their ids.
    """
    deed, row = case.deed, case.row
    digests = digests_of(deed.brain, case.pair, row.filed_by, row.speaker or row.role, row.content)
    reach = Reach.of([case.place])
    states = set(sources_of(Event.REJECT, deed.principal.authority)) & set(SEARCHED)
    query = visible(deed.brain.id, reach, None, traces.c.id, states=sorted(states), digests=digests)
    found = [one.id for one in query.run(deed.connection) if one.id != row.id]
    rejected = []
    for trace_id in found:
        twin = find(deed, reach, trace_id)
        if twin.is_above:
            continue
        version = move(twin, Event.REJECT, reason)
        told(twin, version, Status.WITHHELD, Event.REJECT.value)
        close_items(twin)
        rejected.append(trace_id)
    return rejected


def dependants(deed: Deed, trace_ids: list[str]) -> list[AnyRow]:
    """What derives from some traces, each once."""
    found: dict[str, AnyRow] = {}
    for at in range(0, len(trace_ids), _CHUNK):
        query = resting_on(deed.brain.id, trace_ids[at : at + _CHUNK])
        found |= {row.id: row for row in deed.connection.execute(query)}
    return list(found.values())


def has_support(deed: Deed, trace_id: str) -> bool:
    """Whether any trace that this one rests on still stands."""
    rows = deed.connection.execute(supports(deed.brain.id, trace_id))
    return any(Trust(row.trust) in READABLE for row in rows)


def _case(deed: Deed, row: AnyRow) -> Case:
    return find(deed, Reach.of([(Scope(row.scope), row.scope_id)]), row.id)


def _move_on(case: Case, supported: bool) -> bool:
    """Put a trace away, or ask a person about it; tells whether it was moved."""
    if supported and case.trust not in READABLE:
        return False  # it waits for a person as it is
    event = Event.SEND_BACK if supported else Event.QUARANTINE
    version = move(case, event, None, authority=Authority.BRAIN)
    told(case, version, Status.WITHHELD, event.value, code=ItemKind.SUPPORT_LOST.value)
    case.deed.queue.open(
        ItemKind.SUPPORT_LOST, case.row.id, (case.row.scope, case.row.scope_id), case.row.digest
    )
    return True
