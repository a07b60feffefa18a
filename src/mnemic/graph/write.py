"""How the graph is written: names that traces mention, in the transaction of the traces.

A scope id has one node for each name, by the name's key; its id follows from brain, scope, scope
id and key. A mention of a name that was merged into another stands at its own node: a merge is
looked up when the graph is read, so that it can be undone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Connection, Text, bindparam, cast, delete, select

from mnemic.cognition.entities.named import Named, entity_key
from mnemic.graph.erase import drop_orphans
from mnemic.graph.rows import chunks, insert_found, insert_new
from mnemic.model.scope import Scope
from mnemic.store.mind_schema import mentions, nodes

_n, _m = nodes.c, mentions.c

_OF_KEY = select(cast(bindparam("of_brain"), Text), cast(bindparam("of_trace"), Text), _n.id).where(
    _n.brain_id == bindparam("of_brain"),
    _n.scope == bindparam("of_scope"),
    _n.scope_id == bindparam("of_scope_id"),
    _n.key == bindparam("of_key"),
)
"""By its key and not by its id: a node of an imported brain keeps the id that it had there."""

_MENTIONED = select(_m.node_id).where(
    _m.brain_id == bindparam("of_brain"), _m.trace_id.in_(bindparam("ids", expanding=True))
)
_FORGET = delete(mentions).where(
    _m.brain_id == bindparam("of_brain"), _m.trace_id.in_(bindparam("ids", expanding=True))
)


def node_id(brain_id: str, scope: Scope, scope_id: str, key: str) -> str:
    """The id of a name's node: ``en_`` and 32 hexadecimal digits."""
    place = "\0".join((brain_id, scope.value, scope_id, key))
    return f"en_{hashlib.sha256(place.encode()).hexdigest()[:32]}"


class Mentions:
    """The names that traces of one scope id mention, within one write transaction.

    Args:
        connection: holds the write lock.
        brain_id: of which brain.
        scope, scope_id: of all the traces.
    """

    def __init__(self, connection: Connection, brain_id: str, scope: Scope, scope_id: str) -> None:
        self._connection = connection
        self._brain_id = brain_id
        self._scope = scope
        self._scope_id = scope_id
        self._names: dict[str, Named] = {}
        self._mentions: dict[tuple[str, str], None] = {}
        self._changed: list[str] = []

    def add(self, trace_id: str, names: Iterable[Named]) -> None:
        """Note what a trace mentions; `flush` writes it.

        Args:
            trace_id: of a trace of this scope id, which is there when `flush` is called.
            names: in any order; of several spellings of one name, the first is kept.
        """
        for name in names:
            key = entity_key(name.label)
            if key:
                self._names.setdefault(key, name)
                self._mentions[trace_id, key] = None

    def remention(self, trace_id: str, names: Iterable[Named]) -> None:
        """Note what a trace mentions from now on, in place of what it did.

        A name that no trace mentions any more goes, with its edges and merges: what a
        correction took out of every text is not to be found in the graph.

        Args:
            trace_id: of a trace of this scope id.
            names: what its present content mentions; may be none.
        """
        self._changed.append(trace_id)
        for pair in [pair for pair in self._mentions if pair[0] == trace_id]:
            del self._mentions[pair]
        self.add(trace_id, names)

    def flush(self, now: int) -> None:
        """Write all that was noted.

        Args:
            now: the instant, in milliseconds: since when a new name is there.
        """
        before = self._take_back()
        wanted = {key for _, key in self._mentions}
        insert_new(nodes, self._connection, [self._node(key, now) for key in sorted(wanted)])
        place = self._place("of_brain", "of_scope", "of_scope_id")
        values = [{**place, "of_trace": trace, "of_key": key} for trace, key in self._mentions]
        insert_found(mentions, _COLUMNS, _OF_KEY, self._connection, values)
        if before:
            drop_orphans(self._connection, self._brain_id, sorted(before))
        self._names.clear()
        self._mentions.clear()
        self._changed.clear()

    def _take_back(self) -> set[str]:
        """Take out what the changed traces mentioned; gives the nodes that it was."""
        before: set[str] = set()
        for part in chunks(self._changed):
            values = {"of_brain": self._brain_id, "ids": part}
            before.update(self._connection.execute(_MENTIONED, values).scalars())
            self._connection.execute(_FORGET, values)
        return before

    def _node(self, key: str, now: int) -> Mapping[str, Any]:
        name = self._names[key]
        return {
            **self._place("brain_id", "scope", "scope_id"),
            "id": node_id(self._brain_id, self._scope, self._scope_id, key),
            "kind": name.kind.value,
            "label": name.label,
            "key": key,
            "created_at": now,
        }

    def _place(self, *names: str) -> dict[str, str]:
        place = (self._brain_id, self._scope.value, self._scope_id)
        return dict(zip(names, place, strict=True))


_COLUMNS = ("brain_id", "trace_id", "node_id")
