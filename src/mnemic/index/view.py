"""What one search sees: the partitions of a reach, side by side, at one instant.

Statistics are those of the view: how often a word occurs, how long passages are and how many
there are is counted over what this caller may read, and over nothing else.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from mnemic.index.bm25 import length_scale
from mnemic.index.lists import SealedLists
from mnemic.index.partition import Image
from mnemic.index.postings import Lists, passage_words, sealed_words
from mnemic.index.segments import Columns
from mnemic.index.text.features import Feature
from mnemic.index.vectors import Matrix
from mnemic.model.times import FOREVER
from mnemic.settings import Retrieval

Ints = NDArray[np.int64]
Small = NDArray[np.int32]
Bools = NDArray[np.bool_]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """Arrays over the entries and the passages of all partitions of a reach.

    Args:
        images: the partitions.
        entry_base: number of each partition's first entry in the view.
        passage_base: number of each partition's first passage.
        alive: entries held at the instant asked for.
        passage_alive: their passages.
        thread: of each entry, numbered from 0.
        speaker: of each entry, an index into `speakers`, or -1.
        assistant: entries that an assistant said.
        day: of each entry's time, counted from 1970-01-01.
        features: of each entry's text, as bits of `text.features.Feature`.
        first_passage: of each entry; its passages stand side by side.
        entry_of: of each passage.
        before, after: the passage beside it in its thread, or -1.
        asks: passages that end with a question.
        in_thread: passages that count for the text of their thread.
        count: how many passages are alive.
        scale: BM25's length scale of each passage with its head and both neighbours.
        thread_count: how many threads have something alive.
        thread_scale: BM25's length scale of each thread.
        matrices: the vectors of each partition.
        sealed: reads the lists of their sealed segments.
    """

    images: tuple[Image, ...]
    entry_base: tuple[int, ...]
    passage_base: tuple[int, ...]
    alive: Bools
    passage_alive: Bools
    thread: Small
    threads: int
    speaker: Small
    speakers: tuple[str, ...]
    assistant: Bools
    day: Small
    features: NDArray[np.uint8]
    first_passage: Small
    entry_of: Small
    before: Small
    after: Small
    asks: Bools
    in_thread: Bools
    count: int
    scale: Floats
    thread_count: int
    thread_scale: Floats
    matrices: tuple[Matrix, ...]
    sealed: SealedLists

    @property
    def all_alive(self) -> bool:
        """Whether every passage is alive."""
        return self.count == len(self.passage_alive)

    def partition_of(self, entry: int) -> int:
        """Which of `images` an entry is in."""
        return bisect_right(self.entry_base, entry) - 1

    def lists(self, connection: Connection, words: Sequence[str]) -> dict[str, Lists]:
        """For each word that occurs, the passages that hold it: only those that are alive."""
        found = {}
        for word, several in self._parts(connection, words, asked=True).items():
            seqs, own, head = (
                np.concatenate(column) if len(column) > 1 else column[0]
                for column in zip(*several, strict=True)
            )
            if not self.all_alive:
                kept = self.passage_alive[seqs]
                seqs, own, head = seqs[kept], own[kept], head[kept]
            if len(seqs):
                found[word] = (seqs, own, head)
        return found

    def held(self, connection: Connection, words: Sequence[str]) -> dict[str, int]:
        """For each word that occurs, how many passages that are alive hold it."""
        return {
            word: sum(
                len(seqs) if self.all_alive else int(np.count_nonzero(self.passage_alive[seqs]))
                for seqs, _, _ in several
            )
            for word, several in self._parts(connection, words, asked=False).items()
        }

    def vocabulary(self, connection: Connection, beginning: str) -> list[str]:
        """The stems that begin so and occur in the partitions, retired passages included."""
        found: set[str] = set()
        for image in self.images:
            found.update(image.tail.beginning(beginning))
            found.update(sealed_words(connection, image.brain_id, image.state.id, beginning))
        return sorted(found)

    def beside(self, entries: Ints) -> tuple[Small, Small]:
        """The entry before and the one after each of these in its thread, or -1."""
        first = self.first_passage[entries]
        last = np.append(self.first_passage, len(self.entry_of))[entries + 1] - 1
        padded = np.append(self.entry_of, np.int32(-1))
        return padded[self.before[first]], padded[self.after[last]]

    def _parts(
        self, connection: Connection, words: Sequence[str], *, asked: bool
    ) -> dict[str, list[Lists]]:
        """Lists of the words that occur, in the order asked for: sums and reasons keep it.

        Each partition gives those of its segments and those of its tail, retired passages
        included.
        """
        parts: dict[str, list[Lists]] = {}
        for image, base in zip(self.images, self.passage_base, strict=True):
            sealed = self.sealed.read(connection, image, words, asked=asked)
            for word in words:
                for lists in (sealed.get(word), image.tail.get(word, image.passages)):
                    if lists is not None:
                        parts.setdefault(word, []).append(_shifted(lists, base))
        return {word: parts[word] for word in words if word in parts}

    def words(self, connection: Connection, passages: Ints) -> list[list[str]]:
        """The search words of some passages, ascending, in the order in which they stand."""
        found: dict[int, list[str]] = {}
        parts = np.searchsorted(self.passage_base, passages, side="right") - 1
        for at in np.unique(parts).tolist():
            image, base = self.images[at], self.passage_base[at]
            numbers = (passages[parts == at] - base).tolist()
            own = passage_words(connection, image.brain_id, image.state.id, numbers)
            found |= {base + number: words for number, words in own.items()}
        return [found[passage] for passage in passages.tolist()]


def _shifted(lists: Lists, base: int) -> Lists:
    return (lists[0] + base, lists[1], lists[2]) if base else lists


def build(
    images: Sequence[Image],
    matrices: Sequence[Matrix],
    sealed: SealedLists,
    known_at: int | None,
    settings: Retrieval,
) -> View:
    """The view of these partitions as the brain was at `known_at` (None: as it is)."""
    entry_base = _bases([image.entries for image in images])
    passage_base = _bases([image.passages for image in images])
    columns = [image.columns for image in images]
    since, until = _joined(columns, "since"), _joined(columns, "until")
    alive = until == FOREVER if known_at is None else (since <= known_at) & (until > known_at)
    count = _joined(columns, "passages").astype(np.int64)
    first_passage = (np.cumsum(count) - count).astype(np.int32)
    entry_of = np.repeat(np.arange(len(count), dtype=np.int32), count)
    thread, threads = _threads(columns)
    speaker, speakers = _speakers(images, alive)
    own_length = _joined(columns, "length").astype(np.float32)
    assistant = _joined(columns, "assistant").astype(np.bool_)
    features = _joined(columns, "features").astype(np.uint8)
    passage_alive = alive[entry_of]
    thread_of = thread[entry_of]
    before, after = _neighbours(thread_of, _joined(columns, "position")[entry_of], passage_alive)
    head = _joined(columns, "head").astype(np.float32)[entry_of]
    padded = np.append(own_length, np.float32(0))  # index -1, no neighbour, is a length of 0
    counted = passage_alive & ~(
        assistant[entry_of]
        & (_words_before(own_length, first_passage, entry_of) >= settings.thread_reply_words)
    )
    length = own_length + head + padded[before] + padded[after]
    thread_length = np.bincount(thread_of, weights=own_length * counted, minlength=threads)
    thread_alive = np.bincount(thread[alive], minlength=threads) > 0
    return View(
        images=tuple(images),
        entry_base=entry_base,
        passage_base=passage_base,
        alive=alive,
        passage_alive=passage_alive,
        thread=thread,
        threads=threads,
        speaker=speaker,
        speakers=speakers,
        assistant=assistant,
        day=_joined(columns, "day"),
        features=features,
        first_passage=first_passage,
        entry_of=entry_of,
        before=before,
        after=after,
        asks=_asking(features, first_passage, len(entry_of)),
        in_thread=counted,
        count=int(passage_alive.sum()),
        scale=length_scale(length, passage_alive, settings.k1, settings.b),
        thread_count=int(thread_alive.sum()),
        thread_scale=length_scale(
            thread_length.astype(np.float32), thread_alive, settings.k1, settings.b
        ),
        matrices=tuple(matrices),
        sealed=sealed,
    )


def _bases(sizes: Sequence[int]) -> tuple[int, ...]:
    return tuple(int(base) for base in np.concatenate(([0], np.cumsum(sizes)))[:-1])


def _joined(several: Sequence[Columns], name: str) -> NDArray[Any]:
    parts = [getattr(columns, name) for columns in several]
    if len(parts) == 1:
        return parts[0]  # type: ignore[no-any-return]
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)


def _threads(several: Sequence[Columns]) -> tuple[Small, int]:
    """Threads numbered from 0 over the whole view; those of two partitions stay apart.

    An entry without a thread is a thread of its own, with its later wordings: it keeps its
    position through corrections.
    """
    parts, used = [], 0
    for columns in several:
        names = np.where(columns.thread < 0, -1 - columns.position, columns.thread)
        _, numbers = np.unique(names, return_inverse=True)
        parts.append(numbers.astype(np.int32) + used)
        used += int(numbers.max()) + 1 if len(numbers) else 0
    return (np.concatenate(parts) if parts else np.zeros(0, np.int32)), used


def _speakers(images: Sequence[Image], alive: Bools) -> tuple[Small, tuple[str, ...]]:
    """The speakers of what is alive, numbered over the whole view; others are nobody."""
    names: dict[str, int] = {}
    parts = []
    at = 0
    for image in images:
        by_number = list(image.labels.numbers)
        present = np.unique(image.columns.speaker[alive[at : at + image.entries]])
        at += image.entries
        table = np.full(len(by_number) + 1, -1, np.int32)  # its last place stands for -1
        for number in present[present >= 0].tolist():
            table[number] = names.setdefault(by_number[number], len(names))
        parts.append(table[image.columns.speaker])
    return (np.concatenate(parts) if parts else np.zeros(0, np.int32)), tuple(names)


def _neighbours(thread: Small, position: Small, alive: Bools) -> tuple[Small, Small]:
    """For each passage the one before and after it in its thread, or -1."""
    before = np.full(len(thread), -1, np.int32)
    after = before.copy()
    living = np.flatnonzero(alive).astype(np.int32)
    order = living[np.lexsort((living, position[living], thread[living]))]
    same = thread[order[1:]] == thread[order[:-1]]
    before[order[1:][same]] = order[:-1][same]
    after[order[:-1][same]] = order[1:][same]
    return before, after


def _asking(features: NDArray[np.uint8], first_passage: Small, passages: int) -> Bools:
    """The last passages of entries that end with a question."""
    last = np.append(first_passage[1:], passages) - 1
    asks = np.zeros(passages, np.bool_)
    asks[last[(features & Feature.ASKS).astype(np.bool_)]] = True
    return asks


def _words_before(length: Floats, first_passage: Small, entry_of: Small) -> Floats:
    """How many words of its own entry stand before each passage."""
    total = np.cumsum(length, dtype=np.float64) - length
    counted: Floats = (total - total[first_passage][entry_of]).astype(np.float32)
    return counted
