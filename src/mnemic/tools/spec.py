"""What a tool is: its name, what a model is told of it, what it takes and gives, what it does.

A `Spec` knows no brain, so that a server can tell its tools before it has opened one. A `Tool` is
a spec with the memory of one caller.
"""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Self

from mnemic.model.errors import MnemicError
from mnemic.tools.schema import Schema, checked

if TYPE_CHECKING:
    from mnemic.bound import BoundMemory

Run = Callable[["BoundMemory", dict[str, Any]], dict[str, Any]]
"""Does what a tool does, with arguments that were checked."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Spec:
    """A tool without a memory.

    Args:
        name: under which a model calls it.
        title: for people.
        description: for the model: when to use it, and when not.
        input_schema: JSON Schema of its arguments.
        output_schema: JSON Schema of what it gives back.
        run: what it does.
        read_only: it changes nothing that is remembered.
        destructive: it can take away something that was remembered.
        idempotent: the same call again changes nothing more.
    """

    name: str
    title: str
    description: str
    input_schema: Schema
    output_schema: Schema
    run: Run
    read_only: bool
    destructive: bool
    idempotent: bool

    def openai(self) -> dict[str, Any]:
        """The tool as a "function", the shape of OpenAI's chat completions."""
        function = {"name": self.name, "description": self.description}
        parameters = copy.deepcopy(self.input_schema)
        return {"type": "function", "function": {**function, "parameters": parameters}}

    def anthropic(self) -> dict[str, Any]:
        """The tool with an "input_schema", the shape of Anthropic's messages."""
        schema = copy.deepcopy(self.input_schema)
        return {"name": self.name, "description": self.description, "input_schema": schema}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tool(Spec):
    """A tool that writes and reads the memory of one caller: `bound`."""

    bound: BoundMemory

    @classmethod
    def of(cls, spec: Spec, bound: BoundMemory) -> Self:
        """The tool of a spec."""
        return cls(bound=bound, **{one.name: getattr(spec, one.name) for one in fields(Spec)})

    def call(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Call the tool with arguments as a model gave them.

        What the brain would not do (frozen, rejected before, changed meanwhile, ...) is told in
        the result, by ``status`` and ``reason``.

        Raises:
            InvalidInput: an argument is missing, unknown, or not what the schema allows.
            NotFound: a merge found fewer than two traces.
            MnemicError: the brain could not be used.
        """
        return self.run(self.bound, checked(self.name, self.input_schema, arguments))

    def __call__(self, **arguments: Any) -> dict[str, Any]:
        """`call`, with the arguments by name."""
        return self.call(arguments)

    async def acall(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """`call` in a thread, so that the event loop goes on."""
        return await asyncio.to_thread(self.call, arguments)


def error_of(error: MnemicError) -> dict[str, Any]:
    """An error as a result, for callers to whom nothing can be raised."""
    return {"error": {"kind": type(error).__name__, "message": str(error)}}
