"""What of the offered lines fits into a budget, and why the rest does not.

The hits have the budget; the other sections have each a share of it that they may fill, and what
they leave goes to the hits. Nothing that fits its share and the budget is left out because
something before it did not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from mnemic.context.offers import Offer, Offers, Words, cost_of
from mnemic.index.embed.count import count_tokens
from mnemic.model.fence import fenced
from mnemic.model.packet import HEADS, Left, Omitted, Section
from mnemic.settings import Context

_TURNS = (
    Section.REMINDERS,
    Section.WISHES,
    Section.WORKING,
    Section.RELATED,
    Section.UNBIDDEN,
    Section.PARTIAL,
)
"""The order in which sections choose, before the hits: a trace goes to the first that has room for
it. Reminders come first, since only there it is told when a thing is due."""

BESIDES = tuple(section for section in _TURNS if section is not Section.WISHES)
"""What there can be besides wishes and hits."""

_ASIDES = (Section.RELATED, Section.UNBIDDEN, Section.PARTIAL)
"""What the hits will show is not shown here instead; nor, as ever, among the wishes."""

_AFTER = (Section.RELATED,)
"""What comes after the hits. Before them, a line of it a packet cost .009 of LoCoMo's questions
their evidence at 1,400 tokens (docs/mechanisms.md)."""

_SHORT = (Section.REMINDERS, *_ASIDES)
_LEAST_SHARE = 10
"""Where the share of a short section holds no line, it may have one of a tenth of the budget."""


def chosen(offers: Offers, budget_tokens: int, settings: Context) -> list[Offer]:
    """The lines that are shown, in the order in which they got their room.

    Where wishes and hits are all that is shown, there are no heads: a head is room for a line.
    """
    room = budget_tokens - count_tokens(fenced(()))
    most = _shares(offers, budget_tokens, settings)
    shown = _packed(offers, room, most, headed=True)
    if any(one.section in BESIDES for one in shown):
        return shown
    wishes = {Section.WISHES: offers.sides[Section.WISHES]}
    return _packed(Offers(offers.hits, wishes), room, most, headed=False)


def omitted(offers: Offers, shown: Sequence[Offer]) -> tuple[Omitted, ...]:
    """Every line that was offered and is not shown, and why."""
    ids, words = {one.trace_id for one in shown}, {one.words for one in shown}
    standing = {(one.trace_id, one.section) for one in shown}

    def reason(one: Offer) -> Left:
        if one.trace_id in ids:
            return Left.SHOWN
        if one.words in words:
            return Left.DUPLICATE
        return Left.ARCHIVED if one.late else Left.BUDGET

    return tuple(
        Omitted(one.trace_id, one.section, reason(one))
        for one in offers.every()
        if (one.trace_id, one.section) not in standing
    )


def _packed(offers: Offers, room: int, most: Mapping[Section, int], *, headed: bool) -> list[Offer]:
    sides = {section: offers.sides.get(section, ()) for section in _TURNS}
    present = [hit for hit in offers.hits if not hit.late]
    # What the graph ties to the hits takes only the room that these leave.
    reserved = {section: () if section in _AFTER else some for section, some in sides.items()}
    ahead = _Packing(room - _kept(reserved, most), headed)
    ahead.add(present)
    packing = _Packing(room, headed)
    for section in _TURNS:
        if section in _AFTER:
            continue
        waits = section in _ASIDES or section is Section.WISHES
        here = (one for one in sides[section] if not (waits and ahead.has(one)))
        packing.add((one for one in here if not one.late), most[section])
    packing.add(present)
    for section in BESIDES:
        packing.add((one for one in sides[section] if not one.late), most[section])
    if all(map(packing.has, present)):
        packing.add(offers.hits)
        for section in BESIDES:
            packing.add(sides[section], most[section])
    return packing.shown


def _shares(offers: Offers, budget_tokens: int, settings: Context) -> dict[Section, int]:
    """The most tokens that the lines of each section besides the hits may take."""
    shares = {
        Section.WISHES: settings.standing_share,
        Section.REMINDERS: settings.reminder_share,
        Section.WORKING: settings.working_share,
        Section.RELATED: settings.related_share,
        Section.PARTIAL: settings.partial_share,
    }
    most = {section: int(share * budget_tokens) for section, share in shares.items()}
    tenth = most[Section.UNBIDDEN] = budget_tokens // _LEAST_SHARE
    for section in _SHORT:
        costs = [one.cost for one in offers.sides[section]]
        if shares.get(section) and costs and min(costs) <= tenth:
            most[section] = max(most[section], min(costs))
    return most


def _kept(sides: Mapping[Section, Sequence[Offer]], most: Mapping[Section, int]) -> int:
    """The room that the sections besides wishes and hits can take at most."""
    return sum(
        min(most[section], sum(one.cost for one in sides[section])) + _head_cost(section)
        for section in BESIDES
        if sides[section]
    )


@cache
def _head_cost(section: Section) -> int:
    return cost_of(HEADS[section])


@dataclass(slots=True)
class _Packing:
    """A packet in the making: what it shows, and the room that is left."""

    room: int
    headed: bool
    shown: list[Offer] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)
    words: set[Words] = field(default_factory=set)
    spent: dict[Section, int] = field(default_factory=dict)

    def has(self, offer: Offer) -> bool:
        """Whether its trace, or one that says the same, is shown."""
        return offer.trace_id in self.ids or offer.words in self.words

    def add(self, offers: Iterable[Offer], most: int | None = None) -> None:
        """Show those that fit, in their order; `most` is the share of their section."""
        for one in offers:
            opens = self.headed and one.section not in self.spent
            whole = one.cost + (_head_cost(one.section) if opens else 0)
            spent = self.spent.get(one.section, 0) + one.cost
            fits = whole <= self.room and (most is None or spent <= most)
            if fits and not self.has(one):
                self.room -= whole
                self.spent[one.section] = spent
                self.shown.append(one)
                self.ids.add(one.trace_id)
                self.words.add(one.words)
