"""The personality that a scope id has come to: the brain's own, and what was accepted since.

A change is proposed by consolidation (consolidate/steps/drift.py), and a person decides.
"""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import Connection, false, func, or_, select, update

from mnemic.model.mind import Personality
from mnemic.model.scope import Reach
from mnemic.store.mind_schema import persona_proposals
from mnemic.store.types import AnyRow

_p = persona_proposals.c


def personality_in(
    connection: Connection, brain_id: str, pair: tuple[str, str], base: Personality
) -> Personality:
    """The personality in a scope id.

    Args:
        connection: to the brain.
        brain_id: which one.
        pair: scope and scope id.
        base: the brain's own.
    """
    query = (
        select(_p.trait, func.sum(_p.delta))
        .where(
            _p.brain_id == brain_id,
            _p.scope == pair[0],
            _p.scope_id == pair[1],
            _p.state == "accepted",
        )
        .group_by(_p.trait)
    )
    moved = {
        trait: min(1.0, max(0.0, getattr(base, trait) + delta))
        for trait, delta in connection.execute(query)
    }
    return replace(base, **moved)


def proposals(
    connection: Connection, brain_id: str, reach: Reach | None, state: str = "open"
) -> list[AnyRow]:
    """The proposals of a reach, or of the whole brain, in one state, in their order."""
    query = select(persona_proposals).where(_p.brain_id == brain_id, _p.state == state)
    if reach is not None:
        places = [
            (_p.scope == scope.value) & (_p.scope_id == scope_id) for scope, scope_id in reach
        ]
        query = query.where(or_(false(), *places))
    return list(connection.execute(query.order_by(_p.id)))


def decide(
    connection: Connection, brain_id: str, number: int, state: str, reviewer: str, now: int
) -> None:
    """A person has accepted or declined a proposal."""
    connection.execute(
        update(persona_proposals)
        .where(_p.brain_id == brain_id, _p.id == number)
        .values(state=state, decided_at=now, reviewer=reviewer)
    )
