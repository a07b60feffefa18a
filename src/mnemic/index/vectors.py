"""Vectors: how they are stored, and how they are searched.

A unit vector is stored as a scale (float32) and one signed byte a dimension: the largest
component becomes 127. The cosine of two such vectors is off by about 0.0005. A partition with
few vectors is searched exactly, by its bytes. One with many is first scanned by the signs of the
components, one bit each, and the nearest are scored again with their bytes: 432 bytes of memory
a vector of 384 dimensions in place of 1,536 (docs/benchmarks.md).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Small = NDArray[np.int32]
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
    entries: Small
    counts: Small
    scale: Floats
    quantised: Bytes

    @classmethod
    def empty(cls, dimension: int) -> Rows:
        """No vectors at all."""
        none = np.zeros(0, np.int32)
        rows = np.zeros((0, dimension), np.int8)
        return cls(dimension, none, none, np.zeros(0, np.float32), rows)

    def __len__(self) -> int:
        return len(self.scale)


class Collector:
    """Gathers the vectors of later entries behind those there are, into arrays made once.

    Args:
        rows: those there are.
        expected: how many vectors will come; more than that are an error.
    """

    def __init__(self, rows: Rows, expected: int) -> None:
        self._rows = rows
        self._length = len(rows)
        self._entries, self._counts = [rows.entries], [rows.counts]
        if expected:
            self._scale = np.empty(len(rows) + expected, np.float32)
            self._quantised = np.empty((len(rows) + expected, rows.dimension), np.int8)
            self._scale[: len(rows)] = rows.scale
            self._quantised[: len(rows)] = rows.quantised

    def add(self, entries: Ints, counts: Ints, data: bytes) -> None:
        """Take in the vectors of some entries: how many each has, and all of them as stored."""
        scale, quantised = parts(data, self._rows.dimension)
        end = self._length + len(scale)
        self._scale[self._length : end] = scale
        self._quantised[self._length : end] = quantised
        self._length = end
        self._entries.append(entries.astype(np.int32))
        self._counts.append(counts.astype(np.int32))

    def rows(self) -> Rows:
        """All of them."""
        if len(self._entries) == 1:
            return self._rows
        return Rows(
            self._rows.dimension,
            np.concatenate(self._entries),
            np.concatenate(self._counts),
            self._scale[: self._length],
            self._quantised[: self._length],
        )


class Matrix:
    """Vectors made ready for search: exactly when they are few, else by their bits first."""

    def __init__(self, rows: Rows, exact: bool) -> None:
        self.rows = rows
        self.exact = exact
        self._bits: NDArray[np.uint64] | None = None
        self._centre = np.zeros(rows.dimension, np.float32)
        self._counts = rows.counts
        self._starts = (np.cumsum(rows.counts) - rows.counts).astype(np.int32)

    def all_cosines(self, query: Floats) -> tuple[Floats, Floats]:
        """For each entry with vectors: cosine of its whole text and of its best sentence."""
        scores = dots(self.rows.quantised, query) * self.rows.scale
        return self._per_entry(scores, self._starts, self._counts)

    def cosines(self, query: Floats, chosen: Ints) -> tuple[Floats, Floats]:
        """The same for the entries at the positions `chosen` of `rows.entries`."""
        counts = self._counts[chosen]
        starts = np.concatenate(([0], np.cumsum(counts)[:-1])).astype(np.int64)
        # Row numbers of the chosen entries, one run after another.
        rows = np.arange(counts.sum()) - np.repeat(starts - self._starts[chosen], counts)
        scores = self._dots(rows, query)
        return self._per_entry(scores, starts, counts)

    def whole(self, chosen: Ints) -> Floats:
        """The vectors of whole texts, of the entries at these positions of `rows.entries`."""
        rows = self._starts[chosen]
        vectors: Floats = self.rows.quantised[rows].astype(np.float32)
        return vectors * self.rows.scale[rows, None]

    def nearest(self, query: Floats, rescored: int, most: int) -> Ints:
        """Positions in `rows.entries` of those nearest to the query.

        The `rescored` rows that are nearest by their bits are scored by their bytes, and the
        entries of the best `most` of them are given.
        """
        if self._bits is None:
            self._centre = _centre(self.rows)
            self._bits = signs(self.rows, self._centre)
        near = nearest_by_bits(self._bits, query - self._centre, rescored)
        if len(near) > most:
            scores = self._dots(near, query)
            near = near[np.argpartition(-scores, most)[:most]]
        chosen = np.zeros(len(self._counts), np.bool_)
        chosen[np.searchsorted(self._starts, near, side="right") - 1] = True
        return np.flatnonzero(chosen)

    def _dots(self, rows: Ints, query: Floats) -> Floats:
        """The cosines of some rows, by their bytes."""
        return dots(self.rows.quantised, query, rows) * self.rows.scale[rows]

    @staticmethod
    def _per_entry(scores: Floats, starts: Small | Ints, counts: Small) -> tuple[Floats, Floats]:
        if not len(starts):
            return scores[:0], scores[:0]
        whole = scores[starts]
        sentences = scores.copy()
        sentences[starts[counts > 1]] = -2
        return whole, np.maximum.reduceat(sentences, starts)


def dots(vectors: Floats | Bytes, query: Floats, chosen: Ints | None = None) -> Floats:
    """The dot products of rows with a vector, shape (n,): of all rows, or of those chosen.

    Some hundred rows at a time: what is made on the way stays in the cache, and the linear algebra
    below takes no second thread, which would spin beside the model and slow it (at 10,000 rows
    and two busy cores, 5.7 ms in one piece and 0.7 so).
    """
    count = len(vectors) if chosen is None else len(chosen)
    scores = np.empty(count, np.float32)
    for at in range(0, count, _AT_ONCE):
        some = slice(at, at + _AT_ONCE)
        part = vectors[some if chosen is None else chosen[some]]
        scores[some] = part.astype(np.float32, copy=False) @ query
    return scores


_CHUNK = 1_024
_AT_ONCE = 512
"""Vectors worked on at once."""

_CENTRE_SAMPLE = 1_000


def _centre(rows: Rows) -> Floats:
    """About the mean of the vectors, from which signs are taken.

    Texts of one kind share much of their components, and what they share tells none apart.
    """
    step = max(1, len(rows) // _CENTRE_SAMPLE)
    sample = rows.quantised[::step].astype(np.float32) * rows.scale[::step, None]
    mean: Floats = sample.mean(axis=0)
    return mean


def signs(rows: Rows, centre: Floats) -> NDArray[np.uint64]:
    """One bit a dimension, set where the component lies above the centre's.

    Shape (words of 64, n): a word of all vectors stands together, so that a scan runs along
    memory.
    """
    found = np.empty((-(-rows.dimension // 64), len(rows)), np.uint64)
    for at in range(0, len(rows), _CHUNK):
        part = slice(at, at + _CHUNK)
        found[:, part] = _words(rows.quantised[part] > centre / rows.scale[part, None]).T
    return found


def _words(bits: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Bits, shape (n, dimension), packed into words of 64, shape (n, words)."""
    packed = np.packbits(bits, axis=1)
    padded = np.zeros((len(packed), -(-packed.shape[1] // 8) * 8), np.uint8)
    padded[:, : packed.shape[1]] = packed
    words: NDArray[np.uint64] = padded.view(np.uint64)
    return words


def nearest_by_bits(bits: NDArray[np.uint64], query: Floats, most: int) -> Ints:
    """About the `most` vectors that share most signs with a query, both seen from their centre.

    All that tie at the end come along.
    """
    differing = np.zeros(bits.shape[1], np.uint16)
    for column, word in zip(bits, _words(query[None, :] > 0)[0], strict=True):
        differing += np.bitwise_count(column ^ word)
    if len(differing) <= most:
        return np.arange(len(differing))
    up_to = np.cumsum(np.bincount(differing))
    last = int(np.searchsorted(up_to, most))
    return np.flatnonzero(differing <= last)
