"""Vectors kept on disk, so that a benchmark can be run again in seconds.

One file a model. A record is the SHA-256 of a text and its vector as little-endian float32:
what the model gave is what comes back, bit for bit. Records are only ever appended; one process
at a time may use a folder.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mnemic import Embedder
from mnemic.errors import EmbedderError
from mnemic.index.embed.base import PartsEmbedder

if TYPE_CHECKING:
    from numpy.typing import NDArray

_DIGEST_BYTES = 32


def _keys(group: Sequence[str]) -> tuple[bytes, ...]:
    """What the vectors of a text and its parts are known by: the text alone by itself."""
    whole = hashlib.sha256(group[0].encode("utf-8", "surrogatepass"))
    found = [whole.digest()]
    for part in group[1:]:
        whole.update(b"\0" + part.encode("utf-8", "surrogatepass"))
        found.append(whole.digest())
    return tuple(found)


def _made(inner: Embedder, groups: Sequence[Sequence[str]]) -> NDArray[np.float32]:
    if isinstance(inner, PartsEmbedder):
        return np.concatenate([np.asarray(one, np.float32) for one in inner.embed_parts(groups)])
    return np.asarray(inner.embed([text for group in groups for text in group]), np.float32)


class CachedEmbedder:
    """An embedder that asks `inner` only for texts that are not in `folder` yet.

    Args:
        inner: makes the vectors; its name and dimension are taken over.
        folder: made when it is not there.
    """

    def __init__(self, inner: Embedder, folder: str | Path) -> None:
        self.name = inner.name
        self.dimension = inner.dimension
        self._inner = inner
        self._lock = threading.Lock()
        self._record = np.dtype(
            [("digest", f"V{_DIGEST_BYTES}"), ("vector", "<f4", (inner.dimension,))]
        )
        slug = re.sub(r"[^A-Za-z0-9._-]+", "_", inner.name)[:80]
        mark = hashlib.sha256(inner.name.encode()).hexdigest()[:8]
        self.path = Path(folder) / f"{slug}-{mark}-{inner.dimension}.vectors"
        self._vectors = self._load()

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of the texts, shape (n, dimension), float32, as `inner` gave them first."""
        digests = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest() for text in texts]
        with self._lock:
            unknown = {
                digest: text
                for digest, text in zip(digests, texts, strict=True)
                if digest not in self._vectors
            }
            if unknown:
                self._add(list(unknown), list(unknown.values()))
            rows = [self._vectors[digest] for digest in digests]
        return np.array(rows, np.float32).reshape(len(rows), self.dimension)

    def embed_parts(self, groups: Sequence[Sequence[str]]) -> list[NDArray[np.float32]]:
        """Vectors of texts and of their parts, as `inner` gave them first.

        A part is known by the texts of its group, since its vector may depend on them.
        """
        keys = [_keys(group) for group in groups]
        with self._lock:
            unknown = {
                known: group
                for known, group in zip(keys, groups, strict=True)
                if any(key not in self._vectors for key in known)
            }
            if unknown:
                made = _made(self._inner, list(unknown.values()))
                self._keep([key for known in unknown for key in known], made)
            return [np.array([self._vectors[key] for key in known], np.float32) for known in keys]

    def _add(self, digests: list[bytes], texts: list[str]) -> None:
        self._keep(digests, np.asarray(self._inner.embed(texts), np.float32))

    def _keep(self, digests: list[bytes], vectors: NDArray[np.float32]) -> None:
        if vectors.shape != (len(digests), self.dimension):
            raise EmbedderError(
                f"embedder {self.name!r} gave an array of shape {vectors.shape} for "
                f"{len(digests)} texts; {(len(digests), self.dimension)} was expected"
            )
        records = np.zeros(len(digests), self._record)
        records["digest"] = np.frombuffer(b"".join(digests), f"V{_DIGEST_BYTES}")
        records["vector"] = vectors
        with self.path.open("ab") as file:
            file.write(records.tobytes())
        self._vectors.update(zip(digests, vectors, strict=True))

    def _load(self) -> dict[bytes, NDArray[np.float32]]:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if not self.path.exists():
            return {}
        size = self.path.stat().st_size
        if torn := size % self._record.itemsize:  # a write that was cut off
            with self.path.open("ab") as file:
                file.truncate(size - torn)
        records = np.fromfile(self.path, self._record)
        digests = (digest.tobytes() for digest in records["digest"])
        return dict(zip(digests, records["vector"].astype(np.float32), strict=True))
