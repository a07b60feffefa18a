"""Inverted lists of sealed segments, as they were last read.

Sealed lists change only when something is erased, which gives the partition another epoch. The
words that cost most to read are those that many texts hold, and they are asked for again and
again; so the lists read last are kept, up to a number of postings over all partitions. Words that
were only weighed are kept when they come a second time: most do not.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence

import numpy as np
from sqlalchemy import Connection

from mnemic.index.partition import Image
from mnemic.index.postings import Lists, sealed_lists

_Key = tuple[int, int, int, str]
"""Number, epoch and sealed passages of a partition, and a word."""

_NONE: Lists = (np.zeros(0, np.int64), np.zeros(0, np.uint8), np.zeros(0, np.uint8))

_COST = 32
"""What a list counts besides its postings, so that words that occur nowhere have a price too."""


_NOTED = 4_096
"""Words that are noted as having been read once."""


class SealedLists:
    """Lists of words in the sealed segments of partitions. Threads may share it.

    Args:
        most: postings kept; one takes 10 bytes.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._kept: OrderedDict[_Key, Lists] = OrderedDict()
        self._held = 0
        self._once: OrderedDict[_Key, None] = OrderedDict()

    def read(
        self, connection: Connection, image: Image, words: Sequence[str], *, asked: bool
    ) -> dict[str, Lists]:
        """For each word that occurs, its lists; `connection` sees what the image was made of.

        Words that are not asked for, but weighed only, are kept when they come again.
        """
        state = image.state
        if not state.sealed:
            return {}
        keys = {word: (state.id, state.epoch, state.sealed, word) for word in words}
        found: dict[str, Lists] = {}
        with self._lock:
            for word, key in keys.items():
                kept = self._kept.get(key)
                if kept is not None:
                    self._kept.move_to_end(key)
                    found[word] = kept
        missing = [word for word in keys if word not in found]
        if missing:
            read = sealed_lists(connection, image.brain_id, state.id, missing)
            with self._lock:
                for word in missing:
                    found[word] = read.get(word, _NONE)
                    if asked or self._came_before(keys[word]):
                        self._keep(keys[word], found[word])
        return {word: lists for word, lists in found.items() if len(lists[0])}

    def forget(self, partition: int) -> None:
        """Let go of the lists of a partition."""
        with self._lock:
            for key in [key for key in self._kept if key[0] == partition]:
                self._drop(key)
            for key in [key for key in self._once if key[0] == partition]:
                del self._once[key]

    def clear(self) -> None:
        """Let go of all of them."""
        with self._lock:
            self._kept.clear()
            self._once.clear()
            self._held = 0

    def _came_before(self, key: _Key) -> bool:
        """Whether a word was read lately; noted from now on."""
        if key in self._once:
            del self._once[key]
            return True
        self._once[key] = None
        if len(self._once) > _NOTED:
            self._once.popitem(last=False)
        return False

    def _keep(self, key: _Key, lists: Lists) -> None:
        if key in self._kept:
            self._drop(key)
        self._kept[key] = lists
        self._held += len(lists[0]) + _COST
        while self._held > self._most:
            self._drop(next(iter(self._kept)))

    def _drop(self, key: _Key) -> None:
        self._held -= len(self._kept.pop(key)[0]) + _COST
