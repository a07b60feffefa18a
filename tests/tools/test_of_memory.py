"""The tools as the owner of a brain hands them out."""

from __future__ import annotations

from mnemic import BoundMemory, Memory, Origin


def test_what_the_tools_write_is_an_agents(memory: Memory, ana: BoundMemory) -> None:
    tools = {tool.name: tool for tool in memory.tools(ana)}
    said = ana.remember("The pier is green").trace
    assert said is not None
    assert (said.origin, said.channel) == (Origin.PERSON, "sdk")  # the control
    added = tools["memory_add"](content="The ferry leaves at nine")
    trace = ana.show(added["traceId"])
    assert (trace.channel.value, trace.origin is Origin.PERSON) == ("agent", False)
    assert trace.thread == "monday"
    assert memory.audit.entries()[-1].actor == "agent"


def test_an_actor_with_a_name_of_its_own_keeps_it(memory: Memory) -> None:
    named = memory.bind(user="ana", actor="planner")
    tools = {tool.name: tool for tool in memory.tools(named, include_reflect=False)}
    assert "memory_reflect" not in tools
    tools["memory_add"](content="The ferry leaves at nine")
    assert memory.audit.entries()[-1].actor == "planner"
