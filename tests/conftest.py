"""One brain on every backend, a fixed clock, and callers that must not see each other."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import hypothesis
import numpy as np
import pytest
from numpy.typing import NDArray

from mnemic import BoundMemory, Memory, Settings
from mnemic.index.text.tokens import stems

# Each example opens a brain: few of them, and no hunt for the smallest failing one by the minute.
hypothesis.settings.register_profile(
    "mnemic",
    deadline=None,
    max_examples=25,
    phases=(hypothesis.Phase.explicit, hypothesis.Phase.reuse, hypothesis.Phase.generate),
    suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture],
)
hypothesis.settings.load_profile("mnemic")

START = datetime(2026, 6, 1, 12, tzinfo=UTC)


class FixedClock:
    """A clock that stands still until it is moved."""

    def __init__(self, now: datetime = START) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **step: float) -> datetime:
        """Move on by `timedelta(**step)`; returns the new present."""
        self.now += timedelta(**step)
        return self.now


class WordVectors:
    """A real, small embedder: each text is the sum of one fixed random vector a stem.

    Texts that share words are near. It is quick and needs no model, so that tests of everything
    but the model can have vectors.
    """

    def __init__(self, name: str = "test-words", dimension: int = 64) -> None:
        self.name = name
        self.dimension = dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of the texts, shape (n, dimension)."""
        return np.array([self._vector(text) for text in texts], np.float32).reshape(
            len(texts), self.dimension
        )

    def _vector(self, text: str) -> NDArray[np.float64]:
        words = stems(text) or [text]
        seeds = (int.from_bytes(word.encode("utf-8")[:8].ljust(8), "big") for word in words)
        return sum(
            (np.random.default_rng(seed).standard_normal(self.dimension) for seed in seeds),
            np.zeros(self.dimension),
        )


@pytest.fixture
def clock() -> FixedClock:
    """The present of every brain of a test."""
    return FixedClock()


@pytest.fixture(params=["sqlite"])
def backend(request: pytest.FixtureRequest) -> str:
    """Every backend that a brain can live on; a test that takes a brain runs on each."""
    return str(request.param)


Opener = Callable[..., Memory]


@pytest.fixture
def open_brain(backend: str, tmp_path: Path, clock: FixedClock) -> Iterator[Opener]:
    """Opens brains: the same one each time, or another with `file="other.db"`."""
    assert backend == "sqlite"
    opened: list[Memory] = []
    numbers = itertools.count(1)

    def opener(file: str = "brain.db", **options: Any) -> Memory:
        options.setdefault("settings", Settings())
        options.setdefault("embedder", WordVectors())
        options.setdefault("clock", clock)
        options.setdefault("ids", lambda: f"mt_{next(numbers):032x}")
        memory = Memory.open(tmp_path / file, **options)
        opened.append(memory)
        return memory

    yield opener
    for memory in opened:
        memory.close()


@pytest.fixture
def memory(open_brain: Opener) -> Memory:
    """An empty brain with vectors."""
    return open_brain()


@pytest.fixture
def ana(memory: Memory) -> BoundMemory:
    """A caller."""
    return memory.bind(user="ana", thread="monday")


@pytest.fixture
def bob(memory: Memory) -> BoundMemory:
    """Another caller, in a thread of the same name."""
    return memory.bind(user="bob", thread="monday")
