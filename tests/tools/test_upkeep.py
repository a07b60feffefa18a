"""memory_reflect tidies up the caller's own scopes; rehydrate_memory gives the words of a gist."""

from __future__ import annotations

from mnemic import Memory, Settings
from tests.conftest import FixedClock, Opener
from tests.tools.box import Box, agent

COUNTS = ("pruned", "merged", "derived", "compacted", "durationMs", "personalityDecayed")
STORY = (
    "On Friday Ines and Hugo took the ferry to the island and stayed for two nights. "
    "It rained a little. We ate at the harbour, and the soup was fine. "
    "The room cost 140 euros a night and had a view of the lighthouse. "
    "On Sunday the ferry was late, and everybody read the paper and waited on the pier. "
    "Nothing much happened after that, and people went home and slept for a long while."
)


def test_reflecting_merges_doubles_of_its_own_scope_and_no_other(memory: Memory) -> None:
    ana, bob = agent(memory, "ana"), agent(memory, "bob")
    for box in (ana, bob):
        box.add("The bell rings at noon.")
        box.add("the bell rings at noon")
    assert len(bob.bound.list()) == 2
    result = ana("memory_reflect", topic="the bell")
    assert result["merged"] == 1
    assert {"merge", "archive"} <= set(result["ran"])
    assert any(one.startswith("drift: ") for one in result["skipped"])
    assert len(ana.bound.list()) == 1
    assert len(bob.bound.list()) == 2
    again = ana("memory_reflect")
    assert {again[name] for name in COUNTS} == {0}


def test_a_mind_that_is_switched_off_says_so(open_brain: Opener) -> None:
    box = agent(open_brain(settings=Settings(mind={"enabled": False})), "ana")
    box.add("The bell rings at noon.")
    result = box("memory_reflect")
    assert result["ran"] == []
    assert "mind.enabled" in result["note"]


def test_the_words_of_a_gist_come_back(open_brain: Opener, clock: FixedClock) -> None:
    memory = open_brain(settings=Settings(mind={"gist": {"enabled": True}}))
    box: Box = agent(memory, "ana")
    trace_id = box.add(STORY)
    clock.advance(days=90)
    box("memory_reflect")
    assert len(box.bound.show(trace_id).content) < len(STORY)
    result = box("rehydrate_memory", traceId=trace_id)
    assert result["verbatimContent"] == STORY
    assert result["archivedAt"] == int(clock.now.timestamp() * 1000)


def test_what_was_never_compressed_says_so(memory: Memory) -> None:
    mine = agent(memory, "ana")
    trace_id = mine.add("The bell rings at noon.")
    result = mine("rehydrate_memory", traceId=trace_id)
    assert (result["verbatimContent"], result["archivedAt"]) == (None, None)
    assert "never compressed" in result["note"]
    for box, unknown in ((mine, "mt_ffff"), (agent(memory, "bob"), trace_id)):
        result = box("rehydrate_memory", traceId=unknown)
        assert (result["verbatimContent"], result["archivedAt"]) == (None, None)
        assert "never compressed" not in result["note"]
        assert unknown in result["note"]
