"""What is not stored, and why: a receipt, an audit entry, a line of the ledger."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from mnemic.encode.deed import Deed, ledger_entry
from mnemic.encode.resolve import Resolved
from mnemic.govern.audit import Chain, Note
from mnemic.govern.ledger import Verdict
from mnemic.model.answer import Receipt, Status
from mnemic.model.errors import NotAllowed
from mnemic.model.scope import Caller
from mnemic.model.times import Clock, to_ms
from mnemic.store.brain import Brain

MESSAGES = {
    "recalled": "this text was recalled from this brain; it is not learned again",
    "rejected": "this value was rejected in this scope and stays rejected; "
    "a reviewer can lift that (Memory.reviewer)",
    "forgotten": "this text, or its user, was forgotten and does not come back by itself; "
    "restore the trace, or have a reviewer readmit the user",
    "quarantined": "this text was put away by a reviewer; a reviewer can approve it",
    "superseded": "another trace stands in the place of this text",
    "source": "what it rests on is withheld, was rejected, or is not within reach",
    "frozen": "this brain, or this scope of it, takes no writes while it is frozen",
    "organization_scope": "an agent, a tool or an import files nothing for a whole organization",
    "conflict": "the trace was changed by somebody else meanwhile; read it again",
    "other_user": "the trace was filed by another user, who alone can change it",
    "verified": "a reviewer has verified the trace; an agent or a tool cannot change it",
}
"""What each reason code of a refusal says."""


@contextmanager
def denials(
    brain: Brain, principal: Caller, clock: Clock, action: str, trace_id: str | None = None
) -> Iterator[None]:
    """What a caller tries and may not do is in the audit log, though nothing comes of it."""
    try:
        yield
    except NotAllowed:
        with brain.write() as connection:
            chain = Chain(connection, brain.id, to_ms(clock()))
            chain.append(Note(principal.actor, action, "denied", trace_id))
            chain.flush()
        raise


def refused(
    deed: Deed, draft: Resolved, reason: str, action: str = "remember", trace_id: str | None = None
) -> Receipt:
    """Nothing is stored; the audit log and the ledger say so."""
    detail = {"scope": draft.scope.value}
    seq = deed.chain.append(Note(draft.actor, action, "refused", trace_id, reason, detail))
    entry = ledger_entry(action, draft, Verdict.REJECTED, trace_id=trace_id, reason=reason)
    number = deed.ledger.append(entry)
    return Receipt(Status.REFUSED, None, reason, MESSAGES[reason], seq, number)
