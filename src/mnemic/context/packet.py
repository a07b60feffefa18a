"""The context packet: recalled traces, ranked, fenced, within a budget."""

from __future__ import annotations

from collections.abc import Sequence

from mnemic.index.embed.count import count_tokens
from mnemic.model.answer import ContextPacket, Hit
from mnemic.model.fence import cite, fenced, one_line

_WHOLE_CHARS = 600
"""A trace up to this length is shown whole, a longer one by the passage that answers."""


def packed(hits: Sequence[Hit], budget_tokens: int) -> ContextPacket:
    """A packet of the best hits that fit into the budget, the fence included.

    A hit that does not fit is left out, and a shorter one further down may take its place.
    """
    lines: list[tuple[str, str]] = []
    used = count_tokens(fenced(()))
    for hit in hits:
        line = _line(hit)
        cost = count_tokens(line)  # a line end is no token
        if used + cost <= budget_tokens:
            used += cost
            lines.append((hit.trace.id, line))
    if not lines:
        return ContextPacket("", (), 0, len(hits))
    text = fenced(line for _, line in lines)
    return ContextPacket(text, tuple(lines), count_tokens(text), len(hits) - len(lines))


def _line(hit: Hit) -> str:
    trace = hit.trace
    text = trace.content if len(trace.content) <= _WHOLE_CHARS else hit.why.passage
    who = trace.speaker or (trace.role.value if trace.role else "")
    said = f"{trace.time:%Y-%m-%d}" + (f", {one_line(who)}" if who else "")
    return f"- {cite(trace.id)} ({said}) {one_line(text)}"
