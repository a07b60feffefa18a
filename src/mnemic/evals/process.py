"""Measurements that need a fresh process: opening, the first recall, memory.

Run as ``python -m mnemic.evals.process WHAT FILE``; prints one JSON object.
"""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnemic.evals.corpus import Filler
from mnemic.index.vectors import unpack
from mnemic.memory import Memory
from mnemic.settings import Settings

_QUESTION = "what did they say about the garden?"


def run(what: str, file: Path) -> dict[str, float]:
    """Measure in a fresh process."""
    command = [sys.executable, "-m", "mnemic.evals.process", what, str(file)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def read_vectors(file: Path) -> NDArray[np.float32]:
    """All vectors of a brain's file."""
    return np.concatenate([unpack(blob, Filler.dimension) for blob in _blobs(file)])


def _blobs(file: Path) -> list[bytes]:
    """The stored vectors, read bare."""
    connection = sqlite3.connect(file)
    blocks = connection.execute("SELECT data FROM segment_vectors ORDER BY segment").fetchall()
    rows = connection.execute("SELECT data FROM trace_vectors ORDER BY entry").fetchall()
    connection.close()
    return [row[0] for row in (*blocks, *rows)]


def _opened(file: Path) -> Memory:
    return Memory.open(file, embedder=Filler(), settings=Settings())


def _open(file: Path) -> dict[str, Any]:
    _opened(file).close()  # what is loaded once, is loaded
    started = perf_counter()
    _opened(file)
    return {"seconds": perf_counter() - started}


def _first(file: Path) -> dict[str, Any]:
    memory = _opened(file)
    started = perf_counter()
    memory.bind(user="bench").recall(_QUESTION, touch=False)
    return {"seconds": perf_counter() - started}


def _bare(file: Path) -> dict[str, Any]:
    filler = Filler()
    started = perf_counter()
    filler.embed([_QUESTION])
    np.frombuffer(b"".join(_blobs(file)), np.uint8)
    return {"seconds": perf_counter() - started}


class _NoModel:
    """Stands in for the model where memory is measured.

    Loading the model leaves freed memory behind that the index would then be put into unseen.
    """

    name, dimension = Filler.name, Filler.dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.ones((len(texts), self.dimension), np.float32)


def _memory(file: Path) -> dict[str, Any]:
    memory = Memory.open(file, embedder=_NoModel(), settings=Settings())
    memory.bind(user="bench").recall(_QUESTION, touch=False)
    return {"bytes": _resident(), "vectors": _count(file)}


def _count(file: Path) -> int:
    """How many vectors the file holds."""
    return sum(len(blob) for blob in _blobs(file)) // (4 + Filler.dimension)


def _resident() -> int:
    """Bytes of this process that are in memory (Linux)."""
    return _status("VmRSS:")


def most_resident() -> int:
    """The most bytes of this process that have been in memory so far (Linux)."""
    return _status("VmHWM:")


def _status(name: str) -> int:
    status = Path("/proc/self/status").read_text("utf-8")
    line = next(line for line in status.splitlines() if line.startswith(name))
    return int(line.split()[1]) * 1024


if __name__ == "__main__":
    measure = {"open": _open, "first": _first, "bare": _bare, "memory": _memory}[sys.argv[1]]
    sys.stdout.write(json.dumps(measure(Path(sys.argv[2]))))
