"""The vectors of traces of one scope id, as the index has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, select

from mnemic.consolidate.bed import Bed, Place
from mnemic.index.dense import whole_vectors
from mnemic.store.schema import index_entries
from mnemic.store.types import AnySelect

Floats = NDArray[np.float32]

_CHUNK = 500
_e = index_entries.c


def _entries(brain_id: str, ids: Sequence[str]) -> AnySelect:
    """Select the places in the index of all that some traces said.

    The columns are those of one index: asked for another, SQLite walks the whole brain for it.
    """
    return select(_e.partition, _e.seq, _e.trace_id).where(
        _e.brain_id == brain_id, _e.trace_id.in_(ids)
    )


def vectors_of(
    bed: Bed, connection: Connection, place: Place, ids: Sequence[str]
) -> Mapping[str, Floats]:
    """The vector of each of these traces' whole texts, of length 1, where there is one."""
    model = bed.writer.vectors.model
    if model is None or not ids:
        return {}
    view = bed.cache.view(connection, place.reach, None, model)
    base = {image.state.id: base for image, base in zip(view.images, view.entry_base, strict=True)}
    entries: dict[str, int] = {}
    for at in range(0, len(ids), _CHUNK):
        for row in connection.execute(_entries(bed.brain.id, ids[at : at + _CHUNK])):
            entry = base[row.partition] + row.seq
            if view.alive[entry]:
                entries[row.trace_id] = entry
    if not entries:
        return {}
    found = whole_vectors(view, np.array(list(entries.values()), np.int64))
    lengths = np.linalg.norm(found, axis=1)
    return {
        trace_id: found[at] / lengths[at] for at, trace_id in enumerate(entries) if lengths[at] > 0
    }
