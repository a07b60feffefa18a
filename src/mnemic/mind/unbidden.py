"""What comes to mind unbidden as a prompt is put together (cognition/mechanisms/involuntary.py)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from sqlalchemy import func

from mnemic.cognition.mechanisms.involuntary import Unbidden, comes_unbidden
from mnemic.cognition.rules import rules_of
from mnemic.model.times import to_ms
from mnemic.model.trace import Trace
from mnemic.retrieve.filters import Filters
from mnemic.store.brain import Brain
from mnemic.store.schema import traces
from mnemic.store.visible import TRACE_COLUMNS, to_trace, visible

_t = traces.c

_MOST = 500
"""Memories that may come, the most charged of those that are old enough."""


def comes(
    brain: Brain, filters: Filters, chance: Callable[[], float], shown: Collection[str]
) -> Trace | None:
    """The memory that comes to mind by itself, if one does.

    Args:
        brain: whose.
        filters: of the reader: only what meets them comes.
        chance: gives numbers from 0 to below 1.
        shown: ids of what is in mind already.
    """
    mind = brain.settings.mind
    if not mind.works(mind.involuntary):
        return None
    rules = rules_of(mind).involuntary
    found: dict[str, Trace] = {}

    def candidates() -> Iterator[Unbidden]:
        """Looked up only if one comes."""
        with brain.read() as connection:
            query = visible(
                brain.id, filters.reach, filters.clocks, *TRACE_COLUMNS, states=filters.states
            )
            query = filters.apply(query).where(
                _t.created_at < filters.now - rules.min_age, _t.archived_at.is_(None)
            )
            intensity = func.abs(_t.valence) * _t.arousal
            query = query.shaped(lambda q: q.order_by(intensity.desc(), _t.id).limit(_MOST))
            rows = query.run(connection).all()
        for row in rows:
            if row.id in shown:
                continue
            one = found[row.id] = to_trace(row)
            made = to_ms(one.created_at)
            yield Unbidden(one.id, one.strength, one.emotion.intensity, made)

    came = comes_unbidden(candidates(), chance, rules, filters.now)
    return None if came is None else found[came.id]
