"""Where a trace stands in a packet, what waits for room, and what is left out for which reason."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from mnemic.context import Materials
from mnemic.index.embed.count import count_tokens
from mnemic.model.fence import fenced
from mnemic.model.packet import HEADS, Left, Section
from mnemic.settings import Context
from tests.context.made import (
    DAY,
    fact,
    hit,
    id_of,
    of_hits,
    one_line_of,
    packet_of,
    partial,
    places,
    reminder,
    trace,
    why_not,
)

WISH = trace(1, "Always write dates as day and month.")
MIND = trace(2, "The deadline of the grant is near.")
FACT = fact(3, "The grant pays for two violins.")
EPISODE = trace(4, "We spoke of the grant on the ferry.")
TASK = trace(5, "Send the budget of the grant to Olu.")
NEIGHBOUR = trace(6, "Olu keeps the books of the orchestra.")
UNBIDDEN = trace(7, "The rain on the harbour in the spring.")
WISH_LATE = trace(40, "Always write dates as day and month.")
MIND_LATE = trace(41, "The deadline of the grant is near, and so is the ferry.")
ALL = Materials(
    hits=[hit(EPISODE), hit(FACT)],
    wishes=[hit(WISH)],
    working=[(MIND, 0.9)],
    reminders=[reminder(TASK)],
    related=[(NEIGHBOUR, "Olu")],
    unbidden=UNBIDDEN,
    partial=[partial(8, entities=("Ruth",))],
)


def test_sections_stand_in_their_order_each_under_its_head() -> None:
    packet = packet_of(ALL)
    assert places(packet) == [(at, section.value) for at, section in enumerate(Section, 1)]
    _, _, *rows, _ = packet.text.split("\n")
    assert rows[::2] == [*HEADS.values()]
    assert rows[1::2] == [line.text for line in packet.lines]
    assert packet.omitted == ()
    assert packet.tokens == count_tokens(packet.text)


def test_hits_and_wishes_alone_need_no_heads() -> None:
    packet = packet_of(
        replace(ALL, working=(), reminders=(), related=(), unbidden=None, partial=())
    )
    assert places(packet) == [(1, "wishes"), (3, "facts"), (4, "episodes")]
    assert packet.text == fenced(line.text for line in packet.lines)
    assert not any(head in packet.text for head in HEADS.values())


def test_nor_do_they_where_nothing_else_has_room() -> None:
    """What would be shown besides costs nothing when it is not shown."""
    hits = of_hits(EPISODE, FACT)
    alone = packet_of(hits)
    busy = replace(hits, related=[(trace(9, "word " * 200, speaker="a " * 90), "x")])
    packet = packet_of(busy, alone.tokens)
    assert packet.text == alone.text
    assert why_not(packet) == {(9, "related"): Left.BUDGET}
    assert len(packet_of(busy).lines) == 3


def test_nothing_at_all_is_no_text() -> None:
    packet = packet_of(Materials())
    assert (packet.text, packet.lines, packet.tokens, packet.omitted) == ("", (), 0, ())


def test_what_is_in_mind_stands_there_and_not_among_the_hits() -> None:
    packet = packet_of(of_hits(FACT, MIND, working=[(MIND, 0.9), (FACT, 0.3)]))
    assert places(packet) == [(2, "working"), (3, "working")]
    assert why_not(packet) == {(3, "facts"): Left.SHOWN, (2, "episodes"): Left.SHOWN}


def test_the_most_active_stands_first() -> None:
    packet = packet_of(Materials(working=[(FACT, 0.2), (MIND, 0.9), (EPISODE, 0.5)]))
    assert [at for at, _ in places(packet)] == [2, 4, 3]


def test_a_share_that_is_full_leaves_a_trace_to_the_hits() -> None:
    crowd = [trace(at, f"The grant has a page number {at}, " + "and more " * 9) for at in range(9)]
    packet = packet_of(of_hits(*crowd, working=[(one, 0.5) for one in crowd]), 400)
    told = [section for _, section in places(packet)]
    assert told[0] == "working"
    assert told[-1] == "episodes"
    spent = sum(count_tokens(line.text) for line in packet.of("working"))
    assert spent <= 0.15 * 400
    assert set(why_not(packet).values()) == {Left.SHOWN, Left.BUDGET}


@pytest.mark.parametrize("kind", ["related", "unbidden", "partial"])
def test_what_the_hits_show_is_not_shown_besides(kind: str) -> None:
    given = {
        "related": Materials(related=[(FACT, "Olu")]),
        "unbidden": Materials(unbidden=FACT),
        "partial": Materials(partial=[partial(3)]),
    }[kind]
    assert places(packet_of(given)) == [(3, kind)]
    packet = packet_of(replace(given, hits=[hit(FACT)]))
    assert places(packet) == [(3, "facts")]
    assert why_not(packet) == {(3, kind): Left.SHOWN}


def test_what_is_due_says_so_whatever_else_it_is() -> None:
    """A line among the hits would not tell when."""
    packet = packet_of(of_hits(TASK, reminders=[reminder(TASK)], working=[(TASK, 1.0)]))
    assert places(packet) == [(5, "reminders")]
    assert "; due 2026-06-03 09:00 UTC) " in one_line_of(packet, Section.REMINDERS)
    assert set(why_not(packet).values()) == {Left.SHOWN}


@pytest.mark.parametrize(
    "again",
    [
        "the grant PAYS for two violins",
        "“The grant pays for two violins”!",
        "The  grant pays, for two violins.",
    ],
)
def test_the_same_words_are_shown_once(again: str) -> None:
    packet = packet_of(of_hits(FACT, EPISODE, fact(9, again)))
    assert places(packet) == [(3, "facts"), (4, "episodes")]
    assert why_not(packet) == {(9, "facts"): Left.DUPLICATE}
    other = packet_of(of_hits(FACT, EPISODE, fact(9, "The grant pays for three violins.")))
    assert len(other.lines) == 3


def test_long_texts_are_the_same_by_their_words_and_marks() -> None:
    long = "The grant pays for two violins, and the ferry is late. " * 30
    assert len(packet_of(of_hits(fact(1, long), fact(2, f" {long.upper()}"))).lines) == 1
    assert len(packet_of(of_hits(fact(1, long), fact(2, long.replace(",", "")))).lines) == 2


def test_the_same_words_of_another_person_say_something_else() -> None:
    mine, hers = fact(1, "I live in Rome"), fact(2, "I live in Rome", speaker="Ruth")
    assert len(packet_of(of_hits(mine, hers)).lines) == 2
    assert len(packet_of(of_hits(mine, replace(hers, speaker="Noor"))).lines) == 1


def test_of_the_same_words_on_several_days_one_line_tells_all() -> None:
    days = [trace(at, "My head hurts.", time=DAY + timedelta(days=at)) for at in range(6)]
    packet = packet_of(of_hits(*days))
    assert places(packet) == [(0, "episodes")]
    assert packet.lines[0].text.endswith(
        "(2026-06-01, Noor; also 2026-06-04, 2026-06-05, 2026-06-06) My head hurts."
    )
    assert "also" not in packet_of(of_hits(days[0], replace(days[1], time=DAY))).text


def test_two_reminders_of_the_same_words_are_for_two_hours() -> None:
    evening = datetime(2026, 6, 3, 21, tzinfo=UTC)
    pills = [trace(1, "Take the pill"), trace(2, "Take the pill")]
    both = [reminder(pills[0]), reminder(pills[1], at=evening)]
    assert len(packet_of(Materials(reminders=both)).lines) == 2
    assert len(packet_of(Materials(reminders=[both[0], reminder(pills[1])])).lines) == 1


def test_what_is_set_aside_takes_no_room() -> None:
    old = [trace(at, f"A grant {at}", archived_at=DAY) for at in (1, 2)]
    new = [trace(at, f"By now the grant of the orchestra is number {at}") for at in (3, 4, 5)]
    hits = of_hits(*old, *new)
    packet = packet_of(hits)
    assert [at for at, _ in places(packet)] == [3, 4, 5, 1, 2]
    for budget in range(30, packet.tokens):
        small = packet_of(hits, budget)
        left = why_not(small)
        assert left
        assert {left[at, "episodes"] for at in (1, 2) if (at, "episodes") in left} <= {
            Left.ARCHIVED
        }
        if {(1, "episodes"), (2, "episodes")} & {*places(small)}:
            assert Left.BUDGET not in left.values()
    last = packet.lines[-1].text
    assert packet_of(of_hits(*new), packet.tokens - 2 * count_tokens(last)).omitted == ()
    both = packet_of(Materials([hit(FACT)], working=[(old[0], 0.9)], related=[(old[1], "x")]))
    assert places(both) == [(1, "working"), (3, "facts"), (2, "related")]
    crowd = [trace(at, f"By now the grant is number {at} of many") for at in range(10, 50)]
    full = packet_of(of_hits(*crowd, working=[(old[0], 0.9)], related=[(old[1], "x")]), 800)
    assert {why_not(full)[1, "working"], why_not(full)[2, "related"]} == {Left.ARCHIVED}


@pytest.mark.parametrize("name", ["working", "reminder", "related", "partial"])
def test_a_share_of_nothing_switches_a_section_off(name: str) -> None:
    section = Section.REMINDERS if name == "reminder" else Section(name)
    assert packet_of(ALL).of(section)
    packet = packet_of(ALL, shares=Context.model_validate({f"{name}_share": 0.0}))
    assert packet.of(section) == ()
    assert [one.reason for one in packet.omitted if one.section is section] == [Left.BUDGET]
    assert len(packet.lines) == 7


def test_a_short_section_may_have_one_line_of_a_tenth() -> None:
    """At the usual budget a twentieth holds no line at all."""
    done = [
        reminder(trace(at, f"Send the budget to number {at}, and a copy of it")) for at in range(4)
    ]
    shares = Context(reminder_share=0.01)
    assert len(packet_of(Materials(reminders=done), 800, shares=shares).lines) == 1
    assert len(packet_of(Materials(reminders=done), 250, shares=shares).lines) == 0
    assert len(packet_of(Materials(reminders=done), 12_000, shares=shares).lines) == 2


def test_what_is_left_out_is_counted_by_reason() -> None:
    packet = packet_of(of_hits(FACT, fact(9, FACT.content), MIND, working=[(MIND, 0.9)]))
    assert packet.left_out == {"duplicate": 1}
    assert packet.ids == (id_of(2), id_of(3))
    nothing = packet_of(of_hits(FACT, MIND, working=[(MIND, 0.9)]), 10)
    assert nothing.left_out == {"budget": 2}
    assert len(nothing.omitted) == 3


def test_what_is_half_remembered_is_no_trace_shown() -> None:
    packet = packet_of(of_hits(FACT, partial=[partial(8)]))
    assert packet.ids == (FACT.id,)
    assert [line.trace_id for line in packet.lines] == [FACT.id, id_of(8)]


def test_what_is_in_mind_does_not_drive_a_wish_out() -> None:
    """That the question would find the wish is no reason to leave it out when it then does not."""
    hits = [*(trace(at, f"The grant is number {at} of the harbour") for at in range(30)), WISH_LATE]
    found = of_hits(*hits, wishes=[hit(WISH_LATE)])
    full = packet_of(found).tokens + 10
    assert places(packet_of(found, full))[-1] == (40, "episodes")
    busy = replace(found, working=[(MIND_LATE, 0.9)])
    assert (40, "wishes") in places(packet_of(busy, full))


def test_every_budget_is_kept_heads_included() -> None:
    whole = packet_of(ALL, shares=WIDE)
    assert len(whole.lines) == 8
    some = set()
    for budget in range(1, 500):
        packet = packet_of(ALL, budget, shares=WIDE)
        assert packet.tokens == count_tokens(packet.text) <= budget
        assert len(packet.lines) + len(packet.omitted) == 8
        some.add(len(packet.lines))
    assert some == set(range(9))


WIDE = Context(
    standing_share=1, working_share=1, reminder_share=1, related_share=1, partial_share=1
)


def test_what_falls_out_of_the_hits_may_still_be_shown_besides() -> None:
    """A neighbour that would have been a hit, had wishes not taken its room."""
    far = trace(50, "The orchestra met on the ferry to the harbour. " * 12)
    hits = of_hits(*(trace(at, f"The grant is number {at}") for at in range(12)), far)
    tied = replace(hits, related=[(far, "Olu")])
    wishes = [hit(trace(at, f"Always mention number {at}.")) for at in range(60, 66)]
    shares = Context(standing_share=0.5)
    moved = 0
    for budget in range(640, 665):
        before = (50, "episodes") in places(packet_of(tied, budget))
        after = places(packet_of(replace(tied, wishes=wishes), budget, shares=shares))
        moved += before and (50, "related") in after
    assert moved


def test_what_was_found_twice_is_one_candidate() -> None:
    found = of_hits(FACT, FACT, related=[(MIND, "Olu"), (MIND, "co_activated")])
    assert len(packet_of(found, 10).omitted) == 2
    packet = packet_of(found)
    assert places(packet) == [(3, "facts"), (2, "related")]
    assert "through Olu" in one_line_of(packet, Section.RELATED)
    assert packet.omitted == ()


def test_a_wish_and_what_comes_unbidden_are_not_set_aside() -> None:
    """The one holds until it is taken back, and the other is there because it is old."""
    wish, old = replace(WISH, archived_at=DAY), replace(UNBIDDEN, archived_at=DAY)
    hits = [trace(at, f"The grant is number {at} of the harbour") for at in range(10, 50)]
    packet = packet_of(of_hits(*hits, wishes=[hit(wish)], unbidden=old), 800)
    assert Left.BUDGET in why_not(packet).values()
    assert {(1, "wishes"), (7, "unbidden")} <= {*places(packet)}
