"""The personality that a scope id has come to: the brain's own, and what was accepted since."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import Connection, func, select

from mnemic.model.mind import Personality
from mnemic.store.mind_schema import persona_proposals

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
