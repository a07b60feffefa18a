"""What an embedder is, and the check of what it gives."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from mnemic.model.errors import EmbedderError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]


@runtime_checkable
class Embedder(Protocol):
    """Makes a vector of each text.

    Attributes:
        name: of the model; vectors of two names are never compared.
        dimension: of its vectors.
    """

    name: str
    dimension: int

    def embed(self, texts: Sequence[str]) -> Floats:
        """Vectors of the texts, shape (n, dimension), float32; of unit length, or any."""
        ...


def checked_embed(embedder: Embedder, texts: Sequence[str]) -> Floats:
    """The embedder's vectors of some texts, of unit length.

    Raises:
        EmbedderError: they are of another shape, not finite, or zero.
    """
    import numpy as np

    vectors = np.asarray(embedder.embed(texts), np.float32)
    expected = (len(texts), embedder.dimension)
    if vectors.shape != expected:
        raise EmbedderError(
            f"embedder {embedder.name!r} gave an array of shape {vectors.shape} for "
            f"{len(texts)} texts; {expected} was expected"
        )
    lengths = np.linalg.norm(vectors, axis=1)
    if not np.isfinite(lengths).all() or (lengths < 1e-6).any():
        at = int(np.flatnonzero(~np.isfinite(lengths) | (lengths < 1e-6))[0])
        raise EmbedderError(
            f"embedder {embedder.name!r} gave a vector of length {lengths[at]} for text {at}; "
            "such a vector says nothing and is not kept"
        )
    unit: Floats = vectors / lengths[:, None]
    return unit


_QUERIES_KEPT = 256


class CachedQueries:
    """Vectors of questions; those asked lately are kept. Threads may share it.

    Args:
        embedder: makes them.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.name = embedder.name
        self.dimension = embedder.dimension
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, Floats] = OrderedDict()

    def embed_one(self, text: str) -> Floats:
        """The vector of a question, shape (dimension,).

        Raises:
            EmbedderError: the embedder failed, or gave what cannot be used.
        """
        with self._lock:
            if text in self._kept:
                self._kept.move_to_end(text)
                return self._kept[text]
        vector = checked_embed(self._embedder, [text])[0]
        with self._lock:
            self._kept[text] = vector
            if len(self._kept) > _QUERIES_KEPT:
                self._kept.popitem(last=False)
        return vector
