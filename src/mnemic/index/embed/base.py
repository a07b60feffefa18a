"""What an embedder is, and the check of what it gives."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
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


@runtime_checkable
class PartsEmbedder(Protocol):
    """An embedder that reads a text and its parts at once, which is cheaper than one by one.

    What it makes of a part may depend on the text around it.
    """

    def embed_parts(self, groups: Sequence[Sequence[str]]) -> Sequence[Floats]:
        """For each group, a text and then its parts in order: vectors, one for each of them."""
        ...


def checked_embed(embedder: Embedder, texts: Sequence[str]) -> Floats:
    """The embedder's vectors of some texts: shape (n, dimension), float32, of unit length.

    Raises:
        EmbedderError: the embedder failed, or its vectors are of another shape, are no numbers,
            are not finite, or are zero.
    """
    return _checked(embedder, len(texts), lambda: embedder.embed(texts))


def checked_parts(embedder: Embedder, groups: Sequence[Sequence[str]]) -> Floats:
    """The embedder's vectors of texts and their parts, group after group, as `checked_embed`."""
    count = sum(len(group) for group in groups)
    if not isinstance(embedder, PartsEmbedder):
        return checked_embed(embedder, [text for group in groups for text in group])
    return _checked(embedder, count, lambda: _joined(embedder, groups))


def _joined(embedder: PartsEmbedder, groups: Sequence[Sequence[str]]) -> Floats:
    import numpy as np

    several = embedder.embed_parts(groups)
    given, wanted = [len(one) for one in several], [len(group) for group in groups]
    if given != wanted:
        raise ValueError(f"{given} vectors were given for groups of {wanted} texts")
    return np.concatenate(several)


def _checked(embedder: Embedder, count: int, embed: Callable[[], object]) -> Floats:
    import numpy as np

    if not count:
        return np.zeros((0, embedder.dimension), np.float32)
    try:
        given = np.asarray(embed())
    except EmbedderError:
        raise
    except Exception as error:  # a caller's embedder may raise anything
        raise EmbedderError(
            f"embedder {embedder.name!r} failed: {type(error).__name__}: {error}"
        ) from error
    expected = (count, embedder.dimension)
    if given.shape != expected:
        raise EmbedderError(
            f"embedder {embedder.name!r} gave an array of shape {given.shape} for "
            f"{count} texts; {expected} was expected"
        )
    if given.dtype.kind not in "fiu":
        raise EmbedderError(
            f"embedder {embedder.name!r} gave an array of {given.dtype}; float32 was expected"
        )
    # In double: the square of a large float32, or of a tiny one, is no float32.
    lengths = np.linalg.norm(given.astype(np.float64), axis=1, keepdims=True)
    wrong = ~np.isfinite(lengths[:, 0]) | (lengths[:, 0] == 0)
    if wrong.any():
        at = int(np.flatnonzero(wrong)[0])
        raise EmbedderError(
            f"embedder {embedder.name!r} gave a vector of length {lengths[at, 0]} for text {at} "
            f"of {count}; such a vector says nothing and is not kept"
        )
    unit: Floats = (given / lengths).astype(np.float32)
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

    def clear(self) -> None:
        """Forget the questions that were asked."""
        with self._lock:
            self._kept.clear()

    def embed_one(self, text: str) -> Floats:
        """The vector of a question, shape (dimension,), read-only.

        Raises:
            EmbedderError: the embedder failed, or gave what cannot be used.
        """
        with self._lock:
            if text in self._kept:
                self._kept.move_to_end(text)
                return self._kept[text]
        vector: Floats = checked_embed(self._embedder, [text])[0]
        vector.setflags(write=False)
        with self._lock:
            self._kept[text] = vector
            if len(self._kept) > _QUERIES_KEPT:
                self._kept.popitem(last=False)
        return vector
