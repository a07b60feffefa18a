"""What becomes of a proposed change of personality: a person accepts or declines it."""

from __future__ import annotations

from mnemic.encode.deed import Deed
from mnemic.govern.audit import Note
from mnemic.model.errors import NotFound
from mnemic.model.insight import DriftProposal
from mnemic.model.scope import Reach
from mnemic.model.times import from_ms
from mnemic.store import persona
from mnemic.store.types import AnyRow

ACCEPTED, DECLINED = "accepted", "declined"


def decide(deed: Deed, reach: Reach | None, number: int, state: str) -> DriftProposal:
    """Accept or decline an open proposal within a reach, or anywhere for None.

    Raises:
        NotFound: none of this number waits there.
    """
    rows = persona.proposals(deed.connection, deed.brain.id, reach)
    row = next((one for one in rows if one.id == number), None)
    if row is None:
        raise NotFound(f"no proposal {number!r} waits for a decision")
    actor = deed.principal.actor
    persona.decide(deed.connection, deed.brain.id, number, state, actor, deed.now)
    detail = {"proposal": number, "trait": row.trait, "delta": row.delta}
    deed.chain.append(Note(actor, "persona", state, None, None, detail))
    return told(row)


def told(row: AnyRow) -> DriftProposal:
    """A proposal as a person sees it."""
    return DriftProposal(
        number=row.id,
        scope=row.scope,
        scope_id=row.scope_id,
        trait=row.trait,
        delta=row.delta,
        value=row.value,
        reason=row.reason,
        traces=row.traces,
        opened_at=from_ms(row.opened_at),
    )
