"""Takes a consolidation back: what it merged, wrote, cut and settled, and every number it changed.

What somebody has changed since stays as it is now, and is told.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import Connection, update

from mnemic.consolidate import log
from mnemic.consolidate.bed import ACTOR, Place
from mnemic.consolidate.steps import conflicts, derive, gist, merge
from mnemic.encode.deed import begin
from mnemic.encode.ending import links_of, undo_link
from mnemic.encode.revise import change
from mnemic.encode.revise.case import find, words_of
from mnemic.encode.revise.change import draft_of, validity_of
from mnemic.encode.revise.shorten import put_back
from mnemic.encode.rows import analysed
from mnemic.encode.write import Writer
from mnemic.govern.audit import Chain, Note
from mnemic.model.consolidation import Changed, Consolidated, RunState, StepReport
from mnemic.model.errors import InvalidInput, NotAllowed, NotFound
from mnemic.model.scope import Scope
from mnemic.model.times import from_ms, to_ms
from mnemic.model.trust import READABLE
from mnemic.store.engrams import Cause, Sheet, changes_in, engrams, save
from mnemic.store.mind_schema import edges

NAME = "undo"

_REASON = "the consolidation was undone"
_e = edges.c


def undo(writer: Writer, run: int) -> Consolidated:
    """Take back a run; see `Memory.undo_consolidation`.

    Raises:
        NotFound: there is no such run.
        InvalidInput: it is still running, or was undone before.
    """
    brain, now = writer.brain, to_ms(writer.clock())
    with brain.read() as connection:
        row = log.run_row(connection, brain, run)
    if row is None:
        raise NotFound(f"no consolidation {run!r}; `mnemic consolidate --log` lists them")
    if row.state in (RunState.RUNNING.value, RunState.UNDONE.value):
        raise InvalidInput(f"consolidation {run} is {row.state}; it cannot be undone")
    changed: list[Changed] = []
    for deed in reversed(json.loads(row.deeds)):
        changed.append(_undone(writer, deed))
    with brain.write() as connection:
        changed += _numbers(connection, writer, run, now)
        ties = connection.execute(
            update(edges)
            .where(_e.brain_id == brain.id, _e.run == run, _e.retired_at.is_(None))
            .values(retired_at=now)
        ).rowcount
        log.close_run(connection, brain, run, RunState.UNDONE, now)
        chain = Chain(connection, brain.id, now)
        detail = {"run": run, "changed": len(changed), "ties": ties}
        chain.append(Note(ACTOR, "undo_consolidation", "undone", None, None, detail))
        chain.flush()
    return Consolidated(
        run=run,
        state=RunState.UNDONE,
        dry_run=False,
        started_at=from_ms(now),
        ended_at=writer.clock(),
        steps=(StepReport(NAME, len(changed) + ties),),
        changes=tuple(changed),
    )


def _undone(writer: Writer, deed: Mapping[str, Any]) -> Changed:
    """One deed taken back, as far as nobody has changed it since."""
    place = Place(Scope(deed["scope"]), deed["scope_id"])
    trace_id: str = deed["id"]
    try:
        what = _WAYS[deed["kind"]](writer, place, deed)
    except (NotFound, NotAllowed, InvalidInput) as error:
        what = f"left as it is: {error}"
    return Changed(deed["kind"], trace_id, what)


def _forget(writer: Writer, place: Place, deed: Mapping[str, Any]) -> str:
    change.forget(writer, place.principal, deed["id"], reason=_REASON)
    return "forgotten"


def _split(writer: Writer, place: Place, deed: Mapping[str, Any]) -> str:
    for other in deed["others"]:
        change.restore(writer, place.principal, other, reason=_REASON)
    return f"{len(deed['others'])} doubles are back"


def _unsettle(writer: Writer, place: Place, deed: Mapping[str, Any]) -> str:
    with writer.brain.write() as connection:
        own = begin(connection, writer.brain, place.principal, to_ms(writer.clock()))
        for one in links_of(own, deed["others"][0]):
            if one.from_id == deed["id"] and one.kind == "supersedes":
                undo_link(own, place.reach, one)
        own.flush()
    return "the other one is open again"


def _words_back(writer: Writer, place: Place, deed: Mapping[str, Any]) -> str:
    return rehydrated(writer, place, deed["id"])


def rehydrated(writer: Writer, place: Place, trace_id: str) -> str:
    """Put the words of a gist back; tells what was done."""
    with writer.brain.read() as connection:
        own = begin(connection, writer.brain, place.principal, to_ms(writer.clock()))
        case = find(own, place.reach, trace_id, READABLE)
        if case.row.verbatim_version is None:
            return "left as it is: it is no gist any more"
        text = words_of(case)
        draft = draft_of(case.row, text, validity_of(case.row, {}), own.principal)
    vectors = writer.vectors.make([analysed(draft, writer.brain.settings)])[0]
    with writer.brain.write() as connection:
        own = begin(connection, writer.brain, place.principal, to_ms(writer.clock()))
        again = find(own, place.reach, trace_id, READABLE)
        if again.row.version != case.row.version:
            return "left as it is: somebody has changed it meanwhile"
        put_back(writer, again, vectors)
        own.flush()
    return "its words are back"


_WAYS: dict[str, Callable[[Writer, Place, Mapping[str, Any]], str]] = {
    derive.NAME: _forget,
    merge.NAME: _split,
    conflicts.NAME: _unsettle,
    gist.NAME: _words_back,
}


def _numbers(connection: Connection, writer: Writer, run: int, now: int) -> list[Changed]:
    """Every number that the run changed is what it was, unless it has changed again since."""
    brain = writer.brain
    rows = changes_in(connection, brain.id, run)
    sheet = Sheet(engrams(connection, brain.id, [row.trace_id for row in rows]))
    changed = []
    for row in rows:
        if row.trace_id not in sheet:
            continue
        before, after = json.loads(row.before), json.loads(row.after)
        held = sheet.columns(row.trace_id)
        if any(held[name] != value for name, value in after.items()):
            changed.append(Changed(row.cause, row.trace_id, "left as it is: it has changed since"))
        elif sheet.set(row.trace_id, Cause.UNDONE, **before):
            changed.append(Changed(row.cause, row.trace_id, "as it was before"))
    save(connection, brain.id, sheet.changes, now)
    return changed
