"""The server on stdin and stdout, for one client that starts it."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, redirect_stdout
from typing import TYPE_CHECKING, Any

import anyio
from mcp.server.mcpserver import MCPServer

from mnemic.model.scope import Principal
from mnemic.server.mcp.held import Held, Opener, of_client
from mnemic.server.mcp.logs import FAREWELLS, log_to_stderr
from mnemic.server.mcp.server import MemoryServer

if TYPE_CHECKING:
    from mnemic.memory import Memory


def serve_stdio(memory: Memory | Opener, principal: Principal) -> None:
    """Serve one client on stdin and stdout, until it closes stdin.

    Nothing but the protocol is written to stdout: what is printed meanwhile goes to stderr.

    Args:
        memory: the brain, or what opens it; the latter is called after the handshake. It is not
            closed.
        principal: whose memory it is. The client speaks through the channel "mcp", whatever
            channel the principal has.
    """
    log_to_stderr()
    held = Held(memory)
    try:
        anyio.run(MemoryServer(held, of_client(principal), _quiet).run_stdio_async)
    except* FAREWELLS:
        pass  # the client has gone before it was answered; what it asked for is done
    finally:
        held.settle()


@asynccontextmanager
async def _quiet(_: MCPServer[dict[str, Any]]) -> AsyncIterator[dict[str, Any]]:
    """What is printed goes to stderr at once; kept back, it would follow the last answer."""
    with redirect_stdout(sys.stderr):
        yield {}
