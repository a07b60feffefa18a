"""What an export wrote of a trace, read again: an edit of a note reaches the trace.

Whatever it says, it says of that trace: if the trace was forgotten or rejected since, an older
wording of it does not come back as something new.
"""

from __future__ import annotations

from mnemic.encode.deed import begin
from mnemic.encode.refusal import refused
from mnemic.encode.resolve import resolve
from mnemic.encode.revise.update import update
from mnemic.encode.write import Writer
from mnemic.exchange.common import NoteOf
from mnemic.exchange.notes.note import hash_of, link_form, tag_form
from mnemic.model.answer import Receipt, Status
from mnemic.model.errors import InvalidInput
from mnemic.model.scope import Principal
from mnemic.model.times import to_ms
from mnemic.model.trace import Draft, Trace
from mnemic.model.trust import READABLE, SEARCHED, Trust
from mnemic.store.visible import TRACE_COLUMNS, to_trace, visible


def settle(writer: Writer, principal: Principal, note: NoteOf, draft: Draft) -> Receipt | None:
    """Bring a trace up to its note; None when there never was such a trace within reach.

    A note that was not edited changes nothing but for tags and links that were added to it.

    Raises:
        InvalidInput: the note was edited, and so was the trace since it was exported.
    """
    with writer.brain.read() as connection:
        reach = principal.reach()
        brain_id, every = writer.brain.id, tuple(Trust)
        query = visible(brain_id, reach, None, *TRACE_COLUMNS, states=every, ids=[note.trace_id])
        row = query.run(connection).first()
    if row is None:
        return None
    trace = to_trace(row)
    if trace.trust not in READABLE:
        return _withheld(writer, principal, trace, draft)
    held = {"", *(tag_form(tag) for tag in trace.tags)}
    tags = [tag for tag in draft.tags if tag_form(tag) not in held]
    linked = {"", *(link_form(entity) for entity in trace.entities)}
    entities = [one for one in draft.entities if link_form(one) not in linked]
    content = None
    present = hash_of(trace.content)
    if note.edited and hash_of(draft.content) != present:
        if note.exported != present:
            raise InvalidInput(
                f"trace {trace.id!r} has changed since this note was exported; export it again "
                "and edit the new note"
            )
        content = draft.content
    if content is None and not tags and not entities:
        return Receipt(Status.REINFORCED, trace, "replay", "known already; left as it is", None)
    return update(
        writer,
        principal,
        trace.id,
        content=content,
        tags=[*trace.tags, *tags],
        entities=[*trace.entities, *entities],
        reason="edited in a note",
    )


def _withheld(writer: Writer, principal: Principal, trace: Trace, draft: Draft) -> Receipt:
    """A trace that no reader is given is not brought back by what it once said."""
    if trace.trust in SEARCHED:
        return Receipt(Status.CANDIDATE, None, "replay", "known already; it waits", None)
    now = to_ms(writer.clock())
    with writer.brain.write() as connection:
        deed = begin(connection, writer.brain, principal, now)
        resolved = resolve(draft, principal, writer.brain.settings, now)
        code = "rejected" if trace.trust is Trust.REJECTED else "forgotten"
        receipt = refused(deed, resolved, code, trace_id=trace.id)
        deed.flush()
    return receipt
