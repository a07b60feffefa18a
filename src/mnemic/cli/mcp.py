"""`mnemic mcp`: serves the memory to clients of the Model Context Protocol."""

from __future__ import annotations

import os
import signal
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mnemic.cli.calls import Call, command, opened
from mnemic.errors import InvalidInput, MnemicError
from mnemic.model.origin import Channel
from mnemic.model.scope import Principal

if TYPE_CHECKING:
    from mnemic import Memory
    from mnemic.server.mcp.tokens import Tokens

_PANEL = "Serve"
_TOKENS = "MNEMIC_MCP_TOKENS"
_HOST, _PORT = "localhost", 8765


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    command(app, "mcp", panel=_PANEL)(mcp)


def mcp(
    call: Call,
    context: typer.Context,
    http: Annotated[
        bool, typer.Option("--http", help="Serve over HTTP, not on stdin and stdout.")
    ] = False,
    host: Annotated[
        str, typer.Option(metavar="NAME", help="With --http: the address to listen on.")
    ] = _HOST,
    port: Annotated[
        int, typer.Option(metavar="N", help="With --http: the port; 0 takes a free one.")
    ] = _PORT,
    tokens: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help=f"With --http: JSON of tokens and whose they are; else the text of {_TOKENS}.",
        ),
    ] = None,
) -> None:
    """Serve the memory to an MCP client, on stdin and stdout unless --http is given.

    Whose memory it is follows from the options here, or with --http from the token of each
    client. The brain is made if it is not there. It needs the extra 'mcp'.
    """
    given = {name for name in context.params if _is_given(context, name)}
    if not http and given & {"host", "port", "tokens"}:
        raise InvalidInput("--host, --port and --tokens are for the server over HTTP: add --http")
    try:
        _serve(call, given, tokens, (host, port) if http else None)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("mcp", "uvicorn", "starlette", "anyio"):
            raise
        raise MnemicError(
            f"the MCP server needs packages that are not installed ({error.name} is missing): "
            "pip install 'mnemic[mcp]'"
        ) from error


def _is_given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _serve(call: Call, given: set[str], file: Path | None, at: tuple[str, int] | None) -> None:
    with ExitStack() as stack:

        def memory() -> Memory:
            return stack.enter_context(opened(call, create=True))

        if at is None:
            from mnemic.server.mcp.stdio import serve_stdio

            principal = _principal(call)
            # A read of stdin cannot be broken off: Ctrl-C ends the process, and loses nothing.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            serve_stdio(memory, principal)
        else:
            from mnemic.server.mcp.http import serve_http

            host, port = at
            serve_http(memory, _access(call, given, file), host=host, port=port)


def _principal(call: Call) -> Principal:
    return Principal(
        user=call.user,
        thread=call.thread,
        persona=call.persona,
        organization=call.organization,
        namespace=call.namespace,
        channel=Channel.MCP,
    )


def _access(call: Call, given: set[str], file: Path | None) -> Tokens | Principal:
    """Who the clients are: by their tokens, or the one user that was named.

    Raises:
        InvalidInput: neither is given, or both.
    """
    from mnemic.server.mcp.tokens import tokens_from, tokens_in

    text = os.environ.get(_TOKENS, "")
    if file is None and not text:
        if "user" in given:
            return _principal(call)
        raise InvalidInput(
            f"say who the clients are: --tokens FILE (or {_TOKENS}) gives each a user by its "
            "token, --user ID makes every client on this machine that user"
        )
    ids = given & {"user", "thread", "persona", "organization", "namespace"}
    if ids:
        names = ", ".join(f"--{name}" for name in sorted(ids))
        raise InvalidInput(f"the tokens say who the clients are: leave out {names}")
    return tokens_in(file) if file is not None else tokens_from(text, _TOKENS)
