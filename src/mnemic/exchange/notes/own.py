"""A note that an export wrote of a trace, read again: an edit of it reaches the trace."""

from __future__ import annotations

from mnemic.encode.revise.update import update
from mnemic.encode.write import Writer
from mnemic.exchange.common import NoteOf
from mnemic.exchange.notes.note import hash_of, link_form, tag_form
from mnemic.model.answer import Receipt, Status
from mnemic.model.errors import InvalidInput
from mnemic.model.scope import Principal
from mnemic.model.trace import Draft
from mnemic.store.visible import TRACE_COLUMNS, to_trace, visible


def settle(writer: Writer, principal: Principal, note: NoteOf, draft: Draft) -> Receipt | None:
    """Bring a trace up to its note; None when there is no such trace within reach.

    A note that was not edited changes nothing but for tags and links that were added to it.

    Raises:
        InvalidInput: the note was edited, and so was the trace since it was exported.
    """
    with writer.brain.read() as connection:
        reach = principal.reach()
        query = visible(writer.brain.id, reach, None, *TRACE_COLUMNS, ids=[note.trace_id])
        row = query.run(connection).first()
    if row is None:
        return None
    trace = to_trace(row)
    held = {tag_form(tag) for tag in trace.tags}
    tags = [tag for tag in draft.tags if tag_form(tag) not in held]
    linked = {link_form(entity) for entity in trace.entities}
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
