"""Vectors: how they are stored, and how they are searched.

A unit vector is stored as a scale (float32) and one signed byte a dimension: the largest
component becomes 127. The cosine of two such vectors is off by about 0.0005. A partition with
few vectors is searched exactly, as float32. One with many is first scanned by the signs of the
components, one bit each, and the nearest are scored again with their bytes: 432 bytes of memory
a vector of 384 dimensions in place of 1,536 (docs/benchmarks.md).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Bytes = NDArray[np.int8]


def pack(vectors: Floats) -> bytes:
    """Unit vectors, shape (n, dimension), as stored: n scales (float32), then n rows of bytes."""
    scale = np.abs(vectors).max(axis=1) / np.float32(127)
    return joined(scale, np.rint(vectors / scale[:, None]).astype(np.int8))


def joined(scale: Floats, quantised: Bytes) -> bytes:
    """Scales and rows in their stored form."""
    return scale.astype("<f4").tobytes() + quantised.tobytes()


def parts(data: bytes, dimension: int) -> tuple[Floats, Bytes]:
    """The scales, shape (n,), and the rows, shape (n, dimension), of stored vectors."""
    count = len(data) // (4 + dimension)
    quantised = np.frombuffer(data, np.int8, count * dimension, 4 * count)
    return np.frombuffer(data, "<f4", count), quantised.reshape(count, dimension)


def unpack(data: bytes, dimension: int) -> Floats:
    """The vectors of a stored row, shape (n, dimension), float32."""
    scale, quantised = parts(data, dimension)
    vectors: Floats = quantised.astype(np.float32) * scale[:, None]
    return vectors


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The vectors of one partition, in the order of their entries.

    Each entry's first row is its whole text, the others are its sentences.

    Args:
        dimension: of the vectors.
        entries: the entries that have vectors, ascending, shape (m,).
        counts: how many rows each of them has, shape (m,).
        scale: of each row, shape (n,).
        quantised: the rows as signed bytes, shape (n, dimension).
    """

    dimension: int
    entries: Ints
    counts: Ints
    scale: Floats
    quantised: Bytes

    @classmethod
    def empty(cls, dimension: int) -> Rows:
        """No vectors at all."""
        none = np.zeros(0, np.int64)
        rows = np.zeros((0, dimension), np.int8)
        return cls(dimension, none, none, np.zeros(0, np.float32), rows)

    def extended(self, more: Iterable[tuple[Ints, Ints, bytes]]) -> Rows:
        """These vectors and those of later entries: entries, their counts, and stored vectors."""
        entries, counts = [self.entries], [self.counts]
        scale, quantised = [self.scale], [self.quantised]
        for of, held, data in more:
            entries.append(of)
            counts.append(held)
            found = parts(data, self.dimension)
            scale.append(found[0])
            quantised.append(found[1])
        if len(entries) == 1:
            return self
        return Rows(
            self.dimension,
            np.concatenate(entries),
            np.concatenate(counts),
            np.concatenate(scale),
            np.concatenate(quantised),
        )

    def __len__(self) -> int:
        return len(self.scale)


class Matrix:
    """Vectors made ready for search: exactly when they are few, else by their bits first."""

    def __init__(self, rows: Rows, exact: bool) -> None:
        self.rows = rows
        self.exact = exact
        self._floats: Floats | None = None
        self._bits: NDArray[np.uint64] | None = None
        self._counts = rows.counts
        self._starts = np.cumsum(rows.counts) - rows.counts
        self._owner = np.repeat(np.arange(len(rows.counts), dtype=np.int32), rows.counts)

    def all_cosines(self, query: Floats) -> tuple[Floats, Floats]:
        """For each entry with vectors: cosine of its whole text and of its best sentence."""
        if self._floats is None:
            self._floats = self.rows.quantised.astype(np.float32) * self.rows.scale[:, None]
        return self._per_entry(self._floats @ query, self._starts, self._counts)

    def cosines(self, query: Floats, chosen: Ints) -> tuple[Floats, Floats]:
        """The same for the entries at the positions `chosen` of `rows.entries`."""
        counts = self._counts[chosen]
        starts = np.concatenate(([0], np.cumsum(counts)[:-1])).astype(np.int64)
        # Row numbers of the chosen entries, one run after another.
        rows = np.arange(counts.sum()) - np.repeat(starts - self._starts[chosen], counts)
        scores = (self.rows.quantised[rows].astype(np.float32) @ query) * self.rows.scale[rows]
        return self._per_entry(scores, starts, counts)

    def nearest(self, query: Floats, rescored: int, most: int) -> Ints:
        """Positions in `rows.entries` of those nearest to the query.

        The `rescored` rows that are nearest by their bits are scored by their bytes, and the
        entries of the best `most` of them are given.
        """
        if self._bits is None:
            self._bits = signs(self.rows.quantised)
        near = nearest_by_bits(self._bits, query, rescored)
        if len(near) > most:
            scores = (self.rows.quantised[near].astype(np.float32) @ query) * self.rows.scale[near]
            near = near[np.argpartition(-scores, most)[:most]]
        chosen = np.zeros(len(self._counts), np.bool_)
        chosen[self._owner[near]] = True
        return np.flatnonzero(chosen)

    @staticmethod
    def _per_entry(scores: Floats, starts: Ints, counts: Ints) -> tuple[Floats, Floats]:
        if not len(starts):
            return scores[:0], scores[:0]
        whole = scores[starts]
        sentences = scores.copy()
        sentences[starts[counts > 1]] = -2
        return whole, np.maximum.reduceat(sentences, starts)


_CHUNK = 8_192
"""Vectors worked on at once, so that what is made on the way stays in the cache."""


def signs(vectors: Bytes | Floats) -> NDArray[np.uint64]:
    """One bit a dimension, set where the component is positive; shape (words of 64, n).

    A word of all vectors stands together, so that a scan runs along memory.
    """
    words = -(-vectors.shape[1] // 64)
    found = np.empty((words, len(vectors)), np.uint64)
    for at in range(0, len(vectors), _CHUNK):
        bits = np.packbits(vectors[at : at + _CHUNK] > 0, axis=1)
        padded = np.zeros((len(bits), 8 * words), np.uint8)
        padded[:, : bits.shape[1]] = bits
        found[:, at : at + _CHUNK] = padded.view(np.uint64).T
    return found


def nearest_by_bits(bits: NDArray[np.uint64], query: Floats, most: int) -> Ints:
    """About the `most` vectors that share most signs with the query; all that tie at the end."""
    differing = np.zeros(bits.shape[1], np.uint16)
    for column, word in zip(bits, signs(query[None, :])[:, 0], strict=True):
        differing += np.bitwise_count(column ^ word)
    if len(differing) <= most:
        return np.arange(len(differing))
    up_to = np.cumsum(np.bincount(differing))
    last = int(np.searchsorted(up_to, most))
    return np.flatnonzero(differing <= last)
