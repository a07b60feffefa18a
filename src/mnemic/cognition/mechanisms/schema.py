"""Schemas: what fits with what is known leaves less of a mark than what breaks with it.

Bartlett 1932: memory is built on what one knows already, and keeps what fits as the usual case.
Ghosh & Gilboa 2014: a schema is a web of what several memories have in common. Here a schema is
the middle of a cluster of vectors. A new memory near one is encoded more weakly, for the schema
carries it; one that is near none stands out and is encoded more strongly. Left out: that what
fits a schema settles sooner (Tse et al. 2007), and that fitting things are recalled better than
things that bear on no schema at all (van Kesteren et al. 2012): here all that is near no schema
counts as breaking with them.

Vectors are of length 1, so a dot product is a cosine.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Self

from mnemic.model.mind import Personality

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.floating]


@dataclass(frozen=True, slots=True)
class Schemas:
    """How a schema bears on the strength of what is new.

    Args:
        similarity_threshold: cosine from which a memory fits. AgentOS: .75.
        congruent: what the strength of one that fits is multiplied by. AgentOS: .85.
        violating: what the strength of one that does not is multiplied by. AgentOS: 1.3.
    """

    similarity_threshold: float = 0.75
    congruent: float = 0.85
    violating: float = 1.3

    def shaped(self, personality: Personality) -> Self:
        """The boost of somebody: openness raises it."""
        return replace(self, violating=self.violating * (0.8 + 0.4 * personality.openness))


class Fit(StrEnum):
    """How a memory stands to the schemas."""

    CONGRUENT = "congruent"
    VIOLATING = "violating"


@dataclass(frozen=True, slots=True)
class Encoded:
    """The strength of a new memory among the schemas.

    Args:
        strength: 0 to 1.
        fit: how it stands to them; None where there are no schemas.
        nearest: the number of the nearest one.
        similarity: cosine to that one.
    """

    strength: float
    fit: Fit | None = None
    nearest: int | None = None
    similarity: float | None = None


def encoded(vector: Floats, centroids: Floats, strength: float, rules: Schemas) -> Encoded:
    """How strongly a memory is encoded among the schemas there are.

    Args:
        vector: of the memory; length 1.
        centroids: one schema a row, each of length 1; without rows nothing changes.
        strength: that it has without them, 0 to 1.
        rules: the constants.
    """
    if not len(centroids):
        return Encoded(strength)
    cosines = centroids @ vector
    nearest = int(cosines.argmax())
    cosine = float(cosines[nearest])
    if cosine >= rules.similarity_threshold:
        return Encoded(strength * rules.congruent, Fit.CONGRUENT, nearest, cosine)
    return Encoded(min(1.0, strength * rules.violating), Fit.VIOLATING, nearest, cosine)


def centroid_of(vectors: Iterable[Floats]) -> NDArray[np.float32] | None:
    """The middle of some vectors, of length 1; None if there is none.

    The vectors are taken one at a time, so a large cluster is never held as a whole. Some that
    cancel each other out have no middle.
    """
    import numpy as np

    total: NDArray[np.float64] | None = None
    for vector in vectors:
        total = vector.astype(np.float64) if total is None else total + vector
    length = 0.0 if total is None else float(np.linalg.norm(total))
    if total is None or length < 1e-9:
        return None
    return (total / length).astype(np.float32)
