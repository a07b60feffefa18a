"""How calls are served: beside one another, and without telling what a bug said."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from mcp.client.client import Client

from mnemic import Memory, Principal
from mnemic.errors import NotABrain
from mnemic.server.mcp.held import Held, of_client
from mnemic.server.mcp.server import MemoryServer
from tests.conftest import Opener

SECRET = "the word that only the server may see"


class Waiting:
    """An expander that does not answer until it may."""

    name = "waiting"

    def __init__(self) -> None:
        self.asked, self.may = threading.Event(), threading.Event()

    def expand(self, question: str) -> Sequence[str]:
        """No other wordings, in the end."""
        self.asked.set()
        assert self.may.wait(30)
        return ()


def served(memory: Memory) -> MemoryServer:
    """A server for ana."""
    return MemoryServer(Held(memory), of_client(Principal(user="ana")))


def test_one_call_does_not_wait_for_another(open_brain: Opener) -> None:
    waiting = Waiting()
    server = served(open_brain(expander=waiting))

    async def talk() -> None:
        async with Client(server) as one, Client(server) as other:
            slow = asyncio.create_task(one.call_tool("memory_search", {"query": "the harbour"}))
            try:
                assert await asyncio.to_thread(waiting.asked.wait, 30)
                for client in (one, other):
                    added = await asyncio.wait_for(
                        client.call_tool("memory_add", {"content": "The harbour is closed."}), 10
                    )
                    assert not added.is_error
                assert not slow.done()
            finally:
                waiting.may.set()
            assert not (await slow).is_error

    asyncio.run(talk())


def test_a_brain_is_opened_once_and_a_failure_is_tried_again(open_brain: Opener) -> None:
    tries: list[str] = []

    def opener() -> Memory:
        tries.append("tried")
        if len(tries) == 1:
            raise NotABrain("this is none")
        return open_brain()

    held = Held(opener)
    held.begin()
    held.begin()
    held.settle()
    assert len(tries) == 1
    with ThreadPoolExecutor(8) as threads:
        found = [*threads.map(lambda _: held.get(), range(8))]
    assert len(set(map(id, found))) == 1
    assert len(tries) == 2


def test_a_bug_is_logged_and_not_told(open_brain: Opener, caplog: pytest.LogCaptureFixture) -> None:
    def broken() -> str:
        raise RuntimeError(SECRET)

    server = served(open_brain(ids=broken))

    async def talk() -> str:
        async with Client(server) as client:
            result = await client.call_tool("memory_add", {"content": "The harbour is closed."})
            assert result.is_error
            assert not (await client.call_tool("memory_search", {"query": "harbour"})).is_error
            return str(result.content)

    with caplog.at_level(logging.ERROR):
        told = asyncio.run(talk())
    assert "memory_add failed by a bug" in told
    assert SECRET not in told
    assert SECRET in caplog.text
