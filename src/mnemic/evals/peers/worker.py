"""Drives one adapter inside a peer's environment.

Run as ``python -I worker.py ADAPTER FOLDER SERVER``; it reads a JSON request a line and writes a
JSON answer a line. It imports the standard library only, since
mnemic is not installed where it runs. Times are taken here, around the peer's own calls, so the
pipe to the parent costs a peer nothing. What a peer prints goes to stderr, and a connection to
anything but this machine is refused.
"""

from __future__ import annotations

import http.client
import importlib.util
import json
import os
import platform
import sys
import urllib.parse
from importlib import metadata
from time import perf_counter
from typing import Any

_PATIENCE_SECONDS = 300
_ERROR_CHARS = 600


def only_this_machine(event: str, args: tuple[Any, ...]) -> None:
    """An audit hook that refuses what would leave this machine."""
    if event == "socket.connect" and isinstance(args[1], tuple):
        host = args[1][0]
    elif event == "socket.getaddrinfo":
        host = args[0]
    else:
        return
    name = host.decode() if isinstance(host, bytes) else host
    if not (name is None or name in {"localhost", "::1", "0.0.0.0", ""} or name.startswith("127.")):
        raise OSError(f"{name} is not this machine: peers are measured offline")


class Loopback:
    """Vectors from the parent's embedding server, over one connection that is kept."""

    def __init__(self, server: str) -> None:
        address = urllib.parse.urlsplit(server)
        self._path = f"{address.path}/embeddings"
        self._connection = http.client.HTTPConnection(
            address.hostname or "127.0.0.1", address.port, timeout=_PATIENCE_SECONDS
        )

    def __call__(self, texts: list[str]) -> list[list[float]]:
        """A vector for each text."""
        body = json.dumps({"model": "minilm", "input": texts})
        self._connection.request("POST", self._path, body, {"Content-Type": "application/json"})
        answer = json.loads(self._connection.getresponse().read())
        return [one["embedding"] for one in answer["data"]]

    def close(self) -> None:
        """Let go of the connection; a further call makes a new one."""
        self._connection.close()


class Worker:
    """One adapter and what can be asked of it."""

    def __init__(self, adapter: str, folder: str, server: str) -> None:
        self._adapter, self._folder, self._server = adapter, folder, server
        self._store: Any = None

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Do what is asked and say how long it took."""
        what = request.pop("do")
        if what not in {"about", "open", "add", "add_many", "finish", "ask", "close"}:
            raise ValueError(f"nothing is known of {what!r}")
        made: dict[str, Any] = getattr(self, f"_{what}")(**request)
        return made

    def _about(self) -> dict[str, Any]:
        versions = {one.metadata["Name"]: one.version for one in metadata.distributions()}
        return {"python": platform.python_version(), "versions": dict(sorted(versions.items()))}

    def _open(self) -> dict[str, Any]:
        spec = importlib.util.spec_from_file_location("peer_adapter", self._adapter)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules["peer_adapter"] = module
        spec.loader.exec_module(module)
        started = perf_counter()
        module.load()
        imported = perf_counter()
        embed = Loopback(self._server) if self._server else None
        self._store = module.open_store(self._folder, self._server, embed)
        return {
            "import_seconds": imported - started,
            "open_seconds": perf_counter() - imported,
            "batch": hasattr(self._store, "add_many"),
        }

    def _add(self, items: list[dict[str, Any]]) -> dict[str, Any]:
        started = perf_counter()
        names = [self._store.add(item) for item in items]
        return {"names": names, "seconds": perf_counter() - started}

    def _add_many(self, items: list[dict[str, Any]]) -> dict[str, Any]:
        started = perf_counter()
        names = self._store.add_many(items)
        return {"names": names, "seconds": perf_counter() - started}

    def _finish(self) -> dict[str, Any]:
        started = perf_counter()
        if hasattr(self._store, "finish"):
            self._store.finish()
        return {"seconds": perf_counter() - started}

    def _ask(self, user: str, question: str, limit: int) -> dict[str, Any]:
        started = perf_counter()
        names = self._store.ask(user, question, limit)
        return {"names": names, "seconds": perf_counter() - started}

    def _close(self) -> dict[str, Any]:
        self._store.close()
        return {}


def main() -> None:
    """Answer until the requests end or one fails."""
    # Some peers print to stdout or read from stdin; both are kept out of the conversation.
    requests = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    sys.addaudithook(only_this_machine)
    worker = Worker(*sys.argv[1:])
    for line in requests:
        try:
            answer = worker.answer(json.loads(line))
        except BaseException as error:  # noqa: BLE001 - whatever a peer raises is its reason
            answer = {"error": f"{type(error).__name__}: {error}"[:_ERROR_CHARS]}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
        if "error" in answer:
            break
    # A peer's threads may outlive its work; nothing is left to be saved after `close`.
    os._exit(0)


if __name__ == "__main__":
    main()
