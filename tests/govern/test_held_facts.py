"""Facts through the real road in: what ends, what stands beside, and what a person has to tell."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from mnemic import BoundMemory, Memory, Status, Trust
from mnemic.errors import InvalidInput
from mnemic.model.fact import Fact
from mnemic.reviewer import Reviewer
from tests.conftest import FixedClock
from tests.govern.readers import id_of, waiting


@pytest.fixture
def eva(memory: Memory) -> Reviewer:
    """A reviewer of the whole brain."""
    return memory.reviewer("eva")


@pytest.fixture
def agent(memory: Memory) -> BoundMemory:
    """A machine of the same user."""
    return memory.bind(user="ana", channel="agent")


def held(who: BoundMemory, attribute: str | None = None, **clocks: Any) -> set[str]:
    """The values that are held, with a minus before those that are denied."""
    return {
        ("-" if fact.negated else "") + fact.value
        for fact in who.facts(attribute=attribute, **clocks)
    }


def told(who: BoundMemory, clock: FixedClock, *texts: str, **more: Any) -> list[str]:
    """Remember texts a day apart; the last stays a day old."""
    ids = []
    for text in texts:
        receipt = who.remember(text, **more)
        assert receipt.status is Status.STORED, text
        ids.append(id_of(receipt))
        clock.advance(days=1)
    return ids


# --- the five shapes -------------------------------------------------------------------------


def test_a_newer_value_replaces_and_the_older_keeps_its_time(
    ana: BoundMemory, eva: Reviewer, clock: FixedClock
) -> None:
    start = clock.now
    lisbon, porto = told(ana, clock, "I live in Lisbon", "I live in Porto")
    assert held(ana, "lives_in") == {"Porto"}
    (old,) = ana.facts(attribute="lives_in", as_of=start)
    assert (old.trace_id, old.valid_from, old.valid_to) == (
        lisbon, start, start + timedelta(days=1)
    )  # fmt: skip
    (new,) = ana.facts(attribute="lives_in")
    assert (new.trace_id, new.valid_from, new.valid_to) == (
        porto, start + timedelta(days=1), None
    )  # fmt: skip
    # What was said was said: an episode is not ended.
    assert {trace.id for trace in ana.list()} == {lisbon, porto}
    assert eva.queue() == []


def test_a_statement_of_fact_ends_as_a_whole(
    ana: BoundMemory, eva: Reviewer, clock: FixedClock
) -> None:
    start = clock.now
    lisbon, porto = told(ana, clock, "Ana lives in Lisbon", "Ana lives in Porto", type="semantic")
    assert [trace.id for trace in ana.list()] == [porto]
    assert [trace.id for trace in ana.list(as_of=start)] == [lisbon]
    assert ana.show(lisbon).valid_to == start + timedelta(days=1)
    assert ana.history(lisbon).versions[-1].cause == "superseded"
    assert ana.history(lisbon).audit[-1].action == "close"


def test_one_that_says_more_does_not(ana: BoundMemory, clock: FixedClock) -> None:
    both, _ = told(
        ana, clock, "Ana lives in Lisbon and works at Acme", "Ana lives in Porto", type="semantic"
    )
    assert ana.show(both).valid_to is None
    assert held(ana) == {"Porto", "Acme"}


def test_polarity_is_a_contradiction_of_what_was_said(
    ana: BoundMemory, eva: Reviewer, clock: FixedClock
) -> None:
    told(ana, clock, "I am allergic to nuts", "I am not allergic to nuts")
    assert held(ana, "allergic_to") == {"-nuts"}
    before = clock.now - timedelta(days=2)
    assert held(ana, "allergic_to", as_of=before) == {"nuts"}


def test_a_retraction_ends_and_gives_no_other(ana: BoundMemory, clock: FixedClock) -> None:
    told(ana, clock, "I live in Lisbon", "I no longer live in Lisbon")
    assert held(ana, "lives_in") == set()
    assert held(ana, "lives_in", as_of=clock.now - timedelta(days=2)) == {"Lisbon"}


def test_a_retraction_of_another_value_ends_nothing(ana: BoundMemory, clock: FixedClock) -> None:
    told(ana, clock, "I live in Lisbon", "I no longer live in Faro")
    assert held(ana, "lives_in") == {"Lisbon"}


def test_what_is_narrowed_is_for_a_person_to_tell(
    memory: Memory, ana: BoundMemory, clock: FixedClock
) -> None:
    first, second = told(ana, clock, "I drink tea", "I drink tea only in the morning")
    item = waiting(memory, "contradiction")
    assert (item.trace.id, item.other and item.other.id) == (second, first)
    assert item.signs == ("narrows",)


@pytest.mark.parametrize(
    "texts",
    [
        ("I lived in Lisbon in 2019", "I lived in Porto in 2021"),
        ("I lived in Lisbon until 2020", "I live in Porto"),
        ("I play the piano", "I play the guitar"),
        ("I speak German", "I speak Portuguese"),
        ("Ana lives in Lisbon", "Eva lives in Porto"),
        ("I live in Lisbon", "I work at Acme"),
        ("I live in Lisbon", "I live in Lisbon, really"),
    ],
)
def test_what_is_no_contradiction_stands_beside(
    ana: BoundMemory, eva: Reviewer, clock: FixedClock, texts: tuple[str, str]
) -> None:
    before = clock.now
    told(ana, clock, *texts)
    moments = (datetime(2019, 6, 1, tzinfo=UTC), datetime(2021, 6, 1, tzinfo=UTC), before, None)
    found = {(f.trace_id, f.value) for at in moments for f in ana.facts(as_of=at)}
    assert len({of for of, _ in found}) == 2
    assert not any(
        fact.valid_to == before + timedelta(days=1) for at in moments for fact in
        ana.facts(as_of=at)
    )  # fmt: skip
    assert eva.queue() == []


def test_two_years_are_two_intervals(ana: BoundMemory, clock: FixedClock) -> None:
    told(ana, clock, "I lived in Lisbon in 2019", "I lived in Porto in 2021")
    for day in ("2019-01-01", "2019-12-31"):
        assert held(ana, as_of=day) == {"Lisbon"}
    assert held(ana, as_of="2021-06-01") == {"Porto"}
    for day in ("2018-12-31", "2020-01-01", "2022-01-01"):
        assert held(ana, as_of=day) == set()


# --- when ------------------------------------------------------------------------------------


def test_a_late_fact_is_ended_by_what_is_known_already(
    memory: Memory, ana: BoundMemory, eva: Reviewer, clock: FixedClock
) -> None:
    known = clock.now
    (porto,) = told(ana, clock, "Ana lives in Porto", type="semantic", valid_from="2025-01-01")
    late = id_of(ana.remember("Ana lives in Lisbon", type="semantic", valid_from="2020-01-01"))
    assert held(ana) == {"Porto"}
    assert held(ana, as_of="2022-01-01") == {"Lisbon"}
    assert held(ana, as_of="2022-01-01", known_at=known) == set()
    assert ana.show(late).valid_to == datetime(2025, 1, 1, tzinfo=UTC)
    assert [trace.id for trace in ana.list()] == [porto]
    assert eva.queue() == []


def test_facts_as_they_were_held_then(ana: BoundMemory, clock: FixedClock) -> None:
    first = clock.now
    told(ana, clock, "I live in Lisbon", "I live in Porto")
    assert held(ana, known_at=first) == {"Lisbon"}
    assert held(ana, known_at=first, as_of=clock.now) == {"Lisbon"}  # nothing was known to end it
    assert held(ana, known_at=first + timedelta(days=1)) == {"Porto"}
    assert held(ana, as_of=first) == {"Lisbon"}
    assert held(ana, known_at=first - timedelta(seconds=1)) == set()


def test_two_at_one_instant_are_for_a_person_to_tell(
    memory: Memory, ana: BoundMemory, eva: Reviewer
) -> None:
    one = id_of(ana.remember("I live in Lisbon"))
    two = id_of(ana.remember("I live in Porto"))
    assert held(ana) == {"Lisbon", "Porto"}
    item = waiting(memory)
    assert (item.kind, item.trace.id, item.other and item.other.id) == ("contradiction", two, one)
    eva.approve(item.id, reason="asked her")
    assert held(ana) == {"Porto"}


def test_in_one_batch_what_was_said_before_counts(ana: BoundMemory, clock: FixedClock) -> None:
    days = [clock.now - timedelta(days=n) for n in (3, 2, 1)]
    texts = [f"I live in {place}" for place in ("Lisbon", "Porto", "Faro")]
    ana.remember_many(
        [{"content": text, "time": day} for text, day in zip(texts, days, strict=True)]
    )
    assert held(ana) == {"Faro"}
    assert [held(ana, as_of=day) for day in days] == [{"Lisbon"}, {"Porto"}, {"Faro"}]


def test_going_back_by_saying_so_is_no_rejection(ana: BoundMemory, clock: FixedClock) -> None:
    told(ana, clock, "I live in Lisbon", "I live in Porto")
    again = ana.remember("I live in Lisbon", thread="another day")
    assert again.status is Status.STORED
    assert held(ana) == {"Lisbon"}


# --- whose word ------------------------------------------------------------------------------


@pytest.mark.parametrize("channel", ["agent", "tool", "mcp"])
@pytest.mark.parametrize(
    "claim",
    [
        {"type": "semantic"},
        {"facts": [Fact("ana", "lives_in", "Porto", False)]},
        {"type": "semantic", "facts": []},
        {"type": "semantic", "facts": [Fact("kettle", "colour", "blue", False)]},
        {"type": "semantic", "source": "retrieved_document"},
        {"type": "semantic", "valid_from": "2026-05-01"},
        {"type": "semantic", "speaker": "ana", "role": "user"},
    ],
)
def test_a_machine_against_a_person_is_disputed(
    memory: Memory,
    ana: BoundMemory,
    eva: Reviewer,
    clock: FixedClock,
    channel: str,
    claim: dict[str, Any],
) -> None:
    (own,) = told(ana, clock, "Ana lives in Lisbon", type="semantic")
    machine = memory.bind(user="ana", channel=channel)
    assert machine.remember("Eva lives in Porto", **claim).status is Status.STORED or (
        "facts" in claim and claim["facts"] and claim["facts"][0].subject == "ana"
    )
    receipt = machine.remember("Ana lives in Porto", **claim)
    assert (receipt.status, receipt.reason) == (Status.CANDIDATE, "contradiction")
    assert receipt.trace is not None
    assert receipt.trace.trust is Trust.DISPUTED
    assert "Lisbon" in held(ana, "lives_in")
    assert receipt.trace.id not in {trace.id for trace in ana.list()}
    assert ana.show(own).valid_to is None
    eva.approve(eva.queue()[-1].id, reason="asked her")
    assert "Porto" in held(ana, "lives_in")


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Ana lives in Porto until 2030", {"type": "semantic"}),
        ("A note", {"facts": [Fact("ana", "lives_in", "Porto", True)]}),
        ("A note", {"facts": [Fact("ana", "lives_in", "Porto", False, until="2030")]}),
        ("Ana lives in Porto", {"type": "semantic", "scope": "thread"}),
        ("Ana lives in Porto", {"type": "semantic", "scope": "persona"}),
        ("A note", {"facts": [Fact("Ana", "lives_in", "Porto", False)], "scope": "thread"}),
    ],
)
def test_no_dress_of_a_claim_puts_it_beside_what_a_person_said(
    memory: Memory, clock: FixedClock, text: str, claim: dict[str, Any]
) -> None:
    axes = {"user": "ana", "thread": "t", "persona": "p"}
    ana, machine = memory.bind(**axes), memory.bind(**axes, channel="agent")
    free = memory.bind(user="free", thread="t", persona="p", channel="agent")
    assert free.remember(text, **claim).status is Status.STORED
    told(ana, clock, "Ana lives in Lisbon", type="semantic")
    receipt = machine.remember(text, **claim)
    assert (receipt.status, receipt.reason) == (Status.CANDIDATE, "contradiction")
    assert held(ana) == {"Lisbon"}
    other = machine.remember("Eva likes tea", type="semantic")
    machine.correct(id_of(other), "Ana resides in Porto", reason="r")
    assert held(ana) == {"Lisbon"}
    reviewer = memory.reviewer("eva")
    assert len(reviewer.queue(kind="contradiction")) == 2
    reviewer.approve(reviewer.queue()[0].id, reason="asked her")
    assert receipt.trace is not None
    assert ana.show(receipt.trace.id).trust is Trust.BELIEVED


def test_what_a_machine_says_in_passing_is_found_and_held_as_no_fact(
    ana: BoundMemory, agent: BoundMemory, memory: Memory, clock: FixedClock
) -> None:
    told(ana, clock, "Ana lives in Lisbon")
    receipt = agent.remember("Ana lives in Porto")
    assert receipt.status is Status.STORED
    assert held(ana) == {"Lisbon"}
    assert waiting(memory, "contradiction").trace.id == id_of(receipt)


def test_a_person_ends_what_a_machine_said(
    ana: BoundMemory, agent: BoundMemory, eva: Reviewer, clock: FixedClock
) -> None:
    told(agent, clock, "Ana lives in Lisbon", type="semantic")
    assert held(ana) == {"Lisbon"}
    told(ana, clock, "Ana lives in Porto", type="semantic")
    assert held(ana) == {"Porto"}
    assert eva.queue() == []


def test_a_correction_by_a_machine_is_no_way_round(
    memory: Memory, ana: BoundMemory, agent: BoundMemory, clock: FixedClock
) -> None:
    (own,) = told(ana, clock, "Ana lives in Lisbon", type="semantic")
    (other,) = told(agent, clock, "Eva likes tea", type="semantic")
    agent.correct(other, "Eva likes coffee", reason="r")
    assert ana.show(other).trust is Trust.BELIEVED
    receipt = agent.correct(other, "Ana lives in Porto", reason="r")
    assert receipt.trace is not None
    assert receipt.trace.trust is Trust.DISPUTED
    assert held(ana, "lives_in") == {"Lisbon"}
    assert [trace.id for trace in ana.list()] == [own]
    assert waiting(memory, "contradiction").trace.id == other


def test_nobody_ends_what_another_user_has_filed(memory: Memory, clock: FixedClock) -> None:
    ana, bob = (memory.bind(user=user, organization="acme") for user in ("ana", "bob"))
    team: dict[str, Any] = {"scope": "organization", "type": "semantic"}
    told(ana, clock, "Acme lives in Lisbon", **team)
    told(bob, clock, "Acme lives in Porto", **team)
    assert held(ana) == {"Lisbon", "Porto"}
    assert waiting(memory).kind == "contradiction"


def test_facts_of_two_scopes_are_not_compared(memory: Memory, clock: FixedClock) -> None:
    ana = memory.bind(user="ana", thread="t", organization="acme")
    for scope, place in (("user", "Lisbon"), ("thread", "Porto"), ("organization", "Faro")):
        ana.remember(f"Ana lives in {place}", scope=scope)
        clock.advance(days=1)
    assert held(ana) == {"Lisbon", "Porto", "Faro"}
    assert held(ana, scope="thread") == {"Porto"}
    assert held(memory.bind(user="bob", organization="acme")) == {"Faro"}
    assert held(memory.bind(user="bob")) == set()


# --- given facts -----------------------------------------------------------------------------


def test_facts_that_are_given_are_held_and_compared(
    ana: BoundMemory, eva: Reviewer, clock: FixedClock
) -> None:
    for colour in ("green", "grey"):
        ana.remember(f"It is {colour}", facts=[Fact("The Gate", "colour", colour, False)])
        clock.advance(days=1)
    assert [(f.subject, f.attribute, f.value) for f in ana.facts(subject="the gate")] == [
        ("the gate", "colour", "grey")
    ]
    assert ana.facts(subject=" THE GATE ") == ana.facts(subject="the gate")
    assert held(ana, "size") == set()


@pytest.mark.parametrize(
    "facts",
    [
        "ana lives in Lisbon",
        [("ana", "lives_in", "Lisbon")],
        [Fact("", "lives_in", "Lisbon", False)],
        [Fact("ana", "Lives In", "Lisbon", False)],
        [Fact("ana", "lives_in", " ", False)],
        [Fact("ana", "lives_in", "Lisbon", 1)],  # type: ignore[arg-type]
        [Fact("ana", "lives_in", "Lisbon", False, since="2021", until="2020")],
    ],
)
def test_facts_that_cannot_be_held_store_nothing(ana: BoundMemory, facts: Any) -> None:
    with pytest.raises(InvalidInput):
        ana.remember("It is so", facts=facts)
    assert ana.count() == 0
    good = [Fact("ana", "lives_in", "Lisbon", False, since="2020", until="2021")]
    assert ana.remember("It is so", facts=good).status is Status.STORED


# --- changes ---------------------------------------------------------------------------------


def test_a_correction_says_other_facts(ana: BoundMemory, clock: FixedClock) -> None:
    start = clock.now
    (of,) = told(ana, clock, "Ana lives in Lisbon")
    ana.correct(of, "Ana lives in Porto", reason="r")
    assert held(ana) == held(ana, as_of=start) == {"Porto"}
    assert held(ana, known_at=start) == {"Lisbon"}
    ana.correct(of, "Ana likes tea", reason="r")
    assert held(ana) == {"tea"}


def test_a_correction_opens_what_its_old_words_had_ended(
    ana: BoundMemory, clock: FixedClock
) -> None:
    _, second = told(ana, clock, "I live in Lisbon", "I live in Porto")
    assert held(ana, "lives_in") == {"Porto"}
    ana.correct(second, "I visited Porto", reason="only visiting")
    assert held(ana, "lives_in") == {"Lisbon"}


@pytest.mark.parametrize("how", ["forget", "reviewer"])
def test_what_was_wrong_has_ended_nothing(
    ana: BoundMemory, eva: Reviewer, clock: FixedClock, how: str
) -> None:
    first, second = told(ana, clock, "Ana lives in Lisbon", "Ana lives in Porto", type="semantic")
    assert held(ana) == {"Porto"}
    if how == "forget":
        ana.forget(second, reason="wrong")
    else:
        eva.reject_trace(second, reason="r")
    assert held(ana) == {"Lisbon"}
    assert [trace.id for trace in ana.list()] == [first]
    eva.lift(second, reason="right after all")
    assert held(ana) == {"Porto"}
    assert [trace.id for trace in ana.list()] == [second]


def test_a_correction_of_dates_moves_the_fact(ana: BoundMemory, clock: FixedClock) -> None:
    (of,) = told(ana, clock, "Ana lives in Lisbon")
    known = clock.now
    clock.advance(hours=1)
    ana.correct(of, valid_from="2020-01-01", valid_to="2021-01-01", reason="long ago")
    assert held(ana) == set()
    assert held(ana, as_of="2020-06-01") == {"Lisbon"}
    assert held(ana, known_at=known) == {"Lisbon"}
    ana.correct(of, valid_to=None, reason="still")
    assert held(ana) == {"Lisbon"}


def test_undoing_a_link_opens_what_it_ended_and_nothing_else(
    ana: BoundMemory, eva: Reviewer, clock: FixedClock
) -> None:
    old, new = told(ana, clock, "I drove a Fiat until 2020. I live in Lisbon.", "I live in Porto")
    assert held(ana) == {"Porto"}
    assert eva.undo_link(new, old, reason="she has two homes") == 1
    assert held(ana) == {"Lisbon", "Porto"}
    assert held(ana, as_of="2019-01-01") == {"Fiat"}
    assert eva.undo_link(new, old, reason="again") == 0


def test_undoing_a_link_gives_back_the_end_that_there_was(
    ana: BoundMemory, eva: Reviewer, clock: FixedClock
) -> None:
    end = datetime(2027, 1, 1, tzinfo=UTC)
    of = id_of(ana.remember("Ana lives in Lisbon", type="semantic", valid_to=end))
    clock.advance(days=1)
    new = id_of(ana.remember("Ana lives in Porto", type="semantic"))
    assert ana.show(of).valid_to == clock.now
    eva.undo_link(new, of, reason="r")
    assert ana.show(of).valid_to == end
    assert [fact.valid_to for fact in ana.facts() if fact.value == "Lisbon"] == [end]


def test_undoing_a_link_to_what_is_forgotten_brings_nothing_back(
    ana: BoundMemory, eva: Reviewer, clock: FixedClock
) -> None:
    old, new = told(ana, clock, "Ana lives in Lisbon", "Ana lives in Porto", type="semantic")
    ana.correct(old, valid_to=None, reason="r")
    ana.forget(old)
    assert eva.undo_link(new, old, reason="r") == 1
    assert held(ana) == {"Porto"}
    assert [trace.id for trace in ana.list()] == [new]


@pytest.mark.parametrize("state", ["forgotten", "rejected", "quarantined", "candidate"])
def test_what_is_withheld_says_nothing(
    memory: Memory, ana: BoundMemory, eva: Reviewer, state: str
) -> None:
    text = "Ana lives in Lisbon. My password is hunter2-Xy99zz."
    of = id_of(ana.remember(text if state == "candidate" else "Ana lives in Lisbon"))
    if state == "forgotten":
        ana.forget(of)
    elif state == "rejected":
        ana.forget(of, reason="wrong")
    elif state == "quarantined":
        eva.quarantine(of, reason="r")
    assert held(ana) == set()
    # Nor does it end anything, or clash with anything.
    assert ana.remember("Ana lives in Porto").status is Status.STORED
    assert held(ana) == {"Porto"}
    assert eva.queue(kind="contradiction") == []


# --- what rests on it ------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["forget", "wrong", "quarantine", "reject"])
def test_what_rests_on_it_alone_goes_with_it_and_what_does_not_waits(
    memory: Memory, ana: BoundMemory, eva: Reviewer, how: str
) -> None:
    base, other = id_of(ana.remember("The gate is green")), id_of(ana.remember("The wall is low"))
    alone = id_of(ana.remember("Gates are green", derived_from=[base]))
    deeper = id_of(ana.remember("Much is green", derived_from=[alone]))
    both = id_of(ana.remember("Green and low", derived_from=[base, other]))
    free = id_of(ana.remember("Walls are low", derived_from=[other]))
    {
        "forget": lambda: ana.forget(base),
        "wrong": lambda: ana.forget(base, reason="wrong"),
        "quarantine": lambda: eva.quarantine(base, reason="r"),
        "reject": lambda: eva.reject_trace(base, reason="r"),
    }[how]()
    assert {trace.id for trace in ana.list()} == {other, free}
    states = {of: ana.history(of).versions[-1].trust for of in (alone, deeper, both)}
    assert states == {
        alone: Trust.QUARANTINED, deeper: Trust.QUARANTINED, both: Trust.CANDIDATE
    }  # fmt: skip
    items = {item.trace.id: item.kind for item in eva.queue()}
    assert items == dict.fromkeys((alone, deeper, both), "support_lost")
    for item in eva.queue():
        eva.approve(item.id, reason="stands by itself")
    assert {trace.id for trace in ana.list()} == {other, free, alone, deeper, both}


def test_what_rests_on_words_that_were_corrected_waits(ana: BoundMemory, eva: Reviewer) -> None:
    base = id_of(ana.remember("The gate is  green"))
    rests = id_of(ana.remember("Gates are green", derived_from=[base]))
    ana.correct(base, "The gate is green", reason="a space too many")
    assert ana.show(rests).trust is Trust.BELIEVED
    ana.correct(base, "The gate is grey", reason="r")
    assert rests not in {trace.id for trace in ana.list()}
    assert ana.show(rests, trust="candidate").id == rests
    assert [item.kind for item in eva.queue()] == ["support_lost"]


def test_nothing_rests_on_what_is_withheld_or_out_of_reach(
    memory: Memory, ana: BoundMemory, bob: BoundMemory
) -> None:
    fine = id_of(ana.remember("The gate is green"))
    gone, theirs = id_of(ana.remember("The wall is low")), id_of(bob.remember("The door is old"))
    ana.forget(gone)
    assert ana.remember("One thing", derived_from=[fine]).status is Status.STORED
    for sources in ([gone], [theirs], ["mt_unknown"], [fine, gone]):
        assert ana.remember("Another thing", derived_from=sources).reason == "source"
