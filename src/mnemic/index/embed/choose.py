"""Which embedder a brain is opened with."""

from __future__ import annotations

from dataclasses import dataclass

from mnemic.index.embed.base import Embedder
from mnemic.model.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Choice:
    """An embedder, or the reason why there is none; neither when none was wanted."""

    embedder: Embedder | None
    problem: str | None = None


def choose(wanted: Embedder | str | None) -> Choice:
    """The embedder for what a caller gave: "auto", None, or an embedder of its own.

    Raises:
        InvalidInput: it is none of these.
    """
    if wanted is None:
        return Choice(None)
    if wanted == "auto":
        from mnemic.index.embed.minilm import MiniLM

        problem = MiniLM.available()
        return Choice(None, problem) if problem else Choice(MiniLM())
    if isinstance(wanted, Embedder):
        name: object = wanted.name
        dimension: object = wanted.dimension
        if not isinstance(name, str) or not name:
            raise InvalidInput(f"embedder name {name!r} must be a text")
        if not isinstance(dimension, int) or dimension < 1:
            raise InvalidInput(f"embedder dimension {dimension!r} must be a whole number")
        return Choice(wanted)
    raise InvalidInput(
        f"embedder {wanted!r} must be 'auto', None, or an object with name, dimension and embed"
    )
