"""What is not stored, and why: a receipt, an audit entry, a line of the ledger."""

from __future__ import annotations

from mnemic.encode.deed import Deed, ledger_entry
from mnemic.encode.resolve import Resolved
from mnemic.govern.audit import Note
from mnemic.govern.ledger import Verdict
from mnemic.model.answer import Receipt, Status

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


def refused(
    deed: Deed, draft: Resolved, reason: str, action: str = "remember", trace_id: str | None = None
) -> Receipt:
    """Nothing is stored; the audit log and the ledger say so."""
    detail = {"scope": draft.scope.value}
    seq = deed.chain.append(Note(draft.actor, action, "refused", trace_id, reason, detail))
    entry = ledger_entry(action, draft, Verdict.REJECTED, trace_id=trace_id, reason=reason)
    number = deed.ledger.append(entry)
    return Receipt(Status.REFUSED, None, reason, MESSAGES[reason], seq, number)
