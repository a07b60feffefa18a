"""What a tool is for the program that hands it to a model."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest

from mnemic import BoundMemory
from mnemic.errors import InvalidInput
from mnemic.tools import error_of, named_specs, tools
from tests.tools.box import Box

NAMES = [
    "memory_add",
    "memory_update",
    "memory_delete",
    "memory_merge",
    "memory_correct",
    "memory_search",
    "memory_context",
    "memory_reflect",
    "rehydrate_memory",
]
READING = {"memory_search", "memory_context", "rehydrate_memory"}


def test_all_tools_are_there_and_two_can_be_left_out(ana: BoundMemory) -> None:
    assert [tool.name for tool in tools(ana)] == NAMES
    fewer = tools(ana, include_reflect=False, include_rehydrate=False)
    assert [tool.name for tool in fewer] == NAMES[:-2]


def test_the_flags_say_what_a_tool_may_do(ana: BoundMemory) -> None:
    assert {tool.name for tool in tools(ana) if tool.read_only} == READING
    destructive = {"memory_update", "memory_delete", "memory_merge", "memory_correct"}
    assert {tool.name for tool in tools(ana) if tool.destructive} == destructive
    assert {tool.name for tool in tools(ana) if not tool.idempotent} == {"memory_merge"}


@pytest.mark.parametrize("name", NAMES)
def test_a_description_says_when_to_use_it(name: str) -> None:
    text = named_specs()[name].description
    assert "Use it" in text
    assert 100 < len(text) < 1_000


@pytest.mark.parametrize("name", ["memory_search", "memory_context"])
def test_what_is_read_is_called_data(name: str) -> None:
    assert "data" in named_specs()[name].description
    assert "instruction" in named_specs()[name].description


def test_it_has_the_shapes_of_function_calling(ana: BoundMemory) -> None:
    tool = Box(ana).tools["memory_add"]
    openai, anthropic = tool.openai(), tool.anthropic()
    assert openai["type"] == "function"
    assert openai["function"] == {
        "name": "memory_add",
        "description": tool.description,
        "parameters": tool.input_schema,
    }
    assert anthropic == {
        "name": "memory_add",
        "description": tool.description,
        "input_schema": tool.input_schema,
    }
    anthropic["input_schema"]["properties"].clear()
    assert tool.input_schema["properties"]


def test_it_is_called_by_name_by_mapping_and_awaited(ana: BoundMemory) -> None:
    box = Box(ana)
    add, search = box.tools["memory_add"], box.tools["memory_search"]
    first = add(content="The harbour is closed on Sunday.")["traceId"]
    second = add.call({"content": "The market is closed on Monday."})["traceId"]
    third = asyncio.run(add.acall({"content": "The museum is closed on Friday."}))["traceId"]
    found = search(query="what is closed")["results"]
    assert {one["id"] for one in found} == {first, second, third}
    with pytest.raises(InvalidInput, match="takes no argument 'when'"):
        add(content="x", when="now")
    with pytest.raises(InvalidInput, match="needs the argument"):
        asyncio.run(add.acall({}))


def test_an_error_has_a_shape_for_those_who_cannot_be_raised_at() -> None:
    error = error_of(InvalidInput("limit 0 is too little"))
    assert error == {"error": {"kind": "InvalidInput", "message": "limit 0 is too little"}}


def test_the_tools_can_be_told_without_loading_a_brain() -> None:
    code = (
        "import sys, mnemic.tools\n"
        "heavy = {'numpy', 'onnxruntime', 'sqlalchemy', 'tokenizers', 'pydantic'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
        "import mnemic.bound\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    before, after = done.stdout.splitlines()
    assert before == "[]"
    assert "numpy" in after  # or the names are not what they were
