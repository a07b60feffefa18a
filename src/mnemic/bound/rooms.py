"""What an open brain is made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mnemic.consolidate.summarize import Summarizer
from mnemic.encode.write import Writer
from mnemic.index.cache import IndexCache
from mnemic.index.embed.base import CachedQueries
from mnemic.mind.working import Sessions
from mnemic.model.errors import EmbedderError
from mnemic.model.times import Clock
from mnemic.retrieve.plug import Expander, Reranker
from mnemic.retrieve.touch import Touches
from mnemic.store.brain import Brain


@dataclass(slots=True)
class Rooms:
    """What an open brain is made of. `queries` is another one after a change of embedder."""

    brain: Brain
    writer: Writer
    cache: IndexCache
    queries: CachedQueries | None
    touches: Touches
    clock: Clock
    expander: Expander | None
    reranker: Reranker | None
    sessions: Sessions
    summarizer: Summarizer | None
    chance: Callable[[], float]

    def similar_to(self, query: str | None) -> Callable[[str], float | None]:
        """What tells the cosine of a text and a question; None without vectors."""

        def cosine(text: str) -> float | None:
            if query is None or self.queries is None:
                return None
            try:
                one, other = self.queries.embed_one(query), self.queries.embed_one(text)
            except EmbedderError as error:
                self.writer.vectors.failed(error, "cues are looked up by their words")
                return None
            return float(one @ other)

        return cosine
