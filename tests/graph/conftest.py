"""The graph of the brain that the other fixtures open."""

from __future__ import annotations

import pytest

from mnemic import Memory
from tests.conftest import FixedClock
from tests.graph.graphs import Graph


@pytest.fixture
def graph(memory: Memory, clock: FixedClock) -> Graph:
    return Graph(memory, clock)
