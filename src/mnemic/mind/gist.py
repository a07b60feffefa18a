"""The words of memories that were cut down to their gist (consolidate/steps/gist.py)."""

from __future__ import annotations

from mnemic.encode.deed import begin
from mnemic.encode.revise.case import Case, find, words_of
from mnemic.encode.revise.change import draft_of, validity_of
from mnemic.encode.revise.shorten import GIST, put_back
from mnemic.encode.rows import analysed
from mnemic.encode.write import Writer
from mnemic.govern.audit import Note
from mnemic.model.insight import Rehydrated
from mnemic.model.scope import Principal
from mnemic.model.times import from_ms, to_ms
from mnemic.model.trust import READABLE
from mnemic.store.visible import versions_of


def rehydrate(
    writer: Writer, principal: Principal, trace_id: str, *, restore: bool
) -> Rehydrated | None:
    """The words of a gist; None for a trace that is none. That it was asked for is logged.

    Raises:
        NotFound: there is none of this id within reach.
    """
    with writer.brain.read() as connection:
        deed = begin(connection, writer.brain, principal, to_ms(writer.clock()))
        case = find(deed, principal.reach(), trace_id, READABLE)
        if case.row.verbatim_version is None:
            return None
        text, since = words_of(case), _since(case)
        draft = draft_of(case.row, text, validity_of(case.row, {}), principal)
    vectors = None
    if restore:
        vectors = writer.vectors.make([analysed(draft, writer.brain.settings)])[0]
    with writer.brain.write() as connection:
        deed = begin(connection, writer.brain, principal, to_ms(writer.clock()))
        again = find(deed, principal.reach(), trace_id, READABLE)
        if restore and again.row.version == case.row.version:
            put_back(writer, again, vectors)
        else:
            deed.chain.append(Note(principal.actor, "rehydrate", "read", trace_id))
        deed.flush()
    return Rehydrated(trace_id, text, from_ms(since))


def _since(case: Case) -> int:
    """When a trace was cut down."""
    rows = versions_of(case.deed.brain.id, case.reach, case.row.id).run(case.deed.connection)
    return max(int(row.recorded_at) for row in rows if row.cause == GIST)
