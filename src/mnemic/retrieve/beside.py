"""The traces around a hit: what a turn answers, and what answers it.

Some turns say "it" of what the turn before names. They are given on demand: in a packet of a given
size they take the room of better ones (docs/decisions/011-retrieval.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from mnemic.index.view import View
from mnemic.model.answer import Hit
from mnemic.retrieve.fence import Fence, Found
from mnemic.store.visible import to_trace

Ints = NDArray[np.int64]


def with_beside(fence: Fence, found: Sequence[Found], hits: Sequence[Hit], most: int) -> list[Hit]:
    """Hits, each with up to `most` traces before it and after it in its thread.

    The reader's rights and clocks hold for them; what narrows the search, such as a tag, does not.
    """
    if not most or not found:
        return list(hits)
    around = _around(fence.view, [item.entry for item in found], most)
    rows = fence.unfiltered(sorted({entry for entries in around for entry in entries}))
    return [
        replace(hit, beside=tuple(to_trace(rows[one]) for one in entries if one in rows))
        for hit, entries in zip(hits, around, strict=True)
    ]


def _around(view: View, entries: Sequence[int], most: int) -> list[list[int]]:
    """The entries around each of some entries, in the order of their thread."""
    before, after = np.array(entries, np.int64), np.array(entries, np.int64)
    found: list[list[int]] = [[] for _ in entries]
    for _ in range(most):
        before, after = _step(view, before, 0), _step(view, after, 1)
        for around, earlier, later in zip(found, before.tolist(), after.tolist(), strict=True):
            if earlier >= 0:
                around.insert(0, earlier)
            if later >= 0:
                around.append(later)
    return found


def _step(view: View, entries: Ints, way: int) -> Ints:
    """The entries one further, or -1 where a thread ends."""
    there = entries >= 0
    moved = np.full(len(entries), -1, np.int64)
    moved[there] = view.beside(entries[there])[way]
    return moved
