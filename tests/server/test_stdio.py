"""The server on a pipe: the library's own client, and clients that misbehave."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from mnemic import Memory
from mnemic.tools import named_specs
from tests.server.launch import Pipe, command, environment, piped

LISBON = "I live in Lisbon since May."


@pytest.fixture
def brain(tmp_path: Path) -> Path:
    """Where the brain of a test will be."""
    return tmp_path / "brain.db"


def stored(brain: Path, user: str = "ana") -> list[str]:
    """What a user's memory holds, read from the file; the audit chain must hold."""
    with Memory.open(brain, embedder=None) as memory:
        assert memory.audit.verify().ok
        return sorted(trace.content for trace in memory.bind(user=user).list())


def test_the_librarys_client_over_a_pipe(brain: Path) -> None:
    async def talk() -> None:
        first, *arguments = command(brain, "--user", "ana")
        server = StdioServerParameters(command=first, args=arguments, env=environment())
        started = time.perf_counter()
        async with stdio_client(server) as streams, ClientSession(*streams) as client:
            greeting = await client.initialize()
            spent = time.perf_counter() - started
            sys.stdout.write(f"initialize answered after {spent:.2f} s\n")
            assert greeting.server_info.name == "mnemic"
            assert "data" in (greeting.instructions or "")
            await look(client)
            await use(client)

    async def look(client: ClientSession) -> None:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert listed.keys() == named_specs().keys()
        for name, spec in named_specs().items():
            tool = listed[name]
            assert tool.input_schema == spec.input_schema
            assert tool.output_schema == spec.output_schema
            assert tool.annotations is not None
            assert tool.annotations.read_only_hint == spec.read_only
            assert tool.annotations.destructive_hint == spec.destructive
            assert tool.annotations.idempotent_hint == spec.idempotent
        prompts = (await client.list_prompts()).prompts
        assert [prompt.name for prompt in prompts] == ["use_memory"]
        (message,) = (await client.get_prompt("use_memory")).messages
        assert message.content.type == "text"
        assert all(name in message.content.text for name in listed)

    async def use(client: ClientSession) -> None:
        empty = (await client.read_resource("mnemic://context")).contents[0]
        assert "Nothing is remembered yet" in empty.text  # type: ignore[union-attr]
        added = await client.call_tool("memory_add", {"content": LISBON})
        assert added.structured_content is not None
        trace_id = added.structured_content["traceId"]
        found = await client.call_tool("memory_search", {"query": "Lisbon"})
        assert found.structured_content is not None
        assert [one["id"] for one in found.structured_content["results"]] == [trace_id]
        trace = (await client.read_resource(f"mnemic://trace/{trace_id}")).contents[0]
        assert json.loads(trace.text)["channel"] == "mcp"  # type: ignore[union-attr]
        wrong = await client.call_tool("memory_search", {"query": "Lisbon", "user": "bob"})
        assert wrong.is_error

    asyncio.run(talk())
    assert stored(brain) == [LISBON]


PRINTING = """
import os, subprocess, sys
from mnemic import Memory, Principal
from mnemic.server.mcp.stdio import serve_stdio

def memory():
    print("printed")
    sys.stdout.write("written")
    os.write(1, b"bare")
    subprocess.run([sys.executable, "-S", "-c", "print('of a child')"])
    return Memory.open(sys.argv[1], embedder=None)

serve_stdio(memory, Principal(user="ana"))
print("after", flush=True)
"""


def test_stdout_holds_the_protocol_alone_even_when_no_brain_opens(brain: Path) -> None:
    brain.write_text("this is no brain, but it is longer than the head of a database is" * 20)
    pipe = Pipe([sys.executable, "-c", PRINTING, str(brain)]).greet()
    assert pipe.call("memory_search", query="Lisbon")["error"]["kind"] == "NotABrain"
    for uri in ("mnemic://context", "mnemic://trace/mt_1"):
        assert "brain" in pipe.ask("resources/read", {"uri": uri})["error"]["message"]
    brain.unlink()
    assert pipe.call("memory_add", content=LISBON)["status"] == "stored"
    pipe.stdin.close()
    rest = pipe.stdout.read()
    code, said = pipe.ended()
    assert code == 0
    for line in pipe.lines:
        assert json.loads(line)["jsonrpc"] == "2.0"
    # What is printed when serving is over is the program's own; nothing was kept back till then.
    assert rest.split() == [b"after"]
    words = ("printed", "written", "bare", "of a child", "cannot be opened")
    assert all(one in said for one in words)
    assert stored(brain) == [LISBON]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The brain that `ana` serves."""
    return tmp_path_factory.mktemp("stdio") / "brain.db"


@pytest.fixture(scope="module")
def ana(shared: Path) -> Iterator[Pipe]:
    """A server for ana that outlives whatever the tests do to it."""
    pipe = Pipe(command(shared, "--user", "ana"))
    pipe.send(b"this is no JSON")
    yield pipe.greet()
    code, said = pipe.ended()
    assert code == 0
    assert "Traceback" not in said
    assert LISBON not in said


def test_frames_that_are_none_do_no_harm(ana: Pipe) -> None:
    for line in (
        b"",
        b"[]",
        b"{",
        b'{"jsonrpc": "2.0"}',
        b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}',
        b'{"jsonrpc": "2.0", "id": {}, "method": 5}',
        b"\xff\xfe\x00",
        b'{"jsonrpc": "2.0", "id": 99, "method": "tools/call", "params": {"name": "\\ud800"}}',
        b'{"jsonrpc": "2.0", "id": 98, "method": "tools/call", "params": 5}',
        b"[" * 5_000,
    ):
        ana.send(line)
    assert "error" in ana.ask("tools/call", {"name": "memory_erase", "arguments": {}})
    assert "error" in ana.ask("nonsense", {})
    assert ana.call("memory_add", content=LISBON)["traceId"]


def test_an_argument_of_5_mb_is_refused_and_the_server_goes_on(ana: Pipe) -> None:
    error = ana.call("memory_add", content="zebra " * 850_000)["error"]
    assert error["kind"] == "InvalidInput"
    assert "content has 5,100,000 characters, at most 1,000,000" in error["message"]
    assert len(error["message"]) < 400
    assert ana.call("memory_search", query="+zebra")["results"] == []
    assert ana.call("memory_add", content="A zebra is striped.")["traceId"]
    assert len(ana.call("memory_search", query="+zebra")["results"]) == 1


def test_two_clients_at_once(ana: Pipe, shared: Path) -> None:
    with piped(command(shared, "--user", "bob")) as bob:
        for number in range(3):  # bob asks before ana is answered
            waiting = bob.request("tools/call", _adding(f"Bob's note {number}."))
            assert ana.call("memory_add", content=f"Ana's note {number}.")["traceId"]
            bob.answer(waiting)
        theirs = bob.call("memory_search", query="+note")["results"]
        assert {one["content"] for one in theirs} == {f"Bob's note {n}." for n in range(3)}
        gone = ana.call("memory_delete", traceId=theirs[0]["id"])
        assert (gone["deleted"], gone["reason"]) == (False, "not_found")
        assert len(ana.call("memory_search", query="+note")["results"]) == 3
    assert len(stored(shared, "bob")) == 3


def _adding(content: str) -> dict[str, object]:
    return {"name": "memory_add", "arguments": {"content": content}}


def test_a_client_that_dies_in_a_call_leaves_a_whole_brain(ana: Pipe, shared: Path) -> None:
    dying = Pipe(command(shared, "--user", "carla")).greet()
    assert dying.call("memory_add", content=LISBON)["status"] == "stored"
    long = " ".join(f"Note {number} is about the lighthouse." for number in range(300))
    for number in range(3):
        dying.request("tools/call", _adding(f"{number}: {long}"))
    code, said = dying.ended()
    assert (code, said) == (0, "")
    assert LISBON in stored(shared, "carla")
    assert ana.call("memory_add", content="The server is alive.")["traceId"]
