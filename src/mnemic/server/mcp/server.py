"""One MCP server for one principal: its tools, its resources, its prompt.

Every call runs in a worker thread, so that clients are served at once. What goes wrong on purpose
is a result with an error that a model can read; what goes wrong otherwise is logged here, and the
client learns nothing of it but that it happened.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Any

from anyio.to_thread import run_sync
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import UnexpectedToolError
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS, CallToolResult, TextContent, ToolAnnotations
from mcp.types import Tool as Listed

from mnemic import __version__
from mnemic.model.errors import MnemicError
from mnemic.model.scope import Principal
from mnemic.server.mcp import prompt, resources
from mnemic.server.mcp.held import Held
from mnemic.tools import Spec, Tool, error_of, named_specs

Around = Callable[[MCPServer[dict[str, Any]]], AbstractAsyncContextManager[dict[str, Any]]]
"""Made for a server when it begins, left when it ends."""

_HANDSHAKE = ("initialize", "server/discover", "ping")


class MemoryServer(MCPServer[dict[str, Any]]):
    """The memory of one principal, served.

    Args:
        held: the brain.
        principal: whose memory, as `of_client` made it.
        around: what holds while it serves; None is nothing.
    """

    def __init__(self, held: Held, principal: Principal, around: Around | None = None) -> None:
        self._specs = named_specs()
        self._held = held
        self._principal = principal
        super().__init__(
            name="mnemic",
            title="mnemic memory",
            instructions=prompt.INSTRUCTIONS,
            version=__version__,
            log_level="WARNING",
            lifespan=around,
            subscriptions=False,
            middleware=[self._begin],
        )
        resources.add(self, held, principal)
        prompt.add(self)

    async def list_tools(self) -> list[Listed]:
        """The tools, as clients are told of them."""
        return [_listed(spec) for spec in self._specs.values()]

    async def call_tool(
        self,
        name: str,
        arguments: dict[str, Any],
        context: Context[dict[str, Any], Any] | None = None,  # noqa: ARG002  as in the base
    ) -> CallToolResult:
        """Call a tool in a thread.

        Raises:
            MCPError: there is no tool of this name.
        """
        spec = self._specs.get(name)
        if spec is None:
            names = ", ".join(self._specs)
            raise MCPError(INVALID_PARAMS, f"there is no tool {name[:60]!r}; there are: {names}")
        return await run_sync(partial(self._called, spec, arguments))

    def _called(self, spec: Spec, arguments: dict[str, Any]) -> CallToolResult:
        try:
            result = Tool.of(spec, self._held.bound(self._principal)).call(arguments)
        except MnemicError as error:
            return CallToolResult(content=[_text(error_of(error))], is_error=True)
        except Exception as error:
            # The text of a bug may hold what is remembered: it stays in the log of the server.
            raise UnexpectedToolError(f"{spec.name} failed by a bug of the server") from error
        return CallToolResult(content=[_text(result)], structured_content=result)

    async def _begin(
        self, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        """Open the brain once the handshake is over."""
        if ctx.method not in _HANDSHAKE:
            self._held.begin()
        return await call_next(ctx)


def _listed(spec: Spec) -> Listed:
    return Listed(
        name=spec.name,
        title=spec.title,
        description=spec.description,
        input_schema=spec.input_schema,
        output_schema=spec.output_schema,
        annotations=ToolAnnotations(
            title=spec.title,
            read_only_hint=spec.read_only,
            destructive_hint=spec.destructive,
            idempotent_hint=spec.idempotent,
            open_world_hint=False,
        ),
    )


def _text(value: dict[str, Any]) -> TextContent:
    return TextContent(type="text", text=json.dumps(value, ensure_ascii=False))
