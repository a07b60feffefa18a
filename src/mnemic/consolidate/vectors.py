"""The vectors of traces of one scope id, as the index has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from mnemic.consolidate.bed import Bed, Place
from mnemic.index.dense import whole_vectors
from mnemic.store.whole import present_entries

Floats = NDArray[np.float32]

_CHUNK = 500


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
        rows = connection.execute(present_entries(bed.brain.id, list(ids[at : at + _CHUNK])))
        entries |= {row.trace_id: base[row.partition] + row.seq for row in rows}
    if not entries:
        return {}
    found = whole_vectors(view, np.array(list(entries.values()), np.int64))
    lengths = np.linalg.norm(found, axis=1)
    return {
        trace_id: found[at] / lengths[at] for at, trace_id in enumerate(entries) if lengths[at] > 0
    }
