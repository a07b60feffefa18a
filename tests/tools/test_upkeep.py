"""memory_reflect and rehydrate_memory claim nothing that was not done."""

from __future__ import annotations

import pytest

from mnemic import Memory
from tests.tools.box import Box, agent


@pytest.fixture
def mine(memory: Memory) -> Box:
    """The tools of ana's agent."""
    return agent(memory, "ana")


@pytest.mark.parametrize("arguments", [{}, {"topic": "the harbour"}])
def test_reflecting_says_that_nothing_was_done(mine: Box, arguments: dict[str, str]) -> None:
    trace_id = mine.add("The bell rings at noon.")
    mine.add("The bell rings at noon, daily.")
    before = mine.bound.list()
    result = mine("memory_reflect", **arguments)
    counts = ("pruned", "merged", "derived", "compacted", "durationMs", "personalityDecayed")
    assert {result[name] for name in counts} == {0}
    assert result["ran"] == []
    assert result["notBuilt"] == ["prune", "merge", "strengthen", "derive", "compact"]
    assert "no step of consolidation is built" in result["note"]
    assert mine.bound.list() == before
    assert trace_id in mine.found("bell")


def test_there_is_no_archive_and_the_note_says_so(memory: Memory, mine: Box) -> None:
    trace_id = mine.add("The bell rings at noon.")
    result = mine("rehydrate_memory", traceId=trace_id)
    assert (result["verbatimContent"], result["archivedAt"]) == (None, None)
    assert "never compressed" in result["note"]
    for box, unknown in ((mine, "mt_ffff"), (agent(memory, "bob"), trace_id)):
        result = box("rehydrate_memory", traceId=unknown)
        assert (result["verbatimContent"], result["archivedAt"]) == (None, None)
        assert "never compressed" not in result["note"]
        assert unknown in result["note"]
