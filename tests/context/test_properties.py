"""What holds for every packet, whatever was found and however small the budget is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic.context import Materials
from mnemic.context.offers import Offer, offered
from mnemic.index.embed.count import count_tokens
from mnemic.model.answer import Hit
from mnemic.model.fence import fenced
from mnemic.model.packet import HEADS, Left, Section, Style
from mnemic.model.trace import Trace, TraceType
from mnemic.settings import Context
from tests.context.made import DAY, SHARES, hit, packet_of, partial, reminder, trace

WORDS = "The ferry to the harbour was late, and Ruth kept her violin dry under a coat of wool."
HITS = (Section.FACTS, Section.EPISODES)
ASIDE = {
    Section.WORKING: SHARES.working_share,
    Section.REMINDERS: SHARES.reminder_share,
    Section.RELATED: SHARES.related_share,
    Section.UNBIDDEN: 0.1,
    Section.PARTIAL: SHARES.partial_share,
}

numbers = st.lists(st.integers(0, 11), unique=True, max_size=10)
styles = st.sampled_from(Style)
budgets = st.integers(1, 700)


@st.composite
def pools(draw: st.DrawFn) -> list[Trace]:
    """Twelve traces, some of which say what another says, or are set aside."""
    return [
        trace(
            at,
            f"{draw(st.sampled_from('abcdefgh'))}: {WORDS[: draw(st.integers(0, 80))]}",
            type=draw(st.sampled_from([TraceType.EPISODIC, TraceType.SEMANTIC])),
            speaker=draw(st.sampled_from(["Noor", "noor", "Ruth"])),
            time=DAY + timedelta(days=draw(st.integers(0, 2))),
            archived_at=draw(st.sampled_from([None, None, DAY])),
            is_gist=draw(st.booleans()),
        )
        for at in range(12)
    ]


@st.composite
def materials(draw: st.DrawFn) -> Materials:
    """Anything that can be found, the same traces in several ways."""
    pool = draw(pools())

    def some() -> list[Trace]:
        return [pool[at] for at in draw(numbers)]

    return Materials(
        hits=[hit(one) for one in some()],
        wishes=[hit(one) for one in some()],
        working=[(one, draw(st.floats(0, 1))) for one in some()],
        reminders=[reminder(one) for one in some()],
        related=[(one, "Ruth") for one in some()],
        unbidden=draw(st.sampled_from([None, *pool])),
        partial=[partial(at) for at in draw(numbers)],
    )


@settings(max_examples=100)
@given(materials(), budgets, styles)
def test_a_packet_keeps_to_its_budget_and_tells_of_every_candidate(
    found: Materials, budget: int, style: Style
) -> None:
    packet = packet_of(found, budget, style)
    assert packet.tokens == count_tokens(packet.text) <= budget
    candidates = [(one.trace_id, one.section) for one in offered(found, style).every()]
    told = [(line.trace_id, line.section) for line in packet.lines]
    told += [(one.trace_id, one.section) for one in packet.omitted]
    assert sorted(told) == sorted(set(candidates)) == sorted(candidates)
    order = [*Section]
    sections = [order.index(line.section) for line in packet.lines]
    assert sections == sorted(sections)
    assert bool(packet.text) is bool(packet.lines)
    if packet.lines:
        rows = packet.text.split("\n")
        assert [row for row in rows[2:-1] if row not in HEADS.values()] == [
            line.text for line in packet.lines
        ]
        assert len(rows) - 3 - len(packet.lines) in (0, len(set(sections)))


@settings(max_examples=100)
@given(materials(), budgets, styles)
def test_every_reason_is_true(found: Materials, budget: int, style: Style) -> None:
    packet = packet_of(found, budget, style)
    offers = {(one.trace_id, one.section): one for one in offered(found, style).every()}
    shown = [offers[line.trace_id, line.section] for line in packet.lines]
    assert len({one.trace_id for one in shown}) == len(shown)
    assert len({one.words for one in shown}) == len(shown)
    room = budget - count_tokens(fenced(())) - sum(one.cost for one in shown) - heads(shown)
    for one in packet.omitted:
        offer = offers[one.trace_id, one.section]
        repeated = offer.words in {other.words for other in shown}
        if one.reason is Left.SHOWN:
            assert offer.trace_id in {other.trace_id for other in shown}
        elif one.reason is Left.DUPLICATE:
            assert repeated
        elif one.reason is Left.ARCHIVED:
            assert offer.late
        else:
            assert not offer.late
            assert not repeated
            assert_no_room(offer, shown, room, budget)
    in_vain = {one.reason for one in packet.omitted if one.section in HITS}
    if any(one.late for one in shown):
        assert Left.BUDGET not in in_vain


def assert_no_room(offer: Offer, shown: Sequence[Offer], room: int, budget: int) -> None:
    """A line that is left out would not have fitted, or not into the share of its section."""
    if offer.section is Section.WISHES:
        return  # those are as ever; see below
    headed = any(one.section in ASIDE for one in shown) or offer.section in ASIDE
    opened = any(one.section is offer.section for one in shown)
    cost = offer.cost + (count_tokens(HEADS[offer.section]) if headed and not opened else 0)
    if offer.section in HITS:
        assert cost > room
        return
    spent = sum(one.cost for one in shown if one.section is offer.section)
    assert cost > room or spent + offer.cost > int(ASIDE[offer.section] * budget)


def heads(shown: Iterable[Offer]) -> int:
    """What the heads of these take."""
    sections = {one.section for one in shown}
    if sections.isdisjoint(ASIDE):
        return 0
    return sum(count_tokens(HEADS[section]) for section in sections)


@settings(max_examples=100)
@given(
    st.lists(st.integers(0, 80), min_size=12, max_size=12),
    numbers,
    numbers,
    st.integers(1, 500),
    st.sampled_from([0.0, 0.1, 0.5, 1.0]),
)
def test_of_hits_and_wishes_alone_the_same_are_shown_as_ever(
    lengths: list[int], hits: list[int], wishes: list[int], budget: int, share: float
) -> None:
    """Wishes that the hits do not show, within their share; then the hits, as they fit."""
    pool = [hit(trace(at, f"Text {at} {WORDS[:long]}")) for at, long in enumerate(lengths)]
    found = Materials([pool[at] for at in hits], [pool[at] for at in wishes])
    packet = packet_of(found, budget, shares=Context(standing_share=share))
    assert set(packet.ids) == as_ever(found.hits, found.wishes, budget, share)


def as_ever(hits: Sequence[Hit], wishes: Sequence[Hit], budget: int, share: float) -> set[str]:
    """The rule of packets from before there was more in them than hits and wishes."""
    costs = {one.trace.id: count_tokens(packet_of(Materials([one])).lines[0].text) for one in hits}
    dear = {
        one.trace.id: count_tokens(packet_of(Materials(wishes=[one])).lines[0].text)
        for one in wishes
    }
    room = budget - count_tokens(fenced(()))
    by_question = fitting(costs, room)
    besides = {of: cost for of, cost in dear.items() if of not in by_question}
    offered = fitting(besides, min(room, int(share * budget)))
    room -= sum(dear[of] for of in offered)
    rest = {of: cost for of, cost in costs.items() if of not in offered}
    return {*offered, *fitting(rest, room)}


def fitting(costs: dict[str, int], room: int) -> list[str]:
    """Those that fit, in the order given."""
    found = []
    for of, cost in costs.items():
        if cost <= room:
            room -= cost
            found.append(of)
    return found
