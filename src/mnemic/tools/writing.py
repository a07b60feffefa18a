"""The tools that write: memory_add, memory_update, memory_delete, memory_merge, memory_correct."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mnemic.model.answer import Status
from mnemic.model.errors import NotAllowed
from mnemic.model.trace import TraceType
from mnemic.tools import shapes
from mnemic.tools.schema import many, record, string
from mnemic.tools.spec import Spec

if TYPE_CHECKING:
    from mnemic.bound import BoundMemory

_MOST_MERGED = 100
_CONTENT = shapes.MOST_CONTENT_CHARS


def _add(bound: BoundMemory, given: dict[str, Any]) -> dict[str, Any]:
    # No scope is the caller's own: the user, or the narrowest axis of a caller who is no user.
    receipt = bound.remember(
        given["content"], type=given["type"], scope=given.get("scope"), tags=given["tags"]
    )
    trace_id = None if receipt.trace is None else receipt.trace.id
    return {"traceId": trace_id, **shapes.outcome(receipt)}


ADD = Spec(
    name="memory_add",
    title="Remember",
    description=(
        "Store one new memory, so that later conversations can find it. Use it when you learn "
        "something that will matter again: a fact about the user (type semantic), what happened "
        "in a conversation (episodic), how something is done (procedural), a task for later "
        "(prospective), how people or things relate (relational). Store one statement at a time, "
        "in words that make sense without the conversation. Do not use it for what "
        "memory_search already finds: use memory_update or memory_correct there. The same text "
        "again is stored once. Look at status: 'candidate' waits for a person, 'refused' was not "
        "stored, and reason says why."
    ),
    input_schema=record(
        {
            "content": string("The text to remember.", least=1, most=_CONTENT),
            "type": shapes.types("The kind of memory.", default=TraceType.EPISODIC.value),
            "scope": shapes.scopes(
                "Who can find it again: the user (the default), this thread of the user only, "
                "this persona, or the whole organization. Whose ids these are is fixed by the "
                "program that runs you."
            ),
            "tags": shapes.tags("Labels of your own, to filter by.", default=[]),
        },
        ["content"],
    ),
    output_schema=record({"traceId": shapes.MAYBE, **shapes.OUTCOME}, ["traceId", *shapes.OUTCOME]),
    run=_add,
    read_only=False,
    destructive=False,
    idempotent=True,
)


def _update(bound: BoundMemory, given: dict[str, Any]) -> dict[str, Any]:
    content, tags = given.get("content"), given.get("tags")
    if content is None and tags is None:
        message = "nothing to update: give content, tags or both"
        return {"updated": False, **shapes.refusal("nothing_given", message)}
    trace_id = given["traceId"]
    return shapes.tried(
        "updated", Status.UPDATED, lambda: bound.update(trace_id, content=content, tags=tags)
    )


UPDATE = Spec(
    name="memory_update",
    title="Update a memory",
    description=(
        "Give a memory new text, new tags, or both; what you leave out stays. Use it when a "
        "memory was right and is outdated or incomplete. When it was wrong, use memory_correct, "
        "so that the wrong value stays rejected. The text is replaced as a whole: say all that "
        "still holds. updated is false when nothing was changed, and reason says why: not_found "
        "(no such memory of this user), frozen, verified (only a person may change it), conflict "
        "(changed meanwhile: search again), or status 'candidate' (a person decides first)."
    ),
    input_schema=record(
        {
            "traceId": shapes.trace_id_of("update"),
            "content": string("The new text, in place of the old.", least=1, most=_CONTENT),
            "tags": shapes.tags("The new tags, in place of all old ones; [] takes them off."),
        },
        ["traceId"],
    ),
    output_schema=record({"updated": shapes.YES, **shapes.OUTCOME}, ["updated", *shapes.OUTCOME]),
    run=_update,
    read_only=False,
    destructive=True,
    idempotent=True,
)


def _delete(bound: BoundMemory, given: dict[str, Any]) -> dict[str, Any]:
    return shapes.tried("deleted", Status.FORGOTTEN, lambda: bound.forget(given["traceId"]))


DELETE = Spec(
    name="memory_delete",
    title="Forget",
    description=(
        "Take one memory out of every search. Use it when the user asks you to forget "
        "something, or when a memory is harmful or no longer of use. A person can bring it back; "
        "nothing is erased for good. When it is merely wrong and you know what is right, use "
        "memory_correct. deleted is false when there is no such memory of this user, or when it "
        "may not be taken away, and reason says which."
    ),
    input_schema=record({"traceId": shapes.trace_id_of("forget")}, ["traceId"]),
    output_schema=record({"deleted": shapes.YES, **shapes.OUTCOME}, ["deleted", *shapes.OUTCOME]),
    run=_delete,
    read_only=False,
    destructive=True,
    idempotent=True,
)


def _merge(bound: BoundMemory, given: dict[str, Any]) -> dict[str, Any]:
    named = [*dict.fromkeys(given["traceIds"])]
    try:
        merged = bound.merge(named, content=given.get("mergedContent"))
    except NotAllowed as error:
        refused = shapes.refusal("not_allowed", str(error))
        return {"survivorId": None, "deletedIds": [], **refused}
    survivor = None if merged.survivor is None else merged.survivor.id
    outcome = shapes.outcome(merged.receipt)
    return {"survivorId": survivor, "deletedIds": [*merged.forgotten], **outcome}


MERGE = Spec(
    name="memory_merge",
    title="Merge memories",
    description=(
        "Make one memory of several. Use it when memory_search gives two or more that say the same "
        "thing. The one that was recalled most often stays (the first of traceIds if they are "
        "equal), takes the merged text, the tags of all and their counts together; the others are "
        "forgotten. Give mergedContent with one sentence that says it all; without it the texts "
        "are joined by ' | '. Do not merge memories that merely share a topic. It fails when fewer "
        "than two of the ids are memories of this user; survivorId is null when it was refused."
    ),
    input_schema=record(
        {
            "traceIds": many(
                "The ids of the memories, as memory_search gave them.",
                string("An id.", least=1, most=256),
                least=2,
                most=_MOST_MERGED,
            ),
            "mergedContent": string("What the merged memory says.", least=1, most=_CONTENT),
        },
        ["traceIds"],
    ),
    output_schema=record(
        {"survivorId": shapes.MAYBE, "deletedIds": shapes.TEXTS, **shapes.OUTCOME},
        ["survivorId", "deletedIds", *shapes.OUTCOME],
    ),
    run=_merge,
    read_only=False,
    destructive=True,
    idempotent=False,
)


def _correct(bound: BoundMemory, given: dict[str, Any]) -> dict[str, Any]:
    return shapes.tried(
        "corrected",
        Status.CORRECTED,
        lambda: bound.correct(given["traceId"], given["content"], reason=given["reason"]),
    )


CORRECT = Spec(
    name="memory_correct",
    title="Correct a memory",
    description=(
        "Put right a memory that is wrong. The wrong value stays rejected: it does not come back "
        "when somebody says it again. Use it when the user tells you that something you "
        "remembered is not so; use memory_update when it was true and has changed. Give the whole "
        "text as it should be, and a short reason for the history. corrected is false when "
        "nothing was changed, and reason says why."
    ),
    input_schema=record(
        {
            "traceId": shapes.trace_id_of("correct"),
            "content": string("What is right, as a whole text.", least=1, most=_CONTENT),
            "reason": string("Why, in a few words.", least=1, most=shapes.MOST_REASON_CHARS),
        },
        ["traceId", "content", "reason"],
    ),
    output_schema=record(
        {"corrected": shapes.YES, **shapes.OUTCOME}, ["corrected", *shapes.OUTCOME]
    ),
    run=_correct,
    read_only=False,
    destructive=True,
    idempotent=True,
)

SPECS = (ADD, UPDATE, DELETE, MERGE, CORRECT)
