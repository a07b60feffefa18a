"""Makes the vectors that are missing; the index of words is brought along by every write."""

from __future__ import annotations

from mnemic.consolidate.bed import Bed
from mnemic.encode.reembed import reembed

NAME = "reindex"


def run(bed: Bed) -> str | None:
    """Embed what was stored while no embedder worked; tells why not, where it does not."""
    if bed.writer.vectors.embedder is None:
        return "there is no embedder"
    if bed.dry:
        return "a dry run makes no vectors"
    bed.check()
    made = reembed(bed.brain, bed.writer.vectors, bed.writer.clock, "consolidate", None, told=False)
    bed.count(NAME, made)
    return None
