"""The context packet: what was found, chosen, written and fenced, within a budget.

What holds for every packet: its text keeps to the budget, fence and heads included; it is fenced
as data, in which each line that is no head cites its trace; a trace and what it says stand in it
once; and whatever was a candidate and is not in it is told of with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable

from mnemic.context.materials import Materials
from mnemic.context.offers import offered
from mnemic.context.packing import BESIDES, chosen, omitted
from mnemic.index.embed.count import count_tokens
from mnemic.model.fence import fenced
from mnemic.model.packet import HEADS, ContextPacket, Line, Section, Style
from mnemic.settings import Context

_PLACES = {section: place for place, section in enumerate(Section)}


def assemble(
    materials: Materials, budget_tokens: int, style: Style, settings: Context
) -> ContextPacket:
    """A packet of what fits into a budget: the hits, and of the rest what its shares hold.

    Args:
        materials: what was found.
        budget_tokens: most tokens of its text, counted by the packaged tokenizer.
        style: how the lines are written.
        settings: the shares.
    """
    offers = offered(materials, style)
    shown = chosen(offers, budget_tokens, settings)
    left = omitted(offers, shown)
    lines = in_order(Line(one.trace_id, one.text, one.section) for one in shown)
    text = written(lines)
    return ContextPacket(text, lines, count_tokens(text), left, style)


def in_order(lines: Iterable[Line]) -> tuple[Line, ...]:
    """Lines by their sections, within each as they were."""
    return tuple(sorted(lines, key=lambda line: _PLACES[line.section]))


def written(lines: Iterable[Line]) -> str:
    """Lines that stand in order as one fenced text; with heads, if they are more than hits."""
    standing = tuple(lines)
    headed = any(line.section in BESIDES for line in standing)
    rows: list[str] = []
    last = None
    for line in standing:
        if headed and line.section is not last:
            rows.append(HEADS[line.section])
        rows.append(line.text)
        last = line.section
    return fenced(rows) if rows else ""
