"""What the resources show: within a budget, fenced, of one caller alone."""

from __future__ import annotations

import json

import pytest

from mnemic import BoundMemory, Memory
from mnemic.errors import NotFound
from mnemic.index.embed.count import count_tokens
from mnemic.server.mcp.resources import current, trace_json


@pytest.fixture
def client(memory: Memory) -> BoundMemory:
    """Ana, by way of the server."""
    return memory.bind(user="ana", thread="monday", channel="mcp")


def test_the_context_holds_standing_wishes_and_the_newest(
    ana: BoundMemory, client: BoundMemory
) -> None:
    assert "Nothing is remembered yet" in current(client)
    ana.remember("Always answer me in short sentences.")
    for number in range(60):
        ana.remember(f"The tram number {number} was late at the old bridge again, as it often is.")
    ana.remember("My sister has moved to Porto.")
    text = current(client)
    assert text.startswith("<mnemic-memory>")
    assert text.endswith("</mnemic-memory>")
    assert text.count("<mnemic-memory>") == 1
    assert "Always answer me in short sentences." in text
    assert "My sister has moved to Porto." in text
    assert "The tram number 59 " in text
    assert "The tram number 0 " not in text
    assert 300 < count_tokens(text) <= 800
    lines = text.splitlines()
    assert len(lines) == len(set(lines))


def test_the_context_is_the_callers_own(memory: Memory, ana: BoundMemory) -> None:
    ana.remember("Always answer me in short sentences.")
    assert "short sentences" in current(memory.bind(user="ana", channel="mcp"))
    assert "short sentences" not in current(memory.bind(user="bob", channel="mcp"))


def test_a_trace_is_shown_with_its_history(client: BoundMemory, memory: Memory) -> None:
    trace = client.remember("The kettle is red.", tags=["kitchen"]).trace
    assert trace is not None
    client.update(trace.id, content="The kettle is blue.")
    shown = json.loads(trace_json(client, trace.id))
    assert (shown["id"], shown["content"], shown["tags"]) == (
        trace.id,
        "The kettle is blue.",
        ["kitchen"],
    )
    assert shown["stability"] == trace.stability.total_seconds() > 0
    assert set(shown["emotion"]) == {"valence", "arousal", "dominance"}
    assert [one["content"] for one in shown["versions"]] == [
        "The kettle is red.",
        "The kettle is blue.",
    ]
    with pytest.raises(NotFound):
        trace_json(memory.bind(user="bob", channel="mcp"), trace.id)
    client.forget(trace.id)
    with pytest.raises(NotFound):
        trace_json(client, trace.id)
