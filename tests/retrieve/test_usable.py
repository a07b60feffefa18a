"""What a trace may be used for: by its source, its origin and its age, before the cut."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from mnemic import BoundMemory, Memory, Settings, Status
from mnemic.errors import InvalidInput
from mnemic.model.origin import SourceType
from tests.conftest import FixedClock, Opener

TEXT = "the violin by the harbour"

# By hand, for what a program that speaks for itself files: may it authorize, personalize, claim a
# fact, and for how many hours. Only what the system itself says may authorize.
BY_HAND: dict[str, tuple[str, float | None]] = {
    "user_statement": ("p", None),
    "agent_inference": ("p", 1),
    "tool_result": ("f", None),  # never alone an authorization or a personalization
    "observation": ("", None),
    "reflection": ("p", 1),
    "external": ("", None),
    "fact_graph": ("pf", None),
    "typed_network": ("p", None),
    "retrieved_document": ("f", 24),
    "identity_provider": ("apf", 1),
    "system_config": ("af", None),
    "external_api": ("f", 1),
    "memory_summary": ("p", 1),
    "human_approval": ("apf", None),
}
USES = {"a": "authorization", "p": "personalization", "f": "fact_claim"}


@pytest.fixture
def host(memory: Memory) -> BoundMemory:
    """The program speaking for itself, of which every source may be claimed but one."""
    return memory.bind(user="ana", channel="host")


def filed(who: BoundMemory, source: str) -> str:
    """A trace of a source; a human approval is filed past the road in, which has no such caller."""
    receipt = who.remember(TEXT, source="user_statement" if source == "human_approval" else source)
    assert receipt.trace is not None
    if source == "human_approval":
        with who._rooms.brain.write() as connection:
            connection.exec_driver_sql("UPDATE traces SET source = 'human_approval'")
            connection.exec_driver_sql("DROP TRIGGER trace_versions_no_update")
            connection.exec_driver_sql("UPDATE trace_versions SET origin = 'system'")
    return receipt.trace.id


def uses_of(who: BoundMemory) -> str:
    """The letters of the uses for which every reader gives the one trace there is."""
    found = ""
    for letter, use in USES.items():
        given: dict[str, Any] = {"usable_for": use}
        counts = {
            len(who.list(**given)),
            who.count(**given),
            len(who.recall(TEXT, touch=False, **given)),
            int(TEXT in str(who.context(TEXT, **given))),
        }
        assert len(counts) == 1, (use, counts)
        found += letter if counts == {1} else ""
    return found


def test_the_table_by_hand_names_every_source() -> None:
    assert set(BY_HAND) == {source.value for source in SourceType}


@pytest.mark.parametrize("source", BY_HAND)
def test_each_source_may_be_used_as_the_table_says_until_its_window_has_lapsed(
    memory: Memory, host: BoundMemory, clock: FixedClock, source: str
) -> None:
    letters, hours = BY_HAND[source]
    of = filed(host, source)
    assert host.count() == 1
    assert uses_of(host) == letters
    if hours is None:
        clock.advance(days=5_000)
        assert uses_of(host) == letters
        return
    clock.advance(hours=hours)
    assert uses_of(host) == letters  # just inside
    clock.advance(milliseconds=1)
    assert uses_of(host) == ""  # just outside
    assert host.count() == 1  # it is still known
    memory.reviewer("eva").verify(of, reason="looked again")
    assert uses_of(host) == letters
    clock.advance(hours=hours)
    assert uses_of(host) == letters
    clock.advance(milliseconds=1)
    assert uses_of(host) == ""


@pytest.mark.parametrize("channel", ["agent", "mcp", "tool", "sdk"])
@pytest.mark.parametrize("source", BY_HAND)
def test_nothing_but_the_system_itself_authorizes(
    memory: Memory, host: BoundMemory, channel: str, source: str
) -> None:
    who = memory.bind(user="ana", channel=channel)
    if source in ("human_approval", "identity_provider", "system_config"):
        return  # they cannot be claimed (tests/govern/test_taint.py)
    who.remember(TEXT, source=source)
    assert "a" not in uses_of(who)
    if channel == "tool":
        assert "p" not in uses_of(who)


def test_what_rests_on_a_document_personalizes_nothing(memory: Memory, ana: BoundMemory) -> None:
    page = ana.remember("an old page", source="retrieved_document").trace
    assert page is not None
    clean = ana.remember("what she said").trace
    assert clean is not None
    ana.remember("told by her", derived_from=[clean.id])
    ana.remember("told by the page", derived_from=[page.id])
    found = {trace.content for trace in ana.list(usable_for="personalization")}
    assert found == {"what she said", "told by her"}


@pytest.mark.parametrize(
    "when",
    [
        {"time": "2099-01-01", "valid_from": "2026-01-01"},
        {"time": "2099-01-01T00:00:00Z", "valid_from": None, "valid_to": "2100-01-01"},
    ],
)
def test_a_time_that_a_writer_names_keeps_nothing_fresh(
    memory: Memory, ana: BoundMemory, clock: FixedClock, when: dict[str, Any]
) -> None:
    agent = memory.bind(user="ana", channel="agent")
    given = {name: value for name, value in when.items() if value is not None}
    agent.remember("fresh for ever", source="agent_inference", **given)
    agent.remember("fresh for an hour", source="agent_inference")
    as_of: dict[str, Any] = {} if "valid_from" in given else {"as_of": "2099-06-01"}
    assert ana.count(usable_for="personalization", **as_of) == 2
    clock.advance(hours=1, milliseconds=1)
    assert ana.count(usable_for="personalization", **as_of) == 0
    assert ana.count(**as_of) == 2


def test_an_older_time_shortens_the_window(
    memory: Memory, ana: BoundMemory, clock: FixedClock
) -> None:
    agent = memory.bind(user="ana", channel="agent")
    agent.remember("old", source="agent_inference", time=clock.now - timedelta(minutes=90))
    agent.remember("new", source="agent_inference", time=clock.now - timedelta(minutes=30))
    assert [trace.content for trace in ana.list(usable_for="personalization")] == ["new"]


def test_several_uses_must_all_be_allowed(host: BoundMemory) -> None:
    for source in ("user_statement", "tool_result", "fact_graph", "identity_provider"):
        host.remember(f"said by {source}", source=source)

    def found(*uses: str) -> set[str]:
        return {trace.source.value for trace in host.list(usable_for=uses)}

    assert found() == {"user_statement", "tool_result", "fact_graph", "identity_provider"}
    assert found("personalization") == {"user_statement", "fact_graph", "identity_provider"}
    assert found("personalization", "fact_claim") == {"fact_graph", "identity_provider"}
    assert found("personalization", "fact_claim", "authorization") == {"identity_provider"}
    for wrong in ("everything", 3, ["fact_claim", "everything"]):
        with pytest.raises(InvalidInput, match="usable_for"):
            host.list(usable_for=wrong)  # type: ignore[arg-type]


def test_a_setting_takes_uses_away_and_shortens_windows(
    open_brain: Opener, clock: FixedClock
) -> None:
    open_brain().bind(user="ana").remember(TEXT)
    policies = {
        "user_statement": {"reverify_after_hours": 2},
        "fact_graph": {"usable_for": ["fact_claim"]},
    }
    memory = open_brain(settings=Settings(trust={"policies": policies}))
    ana = memory.bind(user="ana")
    assert uses_of(ana) == "p"
    clock.advance(hours=2, milliseconds=1)
    assert uses_of(ana) == ""
    ana.forget(ana.list()[0].id)
    assert ana.remember(TEXT, source="fact_graph", speaker="Eva").status is Status.STORED
    assert uses_of(ana) == "f"


@pytest.mark.parametrize("state", ["candidate", "disputed"])
def test_what_is_not_believed_is_of_no_use(open_brain: Opener, state: str) -> None:
    memory = open_brain(
        settings=Settings(review={"mode": "strict" if state == "candidate" else "default"})
    )
    ana, agent = memory.bind(user="ana"), memory.bind(user="ana", channel="agent")
    ana.remember("Ana lives in Lisbon", type="semantic")
    agent.remember("Ana lives in Porto", type="semantic")
    asked: dict[str, Any] = {"trust": ["believed", state]}
    assert ana.count(**asked) == 2
    assert [t.content for t in ana.list(usable_for="personalization", **asked)] == [
        "Ana lives in Lisbon"
    ]


def test_the_cut_comes_after_it(memory: Memory, host: BoundMemory) -> None:
    """What may not be used takes no place among the hits, however well it answers."""
    for n in range(60):
        host.remember(f"violin harbour violin harbour {n}", source="external")
    for n in range(5):
        host.remember(f"a violin, said by the way in {n}", source="fact_graph")
    everything = host.recall("violin harbour", limit=5)
    assert {hit.trace.source.value for hit in everything} == {"external"}
    for limit in (1, 3, 5):
        hits = host.recall("violin harbour", limit=limit, usable_for="fact_claim")
        assert len(hits) == limit
        assert {hit.trace.source.value for hit in hits} == {"fact_graph"}
        assert len(host.list(limit=limit, usable_for="fact_claim")) == limit
    assert "said by the way" in str(host.context("violin harbour", usable_for="fact_claim"))
    assert "harbour violin" not in str(host.context("violin harbour", usable_for="fact_claim"))


def test_facts_are_of_the_use_of_their_trace(host: BoundMemory, clock: FixedClock) -> None:
    host.remember("Ana lives in Lisbon", source="identity_provider")
    assert [f.value for f in host.facts(usable_for="authorization")] == ["Lisbon"]
    clock.advance(hours=1, milliseconds=1)
    assert host.facts(usable_for="authorization") == []
    assert [f.value for f in host.facts()] == ["Lisbon"]


def test_windows_are_counted_at_the_instant_of_the_read(
    host: BoundMemory, clock: FixedClock
) -> None:
    before = clock.now
    host.remember(TEXT, source="agent_inference")
    clock.advance(days=1)
    assert host.count(known_at=before) == 1
    assert host.count(known_at=before, usable_for="personalization") == 0
