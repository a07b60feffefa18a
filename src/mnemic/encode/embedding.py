"""Vectors for what is to be written: made before the transaction, so that it stays short."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from sqlalchemy import Connection

from mnemic.index.analysis import Analysis
from mnemic.index.embed.base import Embedder, checked_embed, checked_parts
from mnemic.index.write import Packed
from mnemic.model.errors import EmbedderError, EmbedderMismatch
from mnemic.store.brain import Brain

log = logging.getLogger("mnemic")


class Vectors:
    """Makes the vectors of analysed texts with one embedder.

    An embedder that fails does not lose the text: it is stored without vectors, `problem` says
    why, and `reembed` makes them later.

    Args:
        embedder: the model; None for words only.
        apart: sentences are embedded one by one, also where the model reads them with their text.
    """

    def __init__(self, embedder: Embedder | None, *, apart: bool) -> None:
        self.embedder = embedder
        self._apart = apart
        self.problem: str | None = None

    @property
    def model(self) -> tuple[str, int] | None:
        """Name and dimension of the model, or None."""
        return None if self.embedder is None else (self.embedder.name, self.embedder.dimension)

    @contextmanager
    def ahead(
        self, analyses: Sequence[Analysis | None]
    ) -> Iterator[Callable[[], list[Packed | None]]]:
        """Begin to make vectors in a second thread; gives what waits for them.

        The thread has ended when the block is left.
        """
        if self.embedder is None or not any(analyses):
            yield lambda: self.make(analyses)
            return
        with ThreadPoolExecutor(1, "embed") as pool:
            yield pool.submit(self.make, analyses).result

    def make(self, analyses: Sequence[Analysis | None]) -> list[Packed | None]:
        """The vectors of each text; None where there is no text, or no embedder that works."""
        if self.embedder is None:
            return [None] * len(analyses)
        from mnemic.index.vectors import pack

        groups = [analysis.texts for analysis in analyses if analysis]
        if not groups:
            return [None] * len(analyses)
        try:
            if self._apart:
                texts = [text for group in groups for text in group]
                vectors = checked_embed(self.embedder, texts)
            else:
                vectors = checked_parts(self.embedder, groups)
        except EmbedderError as error:
            self.failed(error, "texts are stored without vectors")
            return [None] * len(analyses)
        self.problem = None
        packed: list[Packed | None] = []
        at = 0
        for analysis in analyses:
            if analysis is None:
                packed.append(None)
                continue
            rows = vectors[at : at + len(analysis.texts)]
            at += len(analysis.texts)
            packed.append(Packed(self.embedder.name, self.embedder.dimension, pack(rows)))
        return packed

    def failed(self, error: EmbedderError, consequence: str) -> None:
        """Note for `health` that the embedder failed."""
        self.problem = str(error)
        log.warning("%s; %s", self.problem, consequence)


def recorded_model(connection: Connection, brain: Brain) -> tuple[str, int] | None:
    """Name and dimension of the model that made the brain's vectors; None for none yet."""
    noted = brain.meta(connection, "embedding")
    if noted is None:
        return None
    name, dimension = json.loads(noted)
    return name, dimension


def record_model(connection: Connection, brain: Brain, model: tuple[str, int]) -> None:
    """Note which model the brain's vectors are of."""
    brain.set_meta(connection, "embedding", json.dumps(model))


def note_model(connection: Connection, brain: Brain, model: tuple[str, int] | None) -> None:
    """Refuse to mix the vectors of two models; the first one of a brain is noted.

    Raises:
        EmbedderMismatch: the brain's vectors are of another model.
    """
    if model is not None and not check_model(connection, brain, model):
        record_model(connection, brain, model)


def check_model(connection: Connection, brain: Brain, model: tuple[str, int] | None) -> bool:
    """Refuse to mix the vectors of two models; tells whether the brain has a model yet.

    Raises:
        EmbedderMismatch: the brain's vectors are of another model.
    """
    if model is None:
        return True
    found = recorded_model(connection, brain)
    if found is None or found == model:
        return found is not None
    raise EmbedderMismatch(
        f"brain {brain.path!r} holds vectors of {found[0]!r} ({found[1]} dimensions), and was "
        f"opened with {model[0]!r} ({model[1]}); run `mnemic reembed` to change over, or open it "
        "with the embedder it was made with"
    )
