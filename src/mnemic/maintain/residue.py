"""Looks for pieces of erased texts in raw bytes: many pieces at once, in one pass.

The bytes are read by a process of its own (`in_file`): this one has the file open as a database.

Each piece is found by its first eight bytes. A table of hashes says of every offset of a block
whether a piece may begin there, so that a pass costs about the same for ten pieces as for a
hundred thousand; what the table lets through is compared in full.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Container, Iterable, Iterator
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from mnemic.index.text.tokens import stems

_WIDTH = 8
_TABLE_BITS = 22
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(64 - _TABLE_BITS)
_BLOCK = 1 << 22

_PIECE_CHARS = 24
_MOST_RUNS = 64
_WORD = re.compile(r"\w+")


def pieces_of(texts: Iterable[str]) -> set[str]:
    """What to look for: runs of each text, and its longer words, as written and as indexed.

    Pieces are of eight bytes at least: shorter ones stand everywhere.
    """
    found: set[str] = set()
    for text in texts:
        runs = [text[at : at + _PIECE_CHARS] for at in range(0, len(text), _PIECE_CHARS)]
        step = max(1, -(-len(runs) // _MOST_RUNS))
        found.update(run.strip() for run in runs[::step])
        words = set(_WORD.findall(text))
        found |= words
        found.update(stems(" ".join(sorted(words))))
    return {piece for piece in found if len(_bytes(piece)) >= _WIDTH}


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


class Needles:
    """Pieces of text that are looked for.

    Args:
        pieces: each of eight bytes at least.
    """

    def __init__(self, pieces: Iterable[str]) -> None:
        # Many pieces may begin alike; of those, each length is compared once, with all at a time.
        self._by_start: dict[bytes, dict[int, dict[bytes, str]]] = {}
        for piece in pieces:
            data = _bytes(piece)
            lengths = self._by_start.setdefault(data[:_WIDTH], {})
            lengths.setdefault(len(data), {})[data] = piece
        self._longest = max((max(lengths) for lengths in self._by_start.values()), default=0)
        self._table = np.zeros(1 << _TABLE_BITS, np.bool_)
        starts = b"".join(self._by_start)
        self._table[_hashes(np.frombuffer(starts, "<u8"))] = True

    def without(self, found: Container[str]) -> Needles:
        """Those pieces that are not among `found`."""
        several = (p for lengths in self._by_start.values() for p in lengths.values())
        return Needles(
            piece for pieces in several for piece in pieces.values() if piece not in found
        )

    def in_bytes(self, data: bytes) -> Iterator[tuple[str, int]]:
        """Each piece that stands in some bytes, with each offset."""
        for shift in range(_WIDTH):
            usable = (len(data) - shift) // _WIDTH * _WIDTH
            if usable <= 0:
                return
            windows = np.frombuffer(data, "<u8", usable // _WIDTH, shift)
            for number in np.flatnonzero(self._table[_hashes(windows)]).tolist():
                at = shift + number * _WIDTH
                for length, pieces in self._by_start.get(data[at : at + _WIDTH], _NONE).items():
                    piece = pieces.get(data[at : at + length])
                    if piece is not None:
                        yield piece, at

    def in_stream(self, stream: IO[bytes]) -> dict[str, int]:
        """Each piece that stands in a stream of bytes, with its first offset."""
        found: dict[str, int] = {}
        wanted = self
        base, kept = 0, b""
        while block := stream.read(_BLOCK):
            data = kept + block
            before = len(found)
            for piece, at in wanted.in_bytes(data):
                place = base - len(kept) + at
                found[piece] = min(place, found.get(piece, place))
            if len(found) > before:
                wanted = wanted.without(found)
            base += len(block)
            kept = data[-self._longest :] if self._longest else b""
        return found


_NONE: dict[int, dict[bytes, str]] = {}


def _hashes(windows: NDArray[np.uint64]) -> NDArray[np.uint64]:
    with np.errstate(over="ignore"):
        hashed: NDArray[np.uint64] = (windows * _FACTOR) >> _SHIFT
    return hashed


_READ = "import shutil, sys; shutil.copyfileobj(open(sys.argv[1], 'rb'), sys.stdout.buffer)"


def in_file(needles: Needles, file: Path) -> dict[str, int]:
    """Each piece that stands in a file that this process has open as a database, with its offset.

    Another process reads it. On POSIX, whoever closes a file loses all locks that their process
    has on it: SQLite's would be gone, and another process could take its log away beneath it.

    Raises:
        OSError: it cannot be read, or not to its end.
    """
    from multiprocessing.spawn import get_executable

    python = get_executable()
    if not python or getattr(sys, "frozen", False):  # a program packed as one file is no Python
        raise OSError(f"{file.name} cannot be searched: this program knows of no interpreter")
    with subprocess.Popen(
        [python, "-I", "-S", "-c", _READ, str(file)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as reader:
        assert reader.stdout is not None
        found = needles.in_stream(reader.stdout)
    if reader.returncode:
        raise OSError(f"{file.name} cannot be searched: it could not be read to its end")
    return found


_BATCH = 1 << 20


def accounted(found: Iterable[str], texts: Iterable[str]) -> set[str]:
    """The pieces that some texts hold, whatever their case, as written or as indexed."""
    folded: dict[str, list[str]] = {}
    for piece in found:
        folded.setdefault(piece.casefold(), []).append(piece)
    needles = Needles(piece for piece in folded if len(_bytes(piece)) >= _WIDTH)
    seen: set[str] = set()
    for batch in _batches(texts):
        known = len(seen)
        seen.update(piece for piece, _ in needles.in_bytes(_bytes(batch.casefold())))
        if len(seen) < len(folded):
            seen |= folded.keys() & set(stems(batch))
        if len(seen) == len(folded):
            break
        if len(seen) > known:
            needles = needles.without(seen)
    return {piece for one in seen for piece in folded[one]}


def _batches(texts: Iterable[str]) -> Iterator[str]:
    """Texts gathered into longer ones; no piece reaches over the NUL between two of them."""
    batch: list[str] = []
    length = 0
    for text in texts:
        batch.append(text)
        length += len(text)
        if length >= _BATCH:
            yield "\0".join(batch)
            batch, length = [], 0
    yield "\0".join(batch)
