"""The tools of a caller, each call checked against the tool's own schemas by another checker."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from mnemic import BoundMemory, Memory
from mnemic.tools import Tool, tools


class Box:
    """Calls tools by name; what they give back must be what they promise."""

    def __init__(self, bound: BoundMemory) -> None:
        self.bound = bound
        self.tools: Mapping[str, Tool] = {tool.name: tool for tool in tools(bound)}

    def __call__(self, name: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool."""
        tool = self.tools[name]
        result = tool.call(arguments)
        assert fits(tool.output_schema, result), f"{name} gave {result}"
        return result

    def add(self, content: str, **arguments: Any) -> str:
        """Store a text; its trace id."""
        result = self("memory_add", content=content, **arguments)
        assert result["status"] == "stored", result
        return str(result["traceId"])

    def found(self, query: str, **arguments: Any) -> list[str]:
        """The ids that a search finds, best first."""
        return [one["id"] for one in self("memory_search", query=query, **arguments)["results"]]


def fits(schema: Mapping[str, Any], value: object) -> bool:
    """Whether a value is what a schema says."""
    return bool(Draft202012Validator(schema).is_valid(value))


def check_schema(schema: Mapping[str, Any]) -> None:
    """Raise an error if this is no JSON Schema."""
    Draft202012Validator.check_schema(schema)


def agent(memory: Memory, user: str, **ids: Any) -> Box:
    """The tools of an agent that speaks with this user."""
    return Box(memory.bind(user=user, channel="agent", **ids))
