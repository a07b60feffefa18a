"""The embedding server over a real socket: the same vectors, and no language model."""

from __future__ import annotations

import base64
import http.client
import json
import socket
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mnemic.evals.peers.embedding import EmbeddingServer
from mnemic.evals.peers.worker import Loopback
from mnemic.index.embed.minilm import MiniLM


class Letters:
    """An embedder that counts letters: quick, and the same everywhere."""

    name = "letters"
    dimension = 27

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = np.full((len(texts), 27), 0.1, np.float32)
        for row, text in zip(rows, texts, strict=True):
            for letter in text.lower():
                row[(ord(letter) - ord("a")) % 27] += 1
        return rows


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with EmbeddingServer(Letters()) as running:
        yield running


def port(server: EmbeddingServer) -> int:
    return int(server.address.removeprefix("http://127.0.0.1:").removesuffix("/v1"))


def ask(server: EmbeddingServer, path: str, body: object = None) -> tuple[int, dict[str, Any]]:
    connection = http.client.HTTPConnection("127.0.0.1", port(server), timeout=10)
    connection.request("GET" if body is None else "POST", path, json.dumps(body))
    answer = connection.getresponse()
    given = json.loads(answer.read())
    connection.close()
    return answer.status, given


def test_the_vectors_are_the_embedders() -> None:
    texts = ["The keel is green.", "", "Bea plays the oboe — really?", "x " * 900]
    model = MiniLM()
    with EmbeddingServer(model) as server:
        loopback = Loopback(server.address)
        given = np.asarray(loopback(texts), np.float32)
        again = np.asarray(loopback(texts[:1]), np.float32)
        loopback.close()
    assert given.tobytes() == model.embed(texts).tobytes()
    assert again.tobytes() == model.embed(texts[:1]).tobytes()


def test_one_text_and_packed_vectors(server: EmbeddingServer) -> None:
    expected = Letters().embed(["oboe"])
    status, plain = ask(server, "/v1/embeddings", {"model": "any", "input": "oboe"})
    assert status == 200
    assert np.array_equal(np.asarray([plain["data"][0]["embedding"]], np.float32), expected)
    _, packed = ask(server, "/v1/embeddings", {"input": ["oboe"], "encoding_format": "base64"})
    raw = base64.b64decode(packed["data"][0]["embedding"])
    assert np.array_equal(np.frombuffer(raw, "<f4")[None], expected)


def test_what_is_refused(server: EmbeddingServer) -> None:
    assert ask(server, "/v1/models")[1]["data"][0]["id"] == "minilm"
    status, told = ask(server, "/v1/chat/completions", {"messages": []})
    assert (status, "no language model" in told["error"]["message"]) == (404, True)
    wrong: list[object] = [{}, {"input": [1, 2]}, {"input": None}, []]
    for bad in wrong:
        assert ask(server, "/v1/embeddings", bad)[0] == 400
    assert ask(server, "/v1/embeddings", {"input": ["a"]})[0] == 200


def test_an_answer_is_one_write(server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[int, int]] = []
    send = socket.socket.send

    def counted(self: socket.socket, data: Any) -> int:
        if self.getsockname()[1] == port(server):
            undelayed = self.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            sent.append((len(data), undelayed))
        return send(self, data)

    monkeypatch.setattr(socket.socket, "send", counted)
    loopback = Loopback(server.address)
    loopback(["oboe"])
    loopback(["oboe"] * 20)
    loopback.close()
    assert len(sent) == 2
    assert sent[0][0] < sent[1][0]
    assert all(undelayed for _, undelayed in sent)


def test_the_median_of_single_texts(server: EmbeddingServer) -> None:
    assert 0 < server.milliseconds(["a", "b", "c"]) < 1_000
    assert server.milliseconds([]) == 0
