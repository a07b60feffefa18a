"""An OpenAI-compatible embedding server on loopback, so that all peers have the same vectors.

It speaks ``POST /v1/embeddings`` (floats or base64) and ``GET /v1/models`` and nothing else: a
request for a language model is refused. An answer is one write on a socket without Nagle's delay;
in two, each call on a kept connection would wait some 40 ms for an acknowledgement.
"""

from __future__ import annotations

import base64
import http.client
import json
import threading
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import perf_counter
from types import TracebackType
from typing import Any

import numpy as np

from mnemic import Embedder
from mnemic.evals.metrics import percentile

MODEL = "minilm"
"""The name that peers ask for; any other is answered as well."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, embedder: Embedder) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.embedder = embedder


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = 1 << 20  # headers and body wait for the flush, to leave as one

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: a line a request would drown the table."""

    def do_GET(self) -> None:
        """The one model there is."""
        self._send(200, {"object": "list", "data": [{"id": MODEL, "object": "model"}]})

    def do_POST(self) -> None:
        """Vectors of the texts under "input"."""
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if not self.path.endswith("/embeddings"):
            self._refuse(404, "there is no language model here, only embeddings")
            return
        try:
            request = json.loads(body)
            texts = _texts(request["input"])
        except (ValueError, KeyError, TypeError):
            self._refuse(400, "input must be a text or a list of texts")
            return
        assert isinstance(self.server, _Server)
        vectors = np.asarray(self.server.embedder.embed(texts), np.float32)
        packed = request.get("encoding_format") == "base64"
        data = [
            {"object": "embedding", "index": at, "embedding": _vector(row, packed=packed)}
            for at, row in enumerate(vectors)
        ]
        usage = {"prompt_tokens": 0, "total_tokens": 0}
        self._send(200, {"object": "list", "model": MODEL, "data": data, "usage": usage})

    def _refuse(self, status: int, why: str) -> None:
        self._send(status, {"error": {"message": why, "type": "invalid_request_error"}})

    def _send(self, status: int, value: dict[str, Any]) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()


def _texts(value: object) -> list[str]:
    """The texts of a request. Raises TypeError for anything else, tokens included."""
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(one, str) for one in texts):
        raise TypeError
    return texts


def _vector(row: Any, *, packed: bool) -> list[float] | str:
    if packed:
        return base64.b64encode(row.astype("<f4").tobytes()).decode("ascii")
    values: list[float] = row.tolist()
    return values


class EmbeddingServer:
    """The server, running in threads of this process while it is entered.

    Args:
        embedder: makes the vectors; threads must be able to share it.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._server = _Server(embedder)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self) -> EmbeddingServer:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def address(self) -> str:
        """Where it listens, as the base address of an OpenAI client."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def milliseconds(self, texts: Sequence[str]) -> float:
        """The median of embedding the texts one by one over loopback: a floor for all peers."""
        port = int(self._server.server_address[1])
        connection = http.client.HTTPConnection("127.0.0.1", port)
        taken = []
        for text in texts:
            body = json.dumps({"model": MODEL, "input": [text]})
            started = perf_counter()
            connection.request("POST", "/v1/embeddings", body)
            json.loads(connection.getresponse().read())
            taken.append(1000 * (perf_counter() - started))
        connection.close()
        return percentile(taken, 0.5)
