"""The server over HTTP: tokens, sessions, and clients that misbehave."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest
from mcp import ClientSession
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from mnemic import Memory, Principal
from mnemic.server.mcp.held import Held
from mnemic.server.mcp.http import PATH, http_app
from tests.server.launch import HELLO, listening

ANA, BOB = "ana-0123456789abcdef", "bob-0123456789abcdef"
TOKENS = {ANA: {"user": "ana"}, BOB: {"user": "bob", "actor": "bobs-editor"}}
ACCEPT = "application/json, text/event-stream"
INITIALIZE = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The brain that is served."""
    return tmp_path_factory.mktemp("http") / "brain.db"


@pytest.fixture(scope="module")
def url(brain: Path) -> Iterator[str]:
    """A server with two tokens."""
    file = brain.with_name("tokens.json")
    file.write_text(json.dumps(TOKENS))
    with listening(brain, "--tokens", str(file)) as found:
        yield found


@asynccontextmanager
async def session(url: str, token: str) -> AsyncIterator[ClientSession]:
    """The library's client, with a token, after the handshake."""
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        streamable_http_client(url, http_client=http) as streams,
        ClientSession(*streams[:2]) as client,
    ):
        await client.initialize()
        yield client


async def called(client: ClientSession | Client, name: str, **arguments: Any) -> dict[str, Any]:
    """What a tool gave back."""
    result = await client.call_tool(name, arguments)
    assert result.structured_content is not None, result
    return dict(result.structured_content)


async def notes(client: ClientSession | Client, query: str) -> dict[str, str]:
    """What is found, by its id."""
    found = await called(client, "memory_search", query=query, limit=100)
    return {one["id"]: one["content"] for one in found["results"]}


def post(url: str, message: object, **headers: str) -> httpx2.Response:
    """One bare request."""
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx2.post(url, json=message, headers={"Accept": ACCEPT, **given}, timeout=60)


def test_two_clients_at_once_see_only_their_own(url: str, brain: Path) -> None:
    async def talk() -> None:
        async with session(url, ANA) as ana, session(url, BOB) as bob:
            adding = [
                called(client, "memory_add", content=f"{name} keeps bee {number} in a box.")
                for number in range(5)
                for client, name in ((ana, "Ana"), (bob, "Bob"))
            ]
            added = await asyncio.gather(*adding)
            assert {one["status"] for one in added} == {"stored"}
            mine, theirs = await asyncio.gather(notes(ana, "bee"), notes(bob, "bee"))
            assert len(mine) == len(theirs) == 5
            assert all("Ana" in text for text in mine.values())
            assert all("Bob" in text for text in theirs.values())
            foreign = next(iter(theirs))
            gone = await called(ana, "memory_delete", traceId=foreign)
            assert (gone["deleted"], gone["reason"]) == (False, "not_found")
            assert (await bob.read_resource(f"mnemic://trace/{foreign}")).contents
            with pytest.raises(Exception, match="within reach"):
                await ana.read_resource(f"mnemic://trace/{foreign}")

    asyncio.run(talk())
    with Memory.open(brain, embedder=None) as memory:
        assert memory.bind(user="bob").list()[0].channel == "mcp"
        assert "bobs-editor" in {entry.actor for entry in memory.audit.entries()}


def test_a_client_of_the_protocol_without_a_handshake(url: str) -> None:
    async def talk() -> None:
        headers = {"Authorization": f"Bearer {BOB}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=60) as http,
            Client(streamable_http_client(url, http_client=http)) as bob,
            session(url, ANA) as ana,
        ):
            await called(bob, "memory_add", content="Bob has a wooden flute.")
            assert await notes(bob, "flute")
            assert not await notes(ana, "flute")

    asyncio.run(talk())


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": ""},
        {"Authorization": "Bearer"},
        {"Authorization": "Bearer wrong"},
        {"Authorization": f"Bearer {ANA}x"},
        {"Authorization": f"Bearer {ANA[:-1]}"},
        {"Authorization": f"Basic {ANA}"},
        {"Authorization": ANA},
    ],
)
def test_without_a_right_token_nothing_is_answered(url: str, headers: dict[str, str]) -> None:
    assert post(url, INITIALIZE, Authorization=f"Bearer {ANA}").status_code == 200
    answer = post(url, INITIALIZE, **headers)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert answer.json()["error"]["kind"] == "Unauthorized"
    assert "mcp-session-id" not in answer.headers


def test_a_session_is_of_its_token_alone(url: str) -> None:
    opened = post(url, INITIALIZE, Authorization=f"Bearer {ANA}")
    number = opened.headers["mcp-session-id"]
    listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    given = {"mcp_session_id": number, "mcp_protocol_version": HELLO["protocolVersion"]}
    assert post(url, listing, Authorization=f"Bearer {ANA}", **given).status_code == 200  # type: ignore[arg-type]
    assert post(url, listing, Authorization=f"Bearer {BOB}", **given).status_code == 404  # type: ignore[arg-type]
    assert post(url, listing, **given).status_code == 401  # type: ignore[arg-type]


def test_a_page_that_points_its_own_name_here_is_turned_away(url: str) -> None:
    token = f"Bearer {ANA}"
    assert post(url, INITIALIZE, Authorization=token).status_code == 200
    assert post(url, INITIALIZE, Authorization=token, Host="evil.example").status_code == 421
    origin = "http://evil.example"
    assert post(url, INITIALIZE, Authorization=token, Origin=origin).status_code == 403


def test_a_body_beyond_the_bound_is_turned_away(url: str) -> None:
    token = f"Bearer {ANA}"
    assert post(url, ["x" * 9_000_000], Authorization=token).status_code == 400
    assert post(url, ["x" * 10_000_001], Authorization=token).status_code == 413


def test_an_argument_of_5_mb_is_refused(url: str) -> None:
    async def talk() -> None:
        async with session(url, ANA) as ana:
            long = "zebra " * 850_000
            result = await ana.call_tool("memory_add", {"content": long})
            assert result.is_error
            assert "at most 1,000,000" in str(result.content)
            assert not await notes(ana, "zebra")

    asyncio.run(talk())


def test_clients_that_die_do_not_take_the_server_with_them(url: str, brain: Path) -> None:
    parts = urlsplit(url)
    body = json.dumps(INITIALIZE).encode()
    head = (
        f"POST {parts.path} HTTP/1.1\r\nHost: {parts.netloc}\r\nAccept: {ACCEPT}\r\n"
        f"Authorization: Bearer {ANA}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    ).encode()
    for sent in (head[:30], head, head + body[:20], head + body):
        with socket.create_connection((parts.hostname or "", parts.port or 0)) as bare:
            bare.sendall(sent)

    async def dies() -> None:
        async with session(url, ANA) as ana:
            long = " ".join(f"Note {number} on the volcano." for number in range(2_000))
            call = asyncio.create_task(ana.call_tool("memory_add", {"content": long}))
            await asyncio.sleep(0.05)  # so that the call is under way
            call.cancel()

    async def lives() -> None:
        async with session(url, ANA) as ana:
            await called(ana, "memory_add", content="The server is alive and well.")
            assert await notes(ana, "alive")

    asyncio.run(dies())
    asyncio.run(lives())
    with Memory.open(brain, embedder=None) as memory:
        assert memory.audit.verify().ok


def test_without_tokens_everybody_on_this_machine_is_the_named_user(tmp_path: Path) -> None:
    async def talk(memory: Memory) -> None:
        app = http_app(Held(memory), Principal(user="carla"), host="localhost")
        base, transport = "http://localhost", httpx2.ASGITransport(app)
        headers = {"Accept": ACCEPT}
        async with (
            app.router.lifespan_context(app),
            httpx2.AsyncClient(transport=transport, base_url=base, headers=headers) as http,
        ):
            opened = await http.post(PATH, json=INITIALIZE)
            headers["mcp-session-id"] = opened.headers["mcp-session-id"]
            adding = {"name": "memory_add", "arguments": {"content": "The attic is dry."}}
            message = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": adding}
            answer = await http.post(PATH, json=message, headers=headers)
            assert "stored" in answer.text
            elsewhere = await http.post(PATH, json=INITIALIZE, headers={"Host": "evil.example"})
            assert elsewhere.status_code == 421

    with Memory.open(tmp_path / "brain.db", embedder=None) as memory:
        asyncio.run(talk(memory))
        assert memory.bind(user="carla").count() == 1
