"""The server over streamable HTTP, for many clients.

Each principal has a server of its own, and the token of a request chooses among them: a session
of one principal does not exist for another, whatever ids a request names.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.routing import Mount
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mnemic.model.errors import InvalidInput
from mnemic.model.scope import Principal
from mnemic.server.mcp.held import Held, Opener, of_client
from mnemic.server.mcp.logs import log_to_stderr
from mnemic.server.mcp.server import MemoryServer
from mnemic.server.mcp.tokens import Tokens

if TYPE_CHECKING:
    from mnemic.memory import Memory

PATH = "/mcp"
_LOCAL = "localhost"
_MOST_BODY_BYTES = 10_000_000
_MOST_SESSIONS = 100
_GRACE_SECONDS = 5

_log = logging.getLogger(__name__)


class _Gate:
    """Lets a request through to the server of its principal, or answers 401.

    Args:
        servers: of each principal.
        access: what says which principal a request is of; one principal is everybody.
    """

    def __init__(self, servers: Mapping[Principal, ASGIApp], access: Tokens | Principal) -> None:
        self._servers = servers
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        access = self._access
        if isinstance(access, Tokens):
            principal = access.principal_of(Headers(scope=scope).get("authorization"))
        else:
            principal = access
        if principal is None:
            await _refusal()(scope, receive, send)
            return
        await self._servers[principal](scope, receive, _until_answered(send))


def _until_answered(send: Send) -> Send:
    """The way to a client; what is sent when it was answered to the end is dropped.

    The library reports so that a client went away, and the server below takes that for a bug.
    """
    over = False

    async def say(message: Message) -> None:
        nonlocal over
        if not over:
            over = message["type"] == "http.response.body" and not message.get("more_body")
            await send(message)

    return say


def _refusal() -> JSONResponse:
    message = "a valid token is needed; send it as 'Authorization: Bearer TOKEN'"
    error = {"error": {"kind": "Unauthorized", "message": message}}
    return JSONResponse(error, status_code=401, headers={"WWW-Authenticate": "Bearer"})


def http_app(held: Held, access: Tokens | Principal, *, host: str) -> Starlette:
    """The server as an ASGI application.

    Args:
        held: the brain.
        access: tokens, or the one principal that every client is.
        host: where it will listen; on loopback the Host and Origin of requests are checked.
    """
    principals = access.principals if isinstance(access, Tokens) else (access,)
    servers = {one: MemoryServer(held, of_client(one)) for one in principals}
    apps: dict[Principal, ASGIApp] = {
        one: server.streamable_http_app(
            streamable_http_path=PATH,
            max_request_body_size=_MOST_BODY_BYTES,
            max_sessions=_MOST_SESSIONS,
            transport_security=_checks(host),
        )
        for one, server in servers.items()
    }

    @asynccontextmanager
    async def running(_: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for server in servers.values():
                await stack.enter_async_context(server.session_manager.run())
            yield

    return Starlette(routes=[Mount("/", app=_Gate(apps, access))], lifespan=running)


def _checks(host: str) -> TransportSecuritySettings:
    """On loopback no name but its own is taken, so that no web page can reach the server.

    Beyond loopback the server may have any name, and its tokens keep pages out.
    """
    if not is_loopback(host):
        return TransportSecuritySettings(enable_dns_rebinding_protection=False)
    names = [f"[{name}]" if ":" in name else name for name in sorted(_local_names())]
    hosts = [form for name in names for form in (name, f"{name}:*")]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=hosts,
        allowed_origins=[f"http://{form}" for form in hosts],
    )


def serve_http(
    memory: Memory | Opener, access: Tokens | Principal, *, host: str = _LOCAL, port: int
) -> None:
    """Serve over streamable HTTP until the process is told to stop.

    Args:
        memory: the brain, or what opens it; the latter is called when the first client is there.
            It is not closed.
        access: tokens and their principals; or one principal that every client is, which is
            taken on loopback only.
        host: the address to listen on.
        port: 0 takes a free one; stderr says which.

    Raises:
        InvalidInput: it cannot listen there, or may not without tokens.
    """
    if not isinstance(access, Tokens) and not is_loopback(host):
        raise InvalidInput(
            f"without tokens the server listens on this machine only, and {host!r} is beyond it; "
            "give tokens, or leave out the host"
        )
    log_to_stderr()
    held = Held(memory)
    app = http_app(held, access, host=host)
    config = uvicorn.Config(
        app, log_config=None, access_log=False, timeout_graceful_shutdown=_GRACE_SECONDS
    )
    with _listening(host, port) as sock:
        shown = f"[{host}]" if ":" in host else host
        _log.info("serving on http://%s:%d%s", shown, sock.getsockname()[1], PATH)
        try:
            uvicorn.Server(config).run(sockets=[sock])
        finally:
            held.settle()


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    if not 0 <= port < 2**16:
        raise InvalidInput(f"port {port} must be a number from 0 to {2**16 - 1}")
    try:
        return socket.create_server((host, port), family=family)
    except (OSError, UnicodeError) as error:
        raise InvalidInput(f"cannot listen on port {port} of {host!r}: {error}") from error


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address."""
    return host in _local_names()


def _local_names() -> set[str]:
    """The names and addresses of this machine for itself."""
    try:
        return {_LOCAL, *(str(found[4][0]) for found in socket.getaddrinfo(_LOCAL, None))}
    except OSError:
        return {_LOCAL}
