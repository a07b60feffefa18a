"""Servers in processes of their own, and bare clients that may misbehave."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

SOURCE = Path(__file__).parents[2] / "src"
PROTOCOL = "2025-06-18"
_PATIENCE_SECONDS = 60.0

HELLO = {
    "protocolVersion": PROTOCOL,
    "capabilities": {},
    "clientInfo": {"name": "bare", "version": "0"},
}


def command(brain: Path, *options: str) -> list[str]:
    """The command that serves a brain, by words only: no test here needs a model."""
    return [sys.executable, "-m", "mnemic", "mcp", "--brain", str(brain), "--no-embedder", *options]


def environment(**extra: str) -> dict[str, str]:
    """The environment of a server: nothing of the developer's own shows through."""
    ours = ("MNEMIC_", "PYTHON")  # unbuffered, stdout would hide what was kept back in it
    own = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return {**own, "PYTHONPATH": str(SOURCE), **extra}


class Pipe:
    """A server on a pipe, and a client that writes and reads its lines one by one."""

    def __init__(self, arguments: list[str]) -> None:
        self.process = subprocess.Popen(
            arguments,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.stdin, self.stdout = self.process.stdin, self.process.stdout
        self.lines: list[bytes] = []
        self._next = 0
        # A server that does not answer must fail a test, not stop it.
        self._guard = threading.Timer(_PATIENCE_SECONDS, self.process.kill)
        self._guard.start()

    def send(self, line: bytes) -> None:
        """Write one line, whatever it is."""
        self.stdin.write(line + b"\n")
        self.stdin.flush()

    def note(self, method: str) -> None:
        """Send a notification."""
        self.send(json.dumps({"jsonrpc": "2.0", "method": method}).encode())

    def request(self, method: str, params: Mapping[str, Any]) -> int:
        """Send a request and return its id."""
        self._next += 1
        message = {"jsonrpc": "2.0", "id": self._next, "method": method, "params": params}
        self.send(json.dumps(message).encode())
        return self._next

    def ask(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """Send a request and return its answer."""
        return self.answer(self.request(method, params))

    def answer(self, wanted: int) -> dict[str, Any]:
        """The answer to a request of this id."""
        for line in self.stdout:
            self.lines.append(line)
            message: dict[str, Any] = json.loads(line)
            if message.get("id") == wanted:
                return message
        raise AssertionError(f"the server went away: {self.ended()}")

    def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool; what it gave back, or its error."""
        result = self.ask("tools/call", {"name": name, "arguments": arguments})["result"]
        found: dict[str, Any] = json.loads(result["content"][0]["text"])
        assert result.get("isError", False) == ("error" in found)
        return found

    def greet(self) -> Self:
        """Do the handshake."""
        assert "result" in self.ask("initialize", HELLO)
        self.note("notifications/initialized")
        return self

    def ended(self) -> tuple[int, str]:
        """Close the client's ends, wait for the server to end; its exit code and its stderr."""
        for stream in (self.stdin, self.stdout):
            try:
                stream.close()
            except BrokenPipeError:
                continue
        assert self.process.stderr is not None
        said = self.process.stderr.read().decode()
        code = self.process.wait(_PATIENCE_SECONDS)
        self.process.stderr.close()
        self._guard.cancel()
        return code, said


@contextmanager
def piped(arguments: list[str]) -> Iterator[Pipe]:
    """A server on a pipe after the handshake; it must end well."""
    pipe = Pipe(arguments)
    try:
        yield pipe.greet()
    finally:
        code, said = pipe.ended()
    assert (code, said) == (0, "")


@contextmanager
def listening(brain: Path, *options: str, **env: str) -> Iterator[str]:
    """A server on a free port of loopback; its URL. It is told to stop, and must end well."""
    process = subprocess.Popen(
        [*command(brain), "--http", "--port", "0", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(**env),
    )
    guard = threading.Timer(_PATIENCE_SECONDS, process.kill)
    guard.start()
    assert process.stderr is not None
    try:
        for line in process.stderr:
            if "serving on " in line:
                yield line.split("serving on ")[1].split()[0]
                break
        else:
            raise AssertionError("the server did not come up")
    finally:
        process.send_signal(signal.SIGTERM)
        out, said = process.communicate()
        guard.cancel()
    assert out == ""
    assert "Traceback" not in said, said
