"""How memories stand at an instant: strength, next fade, next reinforcement."""

from __future__ import annotations

from mnemic.cognition import decay
from mnemic.cognition.rules import rules_of
from mnemic.model.errors import NotFound
from mnemic.model.ids import checked_trace_id
from mnemic.model.insight import Strength
from mnemic.model.scope import Reach
from mnemic.model.times import Clocks, maybe_from_ms
from mnemic.store.brain import Brain
from mnemic.store.engrams import engram
from mnemic.store.schema import traces
from mnemic.store.types import AnyRow
from mnemic.store.visible import TRACE_COLUMNS, to_trace, visible

_t = traces.c
_WHOLE = (*TRACE_COLUMNS, _t.reinforcement_interval, _t.next_reinforcement_at)


def standing(brain: Brain, reach: Reach, now: int, limit: int, *, weakest: bool) -> list[Strength]:
    """How the memories of a reach stand, the strongest or the weakest of them first.

    Args:
        brain: whose memories.
        reach: which of them.
        now: the instant, in milliseconds.
        limit: most of them.
        weakest: begin with those that fade.
    """
    with brain.read() as connection:
        query = visible(brain.id, reach, Clocks(now, None), *_WHOLE)
        found = [_strength(brain, row, now) for row in query.run(connection)]
    found.sort(key=lambda one: (one.now if weakest else -one.now, one.trace.id))
    return found[:limit]


def of(brain: Brain, reach: Reach, trace_id: str, now: int) -> Strength:
    """How one memory stands."""
    with brain.read() as connection:
        query = visible(brain.id, reach, None, *_WHOLE, ids=[checked_trace_id(trace_id)])
        row = query.run(connection).first()
    if row is None:
        raise NotFound(f"no trace {trace_id!r} within reach")
    return _strength(brain, row, now)


def _strength(brain: Brain, row: AnyRow, now: int) -> Strength:
    mind = brain.settings.mind
    one = engram(row)
    if not mind.works(mind.decay):
        return Strength(to_trace(row), one.strength, None, maybe_from_ms(one.due_at))
    threshold = rules_of(mind).pruning.strength
    return Strength(
        trace=to_trace(row),
        now=decay.strength_at(one, now),
        fades_at=maybe_from_ms(decay.fades_at(one, threshold)),
        due_at=maybe_from_ms(one.due_at),
    )
