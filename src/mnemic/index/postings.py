"""Inverted lists: for each word, the passages that hold it and how often.

The newest passages of a partition are its *tail*: their words stand in `trace_passages` and are
inverted in memory. When the tail is long enough it is *sealed*: inverted once and for all into
`trace_postings`, one row a word and segment. So a single write stays cheap, and a search reads
only the lists of its own words in its own partitions.

A list is stored as three arrays one after another: the passages' offsets in their segment
(uint16), how often the word stands in the text itself (uint8, at most 255), and how often in the
words around it, its head (uint8).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, bindparam, delete, insert, select, update

from mnemic.store.schema import index_entries, trace_passages, trace_postings

Ints = NDArray[np.int64]
Counts = NDArray[np.uint8]
Lists = tuple[Ints, Counts, Counts]
"""Passage numbers, counts in the text, counts in the head: arrays of one length."""

_p, _e, _x = trace_passages.c, index_entries.c, trace_postings.c


_BYTES = 4
"""That a passage takes in a stored list."""

_MOST = 255
"""What a count is cut at, to fit into a byte."""


class Inverted:
    """Inverted lists in memory, of the passages from number `base` on."""

    def __init__(self, base: int) -> None:
        self.base = base
        self._lists: dict[str, tuple[array[int], array[int], array[int]]] = {}
        # As they were last asked for: a tail is asked more often than it grows.
        self._read: dict[str, Lists] = {}

    def add(self, seq: int, words: Sequence[str], head: Sequence[str]) -> None:
        """Take in one passage. Passages come in the order of their numbers."""
        counts: dict[str, list[int]] = {}
        for place, several in enumerate((words, head)):
            for word in several:
                found = counts.get(word)
                if found is None:
                    found = counts[word] = [0, 0]
                found[place] += 1
        for word, (own, around) in counts.items():
            lists = self._lists.get(word)
            if lists is None:
                lists = self._lists[word] = (array("I"), array("B"), array("B"))
            lists[1].append(own if own < _MOST else _MOST)
            lists[2].append(around if around < _MOST else _MOST)
            # The number comes last: a reader in another thread goes by its length.
            lists[0].append(seq)

    def get(self, word: str, below: int) -> Lists | None:
        """The lists of a word, of passages with a number less than `below`."""
        lists = self._lists.get(word)
        if lists is None:
            return None
        read = self._read.get(word)
        if read is None or len(read[0]) != len(lists[0]):
            # Copied to bytes in one step: an array cannot grow while numpy looks at it.
            seqs = np.frombuffer(lists[0].tobytes(), np.uintc).astype(np.int64)
            own = np.frombuffer(lists[1].tobytes(), np.uint8)[: len(seqs)]
            head = np.frombuffer(lists[2].tobytes(), np.uint8)[: len(seqs)]
            read = self._read[word] = (seqs, own, head)
        length = int(read[0].searchsorted(below))
        if not length:
            return None
        if length == len(read[0]):
            return read
        return read[0][:length], read[1][:length], read[2][:length]

    def beginning(self, beginning: str) -> list[str]:
        """The words that begin so."""
        # Copied in one step: another thread may add words meanwhile.
        return [word for word in list(self._lists) if word.startswith(beginning)]

    def packed(self) -> Iterable[tuple[str, bytes]]:
        """Each word with its lists as they are stored, in the words' order."""
        for word in sorted(self._lists):
            seqs, own, head = self._lists[word]
            yield word, _stored(np.array(seqs, np.int64) - self.base, own, head)


def _stored(offsets: Ints, own: array[int] | Counts, head: array[int] | Counts) -> bytes:
    return offsets.astype("<u2").tobytes() + own.tobytes() + head.tobytes()


def unpack(data: bytes, base: int) -> Lists:
    """The lists of a stored row, of the segment that starts at passage `base`."""
    length = len(data) // _BYTES
    seqs = np.add(np.frombuffer(data, "<u2", length), base, dtype=np.int64)
    own = np.frombuffer(data, np.uint8, length, 2 * length)
    return seqs, own, np.frombuffer(data, np.uint8, length, 3 * length)


def read_words(
    connection: Connection, brain_id: str, partition: int, start: int, end: int
) -> Iterable[tuple[int, list[str], list[str]]]:
    """Number, words and head of the passages from `start` until before `end`, in order."""
    query = (
        select(_p.seq, _p.words, _e.head)
        .join_from(
            trace_passages,
            index_entries,
            (_e.brain_id == _p.brain_id) & (_e.partition == _p.partition) & (_e.seq == _p.entry),
        )
        .where(_p.brain_id == brain_id, _p.partition == partition, _p.seq >= start, _p.seq < end)
        .order_by(_p.seq)
    )
    for seq, words, head in connection.execute(query):
        yield seq, words.split(), head.split()


def seal(connection: Connection, brain_id: str, partition: int, start: int, end: int) -> None:
    """Write the inverted lists of the passages from `start` until before `end` as a segment."""
    lists = Inverted(start)
    for seq, words, head in read_words(connection, brain_id, partition, start, end):
        lists.add(seq, words, head)
    rows = [
        {
            "brain_id": brain_id,
            "partition": partition,
            "term": word,
            "segment": start,
            "data": data,
        }
        for word, data in lists.packed()
    ]
    if rows:
        connection.execute(insert(trace_postings), rows)


_ASKED_AT_ONCE = 10_000
"""Words in one query: SQLite takes 32,766 parameters, and a question may be a whole document."""


def sealed_lists(
    connection: Connection, brain_id: str, partition: int, words: Sequence[str]
) -> dict[str, Lists]:
    """For each word that occurs, its lists in the sealed segments of a partition."""
    found: dict[str, Lists] = {}
    for at in range(0, len(words), _ASKED_AT_ONCE):
        query = (
            select(_x.term, _x.segment, _x.data)
            .where(
                _x.brain_id == brain_id,
                _x.partition == partition,
                _x.term.in_(words[at : at + _ASKED_AT_ONCE]),
            )
            .order_by(_x.term, _x.segment)
        )
        rows = connection.execute(query).all()
        for word, several in groupby(rows, key=itemgetter(0)):
            found[word] = _unpacked([(row[1], row[2]) for row in several])
    return found


_LAST = "\U0010ffff"
"""No word begins with it, so that all words that begin alike stand before it."""


def sealed_words(
    connection: Connection, brain_id: str, partition: int, beginning: str
) -> list[str]:
    """The words of a partition's sealed segments that begin so."""
    query = (
        select(_x.term)
        .distinct()
        .where(
            _x.brain_id == brain_id,
            _x.partition == partition,
            _x.term >= beginning,
            _x.term < beginning + _LAST,
        )
    )
    return list(connection.execute(query).scalars())


def _unpacked(rows: Sequence[tuple[int, bytes]]) -> Lists:
    """The lists of a word in several segments, as one: decoded together, since that is quicker."""
    if len(rows) == 1:
        return unpack(rows[0][1], rows[0][0])
    lengths = [len(data) // _BYTES for _, data in rows]
    several = [(data, length) for (_, data), length in zip(rows, lengths, strict=True)]
    offsets = b"".join([data[: 2 * length] for data, length in several])
    own = b"".join([data[2 * length : 3 * length] for data, length in several])
    head = b"".join([data[3 * length :] for data, length in several])
    bases = np.repeat(np.array([segment for segment, _ in rows], np.int64), lengths)
    seqs: Ints = bases + np.frombuffer(offsets, "<u2")
    return seqs, np.frombuffer(own, np.uint8), np.frombuffer(head, np.uint8)


_WORDS = select(_p.seq, _p.words).where(
    _p.brain_id == bindparam("of_brain"),
    _p.partition == bindparam("of_partition"),
    _p.seq.in_(bindparam("numbers", expanding=True)),
)


def passage_words(
    connection: Connection, brain_id: str, partition: int, numbers: Sequence[int]
) -> dict[int, list[str]]:
    """The search words of some passages, in the order in which they stand."""
    values = {"of_brain": brain_id, "of_partition": partition, "numbers": numbers}
    return {seq: words.split() for seq, words in connection.execute(_WORDS, values).all()}


def cut_lists(
    connection: Connection,
    brain_id: str,
    partition: int,
    segment: int,
    words: Iterable[str],
    passages: Ints,
) -> int:
    """Take passages out of a segment's lists; a word that no other passage holds goes whole.

    Args:
        connection: within a write transaction.
        brain_id: the brain.
        partition: of the segment.
        segment: its first passage.
        words: all that the passages hold, their heads' included.
        passages: the numbers of the passages.

    Returns:
        how many lists were shortened or deleted.
    """
    asked = sorted(words)
    gone = np.zeros(2**16, np.bool_)  # as many as an offset can be
    gone[passages - segment] = True
    where = (_x.brain_id == brain_id) & (_x.partition == partition) & (_x.segment == segment)
    changed = 0
    for at in range(0, len(asked), _ASKED_AT_ONCE):
        part = asked[at : at + _ASKED_AT_ONCE]
        query = select(_x.term, _x.data).where(where, _x.term.in_(part))
        rows = connection.execute(query).all()
        cut = [
            {"of_term": row.term, "data": data}
            for row in rows
            if (data := _without(row.data, gone)) != row.data
        ]
        of_term = where & (_x.term == bindparam("of_term"))
        if shorter := [row for row in cut if row["data"]]:
            connection.execute(update(trace_postings).where(of_term), shorter)
        if empty := [{"of_term": row["of_term"]} for row in cut if not row["data"]]:
            connection.execute(delete(trace_postings).where(of_term), empty)
        changed += len(cut)
    return changed


def _without(data: bytes, gone: NDArray[np.bool_]) -> bytes:
    """Lists as stored, without the offsets marked in `gone`."""
    offsets, own, head = unpack(data, 0)
    kept = ~gone[offsets]
    return _stored(offsets[kept], own[kept], head[kept])
