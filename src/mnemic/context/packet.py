"""The context packet: standing wishes and recalled traces, ranked, fenced, within a budget."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mnemic.index.embed.count import count_tokens
from mnemic.index.text.features import standing
from mnemic.model.answer import ContextPacket, Hit
from mnemic.model.fence import cite, fenced, one_line

_WHOLE_CHARS = 600
"""A trace up to this length is shown whole, a longer one by the passage that answers."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A trace as it is shown, and how many tokens that takes; a line end is no token."""

    trace_id: str
    text: str
    cost: int


def packed(
    hits: Sequence[Hit], budget_tokens: int, wishes: Sequence[Hit] = (), share: float = 0.0
) -> ContextPacket:
    """A packet of the best hits that fit into the budget, the fence included.

    A hit that does not fit is left out, and a shorter one further down may take its place. Of the
    standing wishes those that the hits do not show stand first, by their sentences alone, as far
    as they fit into their share of the budget.
    """
    room = budget_tokens - count_tokens(fenced(()))
    lines = [_line(hit) for hit in hits]
    by_question = {line.trace_id for line in _fitting(lines, room)}
    besides = (_wish(hit) for hit in wishes if hit.trace.id not in by_question)
    offered = _fitting(besides, min(room, int(share * budget_tokens)))
    taken = {line.trace_id for line in offered}
    room -= sum(line.cost for line in offered)
    shown = [*offered, *_fitting((one for one in lines if one.trace_id not in taken), room)]
    omitted = len({line.trace_id for line in lines} - {line.trace_id for line in shown})
    if not shown:
        return ContextPacket("", (), 0, omitted)
    text = fenced(line.text for line in shown)
    pairs = tuple((line.trace_id, line.text) for line in shown)
    return ContextPacket(text, pairs, count_tokens(text), omitted)


def _fitting(lines: Iterable[_Line], room: int) -> list[_Line]:
    """The lines that fit, in the order given."""
    found = []
    for line in lines:
        if line.cost <= room:
            room -= line.cost
            found.append(line)
    return found


def _line(hit: Hit) -> _Line:
    trace = hit.trace
    text = trace.content if len(trace.content) <= _WHOLE_CHARS else hit.why.passage
    return _said(hit, text, "")


def _wish(hit: Hit) -> _Line:
    """A line for what holds whatever is asked: the sentences that say so."""
    text = standing(hit.trace.content)
    return _said(hit, text if len(text) <= _WHOLE_CHARS else hit.why.passage, "; standing")


def _said(hit: Hit, text: str, mark: str) -> _Line:
    trace = hit.trace
    who = trace.speaker or (trace.role.value if trace.role else "")
    said = f"{trace.time:%Y-%m-%d}" + (f", {one_line(who)}" if who else "") + mark
    line = f"- {cite(trace.id)} ({said}) {one_line(text)}"
    return _Line(trace.id, line, count_tokens(line))
