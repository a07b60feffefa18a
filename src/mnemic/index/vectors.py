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


def _layout(dimension: int) -> np.dtype[np.void]:
    return np.dtype([("scale", "<f4"), ("bytes", "i1", (dimension,))])


def pack(vectors: Floats) -> bytes:
    """Unit vectors, shape (n, dimension), in their stored form."""
    packed = np.empty(len(vectors), _layout(vectors.shape[1]))
    scale = np.abs(vectors).max(axis=1) / 127
    packed["scale"] = scale
    packed["bytes"] = np.rint(vectors / scale[:, None])
    return packed.tobytes()


def unpack(data: bytes, dimension: int) -> Floats:
    """The vectors of a stored row, shape (n, dimension), float32."""
    packed = np.frombuffer(data, _layout(dimension))
    vectors: Floats = packed["bytes"].astype(np.float32) * packed["scale"][:, None]
    return vectors


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The vectors of one partition, in the order of their entries.

    Each entry's first row is its whole text, the others are its sentences.

    Args:
        dimension: of the vectors.
        entries: the entries that have vectors, ascending, shape (m,).
        starts: the first row of each of them, shape (m,).
        scale: of each row, shape (n,).
        quantised: the rows as signed bytes, shape (n, dimension).
    """

    dimension: int
    entries: Ints
    starts: Ints
    scale: Floats
    quantised: NDArray[np.int8]

    @classmethod
    def empty(cls, dimension: int) -> Rows:
        """No vectors at all."""
        none = np.zeros(0, np.int64)
        packed = np.zeros((0, dimension), np.int8)
        return cls(dimension, none, none, np.zeros(0, np.float32), packed)

    def extended(self, rows: Iterable[tuple[int, bytes]]) -> Rows:
        """These vectors and those of more entries, given as stored, in order."""
        entries, data = [], []
        for entry, blob in rows:
            entries.append(entry)
            data.append(blob)
        if not entries:
            return self
        layout = _layout(self.dimension)
        counts = np.array([len(blob) for blob in data], np.int64) // layout.itemsize
        starts = len(self.scale) + np.concatenate(([0], np.cumsum(counts[:-1])))
        packed = np.frombuffer(b"".join(data), layout)
        return Rows(
            self.dimension,
            np.concatenate((self.entries, np.array(entries, np.int64))),
            np.concatenate((self.starts, starts)),
            np.concatenate((self.scale, packed["scale"])),
            np.concatenate((self.quantised, packed["bytes"])),
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
        counts = np.diff(np.append(rows.starts, len(rows)))
        self._counts = counts
        self._owner = np.repeat(np.arange(len(counts)), counts)

    def all_cosines(self, query: Floats) -> tuple[Floats, Floats]:
        """For each entry with vectors: cosine of its whole text and of its best sentence."""
        if self._floats is None:
            self._floats = self.rows.quantised.astype(np.float32) * self.rows.scale[:, None]
        return self._per_entry(self._floats @ query, self.rows.starts, self._counts)

    def cosines(self, query: Floats, chosen: Ints) -> tuple[Floats, Floats]:
        """The same for the entries at the positions `chosen` of `rows.entries`."""
        counts = self._counts[chosen]
        starts = np.concatenate(([0], np.cumsum(counts)[:-1])).astype(np.int64)
        # Row numbers of the chosen entries, one run after another.
        rows = np.arange(counts.sum()) - np.repeat(starts - self.rows.starts[chosen], counts)
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


def signs(vectors: NDArray[np.int8] | Floats) -> NDArray[np.uint64]:
    """One bit a dimension, set where the component is positive; shape (words of 64, n).

    A word of all vectors stands together, so that a scan runs along memory.
    """
    bits = np.packbits(vectors > 0, axis=1)
    short = -bits.shape[1] % 8
    if short:
        bits = np.pad(bits, ((0, 0), (0, short)))
    return np.ascontiguousarray(np.ascontiguousarray(bits).view(np.uint64).T)


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
