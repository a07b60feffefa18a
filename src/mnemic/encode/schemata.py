"""How new memories fit what is known: the schemas of a scope id."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from sqlalchemy import Connection, bindparam, select

from mnemic.cognition.mechanisms.schema import encoded
from mnemic.cognition.rules import rules_of
from mnemic.encode.pending import Pending
from mnemic.index.vectors import unpack
from mnemic.index.write import Packed
from mnemic.model.scope import Scope
from mnemic.store.brain import Brain
from mnemic.store.mind_schema import nodes, schemas

_s, _n = schemas.c, nodes.c

_CENTROIDS = (
    select(_s.centroid)
    .join(nodes, (_n.brain_id == _s.brain_id) & (_n.id == _s.node_id))
    .where(
        _s.brain_id == bindparam("of_brain"),
        _s.model == bindparam("of_model"),
        _n.scope == bindparam("of_scope"),
        _n.scope_id == bindparam("of_scope_id"),
    )
    .order_by(_s.node_id)
)


class Schemata:
    """The schemas of one scope id, within one write; read when the first vector comes.

    Args:
        connection: in the transaction.
        brain: where to.
        scope, scope_id: of what is written.
    """

    def __init__(self, connection: Connection, brain: Brain, scope: Scope, scope_id: str) -> None:
        self._connection = connection
        self._brain = brain
        self._place = {"of_scope": scope.value, "of_scope_id": scope_id}
        self._centroids: dict[str, np.ndarray[tuple[int, int], np.dtype[np.float32]]] = {}

    def fitted(self, pending: Pending) -> Pending:
        """A draft as strong as what it is makes it among the schemas; those given stay."""
        mind = self._brain.settings.mind
        given = pending.draft.strength is not None
        if given or pending.vectors is None or not mind.works(mind.schema_encoding):
            return pending
        centroids = self._of(pending.vectors)
        if not len(centroids):
            return pending
        rules = rules_of(mind)
        vector = unpack(pending.vectors.data, pending.vectors.dimension)[0]
        worth = pending.text.appraised
        found = encoded(vector, centroids, worth.encoded.strength, rules.schemas)
        ratio = (1 + rules.encoding.stability_of_strength * found.strength) / (
            1 + rules.encoding.stability_of_strength * worth.encoded.strength
        )
        fitting = replace(
            worth.encoded, strength=found.strength, stability=worth.encoded.stability * ratio
        )
        text = replace(pending.text, appraised=replace(worth, encoded=fitting))
        return replace(pending, text=text)

    def _of(self, vectors: Packed) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
        """The centroids of a model's vectors, one a row."""
        if vectors.model not in self._centroids:
            values = {"of_brain": self._brain.id, "of_model": vectors.model, **self._place}
            rows = self._connection.execute(_CENTROIDS, values).scalars()
            found = [np.frombuffer(row, "<f4") for row in rows if row is not None]
            own = [one for one in found if len(one) == vectors.dimension]
            table = np.array(own, np.float32).reshape(len(own), vectors.dimension)
            self._centroids[vectors.model] = table
        return self._centroids[vectors.model]
